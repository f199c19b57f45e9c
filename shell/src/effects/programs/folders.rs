//! Code that walks through folders: a folder that it names is read with all below.

use super::code::Says;
use super::quoted::Quoted;
use crate::words::lists;

/// How far down a piece of code reads the folders that it names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Deep {
    /// Not at all: it opens what it names.
    No,
    /// It walks through them.
    Walks,
    /// A program that it runs may.
    Runs,
}

/// What code says that walks through a folder or copies it as a whole.
const WALKS: [&str; 5] = ["walk(", "copytree(", "make_archive(", "cpSync(", "cp_r"];

/// What code says that lists folders: it walks through them where it reads files too.
#[rustfmt::skip]
const LISTS: [&str; 15] = [
    "rglob(", "iterdir(", "listdir(", "scandir(", "readdir", "opendir", "recursive", "File::Find", ".add(",
    ".glob(\"**", ".glob('**", "Find.find", ".find{", ".find {", "RecursiveDirectoryIterator",
];

/// What code says that reads files.
#[rustfmt::skip]
const READS: [&str; 11] = [
    "readfile(", "open(", "open ", ".read", "readFile", "createReadStream", "print <", "ARGV", "<$", "File::Copy", ".add(",
];

/// What code says that copies or packs whole folders, or reads each file that it is given.
const PACKS: [&str; 8] = [
    "copytree(",
    "make_archive(",
    "cpSync(",
    "cp_r",
    ".add(",
    "<F",
    "<$",
    "print <",
];

/// Programs that read what they find below their operands.
const READERS: &str = "grep egrep fgrep rg ag cp rsync tar zip cat strings";

/// Programs that change their operands.
const CHANGERS: &str = "rm mv cp sed tee truncate shred unlink chmod touch";

/// What code says that removes or moves folders with all below.
const REMOVERS: [&str; 7] = [
    "rmtree(",
    "rmSync(",
    "fs.rm(",
    "promises.rm(",
    "rm_rf",
    "move(",
    "rename",
];

/// Whether a text is the name of a program that changes its operands, or begins with one.
pub fn starts_changer(texts: &[Quoted]) -> bool {
    texts.iter().any(|quoted| starts_with(quoted, CHANGERS))
}

/// Whether code removes or moves folders with all below.
pub fn removes(code: &str) -> bool {
    REMOVERS.iter().any(|sign| code.contains(sign))
}

/// Whether what code walks through is read with all that is found: it copies or packs it.
pub fn always_reads(code: &str) -> bool {
    PACKS.iter().any(|sign| code.contains(sign))
}

/// Whether code reads files, copies or packs them, or has programs do so.
fn reads(code: &str, says: Says) -> bool {
    let has = |signs: &[&str]| signs.iter().any(|sign| code.contains(sign));
    says.runs
        || says.changes
        || has(&READS)
        || has(&PACKS)
        || has(&["linecache", "fileinput", "load(", "mmap"])
}

/// How far down `code`, in which `texts` are in quotes, reads.
pub fn depth(code: &str, texts: &[Quoted], says: Says) -> Deep {
    let has = |signs: &[&str]| signs.iter().any(|sign| code.contains(sign));
    if has(&WALKS) && reads(code, says) || has(&LISTS) && has(&READS) {
        Deep::Walks
    } else if says.runs && texts.iter().any(|quoted| starts_with(quoted, READERS)) {
        Deep::Runs
    } else {
        Deep::No
    }
}

/// Whether the first word of a text is one of `programs`.
fn starts_with(quoted: &Quoted, programs: &str) -> bool {
    let program = quoted.text.split(' ').next().unwrap_or("");
    !program.is_empty() && lists(programs, program)
}

/// How code says the home folder.
#[rustfmt::skip]
const HOMES: [&str; 9] = [
    "os.path.expanduser('~')", "os.path.expanduser(\"~\")", "os.environ['HOME']", "os.environ[\"HOME\"]",
    "os.getenv('HOME')", "os.getenv(\"HOME\")", "Path.home()", "os.homedir()", "process.env.HOME",
];

/// Whether code walks through the home folder itself: `os.walk(home)`.
pub fn walks_home(code: &str) -> bool {
    let walked = WALKS.iter().flat_map(|sign| {
        code.match_indices(sign)
            .map(move |(at, _)| &code[at + sign.len()..])
    });
    walked.take(16).any(|argument| {
        let end = argument.find(|c: char| !c.is_alphanumeric() && c != '_');
        let name = &argument[..end.unwrap_or(argument.len())];
        is_home(argument) || is_assigned_home(code, name)
    })
}

/// Programs that search in what they are given, those that do so in folders unasked first.
const SEARCHERS: &str = "rg ag ack grep egrep fgrep";

/// Whether code runs a search through the home folder itself: `run(['grep', '-r', 'x', home])`.
pub fn searches_home(code: &str, texts: &[Quoted]) -> bool {
    let is_flag = |word: &str| word.starts_with('-') && word.contains(['r', 'R']);
    let recursive = |quoted: &Quoted| quoted.text.split(' ').any(is_flag);
    let searches = texts.iter().any(|quoted| starts_with(quoted, SEARCHERS));
    let unasked = texts.iter().any(|quoted| starts_with(quoted, "rg ag ack"));
    if !searches || !unasked && !texts.iter().any(recursive) {
        return false;
    }
    // With `cwd=home` it searches in what it names.
    let here = texts.iter().any(|quoted| quoted.text == ".");
    HOMES.iter().any(|home| {
        code.match_indices(home).take(16).any(|(at, _)| {
            let before = code[..at].trim_end();
            let after = code[at + home.len()..].trim_start_matches([')', ' ']);
            let is_given = after.is_empty()
                || after.starts_with([']', ',', ';', '\n'])
                || before.ends_with('{') && after.starts_with('}');
            is_given && (here || !before.ends_with("cwd="))
        })
    })
}

/// Whether `code` begins with the home folder and nothing below it.
fn is_home(code: &str) -> bool {
    let rest = HOMES.iter().find_map(|home| {
        let code = code.trim_start().trim_start_matches("pathlib.");
        code.strip_prefix(home)
    });
    rest.is_some_and(|rest| !rest.trim_start_matches(' ').starts_with(['+', '/', '.']))
}

/// Whether `code` has `name = os.environ['HOME']`.
fn is_assigned_home(code: &str, name: &str) -> bool {
    !name.is_empty()
        && code.match_indices(name).any(|(at, _)| {
            let value = code[at + name.len()..].trim_start().strip_prefix('=');
            value.is_some_and(is_home)
        })
}

/// Perl with the modules that its options load, with `$ENV{HOME}/x` as `~/x`, and with `<x/*>`, which lists the files
/// that match, as a call of `glob`.
pub fn plain_perl<'w>(modules: impl Iterator<Item = &'w str>, code: &str) -> String {
    let modules: String = modules.flat_map(|module| [module, ";"]).collect();
    let mut code = modules + &code.replace("$ENV{HOME}/", "~/");
    let mut from = 0;
    while let Some(open) = code[from..].find('<').map(|at| from + at) {
        from = open + 1;
        let Some(close) = code[from..].find('>').map(|length| from + length) else {
            break;
        };
        let inside = &code[from..close];
        if inside.contains(['/', '*'])
            && !inside.contains([' ', '\'', '"', ';', '=', '<', '(', '{'])
        {
            const CALL: &str = "glob('";
            const END: &str = "')";
            code.replace_range(close..=close, END);
            code.replace_range(open..from, CALL);
            from = close - 1 + CALL.len() + END.len();
        }
    }
    code
}
