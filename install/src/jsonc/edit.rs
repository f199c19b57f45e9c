//! Putting one member into an object of a text, and taking it out again.
//!
//! Both are a few insertions or deletions by span; no other byte is printed anew. [`upsert`] never
//! gives the same text for two different originals, so [`remove`] finds the original without any
//! record of it: it tries what could be taken away besides the member, and keeps the result that
//! [`upsert`] turns back into exactly the text at hand. Three layouts carry that information:
//!
//! - in an object that was empty on one line (`{}`), the member stands on lines of its own;
//! - braces that were not there before hug their only member: `"mcpServers": {"name": …}`;
//! - a file that was not there before is laid out by a step of four blanks, where a file without
//!   members gets two.

use std::ops::Range;

use super::render::quote;
use super::{Document, Json, Member, Node, Style, parse};

/// Why a member could not be put in or taken out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The value of a key on the way is no object.
    #[error("the value of {key:?} is not an object")]
    NotAnObject {
        /// The key.
        key: String,
        /// Where its value starts, in bytes of the text.
        offset: usize,
    },
    /// The edited text does not read as the original with the one change: a fault of this module.
    #[error("the edit would change more than the entry")]
    WouldHarm,
}

/// What is left when a member is taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// There was no such member.
    Absent,
    /// This text.
    Text(String),
    /// The file was made for this member and holds nothing else: it can go.
    NoFile,
}

/// The text of a file that holds `value` at `path` and nothing else.
pub fn create(path: &[&str], value: &Json) -> String {
    let style = Style::blanks(CREATED_STEP);
    let [key, deeper @ ..] = path else {
        return String::new();
    };
    let member = NewMember { key, deeper, value };
    format!(
        "{{\n{0}{1}\n}}\n",
        style.unit,
        member.lines(&style, &style.unit)
    )
}

/// Puts `value` at `path`, a chain of object keys: over the value that is there, else behind the last
/// member of the innermost object that is there, with the missing objects around it.
pub fn upsert(document: &Document, path: &[&str], value: &Json) -> Result<String, EditError> {
    let edited = match document.at(path) {
        Some(existing) if same_meaning(&document.json(existing), value) => {
            return Ok(document.text.clone());
        }
        Some(existing) => replace(document, existing, value),
        None => insert(document, path, value)?,
    };
    check(document, &edited, path, Some(value))?;
    Ok(edited)
}

/// Takes out the member at `path`, and what [`upsert`] or [`create`] wrote around it.
pub fn remove(document: &Document, path: &[&str]) -> Result<Removal, EditError> {
    let Some(node) = document.at(path) else {
        return Ok(Removal::Absent);
    };
    let value = document.json(node);
    if !document.bom && document.text == create(path, &value) {
        return Ok(Removal::NoFile);
    }
    for original in candidates(document, path) {
        let came_from = parse(original.as_bytes())
            .ok()
            .filter(|parsed| parsed.at(path).is_none());
        if came_from
            .is_some_and(|parsed| upsert(&parsed, path, &value).as_ref() == Ok(&document.text))
        {
            return Ok(Removal::Text(original));
        }
    }
    let plain = remove_member(document, path, false);
    check(document, &plain, path, None)?;
    Ok(Removal::Text(plain))
}

const CREATED_STEP: usize = 4;
const DEFAULT_STEP: usize = 2;

// ---- putting in ---------------------------------------------------------------------------------

fn replace(document: &Document, existing: &Node, value: &Json) -> String {
    let on_one_line = !document.text[existing.span.clone()].contains('\n');
    let empty = existing.members().is_some_and(|members| members.is_empty());
    let rendered = if on_one_line && !empty {
        value.inline(document.text[..existing.span.start].ends_with(' '))
    } else {
        value.lines(&style(document), document.line_indent(existing.span.start))
    };
    splice(&document.text, vec![(existing.span.clone(), rendered)])
}

fn insert(document: &Document, path: &[&str], value: &Json) -> Result<String, EditError> {
    let Some(root) = &document.root else {
        let text = hug(path, value, &style(document), "");
        return Ok(splice(&document.text, vec![(0..0, text)]));
    };
    let mut object = root;
    let mut rest = path;
    while let [key, deeper @ ..] = rest
        && let Some(inner) = object.get(key)
    {
        if inner.members().is_none() {
            return Err(EditError::NotAnObject {
                key: (*key).to_owned(),
                offset: inner.span.start,
            });
        }
        (object, rest) = (inner, deeper);
    }
    let [key, deeper @ ..] = rest else {
        return Err(EditError::WouldHarm);
    };
    let member = NewMember { key, deeper, value };
    let members = object.members().unwrap_or_default();
    Ok(match members.last() {
        Some(last) => insert_behind(document, object, members, last, &member),
        None => insert_alone(document, object, &member),
    })
}

/// A member to write: `"key": value`, or `"key": {"deeper": value}`.
struct NewMember<'a> {
    key: &'a str,
    deeper: &'a [&'a str],
    value: &'a Json,
}

