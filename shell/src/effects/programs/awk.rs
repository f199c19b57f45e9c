//! `awk`: its program opens files and runs lines, whose names stand in it or come from outside.

use super::Call;
use super::code::{self, Given, Says};
use super::filters::lines_of;
use super::pauses;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// `awk`: a program, then files and assignments.
pub fn awk(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let has_program = call.args.has("f file");
    let included = call.args.values("i include l load");
    let mut in_place = included.into_iter().any(|what| what.prefix() == "inplace");
    let (assigned, files): (Vec<&Text>, Vec<&Text>) = call
        .args
        .operands
        .iter()
        .skip(usize::from(!has_program))
        .partition(|word| is_assignment(word));
    let program = program(machine, call, has_program);
    in_place |= program.contains("@include \"inplace\"");
    if let Some(pause) = pauses::only_waits(&program) {
        machine.waiting.sleep(pause);
    } else if opens(&program) {
        let assignments = call.args.values("v assign").chain(assigned);
        let variables: Vec<(String, Text)> = assignments.filter_map(variable).collect();
        let program = with_values(&program, &variables, &files);
        let names = files.iter().map(|file| (*file).clone()).collect();
        let given = Given {
            variables,
            ..Given::to(machine, &[])
        };
        code::act(machine, &program, &given, says(&program));
        redirected(machine, &program, names);
    }
    for file in &files {
        machine.read(file);
        if in_place {
            machine.write(file);
        }
    }
    let input = machine.stdin.clone().filter(|_| files.is_empty());
    printed(call, &program, &input.unwrap_or_default())
}

/// The program with the values that it joins to texts as texts: `h "/x"`, `"cp a " FILENAME`.
fn with_values(program: &str, variables: &[(String, Text)], files: &[&Text]) -> String {
    let mut joined = program.replace("ENVIRON[\"HOME\"] \"", "\"~");
    let known = variables
        .iter()
        .filter_map(|(name, value)| Some((name.as_str(), value.as_literal()?)));
    let file = files.first().and_then(|file| file.as_literal());
    for (name, value) in known.chain(file.map(|file| ("FILENAME", file))).take(16) {
        if value.contains(['"', '\\']) || joined.len() + value.len() * 16 > 1 << 16 {
            continue;
        }
        for before in [' ', '('] {
            joined = joined.replacen(
                &format!("{before}{name} \""),
                &format!("{before}\"{value}"),
                8,
            );
        }
        joined = joined.replacen(&format!("\" {name}"), &format!("{value}\""), 8);
    }
    joined
}

/// What the program prints: a field of each line for `{print $2}`, else perhaps a text in it.
fn printed(call: &Call<'_>, program: &str, input: &[Text]) -> Values {
    let separator = call.args.values("F field-separator").next();
    let separator = separator.map_or("", Text::prefix);
    let fields = |line: &str| -> Vec<String> {
        let split = |c: char| {
            if separator.is_empty() {
                c.is_whitespace()
            } else {
                separator.contains(c)
            }
        };
        let fields = line.split(split).filter(|field| !field.is_empty());
        fields.map(str::to_owned).collect()
    };
    let statement = program.trim().trim_matches(['{', '}']).trim();
    let field = statement.strip_prefix("print").map(str::trim_start);
    match field.and_then(|field| field.strip_prefix('$')) {
        Some("0") => input.to_vec(),
        Some("NF") => lines_of(input, |line| fields(line).pop().unwrap_or_default()),
        Some(number) if number.parse::<usize>().is_ok() => {
            let index = number.parse::<usize>().unwrap_or(1).max(1) - 1;
            lines_of(input, |line| {
                fields(line).into_iter().nth(index).unwrap_or_default()
            })
        }
        _ => match text_of(program) {
            Some(text) => vec![Text::literal(text)],
            None => code::spelled(program),
        },
    }
}

/// The text that is all that the program prints: `BEGIN { print "x" }`.
fn text_of(program: &str) -> Option<&str> {
    let statement = program.trim().trim_start_matches("BEGIN").trim();
    let statement = statement.strip_prefix('{')?.strip_suffix('}')?.trim();
    let text = statement
        .strip_prefix("print")?
        .trim()
        .strip_prefix('"')?
        .strip_suffix('"')?;
    (!text.contains(['"', '\\'])).then_some(text)
}

/// The program: the first operand, or what the line made of a file.
fn program(machine: &mut Machine<'_>, call: &Call<'_>, has_program: bool) -> String {
    if !has_program {
        return call
            .args
            .operands
            .first()
            .map_or_else(String::new, Text::render);
    }
    let mut program = Vec::new();
    for file in call.args.values("f file") {
        if file.as_literal() != Some("-") {
            machine.read(file);
        }
        program.extend(machine.lines_in(file).iter().map(Text::render));
    }
    program.join("\n")
}

/// Whether a program opens files or runs something: by a redirection, a pipe or a call.
fn opens(program: &str) -> bool {
    let signs = ["getline", "system(", "ARGV", "@include", "@load"];
    signs.iter().any(|sign| program.contains(sign))
        || prints(program).any(|statement| statement.contains(['>', '|']))
}

/// The statements that print.
fn prints(program: &str) -> impl Iterator<Item = &str> {
    program
        .match_indices("print")
        .map(|(at, _)| program[at..].split(['\n', ';', '}']).next().unwrap_or(""))
}

/// What a program does with the names in it.
fn says(program: &str) -> Says {
    let pipes = || prints(program).any(|statement| statement.contains('|'));
    let reads_pipe = || {
        program
            .match_indices('|')
            .any(|(at, _)| program[at + 1..].trim_start().starts_with("getline"))
    };
    Says {
        opens: true,
        changes: prints(program).any(|statement| statement.contains('>')),
        runs: program.contains("system(") || pipes() || reads_pipe(),
    }
}

/// Files whose names the program does not spell: `print > FILENAME`.
fn redirected(machine: &mut Machine<'_>, program: &str, files: Values) {
    let to_input = prints(program).any(|statement| {
        let target = statement.rsplit('>').next().unwrap_or("");
        let target = target.trim_start();
        statement.contains('>') && (target.starts_with("FILENAME") || target.starts_with("ARGV["))
    });
    if to_input {
        files.iter().for_each(|file| machine.write(file));
    }
}

fn is_assignment(word: &Text) -> bool {
    let first = word.prefix().split('/').next();
    first.is_some_and(|first| first.contains('='))
}

/// `name=value`
fn variable(assignment: &Text) -> Option<(String, Text)> {
    let (name, _) = assignment.prefix().split_once('=')?;
    Some((name.to_owned(), assignment.without_prefix(name.len() + 1)))
}
