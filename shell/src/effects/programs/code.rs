//! Code on the command line (`python -c`, `node -e`, a here-document for an interpreter): the texts in quotes in it
//! are taken for paths where the code opens files, and for lines of the shell where it runs programs.

use super::Call;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};
use crate::effects::waits::{Activity, seconds};

/// What code that opens, lists or runs something says.
#[rustfmt::skip]
const OPENS: &[&str] = &[
    "open(", "open (", ".read", "read(", "readFile", "Path(", "glob(", "glob.", "walk(", "listdir", "scandir", "shutil",
    "fs.", "File.", "File(", "IO.", "Dir.", "file_get", "file_put", "unlink", "remove(", "rename(", ".write", "writeFile",
    "load(", "fopen", "readfile(", "file(", "io.", "require(", "getline", "print >", "<$", "Deno.", "Bun.", "> \"", "truncate", "fileinput", "os.replace",
    "chmod", "symlink", "os.link", "linkSync", "mkdir", "makedirs", "cpSync", "rename", ".exec",
];

/// What code that changes files says.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "'w'", "\"w\"", "'a'", "\"a\"", "'x'", "\"x\"", "'wb'", "\"wb\"", "'ab'", "'w+'", "\"w+\"", "'r+'",
    "\"r+\"", "'wt'", "\"wt\"", ".write_text", ".write_bytes", "writeFile", "appendFile", "createWriteStream",
    "unlink", "os.remove", ".remove(", "rmtree", "os.rename", "os.replace", "renameSync", "rmSync", "fs.rm",
    "shutil.move", "shutil.copy", "copyFile", "truncate", "mkdir", ".touch(", "chmod", "file_put_contents",
    "File.write", "FileUtils", "'>", "\">", ".rename(", "print >",
    "inplace", "symlink", "os.link", "linkSync", "makedirs", "cpSync", "rename ", "O_WRONLY", "O_RDWR", "O_TRUNC",
];

/// What code that runs other programs says.
#[rustfmt::skip]
const RUNS: &[&str] = &[
    "system(", "system (", "subprocess", "popen", "exec(", "execSync", "execFile", "spawn", "`", "shell", "Bun.$", "system '", "system \"",
];

/// `python -c code`, `python -m module`, `python script`, `python <<E`
pub fn python(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let words = call.words;
    let at = words
        .iter()
        .position(|word| matches!(word.prefix(), "-c" | "-m"));
    let script = words
        .iter()
        .position(|word| !word.prefix().starts_with('-') || word.as_literal() == Some("-"));
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
                machine.unknown_arguments(module);
            }
        }
        Some(at) => {
            if let Some(text) = words.get(at + 1) {
                let text = text.render();
                code(machine, &text);
                let arguments = words.get(at + 2..).unwrap_or(&[]);
                changed_arguments(machine, &text, arguments);
            }
            machine.unknown_arguments(words.get(at + 2..).unwrap_or(&[]));
        }
        None => script_or_input(machine, words),
    }
    vec![Text::unknown()]
}

/// `node -e code`, `perl -ne code file`, `ruby script`
pub fn script(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let evaluates = |word: &str| match call.name {
        "node" | "nodejs" | "bun" | "tsx" | "ts-node" => {
            matches!(word, "-e" | "-p" | "-pe" | "--eval" | "--print")
        }
        "deno" => word == "eval",
        "php" => word == "-r",
        _ => word.starts_with('-') && !word.starts_with("--") && word.ends_with(['e', 'E']),
    };
    let Some(at) = call.words.iter().position(|word| evaluates(word.prefix())) else {
        script_or_input(machine, call.words);
        return vec![Text::unknown()];
    };
    if let Some(text) = call.words.get(at + 1) {
        code(machine, &text.render());
    }
    let files = call
        .words
        .get(at + 2..)
        .unwrap_or(&[])
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
    if let Some(text) = call.words.get(at + 1) {
        changed_arguments(
            machine,
            &text.render(),
            call.words.get(at + 2..).unwrap_or(&[]),
        );
    }
    for file in files {
        machine.read(file);
        if in_place {
            machine.write(file);
        }
    }
    vec![Text::unknown()]
}

