//! JavaScript and TypeScript.

use super::super::call::Call;
use super::super::reason::Reason::*;
use super::super::row::{
    Form, Program, Row, Stay, also, formed, naming, never, program, row, unless_first, when, with, without,
};
use super::{ABOUT, ACTS, SERVES};

const WATCH: &[&str] = &["--watch", "-w", "--watchAll", "--watch-all", "--ui"];

/// After `npm run`, `pnpm exec` and their like rtk takes these for the tool and not for the script or the
/// version that the package manager would find.
const TOOLS: &[&str] =
    &["biome", "eslint", "jest", "lint", "next", "playwright", "prettier", "prisma", "tsc", "vitest"];

fn is_taken_for_a_tool(call: &Call) -> bool {
    call.rest().first().is_some_and(|word| TOOLS.contains(&word.text.as_ref()))
}

/// npx runs the version of the project; rtk takes one from the `PATH` first.
fn has_another_version(call: &Call) -> bool {
    call.words[0].text == "npx" && call.context.machine.has_program(&call.words[1].text)
}

const RUN_SCRIPT: &[Stay] = &[
    when(WrongTool, is_taken_for_a_tool),
    with(Follows, &["--watch"]),
    SERVES,
    ACTS,
    with(Data, &["--json", "--parseable"]),
];

const RUN_PACKAGE: &[Stay] = &[
    when(WrongTool, is_taken_for_a_tool),
    with(Follows, WATCH),
    SERVES,
    ACTS,
    with(Data, &["--json", "--format", "--version", "--output"]),
    when(Dialogue, starts_a_generator),
    naming(Dialogue, &["init", "login", "add", "create"]),
];

fn starts_a_generator(call: &Call) -> bool {
    call.operands().next().is_some_and(|first| first.starts_with("create-") || first.contains("/create"))
}

pub(super) const NPM: Program = program(
    "npm",
    &[
        // The one addition to what `rtk rewrite` does: `rtk npm test` runs the same script with the same status.
        row("test|t", &[], &[with(Follows, WATCH), with(Data, &["--json"])]),
        row("run|run-script|rum|urn", &["-w", "--workspace", "--prefix"], RUN_SCRIPT),
        row("exec", &["-p", "--package", "-c", "--call", "-w", "--workspace"], RUN_PACKAGE),
        // `rtk npm x foo` runs the script `x`.
        row("x", &[], &[never(WrongTool)]),
    ],
);

pub(super) const NPX: Program = program(
    "npx",
    &[
        formed("tsc", Form::Instead("tsc"), TSC_TAKES, TSC_STAY),
        formed("eslint", Form::Instead("lint"), ESLINT_TAKES, ESLINT_STAY),
        row("biome|lint", &[], &[never(WrongTool)]),
        formed("prettier", Form::Instead("prettier"), &[], PRETTIER_STAY),
        formed("next build", Form::Instead("next"), &[], NEXT_STAY),
        row("jest run", &[], &[never(WrongTool)]),
        formed("jest", Form::Instead("jest"), JEST_TAKES, JEST_STAY),
        formed("vitest run", Form::Instead("vitest"), JEST_TAKES, VITEST_STAY),
        formed("vitest", Form::Instead("vitest"), JEST_TAKES, VITEST_BARE),
        formed("playwright", Form::Instead("playwright"), PLAYWRIGHT_TAKES, PLAYWRIGHT_STAY),
        formed("prisma", Form::Instead("prisma"), &["--schema"], PRISMA_STAY),
        row("", &["-p", "--package", "-c", "--call", "-w", "--workspace"], NPX_STAY),
    ],
);

