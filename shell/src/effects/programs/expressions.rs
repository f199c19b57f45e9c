//! The paths that an expression in code stands for, as far as it is put together from texts, the home folder, the
//! working folder, what a folder holds, and variables that get such.

use std::cell::{Cell, OnceCell, RefCell};

use super::bindings::{self, Binding, closing};
use super::tokens::{ARROW, COMPARES, Kind, Token, tokens};
use crate::effects::value::{Atom, Text};
use crate::words::lists;

/// The most expressions that are looked at in one piece of code.
const MAX_STEPS: usize = 4_000;

/// The most expressions and variables that may stand in one another.
const MAX_DEPTH: usize = 16;

/// The most values that are looked at for one name.
const MAX_VALUES: usize = 16;

/// The most expressions that are looked at in one text, and the longest text that has some, in bytes.
const MAX_INSERTED: usize = 16;
const MAX_TEXT: usize = 4_096;

/// The most paths that one expression stands for.
const MAX_PATHS: usize = 16;

/// What code says that takes some of the names found in a folder and leaves others.
const ASKS: [&str; 8] = [
    "if ", "if(", "filter", "unless", "select", "=~", "match", "?",
];

/// What an expression stands for.
#[derive(Clone, Debug, Default)]
pub struct Value {
    pub paths: Vec<Text>,
    /// Whether it can be nothing else.
    pub closed: bool,
    /// Whether its paths are names found in a folder, which are paths only together with that folder.
    pub names: bool,
}

impl Value {
    pub fn of(path: Text) -> Self {
        Self {
            paths: vec![path],
            closed: true,
            names: false,
        }
    }

    fn literal(text: &str) -> Self {
        Self::of(Text::literal(text))
    }

    /// Either of two.
    fn or(mut self, other: Self) -> Self {
        self.closed &= other.closed;
        self.names |= other.names;
        self.paths.extend(other.paths);
        self.paths.truncate(MAX_PATHS);
        self
    }

    fn none() -> Self {
        Self {
            closed: true,
            ..Self::default()
        }
    }

    fn opened(mut self) -> Self {
        self.closed = false;
        self
    }

    fn map(mut self, change: impl Fn(&Text) -> Text) -> Self {
        self.paths = self.paths.iter().map(change).collect();
        self
    }

    /// This, `joint`, and `other`; what is unknown of one of them is so in the whole.
    fn joined(&self, joint: &str, other: &Self) -> Self {
        let unknown = [Text::unknown()];
        let parts = |value: &Self| {
            let known = if value.closed && !value.paths.is_empty() {
                &[]
            } else {
                &unknown[..]
            };
            [&value.paths, known].concat()
        };
        let (firsts, seconds) = (parts(self), parts(other));
        let mut paths = Vec::new();
        for first in &firsts {
            for second in seconds.iter().take(MAX_PATHS / firsts.len().min(MAX_PATHS)) {
                let is_absolute = joint == "/" && second.prefix().starts_with(['/', '~']);
                let first = if is_absolute || first.is_empty() {
                    Text::default()
                } else {
                    first.joined(&Text::literal(joint))
                };
                // Which names a folder has that the code spells is not known.
                let is_any = other.names && second.atoms() == [Atom::Run];
                let in_folder = first.prefix().contains(|c| !matches!(c, '.' | '/'));
                let second = if is_any && in_folder {
                    &unknown[0]
                } else {
                    second
                };
                paths.push(first.joined(second));
            }
        }
        let begins = |path: &Text| !path.is_empty() && path.atoms().first() != Some(&Atom::Unknown);
        Self {
            closed: self.closed && (other.closed || self.paths.iter().all(begins)),
            paths,
            names: false,
        }
    }

    /// The folder in which it is.
    fn parent(self) -> Self {
        self.map(|path| path.joined(&Text::literal("/..")))
    }

    /// What is directly in it, or at any depth.
    fn below(self, deep: bool) -> Self {
        let inside = if deep { Text::below() } else { Text::run() };
        self.map(|path| path.joined(&Text::literal("/")).joined(&inside))
    }
}

/// A piece of code with the values of its names.
pub struct Code<'c> {
    pub source: &'c str,
    pub tokens: Vec<Token<'c>>,
    pub aliases: Vec<(&'c str, &'c str)>,
    bindings: Vec<Binding<'c>>,
    steps: Cell<usize>,
    /// The names that it takes of those that it finds, and whether it leaves some in another way.
    asked: OnceCell<(Vec<Text>, bool)>,
    /// The names that are being looked up.
    sought: RefCell<Vec<&'c str>>,
}

