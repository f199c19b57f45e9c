//! git, GitHub, GitLab and Graphite.

use super::super::call::{Argument, Call};
use super::super::reason::Reason::*;
use super::super::row::{Form, Program, Row, formed, never, row, unless_first, when, with, without};

/// Options of git itself that rtk takes before a sub-command.
const BEFORE: &[&str] = &[
    "-C=", "-c=", "--git-dir=", "--work-tree=", "--no-pager", "--no-optional-locks", "--bare", "--literal-pathspecs",
];

/// Machine formats of `log`, `show`, `diff` and their like; `--pretty=NAME` is one only for some names.
const FORMATS: &[&str] = &["--format", "-z", "--null", "--raw", "--numstat", "--output", "--porcelain"];

pub(super) const GIT: Program = Program { name: "git", before: BEFORE, rows: ROWS };

/// yadm hands everything to git, but in a work tree of its own: `rtk git` would look at another repository.
pub(super) const YADM: Program = Program { name: "yadm", before: BEFORE, rows: YADM_ROWS };

const YADM_ROWS: &[Row] = &[row(
    "status|log|diff|show|add|commit|checkout|push|pull|branch|fetch|stash|worktree",
    &[],
    &[never(WrongTool)],
)];

const ROWS: &[Row] = &[
    row(
        "status",
        &[],
        &[
            with(Data, &["--porcelain", "-z", "--null"]),
            // Without the end of its last line: what is printed next would stand on it.
            when(Layout, |call| call.context.followed && !is_compact_status(call)),
        ],
    ),
    row(
        "log",
        &[
            "-n", "--max-count", "-S", "-G", "-L", "--author", "--since", "--until", "--after", "--before", "--grep",
            "--skip",
        ],
        &[
            with(Data, FORMATS),
            when(Data, has_own_format),
            // Ten commits without a count, fifty with `--oneline`, and nothing that says so.
            when(CutSilently, lacks_count),
        ],
    ),
    row(
        "diff",
        &["-S", "-G", "-O", "-U", "--unified", "--diff-filter"],
        &[
            with(Data, FORMATS),
            when(Data, has_own_format),
            // Prints nothing where git prints the difference.
            with(FalseClaim, &["--no-index"]),
        ],
    ),
    row(
        "show",
        &["-S", "-G", "-U", "--unified"],
        &[with(Data, FORMATS), when(Data, has_own_format), when(Data, names_blob), when(Unseen, has_unseen_operand)],
    ),
    row(
        "add",
        &["--chmod", "--pathspec-from-file"],
        &[
            with(FalseClaim, &["-n", "--dry-run"]),
            with(Dialogue, &["-p", "--patch", "-i", "--interactive", "-e", "--edit"]),
        ],
    ),
    row(
        "commit",
        &[
            "-m", "-F", "-C", "-c", "-t", "--message", "--file", "--author", "--date", "--cleanup", "--fixup",
            "--squash", "--reuse-message", "--reedit-message", "--template", "--trailer",
        ],
        &[
            without(Dialogue, &["-m", "--message", "-F", "--file"]),
            with(Dialogue, &["-p", "--patch", "--interactive", "-e", "--edit", "-c", "--reedit-message"]),
            with(Data, &["--porcelain", "-z", "--null"]),
            // `ok` to what was not done.
            with(FalseClaim, &["--dry-run"]),
        ],
    ),
    row(
        "checkout",
        &["-b", "-B", "--orphan", "--pathspec-from-file"],
        &[
            with(Dialogue, &["-p", "--patch"]),
            // Throws away what was changed and not committed.
            with(
                ActsOutside,
                &["-f", "--force", "-B", "--ours", "--theirs", "-m", "--merge", "--pathspec-from-file"],
            ),
            when(ActsOutside, checks_out_files),
        ],
    ),
    row("push", &[], &[never(ActsOutside)]),
    row(
        "pull",
        &["-s", "-X"],
        &[
            with(Dialogue, &["--edit", "-e"]),
            with(ActsOutside, &["-f", "--force"]),
            when(Dialogue, rebases_interactively),
        ],
    ),
    row(
        "branch",
        &[
            "-u", "--set-upstream-to", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at",
            "--sort", "--format",
        ],
        &[
            with(Data, &["--format"]),
            with(Dialogue, &["--edit-description"]),
            with(ActsOutside, &["-D", "-f", "--force", "-M", "-C"]),
        ],
    ),
    row("fetch", &["--depth", "--deepen", "-j"], &[with(Data, &["--porcelain"]), with(FalseClaim, &["--dry-run"])]),
    row(
        "stash",
        &["-m", "--message"],
        &[
            when(Dialogue, |call| {
                call.has_option(&["-p", "--patch"]) && !matches!(call.operands().next(), Some("show" | "list"))
            }),
            // Its options are left out.
            when(Unsupported, |call| call.operands().next() == Some("list") && call.rest().len() > 1),
            with(Data, FORMATS),
            when(Data, has_own_format),
            unless_first_of_stash(),
        ],
    ),
    row("worktree", &[], &[with(Data, &["--porcelain", "-z"]), unless_first(ActsOutside, &["list"])]),
];