const NPX_STAY: &[Stay] = &[
    when(NoForm, |call| call.rest().is_empty()),
    with(Follows, WATCH),
    SERVES,
    ACTS,
    with(Data, &["--json", "--format", "--version", "--output"]),
    when(Dialogue, starts_a_generator),
    naming(Dialogue, &["init", "login", "add", "create"]),
    // Servers that need no word for it.
    when(Follows, |call| {
        let mut operands = call.operands();
        let tool = operands.next().unwrap_or_default();
        ["http-server", "live-server", "json-server", "nodemon", "ts-node-dev", "localtunnel", "ngrok", "ng"]
            .contains(&tool)
            || (tool == "vite" && operands.next() != Some("build"))
    }),
];

const PNPM_BEFORE: &[&str] = &["-r", "--recursive", "-w", "--workspace-root", "--filter=", "-F="];

pub(super) const PNPM: Program = Program { name: "pnpm", before: PNPM_BEFORE, rows: PNPM_ROWS };

const PNPM_ROWS: &[Row] = &[
    // They take the tool from the project, or download it; `pnpm lint` may be a script.
    row(
        "biome|eslint|lint|tsc|prettier|next build|jest|vitest|playwright|prisma",
        &[],
        &[when(NoForm, has_options_before), never(WrongTool)],
    ),
    row("dlx", &[], &[when(WrongTool, is_taken_for_a_tool), never(NoForm)]),
    row("run|run-script", &[], RUN_SCRIPT),
    row("exec", &["-c"], RUN_PACKAGE),
    row(
        "install|i",
        &["--filter", "-F"],
        &[with(ActsOutside, &["-g", "--global"]), with(Data, &["--json", "--reporter"])],
    ),
    row(
        "list|ls",
        &["--depth"],
        &[with(Data, &["--json", "--parseable", "--porcelain"]), with(ActsOutside, &["-g", "--global"])],
    ),
    // Ends with 0 where pnpm ends with 1 for what is outdated.
    row("outdated", &[], &[never(ExitStatus)]),
];

fn has_options_before(call: &Call) -> bool {
    call.before().first().is_some_and(|word| word.text.starts_with('-'))
}

/// pnpx downloads a package; rtk looks for the tool on this machine.
pub(super) const PNPX: Program = program(
    "pnpx",
    &[row("biome|eslint|lint|tsc|prettier|next build|jest|vitest|playwright|prisma", &[], &[never(WrongTool)])],
);

const TSC_TAKES: &[&str] = &["-p", "--project", "--target", "--module", "--outDir", "--lib"];

/// Whatever else it prints, rtk says `No errors found`.
const TSC_STAY: &[Stay] = &[
    when(WrongTool, has_another_version),
    with(Follows, &["-w", "--watch"]),
    with(FalseClaim, ABOUT),
    with(
        FalseClaim,
        &[
            "-v", "--init", "--showConfig", "--all", "--listFiles", "--listFilesOnly", "--listEmittedFiles",
            "--explainFiles", "--traceResolution", "--diagnostics", "--extendedDiagnostics", "--generateTrace",
            "--dry", "--verbose",
        ],
    ),
];

pub(super) const TSC: Program = program("tsc", &[row("", TSC_TAKES, TSC_STAY)]);

const ESLINT_TAKES: &[&str] = &[
    "-c", "--config", "--ext", "--max-warnings", "--rule", "--ignore-pattern", "--ignore-path", "--parser",
    "--plugin", "--env", "--global", "--cache-location", "--resolve-plugins-relative-to", "-f", "--format", "-o",
    "--output-file",
];

const ESLINT_STAY: &[Stay] = &[
    when(WrongTool, has_another_version),
    with(Data, &["-f", "--format", "-o", "--output-file", "--stdin", "--stdin-filename"]),
    with(FalseClaim, ABOUT),
    with(FalseClaim, &["-v", "--print-config", "--inspect-config", "--env-info", "--debug", "--stats"]),
    with(Dialogue, &["--init"]),
    // `rtk lint src` runs `npx src`: a first word without a dot or slash is taken for the linter's name. Without a path
    // it adds `.`.
    when(WrongTool, |call| {
        call.operands().next().is_none()
            || call.rest().first().is_some_and(|word| !word.text.starts_with('-') && !word.text.contains(['/', '.']))
    }),
];

