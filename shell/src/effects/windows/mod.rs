//! PowerShell and `cmd`, word by word: no grammar, only which words stand behind which command.
//!
//! Braces and parentheses only divide; what is in them is looked at as a statement of its own. That is enough for
//! the paths that a line names, and never claims that a line does less than it does.

mod cmdlets;
mod words;

use std::collections::BTreeSet;

use super::machine::Machine;
use super::value::{Text, Values};
use words::{Item, items};

/// The words between two signs that divide.
#[derive(Default)]
struct Statement {
    words: Vec<Text>,
    /// Whether the first word was quoted.
    quoted: bool,
    /// The name, if the first word is a variable.
    variable: Option<String>,
    /// The method of `[Type]::Method(…)`, in lower case.
    method: Option<String>,
    /// Whether what is before a `|` goes into it.
    piped: bool,
    /// Whether it begins with parentheses: then it is a value and runs nothing.
    is_value: bool,
}

/// The most parentheses that may stand in one another.
const MAX_GROUPS: usize = 24;

impl Statement {
    fn push(&mut self, raw: &str, quoted: bool, text: Text) {
        if raw.contains("::") && !quoted {
            self.method = raw.rsplit("::").next().map(str::to_lowercase);
            return;
        }
        if self.words.is_empty() {
            self.quoted = quoted;
            self.variable = raw
                .strip_prefix('$')
                .filter(|_| !quoted)
                .map(str::to_lowercase);
        }
        self.words.push(text);
    }

    /// The words, where they are values: texts in quotes, a variable.
    fn value(&self) -> Vec<Text> {
        if self.quoted || (self.variable.is_some() && self.words.len() == 1) {
            return self.words.clone();
        }
        Vec::new()
    }
}

