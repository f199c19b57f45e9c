//! The texts in quotes in a piece of code, joined where the code joins them to one path, and whether what stands around
//! one says that its file is only read.

use std::borrow::Cow;

use super::changed_names::changes_by_name;

/// The most texts that are taken from one piece of code.
const MAX_TEXTS: usize = 256;

/// The longest path that is put together, in bytes.
const MAX_PATH: usize = 4_096;

/// The longest expression that is put into a text, in bytes.
const MAX_INSERTED: usize = 256;

/// A text in quotes.
pub struct Quoted {
    pub text: String,
    /// Whether what stands around it says that the file is only read.
    pub only_read: bool,
    /// Whether it is compared, looked for or written, and so no path.
    pub mentioned: bool,
    /// Whether it is what a program is given to read: `input='x'`.
    pub is_input: bool,
    /// Whether it stands after a comma, as in a list.
    pub listed: bool,
    /// Whether it was put together from more than one.
    pub joined: bool,
    /// Whether all below it is walked through or copied: `os.walk('x')`.
    pub walked: bool,
    /// Whether it is what a variable gets: `path = 'x'`.
    pub assigned: bool,
    /// Whether it is the folder in which a program is started: `cwd='x'`.
    pub is_folder: bool,
}

/// The texts in quotes; and those next to each other joined, as `os.path.join('a', 'b')`, `'a' + 'b'` and `a / 'b'` do.
pub fn texts(code: &str, changes: bool) -> Vec<Quoted> {
    // Files that were found by a pattern are changed where a change names no file by a text.
    let changes_found = changes && changes_by_name(code);
    let mut found: Vec<Quoted> = Vec::new();
    let mut chain = String::new();
    let mut chain_read = false;
    let mut chain_mentioned = false;
    let mut replaced = false;
    let mut rest = code;
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let quote = rest.as_bytes()[start] as char;
        let between = &rest[..start];
        let inside = &rest[start + 1..];
        let end = closing(inside, quote);
        let text = inside[..end]
            .replace("\\\\", "\\")
            .replace("\\'", "'")
            .replace("\\\"", "\"");
        rest = inside.get(end + 1..).unwrap_or("");
        let before_text = before_quote(between);
        let walked = WALKERS.iter().any(|sign| before_text.ends_with(sign));
        let is_folder = ["cwd=", "cwd:", "cwd ="]
            .iter()
            .any(|sign| before_text.ends_with(sign));
        let assigned = !is_folder && before_text.ends_with('=') && !before_text.ends_with("==");
        // `s.replace('a', 'b')`: both are texts, of which none is a file.
        let first_replaced = replaces_text(between, rest);
        let mentioned =
            first_replaced || replaced && between.trim() == "," || is_mentioned(between, rest);
        let only_read = is_folder || mentioned || only_read(between, rest, changes_found);
        replaced = first_replaced;
        let listed = between.replace('[', "").trim() == ",";
        let joined = separator(between).or_else(|| after_home(&chain, between));
        let (before, separator) = match joined {
            Some(separator) if !chain.is_empty() && chain.len() < MAX_PATH => {
                (Some(std::mem::take(&mut chain)), separator)
            }
            _ => (
                home_before(between),
                joint(between).map_or("", |(_, joint)| joint),
            ),
        };
        match before {
            Some(before) => {
                chain = format!("{before}{separator}{text}");
                chain_read |= only_read;
                chain_mentioned &= mentioned;
                found.push(Quoted {
                    text: chain.clone(),
                    only_read: chain_read,
                    mentioned: chain_mentioned || mentioned,
                    is_input: false,
                    listed,
                    joined: true,
                    walked,
                    assigned,
                    is_folder: false,
                });
            }
            None => {
                chain.clone_from(&text);
                chain_read = only_read;
                chain_mentioned = mentioned;
            }
        }
        // `os.environ['HOME'] + '/x'`
        if chain == "HOME" {
            "~".clone_into(&mut chain);
        }
        found.push(Quoted {
            text,
            only_read,
            mentioned,
            is_input: before_text.ends_with("input="),
            listed,
            joined: false,
            walked,
            assigned,
            is_folder,
        });
        if found.len() > MAX_TEXTS {
            break;
        }
    }
    found
}

/// The most bracketed quotes of one kind that are looked at.
const MAX_BRACKETED: usize = 16;

/// How Perl and Ruby write quotes with brackets, and the quotes that they stand for.
const BRACKETED: [(&str, char); 12] = [
    ("qx(", '`'),
    ("qx{", '`'),
    ("%x(", '`'),
    ("%x{", '`'),
    ("qq(", '"'),
    ("qq{", '"'),
    ("%q(", '\''),
    ("%q{", '\''),
    ("%Q(", '"'),
    ("%Q{", '"'),
    (" q(", '\''),
    (" q{", '\''),
];

/// Whether quotes with brackets run what they hold.
pub fn runs_quoted(code: &str) -> bool {
    BRACKETED
        .iter()
        .any(|(open, quote)| *quote == '`' && code.contains(open))
}