pub(super) const ESLINT: Program = program("eslint", &[formed("", Form::Instead("lint"), ESLINT_TAKES, ESLINT_STAY)]);

/// `rtk lint check src/` runs `npx check src/` and finds no issues.
pub(super) const BIOME: Program = program("biome", &[row("", &[], &[never(WrongTool)])]);
pub(super) const LINT: Program = program("lint", &[row("", &[], &[never(WrongTool)])]);

/// Where a file can't be parsed or is not there it says that all files are formatted; without `--check` and
/// `--write` it says so instead of the formatted text.
const PRETTIER_STAY: &[Stay] = &[never(FalseClaim)];

pub(super) const PRETTIER: Program = program(
    "prettier",
    &[row("", &["--config", "--ignore-path", "--parser", "--plugin", "--log-level"], PRETTIER_STAY)],
);

/// A count of errors, without the errors.
const NEXT_STAY: &[Stay] = &[never(CutSilently)];
pub(super) const NEXT: Program = program("next", &[formed("build", Form::Instead("next"), &[], NEXT_STAY)]);

const JEST_TAKES: &[&str] = &[
    "-t", "--testNamePattern", "-c", "--config", "--testPathPattern", "-w", "--maxWorkers", "--project",
    "--projects", "--coverageDirectory", "--dir", "--root", "--pool", "--environment",
];

const JEST_STAY: &[Stay] = &[
    when(WrongTool, has_another_version),
    with(Follows, &["--watch", "--watchAll"]),
    with(FalseClaim, &["--version", "-v", "--help", "-h", "--listTests", "--showConfig", "--init", "--clearCache"]),
    with(Data, &["--json", "--outputFile", "--reporters", "--reporter"]),
    with(Dialogue, &["-i", "--interactive"]),
];

pub(super) const JEST: Program = program(
    "jest",
    &[
        // `run` is a pattern of files, which rtk leaves out.
        row("run", &[], &[never(WrongTool)]),
        row("", JEST_TAKES, JEST_STAY),
    ],
);

const VITEST_STAY: &[Stay] = &[
    when(WrongTool, has_another_version),
    with(Follows, &["-w", "--watch", "--ui", "--inspect", "--inspect-brk"]),
    with(FalseClaim, &["--version", "-v", "--help", "-h", "--clearCache"]),
    with(Data, &["--json", "--outputFile"]),
    when(Data, |call| {
        call.value_of("--reporter").is_some_and(|value| {
            value.is_none_or(|value| {
                ["json", "junit", "tap", "tap-flat", "html", "blob", "github-actions"].contains(&value)
            })
        })
    }),
    // The table of coverage is left out.
    with(CutSilently, &["--coverage"]),
];

/// In a terminal it watches; rtk runs `vitest run`.
const VITEST_BARE: &[Stay] = &[without(Follows, &["--run"]), also(VITEST_STAY)];

pub(super) const VITEST: Program = program(
    "vitest",
    &[formed("run", Form::Instead("vitest"), JEST_TAKES, VITEST_STAY), row("", JEST_TAKES, VITEST_BARE)],
);

const PLAYWRIGHT_TAKES: &[&str] =
    &["--project", "-c", "--config", "-g", "--grep", "--workers", "-j", "--retries", "--timeout"];

/// Only `test` is a run of tests; the rest opens windows, installs browsers or shows a report.
const PLAYWRIGHT_STAY: &[Stay] = &[
    when(WrongTool, has_another_version),
    unless_first(ActsOutside, &["test"]),
    with(Dialogue, &["--ui", "--debug", "--headed", "--ui-host", "--ui-port"]),
    with(Data, &["--list"]),
    // rtk leaves out `--reporter` and takes its value for a test.
    when(WrongTool, |call| call.rest().iter().any(|word| word.text == "--reporter")),
    with(Data, &["--reporter=json", "--reporter=junit", "--reporter=blob", "--reporter=github", "--reporter=html"]),
    with(FalseClaim, ABOUT),
];

