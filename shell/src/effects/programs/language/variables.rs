//! What a name in code stands for, and which of the names that it finds in a folder code takes.

use super::expressions::Code;
use super::tokens::Kind;
use super::value::{MAX_PATHS, Value};
use crate::effects::value::{Atom, Text};
use crate::words::lists;

/// The most values that are looked at for one name.
const MAX_VALUES: usize = 16;

/// What code says that takes some of the names found in a folder and leaves others.
const ASKS: [&str; 8] = [
    "if ", "if(", "filter", "unless", "select", "=~", "match", "?",
];

impl Code<'_> {
    /// What a name stands for: one of the values that it gets.
    pub fn variable(&self, name: &str, depth: usize) -> Value {
        let mut bound = self
            .bindings
            .iter()
            .filter(|binding| binding.name == name)
            .peekable();
        if bound.peek().is_none() {
            return Value::default();
        }
        // A name that is put together from itself.
        if self.sought.borrow().contains(&name) {
            return Value::default();
        }
        if bound.clone().count() > MAX_VALUES {
            return Value::default();
        }
        bound.fold(Value::none(), |value, binding| {
            self.sought.borrow_mut().push(binding.name);
            let (mut given, mut at) = self.expression(binding.from, binding.to, depth + 2);
            // `a, b = 'x', 'y'`, but not `f(a='x', b='y')`.
            while binding.each.is_none()
                && at < binding.to
                && self.is(at, ',')
                && !self.is(at + 2, '=')
            {
                let (next, after) = self.expression(at + 1, binding.to, depth + 2);
                given = given.or(next);
                at = after.max(at + 1);
            }
            self.sought.borrow_mut().pop();
            let walks = || {
                let value = self.tokens[binding.from..binding.to].iter().take(16);
                value
                    .take_while(|token| token.kind != Kind::Line)
                    .any(|token| token.kind == Kind::Name("walk"))
            };
            given = match binding.each {
                None => given,
                // The first name of a walk is that of a folder, the last that of a file in it.
                Some(true) if walks() => given,
                Some(false) if walks() => Value::of(Text::run()),
                Some(_) => self.chosen(given),
            };
            value.or(given)
        })
    }

    /// What is found in a folder, as far as the code asks for its beginning or ending: `if f.endswith('.py')`.
    fn chosen(&self, found: Value) -> Value {
        let is_found =
            |path: &Text| matches!(path.atoms().last(), Some(Atom::Run | Atom::Below { .. }));
        if !found.paths.iter().all(is_found) {
            return found;
        }
        let (asked, asks) = self.asked.get_or_init(|| (self.asked_names(), self.asks()));
        if asked.is_empty() && !asks {
            return found.map(|path| match path.atoms().last() {
                Some(Atom::Below { .. }) => path.joined(&Text::literal("/")).joined(&Text::run()),
                _ => path.clone(),
            });
        }
        let mut paths = Vec::new();
        for path in &found.paths {
            let mut folder = Text::default();
            let (last, folders) = path.atoms().split_last().unwrap_or((&Atom::Run, &[]));
            folders.iter().for_each(|atom| folder.push(atom.clone()));
            if let Atom::Below { hidden } = last {
                folder.push(Atom::Below { hidden: *hidden });
                folder.push_str("/");
            }
            paths.extend(asked.iter().map(|name| folder.joined(name)));
            if asked.is_empty() {
                paths.push(folder.joined(&Text::unknown()));
            }
        }
        paths.truncate(MAX_PATHS);
        Value { paths, ..found }
    }

    /// Whether the code may leave some of the names that it finds.
    fn asks(&self) -> bool {
        let has = |signs: &[&str]| signs.iter().any(|sign| self.source.contains(sign));
        has(&ASKS) && !has(&["isfile(", "is_file(", "isFile("]) || has(&["fnmatch", " re."])
    }

    /// The names that the code asks for by their beginning or ending.
    fn asked_names(&self) -> Vec<Text> {
        let mut names = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let Kind::Name(asks) = token.kind else {
                continue;
            };
            let starts = lists("startswith startsWith start_with", asks);
            if !starts && !lists("endswith endsWith end_with suffix extname", asks) {
                continue;
            }
            let following = self.tokens[at..].iter().take(8);
            let texts = following.filter_map(|token| match token.kind {
                Kind::Text(text) => Some(Text::literal(text)),
                _ => None,
            });
            names.extend(texts.take(2).map(|text| {
                if starts {
                    text.joined(&Text::run())
                } else {
                    Text::run().joined(&text)
                }
            }));
        }
        names.truncate(MAX_PATHS);
        names
    }
}
