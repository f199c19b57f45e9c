//! Compilers, build tools and task runners.

use super::super::call::Call;
use super::super::reason::Reason::*;
use super::super::row::{Form, Program, Row, Stay, also, formed, naming, never, program, row, when, with};
use super::{ABOUT, ACTS, SERVES};

const CARGO_TAKES: &[&str] = &[
    "-p", "--package", "--features", "-F", "--target", "--bin", "--example", "--test", "--bench", "-j", "--jobs",
    "--manifest-path", "--target-dir", "--profile", "--message-format", "--color", "--config", "--exclude",
];
/// Not `--message-format=short` and `human`, which rtk hands on.
const CARGO_DATA: Stay = when(Data, |call| {
    call.has_option(&["--build-plan", "--unit-graph", "--timings"])
        || call.value_of("--message-format").is_some_and(|value| !matches!(value, Some("short" | "human")))
});

pub(super) const CARGO: Program = program(
    "cargo",
    &[
        row("build|check|clippy", CARGO_TAKES, &[CARGO_DATA, with(FalseClaim, ABOUT)]),
        row("test", CARGO_TAKES, &[CARGO_DATA, with(FalseClaim, ABOUT), when(CutSilently, asks_the_test_binary)]),
        row(
            "fmt",
            &["-p", "--package", "--manifest-path"],
            &[with(Data, &["--message-format", "--emit"]), with(FalseClaim, ABOUT)],
        ),
        // Into `~/.cargo`.
        row("install", &[], &[never(ActsOutside)]),
    ],
);

/// What the test binary is asked after `--`: its list, or what the tests print.
fn asks_the_test_binary(call: &Call) -> bool {
    call.rest().iter().skip_while(|word| word.text != "--").any(|word| {
        ["--list", "--nocapture", "--no-capture", "--show-output", "--format", "-Z", "--help"]
            .iter()
            .any(|option| word.text.starts_with(option))
    })
}

pub(super) const GO: Program = program(
    "go",
    &[
        row(
            "test",
            &["-run", "-bench", "-timeout", "-tags", "-count", "-coverprofile", "-exec", "-o"],
            &[
                with(Data, &["-json", "-list", "-n", "-x", "-h"]),
                // What tests and benchmarks print is left out.
                with(CutSilently, &["-bench", "-cover", "-coverprofile"]),
                with(FalseClaim, &["-c"]),
            ],
        ),
        row("build", &["-o", "-tags", "-ldflags", "-gcflags"], &[with(Data, &["-json", "-n", "-x", "-h"])]),
        // `No issues found` where there is no module or a package is missing.
        row("vet", &[], &[never(FalseClaim)]),
    ],
);

/// Ends with 0 where it found something.
const GOLANGCI: &[Row] = &[row("run", &[], &[never(ExitStatus)])];
pub(super) const GOLANGCI_LINT: Program = program("golangci-lint", GOLANGCI);
pub(super) const GOLANGCI_SHORT: Program = program("golangci", GOLANGCI);

const MAKE_TAKES: &[&str] = &["-C", "-f", "-j", "-I", "-l", "--directory", "--file", "--jobs"];

pub(super) const MAKE: Program = program(
    "make",
    &[row(
        "",
        MAKE_TAKES,
        &[with(Data, &["-p", "--print-data-base", "-q", "--question", "-v", "--version"]), SERVES, ACTS],
    )],
);

const RUNNER: &[Stay] = &[
    with(Data, &["--dump", "--json", "--evaluate"]),
    with(Dialogue, &["--choose", "--edit", "-e"]),
    with(Follows, &["-w", "--watch"]),
    SERVES,
    ACTS,
];

pub(super) const JUST: Program =
    program("just", &[row("", &["-f", "--justfile", "-d", "--working-directory"], RUNNER)]);
pub(super) const TASK: Program = program("task", &[row("", &["-d", "-t", "--dir", "--taskfile"], RUNNER)]);
pub(super) const MISE: Program =
    program("mise", &[row("run|exec", &[], RUNNER), row("install|upgrade", &[], &[never(ActsOutside)])]);

pub(super) const GCC: Program = program(
    "gcc",
    &[row(
        "",
        &["-o", "-include"],
        &[
            with(Data, &["-E", "-M", "-MM", "--version", "-v", "-dumpversion", "-dumpmachine", "-print-search-dirs"]),
            when(Data, |call| call.operands().any(|operand| operand == "-")),
        ],
    )],
);

