//! What a decision is, as one word.

/// What a decision is. A closed list: what is logged of a call is its kind, never its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A shell line got its rtk form.
    Rewritten,
    /// A command waits longer before it moves to the background.
    WaitRaised,
    /// A native read or search was refused for the rtk command that does the same.
    Routed,
    /// A read of a transcript or of other internal state was refused.
    TranscriptGuarded,
    /// A status check, a wait or a read of a running task's log came too early.
    PollDenied,
    /// A timer that watches a task was refused.
    TimerDenied,
    /// A timer that watches a task was allowed, with the card to show before the turn ends.
    TimerCarded,
    /// A poll opened the breaker: the user is asked.
    BreakerTripped,
    /// A poll met the open breaker: the user is asked again.
    BreakerAsked,
    /// A poll was refused because the user had declined one.
    BreakerDeclined,
    /// A change of a benchmark or an evaluator: the user is asked.
    BenchmarkAsked,
    /// A change of what makes the guard work, or of the host's own records: the user is asked.
    GuardAsked,
    /// The call could not be read.
    Unreadable,
    /// The ledger of status checks could not be used.
    LedgerFailed,
    /// The same call once more, from a second registration: it has been decided and logged already.
    Repeated,
}

impl Kind {
    /// All kinds, those that users see most first.
    pub const ALL: &[Self] = &[
        Self::Rewritten,
        Self::WaitRaised,
        Self::Routed,
        Self::TranscriptGuarded,
        Self::PollDenied,
        Self::TimerDenied,
        Self::TimerCarded,
        Self::BreakerTripped,
        Self::BreakerAsked,
        Self::BreakerDeclined,
        Self::BenchmarkAsked,
        Self::GuardAsked,
        Self::Unreadable,
        Self::LedgerFailed,
        Self::Repeated,
    ];

    /// The word in the log.
    pub const fn word(self) -> &'static str {
        self.words().0
    }

    /// Why it was decided so, for a person.
    pub const fn reason(self) -> &'static str {
        self.words().1
    }

    /// The kind with that word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.word() == word)
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Rewritten => ("rewritten", "rtk prints less of the same"),
            Self::WaitRaised => ("wait_raised", "a short command finishes in one call"),
            Self::Routed => ("routed", "rtk does the same in fewer words"),
            Self::TranscriptGuarded => (
                "transcript_guarded",
                "internal state would fill the context",
            ),
            Self::PollDenied => ("poll_denied", "it came before its cool-down had passed"),
            Self::TimerDenied => ("timer_denied", "it would check on a task too soon"),
            Self::TimerCarded => ("timer_carded", "it watches a task, seldom enough"),
            Self::BreakerTripped => ("breaker_tripped", "too many early checks"),
            Self::BreakerAsked => ("breaker_asked", "the breaker is open"),
            Self::BreakerDeclined => ("breaker_declined", "the user has declined polling"),
            Self::BenchmarkAsked => ("benchmark_asked", "it would change a benchmark"),
            Self::GuardAsked => ("guard_asked", "it would change what governs the agent"),
            Self::Unreadable => ("unreadable", "the call can't be read"),
            Self::LedgerFailed => ("ledger_failed", "the ledger can't be used"),
            Self::Repeated => ("repeated", "the same call got the same answer a moment ago"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn each_word_names_its_kind() {
        for kind in Kind::ALL {
            assert_eq!(Kind::of(kind.word()), Some(*kind));
        }
        assert_eq!(Kind::of("Rewritten"), None);
    }
}
