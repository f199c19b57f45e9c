//! Programs that print, whose output the shell may use as words.

use super::Call;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, Text, Values};
use crate::effects::waits::{Activity, seconds};

/// `echo`: its words.
pub fn echo(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let skip = call
        .words
        .iter()
        .take_while(|word| matches!(word.prefix(), "-n" | "-e" | "-E" | "-ne" | "-en"))
        .count();
    let mut line = Text::default();
    for (index, word) in call.words[skip..].iter().enumerate() {
        if index > 0 {
            line.push_str(" ");
        }
        line.append(word);
    }
    vec![line]
}

/// `printf`: its format with the words in the places of `%s`.
pub fn printf(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let words = if call.words.first().is_some_and(|word| word.prefix() == "--") {
        &call.words[1..]
    } else {
        call.words
    };
    if let (Some(name), Some(format)) = (call.args.values("v").next(), call.args.operands.first()) {
        let value = formatted(format, &call.args.operands[1..]);
        let name = name.render();
        machine.state.assign(&name, value, machine.certain);
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
    let mut lines = Values::new();
    // The format is used again until the words are used up.
    loop {
        let before = words.len();
        let mut line = Text::default();
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            match character {
                '%' => match characters.next() {
                    Some('s' | 'b' | 'q') => {
                        words.next().into_iter().for_each(|word| line.append(word))
                    }
                    Some('%') => line.push_str("%"),
                    _ => line.push(Atom::Run),
                },
                '\\' => line.push_str(match characters.next() {
                    Some('n' | '0') => "\n",
                    Some('t') => "\t",
                    Some('\\') | None => "\\",
                    Some(_) => return vec![Text::unknown()],
                }),
                other => line.push_str(other.encode_utf8(&mut [0; 4])),
            }
        }
        lines.push(line);
        if words.len() == 0 || words.len() == before {
            return lines;
        }
    }
}

/// A text without a slash that the line does not tell: a date, a number, a name.
pub fn some_text(_: &mut Machine<'_>, _: &Call<'_>) -> Values {
    vec![Text::run()]
}

/// `basename`: the last component of each word.
pub fn base(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let suffix = call
        .args
        .values("s suffix")
        .next()
        .or_else(|| call.args.operands.get(1))
        .map_or("", Text::prefix);
    call.args
        .operands
        .iter()
        .take(1)
        .map(|word| last_component(word, suffix))
        .collect()
}

fn last_component(word: &Text, suffix: &str) -> Text {
    let parts = word.split(|c| c == '/');
    let last = parts
        .iter()
        .rev()
        .find(|part| !part.is_empty())
        .cloned()
        .unwrap_or_default();
    match last.as_literal() {
        Some(name) => Text::literal(name.strip_suffix(suffix).unwrap_or(name)),
        None => last,
    }
}

/// `dirname`: each word without its last component.
pub fn folder(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    call.args.operands.iter().map(parent).collect()
}

fn parent(word: &Text) -> Text {
    match word.as_literal() {
        Some(path) => match path.trim_end_matches('/').rfind('/') {
            Some(0) => Text::literal("/"),
            Some(at) => Text::literal(&path[..at]),
            None => Text::literal("."),
        },
        None => word.joined(&Text::literal("/..")),
    }
}

/// `realpath` and `readlink`: the same path.
pub fn path(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut paths = Values::new();
    for word in &call.args.operands {
        machine.list(word);
        paths.extend(
            machine
                .paths(word)
                .iter()
                .map(crate::effects::PathPattern::to_text),
        );
    }
    paths
}

/// `mktemp`: a new file, in the temporary folder or after its template.
pub fn temporary(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if let Some(template) = call.args.operands.first() {
        machine.write(template);
    }
    vec![Text::literal("/tmp/").joined(&Text::run())]
}

/// `sleep`
pub fn sleep(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let total = call
        .words
        .iter()
        .map(|word| word.as_literal().and_then(seconds))
        .sum();
    machine.waiting.sleep(total);
    Values::new()
}

/// `kill`: only `kill -0` asks without doing anything.
pub fn kill(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let asks = call.args.has("0 l L")
        || call
            .args
            .values("s n signal")
            .any(|signal| signal.prefix() == "0");
    if !asks {
        machine.waiting.note(Activity::Work);
    }
    Values::new()
}

/// `ls`: names, which stand for themselves where the operand is a glob or a file, and for names inside a folder.
pub fn ls(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let recursive = call.args.has("R recursive tree") || (call.name != "ls" && call.args.has("T"));
    let here = [Text::literal(".")];
    let operands = if call.args.operands.is_empty() {
        &here[..]
    } else {
        &call.args.operands
    };
    for operand in operands {
        if recursive {
            machine.list_below(operand);
        } else {
            machine.list(operand);
        }
    }
    let mut names = call.args.operands.clone();
    if !call.args.has("d directory")
        && call
            .args
            .operands
            .iter()
            .all(|operand| operand.as_literal().is_some())
    {
        let mut any = Text::run();
        if recursive || call.args.has("a A all almost-all") {
            any = Text::default();
            any.push(Atom::Below { hidden: true });
        }
        names.push(any);
    }
    names
}