/// A script in a file, whose arguments are its own; or one from standard input.
fn script_or_input(machine: &mut Machine<'_>, words: &[Text]) {
    machine.unknown_arguments(words);
    if let Some(script) = words.iter().find(|word| !word.prefix().starts_with('-')) {
        if let Some(text) = machine.remembered_file(script) {
            code(machine, &text);
        }
        machine.waiting.note(Activity::Work);
        return;
    }
    match machine.stdin.take() {
        Some(texts) => texts.iter().for_each(|text| code(machine, &text.render())),
        None => machine.waiting.note(Activity::Work),
    }
}

/// Notes what a piece of code does, as far as the texts in it show.
pub fn code(machine: &mut Machine<'_>, code: &str) {
    machine.work(code.len() / 16);
    if let Some(pause) = only_sleeps(code) {
        machine.waiting.sleep(pause);
        return;
    }
    machine.waiting.note(Activity::Work);
    let says = |words: &[&str]| words.iter().any(|word| code.contains(word));
    let quiet = code.replace("stdout.write", "").replace("stderr.write", "");
    let opens = OPENS.iter().any(|word| quiet.contains(word));
    if !opens && !says(RUNS) {
        return;
    }
    let changes = CHANGES.iter().any(|word| quiet.contains(word));
    let runs = says(RUNS);
    let deep = says(&["walk(", "rglob(", "copytree(", "make_archive(", "cpSync("]);
    let texts = texts(code);
    if runs {
        run_lists(machine, &texts);
    }
    for Quoted {
        text, only_read, ..
    } in texts
    {
        if runs && text.contains(' ') {
            machine.perhaps(|machine| machine.apart(|machine| machine.run_text(&text)));
        }
        let Some(path) = path_in(machine, &text) else {
            continue;
        };
        if deep {
            machine.read_below(&path, true);
        } else {
            machine.read(&path);
        }
        if changes && !only_read {
            machine.write(&path);
        }
    }
}

/// The arguments of code that changes files and takes their names from its arguments.
fn changed_arguments(machine: &mut Machine<'_>, code: &str, arguments: &[Text]) {
    const TAKES: [&str; 4] = ["argv", "ARGV", "shift", "$0"];
    let quiet = code.replace("stdout.write", "").replace("stderr.write", "");
    if TAKES.iter().any(|word| code.contains(word))
        && CHANGES.iter().any(|word| quiet.contains(word))
    {
        let paths = arguments
            .iter()
            .filter(|word| !word.prefix().starts_with('-'));
        paths.for_each(|path| machine.write(path));
    }
}

/// Runs the lists of texts that begin with the name of a program: `run(['rm', 'x'])`.
fn run_lists(machine: &mut Machine<'_>, texts: &[Quoted]) {
    let single: Vec<&Quoted> = texts.iter().filter(|quoted| !quoted.joined).collect();
    let mut at = 0;
    while let Some(first) = single.get(at) {
        let length = 1 + single[at + 1..]
            .iter()
            .take_while(|quoted| quoted.listed)
            .count();
        if length > 1 && super::knows(super::base_name(&first.text)) {
            let words: Vec<Text> = single[at..at + length]
                .iter()
                .map(|quoted| Text::literal(quoted.text.as_str()))
                .collect();
            machine.perhaps(|machine| machine.apart(|machine| machine.words(&words)));
        }
        at += length;
    }
}

/// The text as a path, if it looks like one.
fn path_in(machine: &Machine<'_>, text: &str) -> Option<Text> {
    let looks = text.contains(['/', '.', '\\']) || text.len() > 4 && !text.contains(' ');
    if !looks || text.contains('\n') || text.len() > 4_096 {
        return None;
    }
    // `{x}` in an f-string and `${x}` in a template are not known.
    let mut path = Text::default();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}') else {
            break;
        };
        path.push_str(rest[..open].trim_end_matches('$'));
        path.append(&Text::unknown());
        rest = &rest[open + close + 1..];
    }
    path.push_str(rest);
    // Perl has the direction of the access in the same text.
    let direction =
        path.prefix().len() - path.prefix().trim_start_matches(['<', '>', '+', ' ']).len();
    path = path.without_prefix(direction);
    if path.prefix().starts_with('~') {
        let home = machine.home().into_iter().next()?;
        path = home.joined(&path.without_prefix(1));
    }
    Some(path.globbed())
}

/// A text in quotes.
struct Quoted {
    text: String,
    /// Whether what stands around it says that the file is only read.
    only_read: bool,
    /// Whether it stands after a comma, as in a list.
    listed: bool,
    /// Whether it was put together from more than one.
    joined: bool,
}