/// rtk starts npx.
pub(super) const PLAYWRIGHT: Program = program("playwright", &[row("", &[], &[never(WrongTool)])]);

const PRISMA_STAY: &[Stay] = &[
    when(WrongTool, has_another_version),
    // The others act on a database, ask, or serve.
    unless_first(ActsOutside, &["generate", "validate", "format"]),
    with(Follows, &["--watch"]),
    with(FalseClaim, ABOUT),
];

pub(super) const PRISMA: Program = program("prisma", &[row("", &["--schema", "--generator"], PRISMA_STAY)]);

pub(super) const NG: Program = program(
    "ng",
    &[row(
        "build",
        &["-c", "--configuration", "--project"],
        &[with(Follows, &["--watch", "-w"]), with(Data, &["--json", "--stats-json"]), with(FalseClaim, ABOUT)],
    )],
);

pub(super) const BUN: Program = program(
    "bun",
    &[
        row("install|add|remove", &[], &[with(ActsOutside, &["-g", "--global"])]),
        row(
            "test",
            &["-t", "--timeout", "--preload"],
            &[with(Follows, &["--watch", "--hot"]), with(Data, &["--reporter"])],
        ),
        row(
            "build",
            &["--outdir", "--outfile", "--target"],
            &[with(Follows, &["--watch"]), without(Data, &["--outdir", "--outfile", "--compile"])],
        ),
        row("run", &[], &[with(Follows, &["--watch", "--hot"]), SERVES, ACTS, when(Data, runs_a_file)]),
        row("pm ls", &[], &[]),
        row("pm", &[], &[never(Data)]),
        // Started as `bunx`, which need not be there.
        row("x", &[], &[never(WrongTool)]),
    ],
);

/// A program of the user's, whose output nobody can know.
fn runs_a_file(call: &Call) -> bool {
    call.operands().next().is_some_and(|first| first.contains(['/', '.']))
}

pub(super) const BUNX: Program =
    program("bunx", &[row("tsc", TSC_TAKES, TSC_STAY), row("", &["-p", "--package"], NPX_STAY)]);

pub(super) const DENO: Program = program(
    "deno",
    &[
        row("test|lint|check", &[], &[with(Follows, &["--watch"]), with(Data, &["--json", "--reporter"])]),
        row("task", &[], &[with(Follows, &["--watch"]), SERVES, ACTS]),
        row("run", &[], &[with(Follows, &["--watch", "--watch-hmr"]), SERVES, ACTS]),
        row("compile|install", &["-o", "--output"], &[with(ActsOutside, &["-g", "--global", "-f", "--force"])]),
    ],
);

/// Runners of tasks in a monorepo.
pub(super) const NX: Program = program(
    "nx",
    &[row(
        "",
        &[],
        &[
            SERVES,
            ACTS,
            with(Follows, &["--watch"]),
            with(Data, &["--json"]),
            naming(Dialogue, &["generate", "g", "init", "graph", "connect"]),
        ],
    )],
);
pub(super) const TURBO: Program = program(
    "turbo",
    &[row(
        "",
        &["--filter", "-F"],
        &[
            SERVES,
            ACTS,
            with(Follows, &["--watch"]),
            with(Data, &["--json", "--dry", "--dry-run", "--graph"]),
            naming(Dialogue, &["gen", "generate", "login", "link"]),
        ],
    )],
);

pub(super) const OXLINT: Program = program(
    "oxlint",
    &[row(
        "",
        &["-c", "--config", "-f", "--format"],
        &[
            with(Data, &["-f", "--format"]),
            with(FalseClaim, ABOUT),
            with(FalseClaim, &["--rules", "--init", "--print-config"]),
        ],
    )],
);
