//! Programs that read, list, change or remove their operands.

use super::Call;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, Text, Values};
use crate::effects::waits::Activity;

/// Reads all operands; without any it passes its input on.
pub fn reads(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let files = call
        .args
        .operands
        .iter()
        .filter(|operand| operand.as_literal() != Some("-"));
    let mut any = false;
    let mut made = Values::new();
    for file in files {
        machine.read(file);
        made.extend(machine.lines_in(file));
        any = true;
    }
    reads_of_lists(machine, call);
    if let Some(count) = call.args.values("c bytes").next() {
        return super::filters::ends(machine, call, count);
    }
    if !made.is_empty() && matches!(call.name, "cat" | "head" | "tail" | "tac") {
        return made;
    }
    let passes = !any
        && matches!(
            call.name,
            "cat"
                | "head"
                | "tail"
                | "tac"
                | "nl"
                | "less"
                | "more"
                | "shuf"
                | "column"
                | "pv"
                | "ts"
        );
    passed(machine, passes)
}

/// `tail`: one that follows what never grows only waits.
pub fn tail(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let endless = |file: &Text| file.as_literal() == Some("/dev/null");
    let files = &call.args.operands;
    if call.args.has("f F follow") && !files.is_empty() && files.iter().all(endless) {
        machine.waiting.sleep(None);
        return Values::new();
    }
    machine.waiting.note(Activity::Read);
    reads(machine, call)
}

/// `man`: a page is a file where its name has a slash.
pub fn pages(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let is_file = |page: &&Text| call.args.has("l local-file") || page.contains(|c| c == '/');
    let files = call.args.operands.iter().filter(is_file);
    files.for_each(|file| machine.read(file));
    vec![Text::unknown()]
}

/// The input of the program, if it goes through it.
pub fn passed(machine: &Machine<'_>, passes: bool) -> Values {
    machine
        .stdin
        .clone()
        .filter(|_| passes)
        .unwrap_or_else(|| vec![Text::unknown()])
}

/// Reads the files that the value of `--files0-from` lists.
fn reads_of_lists(machine: &mut Machine<'_>, call: &Call<'_>) {
    for list in call.args.values("files0-from") {
        machine.read(list);
        for file in machine.lines_in(list) {
            machine.read(&file);
        }
    }
}

/// Reads the files that its options name; its other words are prose.
pub fn reads_of_options(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    for file in call
        .args
        .values("F body-file input")
        .filter(|file| file.as_literal() != Some("-"))
    {
        machine.read(file);
    }
    if let [first, second, files @ ..] = &call.args.operands[..]
        && first.prefix() == "gist"
        && second.prefix() == "create"
    {
        files.iter().for_each(|file| machine.read(file));
    }
    vec![Text::unknown()]
}

/// `sort`: reads its operands; `-o` writes.
pub fn sort(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    for file in &call.args.operands {
        machine.read(file);
    }
    let output = passed(machine, call.args.operands.is_empty());
    for file in call.args.values("o output") {
        machine.write(file);
        machine.remember_file(file, &output);
    }
    reads_of_lists(machine, call);
    output
}

/// The guard's own commands: `report --html` writes.
pub fn guard(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    for page in call.args.values("html") {
        machine.write(page);
    }
    vec![Text::run()]
}

/// `uniq in out`
pub fn uniq(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if let Some(file) = call.args.operands.first() {
        machine.read(file);
    }
    if let Some(file) = call.args.operands.get(1) {
        machine.write(file);
    }
    passed(machine, call.args.operands.is_empty())
}

/// `split file prefix`
pub fn split(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if let Some(file) = call.args.operands.first() {
        machine.read(file);
    }
    // What follows the file of `csplit` is no prefix.
    let prefix = if call.name == "split" {
        call.args.operands.get(1)
    } else {
        call.args.values("f prefix").next()
    };
    let prefix = prefix.cloned().unwrap_or_else(|| Text::literal("x"));
    machine.write(&prefix.joined(&Text::run()));
    Values::new()
}