/// Calls that name the same path in another way.
const SAME_PATH: [&str; 3] = [").expanduser()", ").resolve()", ").absolute()"];

/// The code with bracketed quotes as plain ones, and without calls that do nothing to a path.
pub fn plain_quotes(code: &str) -> Cow<'_, str> {
    let mut signs = BRACKETED.iter().map(|(open, _)| *open).chain(SAME_PATH);
    if !signs.any(|sign| code.contains(sign)) && !code.contains("qw(") {
        return Cow::Borrowed(code);
    }
    let mut plain = code.to_owned();
    for _ in 0..MAX_BRACKETED {
        let Some(at) = plain.find("qw(") else {
            break;
        };
        let end = plain[at..]
            .find(')')
            .map_or(plain.len(), |length| at + length);
        let words: Vec<String> = plain[at + 3..end]
            .split_whitespace()
            .map(|word| format!("'{word}'"))
            .collect();
        plain.replace_range(at..end, &format!("({}", words.join(",")));
    }
    for call in SAME_PATH {
        plain = plain.replace(call, ")");
    }
    for (open, quote) in BRACKETED {
        let close = if open.ends_with('(') { ')' } else { '}' };
        for _ in 0..MAX_BRACKETED {
            let Some(at) = plain.find(open) else {
                break;
            };
            let inside = at + open.len();
            let end = closing_bracket(&plain[inside..], close).map(|length| inside + length);
            if let Some(end) = end {
                plain.replace_range(end..=end, quote.encode_utf8(&mut [0; 4]));
            }
            plain.replace_range(at..inside, &format!(" {quote}"));
        }
    }
    Cow::Owned(plain)
}

/// Where the bracket `close` stands that belongs to one before `text`.
pub fn closing_bracket(text: &str, close: char) -> Option<usize> {
    let open = if close == ')' { '(' } else { '{' };
    let mut depth = 0_usize;
    text.char_indices().find_map(|(at, character)| {
        if character == open {
            depth += 1;
        } else if character == close {
            match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return Some(at),
            }
        }
        None
    })
}

/// What stands before the name of a file that is only read.
#[rustfmt::skip]
const READERS: [&str; 24] = [
    "readFileSync(", "readFile(", "read_csv(", "read_json(", "read_parquet(", "read_pickle(", "read_excel(", "read_text(",
    "load(", "print(", "require(", "unpack_archive(", "sys.path.append(", "sys.path.insert(0,",
    // The first of two names is where the copy comes from.
    "copy(", "copy2(", "copyfile(", "copytree(", "copyFileSync(", "copyFile(", "cpSync(", "copy_file(", "copySync(",
    "copy_tree(",
];

/// What stands before a text that is no file: what is written into one, a pattern, a part of another text.
#[rustfmt::skip]
const TEXTS: [&str; 13] = [
    ".write_text(", ".write(", ".writelines(", "re.sub(", "re.compile(", "re.search(", "re.match(", "re.findall(",
    ".startswith(", ".endswith(", ".split(", ".strip(", ".count(",
];

/// What stands before a text that another one is searched for, besides [`TEXTS`].
#[rustfmt::skip]
const SOUGHT: [&str; 20] = [
    ".includes(", ".include?(", ".include? ", ".indexOf(", ".lastIndexOf(", ".index(", ".find(", ".rfind(", ".match(", ".match?(",
    ".startsWith(", ".endsWith(", ".start_with?(", ".end_with?(", "str_contains(", "strpos(", "==", "!=", "=~", "assertIn(",
];

/// Whether a text between `before` and `after` is one that is compared, looked for or written.
fn is_mentioned(before: &str, after: &str) -> bool {
    let before = before_quote(before);
    let ends = |signs: &[&str]| signs.iter().any(|sign| before.ends_with(sign));
    let names_file = ends(&["File.write(", "IO.write(", "Bun.write("]);
    let after = after.trim_start_matches(' ');
    let is_printed = ends(&["print(", "console.log("]) && after.starts_with([')', ',']);
    let is_sought = after.starts_with("in ") || after.starts_with("not in ");
    is_printed || is_sought || ends(&SOUGHT) || ends(&TEXTS) && !names_file
}

/// What stands before the name of a folder that is walked through or copied as a whole.
const WALKERS: [&str; 4] = ["walk(", "copytree(", "make_archive(", "cpSync("];

/// The code before a text, without the letters that say how the text is spelled: `r'x'`, `f"x"`.
fn before_quote(between: &str) -> &str {
    let before = between.trim_end();
    let spelled = before.trim_end_matches(['r', 'f', 'b', 'u']);
    if spelled.ends_with(['(', ',', '=', '[']) {
        spelled
    } else {
        before
    }
}

/// What stands before the name of a folder, or a pattern, whose files may be changed by the names that it gives.
const FINDERS: [&str; 7] = [
    "listdir(", "glob(", "exists(", "isfile(", "isdir(", "walk(", "scandir(",
];

