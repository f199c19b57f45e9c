//! From a word to the values that a command gets.

use super::braces::{MAX_WORDS, Unit, expand};
use super::machine::Machine;
use super::value::{Atom, Text, Values};
use crate::literal::{ansi_c, single_quoted};
use crate::script::Script;
use crate::syntax::{Part, PartKind, Word};

impl Machine<'_> {
    /// The words that `word` becomes, after brace expansion, variables, substitutions and word splitting.
    /// Globs stay patterns. The commands in substitutions are run for their effects.
    pub(super) fn expand(&mut self, script: &Script<'_>, word: &Word) -> Values {
        let mut units = Vec::with_capacity(word.parts.len());
        self.units(script, &word.parts, false, &mut units);
        let Some(words) = expand(units) else {
            return vec![Text::unknown()];
        };
        let mut values: Values = words
            .into_iter()
            .flat_map(|units| self.assemble(units))
            .collect();
        if values.len() > MAX_WORDS {
            values = vec![Text::unknown()];
        }
        values
    }

    /// The values of `word` where it stays one word: after `NAME=`, in a redirection, in double quotes.
    pub(super) fn expand_one(&mut self, script: &Script<'_>, word: &Word) -> Values {
        let mut units = Vec::with_capacity(word.parts.len());
        self.units(script, &word.parts, false, &mut units);
        for unit in &mut units {
            if let Unit::Values(_, quoted) = unit {
                *quoted = true;
            }
        }
        self.assemble(units)
    }

    /// The text of a here-document or of double quotes.
    pub(super) fn expand_quoted(&mut self, script: &Script<'_>, parts: &[Part]) -> Values {
        let mut units = Vec::with_capacity(parts.len());
        self.units(script, parts, true, &mut units);
        self.assemble(units)
    }

    fn units(&mut self, script: &Script<'_>, parts: &[Part], quoted: bool, units: &mut Vec<Unit>) {
        for part in parts {
            let raw = part.span.of(script.text());
            match &part.kind {
                PartKind::Literal if quoted => units.push(Unit::Str(raw.to_owned(), true)),
                PartKind::Literal => marked(raw, units),
                PartKind::Escape => units.push(Unit::Str(raw[1..].to_owned(), true)),
                PartKind::Continuation => {}
                PartKind::SingleQuoted => {
                    units.push(Unit::Str(single_quoted(raw).to_owned(), true))
                }
                PartKind::AnsiC => units.push(Unit::Str(ansi_c(raw), true)),
                PartKind::DoubleQuoted(parts) => {
                    units.push(Unit::Str(String::new(), true));
                    self.units(script, parts, true, units);
                }
                PartKind::Glob(sign) => units.push(Unit::Glob(*sign)),
                PartKind::ExtendedGlob(parts) => {
                    self.run_parts(script, parts);
                    drop_sign(units);
                    // A dot at the start of a name is matched only by one that is spelled.
                    units.push(if raw.starts_with("(.") || raw.contains("|.") {
                        let dotted = Text::literal(".").joined(&Text::run());
                        Unit::Values(vec![Text::run(), dotted], true)
                    } else {
                        Unit::Glob(b'*')
                    });
                }
                _ => {
                    let values = self.expansion(script, part);
                    let values = if joins_words(script, part) {
                        self.joined_words(values, quoted)
                    } else {
                        values
                    };
                    units.push(if quoted && gives_words(script, part) {
                        Unit::Words(values)
                    } else {
                        Unit::Values(values, quoted)
                    });
                }
            }
        }
    }

    fn expansion(&mut self, script: &Script<'_>, part: &Part) -> Values {
        match &part.kind {
            PartKind::Variable(name) => self.value_of(name.of(script.text())),
            PartKind::Parameter { name, rest } => {
                let name = name.of(script.text());
                self.parameter(script, part, name, rest)
            }
            PartKind::CommandSubstitution(list) => self.substitution(script, list),
            PartKind::Backticks(inner) => self.substitution(inner, inner.body()),
            PartKind::ProcessSubstitution { body, .. } => {
                let output = self.substitution(script, body);
                vec![self.substituted_file(output)]
            }
            PartKind::Arithmetic(parts) => {
                self.run_parts(script, parts);
                vec![Text::run()]
            }
            PartKind::Array(words) => words
                .iter()
                .flat_map(|word| self.expand(script, word))
                .map(|value| without_index(&value))
                .collect(),
            _ => vec![Text::unknown()],
        }
    }

    /// What `"$*"` gives: the words with the first character of `IFS` between them, or one where they are what the
    /// variable can be. Unquoted they are only one word where nothing separates them.
    fn joined_words(&self, mut values: Values, quoted: bool) -> Values {
        let separators = self.separators();
        let separator = separators.get(..1).unwrap_or("");
        if values.len() > 1 && (quoted || separator.is_empty()) {
            let separator = Text::literal(separator);
            let words = values.iter().cloned();
            let joined = words.reduce(|line, word| line.joined(&separator).joined(&word));
            values.extend(joined);
        }
        values
    }

    /// Runs the commands in substitutions for their effects alone.
    pub(super) fn run_parts(&mut self, script: &Script<'_>, parts: &[Part]) {
        for part in parts {
            match &part.kind {
                PartKind::DoubleQuoted(parts) | PartKind::ExtendedGlob(parts) => {
                    self.run_parts(script, parts)
                }
                PartKind::CommandSubstitution(_)
                | PartKind::Backticks(_)
                | PartKind::ProcessSubstitution { .. }
                | PartKind::Arithmetic(_)
                | PartKind::Parameter { .. } => {
                    self.expansion(script, part);
                }
                _ => {}
            }
        }
    }

    /// Puts the pieces of a word together; unquoted values are split at blanks.
    fn assemble(&mut self, units: Vec<Unit>) -> Values {
        let mut done = Values::new();
        let mut open = vec![Text::default()];
        let mut is_word = false;
        let (home, units) = self.tilde(units);
        if let Some(home) = home {
            open = home;
            is_word = true;
        }
        for unit in units {
            match unit {
                Unit::Str(text, quoted) => {
                    is_word |= quoted || !text.is_empty();
                    open.iter_mut().for_each(|word| word.push_str(&text));
                }
                Unit::Mark(mark) => {
                    is_word = true;
                    open.iter_mut()
                        .for_each(|word| word.push_str(mark.encode_utf8(&mut [0; 4])));
                }
                Unit::Glob(sign) => {
                    is_word = true;
                    let hidden = self.state.dotglob;
                    open.iter_mut().for_each(|word| match sign {
                        b'*' => word.push_star(hidden),
                        b'?' => word.push(Atom::One),
                        _ => word.push(Atom::Bracket),
                    });
                }
                Unit::Values(values, true) => {
                    is_word = true;
                    open = product(open, &values);
                }
                Unit::Words(values) => {
                    is_word |= !values.is_empty();
                    if let [first, .., last] = &values[..] {
                        done.extend(product(open.clone(), std::slice::from_ref(first)));
                        done.extend(values[1..values.len() - 1].iter().cloned());
                        open = vec![last.clone()];
                    } else if !values.is_empty() {
                        open = product(open, &values);
                    }
                }
                Unit::Values(values, false) => {
                    is_word |= values.iter().any(|value| !value.is_empty());
                    open = split_values(open, &values, &mut done, &self.separators());
                }
            }
        }
        if !self.work(open.iter().map(|word| 1 + word.size() / 256).sum()) {
            return vec![Text::unknown()];
        }
        for word in &mut open {
            word.close_brackets();
        }
        if is_word {
            done.extend(open);
        }
        done
    }

    /// Takes the `~` or `~name` off the start of a word, if it is one: up to the first slash, with nothing quoted.
    fn tilde(&self, mut units: Vec<Unit>) -> (Option<Values>, Vec<Unit>) {
        let mut name = String::new();
        let mut length = 0;
        for unit in &mut units {
            let Unit::Str(text, false) = unit else {
                // What is quoted or expanded before the slash leaves the tilde as it is.
                return (None, units);
            };
            if !name.starts_with('~') && !text.starts_with('~') {
                return (None, units);
            }
            if let Some(slash) = text.find('/') {
                name.push_str(&text[..slash]);
                text.drain(..slash);
                break;
            }
            name.push_str(text);
            length += 1;
        }
        let homes = match name.strip_prefix('~') {
            Some("") => self.home(),
            Some("+") => self.state.folders.clone(),
            Some("-") => self.state.previous.clone(),
            Some(place) => self
                .folder_at(place)
                .unwrap_or_else(|| vec![Text::unknown()]),
            None => return (None, units),
        };
        units.drain(..length);
        (Some(homes), units)
    }

    /// The home folder: `HOME` if the line sets it, else that of the context.
    pub(super) fn home(&self) -> Values {
        match (self.state.variable("HOME"), self.context.home) {
            (Some(values), _) => values.clone(),
            (None, Some(home)) => vec![Text::literal(home)],
            (None, None) => vec![Text::unknown()],
        }
    }
}

