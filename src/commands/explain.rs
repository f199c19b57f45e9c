//! `execution-guard explain`: what is decided on a call and why, for a person.

use std::io::{self, Read, Write};

use crate::hook;
use crate::hosts::{self, Incoming};
use crate::input::Ended;
use crate::layers::{LAYERS, judge};
use crate::machine::{LedgerMode, Machine};
use crate::verdict::{Changes, Decision, PassThrough, Ruling, Verdict};

/// Reads one call from standard input and explains its judgement. No ledger changes.
///
/// # Errors
/// Standard input or `out` can't be used.
pub fn run(out: &mut impl Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    explain(&bytes, &Machine::here(LedgerMode::ReadOnly), out)
}

/// Explains the judgement of the call in `bytes` on `machine`.
///
/// # Errors
/// `out` can't be written.
pub fn explain(bytes: &[u8], machine: &Machine, out: &mut impl Write) -> io::Result<()> {
    let incoming = hosts::read(bytes);
    let verdict = match &incoming {
        Incoming::Governed(call) => {
            writeln!(out, "call      {} from {:?}", call.name, call.host)?;
            let judgement = judge(call, machine);
            for (layer, ruling) in &judgement.rulings {
                write_ruling(out, layer, ruling)?;
            }
            let asked = judgement.rulings.len();
            if judgement.verdict.decision == Decision::Deny && asked < LAYERS.len() {
                writeln!(out, "          (the layers after a denial are not asked)")?;
            }
            judgement.verdict
        }
        Incoming::Other(host) => {
            writeln!(
                out,
                "call      not of a governed tool, from {host:?}: allowed, always"
            )?;
            Verdict::allow()
        }
        Incoming::PostSandbox => {
            writeln!(
                out,
                "call      a report of a call that has run: nothing to decide"
            )?;
            Verdict::allow()
        }
        Incoming::Unreadable { governed, error } => {
            let named = if *governed { "names" } else { "names no" };
            writeln!(
                out,
                "call      can't be read ({error}); it {named} governed tool"
            )?;
            hook::without_call(&incoming, Ended::EndOfFile)
        }
    };
    let pass_through = match &incoming {
        Incoming::Governed(_) => machine.config.pass_through,
        _ => PassThrough::Allow,
    };
    let answer = hosts::write(&incoming, &verdict, pass_through);
    writeln!(out, "answer    {answer}")
}

fn write_ruling(out: &mut impl Write, layer: &str, ruling: &Ruling) -> io::Result<()> {
    match ruling {
        Ruling::Pass(why) => writeln!(out, "pass      {layer}: {why}"),
        Ruling::Change(changes) => write_changes(out, layer, changes),
        Ruling::Note(_, note) => writeln!(out, "note      {layer}: {}", indent(note)),
        Ruling::ForceAsk(_, reason) => writeln!(out, "force_ask {layer}: {}", indent(reason)),
        Ruling::Deny(_, reason) => writeln!(out, "deny      {layer}: {}", indent(reason)),
    }
}

fn write_changes(out: &mut impl Write, layer: &str, changes: &Changes) -> io::Result<()> {
    if let Some(line) = &changes.command_line {
        writeln!(
            out,
            "change    {layer}: CommandLine becomes {}",
            indent(line)
        )?;
    }
    if let Some(wait_ms) = changes.wait_ms {
        writeln!(
            out,
            "change    {layer}: WaitMsBeforeAsync becomes {wait_ms}"
        )?;
    }
    Ok(())
}

/// Further lines stand below the first.
fn indent(text: &str) -> String {
    text.replace('\n', "\n          ")
}
