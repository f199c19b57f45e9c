//! A simple command: its assignments, its words, its redirections, and then what it runs.

use super::machine::Machine;
use super::programs;
use super::value::{Text, Values};
use super::waits::Activity;
use crate::script::Script;
use crate::syntax::{Assignment, PartKind, SimpleCommand};

/// The most words that one command is followed with.
const MAX_ARGUMENTS: usize = 4_096;

/// Programs that ask a service whether it is there.
const SERVICES: [&str; 11] = [
    "curl",
    "wget",
    "nc",
    "ncat",
    "pg_isready",
    "redis-cli",
    "mysqladmin",
    "grpcurl",
    "docker",
    "podman",
    "kubectl",
];

impl Machine<'_> {
    pub(super) fn simple(&mut self, script: &Script<'_>, simple: &SimpleCommand) -> Values {
        if !self.work(simple.words.len() + simple.assignments.len()) {
            return Values::new();
        }
        let only_assigns = simple.words.is_empty();
        let mut for_command = Vec::new();
        for assignment in &simple.assignments {
            let (name, values) = self.assignment(script, assignment);
            if only_assigns {
                self.set_variable(&name, values, self.certain);
            } else {
                for_command.push((name, values));
            }
        }
        let mut words = Values::new();
        for word in &simple.words {
            words.extend(self.expand(script, word));
            if words.len() > MAX_ARGUMENTS {
                self.incomplete();
                break;
            }
        }
        let outer = (self.stdin.clone(), self.input_file.clone());
        self.output_file = None;
        let mark = self.mark();
        self.redirections(script, &simple.redirections);
        if !self.only_reads_since(mark) {
            self.waiting.note(Activity::Work);
        } else if self.mark() > mark {
            self.waiting.note(Activity::Read);
        }
        let target = self.output_file.take();
        let output = self.with_variables(for_command, |machine| machine.words(&words));
        if let Some(target) = target {
            self.remember_output(&target, &output);
        }
        self.last_word = words.pop();
        (self.stdin, self.input_file) = outer;
        output
    }

    /// Runs `inner` with variables that are only for it.
    pub(super) fn with_variables<T>(
        &mut self,
        variables: Vec<(String, Values)>,
        inner: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if variables.is_empty() {
            return inner(self);
        }
        let mut outer = Vec::new();
        for (name, values) in variables {
            outer.push((name.clone(), self.state.variable(&name).cloned()));
            self.set_variable(&name, values, true);
        }
        let output = inner(self);
        // What the command itself sets stays: `IFS= read line`.
        for (name, values) in outer {
            match values {
                Some(values) => self.state.assign(&name, values, true),
                None => self.state.unset(&name),
            }
        }
        output
    }

    /// The name and the values of `NAME=value`.
    fn assignment(&mut self, script: &Script<'_>, assignment: &Assignment) -> (String, Values) {
        let name = assignment.name.of(script.text());
        let mut values = self.expand_one(script, &assignment.value);
        if let Some(index) = &assignment.index {
            self.run_parts(script, index);
            if name == "BASH_ALIASES" {
                let alias = self.expand_quoted(script, index);
                self.define_aliases(&alias, &values);
            }
        }
        let old = self.state.variable(name).cloned();
        match (assignment.append, assignment.index.is_some(), old) {
            // More elements of an array.
            (true, false, Some(old)) if is_array(assignment) => values = [old, values].concat(),
            (true, false, Some(old)) => {
                values = old
                    .iter()
                    .flat_map(|old| values.iter().map(|value| old.joined(value)))
                    .collect();
            }
            // The other elements of an array stay.
            (_, true, Some(old)) => values = [old, values].concat(),
            _ => {}
        }
        if values.is_empty() {
            values.push(Text::default());
        }
        (name.to_owned(), values)
    }

    /// `BASH_ALIASES[name]=line`
    fn define_aliases(&mut self, names: &[Text], lines: &[Text]) {
        for name in names.iter().filter_map(Text::as_literal) {
            for line in lines {
                self.state.define_alias(name, line.clone());
            }
        }
    }

    /// Runs a program, a builtin or a function with its arguments.
    pub(super) fn words(&mut self, words: &[Text]) -> Values {
        let Some(first) = words.first() else {
            return Values::new();
        };
        if !self.work(words.len()) {
            return Values::new();
        }
        let Some(path) = first.as_literal() else {
            return self.unknown_program(words);
        };
        let name = programs::base_name(path).to_owned();
        let outer = std::mem::replace(&mut self.program, name.clone());
        let output = self.nested(|machine| machine.named_program(&name, words));
        self.program = outer;
        output
    }

    fn named_program(&mut self, name: &str, words: &[Text]) -> Values {
        let bypassed = std::mem::take(&mut self.bypass_functions);
        if let Some(function) = self.state.function(name).filter(|_| !bypassed) {
            return self.call(&function, Some(words[1..].to_vec()));
        }
        if self.state.is_alias(name) {
            self.perhaps(|machine| machine.aliased(name, &words[1..]));
        }
        let script = if words[0].prefix().contains('/') {
            self.remembered_file(&words[0])
        } else {
            self.script_on_path(name)
        };
        if let Some(text) = script {
            self.note_run(words);
            return self.script_text(&text, &words[1..]);
        }
        if name == "env" && words.len() == 1 {
            return self.printed_variables();
        }
        if let Some(output) = self.wrapped(name, words) {
            return output;
        }
        self.note_run(words);
        if let Some(output) = self.builtin(name, words) {
            return output;
        }
        let mark = self.mark();
        let (output, activity) = self.run_program(name, words);
        if SERVICES.contains(&name) {
            self.waiting.note_service();
            self.waiting.note(Activity::Work);
        }
        self.waiting.note(match activity {
            _ if !self.only_reads_since(mark) => Activity::Work,
            // A filter in a pipeline reads no file.
            Activity::Read if self.mark() == mark => Activity::Nothing,
            activity => activity,
        });
        output
    }

    /// Runs a script that the line wrote: of the shell, or of what its first line names.
    pub(super) fn script_text(&mut self, text: &str, arguments: &[Text]) -> Values {
        let first = text.lines().next().unwrap_or("");
        let interpreter = first.strip_prefix("#!").map(str::trim);
        let is_shell = interpreter.is_none_or(|program| program.contains("sh"));
        if let Some(program) = interpreter.filter(|_| !is_shell) {
            // A program that is no interpreter gets the script's own name and its arguments.
            let words = program.split_whitespace().map(Text::literal);
            let words: Values = words.chain(arguments.iter().cloned()).collect();
            self.perhaps(|machine| machine.apart(|machine| machine.words(&words)));
        }
        if !is_shell {
            let given = programs::Given::to(self, arguments);
            programs::interpreted(self, text, &given);
            return vec![Text::unknown()];
        }
        self.apart(|machine| {
            machine.state.set_positional(arguments.to_vec());
            machine.run_text(text)
        })
    }

    fn unknown_program(&mut self, words: &[Text]) -> Values {
        self.note_run(words);
        self.waiting.note(Activity::Work);
        words.iter().for_each(|word| self.named(word));
        vec![Text::unknown()]
    }
}

/// `NAME=(…)`
fn is_array(assignment: &Assignment) -> bool {
    let first = assignment.value.parts.first();
    first.is_some_and(|part| matches!(part.kind, PartKind::Array(_)))
}
