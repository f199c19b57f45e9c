//! Variables and `${…}`.

use super::machine::Machine;
use super::value::{Atom, Text, Values};
use crate::literal::{Octal, printed};
use crate::script::Script;
use crate::syntax::{Part, PartKind};

impl Machine<'_> {
    /// What `$name` can be.
    pub(super) fn value_of(&self, name: &str) -> Values {
        if let Some(values) = self.state.variable(name) {
            return values.clone();
        }
        let positional = |index: usize| match &self.state.positional {
            Some(values) if self.state.shifted => values.get(index..).unwrap_or_default().to_vec(),
            Some(values) => values
                .get(index)
                .cloned()
                .map_or_else(Values::new, |value| vec![value]),
            None => vec![Text::unknown()],
        };
        match name {
            "@" | "*" => self
                .state
                .positional
                .clone()
                .unwrap_or_else(|| vec![Text::unknown()]),
            "#" | "?" | "$" | "!" | "RANDOM" | "SECONDS" | "EPOCHSECONDS" | "UID" | "PPID" => {
                vec![Text::run()]
            }
            "__any" => vec![Text::run()],
            "__below" => vec![Text::below()],
            "DIRSTACK" => self.stacked_folders(),
            "PWD" => self.state.folders.clone(),
            "OLDPWD" if !self.state.previous.is_empty() => self.state.previous.clone(),
            "HOME" => self.home(),
            "IFS" => vec![Text::literal(" ")],
            "0" => vec![Text::unknown()],
            "_" => vec![self.last_word.clone().unwrap_or_else(Text::unknown)],
            _ => match name.parse::<usize>() {
                // `${00}` is `$0`.
                Ok(0) => vec![Text::unknown()],
                Ok(index) => positional(index - 1),
                Err(_) => (self.context.environment)(name)
                    .map_or_else(|| vec![Text::unknown()], |value| vec![Text::literal(value)]),
            },
        }
    }

    /// What `${…}` can be: the part with its name and what follows the name.
    pub(super) fn parameter(
        &mut self,
        script: &Script<'_>,
        part: &Part,
        name: &str,
        rest: &[Part],
    ) -> Values {
        let raw = part.span.of(script.text());
        if raw.starts_with("${#") && !rest.is_empty() | !name.is_empty() && raw != "${#}" {
            self.run_parts(script, rest);
            return vec![Text::run()];
        }
        let value = self.value_of(name);
        let value = if raw.starts_with("${!#") {
            let last = self.state.positional.as_ref().and_then(|all| all.last());
            vec![last.cloned().unwrap_or_else(Text::unknown)]
        } else if raw.starts_with("${!") {
            self.indirect(&value)
        } else {
            value
        };
        let operator = match rest.first() {
            Some(Part {
                kind: PartKind::Literal,
                span,
            }) => span.of(script.text()),
            Some(_) => {
                self.run_parts(script, rest);
                return vec![Text::unknown()];
            }
            None => return value,
        };
        // `${a[$i]}`: the index has parts of its own.
        let (operator, rest) = match index_end(script, rest) {
            Some(end) => {
                self.run_parts(script, &rest[..end]);
                (rest[end].span.of(script.text()), &rest[end..])
            }
            None => (operator, rest),
        };
        let (operator, elements) = match operator.find(']') {
            Some(end) if operator.starts_with(['[', ']']) => (&operator[end + 1..], true),
            _ => (operator, false),
        };
        if operator.is_empty() && elements {
            self.run_parts(script, rest);
            return value;
        }
        let assigns = operator.trim_start_matches(':').starts_with('=');
        let several = elements || matches!(name, "@" | "*");
        let values = self.operate(script, value, operator, several, rest);
        if assigns {
            self.state.assign(name, values.clone(), self.certain);
        }
        values
    }

    fn indirect(&self, names: &Values) -> Values {
        names
            .iter()
            .flat_map(|name| {
                name.as_literal()
                    .map_or_else(|| vec![Text::unknown()], |name| self.value_of(name))
            })
            .collect()
    }

    fn operate(
        &mut self,
        script: &Script<'_>,
        value: Values,
        operator: &str,
        several: bool,
        rest: &[Part],
    ) -> Values {
        let sign = operator
            .trim_start_matches(':')
            .chars()
            .next()
            .unwrap_or(' ');
        let length = operator.len() - operator.trim_start_matches(':').len();
        // `${value::2}` begins at the start.
        let sign = if length == 2 { ' ' } else { sign };
        match sign {
            // The value, or the word if there is none: both are possible.
            '-' | '=' | '+' => {
                let word = self.operand(script, rest, operator, length + 1);
                let known = value
                    .iter()
                    .any(|value| *value != Text::unknown() && !value.is_empty());
                match sign {
                    '+' => [Values::from([Text::default()]), word].concat(),
                    _ if known => value,
                    _ => [word, value].concat(),
                }
            }
            '?' => {
                self.operand(script, rest, operator, length + 1);
                value
            }
            '#' | '%' if length == 0 => {
                let twice = operator.as_bytes().get(1) == operator.as_bytes().first();
                let pattern = self.operand(script, rest, operator, 1 + usize::from(twice));
                let folders = |value: &Text| match &pattern[..] {
                    [only] if sign == '%' && !twice && only.as_literal() == Some("/*") => {
                        without_last_name(value)
                    }
                    _ => None,
                };
                if let Some(folders) = value.iter().map(folders).collect() {
                    return folders;
                }
                self.each(&value, &pattern, |value, pattern| {
                    trim(value, pattern, sign == '%', twice)
                })
            }
            '/' if length == 0 => {
                let all = operator.as_bytes().get(1) == Some(&b'/');
                let pattern = self.operand(script, rest, operator, 1 + usize::from(all));
                self.each(&value, &pattern, |value, pattern| {
                    replace(value, pattern, all)
                })
            }
            '^' | ',' if length == 0 => {
                self.run_parts(script, rest);
                value
                    .iter()
                    .map(|value| map_known(value, |text| change_case(text, sign == '^')))
                    .collect()
            }
            '@' if length == 0 && rest.len() == 1 => value
                .iter()
                .flat_map(|value| self.transformed(value, operator.as_bytes().get(1)))
                .collect(),
            // Of an array or of the arguments, some: all are possible.
            _ if length == 1 && several => value,
            _ if length >= 1 && rest.len() == 1 => value
                .iter()
                .map(|value| part_of(value, &operator[1..]))
                .collect(),
            _ => {
                self.run_parts(script, rest);
                vec![Text::unknown()]
            }
        }
    }

    /// `${value@E}` and its like.
    fn transformed(&mut self, value: &Text, operator: Option<&u8>) -> Values {
        match operator {
            Some(b'L') => vec![map_known(value, |text| change_case(text, false))],
            Some(b'U') => vec![map_known(value, |text| change_case(text, true))],
            Some(b'E') => vec![value.map(|text| printed(text, Octal::Plain))],
            // A prompt has escapes and what a here-document expands.
            Some(b'P') => {
                let text = value.map(|text| printed(text, Octal::Plain)).render();
                self.expanded_text(&text)
            }
            _ => vec![value.clone()],
        }
    }

    /// The values of the word after an operator of `skip` bytes.
    fn operand(
        &mut self,
        script: &Script<'_>,
        rest: &[Part],
        operator: &str,
        skip: usize,
    ) -> Values {
        let first = Text::literal(operator.get(skip..).unwrap_or(""));
        let more = self.expand_quoted(script, &rest[1..]);
        let first = if first.prefix().starts_with('~') {
            let homes = self.home();
            homes
                .iter()
                .map(|home| home.joined(&first.without_prefix(1)))
                .collect()
        } else {
            vec![first]
        };
        if more.is_empty() {
            return first;
        }
        first
            .iter()
            .flat_map(|first| more.iter().map(|more| first.joined(more)))
            .collect()
    }

    fn each(
        &self,
        values: &Values,
        patterns: &Values,
        apply: impl Fn(&str, &str) -> Option<String>,
    ) -> Values {
        let [pattern] = &patterns[..] else {
            return vec![Text::unknown()];
        };
        values
            .iter()
            .map(|value| {
                let known = value.as_literal().zip(pattern.as_literal());
                known
                    .and_then(|(value, pattern)| apply(value, pattern))
                    .map_or_else(Text::unknown, Text::literal)
            })
            .collect()
    }
}

