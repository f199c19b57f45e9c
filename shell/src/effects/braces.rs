//! Brace expansion: `{a,b}` and `{1..9}`.

use super::value::Values;

/// A piece of a word on its way to its values.
#[derive(Clone, Debug)]
pub(super) enum Unit {
    /// Characters; whether they were quoted.
    Str(String, bool),
    /// An unquoted `{`, `,` or `}`.
    Mark(char),
    /// An unquoted `*`, `?` or `[`.
    Glob(u8),
    /// What an expansion can give; whether it stands in double quotes.
    Values(Values, bool),
    /// What `"$@"` and `"${a[@]}"` give: words of their own, of which the first and the last join what is around.
    Words(Values),
}

/// The most words that one word may become; more are taken for unknown.
pub(super) const MAX_WORDS: usize = 64;

/// Expands the braces of a word. `None` where it would become more than [`MAX_WORDS`] words.
pub(super) fn expand(units: Vec<Unit>) -> Option<Vec<Vec<Unit>>> {
    let mut done = Vec::new();
    let mut open = vec![units];
    let mut work = 0;
    while let Some(word) = open.pop() {
        work += 1;
        if work > 4 * MAX_WORDS {
            return None;
        }
        match first_group(&word) {
            None => done.push(word),
            Some(group) => {
                let alternatives = group.alternatives(&word);
                // The last first, as the list is taken from its end.
                for alternative in alternatives.into_iter().rev() {
                    let mut next = word[..group.open].to_vec();
                    next.extend(alternative);
                    next.extend_from_slice(&word[group.close + 1..]);
                    open.push(next);
                }
            }
        }
        if done.len() + open.len() > MAX_WORDS {
            return None;
        }
    }
    Some(done)
}

/// A pair of braces that expands: where it is, and where the commas are between its alternatives.
struct Group {
    open: usize,
    close: usize,
    commas: Vec<usize>,
}

impl Group {
    fn alternatives(&self, word: &[Unit]) -> Vec<Vec<Unit>> {
        if self.commas.is_empty() {
            // A sequence of numbers or letters: any text without a slash.
            return vec![vec![Unit::Glob(b'*')]];
        }
        let mut start = self.open + 1;
        let mut found = Vec::new();
        for &end in self.commas.iter().chain([&self.close]) {
            found.push(word[start..end].to_vec());
            start = end + 1;
        }
        found
    }
}

/// The first pair that expands. The work is linear in the units, with a stack of open braces.
fn first_group(word: &[Unit]) -> Option<Group> {
    let mut open: Vec<Group> = Vec::new();
    let mut best: Option<Group> = None;
    for (at, unit) in word.iter().enumerate() {
        match unit {
            Unit::Mark('{') => open.push(Group {
                open: at,
                close: at,
                commas: Vec::new(),
            }),
            Unit::Mark(',') => {
                if let Some(group) = open.last_mut() {
                    group.commas.push(at);
                }
            }
            Unit::Mark(_) => {
                let Some(mut group) = open.pop() else {
                    continue;
                };
                group.close = at;
                let expands = !group.commas.is_empty() || is_sequence(&word[group.open + 1..at]);
                if expands && best.as_ref().is_none_or(|best| group.open < best.open) {
                    best = Some(group);
                }
            }
            _ => {}
        }
    }
    best
}

fn is_sequence(units: &[Unit]) -> bool {
    matches!(units, [Unit::Str(text, false)] if text.split("..").count() >= 2 && !text.starts_with("..") && !text.ends_with(".."))
}