/// `diff`: reads both; with `-r` everything below.
pub fn compare(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let recursive = call.args.has("r recursive");
    for operand in &call.args.operands {
        if recursive {
            machine.read_below(operand, true);
        } else {
            machine.read(operand);
        }
    }
    vec![Text::unknown()]
}

/// Lists all operands, or the folder it is in; gives the names that it prints.
pub fn lists(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let here = [Text::literal(".")];
    let operands = if call.args.operands.is_empty() {
        &here[..]
    } else {
        &call.args.operands
    };
    let mut names = Values::new();
    if call.args.has("fromfile") {
        operands.iter().for_each(|file| machine.read(file));
    }
    for operand in operands {
        if matches!(call.name, "tree" | "du") {
            machine.list_below(operand);
            let mut below = operand.joined(&Text::literal("/"));
            below.push(Atom::Below { hidden: true });
            names.push(below);
        } else {
            machine.list(operand);
            names.push(operand.clone());
        }
    }
    names
}

/// `rm`
pub fn remove(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let recursive = call.args.has("r R recursive s") || call.name.starts_with("trash");
    for operand in &call.args.operands {
        change(machine, operand, recursive);
    }
    Values::new()
}

pub fn change(machine: &mut Machine<'_>, path: &Text, recursive: bool) {
    if recursive {
        machine.write_below(path);
    } else {
        machine.write(path);
    }
}

/// Changes all operands.
pub fn writes(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    for operand in &call.args.operands {
        machine.write(operand);
    }
    Values::new()
}

/// `chmod mode file …`: the first operand is no path unless another file is the model.
pub fn change_mode(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let recursive = call.args.has("R recursive");
    // A mode such as `-w` looks like an option.
    let skip = usize::from(
        !call.args.has("reference") && !call.words.first().is_some_and(is_removed_mode),
    );
    for operand in call.args.operands.iter().skip(skip) {
        change(machine, operand, recursive);
    }
    Values::new()
}

fn is_removed_mode(word: &Text) -> bool {
    word.prefix().strip_prefix('-').is_some_and(|mode| {
        !mode.is_empty() && mode.bytes().all(|b| b"rwxXstugoa,+-=".contains(&b))
    })
}

/// `tee`: writes its operands and passes its input on.
pub fn tee(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    writes(machine, call);
    let output = passed(machine, true);
    for operand in &call.args.operands {
        machine.remember_file(operand, &output);
    }
    output
}

/// `cpio`: reads the files that standard input names, or unpacks into a folder.
pub fn named_by_input(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if call.args.has("o p create pass-through") {
        for file in crate::effects::builtins::lines(&machine.stdin.clone().unwrap_or_default()) {
            machine.read(&file);
        }
    } else if !call.args.has("t list") {
        let folder = call.args.values("D directory").next().cloned();
        let folder = folder.unwrap_or_else(|| Text::literal("."));
        machine.write(&folder.joined(&Text::literal("/")).joined(&Text::unknown()));
    }
    let copies = call.args.has("p pass-through");
    let packs = call.args.has("o create");
    let archives = call.args.values("F O file").filter(|_| packs);
    archives.for_each(|archive| machine.write(archive));
    for file in &call.args.operands {
        machine.named(file);
        if copies {
            machine.write_below(file);
        }
    }
    vec![Text::unknown()]
}

/// `ar r archive member …`: its letters tell whether it changes the archive.
pub fn library(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut words = call
        .words
        .iter()
        .filter(|word| !word.prefix().starts_with("--"));
    let letters = words.next().map_or("", Text::prefix);
    if let Some(archive) = words.next() {
        machine.read(archive);
        if letters.contains(['r', 'q', 'd', 'm', 's']) {
            machine.write(archive);
        }
    }
    words.for_each(|member| machine.named(member));
    vec![Text::unknown()]
}

