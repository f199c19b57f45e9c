//! What kinds of decisions are called in a report.

use guard_decisions::Kind;

/// The words for decisions of this kind.
pub const fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::Rewritten => "commands rewritten",
        Kind::WaitRaised => "waits raised, nothing else",
        Kind::Routed => "reads and searches routed",
        Kind::TranscriptGuarded => "transcript reads refused",
        Kind::PollDenied => "polls denied",
        Kind::TimerDenied => "timers refused",
        Kind::TimerCarded => "timers allowed with a card",
        Kind::BreakerTripped => "breakers tripped",
        Kind::BreakerAsked => "asked: open breaker",
        Kind::BreakerDeclined => "refused after you declined",
        Kind::BenchmarkAsked => "asked: benchmark",
        Kind::GuardAsked => "asked: the guard itself",
        Kind::Unreadable => "unreadable calls refused",
        Kind::LedgerFailed => "refused without a ledger",
        Kind::Repeated => "repeated",
    }
}

/// The words for kinds that this version does not know.
pub const UNKNOWN: &str = "of a kind not known here";