impl NewMember<'_> {
    fn lines(&self, style: &Style, indent: &str) -> String {
        let value = if self.deeper.is_empty() {
            self.value.lines(style, indent)
        } else {
            hug(self.deeper, self.value, style, indent)
        };
        format!("{}: {value}", quote(self.key))
    }

    fn inline(&self, spaced: bool) -> String {
        let value = self
            .deeper
            .iter()
            .rev()
            .fold(self.value.clone(), |inner, key| {
                Json::object([(*key, inner)])
            });
        format!(
            "{}:{}{}",
            quote(self.key),
            if spaced { " " } else { "" },
            value.inline(spaced)
        )
    }
}

/// `{"a": {"b": value}}`: braces of our own, known by hugging their only member.
fn hug(path: &[&str], value: &Json, style: &Style, indent: &str) -> String {
    let keys: String = path
        .iter()
        .map(|key| format!("{{{}: ", quote(key)))
        .collect();
    keys + &value.lines(style, indent) + &"}".repeat(path.len())
}

/// Behind the last member and the comments that share its line. The comma is written where the
/// style of the object has it.
fn insert_behind(
    document: &Document,
    object: &Node,
    members: &[Member],
    last: &Member,
    new: &NewMember,
) -> String {
    let text = &document.text;
    let behind_value = last.value.span.end;
    let comma = Some(document.skip_trivia(behind_value)).filter(|at| text[*at..].starts_with(','));
    let place = behind_line_comments(document, comma.map_or(behind_value, |at| at + 1));
    let after_line_comment = document
        .comment_before(place)
        .is_some_and(|comment| comment.line);

    let own_line = members
        .iter()
        .rev()
        .find(|member| document.starts_line(member.key_span.start));
    let multi_line = own_line.is_some() || text[behind_value..object.span.end].contains('\n');
    let mut written = if multi_line || after_line_comment {
        let style = style(document);
        let indent = match own_line {
            Some(member) => document.line_indent(member.key_span.start).to_owned(),
            None => format!("{}{}", document.line_indent(object.span.start), style.unit),
        };
        format!("{}{indent}{}", style.newline, new.lines(&style, &indent))
    } else {
        let spaced = text[last.key_span.end..last.value.span.start].contains(' ');
        format!("{}{}", if spaced { " " } else { "" }, new.inline(spaced))
    };
    let mut edits = Vec::new();
    match comma {
        Some(_) => written.push(','),
        None => edits.push((behind_value..behind_value, ",".to_owned())),
    }
    edits.push((place..place, written));
    splice(text, edits)
}

/// Into an object without members, behind its comments.
fn insert_alone(document: &Document, object: &Node, new: &NewMember) -> String {
    let text = &document.text;
    let brace = object.span.end - 1;
    let place = text[..brace].trim_end().len();
    let after_line_comment = document
        .comment_before(place)
        .is_some_and(|comment| comment.line);
    let style = style(document);
    let base = document.line_indent(object.span.start).to_owned();
    let indent = format!("{base}{}", style.unit);
    let nl = style.newline;
    let lines = |indent: &str| new.lines(&style, indent);
    let written = if after_line_comment {
        format!("{nl}{indent}{}", lines(&indent))
    } else if text[place..brace].contains('\n') {
        lines(document.line_indent(place))
    } else {
        format!("{nl}{indent}{}{nl}{base}", lines(&indent))
    };
    splice(text, vec![(place..place, written)])
}

/// The end of the last comment that starts on the line of `from`, or `from`.
fn behind_line_comments(document: &Document, from: usize) -> usize {
    let mut place = from;
    loop {
        let rest = &document.text[place..];
        let next = place + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        match document.comment_at(next) {
            Some(comment) => place = comment.span.end,
            None => return place,
        }
        if document.text[next..place].contains('\n') {
            return place;
        }
    }
}

/// The line end of the first line, and the indentation of the first member on a line of its own.
fn style(document: &Document) -> Style {
    let newline = match document.text.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    };
    let unit = document
        .root
        .as_ref()
        .and_then(|root| first_step(document, root));
    Style {
        newline,
        unit: unit.unwrap_or_else(|| " ".repeat(DEFAULT_STEP)),
    }
}

fn first_step(document: &Document, object: &Node) -> Option<String> {
    let base = document.line_indent(object.span.start);
    let members = object.members()?;
    let here = members
        .iter()
        .find(|member| document.starts_line(member.key_span.start))
        .and_then(|member| {
            let step = document
                .line_indent(member.key_span.start)
                .strip_prefix(base)?;
            (!step.is_empty()).then(|| step.to_owned())
        });
    here.or_else(|| {
        members
            .iter()
            .find_map(|member| first_step(document, &member.value))
    })
}

// ---- taking out ---------------------------------------------------------------------------------

/// What the text may have been before the member came, the likeliest addition first.
fn candidates<'a>(
    document: &'a Document,
    path: &'a [&'a str],
) -> impl Iterator<Item = String> + 'a {
    let whole_root = document
        .root
        .iter()
        .map(|root| splice(&document.text, vec![(root.span.clone(), String::new())]));
    let members = (1..=path.len()).flat_map(move |depth| {
        [true, false]
            .map(|lines_of_its_own| remove_member(document, &path[..depth], lines_of_its_own))
    });
    whole_root.chain(members)
}

