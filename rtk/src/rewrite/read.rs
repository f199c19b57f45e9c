//! `cat`, `head` and `tail` of one text file as `rtk read` with the same window.

use super::call::Call;
use super::machine::FileKind;
use super::reason::Reason;
use super::word::{Certainty, Word};
use super::{Edit, Verdict};

/// `cat FILE`, `cat -n FILE`, `cat FILE -n`.
pub(crate) fn cat(call: &Call) -> Verdict {
    let mut files = call
        .rest()
        .iter()
        .filter(|word| !word.text.starts_with('-'));
    let (Some(file), None) = (files.next(), files.next()) else {
        return if call.rest().is_empty() {
            Verdict::NoForm
        } else {
            Verdict::Stay(Reason::NotText)
        };
    };
    let mut options = call.rest().iter().filter(|word| word.text.starts_with('-'));
    let (option, None) = (options.next(), options.next()) else {
        return Verdict::NoForm;
    };
    if option.is_some_and(|option| !option.is_plain("-n")) {
        return Verdict::NoForm;
    }
    if let Some(reason) = reason_against(file, call) {
        return Verdict::Stay(reason);
    }
    let name = &call.words[0];
    Verdict::Rewrite(vec![Edit::new(
        name.start,
        name.end,
        format!("{} read", call.context.rtk),
    )])
}

/// `head -n 5 FILE`, `head -5 FILE`, `head --lines=5 FILE`, `head FILE`; the same for `tail`, of which rtk knows
/// no form without a number.
pub(crate) fn window(call: &Call, name: &str, default: bool) -> Verdict {
    let Some((lines, file)) = lines_and_file(call.rest(), default) else {
        return Verdict::NoForm;
    };
    // rtk takes a name without quotes, escapes and expansions only.
    let is_bare = matches!(
        file.certainty,
        Certainty::Plain | Certainty::Tilde | Certainty::Pattern
    );
    if !is_bare || file.text.contains(['{', '}']) {
        return Verdict::NoForm;
    }
    if let Some(reason) = reason_against(file, call) {
        return Verdict::Stay(reason);
    }
    Verdict::Rewrite(vec![
        Edit::new(
            call.words[0].start,
            file.start,
            format!("{} read ", call.context.rtk),
        ),
        Edit::new(file.end, file.end, format!(" --{name}-lines {lines}")),
    ])
}

/// The number of lines as it is written, and the file.
fn lines_and_file<'w>(words: &'w [Word<'w>], default: bool) -> Option<(&'w str, &'w Word<'w>)> {
    match words {
        [file] if default && !file.text.starts_with('-') => Some(("10", file)),
        [option, file] if option.certainty == Certainty::Plain => {
            let text: &str = &option.text;
            let number = text
                .strip_prefix("--lines=")
                .or_else(|| text.strip_prefix('-'))?;
            Some((number, file))
        }
        [option, number, file] if option.is_plain("-n") || option.is_plain("--lines") => {
            (number.certainty == Certainty::Plain).then_some((number.text.as_ref(), file))
        }
        _ => None,
    }
    .filter(|(number, file)| is_count(number) && !file.text.starts_with('-'))
}

/// Digits only, few enough for 64 bits.
fn is_count(text: &str) -> bool {
    (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Only a text file within the limit is read through rtk. A file that is not there gives the same error either
/// way, unless something earlier in the line makes it.
fn reason_against(file: &Word, call: &Call) -> Option<Reason> {
    match call.context.kind_at(file) {
        None => Some(if file.certainty == Certainty::Pattern {
            Reason::NotText
        } else {
            Reason::Unseen
        }),
        Some(FileKind::Text | FileKind::Unknown) => None,
        Some(FileKind::Missing) if call.context.first => None,
        Some(FileKind::Missing) => Some(Reason::Unseen),
        Some(FileKind::Folder | FileKind::Other) => Some(Reason::NotText),
    }
}
