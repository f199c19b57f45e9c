//! Editors: they read and write their operands, and their commands other files.

use super::Call;
use super::code::{Given, interpreted};
use super::options::values;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// The editors whose standard input is a script.
const SCRIPTED: [&str; 3] = ["ed", "ex", "vi"];

/// An editor.
pub fn edits(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let (commands, files): (Vec<&Text>, Vec<&Text>) = call
        .args
        .operands
        .iter()
        .partition(|operand| operand.prefix().starts_with('+'));
    for file in files {
        machine.read(file);
        machine.write(file);
    }
    let given = ["-c", "--cmd"].map(|option| values(call.words, option));
    let mut script: Values = given.into_iter().flatten().collect();
    script.extend(commands.iter().map(|command| command.without_prefix(1)));
    if SCRIPTED.contains(&call.name) {
        script.extend(machine.stdin.clone().unwrap_or_default());
    }
    for text in script {
        text.render()
            .split('\n')
            .for_each(|line| command(machine, line));
    }
    Values::new()
}

/// A command of an editor: `!line`, `r file`, `r !line`, `w file`, `call system('line')`.
fn command(machine: &mut Machine<'_>, text: &str) {
    let is_address =
        |c: char| c.is_ascii_digit() || matches!(c, ':' | ' ' | '%' | '$' | ',' | '.' | '+' | '-');
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
        "w" | "write" | "W" | "sav" | "saveas" | "wq" | "x" | "up" => machine.write(&file),
        "r" | "read" | "e" | "edit" | "so" | "source" | "tabe" | "sp" | "vs" => machine.read(&file),
        _ => {}
    }
}
