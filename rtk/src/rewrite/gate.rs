//! Lines that rtk leaves alone as a whole, found on our parse of them.
//!
//! rtk reads a line without a tree: it gives up where a command is substituted or a file redirected anywhere,
//! and where a script of several lines is more than simple lines one after another.

use guard_shell::{
    Command, CommandKind, List, Part, PartKind, Redirection, RedirectionOperator, Script,
    SimpleCommand, Word,
};

/// Whether rtk would leave the whole line alone.
pub(crate) fn gives_up(script: &Script) -> bool {
    list_is_closed(script.body(), script.text()) || is_script_of_blocks(script.text())
}

fn list_is_closed(list: &List, text: &str) -> bool {
    let pipelines = list.items.iter().flat_map(|item| &item.pipelines);
    pipelines
        .flat_map(|(_, pipeline)| &pipeline.stages)
        .any(|command| command_is_closed(command, text))
}

fn command_is_closed(command: &Command, text: &str) -> bool {
    let list = |list: &List| list_is_closed(list, text);
    redirects(&command.redirections, text)
        || match &command.kind {
            CommandKind::Simple(simple) => simple_is_closed(simple, text),
            CommandKind::Subshell(body) | CommandKind::Group(body) => list(body),
            CommandKind::If {
                branches,
                otherwise,
            } => {
                branches
                    .iter()
                    .any(|(condition, body)| list(condition) || list(body))
                    || otherwise.as_ref().is_some_and(list)
            }
            CommandKind::While {
                condition, body, ..
            } => list(condition) || list(body),
            CommandKind::For { words, body, .. } => {
                words.iter().flatten().any(substitutes) || list(body)
            }
            CommandKind::Case { subject, arms } => {
                substitutes(subject) || arms.iter().any(|(_, body)| list(body))
            }
            CommandKind::Function { body, .. } | CommandKind::Coproc(body) => {
                command_is_closed(body, text)
            }
            // The comparison signs in these look like redirections.
            CommandKind::Conditional(words) => {
                words.iter().any(substitutes) || command.span.of(text).contains(['<', '>'])
            }
            CommandKind::ForArithmetic { .. }
            | CommandKind::Arithmetic(_)
            | CommandKind::Unknown => true,
        }
}

fn simple_is_closed(simple: &SimpleCommand, text: &str) -> bool {
    redirects(&simple.redirections, text)
        || simple.words.iter().any(substitutes)
        || simple
            .assignments
            .iter()
            .any(|assignment| substitutes(&assignment.value))
}

fn substitutes(word: &Word) -> bool {
    word.parts.iter().any(part_substitutes)
}

fn part_substitutes(part: &Part) -> bool {
    match &part.kind {
        PartKind::CommandSubstitution(_)
        | PartKind::Backticks(_)
        | PartKind::ProcessSubstitution { .. }
        | PartKind::Arithmetic(_) => true,
        PartKind::DoubleQuoted(parts)
        | PartKind::Parameter { rest: parts, .. }
        | PartKind::ExtendedGlob(parts) => parts.iter().any(part_substitutes),
        PartKind::Array(words) => words.iter().any(substitutes),
        _ => false,
    }
}

/// Whether one of them is anything but `2>&1` and its like, written without blanks, or `/dev/null`.
fn redirects(redirections: &[Redirection], text: &str) -> bool {
    redirections
        .iter()
        .any(|redirection| match redirection.operator {
            RedirectionOperator::DuplicateOutput | RedirectionOperator::DuplicateInput => {
                let target = redirection.target.span.of(text);
                let is_descriptor =
                    target == "-" || target.bytes().all(|byte| byte.is_ascii_digit());
                !is_descriptor || redirection.span.of(text).contains([' ', '\t'])
            }
            RedirectionOperator::HereDocument
            | RedirectionOperator::HereDocumentTabs
            | RedirectionOperator::HereString
            | RedirectionOperator::Clobber
            | RedirectionOperator::ReadWrite => true,
            _ => redirection.target.span.of(text) != "/dev/null",
        })
}

/// Words with which a line of a block begins.
const BLOCK_WORDS: &[&str] = &[
    "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
    "if", "select", "then", "until", "while", "]]",
];

/// Whether a text of several lines holds a quoted line end, a line that begins a block or goes on with one, or a
/// bracket that another line closes; whether a comment holds what rtk takes for a redirection; and whether there are
/// brackets, even those of `${…}`, beside a pipe.
fn is_script_of_blocks(text: &str) -> bool {
    let mut scan = Scan::default();
    for line in text.split_inclusive('\n') {
        scan.line(line);
    }
    scan.operators || (scan.pipes && scan.brackets) || (scan.separates && scan.blocks)
}

/// What is known of the lines so far.
#[derive(Default)]
struct Scan {
    quote: Option<u8>,
    /// The last line ended in a backslash: this one goes on with it.
    continues: bool,
    depth: i32,
    separates: bool,
    blocks: bool,
    /// A comment holds a sign for which rtk leaves the line alone.
    operators: bool,
    pipes: bool,
    brackets: bool,
}

impl Scan {
    fn line(&mut self, line: &str) {
        if self.quote.is_none() && !self.continues {
            let first = line
                .split_whitespace()
                .next()
                .unwrap_or("")
                .trim_end_matches(';');
            self.blocks |= BLOCK_WORDS.contains(&first) || first.starts_with("((");
        }
        self.continues = false;
        let mut bytes = line.as_bytes().iter();
        let mut before = b' ';
        while let Some(&byte) = bytes.next() {
            match (self.quote, byte) {
                (None, b'#') if before.is_ascii_whitespace() || b";&|()".contains(&before) => {
                    return self.comment(line, line.len() - bytes.as_slice().len());
                }
                (None, b'\'' | b'"') => self.quote = Some(byte),
                (None | Some(b'"'), b'\\') => {
                    let escaped = bytes.next();
                    self.continues = self.quote.is_none() && escaped == Some(&b'\n');
                }
                (None, b'(' | b'{') => self.bracket(1),
                (None, b')' | b'}') => self.bracket(-1),
                (None, b'|') if before != b'|' && bytes.as_slice().first() != Some(&b'|') => {
                    self.pipes = true
                }
                (None, b'\n') => return self.end(),
                (Some(_), b'\n') => self.blocks = true,
                (Some(quote), _) if quote == byte => self.quote = None,
                _ => {}
            }
            before = byte;
        }
        self.blocks |= self.depth != 0 && !self.continues;
    }

    fn bracket(&mut self, step: i32) {
        self.depth += step;
        self.brackets = true;
    }

    /// What stands after a `#`, which rtk reads like any other text.
    fn comment(&mut self, line: &str, start: usize) {
        let text = line.get(start..).unwrap_or("");
        self.operators |= text.contains(['<', '>', '|', '`']) || text.contains("$(");
        let is_odd = |quote| text.matches(quote).count() % 2 == 1;
        let before = line
            .get(..start)
            .unwrap_or("")
            .trim_end_matches('#')
            .trim_end();
        self.blocks |=
            self.depth != 0 || is_odd('\'') || is_odd('"') || before.ends_with(['&', '|']);
        if line.ends_with('\n') {
            self.end();
        }
    }

    /// A line end between commands.
    fn end(&mut self) {
        self.separates = true;
        self.blocks |= self.depth != 0;
        self.depth = 0;
    }
}
