//! Arguments to a question.

use super::CommandError;
use crate::reading::{
    Meaning, Mode, PAGE_RANGE, QueryRequest, ReadRequest, Role, Route, StepRequest,
};
use lexopt::{Arg, Parser, ValueExt};
use std::ffi::OsString;
use std::path::PathBuf;

/// What is asked, of which conversation.
#[derive(Debug)]
pub(super) enum Question {
    Read(Option<String>, ReadRequest),
    Query(Option<String>, QueryRequest),
    Step(Option<String>, StepRequest),
    Health(Option<String>, Option<PathBuf>, usize),
}

#[derive(Debug)]
pub(super) enum Parsed {
    Help,
    Question(Question),
}

impl From<lexopt::Error> for CommandError {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

fn usage(problem: impl Into<String>) -> CommandError {
    CommandError::Usage(problem.into())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Read,
    Query,
    Health,
}

/// Every option, of whatever command. Which of them fit is judged afterwards, so that the message can say it.
#[derive(Debug, Default)]
struct Options {
    conversation: Option<String>,
    max_bytes: Option<usize>,
    last: Option<u32>,
    full: bool,
    thinking: bool,
    before_step: Option<u64>,
    regex: bool,
    text: bool,
    roles: Vec<Role>,
    from: Option<u64>,
    to: Option<u64>,
    max: Option<u32>,
    summary: bool,
    no_tool_calls: bool,
    step: Option<u64>,
    field: Option<String>,
    offset: Option<u64>,
    path: Option<PathBuf>,
    positional: Option<String>,
    given: Vec<&'static str>,
}

pub(super) fn parse(
    arguments: impl IntoIterator<Item = OsString>,
    program: &str,
) -> Result<Parsed, CommandError> {
    let mut parser = Parser::from_args(arguments);
    let verb = match parser.next()? {
        None => return Err(usage("say what to do: read, query or health")),
        Some(Arg::Short('h') | Arg::Long("help")) => return Ok(Parsed::Help),
        Some(Arg::Value(word)) => match word.to_string_lossy().as_ref() {
            "read" => Verb::Read,
            "query" | "search" => Verb::Query,
            "health" => Verb::Health,
            "help" => return Ok(Parsed::Help),
            other => return Err(usage(format!("no such command: transcript {other}"))),
        },
        Some(other) => return Err(other.unexpected().into()),
    };
    let Some(options) = Options::parse(&mut parser)? else {
        return Ok(Parsed::Help);
    };
    options
        .question(verb, Route::Command(program.to_owned()))
        .map(Parsed::Question)
}

impl Options {
    /// `None` if help is asked for.
    fn parse(parser: &mut Parser) -> Result<Option<Self>, CommandError> {
        let mut this = Self::default();
        while let Some(argument) = parser.next()? {
            let name = match argument {
                Arg::Short('h') | Arg::Long("help") => return Ok(None),
                Arg::Value(value) => {
                    this.set_positional(value.string()?)?;
                    continue;
                }
                Arg::Long(name) => NAMES.iter().find(|known| **known == name).copied(),
                Arg::Short(_) => None,
            };
            let Some(name) = name else {
                return Err(argument.unexpected().into());
            };
            this.given.push(name);
            this.set(name, parser)?;
        }
        Ok(Some(this))
    }

    fn set_positional(&mut self, value: String) -> Result<(), CommandError> {
        if self.positional.is_some() {
            return Err(usage(format!(
                "{value:?} is one argument too many; put a text of several words in quotes"
            )));
        }
        self.positional = Some(value);
        Ok(())
    }

    fn set(&mut self, name: &str, parser: &mut Parser) -> Result<(), CommandError> {
        match name {
            "conversation" => self.conversation = Some(parser.value()?.string()?),
            "max-bytes" => self.max_bytes = Some(parser.value()?.parse()?),
            "last" => self.last = Some(parser.value()?.parse()?),
            "full" => self.full = true,
            "thinking" => self.thinking = true,
            "before-step" => self.before_step = Some(parser.value()?.parse()?),
            "regex" => self.regex = true,
            "text" => self.text = true,
            "role" => self.roles.push(role(&parser.value()?.string()?)?),
            "from" => self.from = Some(parser.value()?.parse()?),
            "to" => self.to = Some(parser.value()?.parse()?),
            "max" => self.max = Some(parser.value()?.parse()?),
            "summary" => self.summary = true,
            "no-tool-calls" => self.no_tool_calls = true,
            "step" => self.step = Some(parser.value()?.parse()?),
            "field" => self.field = Some(parser.value()?.string()?),
            "offset" => self.offset = Some(parser.value()?.parse()?),
            _ => self.path = Some(PathBuf::from(parser.value()?)),
        }
        Ok(())
    }

