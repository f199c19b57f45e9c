//! Where a simple command stands: what feeds it, where its output goes, in which constructs it is.

use crate::script::Script;
use crate::streams::{Streams, apply};
use crate::syntax::{
    AndOr, Command, CommandKind, HereDocument, List, Part, PartKind, Redirection, SimpleCommand,
    Word,
};

/// Where the standard output of a command ends up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// With the reader of the whole line.
    #[default]
    Reader,
    /// On the standard error of the whole line.
    Errors,
    /// In the command after a `|`.
    Pipe,
    /// In a file.
    File,
    /// In a substitution.
    Captured,
    /// Nowhere: the descriptor is closed.
    Closed,
    /// In a descriptor that the line does not tell.
    Other,
}

/// Where the standard input of a command comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// From wherever the whole line has it.
    #[default]
    Inherited,
    /// From the command before a `|`, or the writer of a process substitution.
    Pipe,
    /// From a file.
    File,
    /// From a here-document or a here-string.
    Text,
    /// From a descriptor that the line does not tell, or from none.
    Other,
}

/// A construct around a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// `( … )`
    Subshell,
    /// `{ …; }`
    Group,
    /// `if`, a condition or a branch
    If,
    /// `while`
    While,
    /// `until`
    Until,
    /// `for`
    For,
    /// `select`
    Select,
    /// `case`
    Case,
    /// The body of a function: it runs when the function is called, if at all.
    Function,
    /// `coproc`
    Coproc,
    /// `!` before the pipeline
    Negated,
    /// `time` before the pipeline
    Timed,
    /// `$( … )`
    CommandSubstitution,
    /// Backticks
    Backticks,
    /// `<( … )` and `>( … )`
    ProcessSubstitution,
}

/// Where a simple command stands.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// Where its standard output ends up, after its own redirections and those around it.
    pub output: Output,
    /// Where its standard input comes from.
    pub input: Input,
    /// Whether it, or something around it, runs in the background.
    pub background: bool,
    /// Its position in its pipeline, from 0.
    pub stage: usize,
    /// The number of commands in its pipeline.
    pub stages: usize,
    /// The constructs around it, the outermost first.
    pub constructs: Vec<Construct>,
}

#[derive(Default)]
struct Around {
    constructs: Vec<Construct>,
    background: bool,
}

struct Assigner<'t> {
    text: &'t str,
    around: Around,
}

/// Fills in the places of all simple commands.
pub(crate) fn assign(script: &mut Script<'_>, captured: bool) {
    let Script {
        text,
        body,
        here_documents,
        ..
    } = script;
    let mut assigner = Assigner {
        text,
        around: Around::default(),
    };
    let mut streams = Streams {
        errors: Output::Errors,
        ..Streams::default()
    };
    if captured {
        streams.output = Output::Captured;
        assigner.around.constructs.push(Construct::Backticks);
    }
    assigner.list(body, &mut streams);
    for HereDocument { parts, .. } in here_documents {
        assigner.parts(parts, streams);
    }
}

