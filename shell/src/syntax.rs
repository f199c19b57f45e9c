//! The tree that [`crate::parse`] returns: lists, pipelines, commands, words and their parts.
//!
//! Every node names bytes of the original text, so that a change of the line is an insertion and nothing
//! is ever printed anew.

use crate::place::Place;
use crate::script::Script;
use crate::span::Span;

/// Commands one after another, with what stands between them.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The chains of `&&` and `||`, in the order of the text.
    pub items: Vec<AndOr>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug)]
pub struct AndOr {
    /// From the first byte of the first pipeline to the last byte of the last.
    pub span: Span,
    /// The pipelines, each with what joins it to the one before.
    pub pipelines: Vec<(Joint, Pipeline)>,
    /// Whether a single `&` follows.
    pub background: bool,
}

/// What joins a pipeline to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// It is the first of its chain.
    First,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` and `|&`.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// From the first word, `!` and `time` included, to the last byte.
    pub span: Span,
    /// Whether an odd number of `!` stands before it.
    pub negated: bool,
    /// Whether `time` stands before it.
    pub timed: bool,
    /// The commands; empty for a bare `!` or `time`.
    pub stages: Vec<Command>,
}

/// One command with the redirections that apply to it as a whole.
#[derive(Clone, Debug)]
pub struct Command {
    /// All of it, its redirections included.
    pub span: Span,
    /// What it is.
    pub kind: CommandKind,
    /// Redirections of a compound command (a simple command has its own).
    pub redirections: Vec<Redirection>,
    /// Whether `|&` follows, which pipes its standard error too.
    pub pipes_errors: bool,
}

/// The kinds of command that bash knows.
#[derive(Clone, Debug)]
pub enum CommandKind {
    /// Words, assignments and redirections.
    Simple(SimpleCommand),
    /// `( … )`
    Subshell(List),
    /// `{ …; }`
    Group(List),
    /// `if …; then …; elif …; then …; else …; fi`
    If {
        /// Each condition with what runs where it holds.
        branches: Vec<(List, List)>,
        /// What runs where none holds.
        otherwise: Option<List>,
    },
    /// `while …; do …; done` and `until …; do …; done`
    While {
        /// Whether the word is `until`.
        until: bool,
        /// What is asked before each round.
        condition: List,
        /// What is done in each round.
        body: List,
    },
    /// `for name in …; do …; done` and `select name in …; do …; done`
    For {
        /// Whether the word is `select`.
        select: bool,
        /// The name that is set in each round.
        name: Span,
        /// The words after `in`; `None` where the positional parameters are meant.
        words: Option<Vec<Word>>,
        /// What is done in each round.
        body: List,
    },
    /// `for (( …; …; … )); do …; done`
    ForArithmetic {
        /// What stands in the double parentheses.
        header: Vec<Part>,
        /// What is done in each round.
        body: List,
    },
    /// `case … in … esac`
    Case {
        /// What is compared.
        subject: Word,
        /// The patterns of each arm with what it runs.
        arms: Vec<(Vec<Word>, List)>,
    },
    /// `name() …` and `function name …`
    Function {
        /// Its name.
        name: Word,
        /// Its body, always a compound command.
        body: Box<Command>,
    },
    /// `coproc [NAME] …`
    Coproc(Box<Command>),
    /// `[[ … ]]`: the words in it, operators and parentheses left out
    Conditional(Vec<Word>),
    /// `(( … ))`
    Arithmetic(Vec<Part>),
    /// Nothing that could be read.
    Unknown,
}

/// Words with the assignments and redirections around them.
#[derive(Clone, Debug, Default)]
pub struct SimpleCommand {
    /// From its first byte to its last, assignments and redirections included.
    pub span: Span,
    /// The assignments before the first word.
    pub assignments: Vec<Assignment>,
    /// The words, the name of the command first. Empty where it only assigns or redirects.
    pub words: Vec<Word>,
    /// The redirections, in the order in which bash applies them.
    pub redirections: Vec<Redirection>,
    /// Where its input comes from, where its output goes and in what it stands.
    pub place: Place,
}

/// `NAME=value`, `NAME+=value`, `NAME[index]=value`
#[derive(Clone, Debug)]
pub struct Assignment {
    /// All of it.
    pub span: Span,
    /// The name.
    pub name: Span,
    /// What stands in the square brackets.
    pub index: Option<Vec<Part>>,
    /// Whether the sign is `+=`.
    pub append: bool,
    /// The value; its span is empty in `NAME=`.
    pub value: Word,
}

/// A redirection.
#[derive(Clone, Debug)]
pub struct Redirection {
    /// All of it: the descriptor, the operator and the target word.
    pub span: Span,
    /// The descriptor before the operator.
    pub descriptor: Descriptor,
    /// The operator.
    pub operator: RedirectionOperator,
    /// The word after the operator: a path, a descriptor, a delimiter or a text.
    pub target: Word,
    /// The here-document, an index for [`Script::here_document`].
    pub here_document: Option<usize>,
}

/// The descriptor that a redirection names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// None is written: 0 for input, 1 for output, 1 and 2 for `&>`.
    Default,
    /// A number.
    Number(u32),
    /// `{name}`: a new descriptor whose number goes into a variable.
    Variable(Span),
}

/// The redirection operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectionOperator {
    /// `<`
    Input,
    /// `>`
    Output,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`
    ReadWrite,
    /// `&>`
    OutputAndError,
    /// `&>>`
    AppendOutputAndError,
    /// `<&`
    DuplicateInput,
    /// `>&`
    DuplicateOutput,
    /// `<<`
    HereDocument,
    /// `<<-`
    HereDocumentTabs,
    /// `<<<`
    HereString,
}