impl Machine<'_> {
    /// Follows a line of PowerShell or `cmd`.
    pub(super) fn run_windows(&mut self, line: &str) {
        let outer = std::mem::replace(&mut self.windows, true);
        self.nested(|machine| machine.windows_line(line));
        self.windows = outer;
    }

    fn windows_line(&mut self, line: &str) {
        self.work(line.len() / 8);
        let mut statement = Statement::default();
        let mut around: Vec<Statement> = Vec::new();
        let mut closed = false;
        let mut redirects = false;
        for item in items(line) {
            if !self.work(1) {
                return;
            }
            let after_group = std::mem::take(&mut closed);
            match item {
                // `(…).FullName` is what is in the parentheses.
                Item::Word { raw, .. } if after_group && raw.starts_with('.') => {}
                Item::Word { raw, quoted } => {
                    let text = self.windows_text(&raw, quoted);
                    if std::mem::take(&mut redirects) {
                        self.redirect_to(&text);
                    } else {
                        statement.push(&raw, quoted, text);
                    }
                }
                Item::Redirect => redirects = true,
                // The arguments of a method stand in parentheses.
                Item::Group if statement.method.is_some() => {}
                Item::Group if around.len() < MAX_GROUPS => {
                    around.push(std::mem::take(&mut statement))
                }
                Item::Close => {
                    let outer = around.pop().unwrap_or_default();
                    statement = self.close_group(statement, outer);
                    closed = true;
                }
                Item::Group | Item::Open => self.statement(std::mem::take(&mut statement)),
                Item::Pipe => {
                    self.statement(std::mem::take(&mut statement));
                    statement.piped = true;
                }
                Item::Call | Item::End => {
                    self.statement(std::mem::take(&mut statement));
                    self.stdin = None;
                }
            }
        }
        self.statement(statement);
        around
            .into_iter()
            .for_each(|statement| self.statement(statement));
    }

    /// Runs what stands in parentheses; its output becomes words of what is around them.
    fn close_group(&mut self, inner: Statement, mut outer: Statement) -> Statement {
        let is_method = inner.method.is_some();
        let value = inner.value();
        if !inner.piped {
            self.stdin = None;
        }
        self.statement(inner);
        let output = self.stdin.take().unwrap_or_default();
        let words = if output.is_empty() && !is_method {
            value
        } else {
            output
        };
        if outer.words.is_empty() && outer.method.is_none() {
            // `(…) | command`: the output goes into the pipeline.
            self.stdin = (!words.is_empty()).then_some(words);
            outer.is_value = true;
        } else {
            outer.words.extend(words);
        }
        outer
    }

    fn redirect_to(&mut self, target: &Text) {
        if target.prefix().starts_with('&') {
            return;
        }
        let program = std::mem::replace(&mut self.program, ">".to_owned());
        self.write(target);
        self.program = program;
        self.waiting.note(super::waits::Activity::Work);
    }

    fn statement(&mut self, statement: Statement) {
        let words = statement.words;
        if let Some(method) = statement.method {
            self.method(&method, &words);
            return;
        }
        let Some(first) = words.first() else { return };
        if statement.is_value {
            words.iter().for_each(|word| self.named(word));
            return;
        }
        match (statement.variable, words.get(1).and_then(Text::as_literal)) {
            // `foreach ($f in …)` sets it too.
            (Some(name), Some("=" | "+=" | "in")) => {
                self.assign_windows(&name, &words[2..]);
                return;
            }
            (Some(_), None) => return,
            _ => {}
        }
        // A text on its own is a value, not a program.
        if statement.quoted && !first.prefix().to_lowercase().ends_with(".exe") {
            words.iter().for_each(|word| self.named(word));
            return;
        }
        let output = self.windows_words(&words);
        let gives = !output.is_empty();
        self.stdin = gives.then(|| output.clone());
        if gives {
            self.state.assign("_", output, true);
        }
    }

    /// `$name = value` and `$name = command …`
    fn assign_windows(&mut self, name: &str, value: &[Text]) {
        let is_command = value.len() > 1
            || value
                .first()
                .is_some_and(|word| crate::dialect::is_cmdlet(word.prefix()));
        let output = if is_command {
            self.windows_words(value)
        } else {
            Values::new()
        };
        let values = match (output.is_empty(), value) {
            (false, _) => output,
            (true, [only]) => vec![only.clone()],
            (true, _) => vec![Text::unknown()],
        };
        self.state.assign(name, values, false);
    }

    /// `[IO.File]::ReadAllText('x')`
    fn method(&mut self, method: &str, words: &[Text]) {
        self.waiting.note(super::waits::Activity::Work);
        let says = |names: &[&str]| names.iter().any(|name| method.contains(name));
        for word in words {
            if says(&[
                "write", "append", "delete", "move", "copy", "create", "replace", "set",
            ]) {
                self.write(word);
            } else if says(&["read", "open", "lines", "get", "enumerate"]) {
                self.read(word);
            } else {
                self.named(word);
            }
        }
    }

    /// Runs a command of Windows, or a program by the rules for all systems.
    fn windows_words(&mut self, words: &[Text]) -> Values {
        let Some(name) = words.first().and_then(Text::as_literal) else {
            words.iter().for_each(|word| self.named(word));
            return Values::new();
        };
        let name = super::programs::base_name(name).to_lowercase();
        if name.is_empty()
            || name.starts_with(['.', '-', '$', '@', '%']) && !name.contains(['/', '\\'])
        {
            words.iter().for_each(|word| self.named(word));
            return Values::new();
        }
        if let Some(output) = self.cmdlet(&name, words) {
            return output;
        }
        let mut words = words.to_vec();
        words[0] = Text::literal(name);
        self.words(&words);
        Values::new()
    }

    /// A word of PowerShell or `cmd` with its variables resolved.
    fn windows_text(&mut self, raw: &str, quoted: bool) -> Text {
        let mut text = Text::default();
        let mut rest = raw;
        if let Some((_, inner)) = raw.split_once("$(").filter(|_| quoted) {
            let inner = inner.rsplit_once(')').map_or(inner, |(inner, _)| inner);
            let stdin = self.stdin.take();
            self.nested(|machine| machine.windows_line(inner));
            self.stdin = stdin;
        }
        if !quoted && (rest == "~" || rest.starts_with("~/") || rest.starts_with("~\\")) {
            text = self.home().into_iter().next().unwrap_or_else(Text::unknown);
            rest = &rest[1..];
        }
        while let Some(at) = rest.find(['$', '%']) {
            text.push_str(&rest[..at]);
            let (name, length) = words::variable(&rest[at..]);
            match name {
                Some(name) => text.append(&self.windows_variable(name)),
                None => text.push_str(&rest[at..at + length]),
            }
            rest = &rest[at + length..];
        }
        text.push_str(rest);
        if quoted { text } else { text.globbed() }
    }

    fn windows_variable(&self, name: &str) -> Text {
        let lower = name.to_lowercase();
        let first = |values: Values| values.into_iter().next().unwrap_or_else(Text::unknown);
        let bare = lower.strip_prefix("env:").unwrap_or(&lower);
        match bare {
            "userprofile" | "home" => first(self.home()),
            "pwd" | "cd" => first(self.state.folders.clone()),
            "null" => Text::literal("nul"),
            "appdata" => first(self.home()).joined(&Text::literal("/AppData/Roaming")),
            "localappdata" => first(self.home()).joined(&Text::literal("/AppData/Local")),
            "_" | "psitem" => self
                .state
                .variable("_")
                .cloned()
                .map_or_else(Text::unknown, first),
            _ => match self.state.variable(bare) {
                Some(values) => first(values.clone()),
                None => (self.context.environment)(bare).map_or_else(Text::unknown, Text::literal),
            },
        }
    }

    /// Hands every word of a text that was not understood on as a possible path.
    pub(super) fn name_all_words(&mut self, text: &str) {
        self.begin_again();
        self.name_words(text);
    }

    /// The same within the work that is left, for a line inside the line.
    pub(super) fn name_words(&mut self, text: &str) {
        if let Some(text) = without_groups(text) {
            self.name_plain_words(&text);
        }
        self.name_plain_words(text);
    }

    fn name_plain_words(&mut self, text: &str) {
        let outer = std::mem::take(&mut self.program);
        let mut seen = BTreeSet::new();
        for item in items(text) {
            let Item::Word { raw, quoted } = item else {
                continue;
            };
            if !seen.insert(raw.clone()) {
                continue;
            }
            // A backslash may be an escape or a separator.
            for form in [raw.replace('\\', ""), raw.replace('\\', "/")] {
                if !self.work(1) {
                    break;
                }
                let word = self.windows_text(&form, quoted);
                self.named(&word);
            }
        }
        self.program = outer;
    }
}

/// The text with each extended glob (`@(a|b)`) replaced by a plain one; none where it has none.
fn without_groups(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let before = &rest[..open];
        let is_group = before.ends_with(['?', '*', '+', '@', '!']);
        let close = rest[open..].find(')').filter(|_| is_group);
        match close {
            Some(length) => {
                plain.push_str(&before[..open - 1]);
                // A star takes no dot at the start of a name.
                let group = &rest[open + 1..open + length];
                let hidden = group.split('|').any(|name| name.starts_with('.'));
                plain.push_str(if hidden { ".*" } else { "*" });
                rest = &rest[open + length + 1..];
            }
            None => {
                plain.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
            }
        }
    }
    plain.push_str(rest);
    (plain != text).then_some(plain)
}
