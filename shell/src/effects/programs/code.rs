//! Pieces of code: the texts in quotes in them are taken for paths where the code opens files, and for lines of the
//! shell where it runs programs.

use super::databases;
use super::folders::{self, Deep};
use super::language::{Calls, Code, calls};
use super::pauses;
use super::quoted::{self, Quoted};
use crate::effects::builtins::lines;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, Text, Values};
use crate::effects::waits::Activity;

/// What code that opens, lists or runs something says.
#[rustfmt::skip]
const OPENS: &[&str] = &[
    "open(", "open (", ".read", "read(", "readFile", "glob(", "glob.", "walk(", "listdir", "scandir", "shutil",
    "fs.", "File.", "File(", "IO.", "Dir.", "file_get", "file_put", "unlink", "remove(", "rename(", ".write", "writeFile",
    "load(", "fopen", "readfile(", "file(", "io.", "require(", "getline", "print >", "<$", "Deno.", "Bun.", "> \"", "truncate", "fileinput", "os.replace",
    "chmod", "symlink", "os.link", "linkSync", "mkdir", "makedirs", "cpSync", "rename", ".exec",
    "do \"", "do '", "include", "run_path", "connect(", "sys.path", "readLines(", "read-line", "readFile", "passthru",
    "open ", "FileUtils", "urlretrieve", ".save", ".to_", "savetxt", "<>", "ARGV", "File::", "copy_file(", "call delete(", "basicConfig(", "hardlink_to",
    "readdir", "opendir", ".add(", "Tie::File", "Find.find", "RecursiveDirectoryIterator", "rmdir", "eval(", "joblib.dump(", "copySync(", "copy_tree(", "write.csv(",
];

/// What code that changes files says.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "'w'", "\"w\"", "'a'", "\"a\"", "'x'", "\"x\"", "'wb'", "\"wb\"", "'ab'", "'w+'", "\"w+\"", "'r+'",
    "\"r+\"", "'wt'", "\"wt\"", "writeFile", "appendFile", "createWriteStream",
    "unlink", "os.remove", ".remove(", "rmtree", "os.rename", "os.replace", "renameSync", "rmSync", "fs.rm",
    "shutil.move", "shutil.copy", "copyFile", "truncate", "mkdir", ".touch(", "chmod", "file_put_contents",
    "File.write", "FileUtils", "'>", "\">", ".rename(", "print >",
    "File.delete", "IO.write", "Deno.write", "Deno.remove", "Bun.write", "promises.rm", "urlretrieve", ".save(", "savefig(",
    "savetxt(", ".to_csv(", ".to_json(", ".to_parquet(", ".to_pickle(", ".to_excel(",
    "File::Copy", "File::Path", "copy_file(", "call delete(", "basicConfig(", "hardlink_to",
    "inplace", "symlink", "os.link", "linkSync", "makedirs", "cpSync", "rename ", "O_WRONLY", "O_RDWR", "O_TRUNC",
    ".extract(", ".extractall(", "unpack_archive(", ".write_", "joblib.dump(", "copySync(", "copy_tree(", "write.csv(",
    "nbformat.write(", "Tie::File",
];

/// What code that runs other programs says.
#[rustfmt::skip]
const RUNS: &[&str] = &[
    "system(", "system (", "subprocess", "popen", "exec(", "execSync", "execFile", "spawn", "`", "shell", "Bun.$", "system '", "system \"",
    "exec ", "passthru(", "import system", "execv", "execl", "system qw", "system(qw", "system $", "os.execute(",
];

/// What code is given from outside.
#[derive(Default)]
pub struct Given {
    /// Its arguments, and the words that its standard input holds.
    pub names: Values,
    /// Variables that are set for it, with their values.
    pub variables: Vec<(String, Text)>,
}

/// What code that takes its arguments or its standard input says.
#[rustfmt::skip]
const TAKES_NAMES: [&str; 10] = ["argv", "ARGV", "shift", "$0", "input(", "stdin", "STDIN", "gets", "<>", "getline"];

/// What code that takes variables of the environment says.
const TAKES_VARIABLES: [&str; 4] = ["environ", "getenv", "ENV", "process.env"];

/// The most words of standard input that are taken for names.
const MAX_NAMES: usize = 64;

impl Given {
    /// What a program with `arguments` is given.
    pub fn to(machine: &Machine<'_>, arguments: &[Text]) -> Self {
        let is_name = |word: &&Text| !word.prefix().starts_with('-');
        let input = machine.stdin.iter().flat_map(|values| lines(values));
        let input = input.filter(|line| !line.contains(|c| c == ' '));
        Self {
            names: arguments
                .iter()
                .filter(is_name)
                .cloned()
                .chain(input.take(MAX_NAMES))
                .collect(),
            variables: Vec::new(),
        }
    }

