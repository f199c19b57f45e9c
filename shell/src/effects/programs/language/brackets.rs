//! Where brackets end and expressions begin.

use super::tokens::{ARROW, COMPARES, Kind, Token};
use crate::words::lists;

/// The most steps that are gone back in one expression, and the longest bracket in it, in tokens.
const MAX_CHAIN: usize = 64;
const MAX_INSIDE: usize = 1_000;

/// Where the names, calls and brackets begin that end before the token `end`, as in `(a / b).c().`.
pub fn chain_start(tokens: &[Token<'_>], end: usize) -> usize {
    let mut at = end;
    for _ in 0..MAX_CHAIN {
        if at == 0 {
            break;
        }
        match tokens[at - 1].kind {
            Kind::Sign(')' | ']' | '}') => match opening(tokens, at - 1) {
                Some(open) => at = open,
                None => return at,
            },
            Kind::Name(_) | Kind::Text(_) => {
                at -= 1;
                if at == 0 || tokens[at - 1].kind != Kind::Sign('.') {
                    return at;
                }
                at -= 1;
                continue;
            }
            Kind::Sign('.') => at -= 1,
            _ => return at,
        }
        // What stands before a bracket is called or indexed, if it is a name.
        let called =
            at > 0 && matches!(tokens[at - 1].kind, Kind::Name(name) if !KEYWORDS.contains(&name));
        let goes_on = at > 0 && matches!(tokens[at - 1].kind, Kind::Sign('.' | ')' | ']'));
        if !called && !goes_on {
            return at;
        }
    }
    at
}

/// Words before a bracket that call nothing.
const KEYWORDS: [&str; 12] = [
    "in", "of", "return", "if", "and", "or", "not", "else", "print", "puts", "await", "for",
];

/// Where the bracket ends that the token `open` opens; the last token, if nowhere.
pub fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Sign('(' | '[' | '{') => depth += 1,
            Kind::Sign(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    tokens.len().saturating_sub(1)
}

fn opening(tokens: &[Token<'_>], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev().take(MAX_INSIDE) {
        match tokens[at].kind {
            Kind::Sign(')' | ']' | '}') => depth += 1,
            Kind::Sign('(' | '[' | '{') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Signs that end an expression which has no brackets around it.
pub fn ends_statement(kind: Kind<'_>) -> bool {
    match kind {
        Kind::Sign(sign) => matches!(sign, ';' | ')' | ']' | '}' | ':' | COMPARES | ARROW),
        Kind::Name(name) => lists("if unless for foreach or and in while do", name),
        Kind::Line => true,
        Kind::Text(_) => false,
    }
}