/// The texts in quotes; and those next to each other joined, as `os.path.join('a', 'b')`, `'a' + 'b'` and `a / 'b'` do.
fn texts(code: &str) -> Vec<Quoted> {
    let mut found: Vec<Quoted> = Vec::new();
    let mut chain = String::new();
    let mut chain_read = false;
    let mut replaced = false;
    let mut rest = code;
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let quote = rest.as_bytes()[start] as char;
        let between = &rest[..start];
        let inside = &rest[start + 1..];
        let end = closing(inside, quote);
        let text = inside[..end]
            .replace("\\\\", "\\")
            .replace("\\'", "'")
            .replace("\\\"", "\"");
        rest = inside.get(end + 1..).unwrap_or("");
        // `s.replace('a', 'b')`: both are texts, of which none is a file.
        let first_replaced = replaces_text(between, rest);
        let only_read =
            only_read(between, rest) || first_replaced || replaced && between.trim() == ",";
        replaced = first_replaced;
        let listed = between.trim() == ",";
        match separator(between) {
            Some(separator) if !chain.is_empty() && chain.len() < 4_096 => {
                chain.push_str(separator);
                chain.push_str(&text);
                chain_read |= only_read;
                found.push(Quoted {
                    text: chain.clone(),
                    only_read: chain_read,
                    listed,
                    joined: true,
                });
            }
            _ => {
                chain.clone_from(&text);
                chain_read = only_read;
            }
        }
        found.push(Quoted {
            text,
            only_read,
            listed,
            joined: false,
        });
        if found.len() > 256 {
            break;
        }
    }
    found
}

/// What stands before the name of a file that is only read.
#[rustfmt::skip]
const READERS: [&str; 12] = [
    "readFileSync(", "readFile(", "read_csv(", "read_json(", "read_text(", "listdir(", "glob(", "exists(", "isfile(",
    "isdir(", "print(", "require(",
];

/// What stands after the name in a call of `open` that only reads.
#[rustfmt::skip]
const OPENED_TO_READ: [&str; 9] = [
    ")", ",'r'", ", 'r'", ",\"r\"", ", \"r\"", ",encoding", ", encoding", ", 'rb'", ", \"rb\"",
];

/// Whether a text between `before` and `after` is the name of a file which is only read.
fn only_read(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    if READERS.iter().any(|reader| before.ends_with(reader)) {
        return true;
    }
    // `Path('x').read_text()`, but not `Path('x').write_text('')`.
    let is_file = before.ends_with("open(");
    let is_path = before.ends_with("Path(");
    let reads = after.starts_with(").read");
    let opened =
        OPENED_TO_READ.iter().any(|sign| after.starts_with(sign)) && !after.starts_with(").");
    (is_file && (opened || reads)) || (is_path && reads)
}

/// Whether the text between `before` and `after` is the first of two that a method of a text takes.
fn replaces_text(before: &str, after: &str) -> bool {
    before.ends_with(".replace(") && !before.ends_with("os.replace(") && after.starts_with(',')
}

fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote {
            return at;
        }
    }
    text.len()
}

/// What stands between two texts that become one path, and with what they are joined.
fn separator(between: &str) -> Option<&'static str> {
    let trimmed = between.trim();
    match trimmed {
        "+" | "." => Some(""),
        "," | "/" | ") /" | ")/" | "," if between.len() <= 4 => Some("/"),
        _ => None,
    }
}

/// The seconds that code sleeps that does nothing else but import and print; the inner `None` where they are not known.
fn only_sleeps(code: &str) -> Option<Option<f64>> {
    let mut total = Some(0.0);
    let mut sleeps = false;
    for statement in code
        .split([';', '\n'])
        .map(str::trim)
        .filter(|statement| !statement.is_empty())
    {
        let harmless = ["import ", "from ", "use ", "print", "console.log", "#"]
            .iter()
            .any(|word| statement.starts_with(word));
        let inner = ["time.sleep(", "sleep(", "sleep "]
            .iter()
            .find_map(|word| statement.strip_prefix(word));
        match inner {
            Some(inner) => {
                sleeps = true;
                let pause = seconds(inner.trim_end_matches(')').trim());
                total = total.zip(pause).map(|(total, pause)| total + pause);
            }
            None if harmless => {}
            None => return None,
        }
    }
    sleeps.then_some(total)
}
