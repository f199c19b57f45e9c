//! Database shells: statements and commands that name files in quotes or as bare words.

use super::Call;
use crate::effects::builtins::lines;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// What a statement that changes a database says.
const CHANGES: [&str; 8] = [
    "insert ", "update ", "delete ", "drop ", "create ", "alter ", "replace ", "vacuum",
];

/// Whether a text in small letters has a statement that changes a database.
pub fn changes(lower: &str) -> bool {
    CHANGES.iter().any(|sign| lower.contains(sign))
}

/// Whether code in another language changes a database that it opens.
pub fn changes_in_code(code: &str) -> bool {
    code.contains("connect(") && changes(&code.to_ascii_lowercase())
}

/// `sqlite3 file statement …`
pub fn statements(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut statements: Values = call.words.to_vec();
    statements.extend(lines(machine.stdin.as_deref().unwrap_or_default()));
    for statement in &statements {
        match statement.prefix().strip_prefix('.') {
            Some(command) if command.starts_with(|c: char| c.is_ascii_lowercase()) => {
                shell_command(machine, statement);
            }
            _ => sql(machine, call, statement),
        }
    }
    // `sqlite3 x.db -Ac folder`: an archive of all below.
    let packs =
        |word: &Text| word.prefix().starts_with("-A") && word.prefix().contains(['c', 'i', 'u']);
    if call.name == "sqlite3" && call.words.iter().any(packs) {
        let folders = call.args.operands.iter().skip(1);
        folders.for_each(|folder| machine.read_below(folder, true));
    }
    vec![Text::unknown()]
}

/// `.shell line`, `.output file`, `.read file`
fn shell_command(machine: &mut Machine<'_>, command: &Text) {
    let name = command.prefix().split(' ').next().unwrap_or("");
    let value = command.without_prefix(name.len() + 1);
    match &name[1..] {
        "ar" | "archive" => pieces(&value)
            .iter()
            .for_each(|piece| machine.read_below(piece, true)),
        "shell" | "system" => machine.line_of_option(&value),
        "output" | "once" | "log" | "save" | "backup" | "read" | "import"
            if value.prefix().starts_with('|') =>
        {
            machine.line_of_option(&value);
        }
        "output" | "once" | "log" | "save" | "backup" => machine.write(&value),
        "read" | "open" | "restore" => machine.read(&value),
        // `.import file table`, and a file whose name begins with a dot.
        _ => pieces(command)
            .iter()
            .for_each(|piece| machine.named(piece)),
    }
}

fn sql(machine: &mut Machine<'_>, call: &Call<'_>, statement: &Text) {
    pieces(statement)
        .iter()
        .for_each(|piece| machine.named(piece));
    if !statement.contains(|c| c == ' ') {
        return;
    }
    let text = statement.render();
    let lower = text.to_ascii_lowercase();
    if let Some(walked) = lower.find("fsdir(").and_then(|at| text.get(at..)) {
        let end = walked.find(')').unwrap_or(walked.len());
        for folder in pieces(&Text::literal(&walked[..end])) {
            machine.read_below(&folder, true);
        }
    }
    if changes(&lower) {
        call.args
            .operands
            .first()
            .into_iter()
            .for_each(|file| machine.write(file));
    }
    // `COPY … TO 'file'`, `writefile('file', …)`
    // `ATTACH 'file' AS name`, `VACUUM INTO 'file'`
    let attached = ["attach ", "vacuum into "]
        .into_iter()
        .filter(|_| changes(&lower));
    let target = ["copy ", "writefile(", "outfile "]
        .into_iter()
        .chain(attached)
        .filter_map(|sign| lower.find(sign))
        .min()
        .and_then(|at| text.get(at..));
    let target = target.map(|rest| match rest.to_ascii_lowercase().rfind(" to ") {
        Some(to) => rest.get(to..).unwrap_or(rest),
        None => rest,
    });
    for piece in pieces(&Text::literal(target.unwrap_or(""))) {
        machine.write(&piece);
    }
}

/// The parts of a statement that may be paths.
fn pieces(statement: &Text) -> Values {
    let separator = |c: char| matches!(c, ' ' | '\'' | '"' | '(' | ')' | ';' | ',');
    let pieces = statement.split(separator).into_iter();
    pieces
        .filter(|piece| piece.contains(|c| matches!(c, '/' | '.')))
        .collect()
}
