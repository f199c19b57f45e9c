//! What one call is answered, and which answer wins when rules disagree.

use guard_decisions::Kind;

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Whether the tool runs.
    pub decision: Decision,
    /// For the model. Always there on a refusal.
    pub reason: Option<String>,
    /// Arguments that change before the tool runs; only with [`Decision::Allow`].
    pub changes: Changes,
}

/// Whether the tool runs. The order is that of strength: the strongest ruling wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Decision {
    /// It runs.
    #[default]
    Allow,
    /// The user is asked each time, whatever they have allowed before.
    ForceAsk,
    /// It does not run.
    Deny,
}

/// Arguments that change before the tool runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// The shell line.
    pub command_line: Option<String>,
    /// The time until a command moves to the background, in milliseconds.
    pub wait_ms: Option<u64>,
}

/// What an ordinary call is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PassThrough {
    /// No objection.
    #[default]
    Allow,
    /// The host's own permission prompt, for hosts where `allow` would skip it.
    Ask,
}

impl PassThrough {
    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
        }
    }
}

/// What one layer says of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Nothing, and for a person why.
    Pass(&'static str),
    /// The tool runs, with other arguments.
    Change(Changes),
    /// The tool runs, and the model is told something.
    Note(Kind, String),
    /// The user is asked.
    ForceAsk(Kind, String),
    /// The tool does not run.
    Deny(Kind, String),
}

impl Ruling {
    /// What it is for the log of decisions; nothing if the call passes this layer.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Pass(_) => None,
            Self::Change(changes) if changes.command_line.is_some() => Some(Kind::Rewritten),
            Self::Change(_) => Some(Kind::WaitRaised),
            Self::Note(kind, _) | Self::ForceAsk(kind, _) | Self::Deny(kind, _) => Some(*kind),
        }
    }
}

impl Verdict {
    /// The call runs as it is.
    pub fn allow() -> Self {
        Self::default()
    }

    /// The call is refused.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self {
            decision: Decision::Deny,
            reason: Some(reason.into()),
            changes: Changes::default(),
        }
    }

    /// The verdict after one more ruling: the stronger decision wins, the first of equals; changes
    /// of allowed calls add up, and a refused call changes nothing.
    #[must_use]
    pub fn and(mut self, ruling: &Ruling) -> Self {
        let (decision, reason) = match ruling {
            Ruling::Pass(_) => return self,
            Ruling::Change(changes) => {
                if self.decision == Decision::Allow {
                    self.changes.merge(changes);
                }
                return self;
            }
            Ruling::Note(_, note) => (Decision::Allow, note),
            Ruling::ForceAsk(_, reason) => (Decision::ForceAsk, reason),
            Ruling::Deny(_, reason) => (Decision::Deny, reason),
        };
        if decision > self.decision || self.reason.is_none() {
            self.decision = self.decision.max(decision);
            self.reason = Some(reason.clone());
        }
        if self.decision != Decision::Allow {
            self.changes = Changes::default();
        }
        self
    }
}

impl Changes {
    fn merge(&mut self, other: &Self) {
        if other.command_line.is_some() {
            self.command_line.clone_from(&other.command_line);
        }
        if other.wait_ms.is_some() {
            self.wait_ms = other.wait_ms;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(rulings: &[Ruling]) -> Verdict {
        rulings.iter().fold(Verdict::allow(), Verdict::and)
    }

    #[test]
    fn the_strongest_ruling_wins_in_any_order() {
        let deny = Ruling::Deny(Kind::Routed, "no".into());
        let ask = Ruling::ForceAsk(Kind::BenchmarkAsked, "may I".into());
        let note = Ruling::Note(Kind::TimerCarded, "by the way".into());
        for order in [
            [deny.clone(), ask.clone(), note.clone()],
            [note.clone(), ask.clone(), deny.clone()],
            [ask, note, deny],
        ] {
            let verdict = verdict(&order);
            assert_eq!(verdict.decision, Decision::Deny);
            assert_eq!(verdict.reason.as_deref(), Some("no"));
        }
    }

    #[test]
    fn a_refused_call_changes_nothing() {
        let change = Ruling::Change(Changes {
            wait_ms: Some(10_000),
            ..Changes::default()
        });
        let ask = Ruling::ForceAsk(Kind::BenchmarkAsked, "may I".into());
        for order in [[change.clone(), ask.clone()], [ask, change.clone()]] {
            assert_eq!(verdict(&order).changes, Changes::default());
        }
        assert_eq!(verdict(&[change]).changes.wait_ms, Some(10_000));
    }
}
