//! Filters that make another text of what goes through them: what they print where the line tells their input.

use super::Call;
use super::files::reads;
use crate::effects::braces::MAX_WORDS;
use crate::effects::builtins::lines;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// The most bytes that one filter is followed with.
const MAX_INPUT: usize = 1 << 14;

/// What goes into the program: its operands' text where the line made them, else standard input.
fn input(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    known_input(machine, &call.args.operands)
}

/// The text of `files` where the line made them; that of standard input where there are none.
pub fn known_input(machine: &mut Machine<'_>, files: &[Text]) -> Values {
    let mut made = Values::new();
    for file in files {
        made.extend(machine.lines_in(file));
    }
    if files.is_empty() {
        made = machine.stdin.clone().unwrap_or_default();
    }
    let size: usize = made.iter().map(Text::size).sum();
    if machine.work(size / 64) && size <= MAX_INPUT {
        made
    } else {
        Values::new()
    }
}

/// The output that `change` makes of each text which is known.
fn changed(input: &[Text], change: impl Fn(&str) -> Option<String>) -> Values {
    if input.is_empty() {
        return vec![Text::unknown()];
    }
    let output = |text: &Text| {
        text.as_literal()
            .and_then(&change)
            .map_or_else(Text::unknown, Text::literal)
    };
    input.iter().map(output).collect()
}

/// `rev`: each line backwards.
pub fn reversed(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    reads(machine, call);
    let input = input(machine, call);
    changed(&input, |text| {
        let lines = text.split('\n');
        let reversed: Vec<String> = lines.map(|line| line.chars().rev().collect()).collect();
        Some(reversed.join("\n"))
    })
}

/// `tr`: other characters for those of a set.
pub fn translated(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let input = known_input(machine, &[]);
    let sets: Option<Vec<Vec<char>>> = call.args.operands.iter().map(members).collect();
    let Some(sets) = sets.filter(|_| !call.args.has("c C complement s squeeze-repeats")) else {
        return vec![Text::unknown()];
    };
    let translate = |text: &str| match (&sets[..], call.args.has("d delete")) {
        ([from], true) => Some(text.chars().filter(|c| !from.contains(c)).collect()),
        ([from, to], false) => {
            let last = to.last()?;
            let other = |c: char| match from.iter().position(|known| *known == c) {
                Some(at) => *to.get(at).unwrap_or(last),
                None => c,
            };
            Some(text.chars().map(other).collect())
        }
        _ => None,
    };
    changed(&input, translate)
}

/// The characters of a set of `tr`: plain ones, ranges and the classes of letters.
fn members(set: &Text) -> Option<Vec<char>> {
    let text = set.as_literal()?;
    let text = match text {
        "[:upper:]" => "A-Z",
        "[:lower:]" => "a-z",
        "[:digit:]" => "0-9",
        _ if text.contains("[:") => return None,
        _ => text,
    };
    let text = crate::literal::printed(text, crate::literal::Octal::Plain);
    let plain: Vec<char> = text.chars().collect();
    let mut members = Vec::new();
    let mut at = 0;
    while let Some(first) = plain.get(at) {
        match plain.get(at + 1..at + 3) {
            Some(['-', last]) => {
                members.extend((*first..=*last).take(256));
                at += 3;
            }
            _ => {
                members.push(*first);
                at += 1;
            }
        }
    }
    Some(members)
}

/// `base64 -d` and `xxd -r -p`.
pub fn decoded(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    reads(machine, call);
    let input = input(machine, call);
    let written = call.args.operands.get(1).filter(|_| call.name == "xxd");
    written.into_iter().for_each(|file| machine.write(file));
    let bytes: fn(&str) -> Option<Vec<u8>> = match call.name {
        "base64" if call.args.has("d D decode") => from_base64,
        "xxd" if call.args.has("r") && call.args.has("p ps plain") => from_hex,
        _ => return vec![Text::unknown()],
    };
    changed(&input, |text| String::from_utf8(bytes(text)?).ok())
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16)?.try_into().ok())
        .collect();
    let pairs = digits?;
    Some(
        pairs
            .chunks_exact(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect(),
    )
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' | b'\n' | b' ' => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Some(bytes)
}

