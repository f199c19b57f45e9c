//! JSON with comments as a text with spans: what an edit needs to know to leave everything else alone.
//!
//! The parser is `jsonc-parser`, with every looseness beyond comments and trailing commas switched
//! off: that is what the hosts read. Edits are insertions and deletions in the text ([`edit`]).

pub mod edit;
mod insert;
mod parse;
mod render;
mod take_out;

use std::ops::Range;

pub use parse::{ParseError, ParseErrorKind, parse};
pub use render::{Json, Style};

/// The byte order mark, as text.
pub const BOM: char = '\u{feff}';

/// A parsed text: its tree and the places of its comments. Offsets are bytes of `text`.
#[derive(Debug, Clone)]
pub struct Document {
    /// The text without its byte order mark.
    pub text: String,
    /// Did the file start with a byte order mark?
    pub bom: bool,
    /// The value, an object; none in a text of only blanks and comments, which counts as `{}`.
    pub root: Option<Node>,
    comments: Vec<Comment>,
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// From its first to behind its last byte.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`, in the order of the text.
    Object(Vec<Member>),
    /// `[…]`.
    Array(Vec<Node>),
    /// A string, decoded.
    String(String),
    /// A number, `true`, `false` or `null`: its text is at the span.
    Literal,
}

/// `"key": value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The key, decoded.
    pub key: String,
    /// Where the key stands, with its quotes.
    pub key_span: Range<usize>,
    /// The value.
    pub value: Node,
}

#[derive(Debug, Clone)]
struct Comment {
    span: Range<usize>,
    /// `// …`, which needs a line end behind it.
    line: bool,
}

impl Node {
    /// The members of an object; none for another kind.
    pub fn members(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The value of `key` in an object.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.members()?
            .iter()
            .find(|member| member.key == key)
            .map(|member| &member.value)
    }

    /// The elements of an array; none for another kind.
    pub fn elements(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The decoded text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }
}

impl Document {
    /// The value at `path`, a chain of object keys.
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter()
            .try_fold(self.root.as_ref()?, |node, key| node.get(key))
    }

    /// The bytes of the file: the text, behind its byte order mark if it has one.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self.bom, &self.text)
    }

    /// The value at `node` as it is written here: keys and scalars keep their spelling.
    pub fn json(&self, node: &Node) -> Json {
        match &node.kind {
            Kind::Object(members) => Json::Object(
                members
                    .iter()
                    .map(|member| {
                        (
                            self.text[member.key_span.clone()].to_owned(),
                            self.json(&member.value),
                        )
                    })
                    .collect(),
            ),
            Kind::Array(elements) => {
                Json::Array(elements.iter().map(|element| self.json(element)).collect())
            }
            Kind::String(_) | Kind::Literal => {
                Json::Scalar(self.text[node.span.clone()].to_owned())
            }
        }
    }

    /// Line and column, both from 1, of a byte offset; columns count characters.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        position(&self.text, offset)
    }

    /// The blanks at the start of the line that holds `offset`.
    fn line_indent(&self, offset: usize) -> &str {
        let start = self.text[..offset]
            .rfind(['\n', '\r'])
            .map_or(0, |at| at + 1);
        let line = &self.text[start..offset];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Is there nothing but blanks before `offset` on its line, and a line before it?
    fn starts_line(&self, offset: usize) -> bool {
        let before = self.text[..offset].trim_end_matches([' ', '\t']);
        before.ends_with(['\n', '\r'])
    }

    /// The comment that starts at `offset`.
    fn comment_at(&self, offset: usize) -> Option<&Comment> {
        let index = self
            .comments
            .binary_search_by_key(&offset, |comment| comment.span.start)
            .ok()?;
        Some(&self.comments[index])
    }

    /// The comment that ends at `offset`.
    fn comment_before(&self, offset: usize) -> Option<&Comment> {
        let index = self
            .comments
            .binary_search_by_key(&offset, |comment| comment.span.end)
            .ok()?;
        Some(&self.comments[index])
    }

    /// The first offset from `from` on that is neither blank nor comment.
    fn skip_trivia(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            let rest = &self.text[at..];
            at += rest.len() - rest.trim_start().len();
            match self.comment_at(at) {
                Some(comment) => at = comment.span.end,
                None => return at,
            }
        }
    }

    /// The last offset up to `to` behind which there are only blanks and comments.
    fn skip_trivia_back(&self, to: usize) -> usize {
        let mut at = to;
        loop {
            at = self.text[..at].trim_end().len();
            match self.comment_before(at) {
                Some(comment) => at = comment.span.start,
                None => return at,
            }
        }
    }
}

/// `text` behind a byte order mark, if there is to be one.
pub fn to_bytes(bom: bool, text: &str) -> Vec<u8> {
    if bom {
        format!("{BOM}{text}").into_bytes()
    } else {
        text.as_bytes().to_owned()
    }
}

/// Line and column, both from 1, of a byte offset in `text`; columns count characters.
pub fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text
        .char_indices()
        .take_while(|(at, _)| *at < offset)
        .map(|(_, char)| char);
    before.fold((1, 1), |(line, column), char| {
        if char == '\n' {
            (line + 1, 1)
        } else {
            (line, column + 1)
        }
    })
}

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
