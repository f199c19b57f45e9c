//! Archives: packing reads everything below, unpacking writes below.

use super::Call;
use crate::effects::args::Args;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// `tar`, with its letters after a dash or without.
pub fn tar(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let bare = call
        .words
        .first()
        .and_then(Text::as_literal)
        .filter(|word| {
            !word.starts_with('-')
                && !word.is_empty()
                && word.bytes().all(|byte| byte.is_ascii_alphabetic())
        });
    let again;
    let (letters, args) = match bare {
        Some(letters) => {
            again = bare_letters(letters, &call.words[1..]);
            (letters, &again)
        }
        None => ("", &call.args),
    };
    let mode = |letter: char, long: &str| {
        letters.contains(letter) || args.has(&letter.to_string()) || args.has(long)
    };
    let archive = args
        .values("f file")
        .next()
        .filter(|file| file.as_literal() != Some("-"));
    let outer = machine.state.folders.clone();
    if let Some(folder) = args.values("C directory").next() {
        let folders = machine.folders_of(folder);
        if let Some(archive) = archive {
            touch_archive(
                machine,
                archive,
                mode('c', "create") || mode('r', "append") || mode('u', "update"),
            );
        }
        machine.state.folders = folders;
    } else if let Some(archive) = archive {
        touch_archive(
            machine,
            archive,
            mode('c', "create") || mode('r', "append") || mode('u', "update"),
        );
    }
    if mode('c', "create") || mode('r', "append") || mode('u', "update") {
        for operand in &args.operands {
            machine.read_below(operand, true);
        }
        for list in args.values("T files-from") {
            machine.read(list);
            for file in machine.lines_in(list) {
                machine.read_below(&file, true);
            }
        }
        if args.has("remove-files") {
            args.operands
                .iter()
                .for_each(|operand| machine.write_below(operand));
        }
    } else if (mode('x', "extract") || mode('x', "get")) && !mode('O', "to-stdout") {
        if args.operands.is_empty() {
            machine.write(&Text::literal("./").joined(&Text::unknown()));
        }
        args.operands
            .iter()
            .for_each(|operand| machine.write_below(operand));
        args.values("one-top-level")
            .for_each(|folder| machine.write_below(folder));
    }
    // `s,src,other,`: names that are packed or unpacked.
    for rule in args.values("transform xform") {
        let sign = rule.prefix().chars().nth(1);
        let parts = rule.split(|c| Some(c) == sign);
        parts
            .get(2)
            .into_iter()
            .for_each(|name| machine.write(name));
    }
    machine.state.folders = outer;
    vec![Text::unknown()]
}

fn touch_archive(machine: &mut Machine<'_>, archive: &Text, writes: bool) {
    if writes {
        machine.write(archive);
    } else {
        machine.read(archive);
    }
}

/// `tar czf x.tgz dir`: each letter that takes a value takes the next word.
fn bare_letters(letters: &str, words: &[Text]) -> Args {
    let mut words = words.iter();
    let mut options = Vec::new();
    for letter in letters.chars() {
        let value = "fCTXbKNVgIHF"
            .contains(letter)
            .then(|| words.next().cloned())
            .flatten();
        options.push((letter.to_string(), value));
    }
    let rest: Vec<Text> = words.cloned().collect();
    let mut args = Args::parse(
        &rest,
        "CTXf",
        "directory exclude exclude-from files-from transform xform",
    );
    args.options.extend(options);
    args
}

/// `zip archive file …`
pub fn zip(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let Some((archive, files)) = call.args.operands.split_first() else {
        return Values::new();
    };
    machine.write(archive);
    if call.args.has("@ names-stdin") {
        for file in machine.lines_in(&Text::literal("-")) {
            machine.read(&file);
        }
    }
    let recursive = call.args.has("r R recurse-paths");
    for file in files {
        if recursive {
            machine.read_below(file, true);
        } else {
            machine.read(file);
        }
        if call.args.has("m move") {
            machine.write(file);
        }
    }
    Values::new()
}

/// `unzip archive -d folder`
pub fn unzip(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if let Some(archive) = call.args.operands.first() {
        machine.read(archive);
    }
    if !call.args.has("l p t v z Z") {
        let folder = call
            .args
            .values("d")
            .next()
            .cloned()
            .unwrap_or_else(|| Text::literal("."));
        machine.write(&folder.joined(&Text::literal("/")).joined(&Text::unknown()));
        for member in call.args.operands.iter().skip(1) {
            machine.write(&folder.joined(&Text::literal("/")).joined(&member.globbed()));
        }
    }
    vec![Text::unknown()]
}

/// `7z a archive folder`, `7z x archive -ofolder`
pub fn seven(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut operands = call.args.operands.iter();
    let command = operands.next().map_or("", Text::prefix);
    let Some(archive) = operands.next() else {
        return Values::new();
    };
    if matches!(command, "a" | "u") {
        machine.write(archive);
        operands.for_each(|operand| machine.read_below(operand, true));
        return Values::new();
    }
    machine.read(archive);
    if matches!(command, "x" | "e") {
        let folder = call
            .words
            .iter()
            .find(|word| word.prefix().starts_with("-o"))
            .map(|word| word.without_prefix(2));
        let folder = folder.unwrap_or_else(|| Text::literal("."));
        machine.write(&folder.joined(&Text::literal("/")).joined(&Text::unknown()));
    }
    Values::new()
}

/// `gzip` and its like replace the file, unless they write to standard output.
pub fn compress(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let keeps = call.args.has("c stdout to-stdout t test l list");
    for operand in &call.args.operands {
        machine.read(operand);
        if !keeps && call.args.has("r recursive") {
            machine.write_below(operand);
        } else if !keeps {
            machine.write(operand);
            machine.write(&operand.joined(&Text::literal(".")).joined(&Text::run()));
        }
    }
    for file in call.args.values("o") {
        machine.write(file);
    }
    vec![Text::unknown()]
}