    /// Refuses options that this question does not take.
    fn only(&self, what: &str, taken: &[&str]) -> Result<(), CommandError> {
        let common = ["conversation", "max-bytes"];
        let strange = self
            .given
            .iter()
            .find(|name| !taken.contains(name) && !common.contains(name));
        match strange {
            Some(name) => Err(usage(format!("{what} takes no --{name}"))),
            None => Ok(()),
        }
    }

    fn question(self, verb: Verb, route: Route) -> Result<Question, CommandError> {
        if let Some(size) = self.max_bytes
            && !PAGE_RANGE.contains(&size)
        {
            let (least, most) = (PAGE_RANGE.start(), PAGE_RANGE.end());
            return Err(usage(format!("--max-bytes must be {least} to {most}")));
        }
        match verb {
            Verb::Read => self.read(route),
            Verb::Query if self.step.is_some() => self.step(route),
            Verb::Query => self.query(route),
            Verb::Health => {
                self.only("transcript health", &["path"])?;
                if let Some(value) = &self.positional {
                    return Err(usage(format!("transcript health takes no {value:?}")));
                }
                let size = self.max_bytes.unwrap_or(route.page());
                Ok(Question::Health(self.conversation, self.path, size))
            }
        }
    }

    fn read(self, route: Route) -> Result<Question, CommandError> {
        self.only(
            "transcript read",
            &["last", "full", "thinking", "before-step"],
        )?;
        let mut request = ReadRequest::new(route);
        request.last_turns = match (self.last, &self.positional) {
            (Some(last), _) => last,
            (None, Some(text)) => text
                .parse()
                .map_err(|_| usage(format!("{text:?} is no number of turns")))?,
            (None, None) => request.last_turns,
        };
        request.mode = mode(self.full);
        request.thinking = self.thinking;
        request.before_step = self.before_step;
        request.max_bytes = self.max_bytes.unwrap_or(request.max_bytes);
        Ok(Question::Read(self.conversation, request))
    }

    fn step(self, route: Route) -> Result<Question, CommandError> {
        self.only("transcript query --step", &["step", "field", "offset"])?;
        if self.positional.is_some() {
            return Err(usage("give a text to search for or --step, not both"));
        }
        if self.offset.is_some() && self.field.is_none() {
            return Err(usage("--offset needs --field"));
        }
        let request = StepRequest {
            step: self.step.unwrap_or_default(),
            field: self.field,
            offset: self.offset.unwrap_or_default(),
            max_bytes: self.max_bytes.unwrap_or(route.page()),
            route,
        };
        Ok(Question::Step(self.conversation, request))
    }

    fn query(self, route: Route) -> Result<Question, CommandError> {
        self.only(
            "transcript query TEXT",
            &[
                "regex",
                "text",
                "role",
                "from",
                "to",
                "last",
                "max",
                "summary",
                "full",
                "thinking",
                "no-tool-calls",
            ],
        )?;
        let selects = self.from.is_some()
            || self.to.is_some()
            || self.last.is_some()
            || !self.roles.is_empty();
        if self.positional.is_none() && !selects {
            return Err(usage("say what to search for: transcript query TEXT"));
        }
        let mut request = QueryRequest::new(self.positional, route);
        request.meaning = match (self.regex, self.text) {
            (true, true) => return Err(usage("give --regex or --text, not both")),
            (true, false) => Meaning::Pattern,
            (false, true) => Meaning::Text,
            (false, false) => Meaning::Either,
        };
        request.roles = self.roles;
        request.mode = mode(self.full);
        (request.start_step, request.end_step) = (self.from, self.to);
        request.last_turns = self.last.unwrap_or_default();
        request.thinking = self.thinking;
        request.tool_calls = !self.no_tool_calls;
        request.max_results = self.max.unwrap_or(request.max_results);
        request.summary_only = self.summary;
        request.max_bytes = self.max_bytes.unwrap_or(request.max_bytes);
        Ok(Question::Query(self.conversation, request))
    }
}

const NAMES: [&str; 18] = [
    "conversation",
    "max-bytes",
    "last",
    "full",
    "thinking",
    "before-step",
    "regex",
    "text",
    "role",
    "from",
    "to",
    "max",
    "summary",
    "no-tool-calls",
    "step",
    "field",
    "offset",
    "path",
];

fn mode(full: bool) -> Mode {
    if full { Mode::Full } else { Mode::Compact }
}

fn role(name: &str) -> Result<Role, CommandError> {
    Role::from_name(name).ok_or_else(|| {
        usage(format!(
            "{name:?} is no role; there are user, assistant, tool and system"
        ))
    })
}
