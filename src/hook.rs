//! One run of the hook: bytes in, one JSON object out, exit status 0, whatever happens between.

use std::io::Write;
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::decision_log;
use crate::hosts::{self, Incoming};
use crate::input::{Ended, READ_DEADLINE, Source, read_call};
use crate::layers;
use crate::machine::{LedgerMode, Machine};
use crate::verdict::{PassThrough, Verdict};

/// Reads one call from `source` and writes its answer to `sink`.
///
/// A host that has closed its end is no error: there is nobody left to tell.
pub fn run(source: &mut impl Source, sink: &mut impl Write) {
    let input = read_call(source, READ_DEADLINE);
    let incoming = hosts::read(&input.bytes);
    let Incoming::Governed(call) = &incoming else {
        let verdict = without_call(&incoming, input.ended);
        send(sink, hosts::write(&incoming, &verdict, PassThrough::Allow));
        return decision_log::without_call(&verdict);
    };
    let machine = Machine::here(LedgerMode::Write);
    let judgement = layers::judge(call, &machine);
    let answer = hosts::write(&incoming, &judgement.verdict, machine.config.pass_through);
    send(sink, answer);
    decision_log::judged(call, &judgement, &machine);
}

fn send(sink: &mut impl Write, mut answer: String) {
    answer.push('\n');
    ANSWERED.store(true, Ordering::Relaxed);
    let _ = sink
        .write_all(answer.as_bytes())
        .and_then(|()| sink.flush());
}

/// Everything but a call of a governed tool is open, unless it may be one that can't be read.
pub fn without_call(incoming: &Incoming, ended: Ended) -> Verdict {
    let Incoming::Unreadable {
        governed: true,
        error,
    } = incoming
    else {
        return Verdict::allow();
    };
    let how = match ended {
        Ended::Complete | Ended::EndOfFile => "it is not one JSON object",
        Ended::Deadline => "it did not arrive whole in time",
        Ended::TooLarge => "it is too large to be read",
        Ended::Unreadable => "standard input can't be read",
    };
    Verdict::deny(format!(
        "Tool call refused: {how} ({error}), so it can't be judged. Make the call once more; if \
         this comes again, end your turn and show the user this message."
    ))
}

static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Has a panic answer the call and end the process with status 0. It is a denial: what panics is
/// the judgement of a governed tool, and nothing else runs long enough to.
pub fn answer_panics() {
    std::panic::set_hook(Box::new(|panic| {
        if !ANSWERED.swap(true, Ordering::Relaxed) {
            let mut answer = panic_answer(panic);
            answer.push('\n');
            let _ = std::io::stdout().write_all(answer.as_bytes());
        }
        std::process::exit(0);
    }));
}

fn panic_answer(panic: &PanicHookInfo) -> String {
    // The name of the file alone: the rest is the path on the machine that built this.
    let place = panic.location().map_or(String::new(), |at| {
        let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!(" at {file}:{}", at.line())
    });
    let verdict = Verdict::deny(format!(
        "Tool call refused: execution-guard failed inside{place}. End your turn and show the \
         user this message; `execution-guard explain` reproduces it."
    ));
    crate::hosts::sandbox::write(&verdict)
}
