//! Files and folders: reading, listing, searching, counting, comparing.

use super::super::call::{Argument, Call};
use super::super::machine::FileKind;
use super::super::reason::Reason::*;
use super::super::row::{Form, Program, Row, formed, never, program, row, when, with};
use super::super::word::Word;

pub(super) const CAT: Program = program("cat", &[formed("", Form::Read, &[], &[])]);
pub(super) const HEAD: Program = program("head", &[formed("", Form::ReadHead, &[], &[])]);
pub(super) const TAIL: Program = program("tail", &[formed("", Form::ReadTail, &[], &[])]);

pub(super) const LS: Program = program("ls", LS_ROWS);

const LS_ROWS: &[Row] = &[row(
    "",
    &["-I", "--ignore", "--hide", "-w", "-T"],
    &[
        with(Data, &["--zero", "-b", "-Q", "--quoting-style", "-D", "--dired", "--hyperlink"]),
        // rtk lists folders first, so that the newest or largest no longer stands where it was asked to stand.
        with(Layout, &["-t", "-S", "-X", "-v", "-U", "-f", "-c", "-u", "-r", "--sort", "--reverse"]),
        // It lists all folders as one, without saying in which a name stands.
        with(Layout, &["-R", "--recursive"]),
        // Columns and times that were asked for are not shown.
        with(
            Layout,
            &[
                "-i", "--inode", "-s", "--size", "-Z", "--context", "-g", "-o", "-G", "-n", "--full-time", "--time",
                "--time-style", "--author", "--format", "-C", "-m", "-x",
            ],
        ),
        // A second slash after each folder; `(empty)` for the folder itself.
        with(FalseClaim, &["-d", "--directory", "-F", "--classify", "-p", "--indicator-style", "--file-type"]),
    ],
)];

pub(super) const TREE: Program = program(
    "tree",
    &[row(
        "",
        &["-L", "-P", "-I", "-o", "--filelimit", "--timefmt"],
        &[
            with(Data, &["-J", "-X", "-H", "-o", "--fromfile"]),
            // Leaves out `build`, `dist`, `env`, `coverage` and twenty more without a word.
            never(CutSilently),
        ],
    )],
);

pub(super) const FIND: Program = program(
    "find",
    &[row(
        "",
        &[],
        &[
            when(NoForm, |call| call.rest().is_empty()),
            when(Data, |call| {
                has_word(call, &["-print0", "-printf", "-fprint", "-fprint0", "-fprintf", "-fls", "-ls"])
            }),
            when(ActsOutside, |call| has_word(call, &["-delete", "-exec", "-execdir", "-ok", "-okdir"])),
            // For a start that is no folder rtk prints nothing and ends with 0.
            when(ExitStatus, |call| {
                starts_of_find(call)
                    .any(|word| !matches!(call.context.kind_at(word), Some(FileKind::Folder | FileKind::Unknown)))
            }),
        ],
    )],
);

/// The words before the expression.
fn starts_of_find<'w>(call: &Call<'_, 'w>) -> impl Iterator<Item = &'w Word<'w>> {
    call.rest()
        .iter()
        .skip_while(|word| ["-H", "-L", "-P"].contains(&word.text.as_ref()))
        .take_while(|word| !word.text.starts_with(['-', '(', '!', ')', ',']))
}

fn has_word(call: &Call, words: &[&str]) -> bool {
    call.rest().iter().any(|word| words.contains(&word.text.as_ref()))
}

const GREP_TAKES: &[&str] = &[
    "-e", "-f", "-m", "-A", "-B", "-C", "-d", "-D", "--regexp", "--file", "--max-count", "--after-context",
    "--before-context", "--context", "--include", "--exclude", "--exclude-dir", "--exclude-from", "--label",
    "--color", "--colour", "--binary-files", "--directories", "--devices", "--group-separator",
];

pub(super) const GREP: Program = program(
    "grep",
    &[row(
        "",
        GREP_TAKES,
        &[
            with(Data, &["-Z", "--null", "-z", "--null-data"]),
            when(NoForm, |call| call.rest().is_empty()),
            // rtk passes over binary files and ends with 1 where grep says that one matches and ends with 0.
            when(NotText, searches_what_is_no_text),
            // Without a file and without `-r` it reads its input.
            when(InputGiven, reads_input),
        ],
    )],
);

/// Files that are looked at before a search is rewritten; more are taken as they come.
const FILES_LOOKED_AT: usize = 16;

/// The files that a search names, its pattern left out.
fn searched<'w>(call: &Call<'_, 'w>) -> impl Iterator<Item = &'w Word<'w>> {
    let pattern_given = call.has_option(&["-e", "--regexp", "-f", "--file"]);
    call.operand_words().skip(usize::from(!pattern_given))
}

