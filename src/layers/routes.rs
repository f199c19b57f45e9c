//! Denials that say where to go instead: the command stands alone on a line, ready to run.

use std::path::Path;

use guard_decisions::Kind;
use guard_rtk::route::{self, Unroutable, word};

use crate::paths::Place;
use crate::scene::Scene;
use crate::tools::{Rtk, SHELL, own_word};
use crate::verdict::Ruling;
use crate::zones::INTERNAL;

/// A denial: why, what to do, and the command that does it.
pub fn denial(kind: Kind, why: &str, then: &str, commands: &[String]) -> Ruling {
    let mut reason = format!("{why} {then}\n");
    for command in commands {
        reason.push_str("\n    ");
        reason.push_str(command);
    }
    Ruling::Deny(kind, reason)
}

/// `rtk read` in place of a native read. Without rtk the native tool reads: a command that is not
/// there would leave no way to the file.
pub fn read_instead(scene: &Scene, path: &Path, what: &str) -> Ruling {
    let Some(rtk) = Rtk::find(scene.machine) else {
        return Ruling::Pass("no rtk on this machine: routing is off");
    };
    let command = path.to_str().ok_or(Unroutable::NotUnicode);
    match command.and_then(|path| route::read(&[path], &rtk.target())) {
        Ok(command) => denial(
            Kind::Routed,
            &format!(
                "`{}` refused: {what} is read through rtk, to keep it short.",
                scene.call.name
            ),
            "Run this instead:",
            &[command],
        ),
        Err(_) => Ruling::Pass("no rtk command can name this file"),
    }
}

/// Transcripts are read by turns and searched, never poured out.
pub fn transcript_instead(scene: &Scene, place: &Place) -> Ruling {
    let conversation = conversation_of(&place.real)
        .or_else(|| conversation_of(&place.named))
        .or_else(|| scene.call.conversation.clone())
        .unwrap_or_default();
    let own = own_word(scene.machine);
    let id = word(SHELL, &conversation).unwrap_or_default();
    denial(
        Kind::TranscriptGuarded,
        &format!(
            "`{}` refused: the transcript and the host's other internal state are megabytes that \
             would fill your context.",
            scene.call.name
        ),
        &format!(
            "Use the MCP tool `read_transcript` (the last turns) or `query_transcript` (a \
             search) with conversationId `{conversation}`, or run one of these, with what you look for in place of TEXT:"
        ),
        &[
            format!("{own} transcript read --conversation {id}"),
            format!("{own} transcript query --conversation {id} TEXT"),
        ],
    )
}

/// The conversation whose internal state a path is: the name of the folder that holds it.
fn conversation_of(path: &Path) -> Option<String> {
    let holder = path
        .ancestors()
        .find(|folder| folder.ends_with(INTERNAL))?
        .parent()?;
    Some(holder.file_name()?.to_str()?.to_owned())
}

/// A search that would read transcripts on its way.
pub fn narrower_search(scene: &Scene, folder: &str) -> Ruling {
    let workspace = scene.workspace().map(Place::at);
    let elsewhere = match workspace.filter(|place| !scene.holds_internal(place)) {
        Some(place) => format!("Search your workspace instead: {}", place.named.display()),
        None => format!("Search the one folder below {folder} that you need instead."),
    };
    let reason = format!(
        "`{}` refused: {folder} holds the host's transcripts, megabytes that this would read. {elsewhere}",
        scene.call.name
    );
    Ruling::Deny(Kind::TranscriptGuarded, reason)
}
