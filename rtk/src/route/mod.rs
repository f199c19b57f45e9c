//! The rtk command that does what a native codebase tool was asked to do.
//!
//! Everything here is a function of its arguments: what the tools of the machine are is told by a [`Target`], what a
//! file holds by [`content`]. A request that no command reproduces is an [`Unroutable`], and the native tool should run.

pub mod content;
mod find;
mod glob;
mod list;
mod quote;
mod read;
mod search;

pub use find::{FindByName, Kind, find_by_name};
pub use list::list_dir;
pub use quote::{Shell, word};
pub use read::{read, read_window};
pub use search::{GrepSearch, grep_search};

use std::borrow::Cow;

/// What the printed command will run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<'a> {
    /// The shell that reads the command.
    pub shell: Shell,
    /// rtk as a word of that shell, quoted already (see [`crate::locate::Located::command_word`]).
    pub rtk: &'a str,
    /// Whether the shell will find `rg` by its bare name ([`crate::locate::Located::bare`]); `rtk rg` runs it.
    pub ripgrep: bool,
    /// Whether the shell will find `grep`; `rtk grep` runs it.
    pub grep: bool,
}

/// Why no command does the same as the native call. Let the native tool run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unroutable {
    /// A required argument is empty.
    #[error("a required argument is empty; let the native tool say so")]
    Empty,
    /// An argument holds a NUL.
    #[error("an argument holds a NUL, which no command line can; let the native tool run")]
    Nul,
    /// The program's own path is not Unicode.
    #[error("the path of the program is not Unicode; install it in a folder whose path is")]
    NotUnicode,
    /// PowerShell would hand the program something else.
    #[error(
        "no PowerShell version-independent form exists for an argument; let the native tool run"
    )]
    NotForPowerShell,
    /// The window of lines has no exact form in this shell.
    #[error("this window of lines has no rtk form here; ask for a range that view_file shows")]
    NoWindow,
    /// A glob that the available tools read differently from the native one.
    #[error("the available tools have no form for this glob; let the native tool run")]
    Glob,
    /// Neither `rg` nor a `grep` that can do it.
    #[error("neither rg nor grep is there to run this search; let the native tool run")]
    NoSearchTool,
}

/// A command line under construction: words are quoted as they are added.
struct Line {
    shell: Shell,
    text: String,
}

impl Line {
    fn rtk(target: &Target, subcommand: &str) -> Self {
        Line {
            shell: target.shell,
            text: format!("{} {subcommand}", target.rtk),
        }
    }

    fn arg(&mut self, argument: &str) -> Result<&mut Self, Unroutable> {
        self.text.push(' ');
        self.text.push_str(&word(self.shell, argument)?);
        Ok(self)
    }

    fn args<'a>(
        &mut self,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Result<&mut Self, Unroutable> {
        for argument in arguments {
            self.arg(argument)?;
        }
        Ok(self)
    }

    fn path(&mut self, path: &str) -> Result<&mut Self, Unroutable> {
        let operand = operand(self.shell, path)?;
        self.arg(&operand)
    }
}

/// `path` so that no program reads it as an option, and PowerShell passes it whole.
fn operand(shell: Shell, path: &str) -> Result<Cow<'_, str>, Unroutable> {
    if path.is_empty() {
        return Err(Unroutable::Empty);
    }
    let path = match shell {
        Shell::PowerShell if path.contains(char::is_whitespace) => path.trim_end_matches('\\'),
        _ => path,
    };
    Ok(if path.starts_with('-') {
        format!("./{path}").into()
    } else {
        path.into()
    })
}

/// `command` run with `directory` as its working directory, and the caller's kept.
fn inside(shell: Shell, directory: &str, command: &str) -> Result<String, Unroutable> {
    let directory = word(shell, &operand(shell, directory)?)?;
    Ok(match shell {
        Shell::Posix => format!("(cd {directory} && {command})"),
        Shell::PowerShell => {
            format!(
                "Push-Location -LiteralPath {directory}; try {{ {command} }} finally {{ Pop-Location }}"
            )
        }
    })
}
