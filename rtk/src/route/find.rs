//! `find_by_name`.
//!
//! The native tool is documented as `fd`: names only, smart case, hidden and git-ignored entries left out. `rtk find`
//! 1.1.0 walks the same way by itself as long as it is given nothing but `-name`, `-iname`, `-type` and `-maxdepth`,
//! and `*` and `?` in the name; it then lists files only, or folders with `-type d`. Anything else it hands to the
//! system's `find`, which knows no ignore files and on Windows is another program.

use super::glob::{alternatives, anchored, any_depth, literal, simple};
use super::{Line, Shell, Target, Unroutable, inside};

/// What a `find_by_name` looks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// Files and folders.
    #[default]
    Any,
    /// Files.
    File,
    /// Folders.
    Directory,
}

/// The arguments of a `find_by_name`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FindByName<'a> {
    /// `SearchDirectory`, absolute.
    pub directory: &'a str,
    /// `Pattern`: a glob on the name; without a special character any part of the name; empty for all.
    pub pattern: &'a str,
    /// `Extensions`: the name must also end in one of these.
    pub extensions: &'a [String],
    /// `Excludes`: gitignore-style globs of what is left out, folders with all below them.
    pub excludes: &'a [String],
    /// `Type`.
    pub kind: Kind,
    /// `MaxDepth`: 1 is the folder's own entries; 0 means no limit.
    pub max_depth: Option<u64>,
    /// `FullPath`: the pattern is for the whole path.
    pub full_path: bool,
}

/// The search as one or more `rtk find` (or `rtk rg --files`) joined by `;`.
///
/// A pattern without an upper-case letter is matched without regard to case (the documented smart case).
///
/// # Errors
/// [`Unroutable::Glob`] for a pattern or an exclusion that none of them can say; [`Unroutable::Empty`] without a
/// directory; what [`super::word`] refuses.
pub fn find_by_name(find: &FindByName, target: &Target) -> Result<String, Unroutable> {
    let plan = Plan::of(find)?;
    if let Some(names) = plan.simple_names() {
        let mut commands = Vec::new();
        for kind in [Kind::File, Kind::Directory] {
            if find.kind == Kind::Any || find.kind == kind {
                for name in &names {
                    commands.push(plan.rtk_find(name, kind, target)?);
                }
            }
        }
        return Ok(commands.join("; "));
    }
    match find.kind {
        Kind::File => plan.files(target),
        Kind::Directory => plan.system_find(Kind::Directory, target),
        Kind::Any if plan.ripgrep_can(target) => {
            let files = plan.ripgrep(target)?;
            Ok(format!(
                "{files}; {}",
                plan.system_find(Kind::Directory, target)?
            ))
        }
        Kind::Any => plan.system_find(Kind::Any, target),
    }
}

/// A search with its pattern understood.
struct Plan<'a> {
    find: &'a FindByName<'a>,
    /// The glob on the name; may hold braces.
    name: String,
    extensions: Vec<&'a str>,
    ignore_case: bool,
}

impl<'a> Plan<'a> {
    fn of(find: &'a FindByName<'a>) -> Result<Self, Unroutable> {
        if find.directory.is_empty() {
            return Err(Unroutable::Empty);
        }
        let stem = any_depth(find.pattern);
        let whole_path = find.full_path && stem.len() == find.pattern.len() && !stem.is_empty();
        let unbalanced = stem.matches('[').count() != stem.matches(']').count();
        if whole_path || unbalanced || stem.contains('/') || stem.ends_with('\\') {
            return Err(Unroutable::Glob);
        }
        let name = match stem {
            "" | "**" => "*".to_owned(),
            part if literal(find.pattern) => format!("*{part}*"),
            glob => glob.to_owned(),
        };
        if find
            .excludes
            .iter()
            .any(|glob| glob.is_empty() || glob.starts_with('!'))
        {
            return Err(Unroutable::Glob);
        }
        let extensions: Vec<&str> = find
            .extensions
            .iter()
            .map(|e| e.trim_start_matches('.'))
            .collect();
        if extensions
            .iter()
            .any(|extension| extension.is_empty() || !literal(extension))
        {
            return Err(Unroutable::Glob);
        }
        let ignore_case = !find.pattern.chars().any(char::is_uppercase);
        Ok(Plan {
            find,
            name,
            extensions,
            ignore_case,
        })
    }