impl<'c> Code<'c> {
    pub fn new(source: &'c str) -> Self {
        let tokens = tokens(source);
        Self {
            source,
            aliases: bindings::aliases(&tokens),
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

    fn expression(&self, from: usize, to: usize, depth: usize) -> (Value, usize) {
        self.steps.set(self.steps.get() + 1);
        if depth > MAX_DEPTH || self.steps.get() > MAX_STEPS || from >= to {
            return (Value::default(), to);
        }
        let (mut value, mut at) = self.term(from, to, depth);
        while at < to {
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

    /// A text, with what stands in braces in it.
    fn text(&self, text: &str, at: usize, depth: usize) -> Value {
        let token = self.tokens[at];
        let before = self.source[..token.start].chars().next_back();
        let quote = self.source[token.start..].chars().next();
        let formats =
            matches!(before, Some('f' | 'F')) || quote == Some('`') || text.contains("#{");
        if text.len() > MAX_TEXT || text.matches(['{', '$']).count() > MAX_INSERTED {
            return Value::default();
        }
        self.steps.set(self.steps.get() + text.len() / 64);
        let mut value = Value::none();
        value.paths.push(Text::default());
        let mut rest = text;
        while let Some(open) = rest.find(['{', '$']) {
            let (plain, inside) = rest.split_at(open);
            let braced = inside.trim_start_matches('$').starts_with('{');
            let (name, after) = if braced {
                let start = inside.find('{').unwrap_or(0) + 1;
                let Some(length) = super::quoted::closing_bracket(&inside[start..], '}') else {
                    break;
                };
                (
                    &inside[start..start + length],
                    &inside[start + length + 1..],
                )
            } else {
                let end = inside[1..]
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .map_or(inside.len(), |end| end + 1);
                (&inside[..end], &inside[end..])
            };
            let is_perl = !braced
                && quote == Some('"')
                && self.bindings.iter().any(|binding| binding.name == name);
            let is_home = name == "HOME" || name == "$HOME";
            if !formats && !is_perl && !is_home && !name.starts_with("__") {
                let taken = rest.len() - after.len();
                value = value.map(|path| path.joined(&Text::literal(&rest[..taken])));
                rest = after;
                continue;
            }
            let plain = plain.trim_end_matches('#').trim_end_matches("$ENV");
            value = value.map(|path| path.joined(&Text::literal(plain)));
            value = value.joined("", &self.inserted(name.trim_start_matches(':'), depth));
            rest = after;
        }
        let rest = rest
            .replace("\\\\", "\\")
            .replace("\\'", "'")
            .replace("\\\"", "\"");
        value.map(|path| path.joined(&Text::literal(rest.as_str())))
    }

    /// What an expression in a text stands for.
    fn inserted(&self, expression: &str, depth: usize) -> Value {
        match expression {
            "HOME" | "$HOME" => return Value::literal("~"),
            "__any" => return Value::of(Text::run()),
            "__below" => return Value::of(Text::below()),
            _ => {}
        }
        self.steps.set(self.steps.get() + 1 + expression.len() / 16);
        if depth >= MAX_DEPTH || expression.len() > 256 {
            return Value::default();
        }
        let tokens = tokens(expression);
        if let [
            Token {
                kind: Kind::Name(name),
                ..
            },
        ] = tokens[..]
        {
            // The names of the inner text live as long as the code's.
            let known = self.bindings.iter().find(|binding| binding.name == name);
            return known.map_or_else(Value::default, |known| self.variable(known.name, depth));
        }
        let lowered = expression.to_ascii_lowercase();
        if lowered.ends_with("homedir()")
            || lowered.ends_with(".home()")
            || lowered.ends_with("home")
            || lowered.contains("expanduser(\"~\")")
            || lowered.contains("'home'")
            || lowered.contains("\"home\"")
            || lowered.contains("expanduser('~')")
        {
            return Value::literal("~");
        }
        Value::default()
    }

    fn variable(&self, name: &str, depth: usize) -> Value {
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

    /// What a call stands for.
    fn call(
        &self,
        name: &str,
        receiver: Value,
        is_method: bool,
        (from, to): (usize, usize),
        depth: usize,
    ) -> Value {
        let name = name.strip_suffix("Sync").unwrap_or(name);
        let spans = self.arguments(from, to);
        let argument = |index: usize| {
            let span = spans.get(index).copied();
            span.map_or_else(Value::default, |(from, to)| {
                self.expression(from, to, depth + 1).0
            })
        };
        let has_receiver = is_method && !receiver.paths.is_empty();
        let joined = |first: Value, skip: usize| {
            (skip..spans.len()).fold(first, |path, index| path.joined("/", &argument(index)))
        };
        match name {
            "join" if has_receiver && receiver.closed => Value::default(),
            "join" | "joinpath" if has_receiver => joined(receiver, 0),
            "join" | "joinpath" | "catfile" | "catdir" => joined(argument(0), 1),
            "Path" | "PurePath" | "PosixPath" | "Pathname" if spans.is_empty() => {
                Value::literal(".")
            }
            "Path" | "PurePath" | "PosixPath" => joined(argument(0), 1),
            "home" | "homedir" => Value::literal("~"),
            "getcwd" | "cwd" | "pwd" => Value::literal("."),
            "getenv" | "get" | "fetch" if matches!(self.kind(from), Some(Kind::Text("HOME"))) => {
                Value::literal("~")
            }
            "expanduser" | "resolve" | "absolute" | "sorted" | "list" | "sort" | "to_s"
            | "as_posix" | "expand_path" | "filter" | "select" | "reverse" | "realpath" | "map"
                if has_receiver =>
            {
                receiver
            }
            "resolve" => joined(argument(0), 1),
            "Pathname" | "new" | "String" | "str" | "fspath" | "expanduser" | "abspath"
            | "realpath" | "normpath" | "expand_path" | "sorted" | "list" | "set" | "tuple"
            | "iter" | "enumerate" | "reversed" => argument(0),
            "dirname" => argument(0).parent(),
            "parent" if has_receiver => receiver.parent(),
            "with_name" => receiver.parent().joined("/", &argument(0)),
            "with_suffix" | "with_stem" => receiver.parent().joined("/", &Value::default()),
            "basename" => base(if spans.is_empty() {
                receiver
            } else {
                argument(0)
            }),
            "replace" | "sub" | "gsub" if has_receiver && spans.len() == 2 => {
                let (old, new) = (argument(0), argument(1));
                let text = |value: &Value| {
                    value
                        .paths
                        .first()
                        .and_then(Text::as_literal)
                        .map(str::to_owned)
                };
                match (text(&old), text(&new)) {
                    (Some(old), Some(new)) if !old.is_empty() => {
                        receiver.map(|path| path.map(|part| part.replace(&old, &new)))
                    }
                    _ => receiver.opened(),
                }
            }
            "format" => receiver.map(|path| {
                path.as_literal()
                    .map_or_else(|| path.clone(), interpolated_unknown)
            }),
            "strip" | "rstrip" | "lower" | "trim" if has_receiver => receiver,
            "glob" | "iglob" if has_receiver => {
                receiver.joined("/", &argument(0).map(Text::globbed))
            }
            "rglob" => {
                let receiver = if has_receiver {
                    receiver
                } else {
                    Value::default()
                };
                receiver.joined("/**/", &argument(0)).map(Text::globbed)
            }
            "glob" | "iglob" => argument(0).map(Text::globbed),
            "listdir" | "readdir" | "children" | "entries" | "each_child" | "foreach"
                if !has_receiver =>
            {
                let mut names = if spans.is_empty() {
                    Value::literal(".")
                } else {
                    argument(0)
                };
                names.paths = vec![Text::run()];
                Value {
                    names: true,
                    ..names
                }
            }
            "scandir" => {
                if spans.is_empty() {
                    Value::literal(".").below(false)
                } else {
                    argument(0).below(false)
                }
            }
            "iterdir" | "children" | "each_child" => receiver.below(false),
            "walk" | "find" => {
                let is_sub = matches!(self.kind(from), Some(Kind::Name("sub") | Kind::Sign('\\')));
                let index = if is_sub {
                    spans.len().saturating_sub(1)
                } else {
                    0
                };
                let first = if has_receiver {
                    receiver
                } else {
                    argument(index)
                };
                first.below(true)
            }
            _ => Value::default(),
        }
    }
}

/// `p.parent`, `os.pardir`, `process.env.HOME`, `entry.name`
fn member_of(value: Value, of: Option<&str>, member: &str) -> Value {
    match member {
        "HOME" if of == Some("env") => Value::literal("~"),
        "home" if of == Some("Dir") => Value::literal("~"),
        "pwd" if of == Some("Dir") => Value::literal("."),
        "pardir" => Value::literal(".."),
        "curdir" => Value::literal("."),
        "sep" => Value::literal("/"),
        "parent" | "parents" | "dirname" => value.parent(),
        "path" | "children" | "each_child" | "sort" | "to_a" | "expand_path" | "to_s" => value,
        "name" | "stem" | "basename" => base(value),
        "find" => value.below(true),
        _ => Value::default(),
    }
}

/// The last name of a path.
fn base(value: Value) -> Value {
    let named = value.map(|path| match path.as_literal() {
        Some(known) => Text::literal(known.rsplit('/').next().unwrap_or("")),
        None => Text::run(),
    });
    Value {
        names: true,
        ..named
    }
}

/// A text with what is put into its braces unknown.
fn interpolated_unknown(text: &str) -> Text {
    let mut path = Text::default();
    for (index, piece) in text.split('{').enumerate() {
        if index == 0 {
            path.push_str(piece);
        } else {
            path.append(&Text::unknown());
            path.push_str(piece.split_once('}').map_or("", |(_, rest)| rest));
        }
    }
    path
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
