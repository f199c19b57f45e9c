//! The rules, one file a rule, and their order.

pub mod inspection;
pub mod lifecycle;
pub mod rewrite;
pub mod routes;
pub mod safeguards;
pub mod synchronous;
pub mod transcript_guard;

use guard_decisions::Kind;

use crate::call::{Call, Host};
use crate::machine::Machine;
use crate::scene::Scene;
use crate::verdict::{Decision, Ruling, Verdict};

/// A rule and its name for people.
pub struct Layer {
    /// What a person calls it.
    pub name: &'static str,
    rule: fn(&Scene) -> Ruling,
    /// Whether the sandbox, which takes no changed arguments, has a use for it.
    in_sandbox: bool,
}

/// All rules, in the order in which they are asked. The lifecycle comes after all others that refuse: a call that one of
/// them refuses must leave no trace in the ledger. The first denial ends the judgement.
pub const LAYERS: &[Layer] = &[
    Layer {
        name: "transcript guard",
        rule: transcript_guard::rule,
        in_sandbox: true,
    },
    Layer {
        name: "safeguards",
        rule: safeguards::rule,
        in_sandbox: true,
    },
    Layer {
        name: "codebase inspection",
        rule: inspection::rule,
        in_sandbox: false,
    },
    Layer {
        name: "lifecycle",
        rule: lifecycle::rule,
        in_sandbox: true,
    },
    Layer {
        name: "command rewriting",
        rule: rewrite::rule,
        in_sandbox: false,
    },
    Layer {
        name: "synchronous execution",
        rule: synchronous::rule,
        in_sandbox: false,
    },
];

/// What stands in a layer's place where the call can't be read.
pub const ARGUMENTS: &str = "arguments";

/// What each layer said of a call, and what it came to.
#[derive(Debug)]
pub struct Judgement {
    /// The layers that were asked, with what they said.
    pub rulings: Vec<(&'static str, Ruling)>,
    /// The answer.
    pub verdict: Verdict,
}

/// Judges one call of a governed tool.
pub fn judge(call: &Call, machine: &Machine) -> Judgement {
    let mut rulings = Vec::with_capacity(LAYERS.len());
    let tool = match call.tool() {
        Ok(tool) => tool,
        Err(error) => {
            let reason = format!(
                "`{}` refused: {error}, so it can't be judged. Make the call once more, with each argument once and as \
                 its schema says; if this comes again, end your turn and show the user this message.",
                call.name
            );
            let verdict = Verdict::deny(reason.as_str());
            rulings.push((ARGUMENTS, Ruling::Deny(Kind::Unreadable, reason)));
            return Judgement { rulings, verdict };
        }
    };
    let scene = Scene::new(call, &tool, machine);
    let mut verdict = Verdict::allow();
    for layer in LAYERS {
        if call.host == Host::Sandbox && !layer.in_sandbox {
            continue;
        }
        let ruling = (layer.rule)(&scene);
        verdict = verdict.and(&ruling);
        rulings.push((layer.name, ruling));
        if verdict.decision == Decision::Deny {
            break;
        }
    }
    Judgement { rulings, verdict }
}
