//! Programs that print, whose output the shell may use as words.

use super::Call;
use crate::effects::machine::Machine;
use crate::effects::value::{Atom, Text, Values};
use crate::effects::waits::{Activity, seconds};

/// A text without a slash that the line does not tell: a date, a number, a name.
pub fn some_text(_: &mut Machine<'_>, _: &Call<'_>) -> Values {
    vec![Text::run()]
}

/// `date +format`: the format, with what it stands for left open.
pub fn date(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let format = call
        .words
        .iter()
        .find(|word| word.prefix().starts_with('+'));
    let Some(format) = format.and_then(Text::as_literal) else {
        return vec![Text::run()];
    };
    let mut date = Text::default();
    for (index, piece) in format[1..].split('%').enumerate() {
        let mut characters = piece.chars();
        if index > 0 {
            characters.next();
            date.push(Atom::Run);
        }
        date.push_str(characters.as_str());
    }
    vec![date]
}

/// `printenv name`
pub fn variables(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if call.args.operands.is_empty() {
        return machine.printed_variables();
    }
    let names = call.args.operands.iter().filter_map(Text::as_literal);
    names.flat_map(|name| machine.value_of(name)).collect()
}

/// `yes` and `expr`: a word of theirs, or something that is made of them.
pub fn words(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut words = call.args.operands.clone();
    words.push(Text::unknown());
    words
}

/// `basename`: the last component of each word.
pub fn base(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let suffix = call
        .args
        .values("s suffix")
        .next()
        .or_else(|| call.args.operands.get(1))
        .map_or("", Text::prefix);
    call.args
        .operands
        .iter()
        .take(1)
        .map(|word| last_component(word, suffix))
        .collect()
}

fn last_component(word: &Text, suffix: &str) -> Text {
    let parts = word.split(|c| c == '/');
    let last = parts
        .iter()
        .rev()
        .find(|part| !part.is_empty())
        .cloned()
        .unwrap_or_default();
    match last.as_literal() {
        Some(name) => Text::literal(name.strip_suffix(suffix).unwrap_or(name)),
        None => last,
    }
}

/// `dirname`: each word without its last component.
pub fn folder(_: &mut Machine<'_>, call: &Call<'_>) -> Values {
    call.args.operands.iter().map(parent).collect()
}

fn parent(word: &Text) -> Text {
    match word.as_literal() {
        Some(path) => match path.trim_end_matches('/').rfind('/') {
            Some(0) => Text::literal("/"),
            Some(at) => Text::literal(&path[..at]),
            None => Text::literal("."),
        },
        None => word.joined(&Text::literal("/..")),
    }
}

/// `realpath` and `readlink`: the same path.
pub fn path(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let mut paths = Values::new();
    for word in &call.args.operands {
        machine.list(word);
        paths.extend(
            machine
                .paths(word)
                .iter()
                .map(crate::effects::PathPattern::to_text),
        );
    }
    paths
}

/// `mktemp`: a new file, in the temporary folder or after its template.
pub fn temporary(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    if let Some(template) = call.args.operands.first() {
        machine.write(template);
    }
    for folder in call.args.values("p tmpdir") {
        machine.write(&folder.joined(&Text::literal("/")).joined(&Text::run()));
    }
    let named = call.args.operands.first().and_then(Text::as_literal);
    let name = named.map(|template| template.trim_end_matches('X'));
    let name = name.filter(|name| name.contains('/'));
    vec![Text::literal(name.unwrap_or("/tmp/")).joined(&Text::run())]
}

/// `sleep`
pub fn sleep(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let total = call
        .words
        .iter()
        .map(|word| word.as_literal().and_then(seconds))
        .sum();
    machine.waiting.sleep(total);
    Values::new()
}

/// `ping`: of this machine it is a way to wait, a second for each.
pub fn ping(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    const HERE: [&str; 4] = ["localhost", "127.0.0.1", "::1", "0.0.0.0"];
    let is_here = |host: &Text| host.as_literal().is_some_and(|host| HERE.contains(&host));
    if call.args.operands.iter().any(is_here) {
        let count = call.args.values("c n").next().and_then(Text::as_literal);
        machine.waiting.sleep(count.and_then(seconds));
    }
    vec![Text::run()]
}

/// `kill`: only `kill -0` asks without doing anything.
pub fn kill(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let asks = call.args.has("0 l L")
        || call
            .args
            .values("s n signal")
            .any(|signal| signal.prefix() == "0");
    if !asks {
        machine.waiting.note(Activity::Work);
    }
    Values::new()
}

/// `ls`: names, which stand for themselves where the operand is a glob or a file, and for names inside a folder.
pub fn ls(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let recursive = call.args.has("R recursive tree") || (call.name != "ls" && call.args.has("T"));
    let here = [Text::literal(".")];
    let operands = if call.args.operands.is_empty() {
        &here[..]
    } else {
        &call.args.operands
    };
    for operand in operands {
        if recursive {
            machine.list_below(operand);
        } else {
            machine.list(operand);
        }
    }
    // One that ends in a slash, and one alone that names no file by its look, is a folder: what it prints is in it.
    let is_folder = |word: &Text| {
        let last = word.prefix().rsplit('/').next().unwrap_or("");
        word.as_literal().is_some() && !last.contains('.')
    };
    let mut names = match &call.args.operands[..] {
        [only] if is_folder(only) && !call.args.has("d directory") => Values::new(),
        operands => operands.to_vec(),
    };
    if !call.args.has("d directory")
        && call
            .args
            .operands
            .iter()
            .all(|operand| operand.as_literal().is_some())
    {
        let mut any = Text::run();
        if recursive || call.args.has("a A all almost-all") {
            any = Text::default();
            any.push(Atom::Below { hidden: true });
        }
        names.push(any);
    }
    names
}