    /// Reads what code is given line by line, if it opens or runs that: `perl -ne 'system "cat", $_'`.
    pub fn opened_by_line(&self, machine: &mut Machine<'_>, code: &str) {
        let opens = ["open", "system", "exec", "`", ".read(", "readlines"];
        if machine.stdin.is_none()
            || !code.contains("$_")
            || !opens.iter().any(|sign| code.contains(sign))
        {
            return;
        }
        self.names.iter().for_each(|name| machine.read(name));
    }

    /// The paths that `code` takes.
    fn taken(&self, machine: &Machine<'_>, code: &str) -> Values {
        let says = |words: &[&str]| words.iter().any(|word| code.contains(word));
        let mut taken = Values::new();
        if says(&TAKES_NAMES) {
            taken.extend(self.names.iter().cloned());
        }
        let named = self
            .variables
            .iter()
            .filter(|(name, _)| code.contains(name));
        taken.extend(named.map(|(_, value)| value.clone()));
        if says(&TAKES_VARIABLES) {
            let named = machine.state.variables();
            let named = named.filter(|(name, _)| code.contains(name));
            taken.extend(named.flat_map(|(_, values)| values.iter().cloned()));
        }
        taken
    }
}

/// What a piece of code says that it does.
#[derive(Clone, Copy)]
pub struct Says {
    pub opens: bool,
    pub changes: bool,
    pub runs: bool,
}

impl Says {
    /// What the signs in it say.
    pub fn of(code: &str) -> Self {
        let says = |words: &[&str], code: &str| words.iter().any(|word| code.contains(word));
        let mut quiet = code.replace("stdout.write", "").replace("stderr.write", "");
        // Standard input is open already.
        for reads in [
            "stdin.read",
            "STDIN.read",
            "load(sys.stdin",
            "readFileSync(0",
        ] {
            quiet = quiet.replace(reads, "");
        }
        Self {
            opens: says(OPENS, &quiet),
            changes: says(CHANGES, &quiet)
                || databases::changes_in_code(code)
                || quoted::moves(code),
            runs: says(RUNS, code) || quoted::runs_quoted(code),
        }
    }
}

/// Notes what a piece of code does, as far as the texts in it show.
pub fn interpreted(machine: &mut Machine<'_>, code: &str, given: &Given) {
    if let Some(pause) = pauses::only_waits(code) {
        // So short a pause is no wait.
        if pause.is_none_or(|seconds| seconds >= 1.0) {
            machine.waiting.sleep(pause);
            return;
        }
    }
    act(machine, code, given, Says::of(code));
}

/// Does what code says, to the paths that are spelled in it and to those that it is given.
pub fn act(machine: &mut Machine<'_>, code: &str, given: &Given, says: Says) {
    machine.waiting.note(Activity::Work);
    if !machine.work(code.len() / 16) {
        return;
    }
    let code = &*quoted::plain_quotes(code);
    let calls = calls(&Code::new(code));
    if !says.opens && !says.runs && calls.changed.is_empty() && calls.run.is_empty() {
        return;
    }
    let outside = machine.state.folders.clone();
    called(machine, &calls);
    let is_known =
        says.changes && !databases::changes_in_code(code) && calls.explain(code, CHANGES);
    let texts = quoted::texts(code, says.changes);
    let deep = folders::depth(code, &texts, says);
    if deep == Deep::Walks && folders::walks_home(code)
        || deep == Deep::Runs && folders::searches_home(code, &texts)
    {
        let home = machine.home();
        home.iter().for_each(|home| machine.read_below(home, true));
    }
    if says.runs {
        let outer = machine.state.folders.clone();
        enter_folders(machine, &texts);
        run_lists(machine, &texts);
        for quoted in texts.iter().filter(|quoted| quoted.text.contains(' ')) {
            machine.may_run(&quoted.text);
        }
        machine.state.folders = outer;
    }
    let by_variable = says.runs && folders::starts_changer(&texts);
    let removes = folders::removes(code);
    for quoted in texts {
        if quoted.mentioned {
            continue;
        }
        let text = quoted.text;
        let Some(path) = path_in(machine, &text) else {
            continue;
        };
        if deep != Deep::No && (quoted.walked || has_name(&text)) {
            machine.read_below(&path, true);
        } else {
            machine.read(&path);
        }
        if says.changes && !is_known && !quoted.only_read || by_variable && quoted.assigned {
            if removes {
                machine.write_below(&path);
            } else {
                machine.write(&path);
            }
        }
    }
    for path in given.taken(machine, code) {
        machine.read(&path);
        if says.changes && !is_known {
            machine.write(&path);
        }
    }
    if deep == Deep::Walks {
        walked(machine, code, &calls);
    }
    machine.state.folders = outside;
}

