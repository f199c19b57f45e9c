//! Paths of which parts may be patterns or unknown.

use std::path::PathBuf;
use std::rc::Rc;

use super::value::{Atom, LeftOut, Text};

/// A path after what a shell does to it: absolute, without `.`, `..` and doubled slashes as far as they are known.
///
/// Components are separated by `/` on every system; a drive letter is the first component (`C:`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern {
    pub(super) components: Vec<Text>,
    /// Whether it begins at the root; false where what it begins with is unknown.
    pub(super) rooted: bool,
    /// Whether `*` takes names that begin with a dot.
    pub(super) dotglob: bool,
    /// Whether only files are meant: a program that does not walk gets nothing from a folder.
    pub(super) files: bool,
    /// What the walk leaves out, and how many components lead to its root.
    pub(super) left_out: Option<(usize, Rc<LeftOut>)>,
}

impl PathPattern {
    /// The path that `text` names for a shell in `folder`.
    pub(super) fn new(text: &Text, folder: &Text, dotglob: bool) -> Self {
        let text = without_scheme(text);
        let whole = if is_absolute(&text) || starts_unknown(&text) {
            text
        } else {
            folder.joined(&Text::literal("/")).joined(&text)
        };
        let rooted = !starts_unknown(&whole);
        let mut components = normalised(whole.split(|c| c == '/'), folder);
        let left_out = take_left_out(&mut components);
        Self {
            components,
            rooted,
            dotglob,
            files: false,
            left_out,
        }
    }

    /// Everything below this path, and the path itself.
    pub(super) fn below(mut self, hidden: bool) -> Self {
        match &self.left_out {
            Some((_, left_out)) if left_out.files => return self,
            // Where a walk begins in what another one found, it does not know what that left out.
            _ => self.left_out = None,
        }
        let mut last = Text::default();
        last.push(Atom::Below { hidden });
        self.components.push(last);
        self
    }

    /// The path as text, for a `cd` or a link.
    pub(super) fn to_text(&self) -> Text {
        let mut text = Text::default();
        for (index, component) in self.components.iter().enumerate() {
            if (index > 0 || self.rooted) && !is_drive(component, index) {
                text.push_str("/");
            }
            text.append(component);
        }
        if self.components.is_empty() {
            text.push_str("/");
        }
        text
    }

    /// The path, if every part of it is known.
    #[must_use]
    pub fn literal(&self) -> Option<PathBuf> {
        let (prefix, rest) = self.literal_prefix();
        rest.is_empty().then_some(prefix)
    }

    /// The known components that it begins with, and what follows them. A caller that follows links on the disk
    /// resolves the first and puts the result in with [`PathPattern::with_prefix`].
    #[must_use]
    pub fn literal_prefix(&self) -> (PathBuf, &[Text]) {
        let known = self.known_names().count();
        let (known, rest) = self.components.split_at(known);
        let names = known.iter().filter_map(Text::as_literal);
        let mut path = String::with_capacity(names.map(|name| name.len() + 1).sum());
        for (index, component) in known.iter().enumerate() {
            if !is_drive(component, index) {
                path.push('/');
            }
            path.push_str(component.as_literal().unwrap_or(""));
        }
        if path.is_empty() && self.rooted {
            path.push('/');
        }
        (PathBuf::from(path), rest)
    }

    /// The names that it begins with, as far as they are known from the root on.
    pub(super) fn known_names(&self) -> impl Iterator<Item = &str> {
        let components = if self.rooted {
            &self.components[..]
        } else {
            &[]
        };
        components.iter().map_while(Text::as_literal)
    }

    /// Whether every part of it is known.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        self.known_names().count() == self.components.len() && self.rooted
    }

    /// The same path with its known beginning replaced by the absolute path `prefix`.
    #[must_use]
    pub fn with_prefix(&self, prefix: &str) -> Self {
        let (_, rest) = self.literal_prefix();
        let known = self.components.len() - rest.len();
        let mut components = normalised(
            Text::literal(prefix.replace('\\', "/")).split(|c| c == '/'),
            &Text::default(),
        );
        let left_out = self.left_out.clone().map(|(root, left_out)| {
            let root = (components.len() + root).saturating_sub(known);
            (root, left_out)
        });
        components.extend(rest.iter().cloned());
        Self {
            components,
            rooted: true,
            dotglob: self.dotglob,
            files: self.files,
            left_out,
        }
    }

    /// The path as people write it: patterns as in the shell, `**` for everything below, `…` for what is unknown.
    #[must_use]
    pub fn display(&self) -> String {
        let mut out = String::new();
        for (index, component) in self.components.iter().enumerate() {
            if (index > 0 || self.rooted) && !is_drive(component, index) {
                out.push('/');
            }
            for atom in component.atoms() {
                match atom {
                    Atom::Unknown => out.push('…'),
                    Atom::Below { .. } => out.push_str("**"),
                    Atom::Text(text) => out.push_str(text),
                    Atom::One => out.push('?'),
                    Atom::Run => out.push('*'),
                    Atom::Set(set) => {
                        out.push('[');
                        out.push_str(set);
                        out.push(']');
                    }
                    Atom::Bracket => out.push('['),
                    Atom::LeftOut(_) => {}
                }
            }
        }
        if out.is_empty() { "/".to_owned() } else { out }
    }
}

