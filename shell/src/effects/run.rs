//! Lists, pipelines and compound commands, followed the way a shell would go.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use super::braces::MAX_WORDS;
use super::machine::{Machine, OutputFile};
use super::state::Function;
use super::value::{Text, Values};
use crate::script::Script;
use crate::syntax::{
    AndOr, Command, CommandKind, List, Part, PartKind, Pipeline, Redirection, RedirectionOperator,
    Word,
};

impl Machine<'_> {
    /// Runs a whole script; then the functions that it defines and does not call, as something else may.
    pub(super) fn run_script(&mut self, script: &Script<'_>) -> Values {
        if script.problem().is_some() {
            self.incomplete();
        }
        let output = self.list_of(script, script.body());
        for function in self.state.uncalled() {
            self.apart(|machine| machine.perhaps(|machine| machine.call(&function, None)));
        }
        output
    }

    /// Runs the text of a line inside the line: `eval`, `bash -c`, a script in a here-document.
    pub(super) fn run_text(&mut self, text: &str) -> Values {
        self.nested(|machine| {
            let script = crate::parse(text);
            machine.work(script.steps() / 8);
            if script.dialect() == crate::Dialect::Posix {
                let output = machine.run_script(&script);
                if script.problem().is_some() {
                    machine.name_words(text);
                }
                output
            } else {
                machine.run_windows(text);
                vec![Text::unknown()]
            }
        })
    }

    /// Runs a line that something else may run, in a shell of its own.
    pub(super) fn may_run(&mut self, text: &str) -> Values {
        self.perhaps(|machine| machine.apart(|machine| machine.run_text(text)))
    }

    /// What a substitution gives: the output of its commands, run in a subshell.
    pub(super) fn substitution(&mut self, script: &Script<'_>, list: &List) -> Values {
        if let Some(target) = read_of_file(list) {
            let paths = self.expand_one(script, target);
            let program = std::mem::replace(&mut self.program, "<".to_owned());
            paths.iter().for_each(|path| self.read(path));
            self.program = program;
            let lines: Values = paths.iter().flat_map(|path| self.lines_in(path)).collect();
            return if lines.is_empty() {
                vec![Text::unknown()]
            } else {
                lines
            };
        }
        let wrappers = std::mem::take(&mut self.wrappers);
        let program = self.program.clone();
        let output = self.apart(|machine| machine.list_of(script, list));
        self.wrappers = wrappers;
        self.program = program;
        output.iter().flat_map(without_line_end).collect()
    }

    pub(super) fn list_of(&mut self, script: &Script<'_>, list: &List) -> Values {
        let mut output = Values::new();
        for item in &list.items {
            output.extend(self.and_or(script, item));
        }
        if output.len() > MAX_WORDS {
            vec![Text::unknown()]
        } else {
            output
        }
    }

    fn and_or(&mut self, script: &Script<'_>, item: &AndOr) -> Values {
        if item.background {
            let was = self.waiting.enter_background();
            let output = self.apart(|machine| machine.chain(script, item));
            self.waiting.leave_background(was);
            return output;
        }
        self.chain(script, item)
    }

    fn chain(&mut self, script: &Script<'_>, item: &AndOr) -> Values {
        let mut output = Values::new();
        let mut after_first = None;
        for (index, (joint, pipeline)) in item.pipelines.iter().enumerate() {
            let values = if *joint == crate::Joint::Or {
                self.perhaps(|machine| machine.pipeline(script, pipeline))
            } else {
                self.pipeline(script, pipeline)
            };
            output.extend(values);
            if index == 0 && item.pipelines.len() > 1 {
                after_first = Some(self.state.clone());
                self.work(self.state.size());
            }
        }
        if let Some(after_first) = after_first {
            self.state.merge(&after_first);
        }
        output
    }

    fn pipeline(&mut self, script: &Script<'_>, pipeline: &Pipeline) -> Values {
        if let [only] = &pipeline.stages[..] {
            return self.command(script, only);
        }
        let outer = self.stdin.clone();
        let mut output = Values::new();
        for (index, stage) in pipeline.stages.iter().enumerate() {
            output = if self.state.lastpipe && index + 1 == pipeline.stages.len() {
                self.command(script, stage)
            } else {
                self.apart(|machine| machine.command(script, stage))
            };
            self.stdin = Some(output.clone());
            self.input_file = None;
        }
        self.stdin = outer;
        output
    }

    fn command(&mut self, script: &Script<'_>, command: &Command) -> Values {
        if !self.work(1) {
            return Values::new();
        }
        if let CommandKind::Simple(simple) = &command.kind {
            return self.simple(script, simple);
        }
        let outer = (self.stdin.clone(), self.input_file.clone());
        self.output_file = None;
        self.redirections(script, &command.redirections);
        let target = self.output_file.take();
        let output = self.nested(|machine| machine.compound(script, command));
        if let Some(target) = target {
            self.remember_output(&target, &output);
        }
        (self.stdin, self.input_file) = outer;
        output
    }

    fn compound(&mut self, script: &Script<'_>, command: &Command) -> Values {
        match &command.kind {
            CommandKind::Subshell(list) => self.apart(|machine| machine.list_of(script, list)),
            CommandKind::Group(list) => self.list_of(script, list),
            CommandKind::If {
                branches,
                otherwise,
            } => self.if_clause(script, branches, otherwise.as_ref()),
            CommandKind::While {
                condition, body, ..
            } => self.while_loop(script, condition, body),
            CommandKind::For {
                name, words, body, ..
            } => self.for_loop(script, name.of(script.text()), words.as_deref(), body),
            CommandKind::ForArithmetic { header, body } => {
                self.run_parts(script, header);
                self.counted_loop(script, body)
            }
            CommandKind::Case { subject, arms } => {
                self.expand_one(script, subject);
                let mut output = Values::new();
                for (patterns, body) in arms {
                    for pattern in patterns {
                        self.run_parts(script, &pattern.parts);
                    }
                    output.extend(self.branch(script, body));
                }
                output
            }
            CommandKind::Function { name, body } => {
                self.define(script, name, body);
                Values::new()
            }
            CommandKind::Coproc(body) => self.apart(|machine| machine.command(script, body)),
            CommandKind::Conditional(words) => {
                self.waiting.probe();
                let mut matched = vec![Text::unknown()];
                for word in words {
                    matched.extend(self.expand_one(script, word));
                }
                self.state.assign("BASH_REMATCH", matched, self.certain);
                Values::new()
            }
            CommandKind::Arithmetic(parts) => {
                self.run_parts(script, parts);
                Values::new()
            }
            CommandKind::Simple(_) | CommandKind::Unknown => Values::new(),
        }
    }

    /// A list that may or may not run.
    pub(super) fn branch(&mut self, script: &Script<'_>, body: &List) -> Values {
        let before = self.state.clone();
        self.work(before.size());
        let output = self.list_of(script, body);
        self.state.merge(&before);
        output
    }

    fn if_clause(
        &mut self,
        script: &Script<'_>,
        branches: &[(List, List)],
        otherwise: Option<&List>,
    ) -> Values {
        let mut output = Values::new();
        for (condition, body) in branches {
            self.list_of(script, condition);
            output.extend(self.branch(script, body));
        }
        if let Some(body) = otherwise {
            output.extend(self.branch(script, body));
        }
        output
    }

    fn define(&mut self, script: &Script<'_>, name: &Word, body: &Command) {
        let copy = Script {
            text: Cow::Owned(script.text().to_owned()),
            body: List::default(),
            here_documents: script.here_documents.clone(),
            problem: None,
            dialect: script.dialect(),
            steps: 0,
        };
        self.work(script.text().len() / 8);
        let function = Function {
            body: body.clone(),
            script: copy,
            called: Cell::new(false),
        };
        let name = name
            .static_text(script.text())
            .unwrap_or(Cow::Borrowed(""))
            .into_owned();
        self.state.define(&name, Rc::new(function));
    }

    /// Runs the body of a function; `arguments` are its `$1`, `$2`, …
    pub(super) fn call(&mut self, function: &Function, arguments: Option<Values>) -> Values {
        function.called.set(true);
        let outer = std::mem::replace(&mut self.state.positional, arguments);
        let shifted = std::mem::take(&mut self.state.shifted);
        let output = self.nested(|machine| machine.command(&function.script, &function.body));
        self.state.positional = outer;
        self.state.shifted = shifted;
        output
    }

    /// Notes what redirections read and write, and what standard input becomes.
    pub(super) fn redirections(&mut self, script: &Script<'_>, redirections: &[Redirection]) {
        use RedirectionOperator as Op;
        for redirection in redirections {
            let sign = if matches!(redirection.operator, Op::Input | Op::ReadWrite) {
                "<"
            } else {
                ">"
            };
            let program = std::mem::replace(&mut self.program, sign.to_owned());
            match redirection.operator {
                Op::Input | Op::ReadWrite => self.input(script, redirection),
                Op::Output
                | Op::Append
                | Op::Clobber
                | Op::OutputAndError
                | Op::AppendOutputAndError => {
                    for path in self.expand_one(script, &redirection.target) {
                        self.write(&path);
                        let appends =
                            matches!(redirection.operator, Op::Append | Op::AppendOutputAndError);
                        self.output_file = Some(OutputFile { path, appends });
                    }
                }
                Op::DuplicateOutput => {
                    let paths = self.expand_one(script, &redirection.target);
                    for path in paths.iter().filter(|path| !is_descriptor(path)) {
                        self.write(path);
                    }
                }
                Op::DuplicateInput => self.run_parts(script, &redirection.target.parts),
                Op::HereString => self.stdin = Some(self.expand_one(script, &redirection.target)),
                Op::HereDocument | Op::HereDocumentTabs => {
                    let index = redirection.here_document.unwrap_or(usize::MAX);
                    self.stdin = Some(self.here_document(script, index));
                }
            }
            self.program = program;
        }
    }

    fn input(&mut self, script: &Script<'_>, redirection: &Redirection) {
        if let [
            Part {
                kind: PartKind::ProcessSubstitution { input: true, body },
                ..
            },
        ] = &redirection.target.parts[..]
        {
            self.stdin = Some(self.substitution(script, body));
            return;
        }
        for path in self.expand_one(script, &redirection.target) {
            self.input_file = Some(path.clone());
            self.read(&path);
            if redirection.operator == RedirectionOperator::ReadWrite {
                self.write(&path);
            }
        }
        let made = self
            .input_file
            .clone()
            .map_or_else(Values::new, |file| self.lines_in(&file));
        self.stdin = Some(if made.is_empty() {
            vec![Text::unknown()]
        } else {
            made
        });
    }

    fn here_document(&mut self, script: &Script<'_>, index: usize) -> Values {
        let Some(document) = script.here_document(index) else {
            return vec![Text::unknown()];
        };
        if document.parts.is_empty() {
            return vec![Text::literal(document.body.of(script.text()))];
        }
        self.expand_quoted(script, &document.parts)
    }
}

/// The file of `$(<file)`.
fn read_of_file(list: &List) -> Option<&Word> {
    let [item] = &list.items[..] else { return None };
    let [(_, pipeline)] = &item.pipelines[..] else {
        return None;
    };
    let [
        Command {
            kind: CommandKind::Simple(simple),
            ..
        },
    ] = &pipeline.stages[..]
    else {
        return None;
    };
    let [
        Redirection {
            operator: RedirectionOperator::Input,
            target,
            ..
        },
    ] = &simple.redirections[..]
    else {
        return None;
    };
    (simple.words.is_empty() && simple.assignments.is_empty()).then_some(target)
}

fn is_descriptor(text: &Text) -> bool {
    text.as_literal().is_some_and(|text| {
        text.trim_end_matches('-')
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    })
}

/// A substitution drops the line ends at the end of the output.
fn without_line_end(output: &Text) -> Values {
    match output.as_literal() {
        Some(text) => vec![Text::literal(text.trim_end_matches('\n'))],
        None => vec![output.clone()],
    }
}
