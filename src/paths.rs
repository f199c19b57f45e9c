//! What a path that a host sends means on this machine.
//!
//! A path is judged in two forms: as tools clean it (`..` removes the name before it) and as the
//! file system follows it (links resolved). A rule that protects has to hold for both.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use crate::links::real;

/// A path in both forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Absolute and cleaned, links unresolved.
    pub named: PathBuf,
    /// Absolute with links resolved, as far as it exists.
    pub real: PathBuf,
}

impl Place {
    /// The place of an absolute path.
    pub fn at(path: &Path) -> Self {
        Self {
            named: clean(path),
            real: real(path),
        }
    }

    /// Whether `judge` holds for either form.
    pub fn either(&self, judge: impl Fn(&Path) -> bool) -> bool {
        judge(&self.named) || (self.real != self.named && judge(&self.real))
    }
}

/// Stands for a working folder that no host named: it is on no disk, and above nothing.
const UNKNOWN_FOLDER: &str = "/?";

/// Where relative paths and `~` begin.
#[derive(Debug, Clone, Copy)]
pub struct Base<'a> {
    /// The user's home.
    pub home: Option<&'a Path>,
    /// The folder that relative paths are relative to.
    pub cwd: Option<&'a Path>,
}

impl Base<'_> {
    /// The place that `text` names.
    pub fn place(&self, text: &str) -> Place {
        Place::at(&self.absolute(text))
    }

    /// The path that `text` names, cleaned; asks no disk.
    pub fn named(&self, text: &str) -> PathBuf {
        clean(&self.absolute(text))
    }

    fn absolute(&self, text: &str) -> PathBuf {
        let text = strip_file_scheme(text.trim());
        if let (Some(home), Some(rest)) = (self.home, text.strip_prefix('~')) {
            if rest.is_empty() {
                return home.to_owned();
            }
            if let Some(below) = rest.strip_prefix(['/', std::path::MAIN_SEPARATOR]) {
                return home.join(below.trim_start_matches(['/', std::path::MAIN_SEPARATOR]));
            }
        }
        self.cwd
            .unwrap_or(Path::new(UNKNOWN_FOLDER))
            .join(text.as_ref())
    }
}

/// A `file://` address as a path, percent escapes decoded; anything else as it is.
pub fn strip_file_scheme(text: &str) -> Cow<'_, str> {
    const SCHEME: &str = "file://";
    let Some(scheme) = text.get(..SCHEME.len()) else {
        return Cow::Borrowed(text);
    };
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return Cow::Borrowed(text);
    }
    let path = &text[SCHEME.len()..];
    let path = path.strip_prefix("localhost").unwrap_or(path);
    // `file:///C:/x` names a drive.
    let drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    let path = if drive { &path[1..] } else { path };
    percent_decode(path)
}

fn percent_decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| byte == b'%');
        let decoded = escape
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(byte));
        rest = if decoded.is_some() {
            &after[2..]
        } else {
            after
        };
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Removes `.` and, with the name before it, `..`; touches no disk.
pub fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::with_capacity(path.as_os_str().len());
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if matches!(cleaned.components().next_back(), Some(Component::Normal(_))) {
                    cleaned.pop();
                }
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> String {
        let base = Base {
            home: Some(Path::new("/home/dev")),
            cwd: Some(Path::new("/w")),
        };
        base.place(text).named.to_string_lossy().into_owned()
    }

    #[test]
    fn every_spelling_of_a_path_is_the_same_place() {
        for text in [
            "/home/dev/a b",
            "//home//dev/./a b",
            "/home/x/../dev/a b",
            "~/a b",
            "~//a b",
            "../home/dev/a b",
            "file:///home/dev/a%20b",
            "FILE://localhost/home/dev/a b",
            " /home/dev/a b\n",
        ] {
            assert_eq!(named(text), "/home/dev/a b", "{text}");
        }
        assert_eq!(named("a"), "/w/a");
        assert_eq!(named("~"), "/home/dev");
        assert_eq!(named("~dev/a"), "/w/~dev/a");
        assert_eq!(named("/../../a"), "/a");
        assert_eq!(named("a%20b"), "/w/a%20b");
        assert_eq!(named("file:///a%zz%"), "/a%zz%");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_as_the_file_system_does() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("deep/inner")).unwrap();
        std::os::unix::fs::symlink(root.join("deep/inner"), root.join("link")).unwrap();
        let base = Base {
            home: None,
            cwd: Some(&root),
        };
        let place = base.place("link/../secret");
        assert_eq!(place.named, root.join("secret"));
        assert_eq!(place.real, root.join("deep/secret"));
        assert_eq!(
            base.place("link/new/file").real,
            root.join("deep/inner/new/file")
        );
    }
}
