//! Why a command that rtk would rewrite stays as it is.

/// A named ground on which a command is left alone though rtk has a form for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The output is data: a machine format, a file's content, a value.
    Data,
    /// It asks, opens an editor or talks to a person.
    Dialogue,
    /// It follows, watches or serves: rtk would print nothing until it ends.
    Follows,
    /// It acts outside the working tree or can't be undone: the user's own rules are keyed on its first words.
    ActsOutside,
    /// rtk would leave out lines without saying so.
    CutSilently,
    /// rtk would end with another exit status.
    ExitStatus,
    /// rtk would run something else than what was asked.
    WrongTool,
    /// rtk would say what the tool does not say, such as "no issues" where none were looked for.
    FalseClaim,
    /// The order or the layout that was asked for is lost.
    Layout,
    /// rtk's own reading of the arguments refuses or misreads them.
    Unsupported,
    /// What decides stands in a word that only the shell knows.
    Unseen,
    /// Not one UTF-8 text file of at most [`super::READ_LIMIT`] bytes.
    NotText,
    /// The output is piped, captured, redirected to a file or thrown away.
    OutputNotShown,
    /// The input comes from a pipe, a file or a here-document.
    InputGiven,
    /// It stands behind a word that runs it in its own way: `command`, `exec`, `nohup`, `timeout` and their like.
    Wrapped,
    /// A line for PowerShell or `cmd`, where the name means another program.
    NotPosix,
    /// The line, or a part of it, is not fully understood, or bash would refuse it.
    NotUnderstood,
    /// `PATH` was replaced earlier in the line: rtk may not be found.
    PathReplaced,
    /// rtk has no form for it after all.
    NoForm,
}

impl Reason {
    /// The name by which tests and documentation call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Dialogue => "dialogue",
            Self::Follows => "follows",
            Self::ActsOutside => "acts-outside",
            Self::CutSilently => "cut-silently",
            Self::ExitStatus => "exit-status",
            Self::WrongTool => "wrong-tool",
            Self::FalseClaim => "false-claim",
            Self::Layout => "layout",
            Self::Unsupported => "unsupported",
            Self::Unseen => "unseen",
            Self::NotText => "not-text",
            Self::OutputNotShown => "output-not-shown",
            Self::InputGiven => "input-given",
            Self::Wrapped => "wrapped",
            Self::NotPosix => "not-posix",
            Self::NotUnderstood => "not-understood",
            Self::PathReplaced => "path-replaced",
            Self::NoForm => "no-form",
        }
    }
}
