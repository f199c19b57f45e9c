//! What is put into a text in quotes: `f'{x}'`, `${x}`, `#{x}`, `"$x"`.

use super::expressions::{Code, MAX_DEPTH};
use super::tokens::{Kind, Token, tokens};
use super::value::Value;
use crate::effects::programs::quoted::closing_bracket;
use crate::effects::value::Text;

/// The most expressions that are looked at in one text, and the longest text that has some, in bytes.
const MAX_INSERTED: usize = 16;
const MAX_TEXT: usize = 4_096;

impl Code<'_> {
    /// A text, with what stands in braces in it.
    pub fn text(&self, text: &str, at: usize, depth: usize) -> Value {
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
                let Some(length) = closing_bracket(&inside[start..], '}') else {
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
}

/// A text with what is put into its braces unknown.
pub fn interpolated_unknown(text: &str) -> Text {
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