/// The value of `[index]=value` in an array.
fn without_index(value: &Text) -> Text {
    let prefix = value.prefix();
    if let Some(end) = prefix.find("]=").filter(|_| prefix.starts_with('[')) {
        return value.without_prefix(end + 2);
    }
    // Unquoted, the index looks like a set of a glob.
    match value.atoms() {
        [Atom::Set(_), Atom::Text(text), ..] if text.starts_with('=') => {
            let mut rest = Text::default();
            value.atoms()[1..]
                .iter()
                .for_each(|atom| rest.push(atom.clone()));
            rest.without_prefix(1)
        }
        _ => value.clone(),
    }
}

/// Whether a part is `$*` or `${a[*]}`.
fn joins_words(script: &Script<'_>, part: &Part) -> bool {
    let text = part.span.of(script.text());
    match &part.kind {
        PartKind::Variable(_) => text == "$*",
        PartKind::Parameter { .. } => text.starts_with("${*") || text.contains("[*]"),
        _ => false,
    }
}

/// Whether a part is `$@` or `${a[@]}`.
fn gives_words(script: &Script<'_>, part: &Part) -> bool {
    let text = part.span.of(script.text());
    match &part.kind {
        PartKind::Variable(_) => text == "$@",
        PartKind::Parameter { .. } => text.starts_with("${@") || text.contains("[@]"),
        _ => false,
    }
}

