//! The paths that an expression in code stands for, as far as it is put together from texts, the home folder, the
//! working folder, what a folder holds, and variables that get such.

use std::cell::{Cell, OnceCell, RefCell};

use super::bindings::{self, Binding};
use super::brackets::closing;
use super::functions::member_of;
use super::imports;
use super::texts::interpolated_unknown;
use super::tokens::{Kind, Token, tokens};
use super::value::Value;
use crate::effects::value::Text;

/// The most expressions that are looked at in one piece of code.
const MAX_STEPS: usize = 4_000;

/// The most expressions and variables that may stand in one another.
pub const MAX_DEPTH: usize = 16;

/// A piece of code with the values of its names.
pub struct Code<'c> {
    pub source: &'c str,
    pub tokens: Vec<Token<'c>>,
    pub aliases: Vec<(&'c str, &'c str)>,
    pub bindings: Vec<Binding<'c>>,
    pub steps: Cell<usize>,
    /// The names that it takes of those that it finds, and whether it leaves some in another way.
    pub asked: OnceCell<(Vec<Text>, bool)>,
    /// The names that are being looked up.
    pub sought: RefCell<Vec<&'c str>>,
}

impl<'c> Code<'c> {
    pub fn new(source: &'c str) -> Self {
        let tokens = tokens(source);
        Self {
            source,
            aliases: imports::aliases(&tokens),
            bindings: bindings::bindings(&tokens),
            tokens,
            steps: Cell::new(0),
            asked: OnceCell::new(),
            sought: RefCell::default(),
        }
    }

    pub fn kind(&self, at: usize) -> Option<Kind<'c>> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub fn is(&self, at: usize, sign: char) -> bool {
        self.kind(at) == Some(Kind::Sign(sign))
    }

    /// What a name that an import put there stands for.
    pub fn real<'n>(&self, name: &'n str) -> &'n str
    where
        'c: 'n,
    {
        let alias = self.aliases.iter().find(|(alias, _)| *alias == name);
        alias.map_or(name, |(_, real)| real)
    }

    /// The parts between the commas of the tokens from `from` to `to`.
    pub fn arguments(&self, from: usize, to: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let (mut at, mut start) = (from, from);
        while at < to && found.len() < 32 {
            match self.tokens[at].kind {
                Kind::Sign('(' | '[' | '{') => at = closing(&self.tokens, at),
                Kind::Sign(',') => {
                    found.push((start, at));
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        if start < to {
            found.push((start, to));
        }
        found
    }

    /// What the tokens from `from` to `to` stand for.
    pub fn value(&self, from: usize, to: usize) -> Value {
        self.expression(from, to, 0).0
    }

    pub fn expression(&self, from: usize, to: usize, depth: usize) -> (Value, usize) {
        self.steps.set(self.steps.get() + 1);
        if depth > MAX_DEPTH || self.steps.get() > MAX_STEPS || from >= to {
            return (Value::default(), to);
        }
        let (mut value, mut at) = self.term(from, to, depth);
        while at < to {
            let size: usize = value.paths.iter().map(Text::size).sum();
            self.steps.set(self.steps.get() + 1 + size / 64);
            if self.steps.get() > MAX_STEPS {
                return (Value::default(), to);
            }
            let joint = match self.tokens[at].kind {
                Kind::Sign('+') => "",
                Kind::Sign('/') => "/",
                Kind::Sign('.') => "",
                Kind::Text(_) => {
                    let (next, after) = self.term(at, to, depth);
                    value = value.joined("", &next);
                    at = after;
                    continue;
                }
                Kind::Sign('%') => {
                    let format = |text: &str| text.replace("%s", "{}").replace("%d", "{}");
                    let known = value.paths.iter().filter_map(Text::as_literal);
                    let formatted = known.map(|text| interpolated_unknown(&format(text)));
                    value.paths = formatted.collect();
                    return (value, to);
                }
                // `a or b`, `a ? b : c`
                Kind::Sign('|' | '?' | '&' | '-' | '*' | '<' | '>')
                | Kind::Name("or" | "and" | "if" | "else") => {
                    let (other, after) = self.expression(at + 1, to, depth + 1);
                    return (value.or(other).opened(), after);
                }
                _ => break,
            };
            let (next, after) = self.term(at + 1, to, depth);
            value = value.joined(joint, &next);
            at = after.max(at + 1);
        }
        (value, at)
    }

    fn term(&self, from: usize, to: usize, depth: usize) -> (Value, usize) {
        let mut at = from;
        while at < to
            && matches!(
                self.tokens[at].kind,
                Kind::Name("await" | "new" | "my" | "lambda" | "not")
                    | Kind::Sign('*' | '@' | '\\')
            )
        {
            at += 1;
        }
        if at >= to {
            return (Value::default(), to);
        }
        let start = at;
        let mut value = match self.tokens[at].kind {
            Kind::Text(text) => {
                at += 1;
                self.text(text, at - 1, depth)
            }
            Kind::Sign('(' | '[') => {
                let close = closing(&self.tokens, at).min(to);
                let parts = self.arguments(at + 1, close);
                let parts = parts
                    .iter()
                    .map(|(from, to)| self.expression(*from, *to, depth + 1).0);
                at = close + 1;
                parts.fold(Value::none(), Value::or)
            }
            Kind::Name(name) if name.starts_with(|c: char| c.is_ascii_digit()) => {
                at += 1;
                Value::literal(name)
            }
            Kind::Name(name) => {
                at += 1;
                if self.is(at, '(') {
                    Value::default()
                } else {
                    self.variable(name, depth)
                }
            }
            _ => return (Value::default(), at + 1),
        };
        let mut called = match self.tokens[start].kind {
            Kind::Name(name) => Some(self.real(name)),
            _ => None,
        };
        loop {
            match (
                self.kind(at).filter(|_| at < to),
                self.kind(at + 1).filter(|_| at + 1 < to),
            ) {
                (Some(Kind::Sign('.')), Some(Kind::Name(member))) if !member.starts_with('$') => {
                    value = if self.is(at + 2, '(') {
                        value
                    } else {
                        member_of(value, called, member)
                    };
                    called = Some(member);
                    at += 2;
                }
                (Some(Kind::Sign('(')), _) => {
                    let close = closing(&self.tokens, at).min(to);
                    let is_method = at >= 2 && self.is(at - 2, '.');
                    value = self.call(
                        called.unwrap_or(""),
                        value,
                        is_method,
                        (at + 1, close),
                        depth,
                    );
                    called = None;
                    at = close + 1;
                }
                (
                    Some(Kind::Sign('[' | '{')),
                    Some(Kind::Text("HOME" | "USERPROFILE") | Kind::Name("HOME")),
                ) => {
                    value = Value::literal("~");
                    at = closing(&self.tokens, at).min(to) + 1;
                }
                (Some(Kind::Sign('[')), _) if called == Some("Dir") => {
                    let close = closing(&self.tokens, at).min(to);
                    value = self.call("glob", value, true, (at + 1, close), depth);
                    at = close + 1;
                }
                (Some(Kind::Sign('[')), _) => {
                    at = closing(&self.tokens, at).min(to) + 1;
                    value = if called == Some("parents") {
                        value
                    } else {
                        value.opened()
                    };
                }
                _ => break,
            }
        }
        (value, at.min(to))
    }
}