pub(super) const CTEST: Program = program(
    "ctest",
    &[row(
        "",
        &["--test-dir", "-j", "-R", "-E", "-L", "-C", "--timeout"],
        &[
            with(Data, &["-N", "--show-only", "--print-labels", "-T", "-D"]),
            with(CutSilently, &["-V", "-VV", "--verbose", "--extra-verbose"]),
            with(FalseClaim, &["--version", "--help"]),
        ],
    )],
);

const GRADLE_STAY: &[Stay] = &[
    SERVES,
    ACTS,
    with(Follows, &["-t", "--continuous"]),
    with(FalseClaim, &["--version", "-v", "--help", "-h", "-m", "--dry-run", "--status"]),
    // What a program prints that gradle runs is left out.
    when(Follows, |call| call.operands().any(|task| task.ends_with("run") || task.ends_with("Run"))),
    naming(Dialogue, &["init"]),
];

const GRADLE_TAKES: &[&str] = &["-p", "--project-dir", "--tests", "-x", "--exclude-task", "-b", "--console"];

/// `rtk gradlew` runs `./gradlew` where there is one, else `gradle`.
pub(super) const GRADLE: Program = program(
    "gradle",
    &[formed(
        "",
        Form::Instead("gradlew"),
        GRADLE_TAKES,
        &[when(WrongTool, |call| call.context.exists("gradlew")), also(GRADLE_STAY)],
    )],
);

const GRADLE_WRAPPER: &[Row] = &[formed(
    "",
    Form::Instead("gradlew"),
    GRADLE_TAKES,
    &[when(WrongTool, |call| runs_another(call, "gradlew", "gradle")), also(GRADLE_STAY)],
)];
pub(super) const DOT_GRADLEW: Program = program("./gradlew", GRADLE_WRAPPER);

/// Found on the `PATH`; `rtk gradlew` would take the one of this folder, or `gradle`.
pub(super) const GRADLEW: Program = program("gradlew", &[row("", &[], &[never(WrongTool)])]);
pub(super) const GRADLEW_BAT: Program = program("gradlew.bat", &[row("", &[], &[never(NotPosix)])]);

/// Where the file that was asked for is not there, rtk takes the program of the `PATH` instead of failing.
pub(super) fn runs_another(call: &Call, file: &str, program: &str) -> bool {
    !call.context.exists(file) && call.context.machine.has_program(program)
}

const PHASES: &[&str] = &["compile", "test", "integration-test", "package", "install", "verify", "deploy"];

const MVN_STAY: &[Stay] = &[
    // rtk knows these phases only.
    when(NoForm, |call| !call.rest().iter().any(|word| PHASES.contains(&word.text.as_ref()))),
    // Into the local repository and to the remote one.
    when(ActsOutside, |call| {
        call.operands().any(|goal| matches!(goal, "deploy" | "install" | "release:perform" | "release:prepare"))
    }),
    with(Data, &["-v", "--version", "-h", "--help"]),
    when(Follows, |call| call.operands().any(|goal| goal.ends_with(":run") || goal.ends_with(":dev"))),
];
const MVN_TAKES: &[&str] = &["-f", "--file", "-pl", "--projects", "-P", "-T", "-s", "-rf"];

pub(super) const MVN: Program = program(
    "mvn",
    &[
        row("spring-boot:run", &[], &[never(Follows)]),
        row("", MVN_TAKES, &[when(WrongTool, |call| call.context.exists("mvnw")), also(MVN_STAY)]),
    ],
);
pub(super) const DOT_MVNW: Program = program(
    "./mvnw",
    &[formed(
        "",
        Form::Instead("mvn"),
        MVN_TAKES,
        &[also(MVN_STAY), when(WrongTool, |call| runs_another(call, "mvnw", "mvn"))],
    )],
);
pub(super) const MVNW: Program = program("mvnw", &[row("", &[], &[also(MVN_STAY), never(WrongTool)])]);
pub(super) const MVNW_CMD: Program = program("mvnw.cmd", &[row("", &[], &[also(MVN_STAY), never(NotPosix)])]);
pub(super) const MVND: Program = program("mvnd", &[row("", MVN_TAKES, &[also(MVN_STAY)])]);

/// A service; rtk knows it by the name of the archive.
pub(super) const JAVA: Program = program(
    "java",
    &[row(
        "",
        &[],
        &[
            when(NoForm, |call| !call.operands().any(|operand| operand.to_ascii_lowercase().contains("spring"))),
            never(Follows),
        ],
    )],
);

