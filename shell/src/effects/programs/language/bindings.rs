//! What the names in a piece of code stand for: assignments, loops, blocks, parameters.

use super::brackets::{chain_start, closing};
use super::tokens::{ARROW, COMPARES, Kind, Token};

/// The most names that are kept of one piece of code.
const MAX_NAMES: usize = 256;

/// A name that gets a value.
pub struct Binding<'c> {
    pub name: &'c str,
    /// The tokens of the value.
    pub from: usize,
    pub to: usize,
    /// Whether the name is one after another of what the value lists, and the first of those that get it.
    pub each: Option<bool>,
}

impl<'c> Binding<'c> {
    fn unknown(name: &'c str) -> Self {
        Self {
            name,
            from: 0,
            to: 0,
            each: None,
        }
    }
}

/// The most parameters of a function, and calls of one, that are looked at.
const MAX_PARAMETERS: usize = 8;

/// Methods that give each of their receiver to a block.
const BLOCKS: [&str; 9] = [
    "each",
    "forEach",
    "map",
    "each_child",
    "select",
    "filter",
    "each_entry",
    "foreach",
    "flatMap",
];

/// The names that get a value.
pub fn bindings<'c>(tokens: &[Token<'c>]) -> Vec<Binding<'c>> {
    let mut found: Vec<Binding<'c>> = Vec::new();
    let sign = |at: usize| match tokens.get(at).map(|token| token.kind) {
        Some(Kind::Sign(sign)) => sign,
        _ => ' ',
    };
    let mut looked = 0;
    for (at, token) in tokens.iter().enumerate() {
        let Kind::Name(name) = token.kind else {
            continue;
        };
        let is_long_look = matches!(
            name,
            "for" | "foreach" | "def" | "function" | "sub" | "find"
        ) || BLOCKS.contains(&name);
        looked += usize::from(is_long_look);
        if found.len() > MAX_NAMES || looked > MAX_NAMES {
            // What more there is may give any name another value.
            for binding in &mut found {
                (binding.from, binding.to) = (0, 0);
            }
            break;
        }
        if sign(at + 1) == '=' {
            let is_member = at > 0 && sign(at - 1) == '.';
            if !is_member {
                found.push(Binding {
                    name,
                    from: at + 2,
                    to: tokens.len(),
                    each: None,
                });
            }
        } else if sign(at + 1) == COMPARES && "+*/.%|".contains(tokens[at + 1].starts) {
            // `p += 'x'`
            found.push(Binding::unknown(name));
        } else if BLOCKS.contains(&name) && at > 0 && sign(at - 1) == '.' {
            block(tokens, at, &mut found);
        } else if matches!(name, "for" | "foreach") {
            in_loop(tokens, at, &mut found);
        } else if matches!(name, "def" | "function" | "sub") {
            parameters(tokens, at, &mut found);
        } else if name == "find" && sign(at + 1) == '(' {
            // `find(sub { … $_ … }, "x")`
            let to = closing(tokens, at + 1) + 1;
            found.push(Binding {
                name: "$_",
                from: at,
                to,
                each: Some(true),
            });
        }
    }
    found
}

/// `for a, b in x`, `for (const a of x)`, `for my $f (x)`, `foreach (x as $f)`, `… for x`
fn in_loop<'c>(tokens: &[Token<'c>], at: usize, found: &mut Vec<Binding<'c>>) {
    let mut names = Vec::new();
    let mut from = at + 1;
    let to = tokens.len();
    for (next, token) in tokens.iter().enumerate().skip(at + 1).take(11) {
        match token.kind {
            Kind::Name("in" | "of") => {
                from = next + 1;
                break;
            }
            Kind::Name("const" | "let" | "var" | "my") => {}
            Kind::Name(name) => names.push(name),
            Kind::Sign('(') if names.is_empty() => {}
            Kind::Sign(',' | ')') => {}
            Kind::Sign('(') if names[0].starts_with('$') => {
                from = next;
                break;
            }
            _ => {
                names.clear();
                break;
            }
        }
    }
    if from == at + 1 {
        names = vec!["$_"];
        let given = tokens[from..]
            .iter()
            .take(32)
            .position(|token| token.kind == Kind::Name("as"));
        if let Some(Kind::Name(name)) = given
            .and_then(|given| tokens.get(from + given + 1))
            .map(|token| token.kind)
        {
            names = vec![name];
        }
    }
    for (index, name) in names.into_iter().enumerate() {
        found.push(Binding {
            name,
            from,
            to,
            each: Some(index == 0),
        });
    }
}

/// `def f(x, y)`: its first parameter is what it is called with, of the others nothing is known.
fn parameters<'c>(tokens: &[Token<'c>], at: usize, found: &mut Vec<Binding<'c>>) {
    let name_at = |at: usize| match tokens.get(at).map(|token| token.kind) {
        Some(Kind::Name(name)) => Some(name),
        _ => None,
    };
    let opens = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.kind == Kind::Sign('('))
    };
    let Some(function) = name_at(at + 1).filter(|_| opens(at + 2)) else {
        return;
    };
    let end = closing(tokens, at + 2);
    let names = (at + 3..end).filter_map(name_at);
    for (index, name) in names.take(MAX_PARAMETERS).enumerate() {
        let calls = (0..tokens.len())
            .filter(|call| *call != at + 1 && name_at(*call) == Some(function) && opens(call + 1));
        let mut calls = calls.filter(|_| index == 0).take(MAX_PARAMETERS).peekable();
        if calls.peek().is_none() {
            found.push(Binding::unknown(name));
        }
        for call in calls {
            let end = closing(tokens, call + 1);
            let arguments = tokens.get(call + 2..end).unwrap_or(&[]);
            let comma = arguments
                .iter()
                .position(|token| token.kind == Kind::Sign(','));
            found.push(Binding {
                name,
                from: call + 2,
                to: call + 2 + comma.unwrap_or(arguments.len()),
                each: None,
            });
        }
    }
}

/// `x.each { |f| … }`, `x.forEach(f => …)`
fn block<'c>(tokens: &[Token<'c>], at: usize, found: &mut Vec<Binding<'c>>) {
    let mut after = at + 1;
    let mut receiver = (chain_start(tokens, at - 1), at - 1);
    // `Dir.foreach(x) { |f| … }`
    let opens = |after: usize| {
        matches!(
            tokens.get(after).map(|token| token.kind),
            Some(Kind::Sign('('))
        )
    };
    if opens(after) {
        let end = closing(tokens, after);
        let next = tokens.get(end + 1).map(|token| token.kind);
        if matches!(next, Some(Kind::Sign('{') | Kind::Name("do"))) {
            receiver = (receiver.0, end + 1);
            after = end + 1;
        }
    }
    let parameter = tokens[after.min(tokens.len())..]
        .iter()
        .take(4)
        .find_map(|token| match token.kind {
            Kind::Name(name) if !matches!(name, "do" | "async" | "function") => Some(name),
            _ => None,
        });
    let is_block = tokens[after.min(tokens.len())..]
        .iter()
        .take(6)
        .any(|token| matches!(token.kind, Kind::Sign('|' | ARROW) | Kind::Name("function")));
    if let Some(name) = parameter.filter(|_| is_block) {
        found.push(Binding {
            name,
            from: receiver.0,
            to: receiver.1,
            each: Some(true),
        });
    }
}