/// The same, behind the name.
const FOUND: [&str; 7] = [
    ").rglob(",
    ").glob(",
    ").iterdir(",
    ").exists(",
    ").is_file(",
    ").is_dir(",
    ").stat(",
];

/// What stands after the name in a call of `open` that only reads.
#[rustfmt::skip]
const OPENED_TO_READ: [&str; 9] = [
    ")", ",'r'", ", 'r'", ",\"r\"", ", \"r\"", ",encoding", ", encoding", ", 'rb'", ", \"rb\"",
];

/// Whether a text between `before` and `after` is the name of a file which is only read.
fn only_read(before: &str, after: &str, changes_found: bool) -> bool {
    let before = before_quote(before);
    let ends = |signs: &[&str]| signs.iter().any(|sign| before.ends_with(sign));
    // `File.write('x', 'text')` has the file first.
    let names_file = ends(&["File.write(", "IO.write(", "Bun.write("]);
    if ends(&READERS) || ends(&TEXTS) && !names_file {
        return true;
    }
    if ends(&FINDERS) || FOUND.iter().any(|sign| after.starts_with(sign)) {
        return !changes_found;
    }
    // `Path('x').read_text()`, but not `Path('x').write_text('')`.
    let is_file = ends(&["open(", "ZipFile("]);
    let is_path = before.ends_with("Path(");
    let reads = after.starts_with(").read") || after.starts_with(").extract");
    let opened =
        OPENED_TO_READ.iter().any(|sign| after.starts_with(sign)) && !after.starts_with(").");
    (is_file && (opened || reads)) || (is_path && reads)
}

/// Whether the text between `before` and `after` is the first of two that a method of a text takes.
fn replaces_text(before: &str, after: &str) -> bool {
    let before = before_quote(before);
    let is_text = before.ends_with(".replace(") && !before.ends_with("os.replace(");
    (is_text || before.ends_with("re.sub(")) && after.starts_with(',')
}

pub fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let mut inserted_to = 0;
    for (at, character) in text.char_indices() {
        if at < inserted_to {
            continue;
        }
        // Quotes in what is put in are its own: `"#{ENV["HOME"]}/x"`.
        let inserts = quote == '"' && text[at..].starts_with("#{")
            || quote == '`' && text[at..].starts_with("${");
        if inserts {
            let mut end = text.len().min(at + MAX_INSERTED);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            if let Some(length) = text
                .get(at + 2..end)
                .and_then(|inside| closing_bracket(inside, '}'))
            {
                inserted_to = at + 2 + length;
                continue;
            }
        }
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote {
            return at;
        }
    }
    text.len()
}

/// What ends `code` and joins the text behind it to what is before: that, and what stands between the two in the path.
fn joint(code: &str) -> Option<(&str, &'static str)> {
    const JOINTS: [(&str, &str); 7] = [
        (".rglob(", "/**/"),
        (".glob(", "/"),
        (".joinpath(", "/"),
        ("/", "/"),
        (",", "/"),
        ("+", ""),
        (".", ""),
    ];
    let code = code.trim_end();
    let before = |(sign, joint): &(&str, &'static str)| Some((code.strip_suffix(sign)?, *joint));
    JOINTS.iter().find_map(before)
}

/// What stands between two texts that become one path, and with what they are joined.
fn separator(between: &str) -> Option<&'static str> {
    // Texts without anything between them are one.
    if between.trim().is_empty() && !between.contains('\n') {
        return Some("");
    }
    let (before, separator) = joint(between)?;
    let before = before.trim();
    let closes = before.bytes().all(|byte| matches!(byte, b')' | b']'));
    let is_comma = between.trim_end().ends_with(',');
    let near = between.len() <= 4;
    match separator {
        "/" if is_comma => (before.is_empty() && near).then_some(separator),
        _ => closes.then_some(separator),
    }
}

/// `os.path.join(os.environ['HOME'], 'x')`
fn after_home(chain: &str, between: &str) -> Option<&'static str> {
    let before = between.trim_end().strip_suffix(',')?;
    let closes = before.bytes().all(|byte| matches!(byte, b')' | b']'));
    (chain == "~" && closes).then_some("/")
}

/// Whether code moves a file: `Path('x').replace('y')`, where a text would need two.
pub fn moves(code: &str) -> bool {
    code.contains("Path(")
        && code
            .match_indices(".replace(")
            .take(MAX_BRACKETED)
            .any(|(at, sign)| {
                let inside = &code[at + sign.len()..];
                closing_bracket(inside, ')').is_some_and(|end| !inside[..end].contains(','))
            })
}

/// The home folder, where the code before a text joins it to that: `Path.home() / 'x'`, `os.homedir() + '/x'`.
fn home_before(between: &str) -> Option<String> {
    let (before, _) = joint(between)?;
    let before = before.trim_end_matches([')', '(', '}', ' ']);
    let end = before.len().saturating_sub(7);
    let name = before.get(end..)?.to_ascii_lowercase();
    (name.ends_with("home") || name.ends_with("homedir")).then(|| "~".to_owned())
}