/// Does what the calls in code do whose arguments are known.
fn called(machine: &mut Machine<'_>, calls: &Calls) {
    for folder in &calls.entered {
        let entered = placed(machine, folder).map(|folder| machine.folders_of(&folder));
        machine.state.folders.extend(entered.unwrap_or_default());
    }
    for (path, below) in &calls.changed {
        match placed(machine, path) {
            Some(path) if *below => machine.write_below(&path),
            Some(path) => machine.write(&path),
            None => {}
        }
    }
    for (text, is_code) in &calls.run {
        if *is_code {
            machine.nested(|machine| act(machine, text, &Given::default(), Says::of(text)));
        } else {
            machine.may_run(text);
        }
    }
}

/// Reads what code walks through, and what it lists if it then reads what it found.
fn walked(machine: &mut Machine<'_>, code: &str, calls: &Calls) {
    for path in &calls.found {
        if let Some(path) = placed(machine, path) {
            machine.read(&path);
        }
    }
    for (folder, deep) in &calls.walked {
        if !deep && !calls.reads_found && !folders::always_reads(code) {
            continue;
        }
        if let Some(folder) = placed(machine, folder) {
            machine.read_below(&folder, true);
        }
    }
}

/// A path of code, with the home folder for `~`; none where nothing of it is known.
fn placed(machine: &Machine<'_>, path: &Text) -> Option<Text> {
    if path.atoms().first() == Some(&Atom::Unknown) {
        return None;
    }
    if !path.prefix().starts_with('~') {
        return Some(path.clone());
    }
    let home = machine.home().into_iter().next()?;
    Some(home.joined(&path.without_prefix(1)))
}

/// `run(…, cwd='x')`: what runs may be there.
fn enter_folders(machine: &mut Machine<'_>, texts: &[Quoted]) {
    for folder in texts.iter().filter(|quoted| quoted.is_folder) {
        let folder = path_in(
            machine,
            &format!("./{}", folder.text)
                .replace("./~", "~")
                .replace(".//", "/"),
        );
        let entered = folder.map(|folder| machine.folders_of(&folder));
        machine.state.folders.extend(entered.unwrap_or_default());
    }
}

/// Whether a text is more than a separator (`split('/')`) or a way up (`'..'`).
fn has_name(text: &str) -> bool {
    text.contains(|c| !matches!(c, '/' | '.' | '\\'))
}

/// The paths that code may print: the texts in it.
pub fn spelled(code: &str) -> Values {
    let texts = quoted::texts(code, false).into_iter();
    let paths = texts.filter(|quoted| quoted.text.contains('/') && !quoted.text.contains(' '));
    let mut spelled: Values = paths
        .take(16)
        .map(|quoted| Text::literal(quoted.text))
        .collect();
    spelled.push(Text::unknown());
    spelled
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
            let input = texts.iter().find(|quoted| quoted.is_input);
            let input = input.map(|input| vec![Text::literal(input.text.replace("\\n", "\n"))]);
            machine.perhaps(|machine| {
                machine.apart(|machine| {
                    machine.stdin = input.or(machine.stdin.take());
                    machine.words(&words);
                });
            });
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
        let before = rest[..open].trim_end_matches(['$', '#']);
        let before = before.strip_suffix("$ENV").unwrap_or(before);
        path.push_str(before);
        // `{Path.home()}/x`, `${os.homedir()}/x`, `$ENV{HOME}/x`
        if path.is_empty()
            && rest[open..open + close]
                .to_ascii_lowercase()
                .contains("home")
        {
            path.push_str("~");
        } else if let Some(atom) = found_name(&rest[open + 1..open + close]) {
            path.push(atom);
        } else {
            path.append(&Text::unknown());
        }
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
    Some(over_hidden(&path.globbed()))
}

/// What a variable stands for that [`Text::render_quotable`] writes.
fn found_name(variable: &str) -> Option<Atom> {
    match variable {
        "__any" => Some(Atom::Run),
        "__below" => Some(Atom::Below { hidden: true }),
        _ => None,
    }
}

/// A `*` of `pathlib` takes names that begin with a dot: one between slashes stands for any folder.
fn over_hidden(path: &Text) -> Text {
    let mut hidden = Text::default();
    let components = path.split(|c| c == '/');
    for (index, component) in components.iter().enumerate() {
        if index > 0 {
            hidden.push_str("/");
        }
        match component.atoms() {
            [Atom::Run] if index + 1 < components.len() => {
                hidden.push(Atom::Below { hidden: true });
            }
            _ => hidden.append(component),
        }
    }
    hidden
}
