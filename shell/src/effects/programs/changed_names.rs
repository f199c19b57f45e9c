//! Whether code changes files whose names it does not spell where it changes them: `os.remove(f)`.

use super::quoted::{closing_bracket, moves};

/// Calls that change the file which their first argument names.
#[rustfmt::skip]
const CALLS: [&str; 18] = [
    "os.remove(", "unlink(", "unlinkSync(", "rmSync(", "rmtree(", "os.rename(", "os.replace(", "shutil.move(",
    "shutil.copy(", "copyFileSync(", "os.truncate(", "os.chmod(", "writeFileSync(", "writeFile(", "appendFileSync(",
    "File.write(", "File.delete(", "file_put_contents(",
];

/// Methods that change the file that they belong to.
const METHODS: [&str; 7] = [
    ".write_text(",
    ".write_bytes(",
    ".unlink(",
    ".touch(",
    ".rename(",
    ".rmdir(",
    ".chmod(",
];

/// The modes in which `open` changes a file.
const MODES: [&str; 8] = ["'w", "\"w", "'a", "\"a", "'x", "\"x", "'r+", "\"r+"];

/// The most calls of one name that are looked at.
const MAX_CALLS: usize = 32;

/// Whether a change takes its file from a variable to which the code gives no text.
pub fn changes_by_name(code: &str) -> bool {
    let called = |name: &str| arguments(code, name).any(|argument| is_given(code, argument));
    moves(code)
        || CALLS.iter().any(|name| called(name))
        || arguments(code, "open(").any(|argument| {
            let call = &argument[..closing_bracket(argument, ')').unwrap_or(argument.len())];
            MODES.iter().any(|mode| call.contains(mode)) && is_given(code, argument)
        })
        || METHODS.iter().any(|name| {
            code.match_indices(name)
                .take(MAX_CALLS)
                .any(|(at, _)| is_given(code, receiver(&code[..at])))
        })
}

/// What follows each `name` in `code`.
fn arguments<'c>(code: &'c str, name: &'c str) -> impl Iterator<Item = &'c str> {
    code.match_indices(name)
        .take(MAX_CALLS)
        // `p.unlink()` is a method.
        .map(move |(at, _)| &code[at + name.len()..])
        .filter(|argument| !argument.starts_with(')'))
}

/// The start of the expression that `code` ends with.
fn receiver(code: &str) -> &str {
    if code.ends_with(')') {
        let open = code.rfind('(').map_or(0, |open| open + 1);
        return &code[open..];
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    &code[code.trim_end_matches(is_part).len()..]
}

/// Whether `expression` begins with a variable to which `code` gives no text, or with a call.
fn is_given(code: &str, expression: &str) -> bool {
    let expression = expression.trim_start();
    let after_prefix = expression.trim_start_matches(['f', 'r', 'b']);
    if after_prefix.starts_with(['\'', '"', '`']) || expression.is_empty() {
        return false;
    }
    let end = expression
        .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .unwrap_or(expression.len());
    let name = &expression[..end];
    name.is_empty() || !is_text(code, name)
}

/// Whether `code` has `name = 'text'` or `name = Path('text')`.
fn is_text(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let begins = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        let value = code[at + name.len()..].trim_start().strip_prefix('=');
        let value = value.map(|value| value.trim_start().trim_start_matches("pathlib."));
        let value = value.map(|value| {
            value
                .trim_start_matches("Path(")
                .trim_start_matches(['f', 'r'])
        });
        begins && value.is_some_and(|value| value.starts_with(['\'', '"']))
    })
}
