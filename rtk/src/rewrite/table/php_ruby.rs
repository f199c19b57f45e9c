//! PHP and Ruby.

use super::super::call::Call;
use super::super::reason::Reason::*;
use super::super::row::{Form, Program, Row, Stay, also, formed, never, program, row, when, with};
use super::build::runs_another;

/// rtk takes `vendor/bin/TOOL` where there is one, else the program of the `PATH`.
fn has_vendor(call: &Call) -> bool {
    let name = call.words[0].text.as_ref();
    call.context.exists(&format!("vendor/bin/{name}"))
}

/// The file that was asked for is not there, and rtk would take the program of the `PATH`.
fn lacks_vendor(call: &Call) -> bool {
    let path = call.words[0].text.as_ref();
    let name = path.rsplit('/').next().unwrap_or(path);
    runs_another(call, path, name)
}

/// `ok` where it could not run, with an exit status of 1 or 2.
const PHPUNIT_STAY: &[Stay] = &[never(FalseClaim)];
const PHPSTAN_STAY: &[Stay] = &[
    with(Data, &["--error-format", "--generate-baseline", "-b", "--help", "-h", "--version", "-V"]),
    with(Dialogue, &["--pro", "--fix"]),
];
const PEST_STAY: &[Stay] = &[
    with(
        FalseClaim,
        &[
            "--version", "--help", "-h", "--list-tests", "--list-groups", "--init", "--testdox", "--coverage",
            "--profile",
        ],
    ),
    with(Follows, &["--watch"]),
];
const PARATEST_STAY: &[Stay] = &[with(FalseClaim, &["--version", "--help", "-h", "--list-tests"])];
const ECS_STAY: &[Stay] = &[with(Data, &["--output-format", "--help", "-h", "--version"])];
const PINT_STAY: &[Stay] = &[with(Data, &["--format", "--help", "-h", "--version", "-V"])];

macro_rules! vendor_tool {
    ($direct:ident, $vendor:ident, $dot:ident, $name:literal, $sub:literal, $stay:ident) => {
        pub(super) const $direct: Program =
            program($name, &[row($sub, &[], &[when(WrongTool, has_vendor), also($stay)])]);
        pub(super) const $vendor: Program = program(
            concat!("vendor/bin/", $name),
            &[formed($sub, Form::InsteadOfName($name), &[], &[when(WrongTool, lacks_vendor), also($stay)])],
        );
        pub(super) const $dot: Program = program(
            concat!("./vendor/bin/", $name),
            &[formed($sub, Form::InsteadOfName($name), &[], &[when(WrongTool, lacks_vendor), also($stay)])],
        );
    };
}

vendor_tool!(PHPUNIT, VENDOR_PHPUNIT, DOT_VENDOR_PHPUNIT, "phpunit", "", PHPUNIT_STAY);
vendor_tool!(PHPSTAN, VENDOR_PHPSTAN, DOT_VENDOR_PHPSTAN, "phpstan", "analyse|analyze", PHPSTAN_STAY);
vendor_tool!(PEST, VENDOR_PEST, DOT_VENDOR_PEST, "pest", "", PEST_STAY);
vendor_tool!(PARATEST, VENDOR_PARATEST, DOT_VENDOR_PARATEST, "paratest", "", PARATEST_STAY);
vendor_tool!(ECS, VENDOR_ECS, DOT_VENDOR_ECS, "ecs", "", ECS_STAY);
vendor_tool!(PINT, VENDOR_PINT, DOT_VENDOR_PINT, "pint", "", PINT_STAY);

/// Other folders than rtk looks in.
const ELSEWHERE: &[Row] = &[row("", &[], &[never(WrongTool)])];
pub(super) const BIN_PHPUNIT: Program = program("bin/phpunit", ELSEWHERE);
pub(super) const DOT_BIN_PHPUNIT: Program = program("./bin/phpunit", ELSEWHERE);
pub(super) const BIN_PHPSTAN: Program = program("bin/phpstan", ELSEWHERE);
pub(super) const DOT_BIN_PHPSTAN: Program = program("./bin/phpstan", ELSEWHERE);