    /// The globs that rtk's own walk can match, if it can do this search.
    fn simple_names(&self) -> Option<Vec<String>> {
        if !self.find.excludes.is_empty() {
            return None;
        }
        let mut names = Vec::new();
        for name in alternatives(&self.name).ok()? {
            if self.extensions.is_empty() {
                names.push(name);
                continue;
            }
            for extension in &self.extensions {
                names.push(with_extension(&name, extension)?);
            }
        }
        (names.len() <= 4 && names.iter().all(|name| simple(name))).then_some(names)
    }

    fn name_option(&self) -> &'static str {
        if self.ignore_case { "-iname" } else { "-name" }
    }

    fn depth(&self) -> Option<String> {
        self.find
            .max_depth
            .filter(|&depth| depth > 0)
            .map(|depth| depth.to_string())
    }

    fn rtk_find(&self, name: &str, kind: Kind, target: &Target) -> Result<String, Unroutable> {
        let mut line = Line::rtk(target, "find");
        line.path(self.find.directory)?;
        if let Some(depth) = self.depth() {
            line.args(["-maxdepth", &depth])?;
        }
        match kind {
            Kind::Directory => line.args(["-type", "d"])?,
            _ => line.args(["-type", "f"])?,
        };
        line.args([self.name_option(), name])?;
        Ok(line.text)
    }

    fn files(&self, target: &Target) -> Result<String, Unroutable> {
        if self.ripgrep_can(target) {
            self.ripgrep(target)
        } else {
            self.system_find(Kind::File, target)
        }
    }

    /// Types can't be combined by "and", and `name:include:` is a directive of rg's.
    fn ripgrep_can(&self, target: &Target) -> bool {
        target.ripgrep && self.extensions.is_empty() && !self.name.starts_with("include:")
    }

    /// The name as a file type, because an rg glob that includes also overrides ignore files. A type overrides only
    /// the rule on hidden files, so that is said again.
    fn ripgrep(&self, target: &Target) -> Result<String, Unroutable> {
        let mut line = Line::rtk(target, "rg");
        line.arg("--files")?;
        if let Some(depth) = self.depth() {
            line.args(["--max-depth", &depth])?;
        }
        let name = if self.ignore_case {
            both_cases(&self.name)
        } else {
            self.name.clone()
        };
        line.args(["--type-add", &format!("name:{name}"), "-t", "name"])?;
        line.args(["-g", "!.*"])?;
        for glob in self.find.excludes {
            line.args(["-g", &format!("!{glob}")])?;
        }
        line.arg("--")?;
        if self.find.excludes.iter().any(|glob| anchored(glob)) {
            line.arg(".")?;
            return inside(target.shell, self.find.directory, &line.text);
        }
        line.path(self.find.directory)?;
        Ok(line.text)
    }

    /// The system's `find` through rtk, hidden entries left out.
    fn system_find(&self, kind: Kind, target: &Target) -> Result<String, Unroutable> {
        if target.shell == Shell::PowerShell {
            return Err(Unroutable::Glob);
        }
        let mut line = Line::rtk(target, "find");
        line.path(self.find.directory)?.args(["-mindepth", "1"])?;
        if let Some(depth) = self.depth() {
            line.args(["-maxdepth", &depth])?;
        }
        let mut left_out = vec![".*".to_owned()];
        for glob in self.find.excludes {
            if anchored(glob) || glob.ends_with('/') {
                return Err(Unroutable::Glob);
            }
            left_out.extend(alternatives(any_depth(glob))?);
        }
        line.args(["-not", "("])?;
        either(&mut line, "-name", &left_out)?;
        line.args(["-prune", ")"])?;
        either(&mut line, self.name_option(), &alternatives(&self.name)?)?;
        let endings: Vec<String> = self.extensions.iter().map(|e| format!("*.{e}")).collect();
        if !endings.is_empty() {
            either(&mut line, self.name_option(), &endings)?;
        }
        match kind {
            Kind::Any => &mut line,
            Kind::File => line.args(["-not", "-type", "d"])?,
            Kind::Directory => line.args(["-type", "d"])?,
        };
        Ok(line.text)
    }
}