/// Bare `git stash` pushes; `drop` and `clear` can't be undone.
const fn unless_first_of_stash() -> super::super::row::Stay {
    when(ActsOutside, |call| {
        call.operands()
            .next()
            .is_some_and(|first| !["push", "save", "list", "show", "apply", "pop", "branch"].contains(&first))
    })
}

/// `--pretty=format:…` and what else is not a layout that git has a name for.
fn has_own_format(call: &Call) -> bool {
    call.value_of("--pretty")
        .is_some_and(|value| !matches!(value, Some("oneline" | "short" | "medium" | "full" | "fuller")))
}

/// The forms of `git status` that rtk prints in its own way: plain, and short with the branch.
fn is_compact_status(call: &Call) -> bool {
    let words = call.rest();
    let names_branch = |text: &str| matches!(text, "-b" | "--branch" | "-sb" | "-bs");
    words.is_empty()
        || (words.iter().any(|word| names_branch(&word.text))
            && words.iter().all(|word| names_branch(&word.text) || matches!(word.text.as_ref(), "-s" | "--short")))
}

/// No `-n 5`, `-5`, `--max-count=5`.
fn lacks_count(call: &Call) -> bool {
    !call.arguments().any(|argument| match argument {
        Argument::Option(word) => {
            let text = word.text.as_ref();
            let digits = text.trim_start_matches('-');
            text.starts_with("-n")
                || text.starts_with("--max-count")
                || (!text.starts_with("--") && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
        }
        Argument::Operand(_) => false,
    })
}

/// `REV:path` and `:path`.
fn names_blob(call: &Call) -> bool {
    call.operands().any(|operand| operand.contains(':'))
}

/// What it shows stands behind an expansion: a commit or a file.
fn has_unseen_operand(call: &Call) -> bool {
    call.operand_words().any(|word| !word.is_literal())
}

/// Anything but a new branch or the name of a branch: files come back as they were committed.
fn checks_out_files(call: &Call) -> bool {
    if call.has_option(&["-b", "--orphan"]) {
        return false;
    }
    let words = call.rest();
    if words.iter().any(|word| word.text == "--") {
        return true;
    }
    let mut operands = call.operand_words();
    match (operands.next(), operands.next()) {
        (Some(only), None) => {
            !only.is_literal()
                || matches!(only.text.as_ref(), "." | "..")
                || only.text.contains(['*', '?'])
                || call.context.exists(&only.text)
        }
        (Some(_), Some(_)) => true,
        (None, _) => false,
    }
}

fn rebases_interactively(call: &Call) -> bool {
    call.has_option(&["-i", "--interactive", "--rebase=i", "--rebase=interactive"])
}

/// Options that make GitHub's and GitLab's tools print data or open a browser.
const FORGE_DATA: &[&str] = &["--json", "--jq", "-q", "--template", "-t", "--output", "-F"];
const BROWSER: &[&str] = &["--web", "-w"];

pub(super) const GH: Program = Program { name: "gh", before: &[], rows: GH_ROWS };

const GH_ROWS: &[Row] = &[
    row(
        "pr list|issue list|release list|repo list",
        &[
            "-L", "--limit", "-R", "--repo", "-s", "--state", "-l", "--label", "-A", "--author", "-a", "--assignee",
            "-B", "--base", "-H", "--head", "-S", "--search",
        ],
        &[with(Data, FORGE_DATA), with(ActsOutside, BROWSER)],
    ),
    // Ten runs where gh lists twenty.
    row(
        "run list",
        &["-L", "--limit", "-R", "--repo", "-b", "--branch", "-w", "--workflow", "-s", "--status"],
        &[with(Data, FORGE_DATA), without(CutSilently, &["-L", "--limit"])],
    ),
    row("run watch", &[], &[never(Follows)]),
    row(
        "run view",
        &["-R", "--repo", "-j", "--job"],
        &[with(Data, FORGE_DATA), with(ActsOutside, BROWSER), with(Data, &["--log", "--log-failed"])],
    ),
    row(
        "pr view|issue view|release view|repo view|pr status|issue status",
        &["-R", "--repo"],
        &[with(Data, FORGE_DATA), with(ActsOutside, BROWSER)],
    ),
    row(
        "pr checks",
        &["-R", "--repo"],
        &[with(Data, FORGE_DATA), with(ActsOutside, BROWSER), with(Follows, &["--watch"])],
    ),
    row(
        "pr diff",
        &["-R", "--repo", "--color"],
        &[with(ActsOutside, BROWSER), with(Data, &["--name-only", "--patch"])],
    ),
    row("pr checkout|repo clone|release download|run download", &[], &[]),
    row(
        "api",
        API_TAKES,
        &[when(ActsOutside, sends), with(Data, &["--jq", "-q", "--template", "-t", "-i", "--include"])],
    ),
    row("pr|issue|run|repo|release", &[], &[never(ActsOutside)]),
];

const API_TAKES: &[&str] = &[
    "-X", "--method", "-f", "-F", "--raw-field", "--field", "--input", "-H", "--header", "--hostname", "-q", "--jq",
    "-t", "--template", "-p", "--preview", "--cache",
];

/// A request that is not a plain GET.
fn sends(call: &Call) -> bool {
    call.has_option(&["-f", "-F", "--raw-field", "--field", "--input"])
        || ["-X", "--method"].iter().any(|name| {
            call.value_of(name).is_some_and(|value| value.is_none_or(|value| !value.eq_ignore_ascii_case("get")))
        })
}

pub(super) const GLAB: Program = Program { name: "glab", before: &[], rows: GLAB_ROWS };

const GLAB_ROWS: &[Row] = &[
    row(
        "mr list|issue list|ci list|pipeline list|release list|mr view|issue view|release view|ci status|mr diff",
        &["-R", "--repo", "-P", "--per-page"],
        &[with(Data, &["-F", "--output"]), with(ActsOutside, BROWSER), with(Follows, &["--live", "-l"])],
    ),
    row("ci view|ci trace|pipeline view", &[], &[never(Follows)]),
    row("api", API_TAKES, &[when(ActsOutside, sends)]),
    row("mr|issue|ci|pipeline|release", &[], &[never(ActsOutside)]),
];

/// Graphite: what only looks at the stack.
pub(super) const GT: Program = Program { name: "gt", before: &[], rows: GT_ROWS };

const GT_ROWS: &[Row] = &[
    row("log|ls|info|parent|children|trunk", &[], &[]),
    formed("", Form::Prefix, &[], &[when(NoForm, |call| call.rest().is_empty()), never(ActsOutside)]),
];