/// What of artisan only looks, tests or writes a file of the tree.
const ARTISAN: &[&str] = &[
    "about", "list", "test", "route:list", "config:show", "env", "event:list", "schedule:list", "model:show",
    "view:cache", "config:cache", "route:cache", "optimize", "package:discover",
];

pub(super) const PHP: Program = program(
    "php",
    &[
        row(
            "artisan",
            &["--filter", "--env"],
            &[
                when(ActsOutside, |call| {
                    call.operands()
                        .next()
                        .is_none_or(|first| !ARTISAN.contains(&first) && !first.starts_with("make:"))
                }),
                with(Data, &["--json", "--format", "--raw"]),
            ],
        ),
        row("-l", &[], &[]),
        formed("run-tests.php", Form::Instead("phpt"), &[], &[with(FalseClaim, &["--help", "-h", "--version"])]),
        // The interpreter with its options would be lost.
        row(
            "vendor/bin/phpunit|./vendor/bin/phpunit|bin/phpunit|./bin/phpunit|phpunit|vendor/bin/phpstan analyse|./vendor/bin/phpstan analyse|bin/phpstan analyse|phpstan analyse|vendor/bin/phpstan analyze|phpstan analyze",
            &[],
            &[never(WrongTool)],
        ),
    ],
);

pub(super) const COMPOSER: Program = program(
    "composer",
    &[row(
        "install|update|require",
        &["-d", "--working-dir"],
        &[with(Data, &["--dry-run"]), with(Dialogue, &["-i", "--interactive"])],
    )],
);

/// With a `Gemfile` here rtk runs `bundle exec TOOL`, without one the program of the `PATH`.
fn has_gemfile(call: &Call) -> bool {
    call.context.exists("Gemfile")
}

fn lacks_gemfile(call: &Call) -> bool {
    runs_another(call, "Gemfile", &call.words[call.matched - 1].text)
}

const RSPEC_STAY: &[Stay] = &[
    with(Data, &["-f", "--format", "-o", "--out"]),
    with(FalseClaim, &["--version", "-v", "--help", "-h", "--dry-run", "--init", "--bisect"]),
    with(Follows, &["--drb"]),
];
const RUBOCOP_STAY: &[Stay] = &[
    with(
        Data,
        &[
            "-f", "--format", "-o", "--out", "-s", "--stdin", "-L", "--list-target-files", "--show-cops",
            "--auto-gen-config",
        ],
    ),
    with(FalseClaim, &["--version", "-v", "-V", "--help", "-h", "--init"]),
    with(Follows, &["--lsp", "--start-server"]),
];

pub(super) const RSPEC: Program = program(
    "rspec",
    &[row(
        "",
        &["-e", "--example", "-t", "--tag", "-P", "--pattern"],
        &[when(WrongTool, has_gemfile), also(RSPEC_STAY)],
    )],
);
pub(super) const RUBOCOP: Program = program(
    "rubocop",
    &[row("", &["-c", "--config", "--only", "--except"], &[when(WrongTool, has_gemfile), also(RUBOCOP_STAY)])],
);
/// `no tests ran` where it stopped before them, and not what stopped it.
pub(super) const RAKE: Program = program("rake", &[row("test", &[], &[never(FalseClaim)])]);
/// rtk runs rake.
const RAILS_TEST: &[Row] = &[row("test", &[], &[never(WrongTool)])];
pub(super) const RAILS: Program = program("rails", RAILS_TEST);
pub(super) const BIN_RAILS: Program = program("bin/rails", RAILS_TEST);
pub(super) const BIN_RAKE: Program = program("bin/rake", RAILS_TEST);

pub(super) const BUNDLE: Program = program(
    "bundle",
    &[
        formed(
            "exec rspec",
            Form::Instead("rspec"),
            &["-e", "--example", "-t", "--tag"],
            &[when(WrongTool, lacks_gemfile), also(RSPEC_STAY)],
        ),
        formed(
            "exec rubocop",
            Form::Instead("rubocop"),
            &["-c", "--config", "--only", "--except"],
            &[when(WrongTool, lacks_gemfile), also(RUBOCOP_STAY)],
        ),
        formed("exec rake test", Form::Instead("rake test"), &[], &[never(FalseClaim)]),
        row("exec rails test", &[], &[never(WrongTool)]),
        row("install|update", &["--path", "--jobs", "--gemfile"], &[]),
    ],
);
