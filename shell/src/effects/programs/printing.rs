//! `echo` and `printf`: what they print, as far as their words tell.

use super::Call;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};
use crate::literal::{Octal, printed};

/// `echo`: its words.
pub fn echo(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let is_option = |word: &&Text| matches!(word.prefix(), "-n" | "-e" | "-E" | "-ne" | "-en");
    let options: Vec<&Text> = call.words.iter().take_while(is_option).collect();
    let mut line = Text::default();
    for (index, word) in call.words[options.len()..].iter().enumerate() {
        if index > 0 {
            line.push_str(" ");
        }
        line.append(word);
    }
    if !line.contains(|c| c == '\\') {
        return vec![line];
    }
    let resolved = line.map(|text| printed(text, Octal::AfterZero));
    if options.iter().any(|option| option.prefix().contains('e')) {
        vec![resolved]
    } else {
        // Some shells resolve escapes unasked.
        vec![line, resolved]
    }
}

/// `printf`: its format with the words in the places of its directives.
pub fn printf(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let words = if call.words.first().is_some_and(|word| word.prefix() == "--") {
        &call.words[1..]
    } else {
        call.words
    };
    if let (Some(name), Some(format)) = (call.args.values("v").next(), call.args.operands.first()) {
        let value = formatted(format, &call.args.operands[1..]);
        machine.subscripts(std::slice::from_ref(name));
        let name = name.render();
        machine.set_variable(&name, value, machine.certain);
        return Values::new();
    }
    let Some((format, words)) = words.split_first() else {
        return Values::new();
    };
    formatted(format, words)
}

fn formatted(format: &Text, words: &[Text]) -> Values {
    let Some(format) = format.as_literal() else {
        return vec![Text::unknown()];
    };
    let mut words = words.iter();
    let mut text = Text::default();
    // The format is used again until the words are used up.
    loop {
        let before = words.len();
        text.append(&once(format, &mut words));
        if words.len() == 0 || words.len() == before {
            return vec![text];
        }
    }
}

/// The format, used one time.
fn once<'w>(format: &str, words: &mut impl Iterator<Item = &'w Text>) -> Text {
    let mut line = Text::default();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        line.push_str(&printed(&rest[..at], Octal::Plain));
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            line.push_str("%");
            rest = after;
            continue;
        }
        let length = rest
            .find(|c: char| c.is_ascii_alphabetic() || c == '(')
            .unwrap_or(rest.len());
        let (flags, directive) = rest.split_at(length);
        let letter = directive.chars().next();
        line.append(&directed(letter, flags, words));
        rest = directive.get(1..).unwrap_or("");
    }
    line.push_str(&printed(rest, Octal::Plain));
    line
}

/// What one directive prints.
fn directed<'w>(
    letter: Option<char>,
    flags: &str,
    words: &mut impl Iterator<Item = &'w Text>,
) -> Text {
    if letter == Some('(') {
        // `%(%Y)T`: a date, whose letters follow as text.
        words.next();
        return Text::run();
    }
    let Some(word) = words.next() else {
        return Text::default();
    };
    match letter {
        Some('s' | 'q') => match flags.split_once('.') {
            Some((_, precision)) => cut_off(word, precision.parse().ok()),
            None => word.clone(),
        },
        Some('b') => word.map(|text| printed(text, Octal::AfterZero)),
        Some('c') => cut_off(word, Some(1)),
        Some('d' | 'i' | 'u') if is_number(word) => word.clone(),
        _ => Text::run(),
    }
}

fn is_number(word: &Text) -> bool {
    word.as_literal()
        .is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The first `length` characters of a word.
fn cut_off(word: &Text, length: Option<usize>) -> Text {
    match (word.as_literal(), length) {
        (Some(text), Some(length)) => Text::literal(text.chars().take(length).collect::<String>()),
        _ => Text::unknown(),
    }
}
