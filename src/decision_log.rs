//! What of a decision goes into the log that `execution-guard report` reads: see [`guard_decisions`].
//!
//! It is written after the answer, so nothing that happens here changes one, and nothing is waited for. A host that waits for the end
//! of the process as well waits for one short write. A call that is passed through is
//! not logged: there is nothing to tell.

use guard_decisions::{Entry, Kind, append};

use crate::call::{Call, Host};
use crate::layers::{ARGUMENTS, Judgement};
use crate::machine::{LedgerMode, Machine};
use crate::verdict::{Decision, Ruling, Verdict};

/// Logs what was decided on a call, if there is anything to tell.
pub fn judged(call: &Call, judgement: &Judgement, machine: &Machine) {
    if !machine.config.decision_log {
        return;
    }
    let Some((layer, kind)) = told(judgement) else {
        return;
    };
    let verdict = &judgement.verdict;
    let decision = word(verdict.decision, call.host, machine);
    let entry = Entry {
        conversation: call.conversation.as_deref().unwrap_or_default(),
        step: call.step,
        tool: call.name,
        layer,
        wait_raised: kind != Kind::WaitRaised && verdict.changes.wait_ms.is_some(),
        ..entry(decision, kind)
    };
    write(&entry, machine);
}

/// Logs the answer to what is no call, if it was refused.
pub fn without_call(verdict: &Verdict) {
    if verdict.decision == Decision::Allow {
        return;
    }
    let machine = Machine::here(LedgerMode::ReadOnly);
    if machine.config.decision_log {
        let decision = word(verdict.decision, Host::Antigravity, &machine);
        write(&entry(decision, Kind::Unreadable), &machine);
    }
}

/// The layer and the kind of the ruling that decided: the strongest, and of equals the first.
fn told(judgement: &Judgement) -> Option<(&'static str, Kind)> {
    let rulings = judgement.rulings.iter().rev();
    let (layer, ruling) = rulings.max_by_key(|(_, ruling)| strength(ruling))?;
    let kind = ruling.kind().filter(|kind| *kind != Kind::Repeated)?;
    Some((layer, kind))
}

fn strength(ruling: &Ruling) -> u8 {
    match ruling {
        Ruling::Pass(_) => 0,
        Ruling::Change(changes) if changes.command_line.is_none() => 1,
        Ruling::Change(_) => 2,
        Ruling::Note(..) => 3,
        Ruling::ForceAsk(..) => 4,
        Ruling::Deny(..) => 5,
    }
}

/// The word of the answer, as the host got it.
fn word(decision: Decision, host: Host, machine: &Machine) -> &'static str {
    match (decision, host) {
        (Decision::Allow, Host::Antigravity) => machine.config.pass_through.word(),
        (Decision::Allow, Host::Sandbox) => "allow",
        (Decision::ForceAsk, Host::Antigravity) => "force_ask",
        (Decision::ForceAsk, Host::Sandbox) | (Decision::Deny, _) => "deny",
    }
}

fn entry(decision: &'static str, kind: Kind) -> Entry<'static> {
    Entry {
        conversation: "",
        step: None,
        tool: UNKNOWN_TOOL,
        layer: ARGUMENTS,
        decision,
        kind,
        wait_raised: false,
    }
}

/// What stands for the tool of a call that can't be read.
const UNKNOWN_TOOL: &str = "unknown";

/// A line that can't be written is lost: there is nobody to tell, and `execution-guard status` looks at the log.
fn write(entry: &Entry, machine: &Machine) {
    let environment = &machine.environment;
    if let Ok(folder) = guard_state::state_dir(|name| environment.get(name)) {
        let _ = append(&folder, entry);
    }
}