/// `${value%/*}`, also where only the last name is known.
fn without_last_name(value: &Text) -> Option<Text> {
    let (last, before) = value.atoms().split_last()?;
    let Atom::Text(last) = last else { return None };
    let mut folder = Text::default();
    before.iter().for_each(|atom| folder.push(atom.clone()));
    folder.push_str(&last[..last.rfind('/')?]);
    Some(folder)
}

/// Where the index of an element ends that begins in the first part and not in it.
fn index_end(script: &Script<'_>, rest: &[Part]) -> Option<usize> {
    let ends = |part: &Part, sign: char| {
        let text = part.span.of(script.text());
        matches!(part.kind, PartKind::Literal) && text.starts_with(sign)
    };
    let first = rest.first()?;
    let opens = ends(first, '[') && !first.span.of(script.text()).contains(']');
    let end = rest.iter().position(|part| ends(part, ']'));
    end.filter(|_| opens)
}

/// `${value:offset}` and `${value:offset:length}` for plain numbers; negative ones count from the end.
fn part_of(value: &Text, range: &str) -> Text {
    let (offset, length) = range.split_once(':').unwrap_or((range, ""));
    let Some(text) = value.as_literal() else {
        return Text::unknown();
    };
    let characters: Vec<char> = text.chars().collect();
    let position = |number: &str, default: usize| -> Option<usize> {
        match number.trim() {
            "" => Some(default),
            number => match number.parse::<isize>().ok()? {
                back if back < 0 => characters.len().checked_sub(back.unsigned_abs()),
                forth => Some(forth.unsigned_abs()),
            },
        }
    };
    let part = || {
        let start = position(offset, 0)?;
        // A positive length counts from the offset.
        let counted = length.trim().parse::<usize>().ok();
        let end = match counted {
            Some(counted) => start.saturating_add(counted),
            None => position(length, characters.len())?,
        };
        characters.get(start..end.min(characters.len()))
    };
    part().map_or_else(Text::unknown, |part| {
        Text::literal(part.iter().collect::<String>())
    })
}

