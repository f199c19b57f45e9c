//! `fd`: what it finds, and what it does with it.

use super::{around, run_on};
use crate::effects::machine::Machine;
use crate::effects::programs::Call;
use crate::effects::programs::search::{left_out, walk};
use crate::effects::value::{Text, Values};

/// `fd pattern root … -x command`
pub fn fd(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let runs = |word: &Text| {
        matches!(
            word.as_literal(),
            Some("-x" | "-X" | "--exec" | "--exec-batch")
        )
    };
    let end = call.words.iter().position(runs).unwrap_or(call.words.len());
    let args = crate::effects::args::Args::parse(
        &call.words[..end],
        "tedEcjS",
        "type extension max-depth min-depth exact-depth exclude color threads size base-directory search-path",
    );
    let hidden = args.has("H hidden u unrestricted uu");
    let excluded: Values = args.values("E exclude").cloned().collect();
    let extension = args
        .values("e extension")
        .next()
        .map(|extension| Text::run().joined(&Text::literal(".")).joined(extension));
    // The pattern is a regular expression that any part of the name may match.
    let pattern = args
        .operands
        .first()
        .and_then(Text::as_literal)
        .filter(|text| !text.is_empty() && *text != ".");
    let name = extension.or_else(|| pattern.map(around));
    let mut roots: Vec<Text> = args
        .operands
        .iter()
        .skip(1)
        .chain(args.values("search-path base-directory"))
        .cloned()
        .collect();
    if roots.is_empty() {
        roots.push(Text::literal("."));
    }
    let found: Values = roots
        .iter()
        .map(|root| {
            let left_out = left_out(root, excluded.iter(), root.prefix() == ".", Text::globbed);
            let all = walk(root, hidden, &left_out);
            match &name {
                Some(name) => all.joined(&Text::literal("/")).joined(name),
                None => all,
            }
        })
        .collect();
    roots.iter().for_each(|root| machine.list_below(root));
    if let Some(command) = call.words.get(end + 1..) {
        let ends = command
            .iter()
            .position(|word| word.as_literal() == Some(";"))
            .unwrap_or(command.len());
        let mut command = command[..ends].to_vec();
        if !command.iter().any(|word| word.render().contains("{}")) {
            command.push(Text::literal("{}"));
        }
        run_on(machine, &command, &found);
    }
    found
}
