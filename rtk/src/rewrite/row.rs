//! The shape of the table: programs, their sub-commands, and what keeps each of them as it is.

use super::call::Call;
use super::reason::Reason;

/// One program that rtk 1.1.0 has a form for.
pub(crate) struct Program {
    /// Its name, as it must be written.
    pub name: &'static str,
    /// Options that may stand before the sub-command; a trailing `=` says that a value follows, in the same
    /// word or the next.
    pub before: &'static [&'static str],
    /// Its sub-commands, the first that matches counts.
    pub rows: &'static [Row],
}

/// One sub-command, or several that are alike.
pub(crate) struct Row {
    /// The words after the program, alternatives parted by `|`, words by a blank; empty for any.
    pub sub: &'static str,
    /// What rtk makes of it.
    pub form: Form,
    /// Options whose value is the next word, so that it is not taken for an operand or an option.
    pub takes: &'static [&'static str],
    /// The grounds on which it stays, the first that holds is named.
    pub stay: &'static [Stay],
}

/// What is written instead of the command.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// `rtk ` before the program.
    Prefix,
    /// The matched words give way to these, after `rtk `: `npx tsc` becomes `rtk tsc`.
    Instead(&'static str),
    /// The program's path gives way to this name, after `rtk `: `vendor/bin/pest` becomes `rtk pest`.
    InsteadOfName(&'static str),
    /// `cat`: `rtk read` with the same operand.
    Read,
    /// `head`: `rtk read` with the same window.
    ReadHead,
    /// `tail`: `rtk read` with the same window.
    ReadTail,
}

/// A ground to leave a command as it is.
pub(crate) struct Stay {
    pub when: When,
    pub why: Reason,
}

/// When a [`Stay`] holds.
pub(crate) enum When {
    Always,
    /// One of these options is given.
    Any(&'static [&'static str]),
    /// None of these options is given.
    None(&'static [&'static str]),
    /// One of the operands, or one part of it between `:`, `-`, `.`, `_` and `/`, is one of these words.
    Names(&'static [&'static str]),
    /// The first operand is none of these.
    FirstNotIn(&'static [&'static str]),
    /// What no list can say.
    Holds(fn(&Call) -> bool),
    /// One of these holds, for its own reason.
    Also(&'static [Stay]),
}

/// Always.
pub(crate) const fn never(why: Reason) -> Stay {
    Stay {
        when: When::Always,
        why,
    }
}

/// One of the options is given.
pub(crate) const fn with(why: Reason, options: &'static [&'static str]) -> Stay {
    Stay {
        when: When::Any(options),
        why,
    }
}

/// None of the options is given.
pub(crate) const fn without(why: Reason, options: &'static [&'static str]) -> Stay {
    Stay {
        when: When::None(options),
        why,
    }
}

/// An operand names one of these.
pub(crate) const fn naming(why: Reason, words: &'static [&'static str]) -> Stay {
    Stay {
        when: When::Names(words),
        why,
    }
}

/// The first operand is none of these.
pub(crate) const fn unless_first(why: Reason, words: &'static [&'static str]) -> Stay {
    Stay {
        when: When::FirstNotIn(words),
        why,
    }
}

/// The grounds of another row.
pub(crate) const fn also(grounds: &'static [Stay]) -> Stay {
    Stay {
        when: When::Also(grounds),
        why: Reason::NoForm,
    }
}

/// The test holds.
pub(crate) const fn when(why: Reason, test: fn(&Call) -> bool) -> Stay {
    Stay {
        when: When::Holds(test),
        why,
    }
}

/// A row that gets the prefix.
pub(crate) const fn row(
    sub: &'static str,
    takes: &'static [&'static str],
    stay: &'static [Stay],
) -> Row {
    Row {
        sub,
        form: Form::Prefix,
        takes,
        stay,
    }
}

/// A row with another form.
pub(crate) const fn formed(
    sub: &'static str,
    form: Form,
    takes: &'static [&'static str],
    stay: &'static [Stay],
) -> Row {
    Row {
        sub,
        form,
        takes,
        stay,
    }
}

/// A program without options before its sub-command.
pub(crate) const fn program(name: &'static str, rows: &'static [Row]) -> Program {
    Program {
        name,
        before: &[],
        rows,
    }
}

impl Stay {
    /// The reason, if it holds for this call.
    pub(crate) fn reason(&self, call: &Call) -> Option<Reason> {
        let holds = match self.when {
            When::Also(grounds) => return grounds.iter().find_map(|ground| ground.reason(call)),
            When::Always => true,
            When::Any(options) => call.has_option(options),
            When::None(options) => !call.has_option(options),
            When::Names(words) => call.operands().any(|operand| names_one_of(operand, words)),
            When::FirstNotIn(words) => call
                .operands()
                .next()
                .is_none_or(|operand| !words.contains(&operand)),
            When::Holds(test) => test(call),
        };
        holds.then_some(self.why)
    }
}

/// Whether `name` is one of `words`, or holds one of them as a part of its own: `dev:web`, `test-watch`.
fn names_one_of(name: &str, words: &[&str]) -> bool {
    words.contains(&name)
        || name
            .split([':', '-', '.', '_', '/'])
            .any(|part| words.contains(&part))
}
