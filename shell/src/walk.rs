//! All simple commands of a script, wherever they stand.

use crate::script::Script;
use crate::syntax::{Command, CommandKind, List, Part, PartKind, Redirection, SimpleCommand, Word};

impl Script<'_> {
    /// All simple commands whose spans belong to the text of this script, in the order of the text but for
    /// those in here-documents, which come last. Those in backticks have a script of their own and are not
    /// among them.
    #[must_use]
    pub fn simple_commands(&self) -> Vec<&SimpleCommand> {
        let mut found = Vec::new();
        list(&self.body, &mut found);
        for document in &self.here_documents {
            parts(&document.parts, &mut found);
        }
        found
    }
}

type Found<'s> = Vec<&'s SimpleCommand>;

fn list<'s>(list: &'s List, found: &mut Found<'s>) {
    let pipelines = list.items.iter().flat_map(|item| &item.pipelines);
    for stage in pipelines.flat_map(|(_, pipeline)| &pipeline.stages) {
        command(stage, found);
    }
}

fn command<'s>(command: &'s Command, found: &mut Found<'s>) {
    match &command.kind {
        CommandKind::Simple(simple) => self::simple(simple, found),
        CommandKind::Subshell(body) | CommandKind::Group(body) => list(body, found),
        CommandKind::If {
            branches,
            otherwise,
        } => {
            for (condition, body) in branches {
                list(condition, found);
                list(body, found);
            }
            otherwise.iter().for_each(|body| list(body, found));
        }
        CommandKind::While {
            condition, body, ..
        } => {
            list(condition, found);
            list(body, found);
        }
        CommandKind::For {
            words: items, body, ..
        } => {
            words(items.iter().flatten(), found);
            list(body, found);
        }
        CommandKind::ForArithmetic { header, body } => {
            parts(header, found);
            list(body, found);
        }
        CommandKind::Case { subject, arms } => {
            words([subject], found);
            for (patterns, body) in arms {
                words(patterns, found);
                list(body, found);
            }
        }
        CommandKind::Function { body, .. } | CommandKind::Coproc(body) => {
            self::command(body, found)
        }
        CommandKind::Conditional(items) => words(items, found),
        CommandKind::Arithmetic(items) => parts(items, found),
        CommandKind::Unknown => {}
    }
    redirections(&command.redirections, found);
}

fn simple<'s>(simple: &'s SimpleCommand, found: &mut Found<'s>) {
    found.push(simple);
    for assignment in &simple.assignments {
        parts(assignment.index.iter().flatten(), found);
        words([&assignment.value], found);
    }
    words(&simple.words, found);
    redirections(&simple.redirections, found);
}

fn redirections<'s>(redirections: &'s [Redirection], found: &mut Found<'s>) {
    words(
        redirections.iter().map(|redirection| &redirection.target),
        found,
    );
}

fn words<'s>(words: impl IntoIterator<Item = &'s Word>, found: &mut Found<'s>) {
    words.into_iter().for_each(|word| parts(&word.parts, found));
}

fn parts<'s>(items: impl IntoIterator<Item = &'s Part>, found: &mut Found<'s>) {
    for part in items {
        match &part.kind {
            PartKind::DoubleQuoted(inner)
            | PartKind::Parameter { rest: inner, .. }
            | PartKind::Arithmetic(inner)
            | PartKind::ExtendedGlob(inner) => parts(inner, found),
            PartKind::Array(inner) => words(inner, found),
            PartKind::CommandSubstitution(body) | PartKind::ProcessSubstitution { body, .. } => {
                list(body, found)
            }
            _ => {}
        }
    }
}