/// Without the member at `path`, which is there, its comma, and the blanks before it; with
/// `lines_of_its_own` also without the line end behind it.
fn remove_member(document: &Document, path: &[&str], lines_of_its_own: bool) -> String {
    let text = &document.text;
    let [parents @ .., key] = path else {
        return text.clone();
    };
    let Some(object) = document.at(parents) else {
        return text.clone();
    };
    let members = object.members().unwrap_or_default();
    let Some(index) = members.iter().position(|member| member.key == *key) else {
        return text.clone();
    };
    let member = &members[index];

    let mut edits = Vec::new();
    let before = text[..member.key_span.start].trim_end_matches(BLANKS).len();
    let behind_value = member.value.span.end;
    let comma = Some(document.skip_trivia(behind_value)).filter(|at| text[*at..].starts_with(','));
    let end = match comma {
        Some(at) if at == behind_value => at + 1,
        Some(at) => {
            edits.push((at..at + 1, String::new()));
            behind_value
        }
        None => behind_value,
    };
    let start = if needs_line_end(document, before, end) {
        member.key_span.start
    } else {
        before
    };
    let suffix = if lines_of_its_own {
        own_line_end(document, object, end)
    } else {
        0
    };
    edits.push((start..end + suffix, String::new()));
    if comma.is_none() && index > 0 {
        let at = document.skip_trivia_back(member.key_span.start) - 1;
        edits.push((at..at + 1, String::new()));
    }
    splice(text, edits)
}

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Would what stands at `end` run on behind a line comment that ends at `before`?
fn needs_line_end(document: &Document, before: usize, end: usize) -> bool {
    document
        .comment_before(before)
        .is_some_and(|comment| comment.line)
        && !document.text[end..]
            .trim_start_matches([' ', '\t', '\r'])
            .starts_with('\n')
}

/// The length of the line end and indentation that [`insert_alone`] writes behind a member.
fn own_line_end(document: &Document, object: &Node, end: usize) -> usize {
    let written = format!(
        "{}{}",
        style(document).newline,
        document.line_indent(object.span.start)
    );
    if document.text[end..].starts_with(&written) {
        written.len()
    } else {
        0
    }
}

// ---- both ---------------------------------------------------------------------------------------

/// The text with each span replaced; spans don't overlap, those at the same place come in order.
fn splice(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(span, _)| span.start);
    let mut spliced =
        String::with_capacity(text.len() + edits.iter().map(|(_, new)| new.len()).sum::<usize>());
    let mut at = 0;
    for (span, new) in edits {
        spliced.push_str(&text[at..span.start]);
        spliced.push_str(&new);
        at = span.end;
    }
    spliced + &text[at..]
}

/// Reads `edited` again: `value` must be at `path`, and all else as it was.
fn check(
    document: &Document,
    edited: &str,
    path: &[&str],
    value: Option<&Json>,
) -> Result<(), EditError> {
    let edited = parse(edited.as_bytes()).map_err(|_| EditError::WouldHarm)?;
    let found = edited.at(path).map(|node| edited.json(node));
    let same = without(document, path) == without(&edited, path);
    if found.as_ref() == value && same {
        Ok(())
    } else {
        Err(EditError::WouldHarm)
    }
}

/// The same value, whatever its layout and the spelling of its strings?
fn same_meaning(a: &Json, b: &Json) -> bool {
    a == b
        || a.meaning()
            .is_some_and(|meaning| Some(meaning) == b.meaning())
}

/// The meaning of a text apart from the member at `path`; objects left empty on the way don't count.
fn without(document: &Document, path: &[&str]) -> Json {
    let root = document
        .root
        .as_ref()
        .map(|root| document.json(root))
        .unwrap_or(Json::Object(Vec::new()));
    let keys: Vec<String> = spelled_keys(document, path);
    prune(root, &keys)
}

/// The keys of `path` as this text spells them.
fn spelled_keys(document: &Document, path: &[&str]) -> Vec<String> {
    let mut node = document.root.as_ref();
    path.iter()
        .map(|key| {
            let member =
                node.and_then(|node| node.members()?.iter().find(|member| member.key == *key));
            node = member.map(|member| &member.value);
            member.map_or_else(
                || quote(key),
                |member| document.text[member.key_span.clone()].to_owned(),
            )
        })
        .collect()
}

fn prune(value: Json, keys: &[String]) -> Json {
    let (Json::Object(members), [key, deeper @ ..]) = (&value, keys) else {
        return value;
    };
    let kept = members.iter().filter_map(|(name, inner)| {
        if name != key {
            return Some((name.clone(), inner.clone()));
        }
        if deeper.is_empty() {
            return None;
        }
        let inner = prune(inner.clone(), deeper);
        (inner != Json::Object(Vec::new())).then(|| (name.clone(), inner))
    });
    Json::Object(kept.collect())
}
