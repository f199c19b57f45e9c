//! From bytes to a [`Document`], or to the place of what is wrong with them.

use std::ops::Range;

use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, ast};

use super::{BOM, Comment, Document, Kind, Member, Node, position};

/// Why a text can't be edited, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseErrorKind {
    /// The bytes are not UTF-8.
    #[error("the file is not UTF-8 text")]
    NotUtf8,
    /// The text ends in the middle of a value, a string or a comment.
    #[error("the file is cut off")]
    CutOff,
    /// The text is not JSON, nor JSON with comments and trailing commas.
    #[error("the file is not valid JSON ({0})")]
    Syntax(String),
    /// The value is not an object.
    #[error("the file holds something else than an object")]
    NotAnObject,
    /// An object has a key twice, so that readers disagree on which one counts.
    #[error("the key {0:?} stands twice in one object")]
    DuplicateKey(String),
}

/// Parses JSON or JSON with comments and trailing commas. A text of blanks and comments has no root.
pub fn parse(bytes: &[u8]) -> Result<Document, ParseError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        at(
            ParseErrorKind::NotUtf8,
            valid.trim_start_matches(BOM),
            usize::MAX,
        )
    })?;
    let (bom, text) = match text.strip_prefix(BOM) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let parsed = jsonc_parser::parse_to_ast(text, &COLLECT, &HOST_JSONC).map_err(|error| {
        let kind = if is_cut_off(text, &error) {
            ParseErrorKind::CutOff
        } else {
            ParseErrorKind::Syntax(error.kind().to_string())
        };
        at(kind, text, error.range().start)
    })?;
    let tokens = parsed.tokens.unwrap_or_default();
    check_strictness(text, &tokens)?;
    let root = parsed
        .value
        .as_ref()
        .map(|value| node(text, value))
        .transpose()?;
    if let Some(root) = &root
        && root.members().is_none()
    {
        return Err(at(ParseErrorKind::NotAnObject, text, root.span.start));
    }
    let comments = tokens
        .iter()
        .filter_map(|token| comment(text, token))
        .collect();
    Ok(Document {
        text: text.to_owned(),
        bom,
        root,
        comments,
    })
}

const COLLECT: CollectOptions = CollectOptions {
    comments: CommentCollectionStrategy::AsTokens,
    tokens: true,
};

/// JSON, comments and trailing commas, and nothing else of what the parser could take.
const HOST_JSONC: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn at(kind: ParseErrorKind, text: &str, offset: usize) -> ParseError {
    let (line, column) = position(text, offset);
    ParseError { kind, line, column }
}

/// Would more text have helped?
fn is_cut_off(text: &str, error: &jsonc_parser::errors::ParseError) -> bool {
    use jsonc_parser::ParseStringErrorKind::UnterminatedStringLiteral;
    use jsonc_parser::errors::ParseErrorKind::*;
    matches!(
        error.kind(),
        UnterminatedArray
            | UnterminatedCommentBlock
            | UnterminatedObject
            | String(UnterminatedStringLiteral)
    ) || error.range().start >= text.trim_end().len()
}

/// The parser takes any blank of Unicode between tokens and raw control characters in strings; the
/// hosts' readers take neither, and would drop the whole file.
fn check_strictness(text: &str, tokens: &[TokenAndRange]) -> Result<(), ParseError> {
    let mut end = 0;
    for token in tokens {
        let start = token.range.start;
        check_blanks(text, end..start)?;
        end = token.range.end;
        if let Token::String(_) = token.token
            && let Some(at_control) = text[start..end].find(|char: char| char < ' ')
        {
            let kind = ParseErrorKind::Syntax("a control character in a string".to_owned());
            return Err(at(kind, text, start + at_control));
        }
    }
    check_blanks(text, end..text.len())
}

fn check_blanks(text: &str, gap: Range<usize>) -> Result<(), ParseError> {
    match text[gap.clone()].find(|char| !matches!(char, ' ' | '\t' | '\r' | '\n')) {
        Some(offset) => {
            let kind = ParseErrorKind::Syntax("a blank that JSON does not have".to_owned());
            Err(at(kind, text, gap.start + offset))
        }
        None => Ok(()),
    }
}

fn node(text: &str, value: &ast::Value) -> Result<Node, ParseError> {
    let range = value.range();
    let kind = match value {
        ast::Value::Object(object) => Kind::Object(members(text, object)?),
        ast::Value::Array(array) => Kind::Array(
            array
                .elements
                .iter()
                .map(|element| node(text, element))
                .collect::<Result<_, _>>()?,
        ),
        ast::Value::StringLit(string) => Kind::String(string.value.clone().into_owned()),
        ast::Value::NumberLit(_) | ast::Value::BooleanLit(_) | ast::Value::NullKeyword(_) => {
            Kind::Literal
        }
    };
    Ok(Node {
        span: range.start..range.end,
        kind,
    })
}

fn members(text: &str, object: &ast::Object) -> Result<Vec<Member>, ParseError> {
    let mut seen = std::collections::HashSet::new();
    let mut members = Vec::with_capacity(object.properties.len());
    for property in &object.properties {
        let key = property.name.as_str();
        let range = property.name.range();
        if !seen.insert(key) {
            return Err(at(
                ParseErrorKind::DuplicateKey(key.to_owned()),
                text,
                range.start,
            ));
        }
        members.push(Member {
            key: key.to_owned(),
            key_span: range.start..range.end,
            value: node(text, &property.value)?,
        });
    }
    Ok(members)
}

fn comment(text: &str, token: &TokenAndRange) -> Option<Comment> {
    let line = match token.token {
        Token::CommentLine(_) => true,
        Token::CommentBlock(_) => false,
        _ => return None,
    };
    let start = token.range.start;
    // The carriage return of a line end belongs to the line end.
    let end = if line {
        start + text[start..token.range.end].trim_end_matches('\r').len()
    } else {
        token.range.end
    };
    Some(Comment {
        span: start..end,
        line,
    })
}
