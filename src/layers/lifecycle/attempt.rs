//! From a call that counts to a ruling: the evidence is read first, then the ledger changes under
//! its lock.

use guard_decisions::Kind as Decided;
use guard_state::{Answer as Given, Breaker, Digest, LastCall, Ledger, StateError, Store};
use guard_transcript::{Outcome as StepOutcome, Query, read_facts};

use super::breaker::{self, Answer, Attempt, Evidence, Kind};
use super::reasons;
use crate::call::Tool;
use crate::layers::rewrite::Rewritten;
use crate::machine::{LedgerMode, Machine};
use crate::scene::Scene;
use crate::verdict::Ruling;
use crate::zones::transcript_in;

/// Judges a call that counts as `kind` and asks about `task`.
pub fn judge(scene: &Scene, kind: Kind, task: &str) -> Ruling {
    recorded(scene, kind, task)
        .unwrap_or_else(|error| Ruling::Deny(Decided::LedgerFailed, reasons::no_ledger(&error)))
}

fn recorded(scene: &Scene, kind: Kind, task: &str) -> Result<Ruling, StateError> {
    let machine = scene.machine;
    let store = store(machine)?;
    let conversation = &conversation(scene);
    let before = store.peek(conversation).ok().flatten();
    let evidence = evidence(scene, before.as_ref());
    let attempt = Attempt {
        kind,
        step: scene.call.step,
        task: task.to_owned(),
    };
    let identity = Identity::of(scene);
    let decide = |ledger: &mut Ledger| {
        if let Some(given) = identity.answer_given(ledger) {
            return given;
        }
        let ttl = machine.config.ledger_ttl;
        let outcome = breaker::judge(ledger, &evidence, &attempt, machine.clock.now(), ttl);
        let ruling = reasons::ruling(&outcome, kind);
        identity.remember(ledger, &ruling);
        ruling
    };
    let on_a_copy = || {
        let copy = store.peek(conversation)?;
        let mut copy = copy.unwrap_or_else(|| Ledger::new(conversation));
        Ok(decide(&mut copy))
    };
    if machine.ledger == LedgerMode::ReadOnly {
        return on_a_copy();
    }
    match store.update(conversation, || after_damage(conversation, scene), decide) {
        // An open breaker needs no count: whoever waits for the lock too long is asked as well.
        Err(locked @ StateError::Locked { .. }) => match on_a_copy() {
            Ok(ask @ Ruling::ForceAsk(..)) => Ok(ask),
            _ => Err(locked),
        },
        judged => judged,
    }
}

/// The store of this user's ledgers.
pub fn store(machine: &Machine) -> Result<Store, StateError> {
    let environment = |name: &str| machine.environment.get(name);
    let store = Store::new(
        guard_state::state_dir(environment)?,
        machine.config.lock_deadline,
    );
    Ok(store.with_local_locks(guard_state::runtime_dir(environment)))
}

/// The conversation whose ledger counts: where the host names none, the folder that holds its transcript does.
fn conversation(scene: &Scene) -> String {
    let named = scene.call.conversation.clone();
    let by_folder = || {
        let transcript = transcript(scene)?;
        let folder = transcript.ancestors().nth(3)?.file_name()?;
        Some(folder.to_string_lossy().into_owned())
    };
    named.or_else(by_folder).unwrap_or_default()
}

/// A damaged ledger goes on as if a check had just been made: damage is no way to a free check.
fn after_damage(conversation: &str, scene: &Scene) -> Ledger {
    let mut ledger = Ledger::new(conversation);
    ledger.level = 1;
    ledger.last_allowed = Some(scene.machine.clock.now());
    ledger.last_poll = Some(scene.machine.clock.now());
    ledger.last_poll_step = scene.call.step;
    ledger
}