const SBT_STAY: &[Stay] = &[with(Follows, &["-client", "--client"])];
pub(super) const SBT: Program = program(
    "sbt",
    &[
        row("test|testOnly|testQuick|clean|package|assembly", &[], SBT_STAY),
        // `Success` to what did not succeed.
        row("compile", &[], &[never(FalseClaim)]),
        row("run", &[], &[never(Follows)]),
        // `sbt "testOnly a.B"`: the command and its argument in one word.
        row(
            "",
            &[],
            &[when(NoForm, |call| {
                !call.rest().first().is_some_and(|word| {
                    word.is_literal()
                        && ["test ", "testOnly ", "testQuick "].iter().any(|command| word.text.starts_with(command))
                })
            })],
        ),
    ],
);

pub(super) const DOTNET: Program = program(
    "dotnet",
    &[row(
        "build|restore",
        &["-c", "--configuration", "-f", "--framework", "-r", "-o", "-v"],
        &[
            // `fail` where its own log of the build says nothing, though the build ended with 0.
            when(FalseClaim, |call| call.words[1].text == "build"),
            with(Data, &["-bl", "--help", "-h", "-?", "-getProperty", "-getItem"]),
            // rtk adds `-v:minimal`.
            with(Unsupported, &["-v", "--verbosity", "-verbosity"]),
        ],
    )],
);

pub(super) const SWIFT: Program = program(
    "swift",
    &[
        row(
            "build",
            &["-c", "--configuration", "--product", "--target"],
            &[with(Data, &["--show-bin-path", "--help", "-h"])],
        ),
        row("test", &["--filter", "--skip"], &[with(Data, &["--list-tests", "-l", "--help", "-h"])]),
    ],
);
pub(super) const XCODEBUILD: Program = program(
    "xcodebuild",
    &[row(
        "",
        &["-scheme", "-project", "-workspace", "-destination", "-configuration", "-sdk"],
        &[
            with(
                Data,
                &["-list", "-showBuildSettings", "-showsdks", "-showdestinations", "-json", "-version", "-help"],
            ),
            when(ActsOutside, |call| call.operands().any(|action| action == "install")),
        ],
    )],
);
pub(super) const MIX: Program = program(
    "mix",
    &[
        // `ok` to a build that failed.
        row("compile", &[], &[never(FalseClaim)]),
        row("format", &[], &[with(FalseClaim, ABOUT)]),
    ],
);
/// `ok` to a build that failed.
pub(super) const PIO: Program = program("pio", &[row("run", &[], &[never(FalseClaim)])]);
pub(super) const TRUNK: Program = program("trunk", &[row("build", &[], &[with(Follows, &["--watch"])])]);
pub(super) const QUARTO: Program = program(
    "quarto",
    &[row(
        "render",
        &["--to", "-t", "-o", "--output"],
        &[when(Data, |call| call.operands().any(|operand| operand == "-"))],
    )],
);
/// Nothing but the end of its branches leaves the tree.
pub(super) const JJ: Program = program(
    "jj",
    &[
        row("log", &["-n", "--limit", "-r", "-T"], &[with(Data, &["-T", "--template"])]),
        row("status|st|diff|show", &["-r", "--revision"], &[with(Data, &["-T", "--template", "--git", "--summary"])]),
        row("", &[], &[when(ActsOutside, |call| !call.rest().is_empty())]),
    ],
);
pub(super) const OLLAMA: Program = program("ollama", &[row("run", &[], &[never(Dialogue)])]);
pub(super) const SHELLCHECK: Program = program(
    "shellcheck",
    &[row(
        "",
        &["-s", "-e", "-o", "-S"],
        &[
            with(Data, &["-f", "--format", "--list-optional", "-V", "--version"]),
            when(InputGiven, |call| call.operands().any(|operand| operand == "-")),
        ],
    )],
);
pub(super) const HADOLINT: Program = program(
    "hadolint",
    &[row(
        "",
        &["-c", "--config", "--ignore", "-t"],
        &[
            with(Data, &["-f", "--format", "-v", "--version"]),
            when(InputGiven, |call| call.operands().any(|operand| operand == "-")),
        ],
    )],
);
pub(super) const YAMLLINT: Program = program(
    "yamllint",
    &[row(
        "",
        &["-c", "-d"],
        &[
            with(Data, &["-f", "--format", "-v", "--version", "--list-files"]),
            when(InputGiven, |call| call.operands().any(|operand| operand == "-")),
        ],
    )],
);
pub(super) const MARKDOWNLINT: Program = program(
    "markdownlint",
    &[row(
        "",
        &["-c", "--config", "-i", "--ignore", "-o"],
        &[with(Data, &["-j", "--json", "-o", "--output", "--version", "-V"]), with(InputGiven, &["-s", "--stdin"])],
    )],
);
