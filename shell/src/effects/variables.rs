//! Variables whose value is run by the shell, or by a program that the line starts.

use super::machine::Machine;
use super::value::Text;
use crate::words::lists;

/// Their value is a line of the shell.
const LINES: &str = "PROMPT_COMMAND PAGER GIT_PAGER MANPAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR \
    GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS LESSOPEN LESSCLOSE BROWSER \
    FZF_DEFAULT_COMMAND RSYNC_RSH";

/// Their value is expanded: the commands in its substitutions run.
const PROMPTS: &str = "PS0 PS1 PS2 PS4";

/// Their value names a script that a shell runs before all else.
const SCRIPTS: &str = "BASH_ENV ENV";

/// Their value names a file that a program reads and may print.
const FILES: &str = "PYTHONSTARTUP HISTFILE";

impl Machine<'_> {
    /// Sets a variable, and notes what its value makes others run.
    pub(super) fn set_variable(&mut self, name: &str, values: Vec<Text>, certain: bool) {
        let is_one_of = |list: &str| lists(list, name);
        if is_one_of(LINES) {
            values.iter().for_each(|line| self.line_of_option(line));
        } else if is_one_of(PROMPTS) {
            for value in &values {
                self.perhaps(|machine| machine.expanded_text(&value.render()));
            }
        } else if is_one_of(FILES) {
            values.iter().for_each(|file| self.read(file));
        } else if is_one_of(SCRIPTS) {
            values.iter().for_each(|file| self.started_script(file));
        }
        self.subscripts(&values);
        // Names that a glob leaves out are the only ones then, so that those with a dot are not.
        self.state.dotglob |= name == "GLOBIGNORE";
        self.state.assign(name, values, certain);
    }

    /// A script that a shell runs before all else.
    pub(super) fn started_script(&mut self, file: &Text) {
        self.read(file);
        if let Some(text) = self.remembered_script(file) {
            self.may_run(&text);
        }
    }

    /// Follows a line of the shell that is the value of an option or a variable. One word alone is a program, which
    /// does nothing to what the line names.
    pub(super) fn line_of_option(&mut self, line: &Text) {
        let text = line.render();
        let text = text.trim_start_matches(['!', '|', ' ']);
        let text = text.strip_prefix("shell ").unwrap_or(text);
        if text.contains([' ', '$', '`', '>', '<']) {
            self.may_run(text);
        }
    }

    /// What a text becomes that is expanded as a here-document is.
    pub(super) fn expanded_text(&mut self, text: &str) -> Vec<Text> {
        let line = format!("cat <<EXPANDED\n{text}\nEXPANDED");
        self.apart(|machine| machine.run_text(&line))
    }

    /// The variables that the line set, as `env` and `set` print them.
    pub(super) fn printed_variables(&self) -> Vec<Text> {
        let variables = self.state.variables();
        let lines = variables.flat_map(|(name, values)| {
            let name = Text::literal(format!("{name}="));
            values.iter().map(move |value| name.joined(value))
        });
        lines.collect()
    }

    /// The script that the line wrote into a folder of the `PATH` which it set.
    pub(super) fn script_on_path(&self, program: &str) -> Option<std::rc::Rc<str>> {
        let folders = self.state.variable("PATH")?;
        let folders = folders.iter().flat_map(|path| path.split(|c| c == ':'));
        let name = Text::literal(format!("/{program}"));
        folders
            .map(|folder| folder.joined(&name))
            .find_map(|file| self.remembered_file(&file))
    }
}
