//! What is taken away with a member.

use super::insert::style;
use super::{Document, Node, splice};

/// What the text may have been before the member came, the likeliest addition first.
pub(super) fn candidates<'a>(
    document: &'a Document,
    path: &'a [&'a str],
) -> impl Iterator<Item = String> + 'a {
    let whole_root = document
        .root
        .iter()
        .map(|root| splice(&document.text, vec![(root.span.clone(), String::new())]));
    let members = (1..=path.len()).flat_map(move |depth| {
        [true, false]
            .map(|lines_of_its_own| remove_member(document, &path[..depth], lines_of_its_own))
    });
    whole_root.chain(members)
}

/// Without the member at `path`, which is there, its comma, and the blanks before it; with
/// `lines_of_its_own` also without the line end behind it.
pub(super) fn remove_member(document: &Document, path: &[&str], lines_of_its_own: bool) -> String {
    let text = &document.text;
    let [parents @ .., key] = path else {
        return text.clone();
    };
    let Some(object) = document.at(parents) else {
        return text.clone();
    };
    let members = object.members().unwrap_or_default();
    let Some(index) = members.iter().position(|member| member.key == *key) else {
        return text.clone();
    };
    let member = &members[index];

    let mut edits = Vec::new();
    let before = text[..member.key_span.start].trim_end_matches(BLANKS).len();
    let behind_value = member.value.span.end;
    let comma = Some(document.skip_trivia(behind_value)).filter(|at| text[*at..].starts_with(','));
    let end = match comma {
        Some(at) if at == behind_value => at + 1,
        Some(at) => {
            edits.push((at..at + 1, String::new()));
            behind_value
        }
        None => behind_value,
    };
    let start = if needs_line_end(document, before, end) {
        member.key_span.start
    } else {
        before
    };
    let suffix = if lines_of_its_own {
        own_line_end(document, object, end)
    } else {
        0
    };
    edits.push((start..end + suffix, String::new()));
    if comma.is_none() && index > 0 {
        let at = document.skip_trivia_back(member.key_span.start) - 1;
        edits.push((at..at + 1, String::new()));
    }
    splice(text, edits)
}

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Would what stands at `end` run on behind a line comment that ends at `before`?
fn needs_line_end(document: &Document, before: usize, end: usize) -> bool {
    document
        .comment_before(before)
        .is_some_and(|comment| comment.line)
        && !document.text[end..]
            .trim_start_matches([' ', '\t', '\r'])
            .starts_with('\n')
}

/// The length of the line end and indentation that [`insert_alone`] writes behind a member.
fn own_line_end(document: &Document, object: &Node, end: usize) -> usize {
    let written = format!(
        "{}{}",
        style(document).newline,
        document.line_indent(object.span.start)
    );
    if document.text[end..].starts_with(&written) {
        written.len()
    } else {
        0
    }
}
