//! What the calls of common functions on paths give.

use super::expressions::Code;
use super::texts::interpolated_unknown;
use super::tokens::Kind;
use super::value::Value;
use crate::effects::value::Text;

impl Code<'_> {
    /// What a call stands for.
    pub fn call(
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
pub fn member_of(value: Value, of: Option<&str>, member: &str) -> Value {
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