fn starts_unknown(text: &Text) -> bool {
    matches!(text.atoms().first(), Some(Atom::Unknown))
}

/// `/x`, `C:/x`, `C:\x`
pub(super) fn is_absolute(text: &Text) -> bool {
    let prefix = text.prefix();
    prefix.starts_with('/') || has_drive(prefix)
}

fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 3
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'/' | b'\\')
}

fn is_drive(component: &Text, index: usize) -> bool {
    index == 0
        && component
            .as_literal()
            .is_some_and(|text| text.len() == 2 && text.ends_with(':'))
}

/// `file:///x` and `file://localhost/x` are `/x`; `file:///C:/x` is `C:/x`.
fn without_scheme(text: &Text) -> Text {
    let prefix = text.prefix();
    let Some(start) = prefix
        .get(..7)
        .filter(|start| start.eq_ignore_ascii_case("file://"))
    else {
        return text.clone();
    };
    let rest = &prefix[start.len()..];
    let host = rest.find('/').unwrap_or(rest.len());
    let skip = start.len() + host + usize::from(has_drive(rest.get(host + 1..).unwrap_or("")));
    text.without_prefix(skip).map(percent_decoded)
}

/// A URL's `%2e` is a dot.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) => {
                decoded.push(value);
                at += 3;
            }
            None => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Without empty components, `.` and `..`, and with the names that a process has for its folder and its root
/// replaced by what they lead to.
fn normalised(components: Vec<Text>, folder: &Text) -> Vec<Text> {
    let mut path: Vec<Text> = Vec::with_capacity(components.len());
    for component in components {
        match component.as_literal() {
            Some("" | ".") => {}
            Some("..") => go_up(&mut path),
            _ => match known_part(&component) {
                // With an empty value this is `.` or `..`.
                Some(".") => path.push(Text::unknown()),
                Some("..") => {
                    go_up(&mut path);
                    path.push(Text::unknown());
                }
                _ => path.push(component),
            },
        }
        match process_link(&path) {
            Some("root") => path.clear(),
            // A folder that is such a name itself was resolved when it was entered.
            Some(_) => path = normalised(folder.split(|c| c == '/'), &Text::default()),
            None => {}
        }
    }
    path
}

/// The last component of `/proc/self/cwd`, `/proc/1/root`, `/proc/self/task/1/cwd` and their like.
fn process_link(path: &[Text]) -> Option<&'static str> {
    let (first, last) = (path.first()?, path.last()?);
    if first.as_literal() != Some("proc") || !matches!(path.len(), 3 | 5) {
        return None;
    }
    ["cwd", "root"]
        .into_iter()
        .find(|name| last.as_literal() == Some(name))
}

/// Takes what a walk leaves out from between the components; that of the last walk counts.
fn take_left_out(components: &mut Vec<Text>) -> Option<(usize, Rc<LeftOut>)> {
    let mut found = None;
    while let Some((at, left_out)) = components.iter().enumerate().find_map(left_out_at) {
        components.remove(at);
        found = Some((at, left_out));
    }
    found
}

fn left_out_at((at, component): (usize, &Text)) -> Option<(usize, Rc<LeftOut>)> {
    match component.atoms() {
        [Atom::LeftOut(left_out)] => Some((at, Rc::clone(left_out))),
        _ => None,
    }
}

/// The text of a component that else has only unknown parts.
fn known_part(component: &Text) -> Option<&str> {
    let mut known = component
        .atoms()
        .iter()
        .filter(|atom| !matches!(atom, Atom::Unknown));
    match (known.next(), known.next()) {
        (Some(Atom::Text(text)), None) => Some(text),
        _ => None,
    }
}

fn go_up(path: &mut Vec<Text>) {
    let spans = |component: &Text| {
        component
            .atoms()
            .iter()
            .any(|atom| matches!(atom, Atom::Unknown | Atom::Below { .. }))
    };
    match path.last() {
        // What is unknown may hold slashes: its parent is as unknown as it is.
        Some(last) if spans(last) => {
            path.pop();
            path.push(Text::unknown());
        }
        Some(last) if is_drive(last, path.len() - 1) => {}
        _ => {
            path.pop();
        }
    }
}
