//! Which conversations there are, and where their transcripts lie.

use super::error::ReadingError;
use super::log::Log;
use crate::open::open;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The products' folders under `~/.gemini`.
const PRODUCTS: [&str; 3] = ["antigravity", "antigravity-cli", "antigravity-ide"];
const BRAIN: &str = "brain";
/// Where a conversation's transcripts lie in its folder.
const LOGS: [&str; 2] = [".system_generated", "logs"];
/// Folders of a brain that are looked at.
const MAX_CONVERSATIONS: usize = 100_000;
const MAX_ID: usize = 128;
/// Ids that an error names.
const NAMED: usize = 5;

/// The conversations of one user.
#[derive(Debug, Clone)]
pub struct Conversations {
    gemini: PathBuf,
}

/// A conversation's transcripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its id: the name of its folder.
    pub id: String,
    /// The product's folder it was found in; empty for a transcript given by its path.
    pub product: String,
    /// The folder with `transcript.jsonl`, `transcript_full.jsonl` and `chunks`.
    pub logs: PathBuf,
    /// Whether it is the newest one, taken because no id was given.
    pub newest: bool,
    /// The file's name without `.jsonl`.
    pub(crate) stem: String,
}

impl Conversations {
    /// Those under `home`, the user's home folder.
    pub fn new(home: &Path) -> Self {
        Self {
            gemini: home.join(".gemini"),
        }
    }

    /// The conversation with this id, or without one that whose transcript was written to last.
    ///
    /// # Errors
    /// [`ReadingError`] if the id is none, leads out of the brain folder, or has no transcript.
    pub fn find(&self, id: Option<&str>) -> Result<Conversation, ReadingError> {
        let Some(id) = id.map(str::trim).filter(|id| !id.is_empty()) else {
            let newest = self.newest(1).into_iter().next();
            let mut found = newest.ok_or_else(|| ReadingError::NoConversation {
                gemini: self.gemini.clone(),
            })?;
            found.newest = true;
            return Ok(found);
        };
        check_id(id)?;
        let mut found = Vec::new();
        for product in PRODUCTS {
            found.extend(self.at(product, id)?);
        }
        found.sort_by_key(|(written, _)| std::cmp::Reverse(*written));
        let first = found.into_iter().next();
        first
            .map(|(_, conversation)| conversation)
            .ok_or_else(|| ReadingError::UnknownId {
                id: id.to_owned(),
                known: self.newest(NAMED).into_iter().map(|one| one.id).collect(),
            })
    }

    /// The `count` newest conversations, newest first. One that could not be read is none.
    pub fn newest(&self, count: usize) -> Vec<Conversation> {
        let mut found: Vec<(SystemTime, &str, String)> = Vec::new();
        for product in PRODUCTS {
            let folders = std::fs::read_dir(self.gemini.join(product).join(BRAIN));
            for entry in folders
                .into_iter()
                .flatten()
                .flatten()
                .take(MAX_CONVERSATIONS)
            {
                let Ok(id) = entry.file_name().into_string() else {
                    continue;
                };
                if check_id(&id).is_ok()
                    && let Some(written) = written(&logs_in(&entry.path()))
                {
                    found.push((written, product, id));
                }
            }
        }
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
        // That no link leads out is looked at only where it matters.
        let readable = found.into_iter().filter_map(|(_, product, id)| {
            let (_, conversation) = self.at(product, &id).ok()??;
            Log::open(&conversation.logs, &conversation.stem).ok()?;
            Some(conversation)
        });
        readable.take(count).collect()
    }

    /// The conversation in a product's folder with the time of its last record, if it has a transcript there.
    fn at(
        &self,
        product: &str,
        id: &str,
    ) -> Result<Option<(SystemTime, Conversation)>, ReadingError> {
        let brain = self.gemini.join(product).join(BRAIN);
        let logs = logs_in(&brain.join(id));
        let Some(written) = written(&logs) else {
            return Ok(None);
        };
        inside(&brain.join(id), &logs, &brain)?;
        let conversation = Conversation {
            id: id.to_owned(),
            product: product.to_owned(),
            logs,
            newest: false,
            stem: "transcript".to_owned(),
        };
        Ok(Some((written, conversation)))
    }
}

impl Conversation {
    /// A transcript by its path, for a look at its health.
    ///
    /// # Errors
    /// [`ReadingError`] if it is not a regular file named `*.jsonl`.
    pub fn from_path(path: &Path) -> Result<Self, ReadingError> {
        let not = || ReadingError::NotATranscript {
            path: path.to_path_buf(),
        };
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            return Err(not());
        }
        open(path)?;
        let logs = path.parent().ok_or_else(not)?.to_path_buf();
        let id = logs.ancestors().nth(LOGS.len());
        let id = id.and_then(Path::file_name).and_then(|name| name.to_str());
        Ok(Self {
            id: id.unwrap_or("unknown").to_owned(),
            product: String::new(),
            stem: stem.ok_or_else(not)?.to_owned(),
            logs,
            newest: false,
        })
    }

    /// The transcript with every field whole, which the host writes beside the one with cut fields.
    pub(crate) fn full_stem(&self) -> Option<&'static str> {
        (self.stem == "transcript").then_some("transcript_full")
    }
}

fn logs_in(folder: &Path) -> PathBuf {
    LOGS.iter()
        .fold(folder.to_path_buf(), |path, part| path.join(part))
}

/// When the transcript was last written to.
fn written(logs: &Path) -> Option<SystemTime> {
    let time = |path: &Path| {
        path.symlink_metadata()
            .and_then(|data| data.modified())
            .ok()
    };
    time(&logs.join("transcript.jsonl")).or_else(|| time(&logs.join("chunks").join("transcript")))
}

/// Proves that no link leads the way out of the conversation's own folder.
fn inside(folder: &Path, logs: &Path, brain: &Path) -> Result<(), ReadingError> {
    let outside = || ReadingError::Outside {
        path: folder.to_path_buf(),
    };
    let brain = brain.canonicalize().map_err(|_| outside())?;
    let real = logs.canonicalize().map_err(|_| outside())?;
    let name = folder.file_name().ok_or_else(outside)?;
    if real.starts_with(brain.join(name)) {
        Ok(())
    } else {
        Err(outside())
    }
}

fn check_id(id: &str) -> Result<(), ReadingError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if !id.is_empty() && id.len() <= MAX_ID && !id.starts_with('.') && id.bytes().all(plain) {
        return Ok(());
    }
    Err(ReadingError::InvalidId {
        id: id.chars().take(MAX_ID).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_name_of_a_folder_and_nothing_else() {
        for id in [
            "1afed0731d3375b5ce77ece98355e9a3",
            "ec33-4a",
            "a_b.c",
            "a..b",
        ] {
            assert!(check_id(id).is_ok(), "{id}");
        }
        for id in [
            "", ".", "..", "../x", "a/b", "a\\b", "/etc", "c:", "a\0b", "a b", ".hidden", "ä",
        ] {
            assert!(check_id(id).is_err(), "{id}");
        }
        assert!(check_id(&"a".repeat(MAX_ID + 1)).is_err());
    }
}
