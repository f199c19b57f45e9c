//! Loops: their rounds, as far as the line tells them.

use super::builtins::lines;
use super::machine::Machine;
use super::state::State;
use super::value::{Text, Values};
use crate::script::Script;
use crate::syntax::{List, Word};

/// The most rounds of a loop that are followed one by one.
const MAX_ROUNDS: usize = 16;

impl Machine<'_> {
    /// `while` and `until`
    pub(super) fn while_loop(
        &mut self,
        script: &Script<'_>,
        condition: &List,
        body: &List,
    ) -> Values {
        let start = self.state.clone();
        let before = self.waiting.enter_loop(None);
        let mark = self.mark();
        let worked = self.waiting.begin_condition();
        self.list_of(script, condition);
        let changes = self.changes_since(mark);
        let works = self.waiting.end_condition(worked, changes);
        let mut output = self.branch(script, body);
        self.waiting.judge_condition(works, before);
        self.waiting.leave_loop(before);
        if self.state.differs(&start) {
            output.extend(self.again(|machine| {
                machine.list_of(script, condition);
                let mut output = machine.branch(script, body);
                output.extend(machine.rounds_of_input(script, condition, body, &start));
                output
            }));
        }
        output
    }

    /// The rounds of `while read`: one for each line that the loop's input has.
    fn rounds_of_input(
        &mut self,
        script: &Script<'_>,
        condition: &List,
        body: &List,
        start: &State,
    ) -> Values {
        let lines = lines(self.stdin.as_deref().unwrap_or_default());
        let known = lines.iter().all(|line| line.as_literal().is_some());
        if !known || !(2..=MAX_ROUNDS).contains(&lines.len()) {
            return Values::new();
        }
        let after = std::mem::replace(&mut self.state, start.clone());
        let input = self.stdin.take();
        let mut output = Values::new();
        for line in lines {
            self.stdin = Some(vec![line]);
            self.list_of(script, condition);
            output.extend(self.list_of(script, body));
        }
        self.stdin = input;
        self.state.merge(&after);
        output
    }

    /// `for name in words`
    pub(super) fn for_loop(
        &mut self,
        script: &Script<'_>,
        name: &str,
        words: Option<&[Word]>,
        body: &List,
    ) -> Values {
        let values: Values = match words {
            Some(words) => words
                .iter()
                .flat_map(|word| self.expand(script, word))
                .collect(),
            None => self.value_of("@"),
        };
        let known = values.iter().all(|value| value.as_literal().is_some());
        let any = if values.is_empty() {
            vec![Text::unknown()]
        } else {
            values.clone()
        };
        self.state.assign(name, any, true);
        let start = self.state.clone();
        let before = self.waiting.enter_loop(known.then_some(values.len()));
        let mut output = self.branch(script, body);
        self.waiting.leave_loop(before);
        if self.state.differs(&start) {
            let after = self.state.clone();
            output.extend(self.again(|machine| {
                if known && values.len() <= MAX_ROUNDS {
                    machine.state = start;
                    machine.rounds(script, name, &values, body)
                } else {
                    machine.branch(script, body)
                }
            }));
            self.state.merge(&after);
        }
        output
    }

    /// `for ((…))`, whose header has been run.
    pub(super) fn counted_loop(&mut self, script: &Script<'_>, body: &List) -> Values {
        let start = self.state.clone();
        let before = self.waiting.enter_loop(None);
        let mut output = self.branch(script, body);
        self.waiting.leave_loop(before);
        if self.state.differs(&start) {
            output.extend(self.again(|machine| machine.branch(script, body)));
        }
        output
    }

    /// One round after the other: what they put together has its pieces in order.
    fn rounds(&mut self, script: &Script<'_>, name: &str, values: &[Text], body: &List) -> Values {
        let mut output = Values::new();
        for value in values {
            self.state.assign(name, vec![value.clone()], true);
            output.extend(self.list_of(script, body));
        }
        output
    }

    /// Further rounds of a loop that changed what it works with; its waiting and its runs were noted in the first.
    fn again(&mut self, rounds: impl FnOnce(&mut Self) -> Values) -> Values {
        let waiting = self.waiting;
        let runs = self.runs();
        let output = rounds(self);
        self.waiting = waiting;
        self.forget_runs(runs);
        output
    }
}

impl State {
    /// Whether a command after this state finds anything else than it did after `before`.
    fn differs(&self, before: &Self) -> bool {
        self.folders != before.folders
            || self.positional != before.positional
            || !self.variables().eq(before.variables())
    }
}
