//! Python.

use super::super::call::Call;
use super::super::reason::Reason::*;
use super::super::row::{Program, Row, Stay, never, program, row, when, with};
use super::{ABOUT, ACTS, SERVES};

/// Named with the module that follows: the interpreter that was asked for would be lost.
const MODULES: &[Row] = &[row("-m pytest|-m mypy", &[], &[never(WrongTool)])];

pub(super) const PYTHON: Program = program("python", MODULES);
pub(super) const PYTHON3: Program = program("python3", MODULES);

const PYTEST_TAKES: &[&str] = &[
    "-k", "-m", "-n", "-c", "-p", "-o", "-W", "--maxfail", "--tb", "--cov", "--cov-report", "--rootdir",
    "--junitxml", "--ignore", "--deselect", "--durations", "--timeout",
];

const PYTEST_STAY: &[Stay] = &[
    with(Dialogue, &["--pdb", "--trace"]),
    with(Follows, &["-f", "--looponfail"]),
    // What these print stands in no summary.
    with(
        CutSilently,
        &[
            "--collect-only", "--co", "--collectonly", "--fixtures", "--fixtures-per-test", "--markers",
            "--setup-plan", "--setup-only", "--setup-show", "--durations", "-s", "--capture", "--cov-report",
            "--cov", "-rA", "-rP", "-rp", "--cache-show", "--trace-config",
        ],
    ),
    with(Data, &["--json-report", "--report-log"]),
];

pub(super) const PYTEST: Program = program("pytest", &[row("", PYTEST_TAKES, PYTEST_STAY)]);

const MYPY_STAY: &[Stay] = &[
    with(FalseClaim, ABOUT),
    with(Data, &["-O", "--output", "--junit-xml"]),
    with(Dialogue, &["--install-types"]),
    with(FalseClaim, &["--show-config", "--stats", "--inferstats"]),
];

pub(super) const MYPY: Program =
    program("mypy", &[row("", &["-p", "-m", "-c", "--config-file", "--python-version"], MYPY_STAY)]);

const RUFF_CHECK_STAY: &[Stay] = &[
    // rtk adds a `.` to it.
    when(InputGiven, |call| call.operands().any(|operand| operand == "-")),
    with(Follows, &["-w", "--watch"]),
    with(
        Data,
        &[
            "--output-format", "-o", "--output-file", "--stdin-filename", "--statistics", "--show-files",
            "--show-settings", "--diff",
        ],
    ),
    with(FalseClaim, ABOUT),
];

const RUFF_FORMAT_STAY: &[Stay] =
    &[with(Data, &["--diff", "--stdin-filename", "--output-format"]), with(FalseClaim, ABOUT)];

const RUFF_TAKES: &[&str] =
    &["--select", "--ignore", "--extend-select", "--config", "--line-length", "--target-version", "--exclude"];

pub(super) const RUFF: Program =
    program("ruff", &[row("check", RUFF_TAKES, RUFF_CHECK_STAY), row("format", RUFF_TAKES, RUFF_FORMAT_STAY)]);

pub(super) const SQLFLUFF: Program = program(
    "sqlfluff",
    &[row(
        "lint",
        &["--dialect", "-d"],
        &[with(Data, &["--format", "-f", "--write-output"]), with(FalseClaim, ABOUT)],
    )],
);

const PIP_INSTALL: &[Stay] = &[with(FalseClaim, ABOUT)];

pub(super) const PIP: Program = program(
    "pip",
    &[
        row("list|outdated", &["--path", "--exclude"], &[with(Data, &["--format"]), with(FalseClaim, ABOUT)]),
        row(
            "install",
            &["-r", "-c", "-e", "-t", "-i", "--index-url", "--extra-index-url", "--target", "--prefix"],
            PIP_INSTALL,
        ),
        row("show", &[], &[with(FalseClaim, ABOUT)]),
    ],
);

/// rtk starts `pip`, which may be another Python's.
pub(super) const PIP3: Program = program("pip3", &[row("list|outdated|install|show", &[], &[never(WrongTool)])]);

pub(super) const UV: Program = program(
    "uv",
    &[
        // rtk starts `pip`.
        row("pip list|pip outdated|pip show", &[], &[never(WrongTool)]),
        row("pip install", &["-r", "-c", "-e", "--index-url", "--python", "-p"], PIP_INSTALL),
        row(
            "sync",
            &["--extra", "--group", "--package", "-p", "--python"],
            &[with(Data, &["--dry-run", "--output-format"])],
        ),
        // `uv run rtk pytest`: the interpreter that was asked for would be lost.
        row(
            "run python -m pytest|run python3 -m pytest|run python -m mypy|run python3 -m mypy",
            &[],
            &[never(WrongTool)],
        ),
        // With a form for what it runs, `rtk` stands before that: `super::super::run_by_uv`.
        row(
            "run",
            &["--with", "--extra", "--group", "--python", "-p", "--project", "--env-file", "-m", "--module"],
            &[
                when(NoForm, |call| call.rest().is_empty()),
                with(Data, &["--json"]),
                SERVES,
                ACTS,
                when(Dialogue, runs_a_prompt),
                when(Follows, runs_a_server),
            ],
        ),
    ],
);

/// `uv run python` without a program is a dialogue.
fn runs_a_prompt(call: &Call) -> bool {
    let mut operands = call.operands();
    matches!(operands.next(), Some("python" | "python3" | "ipython" | "bpython")) && call.rest().len() == 1
}

fn runs_a_server(call: &Call) -> bool {
    call.operands().next().is_some_and(|first| {
        ["uvicorn", "gunicorn", "hypercorn", "flask", "streamlit", "jupyter", "celery", "mkdocs", "fastapi"]
            .contains(&first)
    }) || call.operands().any(|operand| operand == "runserver")
}

pub(super) const POETRY: Program = program(
    "poetry",
    &[row(
        "install|lock|update",
        &["-E", "--extras", "--with", "--without", "--only"],
        &[with(Data, &["--dry-run"])],
    )],
);
pub(super) const PRE_COMMIT: Program = program(
    "pre-commit",
    &[
        row(
            "run",
            &["--files", "--from-ref", "--to-ref", "--hook-stage"],
            &[with(Data, &["--show-diff-on-failure"])],
        ),
        row("", &[], &[never(ActsOutside)]),
    ],
);
pub(super) const BASEDPYRIGHT: Program = program(
    "basedpyright",
    &[row(
        "",
        &["-p", "--project"],
        &[with(Data, &["--outputjson"]), with(Follows, &["-w", "--watch"]), with(FalseClaim, ABOUT)],
    )],
);
pub(super) const TY: Program = program(
    "ty",
    &[
        row(
            "check",
            &["--project", "--python"],
            &[with(Data, &["--output-format"]), with(Follows, &["-W", "--watch"]), with(FalseClaim, ABOUT)],
        ),
        row("", &[], &[never(FalseClaim)]),
    ],
);
