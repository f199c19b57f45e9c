//! From the words of the shell's parser to the words of the rule.

use std::borrow::Cow;

use guard_shell::{Part, PartKind, Span};

use super::word::{Certainty, Word};

/// The word as the rule needs it.
pub(crate) fn word<'t>(word: &guard_shell::Word, text: &'t str) -> Word<'t> {
    let Span { start, end } = word.span;
    let (text, certainty) = match word.static_text(text) {
        Some(value) => {
            let plain = matches!(
                word.parts[..],
                [Part {
                    kind: PartKind::Literal,
                    ..
                }]
            );
            (
                value,
                if plain {
                    Certainty::Plain
                } else {
                    Certainty::Quoted
                },
            )
        }
        None => (known_beginning(word, text), certainty(word, text)),
    };
    Word {
        start,
        end,
        text,
        certainty,
    }
}

fn certainty(word: &guard_shell::Word, text: &str) -> Certainty {
    if word.parts.iter().any(|part| may_split(&part.kind)) {
        return Certainty::Open;
    }
    let in_quotes = |part: &Part| match &part.kind {
        PartKind::DoubleQuoted(parts) => parts.iter().any(|part| expands(&part.kind)),
        _ => false,
    };
    if word.parts.iter().any(in_quotes) {
        return Certainty::Expanded;
    }
    let raw = word.span.of(text);
    let is_literal = |part: &Part| matches!(part.kind, PartKind::Literal | PartKind::Escape);
    if (raw == "~" || raw.starts_with("~/"))
        && word.parts.iter().all(is_literal)
        && !raw.contains(['{', '\\'])
    {
        return Certainty::Tilde;
    }
    if raw.starts_with('~') {
        Certainty::Expanded
    } else {
        Certainty::Pattern
    }
}

/// Whether an unquoted part can become several words.
fn may_split(kind: &PartKind) -> bool {
    matches!(
        kind,
        PartKind::Variable(_)
            | PartKind::Parameter { .. }
            | PartKind::CommandSubstitution(_)
            | PartKind::Backticks(_)
            | PartKind::Arithmetic(_)
    )
}

fn expands(kind: &PartKind) -> bool {
    may_split(kind) || matches!(kind, PartKind::ProcessSubstitution { .. })
}

/// What stands before the first expansion; for a glob or a tilde the text as it is written.
fn known_beginning<'t>(word: &guard_shell::Word, text: &'t str) -> Cow<'t, str> {
    let raw = word.span.of(text);
    let mut end = word.span.start;
    for part in &word.parts {
        match &part.kind {
            PartKind::Literal | PartKind::Glob(_) => end = part.span.end,
            _ => break,
        }
    }
    Cow::Borrowed(raw.get(..end - word.span.start).unwrap_or(""))
}

/// The span between the quotes of a word that is nothing but one quoted text, taken as it stands.
pub(crate) fn quoted_verbatim(word: &guard_shell::Word, text: &str) -> Option<Span> {
    let [part] = &word.parts[..] else { return None };
    let verbatim = match &part.kind {
        PartKind::SingleQuoted => true,
        PartKind::DoubleQuoted(parts) => parts
            .iter()
            .all(|part| matches!(part.kind, PartKind::Literal)),
        _ => false,
    };
    // Not `$"…"`.
    (verbatim && word.span.of(text).starts_with(['"', '\'']))
        .then(|| Span::new(part.span.start + 1, part.span.end - 1))
}
