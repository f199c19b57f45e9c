//! What rtk 1.1.0 has a form for, and what keeps a command as it is though rtk would rewrite it.
//!
//! One page a subject, all joined in [`PROGRAMS`]. A row reads: sub-command, options that take a value, grounds to stay.
//! The forms are those of `rtk rewrite`; the grounds were found by running the plain tool and its rtk form side by
//! side, with the real tools where they could be installed and else with a stand-in that records its arguments
//! and ends with a given output and status (`rtk/tests/README.md`).
//!
//! Where a program is not installed at all, bash says 127 and rtk 1; that is not looked up.

#[rustfmt::skip]
mod build;
#[rustfmt::skip]
mod files;
#[rustfmt::skip]
mod git;
#[rustfmt::skip]
mod infra;
#[rustfmt::skip]
mod php_ruby;
#[rustfmt::skip]
mod python;
#[rustfmt::skip]
mod web;

use super::reason::Reason;
use super::row::{Program, Row, Stay, naming, never, row};

/// Options that turn a checker or compiler into something else, to whose output its filter is blind.
pub(super) const ABOUT: &[&str] = &["--version", "-V", "--help", "-h"];

/// What starts, serves, watches or follows when a script, target or task is called so.
pub(super) const SERVERS: &[&str] = &[
    "dev",
    "develop",
    "emulators",
    "follow",
    "live",
    "logs",
    "monitor",
    "preview",
    "repl",
    "serve",
    "server",
    "shell",
    "start",
    "storybook",
    "tail",
    "up",
    "watch",
];

/// What acts outside the working tree or can't be undone when a script, target or task is called so.
pub(super) const OUTWARD: &[&str] = &[
    "apply",
    "delete",
    "deploy",
    "destroy",
    "drop",
    "down",
    "migrate",
    "migration",
    "provision",
    "publish",
    "purge",
    "push",
    "release",
    "reset",
    "rollback",
    "seed",
    "ship",
    "submit",
    "sync",
    "teardown",
    "uninstall",
    "upload",
];

/// A script of that name serves or watches.
pub(super) const SERVES: Stay = naming(Reason::Follows, SERVERS);

/// A script of that name acts outside the working tree.
pub(super) const ACTS: Stay = naming(Reason::ActsOutside, OUTWARD);

/// Every call of it acts outside the working tree.
const OUTSIDE: &[Row] = &[row("", &[], &[never(Reason::ActsOutside)])];

/// The program of this name.
pub(super) fn find(name: &str) -> Option<&'static Program> {
    PROGRAMS
        .binary_search_by(|program| program.name.cmp(name))
        .ok()
        .map(|index| &PROGRAMS[index])
}

/// All of them, by name.
pub(super) const PROGRAMS: &[Program] = &[
    php_ruby::DOT_BIN_PHPSTAN,
    php_ruby::DOT_BIN_PHPUNIT,
    build::DOT_GRADLEW,
    build::DOT_MVNW,
    php_ruby::DOT_VENDOR_ECS,
    php_ruby::DOT_VENDOR_PARATEST,
    php_ruby::DOT_VENDOR_PEST,
    php_ruby::DOT_VENDOR_PHPSTAN,
    php_ruby::DOT_VENDOR_PHPUNIT,
    php_ruby::DOT_VENDOR_PINT,
    infra::ANSIBLE,
    files::AST_GREP,
    infra::AWS,
    python::BASEDPYRIGHT,
    php_ruby::BIN_PHPSTAN,
    php_ruby::BIN_PHPUNIT,
    php_ruby::BIN_RAILS,
    php_ruby::BIN_RAKE,
    web::BIOME,
    infra::BREW,
    web::BUN,
    php_ruby::BUNDLE,
    web::BUNX,
    build::CARGO,
    files::CAT,
    php_ruby::COMPOSER,
    build::CTEST,
    infra::CURL,
    web::DENO,
    files::DF,
    files::DIFF,
    infra::DOCKER,
    build::DOTNET,
    files::DU,
    php_ruby::ECS,
    web::ESLINT,
    infra::FAIL2BAN,
    files::FIND,
    build::GCC,
    infra::GCLOUD,
    git::GH,
    git::GIT,
    git::GLAB,
    build::GO,
    build::GOLANGCI_SHORT,
    build::GOLANGCI_LINT,
    build::GRADLE,
    build::GRADLEW,
    build::GRADLEW_BAT,
    files::GREP,
    git::GT,
    build::HADOLINT,
    files::HEAD,
    infra::HELM,
    infra::IPTABLES,
    build::JAVA,
    web::JEST,
    infra::JIRA,
    build::JJ,
    files::JQ,
    build::JUST,
    infra::KUBECTL,
    web::LINT,
    infra::LIQUIBASE,
    files::LS,
    build::MAKE,
    build::MARKDOWNLINT,
    build::MISE,
    build::MIX,
    build::MVN,
    build::MVND,
    build::MVNW,
    build::MVNW_CMD,
    python::MYPY,
    web::NEXT,
    web::NG,
    web::NPM,
    web::NPX,
    web::NX,
    infra::OC,
    build::OLLAMA,
    web::OXLINT,
    php_ruby::PARATEST,
    php_ruby::PEST,
    php_ruby::PHP,
    php_ruby::PHPSTAN,
    php_ruby::PHPUNIT,
    infra::PING,
    php_ruby::PINT,
    build::PIO,
    python::PIP,
    python::PIP3,
    web::PLAYWRIGHT,
    web::PNPM,
    web::PNPX,
    python::POETRY,
    python::PRE_COMMIT,
    web::PRETTIER,
    web::PRISMA,
    files::PS,
    infra::PSQL,
    infra::PULUMI,
    python::PYTEST,
    python::PYTHON,
    python::PYTHON3,
    build::QUARTO,
    php_ruby::RAILS,
    php_ruby::RAKE,
    files::RG,
    php_ruby::RSPEC,
    infra::RSYNC,
    php_ruby::RUBOCOP,
    python::RUFF,
    build::SBT,
    build::SHELLCHECK,
    infra::SHOPIFY,
    infra::SKOPEO,
    infra::SOPS,
    python::SQLFLUFF,
    infra::SSH,
    files::STAT,
    build::SWIFT,
    infra::SYSTEMCTL,
    files::TAIL,
    build::TASK,
    infra::TERRAFORM,
    infra::TOFU,
    files::TREE,
    build::TRUNK,
    web::TSC,
    web::TURBO,
    python::TY,
    python::UV,
    php_ruby::VENDOR_ECS,
    php_ruby::VENDOR_PARATEST,
    php_ruby::VENDOR_PEST,
    php_ruby::VENDOR_PHPSTAN,
    php_ruby::VENDOR_PHPUNIT,
    php_ruby::VENDOR_PINT,
    web::VITEST,
    files::WC,
    infra::WGET,
    build::XCODEBUILD,
    git::YADM,
    build::YAMLLINT,
];

#[cfg(test)]
mod tests {
    use super::PROGRAMS;

    #[test]
    fn programs_stand_in_the_order_of_their_names() {
        assert!(PROGRAMS.is_sorted_by(|one, next| one.name < next.name));
    }
}
