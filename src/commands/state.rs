//! `execution-guard state show | reset`: the user's view of the ledgers, and the way out of a
//! breaker.

use std::io::Write;

use guard_state::{Breaker, Ledger, Store};
use lexopt::{Arg, Parser, ValueExt};

use super::{CommandError, usage};
use crate::layers::lifecycle;
use crate::machine::{LedgerMode, Machine};

/// Runs `state` with what follows on the command line.
///
/// # Errors
/// Wrong usage, ledgers that can't be used, an output that can't be written.
pub fn run(mut arguments: Parser, out: &mut impl Write) -> Result<(), CommandError> {
    let mut action = None;
    let mut conversation = None;
    while let Some(arg) = arguments.next()? {
        match arg {
            Arg::Value(value) if action.is_none() => action = Some(value.string()?),
            Arg::Long("conversation") => conversation = Some(arguments.value()?.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let store = lifecycle::store(&Machine::here(LedgerMode::Write))?;
    match action.as_deref() {
        Some("show") => show(&store, conversation.as_deref(), out),
        Some("reset") => reset(&store, conversation.as_deref(), out),
        Some(other) => Err(usage(format!("`state` knows show and reset, not {other}"))),
        None => Err(usage("`state` needs show or reset".to_owned())),
    }
}

fn show(store: &Store, only: Option<&str>, out: &mut impl Write) -> Result<(), CommandError> {
    writeln!(out, "state folder: {}", store.dir().display())?;
    let mut shown = 0;
    for listed in store.list()? {
        let conversation = listed.conversation.as_deref().unwrap_or("(unknown)");
        if only.is_some_and(|only| only != conversation) {
            continue;
        }
        shown += 1;
        writeln!(out, "\n{conversation}")?;
        match &listed.ledger {
            Ok(ledger) => show_ledger(ledger, out)?,
            Err(error) => writeln!(out, "  {error}")?,
        }
    }
    if shown == 0 {
        writeln!(
            out,
            "no ledger: nothing has been polled, or it was a day ago"
        )?;
    }
    Ok(())
}

fn show_ledger(ledger: &Ledger, out: &mut impl Write) -> Result<(), CommandError> {
    let time = |time: Option<guard_state::Time>| {
        time.map_or("never".to_owned(), |time| {
            time.format("%Y-%m-%d %H:%M:%S UTC").to_string()
        })
    };
    writeln!(
        out,
        "  checks allowed  {}, the last {}",
        ledger.level,
        time(ledger.last_allowed)
    )?;
    writeln!(out, "  strikes         {}", ledger.strikes)?;
    writeln!(out, "  last poll       {}", time(ledger.last_poll))?;
    let breaker = match &ledger.breaker {
        Breaker::Closed => "closed".to_owned(),
        Breaker::Open(asked) => format!("open since {}", time(Some(asked.since))),
        Breaker::Declined(_) => "open, and the user has declined".to_owned(),
    };
    writeln!(out, "  breaker         {breaker}")?;
    let tasks: Vec<&str> = ledger
        .tasks_polled
        .as_slice()
        .iter()
        .map(|t| t.as_str())
        .collect();
    writeln!(out, "  polled          {}", tasks.join(", "))?;
    Ok(())
}

fn reset(store: &Store, only: Option<&str>, out: &mut impl Write) -> Result<(), CommandError> {
    match only {
        Some(conversation) if store.reset(conversation)? => {
            writeln!(out, "{conversation} starts anew")?;
        }
        Some(conversation) => writeln!(out, "{conversation} has no ledger: nothing to reset")?,
        None => match store.reset_all()? {
            1 => writeln!(out, "1 conversation starts anew")?,
            count => writeln!(out, "{count} conversations start anew")?,
        },
    }
    Ok(())
}
