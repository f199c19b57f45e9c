//! Archives: packing reads everything below, unpacking writes below.

use super::Call;
use super::find::over_slashes;
use super::search::left_out;
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
            let left_out = left_out(operand, args.values("exclude"), false, over_slashes);
            machine.read_walk(operand, true, &left_out);
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
    // All words behind `-x`, up to the next option, are what it leaves out.
    let is_exclusion = |word: &Text| matches!(word.prefix(), "-x" | "--exclude");
    let at = call.words.iter().position(is_exclusion);
    let (words, behind) = call.words.split_at(at.unwrap_or(call.words.len()));
    let ends = |word: &Text| word.prefix().starts_with(['-', '@']);
    let listed = behind.get(1..).unwrap_or_default();
    let (excluded, rest) = listed.split_at(listed.iter().position(ends).unwrap_or(listed.len()));
    let words: Vec<Text> = words.iter().chain(rest).cloned().collect();
    let args = Args::parse(&words, "btnPi", "include");
    let Some((archive, files)) = args.operands.split_first() else {
        return Values::new();
    };
    // Its patterns are for whole names, and `.` is no part of them.
    let excluded: Values = excluded
        .iter()
        .map(|pattern| match pattern.prefix().strip_prefix('*') {
            Some(_) => pattern.clone(),
            None => Text::literal("/").joined(pattern),
        })
        .collect();
    machine.write(archive);
    if args.has("@ names-stdin") {
        for file in machine.lines_in(&Text::literal("-")) {
            machine.read(&file);
        }
    }
    let recursive = args.has("r R recurse-paths");
    for file in files {
        if recursive {
            let is_here = file.prefix() == ".";
            let left_out = left_out(file, excluded.iter(), is_here, over_slashes);
            machine.read_walk(file, true, &left_out);
        } else {
            machine.read(file);
        }
        if args.has("m move") {
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
        let excluded = call.words.iter().filter_map(|word| {
            let rest = word.prefix().strip_prefix("-xr!")?;
            Some(word.without_prefix(word.prefix().len() - rest.len()))
        });
        let excluded: Values = excluded.collect();
        for operand in operands {
            let left_out = left_out(operand, excluded.iter(), false, Text::globbed);
            machine.read_walk(operand, true, &left_out);
            // It deletes what it has packed.
            if call.words.iter().any(|word| word.prefix() == "-sdel") {
                machine.write_below(operand);
            }
        }
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

/// Programs that pack folders: all below what they are given, where they are told of nothing to leave out.
pub fn packs(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let words: Values = std::iter::once(Text::literal(call.name))
        .chain(call.words.iter().cloned())
        .collect();
    super::unknown::unknown(machine, call.name, &words);
    let leaves_out = |word: &Text| {
        let text = word.prefix();
        matches!(text, "-e" | "-m" | "-x" | "-P" | "-X" | "-ignore") || text.contains("exclude")
    };
    if !call.words.iter().any(leaves_out) {
        let is_path = |word: &&Text| !word.prefix().starts_with('-');
        let paths = call.words.iter().filter(is_path);
        paths.for_each(|path| machine.read_below(path, true));
    }
    vec![Text::unknown()]
}

/// `gzip` and its like replace the file, unless they write to standard output.
pub fn compress(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    // `zstd` keeps the file as it is told to by the others' `-k`; `-o` names the other file.
    let makes_another = call.args.values("o").next().is_some();
    let keeps = call.args.has("c stdout to-stdout t test l list") || makes_another;
    let spares = call.args.has("k keep")
        || call.name.contains("zstd") && !call.args.has("rm")
        || call.name == "lz4" && !call.args.has("m");
    for operand in &call.args.operands {
        machine.read(operand);
        if !keeps && call.args.has("r recursive") {
            machine.write_below(operand);
        } else if !keeps {
            if !spares {
                machine.write(operand);
            }
            machine.write(&operand.joined(&Text::literal(".")).joined(&Text::run()));
        }
    }
    for file in call.args.values("o") {
        machine.write(file);
    }
    vec![Text::unknown()]
}