/// The body of a here-document.
#[derive(Clone, Debug)]
pub struct HereDocument {
    /// The delimiter, quotes removed.
    pub delimiter: String,
    /// Whether the delimiter is quoted: then the body is taken as it stands.
    pub quoted: bool,
    /// The lines of the body, without the delimiter line.
    pub body: Span,
    /// The delimiter line, without its line end.
    pub end: Span,
    /// What is expanded in the body; empty where the delimiter is quoted.
    pub parts: Vec<Part>,
}

/// One word of the shell.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// All of it.
    pub span: Span,
    /// What it is made of, without gaps.
    pub parts: Vec<Part>,
}

/// A piece of a word.
#[derive(Clone, Debug)]
pub struct Part {
    /// All of it, quotes and signs included.
    pub span: Span,
    /// What it is.
    pub kind: PartKind,
}

/// The pieces that a word can be made of.
#[derive(Clone, Debug)]
pub enum PartKind {
    /// Bytes that stand for themselves. Unquoted `~`, `{`, `,` and `}` are among them.
    Literal,
    /// A backslash and the character that it protects.
    Escape,
    /// A backslash and a line end, which bash takes out.
    Continuation,
    /// `'…'`
    SingleQuoted,
    /// `$'…'`
    AnsiC,
    /// `"…"` and `$"…"`
    DoubleQuoted(Vec<Part>),
    /// `$name`, `$1`, `$?`; the span holds the name.
    Variable(Span),
    /// `${…}`
    Parameter {
        /// The name, without `!` and `#` before it.
        name: Span,
        /// What follows the name.
        rest: Vec<Part>,
    },
    /// `$(…)`
    CommandSubstitution(List),
    /// Backticks. Their text is read after one layer of escapes is taken off, so it has spans of its own.
    Backticks(Box<Script<'static>>),
    /// `<(…)` and `>(…)`
    ProcessSubstitution {
        /// Whether it is `<(…)`, which is read.
        input: bool,
        /// The commands.
        body: List,
    },
    /// `$((…))` and `$[…]`
    Arithmetic(Vec<Part>),
    /// `*`, `?` or the `[` that opens a bracket expression, unquoted
    Glob(u8),
    /// `@(…)`, `!(…)` and their like where bash reads them so
    ExtendedGlob(Vec<Part>),
    /// `(…)` after `NAME=`
    Array(Vec<Word>),
}