/// `head -c 9` and `tail -c 9`; whether the text ends in a line end, which counts, is not known.
pub fn ends(machine: &mut Machine<'_>, call: &Call<'_>, count: &Text) -> Values {
    let input = input(machine, call);
    let count = count.as_literal().and_then(|count| count.parse().ok());
    let Some(count) = count.filter(|_| matches!(call.name, "head" | "ghead" | "tail" | "gtail"))
    else {
        return words(&input);
    };
    if call.name.ends_with("head") {
        return changed(&input, |text| Some(text.chars().take(count).collect()));
    }
    let last = |text: &str, count: usize| {
        let skipped = text.chars().count().saturating_sub(count);
        Some(text.chars().skip(skipped).collect())
    };
    let mut output = changed(&input, |text| last(text, count));
    output.extend(changed(&input, |text| last(text, count.saturating_sub(1))));
    output
}

/// `cut`: some fields or characters of each line.
pub fn parts(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    reads(machine, call);
    let input = input(machine, call);
    let delimiter = call.args.values("d delimiter").next();
    let delimiter = delimiter.map_or("\t", Text::prefix);
    let range = |names| call.args.values(names).next().and_then(Text::as_literal);
    if let Some((first, last)) = range("c b characters bytes").and_then(bounds) {
        let cut = |line: &str| {
            line.chars()
                .skip(first - 1)
                .take(last - first + 1)
                .collect()
        };
        return lines_of(&input, cut);
    }
    match range("f fields").and_then(bounds) {
        Some((first, last)) => lines_of(&input, |line| {
            let fields = |line: &str| {
                let fields = line.split(delimiter).skip(first - 1);
                fields
                    .take(last - first + 1)
                    .collect::<Vec<_>>()
                    .join(delimiter)
            };
            // The values of a loop stand in one line here, as its rounds are followed together.
            if delimiter == " " {
                return fields(line);
            }
            line.split(' ').map(fields).collect::<Vec<_>>().join(" ")
        }),
        None => vec![Text::unknown()],
    }
}

/// The first and the last of `2`, `2-`, `-2` and `2-4`.
fn bounds(range: &str) -> Option<(usize, usize)> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let first = if first.is_empty() {
        1
    } else {
        first.parse().ok()?
    };
    let last = if last.is_empty() {
        usize::MAX - 1
    } else {
        last.parse().ok()?
    };
    (first >= 1 && first <= last).then_some((first, last))
}

/// What `change` makes of each known line; of one that is known in part, its words, any of them.
pub fn lines_of(input: &[Text], change: impl Fn(&str) -> String) -> Values {
    if input.is_empty() {
        return vec![Text::unknown()];
    }
    let mut output = Values::new();
    for line in lines(input) {
        match line.as_literal() {
            Some(line) => output.push(Text::literal(change(line))),
            None => output.extend(words(std::slice::from_ref(&line))),
        }
    }
    output
}

/// The words of texts that may be paths, of which it is not known which a program prints.
pub fn words(input: &[Text]) -> Values {
    let separates = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '=' | '(' | ')');
    let mut words: Values = input
        .iter()
        .flat_map(|text| text.split(separates))
        .filter(|word| {
            word.as_literal()
                .is_none_or(|word| word.contains(['/', '.']))
        })
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS - 1)
        .collect();
    words.push(Text::unknown());
    words
}

/// `envsubst`: its input with the values of variables.
pub fn expanded(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let input = input(machine, call);
    let expand = |text: &Text| machine.expanded_text(&text.render());
    input.iter().flat_map(expand).collect()
}

/// Programs that print some of what goes into them, in a form that is not known.
pub fn some_of_input(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    reads(machine, call);
    let input = input(machine, call);
    words(&input)
}