/// Takes away the sign before the parentheses of an extended glob: it stands for no character.
fn drop_sign(units: &mut Vec<Unit>) {
    match units.last_mut() {
        Some(Unit::Str(text, false)) if text.ends_with(['!', '@', '+']) => drop(text.pop()),
        Some(Unit::Glob(_)) => drop(units.pop()),
        _ => {}
    }
}

/// An unquoted literal, with its braces and commas apart.
fn marked(raw: &str, units: &mut Vec<Unit>) {
    for piece in raw.split_inclusive(['{', ',', '}']) {
        let mark = piece
            .chars()
            .next_back()
            .filter(|last| matches!(last, '{' | ',' | '}'));
        let text = mark.map_or(piece, |_| &piece[..piece.len() - 1]);
        if !text.is_empty() {
            units.push(Unit::Str(text.to_owned(), false));
        }
        units.extend(mark.map(Unit::Mark));
    }
}

fn product(mut left: Values, right: &[Text]) -> Values {
    if let [only] = right {
        left.iter_mut().for_each(|left| left.append(only));
        return left;
    }
    if left.len() * right.len() > MAX_WORDS {
        return vec![Text::unknown()];
    }
    left.iter()
        .flat_map(|left| right.iter().map(|right| left.joined(right)))
        .collect()
}

/// As [`product`], but a value with separators in it is more than one word; finished words go to `done`.
fn split_values(open: Values, values: &[Text], done: &mut Values, separators: &str) -> Values {
    let blank = |c: char| separators.contains(c);
    if let [only] = values
        && !only.contains(|c| blank(c) || matches!(c, '*' | '?' | '['))
    {
        return product(open, values);
    }
    let mut next = Values::new();
    for value in values {
        let value = value.globbed();
        let pieces: Vec<Text> = if value.contains(blank) {
            value.split(blank)
        } else {
            vec![value]
        };
        let last = pieces.len() - 1;
        for (index, piece) in pieces.iter().enumerate() {
            let words = if index == 0 {
                product(open.clone(), std::slice::from_ref(piece))
            } else {
                vec![piece.clone()]
            };
            if index == last {
                next.extend(words);
            } else {
                done.extend(words.into_iter().filter(|word| !word.is_empty()));
            }
        }
    }
    if values.is_empty() {
        return open;
    }
    if next.len() > MAX_WORDS || done.len() > MAX_WORDS {
        return vec![Text::unknown()];
    }
    next
}
