//! Putting one member into an object of a text, and taking it out again.
//!
//! Both are a few insertions or deletions by span; no other byte is printed anew. [`upsert`] never
//! gives the same text for two different originals, so [`remove`] finds the original without any
//! record of it: it tries what could be taken away besides the member, and keeps the result that
//! [`upsert`] turns back into exactly the text at hand. Three layouts carry that information:
//!
//! - in an object that was empty on one line (`{}`), the member stands on lines of its own;
//! - braces that were not there before hug their only member: `"mcpServers": {"name": …}`;
//! - a file that was not there before is laid out by a step of four blanks, where a file without
//!   members gets two.

use super::insert::{NewMember, insert, replace};
use super::render::quote;
use super::take_out::{candidates, remove_member};
use super::{Document, Json, Style, parse};

/// Why a member could not be put in or taken out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The value of a key on the way is no object.
    #[error("the value of {key:?} is not an object")]
    NotAnObject {
        /// The key.
        key: String,
        /// Where its value starts, in bytes of the text.
        offset: usize,
    },
    /// The edited text does not read as the original with the one change: a fault of this module.
    #[error("the edit would change more than the entry")]
    WouldHarm,
}

/// What is left when a member is taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// There was no such member.
    Absent,
    /// This text.
    Text(String),
    /// The file was made for this member and holds nothing else: it can go.
    NoFile,
}

/// The text of a file that holds `value` at `path` and nothing else.
pub fn create(path: &[&str], value: &Json) -> String {
    let style = Style::blanks(CREATED_STEP);
    let [key, deeper @ ..] = path else {
        return String::new();
    };
    let member = NewMember { key, deeper, value };
    format!(
        "{{\n{0}{1}\n}}\n",
        style.unit,
        member.lines(&style, &style.unit)
    )
}

/// Puts `value` at `path`, a chain of object keys: over the value that is there, else behind the last
/// member of the innermost object that is there, with the missing objects around it.
pub fn upsert(document: &Document, path: &[&str], value: &Json) -> Result<String, EditError> {
    let edited = match document.at(path) {
        Some(existing) if same_meaning(&document.json(existing), value) => {
            return Ok(document.text.clone());
        }
        Some(existing) => replace(document, existing, value),
        None => insert(document, path, value)?,
    };
    check(document, &edited, path, Some(value))?;
    Ok(edited)
}

/// Takes out the member at `path`, and what [`upsert`] or [`create`] wrote around it.
pub fn remove(document: &Document, path: &[&str]) -> Result<Removal, EditError> {
    let Some(node) = document.at(path) else {
        return Ok(Removal::Absent);
    };
    let value = document.json(node);
    if !document.bom && document.text == create(path, &value) {
        return Ok(Removal::NoFile);
    }
    for original in candidates(document, path) {
        let came_from = parse(original.as_bytes())
            .ok()
            .filter(|parsed| parsed.at(path).is_none());
        if came_from
            .is_some_and(|parsed| upsert(&parsed, path, &value).as_ref() == Ok(&document.text))
        {
            return Ok(Removal::Text(original));
        }
    }
    let plain = remove_member(document, path, false);
    check(document, &plain, path, None)?;
    Ok(Removal::Text(plain))
}

const CREATED_STEP: usize = 4;

/// Reads `edited` again: `value` must be at `path`, and all else as it was.
fn check(
    document: &Document,
    edited: &str,
    path: &[&str],
    value: Option<&Json>,
) -> Result<(), EditError> {
    let edited = parse(edited.as_bytes()).map_err(|_| EditError::WouldHarm)?;
    let found = edited.at(path).map(|node| edited.json(node));
    let same = without(document, path) == without(&edited, path);
    if found.as_ref() == value && same {
        Ok(())
    } else {
        Err(EditError::WouldHarm)
    }
}

/// The same value, whatever its layout and the spelling of its strings?
fn same_meaning(a: &Json, b: &Json) -> bool {
    a == b
        || a.meaning()
            .is_some_and(|meaning| Some(meaning) == b.meaning())
}

/// The meaning of a text apart from the member at `path`; objects left empty on the way don't count.
fn without(document: &Document, path: &[&str]) -> Json {
    let root = document
        .root
        .as_ref()
        .map(|root| document.json(root))
        .unwrap_or(Json::Object(Vec::new()));
    let keys: Vec<String> = spelled_keys(document, path);
    prune(root, &keys)
}

/// The keys of `path` as this text spells them.
fn spelled_keys(document: &Document, path: &[&str]) -> Vec<String> {
    let mut node = document.root.as_ref();
    path.iter()
        .map(|key| {
            let member =
                node.and_then(|node| node.members()?.iter().find(|member| member.key == *key));
            node = member.map(|member| &member.value);
            member.map_or_else(
                || quote(key),
                |member| document.text[member.key_span.clone()].to_owned(),
            )
        })
        .collect()
}

fn prune(value: Json, keys: &[String]) -> Json {
    let (Json::Object(members), [key, deeper @ ..]) = (&value, keys) else {
        return value;
    };
    let kept = members.iter().filter_map(|(name, inner)| {
        if name != key {
            return Some((name.clone(), inner.clone()));
        }
        if deeper.is_empty() {
            return None;
        }
        let inner = prune(inner.clone(), deeper);
        (inner != Json::Object(Vec::new())).then(|| (name.clone(), inner))
    });
    Json::Object(kept.collect())
}
