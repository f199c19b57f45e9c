//! The real tools, a scratch tree, and what is in it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use guard_rtk::locate::locate;
use guard_rtk::route::{Shell, Target, word};
use tempfile::TempDir;

/// bash, with rg.
pub const WITH_RG: Target = Target {
    shell: Shell::Posix,
    rtk: "rtk",
    ripgrep: true,
    grep: true,
};
/// bash, without rg.
pub const WITH_GREP: Target = Target {
    shell: Shell::Posix,
    rtk: "rtk",
    ripgrep: false,
    grep: true,
};

/// PowerShell, with rg.
pub const POWERSHELL: Target = Target {
    shell: Shell::PowerShell,
    rtk: "rtk",
    ripgrep: true,
    grep: false,
};

/// The words of a command line of bare and single-quoted words. No PowerShell is at hand; the rule is short: any of
/// five quotes opens and closes a string, two in a row inside are one, and outside nothing special may stand.
pub fn powershell_words(line: &str) -> Vec<String> {
    let is_quote = |c: char| matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}');
    let mut words = Vec::new();
    let mut rest = line.chars().peekable();
    while let Some(&first) = rest.peek() {
        let mut word = String::new();
        if is_quote(first) {
            rest.next();
            loop {
                let c = rest.next().expect("the string is closed");
                match is_quote(c).then(|| rest.next_if(|&next| is_quote(next))) {
                    None => word.push(c),
                    Some(Some(second)) => word.push(second),
                    Some(None) => break,
                }
            }
        } else {
            while let Some(c) = rest.next_if(|&c| c != ' ') {
                assert!(
                    c.is_ascii_alphanumeric() || "_-./:\\".contains(c),
                    "a bare {c:?} in {line}"
                );
                word.push(c);
            }
            assert!(
                !word.starts_with('-') || !word.contains(['.', ':']),
                "PowerShell would cut {word}"
            );
        }
        assert!(
            rest.next().is_none_or(|c| c == ' '),
            "a word ends where its string does: {line}"
        );
        words.push(word);
    }
    words
}

/// A real program, by its environment variable or on the `PATH`.
fn program(name: &str, variable: &str) -> PathBuf {
    let recorded = std::env::var_os(variable).map(PathBuf::from);
    if let Some(path) = recorded.filter(|path| path.is_file()) {
        return path;
    }
    let path = std::env::var_os("PATH");
    let found = locate(name, path.as_deref(), None, None);
    let found = found.unwrap_or_else(|| {
        panic!("this test runs the real `{name}`: install it and put it on the PATH, or name its file in {variable}")
    });
    found.path
}

/// A folder with names that need care, and the programs to search it.
pub struct Scratch {
    home: TempDir,
    tree: TempDir,
}

/// Name below the tree, text.
pub const FILES: &[(&str, &str)] = &[
    (
        "src/main.rs",
        "fn main() {}\n    let a = \"needle\";\n\ttabbed needle\ntail\n",
    ),
    ("src/lib.rs", "// NEEDLE\npub fn needle() {}\n"),
    ("src/deep/er/x.rs", "needle a.b\nneedle aXb\n"),
    ("src/B.RS", "needle upper\n"),
    ("docs/read me.md", "needle with blanks  twice\n"),
    ("docs/-lead.txt", "-needle\n--needle\n-e needle\n"),
    ("docs/quo'te\"s.txt", "it's a \"needle\"\n"),
    ("docs/$dollar`tick`.txt", "$HOME `needle` ${x} $(needle)\n"),
    ("docs/new\nline.txt", "needle one\nneedle two\n"),
    ("docs/[br]{a,b}*.txt", "needle [x] {y,z} *star* ?\n"),
    ("docs/back\\slash.txt", "needle\\n back\\slash\n"),
    (
        "docs/\u{fc}n\u{ef}.txt",
        "needle \u{fc}\u{f1}\u{ed} \u{65e5}\u{672c}\n",
    ),
    ("docs/!bang#.txt", "!needle #needle ~needle =needle\n"),
    ("docs/code.txt", "x = (a.b)[0] + \"y\"* {#}^needle|\\\n"),
    ("top.txt", "needle\n"),
    ("top.js", "needle;\n"),
    ("windows.txt", "needle crlf\r\nend needle\r\n"),
];

/// What a search leaves out: hidden, ignored by git, or binary.
const LEFT_OUT: &[(&str, &str)] = &[
    (".gitignore", "*.log\nout/\n"),
    (".hidden/h.rs", "needle\n"),
    (".dot.rs", "needle\n"),
    ("src/trace.log", "needle\n"),
    ("out/made.rs", "needle\n"),
    (".git/HEAD", "needle\n"),
    ("bin.rs", "needle\0\n"),
];

impl Scratch {
    /// Both the files to find and the files to leave out.
    pub fn new() -> Self {
        let scratch = Scratch {
            home: tempfile::tempdir().unwrap(),
            tree: tempfile::tempdir().unwrap(),
        };
        for (name, text) in FILES.iter().chain(LEFT_OUT) {
            scratch.write(name, text.as_bytes());
        }
        let bin = scratch.home.path().join("bin");
        fs::create_dir(&bin).unwrap();
        link(
            &program("rtk", "EXECUTION_GUARD_TEST_RTK"),
            &bin.join("rtk"),
        );
        link(&program("rg", "EXECUTION_GUARD_TEST_RG"), &bin.join("rg"));
        scratch
    }

    /// Adds a file.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.tree.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// The absolute path of `name` in the tree; of the tree itself for "".
    pub fn path(&self, name: &str) -> String {
        let path = if name.is_empty() {
            self.tree.path().to_owned()
        } else {
            self.tree.path().join(name)
        };
        path.to_str().unwrap().to_owned()
    }

    /// Runs a printed command as the agent's shell would, in a folder that is not the one searched.
    pub fn run(&self, line: &str) -> Output {
        let mut path = OsString::from(self.home.path().join("bin"));
        path.push(":/usr/bin:/bin");
        Command::new("bash")
            .args(["--norc", "-c", line])
            .env_clear()
            .envs([
                ("HOME", self.home.path().as_os_str()),
                ("PATH", &path),
                ("LC_ALL", "C.UTF-8".as_ref()),
            ])
            .current_dir(self.home.path())
            .stdin(Stdio::null())
            .output()
            .expect("bash runs")
    }

    /// What the native `grep_search` prints for these arguments of its `rg`: it runs in the folder searched.
    pub fn native_rg(&self, folder: &str, arguments: &[&str]) -> String {
        let output = Command::new(self.home.path().join("bin/rg"))
            .args(["--no-heading", "--with-filename"])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .expect("rg runs");
        String::from_utf8(output.stdout).expect("rg prints UTF-8")
    }

    /// What rtk prints for a command printed for PowerShell, given the words that PowerShell would make of it.
    pub fn stdout_of_powershell(&self, line: &str) -> String {
        let words = powershell_words(line);
        let quoted: Vec<String> = words
            .iter()
            .map(|w| word(Shell::Posix, w).unwrap())
            .collect();
        self.stdout(&quoted.join(" "))
    }

    /// What the command prints; it must succeed or find nothing, and complain of nothing.
    pub fn stdout(&self, line: &str) -> String {
        let output = self.run(line);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.is_empty() && output.status.code() < Some(2),
            "{line}\n{}: {errors}",
            output.status
        );
        String::from_utf8(output.stdout).expect("rtk prints UTF-8")
    }
}

fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).unwrap();
}

/// The lines of `text`, without order and without the blanks at their ends, which rtk may cut.
pub fn lines(text: &str) -> BTreeSet<String> {
    text.lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}
