//! Interpreters: where their code is (`python -c`, `node -e`, a here-document, a script that the line wrote), and what it
//! is given.

use super::Call;
use super::code::{Given, interpreted, spelled};
use super::folders;
use super::options::values;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};
use crate::effects::waits::Activity;

/// `python -c code`, `python -m module`, `python script`, `python <<E`
pub fn python(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let words = call.words;
    let at = words
        .iter()
        .position(|word| matches!(word.prefix(), "-c" | "-m"));
    let script = words
        .iter()
        .position(|word| !word.prefix().starts_with('-') || word.as_literal() == Some("-"));
    let mut output = vec![Text::unknown()];
    match at.filter(|at| script.is_none_or(|script| *at < script)) {
        Some(at) if words[at].prefix() == "-m" => {
            let module = words.get(at + 1..).unwrap_or(&[]);
            if module
                .first()
                .and_then(Text::as_literal)
                .is_some_and(super::knows)
            {
                machine.wrappers.push(call.name.to_owned());
                machine.words(module);
                machine.wrappers.pop();
            } else {
                machine.waiting.note(Activity::Work);
                archives(machine, module);
                converted(machine, module);
                machine.unknown_arguments(module);
            }
        }
        Some(at) => {
            let arguments = words.get(at + 2..).unwrap_or(&[]);
            if let Some(text) = words.get(at + 1) {
                let text = text.render_quotable();
                interpreted(machine, &text, &Given::to(machine, arguments));
                output = spelled(&text);
            }
            machine.unknown_arguments(arguments);
        }
        None => script_or_input(machine, words),
    }
    output
}

/// `python -m json.tool file output`, `python -m venv folder`
fn converted(machine: &mut Machine<'_>, module: &[Text]) {
    let Some((name, words)) = module.split_first() else {
        return;
    };
    let mut files = words.iter().filter(|word| !word.prefix().starts_with('-'));
    match name.prefix() {
        "json.tool" => files.skip(1).for_each(|file| machine.write(file)),
        "venv" | "virtualenv" => files.for_each(|folder| machine.write_below(folder)),
        "zipapp" => values(words, "-o").for_each(|file| machine.write(&file)),
        "lib2to3" if words.iter().any(|word| word.prefix() == "-w") => {
            files.by_ref().for_each(|file| machine.write(file));
        }
        _ => {}
    }
}

/// `python -m zipfile -e archive folder`, `python -m tarfile -c archive file …`
fn archives(machine: &mut Machine<'_>, module: &[Text]) {
    let [name, action, archive, files @ ..] = module else {
        return;
    };
    if !matches!(name.prefix(), "zipfile" | "tarfile") {
        return;
    }
    match action.prefix() {
        "-c" | "--create" => {
            machine.write(archive);
            files.iter().for_each(|file| machine.read_below(file, true));
        }
        "-e" | "--extract" => files.iter().for_each(|folder| machine.write_below(folder)),
        _ => {}
    }
}

/// `node -e code`, `perl -ne code file`, `ruby script`
pub fn script(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let evaluates = |word: &str| match call.name {
        "node" | "nodejs" | "bun" | "tsx" | "ts-node" => {
            matches!(word, "-e" | "-p" | "-pe" | "--eval" | "--print")
        }
        "deno" => word == "eval",
        "guile" => word == "-c",
        "php" => word == "-r",
        _ => {
            let cluster = word.strip_prefix('-').unwrap_or("");
            let loads = ['-', 'M', 'I']
                .iter()
                .any(|sign| cluster.starts_with(*sign));
            cluster.ends_with(['e', 'E'])
                && !loads
                && !(call.name == "ruby" && cluster.starts_with('r'))
        }
    };
    let Some(at) = call.words.iter().position(|word| evaluates(word.prefix())) else {
        script_or_input(machine, call.words);
        return vec![Text::unknown()];
    };
    let arguments = call.words.get(at + 2..).unwrap_or(&[]);
    // `ruby -run -e cp a b`
    if call.name == "ruby" && call.words[..at].iter().any(|word| word.prefix() == "-run") {
        let words: Vec<Text> = call.words[at + 1..]
            .iter()
            .filter(|word| word.prefix() != "--")
            .cloned()
            .collect();
        machine.words(&words);
        return vec![Text::unknown()];
    }
    if let Some(text) = call.words.get(at + 1) {
        let code = text.render_quotable();
        let code = if call.name == "perl" {
            let modules = call.words[..at].iter().map(Text::prefix);
            folders::plain_perl(modules.filter(|word| word.starts_with("-M")), &code)
        } else {
            code
        };
        let given = Given::to(machine, arguments);
        let by_line = call.words[..=at].iter().any(|word| {
            let flags = word.prefix().strip_prefix('-').unwrap_or("");
            !flags.starts_with(['-', 'M', 'I', 'r']) && flags.contains(['n', 'p'])
        });
        if by_line && matches!(call.name, "perl" | "ruby") {
            given.opened_by_line(machine, &code);
        }
        interpreted(machine, &code, &given);
    }
    let files = arguments
        .iter()
        .filter(|word| !word.prefix().starts_with('-'));
    let before = call.words[..=at].iter().map(Text::prefix);
    // `perl -pi -e code file` edits the file.
    let in_place = matches!(call.name, "perl" | "ruby")
        && before.clone().any(|word| {
            word.starts_with('-')
                && !word.starts_with("--")
                && word.contains('i')
                && !word.starts_with("-I")
        });
    for file in files {
        machine.read(file);
        if in_place {
            machine.write(file);
        }
    }
    call.words
        .get(at + 1)
        .map_or_else(|| vec![Text::unknown()], |text| spelled(&text.render()))
}

/// A script in a file, whose arguments are its own; or one from standard input.
fn script_or_input(machine: &mut Machine<'_>, words: &[Text]) {
    machine.unknown_arguments(words);
    let is_input = |word: &Text| matches!(word.as_literal(), Some("-" | "/dev/stdin"));
    let script = words
        .iter()
        .position(|word| is_input(word) || !word.prefix().starts_with('-'));
    let arguments = words.get(script.map_or(words.len(), |at| at + 1)..);
    let arguments = arguments.unwrap_or(&[]);
    if let Some(file) = script.map(|at| &words[at]).filter(|file| !is_input(file)) {
        if let Some(text) = machine.remembered_script(file) {
            interpreted(machine, &text, &Given::to(machine, arguments));
        }
        machine.waiting.note(Activity::Work);
        return;
    }
    let Some(texts) = machine.stdin.take() else {
        return machine.waiting.note(Activity::Work);
    };
    let given = Given::to(machine, arguments);
    for text in texts {
        interpreted(machine, &text.render(), &given);
    }
}