/// `socat from to`: addresses that name files or lines.
pub fn relay(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    for (at, address) in call.args.operands.iter().enumerate() {
        let kind = address.prefix().split(':').next().unwrap_or("");
        let rest = address.without_prefix(kind.len() + 1);
        let value = rest
            .split(|c| c == ',')
            .into_iter()
            .next()
            .unwrap_or_default();
        match kind.to_ascii_uppercase().as_str() {
            "EXEC" | "SYSTEM" | "SHELL" => machine.line_of_option(&value),
            "CREATE" | "CREAT" => machine.write(&value),
            "OPEN" | "FILE" | "GOPEN" => {
                machine.read(&value);
                if at > 0 {
                    machine.write(&value);
                }
            }
            _ => machine.named(address),
        }
    }
    vec![Text::unknown()]
}

/// Hands its operands on.
pub fn names(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    // The subcommands that write what they are given.
    const WRITE: [(&str, &str); 4] = [
        ("cargo", "fmt"),
        ("cargo", "new"),
        ("cargo", "init"),
        ("dotnet", "format"),
    ];
    if let [command, files @ ..] = &call.args.operands[..]
        && WRITE.contains(&(call.name, command.prefix()))
    {
        files.iter().for_each(|file| machine.write(file));
    }
    call.args
        .operands
        .iter()
        .for_each(|word| machine.named(word));
    vec![Text::unknown()]
}

/// `make`: runs the recipes of a Makefile that the line made.
pub fn make(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    const DEFAULTS: [&str; 3] = ["Makefile", "makefile", "GNUmakefile"];
    let outer = machine.state.folders.clone();
    for folder in call.args.values("C directory") {
        machine.state.folders = machine.folders_of(folder);
    }
    let mut lines: Values = call.args.values("eval").cloned().collect();
    // `make CC='cat x'`: a value is a line where it begins with a program.
    for word in &call.args.operands {
        if let Some((name, _)) = word.prefix().split_once('=') {
            let value = word.without_prefix(name.len() + 1);
            if super::unknown::is_line(&value) {
                machine.line_of_option(&value);
            }
        }
    }
    let named: Values = call.args.values("f file makefile").cloned().collect();
    named.iter().for_each(|file| machine.read(file));
    for file in named.into_iter().chain(DEFAULTS.map(Text::literal)) {
        lines.extend(machine.lines_in(&file));
    }
    for line in lines {
        let line = line.render();
        make_functions(machine, &line);
        let recipe = line
            .strip_prefix('\t')
            .or_else(|| Some(line.split_once(';')?.1));
        if let Some(recipe) = recipe.map(|recipe| recipe.trim_start_matches(['@', '-', '+', ' '])) {
            machine.may_run(recipe);
        }
    }
    names(machine, call);
    machine.state.folders = outer;
    vec![Text::unknown()]
}

/// `$(shell line)`, `$(file < name)` and `$(file > name,text)` run when the line is read.
fn make_functions(machine: &mut Machine<'_>, line: &str) {
    for (at, _) in line.match_indices("$(") {
        let inside = &line[at + 2..];
        let inside = &inside[..inside.rfind(')').unwrap_or(inside.len())];
        if let Some(command) = inside.strip_prefix("shell ") {
            machine.may_run(command.trim_end_matches(')'));
        }
        let Some(file) = inside.strip_prefix("file ").map(str::trim_start) else {
            continue;
        };
        let name = file.trim_start_matches(['<', '>', ' ']);
        let name = Text::literal(name.split([',', ')']).next().unwrap_or(""));
        if file.starts_with('>') {
            machine.write(&name);
        } else {
            machine.read(&name);
        }
    }
}

/// `mount --bind folder name`: another name for the folder.
pub fn mount(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if call.args.has("bind rbind B R")
        || call
            .args
            .values("o options")
            .any(|options| options.prefix().contains("bind"))
    {
        return super::copying::link(machine, call);
    }
    vec![Text::unknown()]
}
