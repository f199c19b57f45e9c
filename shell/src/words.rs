//! Lists of words that stand in one string, so that a table of them takes a line.

/// Whether `list`, words between single blanks, has `word`.
pub(crate) fn lists(list: &str, word: &str) -> bool {
    let mut words = list.as_bytes().split(|byte| *byte == b' ');
    words.any(|known| known == word.as_bytes())
}
