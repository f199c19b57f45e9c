//! File names made from conversation ids.

use crate::error::StateError;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Longest conversation id that is taken, in bytes. A host's own are UUIDs of 36.
pub const MAX_CONVERSATION_BYTES: usize = 64 * 1024;

/// Longest stem that is the id itself. With the longest ending it stays under 143 bytes, the shortest limit among
/// file systems in use (eCryptfs with encrypted names; others have 255).
const MAX_PLAIN: usize = 128;

/// Lock files in a folder. Two conversations that meet on one only wait for each other's half millisecond; a
/// hung process can hold up one in 64 others.
const LOCKS: u64 = 64;

/// Temporary names a conversation has.
pub(crate) const SLOTS: usize = 8;

/// Damaged files kept of a conversation.
pub(crate) const KEPT_DAMAGED: usize = 3;

/// The file that says when old files were last looked for.
pub(crate) const PRUNE_MARK: &str = "pruned";

/// The part of a file name that stands for the conversation.
///
/// It is made of `a-z`, `0-9`, `-` and `_` only, so that no id can name another folder, a device, a hidden file or,
/// where letter case or Unicode form is ignored, the file of another id. Other bytes are `_` and two hexadecimal
/// digits, which can be read backwards, so two ids never share a name. What would be too long for a file system
/// is the SHA-256 of the id instead, under a prefix of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stem(String);

/// What a file of a conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    State,
    Temporary,
    Damaged,
}

impl Stem {
    pub(crate) fn of(conversation: &str) -> Result<Self, StateError> {
        if conversation.len() > MAX_CONVERSATION_BYTES {
            return Err(StateError::ConversationTooLong {
                bytes: conversation.len(),
            });
        }
        Ok(plain(conversation).unwrap_or_else(|| hashed(conversation)))
    }

    pub(crate) fn state(&self) -> String {
        format!("{}.json", self.0)
    }

    pub(crate) fn temporary(&self, slot: usize) -> String {
        format!("{}.tmp{slot}", self.0)
    }

    pub(crate) fn damaged(&self, slot: usize) -> String {
        format!("{}.damaged{slot}", self.0)
    }

    /// The lock file of this conversation. FNV-1a, because it is the same for ever and everywhere; it spreads, and
    /// nothing depends on who meets whom.
    pub(crate) fn lock(&self) -> String {
        let hash = self
            .0
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        format!("lock-{:02}", hash % LOCKS)
    }

    /// What a file of the folder is, if it is one of ours.
    pub(crate) fn parse(file_name: &str) -> Option<(Self, Kind)> {
        let (stem, ending) = file_name.split_once('.')?;
        let ours = stem.starts_with("c-") || stem.starts_with("h-");
        let spelled = stem
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'));
        let slot = |ending: &str, word: &str, slots| {
            let number = ending.strip_prefix(word)?.parse().ok()?;
            (0..slots).contains(&number).then_some(())
        };
        let kind = match ending {
            "json" => Kind::State,
            _ if slot(ending, "tmp", SLOTS).is_some() => Kind::Temporary,
            _ if slot(ending, "damaged", KEPT_DAMAGED).is_some() => Kind::Damaged,
            _ => return None,
        };
        (ours && spelled).then(|| (Self(stem.to_owned()), kind))
    }

    /// The conversation that the name spells out, if it does.
    pub(crate) fn conversation(&self) -> Option<String> {
        let mut bytes = Vec::new();
        let mut rest = self.0.strip_prefix("c-")?.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'_' => hex(rest.next()?)? << 4 | hex(rest.next()?)?,
                byte => byte,
            });
        }
        String::from_utf8(bytes).ok()
    }
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

fn plain(conversation: &str) -> Option<Stem> {
    let mut stem = String::with_capacity(MAX_PLAIN + 3);
    stem.push_str("c-");
    for byte in conversation.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' => stem.push(char::from(byte)),
            _ => write!(stem, "_{byte:02x}").ok()?,
        }
        if stem.len() > MAX_PLAIN {
            return None;
        }
    }
    Some(Stem(stem))
}

fn hashed(conversation: &str) -> Stem {
    let mut stem = "h-".to_owned();
    for byte in Sha256::digest(conversation.as_bytes()) {
        // Writing to a String does not fail.
        let _ = write!(stem, "{byte:02x}");
    }
    Stem(stem)
}