fn map_known(value: &Text, change: impl Fn(&str) -> String) -> Text {
    value
        .as_literal()
        .map_or_else(Text::unknown, |text| Text::literal(change(text)))
}

fn change_case(text: &str, upper: bool) -> String {
    if upper {
        text.to_uppercase()
    } else {
        text.to_lowercase()
    }
}

/// `${value#pattern}` and its like, for patterns of plain text with one `*` at its end or beginning.
fn trim(value: &str, pattern: &str, from_end: bool, longest: bool) -> Option<String> {
    if pattern.contains(['?', '[', '\\']) {
        return None;
    }
    if !pattern.contains('*') {
        let rest = if from_end {
            value.strip_suffix(pattern)
        } else {
            value.strip_prefix(pattern)
        };
        return Some(rest.unwrap_or(value).to_owned());
    }
    let (plain, at) = if from_end {
        let plain = pattern.strip_suffix('*')?;
        (
            plain,
            if longest {
                value.find(plain)
            } else {
                value.rfind(plain)
            },
        )
    } else {
        let plain = pattern.strip_prefix('*')?;
        (
            plain,
            if longest {
                value.rfind(plain)
            } else {
                value.find(plain)
            },
        )
    };
    if plain.is_empty() || plain.contains('*') {
        return None;
    }
    let kept = match at {
        None => value,
        Some(at) if from_end => &value[..at],
        Some(at) => &value[at + plain.len()..],
    };
    Some(kept.to_owned())
}

/// `${value/pattern/text}`, for patterns of plain text.
fn replace(value: &str, operand: &str, all: bool) -> Option<String> {
    let (pattern, with) = operand.split_once('/').unwrap_or((operand, ""));
    let plain = pattern.trim_start_matches(['#', '%']);
    if plain.is_empty() || plain.contains(['*', '?', '[', '\\', '#', '%']) {
        return None;
    }
    // At the beginning or the end alone.
    if plain.len() < pattern.len() {
        let whole = value.to_owned();
        return Some(if pattern.starts_with('#') {
            let rest = value.strip_prefix(plain);
            rest.map_or(whole, |rest| [with, rest].concat())
        } else {
            let rest = value.strip_suffix(plain);
            rest.map_or(whole, |rest| [rest, with].concat())
        });
    }
    Some(if all {
        value.replace(pattern, with)
    } else {
        value.replacen(pattern, with, 1)
    })
}