/// `( -name A -o -name B )`, or without the parentheses if there is one.
fn either(line: &mut Line, option: &str, globs: &[String]) -> Result<(), Unroutable> {
    if globs.len() > 1 {
        line.arg("(")?;
    }
    for (i, glob) in globs.iter().enumerate() {
        if i > 0 {
            line.arg("-o")?;
        }
        line.args([option, &glob.replace("[^", "[!")])?;
    }
    if globs.len() > 1 {
        line.arg(")")?;
    }
    Ok(())
}

/// The one glob for "matches `name` and ends in `.extension`", where there is one.
fn with_extension(name: &str, extension: &str) -> Option<String> {
    let ending = format!(".{extension}");
    if name.ends_with(&ending) {
        return Some(name.to_owned());
    }
    let stem = name.strip_suffix('*')?;
    let text = stem.strip_prefix('*').unwrap_or(stem);
    // The text must not be able to lie inside the ending or reach into it, or names would be lost.
    let apart = !text.contains(['.', '*', '?'])
        && (text.is_empty() || !ending.to_lowercase().contains(&text.to_lowercase()));
    apart.then(|| format!("{name}{ending}"))
}

/// `glob` with each letter in both cases, for a matcher that has no option for it.
fn both_cases(glob: &str) -> String {
    let mut out = String::new();
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = after;
        match c {
            '\\' => {
                out.push('\\');
                let escaped = after.chars().next();
                out.extend(escaped);
                rest = &after[escaped.map_or(0, char::len_utf8)..];
            }
            '[' => {
                let negated = after.starts_with(['!', '^']);
                let body = &after[usize::from(negated)..];
                let end = body
                    .char_indices()
                    .skip(1)
                    .find(|&(_, c)| c == ']')
                    .map_or(body.len(), |(i, _)| i);
                let (class, tail) = body.split_at(end);
                out.push('[');
                out.push_str(if negated { "!" } else { "" });
                out.push_str(class);
                if class.chars().any(char::is_lowercase) {
                    out.push_str(&class.to_uppercase());
                }
                rest = tail;
            }
            c if c.is_ascii_lowercase() => out.extend(['[', c, c.to_ascii_uppercase(), ']']),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_is_added_only_where_no_name_is_lost() {
        assert_eq!(with_extension("*", "rs").as_deref(), Some("*.rs"));
        assert_eq!(with_extension("*.rs", "rs").as_deref(), Some("*.rs"));
        assert_eq!(with_extension("l*", "rs").as_deref(), Some("l*.rs"));
        assert_eq!(with_extension("*in*", "rs").as_deref(), Some("*in*.rs"));
        // "x.rs" matches `*rs*` and ends in ".rs", but does not match `*rs*.rs`.
        assert_eq!(with_extension("*rs*", "rs"), None);
        assert_eq!(with_extension("a.r*", "rs"), None);
        assert_eq!(with_extension("foo", "rs"), None);
    }

    #[test]
    fn letters_get_both_cases() {
        assert_eq!(both_cases("*.rs"), "*.[rR][sS]");
        assert_eq!(both_cases("[!a-c]x"), "[!a-cA-C][xX]");
        assert_eq!(both_cases(r"\*a"), r"\*[aA]");
    }
}
