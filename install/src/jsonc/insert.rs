//! Where a new member goes, and in which layout.

use super::edit::EditError;
use super::render::quote;
use super::{Document, Json, Member, Node, Style, splice};

/// The step of indentation of a text that shows none.
const DEFAULT_STEP: usize = 2;

/// Writes `value` over `existing`.
pub(super) fn replace(document: &Document, existing: &Node, value: &Json) -> String {
    let on_one_line = !document.text[existing.span.clone()].contains('\n');
    let empty = existing.members().is_some_and(|members| members.is_empty());
    let rendered = if on_one_line && !empty {
        value.inline(document.text[..existing.span.start].ends_with(' '))
    } else {
        value.lines(&style(document), document.line_indent(existing.span.start))
    };
    splice(&document.text, vec![(existing.span.clone(), rendered)])
}

/// Writes `value` at `path`, where nothing is yet.
pub(super) fn insert(
    document: &Document,
    path: &[&str],
    value: &Json,
) -> Result<String, EditError> {
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
pub(super) struct NewMember<'a> {
    pub key: &'a str,
    pub deeper: &'a [&'a str],
    pub value: &'a Json,
}

impl NewMember<'_> {
    pub fn lines(&self, style: &Style, indent: &str) -> String {
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
pub(super) fn style(document: &Document) -> Style {
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
