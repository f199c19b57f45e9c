//! Imports under another name.

use super::tokens::{Kind, Token};

/// The most names that are kept of one piece of code.
const MAX_NAMES: usize = 256;

/// The names under which imports put something else: `from os import remove as r`, `import shutil as s`,
/// `const {rm: r} = require('fs')`.
pub fn aliases<'c>(tokens: &[Token<'c>]) -> Vec<(&'c str, &'c str)> {
    let mut found = Vec::new();
    for (at, window) in tokens.windows(3).enumerate() {
        let [first, second, third] = window else {
            continue;
        };
        let (Kind::Name(name), Kind::Name(alias)) = (first.kind, third.kind) else {
            continue;
        };
        let renames = match second.kind {
            Kind::Name("as") => true,
            Kind::Sign(':') => is_destructured(tokens, at),
            _ => false,
        };
        if renames && found.len() < MAX_NAMES && alias != name {
            found.push((alias, name));
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        // `import * as f from 'fs'`, `import f from 'fs'`, `f = require('fs')`
        let (module, alias) = match token.kind {
            Kind::Name("from") => (at + 1, at.checked_sub(1)),
            Kind::Name("require") => (at + 2, at.checked_sub(2)),
            _ => continue,
        };
        let module = tokens.get(module).map(|token| token.kind);
        let alias = alias.map(|alias| tokens[alias].kind);
        if let (Some(Kind::Text(module)), Some(Kind::Name(alias))) = (module, alias)
            && ["fs", "promises"].iter().any(|name| module.contains(name))
        {
            found.push((alias, "fs"));
        }
    }
    found
}

/// Whether the token `at` stands in braces to which a module is assigned.
fn is_destructured(tokens: &[Token<'_>], at: usize) -> bool {
    let close = tokens[at..]
        .iter()
        .take(24)
        .position(|token| token.kind == Kind::Sign('}'));
    let next = |offset: usize| {
        close
            .and_then(|close| tokens.get(at + close + offset))
            .map(|token| token.kind)
    };
    next(1) == Some(Kind::Sign('=')) && matches!(next(2), Some(Kind::Name("require" | "await")))
        || next(1) == Some(Kind::Name("from"))
}
