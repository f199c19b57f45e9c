//! Following links as the file system does, also through what does not exist yet.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Follows the links of an absolute path. What does not exist is taken as it is named, and a link to what does not exist
/// is followed too: a write through it makes its target.
#[cfg(unix)]
pub fn real(path: &Path) -> PathBuf {
    real_from(Path::new(""), path)
}

/// Follows the links of `path`, which begins in `folder`; those of `folder` are followed already.
#[cfg(unix)]
fn real_from(folder: &Path, path: &Path) -> PathBuf {
    use std::borrow::Cow;

    let mut real = PathBuf::with_capacity(folder.as_os_str().len() + path.as_os_str().len() + 1);
    real.push(folder);
    let mut ahead = Cow::Borrowed(path);
    for _ in 0..=MOST_LINKS {
        match walk(&mut real, &ahead) {
            Some(left) => ahead = Cow::Owned(left),
            None => return real,
        }
    }
    crate::paths::clean(&folder.join(path))
}

/// Links that are followed in one path: as many as Linux follows.
const MOST_LINKS: usize = 40;

/// From so many bytes on the kernel refuses a path (`PATH_MAX`; macOS: 1024). Asking it about each name of a longer one takes time that
/// grows with the square of its length.
#[cfg(unix)]
const LONGEST: usize = 4096;

/// Walks `ahead` from `real` on. Where it meets a link it stops, and says what is to be walked instead. One system call a
/// name, where `realpath` would start anew for each part that does not exist, with a buffer of two pages.
#[cfg(unix)]
fn walk(real: &mut PathBuf, ahead: &Path) -> Option<PathBuf> {
    use std::path::Component;

    let mut components = ahead.components();
    while let Some(component) = components.next() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                real.pop();
            }
            Component::RootDir | Component::Prefix(_) => real.push(component),
            Component::Normal(name) => {
                real.push(name);
                if real.as_os_str().len() < LONGEST
                    && let Ok(target) = real.read_link()
                {
                    real.pop();
                    return Some(target.join(components.as_path()));
                }
            }
        }
    }
    None
}

/// Follows the links of an absolute path. What does not exist is taken as it is named, and a link to what does not exist
/// is followed too: a write through it makes its target. Short names and letter case are the file system's.
#[cfg(not(unix))]
pub fn real(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match step(&path) {
            Step::Done(real) => return real,
            Step::Link(target) => path = target,
        }
    }
    crate::paths::clean(&path)
}

#[cfg(not(unix))]
enum Step {
    Done(PathBuf),
    /// The path with its first dangling link replaced by what the link names.
    Link(PathBuf),
}

#[cfg(not(unix))]
fn step(path: &Path) -> Step {
    use crate::paths::clean;
    use std::path::Component;

    for existing in path.ancestors() {
        let rest = || path.strip_prefix(existing).unwrap_or(Path::new(""));
        if let Ok(resolved) = existing.canonicalize() {
            return Step::Done(clean(&resolved.join(rest())));
        }
        // `a/..` has the name of what is before it, and no link of its own.
        let last = existing.components().next_back();
        if matches!(last, Some(Component::Normal(_)))
            && let Ok(target) = existing.read_link()
            && let Some(folder) = existing.parent()
        {
            // Put together from components: behind a slash a link is followed before it is read.
            return Step::Link(folder.join(target).join(rest()).components().collect());
        }
    }
    Step::Done(clean(path))
}

/// Paths of one call, with the folders that were followed already: most of a line's paths lie in the same one.
#[derive(Debug, Default)]
pub struct Links {
    folders: RefCell<Vec<(PathBuf, PathBuf)>>,
}

impl Links {
    /// As [`real`].
    #[cfg(unix)]
    pub fn real(&self, path: &Path) -> PathBuf {
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => real_from(&self.folder(folder), Path::new(name)),
            _ => real(path),
        }
    }

    /// As [`real`].
    #[cfg(not(unix))]
    pub fn real(&self, path: &Path) -> PathBuf {
        real(path)
    }

    #[cfg(unix)]
    fn folder(&self, folder: &Path) -> PathBuf {
        let mut folders = self.folders.borrow_mut();
        if let Some((_, real)) = folders.iter().find(|(named, _)| named == folder) {
            return real.clone();
        }
        let real = real(folder);
        if folders.len() < MOST_FOLDERS {
            folders.push((folder.to_owned(), real.clone()));
        }
        real
    }
}

/// Folders that are remembered: a line that names more is looked up anew for each.
const MOST_FOLDERS: usize = 16;

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        (folder, root)
    }

    #[test]
    fn a_link_to_what_does_not_exist_leads_there_all_the_same() {
        let (_folder, root) = folder();
        std::fs::create_dir(root.join("scoring")).unwrap();
        symlink("scoring/new.py", root.join("one")).unwrap();
        symlink("one", root.join("two")).unwrap();
        symlink(root.join("scoring/dir"), root.join("folder")).unwrap();
        assert_eq!(real(&root.join("one")), root.join("scoring/new.py"));
        assert_eq!(real(&root.join("two")), root.join("scoring/new.py"));
        assert_eq!(real(&root.join("folder/x")), root.join("scoring/dir/x"));
    }

    #[test]
    fn links_in_a_circle_lead_nowhere_else() {
        let (_folder, root) = folder();
        symlink("other", root.join("loop")).unwrap();
        symlink("loop", root.join("other")).unwrap();
        assert_eq!(real(&root.join("loop/x")), root.join("loop/x"));
    }

    #[test]
    fn what_exists_is_where_the_file_system_says() {
        let (_folder, root) = folder();
        std::fs::create_dir_all(root.join("a/b/c")).unwrap();
        symlink("b/../b/c/..", root.join("a/up")).unwrap();
        symlink(root.join("a/up/c"), root.join("deep")).unwrap();
        symlink("/", root.join("root")).unwrap();
        let links = Links::default();
        for path in [
            "a/up",
            "deep",
            "deep/..",
            "deep/../../up/c",
            "a/./b//c/",
            "root",
            "root/..",
        ] {
            let path = root.join(path);
            let canonical = path.canonicalize().unwrap();
            for real in [real(&path), links.real(&path), links.real(&path)] {
                assert_eq!(real, canonical, "{}", path.display());
            }
        }
        let below = real(
            &root
                .join("root")
                .join(root.strip_prefix("/").unwrap())
                .join("deep"),
        );
        assert_eq!(below, root.join("a/b/c"));
    }

    #[test]
    fn a_path_of_a_megabyte_is_walked_without_asking_about_each_of_its_names() {
        let (_folder, root) = folder();
        let long = root.join("a/".repeat(500_000) + "x");
        assert_eq!(real(&long), long);
        let back = root.join("a/../".repeat(10_000) + "x");
        assert_eq!(real(&back), root.join("x"));
    }

    #[test]
    fn behind_what_does_not_exist_links_count_again() {
        let (_folder, root) = folder();
        std::fs::create_dir(root.join("kept")).unwrap();
        symlink("kept", root.join("link")).unwrap();
        assert_eq!(real(&root.join("new/../link/x")), root.join("kept/x"));
        assert_eq!(real(&root.join("link/../new/./y")), root.join("new/y"));
    }
}
