//! Programs that run a line somewhere else: in a container, on another machine, at another time.

use super::Call;
use super::files::names;
use super::options::values;
use crate::effects::args::Args;
use crate::effects::builtins::joined;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// `docker cp` copies; `docker run -v` gives a folder another name; else the operands are handed on.
pub fn containers(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let operands = &call.args.operands;
    if operands.first().and_then(Text::as_literal) == Some("cp") {
        // It copies folders as they are.
        let args = Args {
            operands: operands[1..].to_vec(),
            options: vec![("r".to_owned(), None)],
            ..Default::default()
        };
        return super::copying::sync(
            machine,
            &Call {
                name: call.name,
                words: call.words,
                args,
            },
        );
    }
    let outer = machine.links.len();
    let mounts = ["-v", "--volume", "--mount"].map(|option| values(call.words, option));
    let mounts: Values = mounts.into_iter().flatten().collect();
    if !mounts.is_empty() {
        mounts.iter().for_each(|mount| mounted(machine, mount));
        machine.perhaps_runs(call.words);
    }
    names(machine, call);
    machine.links.truncate(outer);
    vec![Text::unknown()]
}

/// `folder:name` and `type=bind,src=folder,dst=name`
fn mounted(machine: &mut Machine<'_>, mount: &Text) {
    let pieces = mount.split(|c| matches!(c, ':' | ','));
    let value = |names: [&str; 3]| {
        pieces.iter().find_map(|piece| {
            let (name, _) = piece.prefix().split_once('=')?;
            names
                .contains(&name)
                .then(|| piece.without_prefix(name.len() + 1))
        })
    };
    let source = value(["src", "source", "from"]).or_else(|| pieces.first().cloned());
    let target = value(["dst", "target", "destination"]).or_else(|| pieces.get(1).cloned());
    // A name without a slash is a volume and no folder.
    let (Some(source), Some(target)) = (source, target) else {
        return;
    };
    if !source.contains(|c| c == '/') && source.prefix() != "." {
        return;
    }
    // A home folder is mounted for its settings: nothing is read before the program in it does. A folder that is chosen
    // is mounted to be read.
    let folders = machine.folders_of(&source);
    let home = machine.context.home;
    let is_home = |folder: &Text| home.is_some() && folder.as_literal() == home;
    if folders.iter().all(is_home) {
        machine.named(&source);
    } else {
        machine.read_below(&source, true);
    }
    if let Some(target) = target.as_literal() {
        for source in machine.folders_of(&source) {
            machine.links.push((target.to_owned(), source));
        }
    }
}

/// `ssh host line`: on this machine by another name.
pub fn remote(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    const HERE: [&str; 4] = ["localhost", "127.0.0.1", "::1", "0.0.0.0"];
    if let [host, line @ ..] = &call.args.operands[..] {
        let name = host.prefix();
        let name = name.rsplit('@').next().unwrap_or(name);
        if HERE.contains(&name) {
            let line = joined(line);
            return machine.apart(|machine| machine.run_text(&line));
        }
    }
    vec![Text::run()]
}

/// `crontab file`: the lines run later.
pub fn scheduled(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let input = Text::literal("-");
    for file in call.args.operands.iter().chain([&input]) {
        if file.as_literal() != Some("-") {
            machine.read(file);
        }
        for entry in machine.lines_in(file) {
            let entry = entry.render();
            let fields = if entry.starts_with('@') { 2 } else { 6 };
            if let Some(line) = entry.splitn(fields, ' ').nth(fields - 1) {
                machine.may_run(line);
            }
        }
    }
    vec![Text::unknown()]
}
