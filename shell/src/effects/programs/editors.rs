//! Editors: they read and write their operands, and their commands other files.

use super::Call;
use super::code::{Given, interpreted};
use super::options::values;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};
use crate::words::lists;

/// The editors whose standard input is a script.
const SCRIPTED: [&str; 3] = ["ed", "ex", "vi"];

/// An editor that shows its files; its commands may write others.
pub fn views(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let (commands, files) = commands_and_files(call);
    files.into_iter().for_each(|file| machine.read(file));
    run_commands(machine, call, &commands);
    Values::new()
}

/// An editor.
pub fn edits(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let (commands, files) = commands_and_files(call);
    let lines: Vec<String> = script(machine, call, &commands)
        .iter()
        .map(Text::render)
        .collect();
    let any_saves = lines.iter().any(|text| text.split(['\n', '|']).any(saves));
    let only_shows = call.args.has("R M") && !any_saves || only_prints(machine, call, &commands);
    for file in files {
        if file.prefix().starts_with('!') {
            machine.line_of_option(&file.without_prefix(1));
            continue;
        }
        machine.read(file);
        if !only_shows {
            machine.write(file);
        }
    }
    run_commands(machine, call, &commands);
    Values::new()
}

/// The operands: commands that begin with `+`, and files.
fn commands_and_files<'c>(call: &'c Call<'_>) -> (Vec<&'c Text>, Vec<&'c Text>) {
    let operands = call.args.operands.iter();
    operands.partition(|operand| operand.prefix().starts_with('+'))
}

/// Whether an editor that is run by a script (`ed -s`, `vim -es`) prints and saves nothing.
fn only_prints(machine: &Machine<'_>, call: &Call<'_>, commands: &[&Text]) -> bool {
    let is_scripted = match call.name {
        "ed" => true,
        "ex" => call.args.has("s"),
        _ => call.words.iter().any(|word| word.prefix() == "-es"),
    };
    let script = script(machine, call, commands);
    is_scripted
        && !script.is_empty()
        && script.iter().all(|text| {
            let prints = |line: &str| {
                let command = line.trim_start_matches(is_address).trim_end_matches('!');
                matches!(
                    command,
                    "" | "p" | "n" | "l" | "=" | "q" | "quit" | "qa" | "P" | "H"
                )
            };
            text.as_literal()
                .is_some_and(|text| text.split(['\n', '|']).all(prints))
        })
}

/// The commands that an editor gets.
fn script(machine: &Machine<'_>, call: &Call<'_>, commands: &[&Text]) -> Values {
    let given = ["-c", "--cmd"].map(|option| values(call.words, option));
    let mut script: Values = given.into_iter().flatten().collect();
    script.extend(commands.iter().map(|command| command.without_prefix(1)));
    for file in ["-S", "-s"].map(|option| values(call.words, option)) {
        script.extend(file.flat_map(|file| machine.lines_in(&file)));
    }
    if SCRIPTED.contains(&call.name) {
        script.extend(machine.stdin.clone().unwrap_or_default());
    }
    script
}

fn run_commands(machine: &mut Machine<'_>, call: &Call<'_>, commands: &[&Text]) {
    let script = script(machine, call, commands);
    let commands: Vec<String> = script.iter().map(Text::render).collect();
    let commands = || commands.iter().flat_map(|text| text.split('\n'));
    let saves = commands().any(saves);
    let outer = machine.state.folders.clone();
    commands().for_each(|line| command(machine, line, saves));
    machine.state.folders = outer;
}

/// Whether a command writes the files that are open: `w`, `wqa`, `argdo %s/a/b/ | update`.
fn saves(command: &str) -> bool {
    let last = command.rsplit('|').next().unwrap_or("").trim();
    let name = last.trim_start_matches(is_address);
    lists(SAVE, name.trim_end_matches('!'))
}

/// The commands that write the files that are open.
const SAVE: &str = "w write wa wall wq wqa wqall x xa xall xit up update ZZ";

/// The commands that open files.
const OPEN: &str = "f file r read e edit so source tabe tabedit tabnew new vnew sp split vs vsplit n next ar args arge argedit arga argadd cf cfile cg cgetfile lf lfile";

fn is_address(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ':' | ' ' | '%' | '$' | ',' | '.' | '+' | '-')
}

/// A command of an editor: `!line`, `r file`, `r !line`, `w file`, `call system('line')`. What it opens is changed where
/// the script `saves`.
fn command(machine: &mut Machine<'_>, text: &str, saves: bool) {
    let text = text.trim_start_matches(is_address);
    if let Some(line) = text.strip_prefix('!') {
        return machine.line_of_option(&Text::literal(line));
    }
    if text.contains('(') {
        return interpreted(machine, text, &Given::default());
    }
    let Some((name, value)) = text.split_once(' ') else {
        return;
    };
    let value = value.trim();
    if let Some(line) = value.strip_prefix('!') {
        return machine.line_of_option(&Text::literal(line));
    }
    let file = Text::literal(value);
    match name.trim_end_matches('!') {
        "w" | "write" | "W" | "sav" | "saveas" | "wq" | "x" | "up" | "mks" | "mksession" => {
            machine.write(&file);
        }
        "redir" => {
            let file = value.trim_start_matches(['>', ' ']).split(' ').next();
            machine.write(&Text::literal(file.unwrap_or("")));
        }
        "cd" | "lcd" | "chdir" => machine.state.folders = machine.folders_of(&file.globbed()),
        "ter" | "term" | "terminal" => machine.line_of_option(&file),
        "gr" | "grep" | "vim" | "vimgrep" | "lgr" | "lgrep" | "lv" | "lvimgrep" | "grepa"
        | "grepadd" => {
            for file in file.globbed().split(|c| c == ' ').iter().skip(1) {
                machine.read(file);
            }
        }
        name if lists(OPEN, name) => {
            for file in file.globbed().split(|c| c == ' ') {
                machine.read(&file);
                if saves {
                    machine.write(&file);
                }
            }
        }
        _ => {}
    }
}
