//! What the shell keeps and runs later, or under another name: lines of `trap`, aliases, substitutions in subscripts.

use std::rc::Rc;

use super::machine::Machine;
use super::value::Text;

/// The most lines of `trap` that are kept.
const MAX_TRAPS: usize = 8;

impl Machine<'_> {
    /// `trap line signal`: the line runs with what the shell knows by then.
    pub(super) fn keep_trap(&mut self, line: &str) {
        if self.state.traps.len() < MAX_TRAPS {
            self.state.traps.push(Rc::from(line));
        } else {
            self.incomplete();
        }
    }

    /// Runs the lines that were kept since there were `kept`.
    pub(super) fn run_traps(&mut self, kept: usize) {
        let lines = self.state.traps.split_off(kept.min(self.state.traps.len()));
        for line in lines {
            self.perhaps(|machine| machine.run_text(&line));
        }
    }

    /// Runs the line that `name` is an alias for, as an interactive shell would; one that ends in a blank has the next
    /// word looked up too.
    pub(super) fn aliased(&mut self, name: &str, words: &[Text]) {
        let aliases = self.state.aliases();
        let Some(line) = self.state.take_alias(name) else {
            return;
        };
        let mut line = line.render();
        let next = words.first().and_then(Text::as_literal);
        let next = next.filter(|_| line.ends_with(' '));
        let next = next.and_then(|next| self.state.take_alias(next));
        line.push(' ');
        if let Some(next) = &next {
            line.push_str(&next.render());
            line.push(' ');
        }
        line.push_str(&super::builtins::joined(
            &words[usize::from(next.is_some())..],
        ));
        self.run_text(&line);
        self.state.restore_aliases(aliases);
    }

    /// Texts that the shell takes for variables or numbers: it runs the substitutions in their subscripts.
    pub(super) fn subscripts(&mut self, texts: &[Text]) {
        let runs = |text: &&Text| {
            let prefix = text.prefix();
            prefix.contains('[') && (prefix.contains("$(") || prefix.contains('`'))
        };
        for text in texts.iter().filter(runs) {
            self.perhaps(|machine| machine.expanded_text(&text.render()));
        }
    }
}
