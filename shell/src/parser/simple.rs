//! Simple commands: assignments, words and redirections; and `name() …`.

use super::Parser;
use super::reserved::RESERVED;
use super::words::Mode;
use crate::script::Problem;
use crate::span::Span;
use crate::syntax::{
    Assignment, Command, CommandKind, Descriptor, HereDocument, Part, PartKind, Redirection,
    RedirectionOperator, SimpleCommand, Word,
};

/// The builtins whose arguments may be `NAME=(…)`.
const DECLARING: [&str; 8] = [
    "alias", "declare", "typeset", "local", "export", "readonly", "eval", "let",
];

impl Parser<'_> {
    /// Reads a simple command or the definition of a function. `first` is its first word if that was read already.
    pub(super) fn simple_or_function(&mut self, first: Option<Word>) -> Command {
        let start = first
            .as_ref()
            .map_or(self.cursor.pos, |word| word.span.start);
        let mut simple = SimpleCommand::default();
        let mut end = first.as_ref().map_or(start, |word| word.span.end);
        if let Some(word) = first {
            self.reject_disguised_word(&word);
            simple.words.push(word);
        }
        loop {
            self.blanks();
            let Some(byte) = self.cursor.peek() else {
                break;
            };
            if byte == b'('
                && simple.words.len() == 1
                && simple.assignments.is_empty()
                && simple.redirections.is_empty()
            {
                let name = simple.words.remove(0);
                return self.function_after_name(start, name);
            }
            if let Some(redirection) = self.redirection() {
                end = redirection.span.end;
                simple.redirections.push(redirection);
            } else if matches!(byte, b'\n' | b';' | b'&' | b'|' | b')') {
                break;
            } else if byte == b'(' {
                self.cursor.fail(Problem::Unexpected);
            } else {
                self.assignment_or_word(&mut simple);
                end = self.cursor.pos;
            }
        }
        if end == start {
            self.unexpected();
        }
        simple.span = Span::new(start, end);
        Command {
            span: simple.span,
            kind: CommandKind::Simple(simple),
            redirections: Vec::new(),
            pipes_errors: false,
        }
    }

    fn assignment_or_word(&mut self, simple: &mut SimpleCommand) {
        if simple.words.is_empty()
            && let Some(assignment) = self.assignment()
        {
            simple.assignments.push(assignment);
            return;
        }
        let mode = if self.takes_arrays(simple) {
            Mode::Declaring
        } else {
            Mode::Plain
        };
        let word = self.word(mode);
        if simple.words.is_empty() {
            self.reject_disguised_word(&word);
        }
        self.reject_disguised_descriptor(&word);
        simple.words.push(word);
    }

    fn takes_arrays(&self, simple: &SimpleCommand) -> bool {
        simple
            .words
            .first()
            .is_some_and(|word| DECLARING.contains(&word.span.of(self.cursor.text)))
    }

    /// A reserved word that a continued line cuts in two is still one for bash; such a line is not understood.
    fn reject_disguised_word(&mut self, word: &Word) {
        if !word
            .parts
            .iter()
            .any(|part| matches!(part.kind, PartKind::Continuation))
        {
            return;
        }
        let joined = word.span.of(self.cursor.text).replace("\\\n", "");
        if RESERVED.contains(&joined.as_str()) || joined.contains('=') || joined.contains('[') {
            self.cursor.fail(Problem::Unexpected);
        }
    }

    /// `2\` and `>` on the next line is `2>` for bash; such a line is not understood.
    fn reject_disguised_descriptor(&mut self, word: &Word) {
        let continued = word
            .parts
            .iter()
            .any(|part| matches!(part.kind, PartKind::Continuation));
        if continued && matches!(self.cursor.peek(), Some(b'<' | b'>')) {
            self.cursor.fail(Problem::Unexpected);
        }
    }

    /// Reads `NAME=…`, `NAME+=…` or `NAME[…]=…` if that is next.
    fn assignment(&mut self) -> Option<Assignment> {
        let start = self.cursor.pos;
        let length = name_length(self.cursor.rest());
        if length == 0 {
            return None;
        }
        let name = Span::new(start, start + length);
        match (self.cursor.peek_at(length), self.cursor.peek_at(length + 1)) {
            (Some(b'='), _) => {
                self.cursor.bump(length + 1);
                Some(self.assigned(name, None, false))
            }
            (Some(b'+'), Some(b'=')) => {
                self.cursor.bump(length + 2);
                Some(self.assigned(name, None, true))
            }
            (Some(b'['), _) => self.indexed_assignment(name),
            _ => None,
        }
    }

    /// Reads `NAME[…]=`. Without the sign it is a plain word: bash reads the bracket the same way, up to its
    /// partner and over blanks, so such a line is understood only if the bracket holds none.
    fn indexed_assignment(&mut self, name: Span) -> Option<Assignment> {
        let close = self.plain_index_end(name.end)?;
        let after = self.cursor.text.as_bytes().get(close + 1..).unwrap_or(b"");
        let (append, sign) = if after.starts_with(b"+=") {
            (true, 2)
        } else {
            (false, 1)
        };
        if sign == 1 && !after.starts_with(b"=") {
            return None;
        }
        self.cursor.bump(name.len() + 1);
        let index = self.group(b'[', b']', super::braces::Group::Index);
        self.cursor.bump(sign);
        Some(self.assigned(name, Some(index), append))
    }

    /// The position of the `]` for the `[` at `open`, quotes and substitutions skipped over.
    fn plain_index_end(&mut self, open: usize) -> Option<usize> {
        match self.matching(open, b'[', b']') {
            Some(close) => {
                let text = &self.cursor.text.as_bytes()[open..close];
                let assigns = matches!(
                    self.cursor.text.as_bytes().get(close + 1),
                    Some(b'=' | b'+')
                );
                if !assigns && text.iter().any(|&byte| super::reserved::ends_word(byte)) {
                    self.cursor.fail(Problem::Unexpected);
                    return None;
                }
                Some(close)
            }
            None => {
                self.cursor.fail(Problem::Unclosed);
                None
            }
        }
    }

    fn assigned(&mut self, name: Span, index: Option<Vec<Part>>, append: bool) -> Assignment {
        let value = self.word(Mode::Assigned);
        Assignment {
            span: Span::new(name.start, self.cursor.pos),
            name,
            index,
            append,
            value,
        }
    }

    /// Reads a redirection if one is next.
    pub(super) fn redirection(&mut self) -> Option<Redirection> {
        let start = self.cursor.pos;
        let (descriptor, length) = descriptor(self.cursor.text.as_bytes(), start);
        let (operator, sign) = self.redirection_operator(length)?;
        self.cursor.bump(length);
        self.operator(sign);
        self.blanks();
        let mut here_document = None;
        let target = match operator {
            RedirectionOperator::HereDocument | RedirectionOperator::HereDocumentTabs => {
                let target = self.word(Mode::Delimiter);
                here_document = Some(self.announce_here_document(
                    &target,
                    operator == RedirectionOperator::HereDocumentTabs,
                ));
                target
            }
            _ => self.word(Mode::Plain),
        };
        // In `<2>x` bash takes the `2` for the descriptor of the second operator.
        let is_descriptor = self.is_descriptor(target.span.start, self.cursor.pos);
        if target.span.is_empty() || is_descriptor || self.confuses_bash(operator, target.span) {
            self.unexpected();
        }
        let span = Span::new(start, self.cursor.pos);
        Some(Redirection {
            span,
            descriptor,
            operator,
            target,
            here_document,
        })
    }

    /// bash 5.2 takes the target of `2>x &>>y=1` for an assignment and rejects the line.
    fn confuses_bash(&self, operator: RedirectionOperator, target: Span) -> bool {
        let both = matches!(
            operator,
            RedirectionOperator::OutputAndError | RedirectionOperator::AppendOutputAndError
        );
        let text = target.of(self.cursor.text).as_bytes();
        let length = name_length(text);
        both && length > 0 && matches!(text.get(length), Some(b'=' | b'+' | b'['))
    }

    /// Whether the text from `start` to `end` would be the descriptor of an operator that follows at once.
    fn is_descriptor(&self, start: usize, end: usize) -> bool {
        let follows = matches!(self.cursor.text.as_bytes().get(end), Some(b'<' | b'>'));
        follows && descriptor(self.cursor.text.as_bytes(), start).1 == end - start
    }

    /// The operator `ahead` of the position and its length.
    fn redirection_operator(&self, ahead: usize) -> Option<(RedirectionOperator, usize)> {
        use RedirectionOperator as Op;
        if self.cursor.problem.is_some() {
            return None;
        }
        let rest = self.cursor.rest().get(ahead..)?;
        const OPERATORS: [(&[u8], RedirectionOperator); 12] = [
            (b"<<<", Op::HereString),
            (b"<<-", Op::HereDocumentTabs),
            (b"<<", Op::HereDocument),
            (b"<&", Op::DuplicateInput),
            (b"<>", Op::ReadWrite),
            (b"<", Op::Input),
            (b">>", Op::Append),
            (b">&", Op::DuplicateOutput),
            (b">|", Op::Clobber),
            (b">", Op::Output),
            (b"&>>", Op::AppendOutputAndError),
            (b"&>", Op::OutputAndError),
        ];
        let (sign, operator) = OPERATORS.iter().find(|(sign, _)| rest.starts_with(sign))?;
        let plain = sign.len() == 1;
        let substitutes = plain && rest.get(1) == Some(&b'(');
        let joined = sign[0] == b'&' && ahead > 0;
        (!substitutes && !joined).then_some((*operator, sign.len()))
    }

    fn announce_here_document(&mut self, word: &Word, strip_tabs: bool) -> usize {
        let (delimiter, quoted) = crate::literal::delimiter(word, self.cursor.text);
        let index = self.here_documents.len();
        self.here_documents.push(HereDocument {
            delimiter,
            quoted,
            body: Span::default(),
            end: Span::default(),
            parts: Vec::new(),
        });
        self.pending.push(super::Pending { index, strip_tabs });
        index
    }
}

/// The `2` of `2>` or the `{name}` of `{name}>` at `start`, and its length.
fn descriptor(text: &[u8], start: usize) -> (Descriptor, usize) {
    let rest = text.get(start..).unwrap_or(b"");
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 {
        let number = std::str::from_utf8(&rest[..digits])
            .ok()
            .and_then(|digits| digits.parse().ok());
        return number.map_or((Descriptor::Default, 0), |number| {
            (Descriptor::Number(number), digits)
        });
    }
    if rest.first() == Some(&b'{') {
        let length = name_length(&rest[1..]);
        if length > 0 && rest.get(length + 1) == Some(&b'}') {
            let name = Span::new(start + 1, start + 1 + length);
            return (Descriptor::Variable(name), length + 2);
        }
    }
    (Descriptor::Default, 0)
}

/// The length of the shell name that `bytes` begin with.
pub(super) fn name_length(bytes: &[u8]) -> usize {
    match bytes.first() {
        Some(first) if first.is_ascii_alphabetic() || *first == b'_' => bytes
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count(),
        _ => 0,
    }
}