/// What the conversation's transcript says that bears on the ledger. Without a readable transcript
/// there is no evidence, and an open breaker stays open.
fn evidence(scene: &Scene, ledger: Option<&Ledger>) -> Evidence {
    let Some(transcript) = transcript(scene) else {
        return Evidence::default();
    };
    let asked = match ledger.map(|ledger| &ledger.breaker) {
        Some(Breaker::Open(asked)) => asked.asked_steps.as_slice(),
        _ => &[],
    };
    let query = Query {
        conversation: scene.call.conversation.as_deref(),
        outcomes: asked,
        // Records can be out of order by one.
        from_step: ledger
            .and_then(|ledger| ledger.last_poll_step)
            .unwrap_or(u64::MAX),
        ..Query::default()
    };
    let Ok(facts) = read_facts(&transcript, &query) else {
        return Evidence::default();
    };
    let answered = asked.iter().filter_map(|step| {
        let answer = match facts.outcome(*step)? {
            // A command that was launched has run: a long `sleep`, say.
            StepOutcome::Done | StepOutcome::Launched => Answer::Approved,
            StepOutcome::Error => Answer::Declined,
        };
        Some((*step, answer))
    });
    Evidence {
        last_user_step: facts.last_user_step,
        last_step: facts.last_step,
        answer: answered
            .max_by_key(|(step, _)| *step)
            .map(|(_, answer)| answer),
    }
}

/// The transcript of the call's conversation.
pub fn transcript(scene: &Scene) -> Option<std::path::PathBuf> {
    let named = scene.call.transcript.clone();
    named.or_else(|| Some(transcript_in(scene.call.artifacts.as_deref()?)))
}

/// What makes two runs of the hook one call: a host with two registrations runs it twice.
struct Identity<'a> {
    step: Option<u64>,
    tool: &'a str,
    arguments: Digest,
}

impl<'a> Identity<'a> {
    fn of(scene: &'a Scene) -> Self {
        Self {
            step: scene.call.step,
            tool: scene.call.name,
            arguments: Digest::of(&arguments_left(scene)),
        }
    }

    /// The answer this very call was given before. Without a step, calls can't be told apart.
    fn answer_given(&self, ledger: &Ledger) -> Option<Ruling> {
        let last = ledger.last_call.as_ref()?;
        if self.step.is_none() || !last.is(self.step, self.tool, self.arguments) {
            return None;
        }
        let reason = last.answer.reason.clone().unwrap_or_default();
        Some(match last.answer.decision.as_str() {
            "deny" => Ruling::Deny(Decided::Repeated, reason),
            "force_ask" => Ruling::ForceAsk(Decided::Repeated, reason),
            _ => Ruling::Pass("allowed a moment ago, as the same call"),
        })
    }

    fn remember(&self, ledger: &mut Ledger, ruling: &Ruling) {
        let (decision, reason) = match ruling {
            Ruling::Deny(_, reason) => ("deny", Some(reason.clone())),
            Ruling::ForceAsk(_, reason) => ("force_ask", Some(reason.clone())),
            _ => ("allow", None),
        };
        ledger.last_call = Some(LastCall {
            step: self.step,
            tool: self.tool.to_owned(),
            arguments: self.arguments,
            answer: Given {
                decision: decision.to_owned(),
                reason,
            },
        });
    }
}

/// The arguments as this judgement leaves them, but for the wait: the second registration is given the call with what
/// the first changed in it.
fn arguments_left(scene: &Scene) -> Vec<u8> {
    let args = &scene.call.args;
    let line = match (scene.tool, scene.rewritten()) {
        (Tool::RunCommand(_), Rewritten::To(line)) => Some(line),
        (Tool::RunCommand(command), Rewritten::Stays(_)) => Some(&command.line),
        _ => None,
    };
    let changed =
        line.map(|_| ["CommandLine", "WaitMsBeforeAsync"].map(|name| args.spelling(name)));
    let others: Vec<_> = args
        .entries()
        .filter(|(key, _)| !changed.is_some_and(|changed| changed.contains(key)))
        .collect();
    serde_json::to_vec(&(line, others)).unwrap_or_default()
}