impl Assigner<'_> {
    /// Goes through a list; `exec` changes the streams of what follows.
    fn list(&mut self, list: &mut List, streams: &mut Streams) {
        for item in &mut list.items {
            self.and_or(item, streams);
        }
    }

    fn and_or(&mut self, item: &mut AndOr, streams: &mut Streams) {
        let outer = self.around.background;
        self.around.background |= item.background;
        let mut inside = *streams;
        for (_, pipeline) in &mut item.pipelines {
            let depth = self.around.constructs.len();
            if pipeline.negated {
                self.around.constructs.push(Construct::Negated);
            }
            if pipeline.timed {
                self.around.constructs.push(Construct::Timed);
            }
            self.stages(&mut pipeline.stages, &mut inside);
            self.around.constructs.truncate(depth);
        }
        if !item.background {
            *streams = inside;
        }
        self.around.background = outer;
    }

    fn stages(&mut self, stages: &mut [Command], streams: &mut Streams) {
        let count = stages.len();
        if let [only] = stages {
            self.command(only, streams, (0, 1));
            return;
        }
        for (index, command) in stages.iter_mut().enumerate() {
            let mut inside = *streams;
            if index > 0 {
                inside.input = Input::Pipe;
            }
            if index + 1 < count {
                inside.output = Output::Pipe;
                if command.pipes_errors {
                    inside.errors = Output::Pipe;
                }
            }
            self.command(command, &mut inside, (index, count));
        }
    }

    fn command(&mut self, command: &mut Command, streams: &mut Streams, position: (usize, usize)) {
        let mut inside = *streams;
        self.redirections(&mut command.redirections, &mut inside);
        let has_own = !command.redirections.is_empty();
        match &mut command.kind {
            CommandKind::Simple(simple) => return self.simple(simple, streams, position),
            CommandKind::Subshell(list) => {
                let mut apart = inside;
                self.inside(Construct::Subshell, list, &mut apart);
            }
            CommandKind::Group(list) => self.inside(Construct::Group, list, &mut inside),
            CommandKind::If {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    self.inside(Construct::If, condition, &mut inside);
                    self.inside(Construct::If, body, &mut inside);
                }
                if let Some(body) = otherwise {
                    self.inside(Construct::If, body, &mut inside);
                }
            }
            CommandKind::While {
                until,
                condition,
                body,
            } => {
                let construct = if *until {
                    Construct::Until
                } else {
                    Construct::While
                };
                self.inside(construct, condition, &mut inside);
                self.inside(construct, body, &mut inside);
            }
            CommandKind::For {
                select,
                words,
                body,
                ..
            } => {
                self.words(words.iter_mut().flatten(), inside);
                let construct = if *select {
                    Construct::Select
                } else {
                    Construct::For
                };
                self.inside(construct, body, &mut inside);
            }
            CommandKind::ForArithmetic { header, body } => {
                self.parts(header, inside);
                self.inside(Construct::For, body, &mut inside);
            }
            CommandKind::Case { subject, arms } => {
                self.words([subject], inside);
                for (patterns, body) in arms {
                    self.words(patterns, inside);
                    self.inside(Construct::Case, body, &mut inside);
                }
            }
            CommandKind::Function { body, .. } => {
                let mut apart = inside;
                self.around.constructs.push(Construct::Function);
                self.command(body, &mut apart, (0, 1));
                self.around.constructs.pop();
            }
            CommandKind::Coproc(body) => {
                let mut apart = Streams {
                    input: Input::Pipe,
                    output: Output::Pipe,
                    ..inside
                };
                let background = std::mem::replace(&mut self.around.background, true);
                self.around.constructs.push(Construct::Coproc);
                self.command(body, &mut apart, (0, 1));
                self.around.constructs.pop();
                self.around.background = background;
            }
            CommandKind::Conditional(words) => self.words(words, inside),
            CommandKind::Arithmetic(parts) => self.parts(parts, inside),
            CommandKind::Unknown => {}
        }
        // With redirections of its own, the shell puts the old streams back after the command.
        if !has_own {
            *streams = inside;
        }
    }

    fn inside(&mut self, construct: Construct, list: &mut List, streams: &mut Streams) {
        self.around.constructs.push(construct);
        self.list(list, streams);
        self.around.constructs.pop();
    }

    fn simple(
        &mut self,
        simple: &mut SimpleCommand,
        streams: &mut Streams,
        position: (usize, usize),
    ) {
        for assignment in &mut simple.assignments {
            self.parts(assignment.index.iter_mut().flatten(), *streams);
            self.words([&mut assignment.value], *streams);
        }
        let mut inside = *streams;
        self.words(&mut simple.words, inside);
        self.redirections(&mut simple.redirections, &mut inside);
        simple.place = Place {
            output: inside.output,
            input: inside.input,
            background: self.around.background,
            stage: position.0,
            stages: position.1,
            constructs: self.around.constructs.clone(),
        };
        if matches!(&simple.words[..], [word] if word.static_text(self.text).as_deref() == Some("exec"))
        {
            *streams = inside;
        }
    }

    fn redirections(&mut self, redirections: &mut [Redirection], streams: &mut Streams) {
        for redirection in redirections {
            self.words([&mut redirection.target], *streams);
            apply(redirection, self.text, streams);
        }
    }

    fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w mut Word>, streams: Streams) {
        for word in words {
            self.parts(&mut word.parts, streams);
        }
    }

    fn parts<'w>(&mut self, parts: impl IntoIterator<Item = &'w mut Part>, streams: Streams) {
        let mut captured = Streams {
            output: Output::Captured,
            ..streams
        };
        for part in parts {
            match &mut part.kind {
                PartKind::DoubleQuoted(parts)
                | PartKind::Parameter { rest: parts, .. }
                | PartKind::Arithmetic(parts)
                | PartKind::ExtendedGlob(parts) => self.parts(parts, streams),
                PartKind::Array(words) => self.words(words, streams),
                PartKind::CommandSubstitution(list) => {
                    self.inside(Construct::CommandSubstitution, list, &mut captured);
                    captured = Streams {
                        output: Output::Captured,
                        ..streams
                    };
                }
                PartKind::ProcessSubstitution { input, body } => {
                    let mut apart = if *input {
                        captured
                    } else {
                        Streams {
                            input: Input::Pipe,
                            ..streams
                        }
                    };
                    self.inside(Construct::ProcessSubstitution, body, &mut apart);
                }
                _ => {}
            }
        }
    }
}