fn searches_what_is_no_text(call: &Call) -> bool {
    if call.has_option(&[
        "-I", "-c", "--count", "-l", "--files-with-matches", "-L", "--files-without-match", "-o", "--only-matching",
        "-q", "--quiet", "--silent",
    ]) {
        return false;
    }
    searched(call).take(FILES_LOOKED_AT).any(|word| call.context.kind_at(word) == Some(FileKind::Other))
}

fn reads_input(call: &Call) -> bool {
    searched(call).next().is_none() && !call.has_option(&["-r", "-R", "--recursive", "--dereference-recursive"])
        || searched(call).any(|word| word.text == "-")
}

pub(super) const RG: Program = program(
    "rg",
    &[row(
        "",
        &[
            "-e", "-f", "-g", "-t", "-T", "-m", "-A", "-B", "-C", "-r", "-j", "-M", "-d", "-E", "--regexp", "--file",
            "--glob", "--iglob", "--type", "--type-not", "--max-count", "--max-depth", "--sort", "--sortr",
            "--replace", "--threads", "--encoding", "--ignore-file", "--pre", "--max-columns", "--context",
            "--after-context", "--before-context", "--max-filesize", "--colors", "--color",
        ],
        &[
            when(NoForm, |call| call.rest().is_empty()),
            with(Data, &["--json", "-0", "--null", "--null-data", "--vimgrep", "--files-from"]),
            when(NotText, searches_what_is_no_text),
            when(InputGiven, |call| searched(call).any(|word| word.text == "-")),
        ],
    )],
);

pub(super) const AST_GREP: Program = program(
    "ast-grep",
    &[row(
        "",
        &["-p", "--pattern", "-r", "--rewrite", "-l", "--lang"],
        &[
            with(Data, &["--json", "--format"]),
            with(Dialogue, &["-i", "--interactive"]),
            when(NoForm, |call| call.rest().is_empty()),
        ],
    )],
);

pub(super) const WC: Program = program(
    "wc",
    &[row(
        "",
        &["--files0-from"],
        &[
            with(Data, &["--files0-from"]),
            when(InputGiven, |call| call.operands().next().is_none_or(|first| first == "-")),
        ],
    )],
);

pub(super) const DIFF: Program = program(
    "diff",
    &[row(
        "",
        &["-I", "-x", "-X", "-U", "-C", "-W", "--label", "-L", "--exclude", "--ignore-matching-lines"],
        &[
            when(NoForm, |call| call.rest().is_empty()),
            when(InputGiven, |call| call.operands().any(|operand| operand == "-")),
            when(Unsupported, |call| call.operands().count() != 2),
            // Two files without an option are compared by rtk itself, which knows no folders and says `identical`
            // where diff is silent; with an option diff is run and its output is kept.
            when(NotText, |call| {
                !has_diff_option(call)
                    && call.operand_words().any(|word| {
                        matches!(call.context.kind_at(word), Some(FileKind::Folder | FileKind::Other) | None)
                    })
            }),
        ],
    )],
);

fn has_diff_option(call: &Call) -> bool {
    call.arguments().any(|argument| matches!(argument, Argument::Option(_)))
}

pub(super) const STAT: Program = program(
    "stat",
    &[row(
        "",
        &["-c", "-f", "--printf", "--format"],
        &[
            with(Data, &["-c", "--printf", "--format", "-t", "--terse"]),
            // The format option of BSD and macOS; on Linux it asks about the file system, which is not filtered either.
            with(Data, &["-f", "--file-system"]),
        ],
    )],
);

pub(super) const DU: Program =
    program("du", &[row("", &["-d", "-t", "-B", "--max-depth", "--exclude"], &[with(Data, &["-0", "--null"])])]);

pub(super) const DF: Program = program("df", &[row("", &["-t", "-x", "-B"], &[with(Data, &["--output"])])]);

pub(super) const PS: Program = program(
    "ps",
    &[row(
        "",
        &["-p", "-u", "-C", "-o", "--sort", "--pid", "--ppid"],
        &[
            // A chosen format is data; without a header it is read by a program.
            when(Data, |call| {
                call.has_option(&["-o", "-O", "--format", "--no-headers"])
                    || call.operands().any(|operand| operand.starts_with("o"))
            }),
        ],
    )],
);

/// What jq prints is data, and rtk cuts it at 120 columns and 40 lines.
pub(super) const JQ: Program = program("jq", &[row("", &[], &[never(Data)])]);
