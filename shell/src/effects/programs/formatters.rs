//! Formatters and fixers that write the files they are given.

use super::Call;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// Writes in place unless it is told only to look.
pub fn always(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    // Some need to be asked.
    let asks = matches!(
        call.name,
        "yapf" | "autopep8" | "autoflake" | "docformatter"
    );
    let writes = !asks
        || call
            .words
            .iter()
            .any(|word| matches!(word.prefix(), "-i" | "-ir" | "--in-place"));
    let only_looks = call.args.has("check diff check-only c q-diff") || !writes;
    touch(machine, &operands(call, &[]), !only_looks);
    Values::new()
}

/// What each of these must be told before it writes: a flag, or a subcommand.
const REQUESTS: &[(&str, &[&str])] = &[
    ("ruff", &["format", "--fix", "--fix-only"]),
    ("prettier", &["--write", "-w"]),
    ("eslint", &["--fix"]),
    ("biome", &["--write", "--fix", "--apply", "--apply-unsafe"]),
    ("gofmt", &["-w"]),
    ("goimports", &["-w"]),
    ("gofumpt", &["-w"]),
    ("clang-format", &["-i"]),
    ("shfmt", &["-w"]),
    ("swift-format", &["-i", "--in-place"]),
    ("djlint", &["--reformat"]),
    ("standard", &["--fix"]),
    ("xo", &["--fix"]),
    ("oxlint", &["--fix"]),
    (
        "rubocop",
        &[
            "-a",
            "-A",
            "-x",
            "--auto-correct",
            "--autocorrect",
            "--autocorrect-all",
        ],
    ),
    ("codespell", &["-w", "--write-changes"]),
    ("taplo", &["fmt", "format"]),
    ("dprint", &["fmt"]),
    ("sqlfluff", &["fix", "format"]),
    ("markdownlint", &["--fix", "-f"]),
    ("stylelint", &["--fix"]),
    ("terraform", &["fmt"]),
    ("2to3", &["-w", "--write"]),
];

/// Writes in place if it is told to.
pub fn on_request(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let requests = REQUESTS
        .iter()
        .find(|(name, _)| *name == call.name)
        .map_or(&[][..], |(_, requests)| requests);
    let asked = call
        .words
        .iter()
        .filter_map(Text::as_literal)
        .any(|word| requests.contains(&word));
    let only_looks = call.args.has("check diff dry-run list-different");
    touch(
        machine,
        &operands(call, &["format", "check", "fmt", "fix", "lint", "ci"]),
        asked && !only_looks,
    );
    Values::new()
}

/// The operands without a subcommand; the folder it is in where there are none.
fn operands(call: &Call<'_>, subcommands: &[&str]) -> Vec<Text> {
    let mut operands = call.args.operands.clone();
    if operands
        .first()
        .and_then(Text::as_literal)
        .is_some_and(|first| subcommands.contains(&first))
    {
        operands.remove(0);
    }
    if operands.is_empty() {
        operands.push(Text::literal("."));
    }
    operands
}

fn touch(machine: &mut Machine<'_>, operands: &[Text], writes: bool) {
    for operand in operands {
        if writes {
            machine.write_below(operand);
        } else {
            // Some print the file as it would be.
            machine.read(operand);
        }
    }
}

/// `sd from to file …`
pub fn replace(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    for file in call.args.operands.iter().skip(2) {
        if !call.args.has("p preview") {
            machine.write(file);
        }
    }
    super::files::passed(machine, false)
}

/// Whether `name` is one of those that must be asked.
pub fn is_on_request(name: &str) -> bool {
    REQUESTS.iter().any(|(known, _)| *known == name)
}

/// `pre-commit run --files a b`, `jupyter nbconvert --inplace a`: they write the files that they are given.
pub fn named_files(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let writes = call.name == "pre-commit" || call.args.has("inplace");
    for file in call.args.operands.iter().skip(1) {
        if writes {
            machine.write(file);
        } else {
            machine.named(file);
        }
    }
    vec![Text::unknown()]
}
