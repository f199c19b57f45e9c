//! What comes from elsewhere: downloads.

use super::Call;
use crate::effects::braces::MAX_WORDS;
use crate::effects::machine::Machine;
use crate::effects::value::{Text, Values};

/// `curl`
pub fn curl(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    let folder = call.args.values("output-dir").next().cloned();
    let inside = |file: &Text| match &folder {
        Some(folder) => folder.joined(&Text::literal("/")).joined(file),
        None => file.clone(),
    };
    for file in call
        .args
        .values("o output D dump-header c cookie-jar trace trace-ascii stderr")
    {
        machine.write(&inside(file));
    }
    if call.args.has("O remote-name remote-name-all J") {
        for url in &call.args.operands {
            machine.write(&inside(&name_in_url(url)));
        }
    }
    for file in call
        .args
        .values("T upload-file K config netrc-file cacert cert key")
    {
        machine.read(file);
    }
    let bodies = call.args.values(
        "d data data-binary data-urlencode data-ascii json F form b cookie w write-out H header",
    );
    for body in bodies {
        let prefix = body.prefix();
        if let Some(at) = prefix
            .find(['@', '<'])
            .filter(|at| *at == 0 || prefix[..*at].ends_with('='))
        {
            let file = body.without_prefix(at + 1);
            let file = file
                .split(|c| c == ';')
                .into_iter()
                .next()
                .unwrap_or_default();
            machine.read(&file);
        }
    }
    let is_file = |url: &&Text| {
        let scheme = url.prefix().get(..5);
        scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
    };
    let urls = call.args.operands.iter().chain(call.args.values("url"));
    let sends = call.args.has("T upload-file");
    for url in urls.filter(is_file) {
        if sends {
            machine.write(url);
        }
        let urls = if call.args.has("g globoff") {
            vec![url.clone()]
        } else {
            alternatives(url)
        };
        urls.iter().for_each(|url| machine.read(url));
    }
    for config in call.args.values("K config") {
        configured(machine, config);
    }
    vec![Text::unknown()]
}

/// The options in a file that the line made: one a line, with or without dashes.
fn configured(machine: &mut Machine<'_>, config: &Text) {
    let mut words = vec![Text::literal("curl")];
    for line in machine.lines_in(config) {
        let line = line.render();
        let (name, value) = line
            .trim()
            .split_once(['=', ' ', ':'])
            .unwrap_or((&line, ""));
        let value = value
            .trim_start_matches(['=', ':', ' '])
            .trim()
            .trim_matches('"');
        // A file does not name another.
        if name.is_empty() || name.starts_with('#') || matches!(name, "config" | "-K") {
            continue;
        }
        let dashes = if name.starts_with('-') { "" } else { "--" };
        words.push(Text::literal(format!("{dashes}{}", name.trim())));
        words.extend((!value.is_empty()).then(|| Text::literal(value)));
    }
    if words.len() > 1 {
        machine.nested(|machine| machine.run_program("curl", &words).0);
    }
}

/// The URLs that curl makes of one with `{a,b}` and `[a-z]`.
fn alternatives(url: &Text) -> Values {
    let Some(text) = url.as_literal() else {
        return vec![url.clone()];
    };
    let mut done = Values::new();
    let mut open = vec![text.to_owned()];
    while let Some(text) = open.pop() {
        let group = text.find('{').and_then(|start| {
            let end = start + text[start..].find('}')?;
            Some((&text[..start], &text[start + 1..end], &text[end + 1..]))
        });
        match group {
            Some((before, group, after)) if open.len() + done.len() < MAX_WORDS => {
                let urls = group.split(',').map(|one| format!("{before}{one}{after}"));
                let urls: Vec<String> = urls.collect();
                open.extend(urls);
            }
            _ => done.push(Text::literal(text).globbed()),
        }
    }
    done
}

/// `wget` and other download programs
pub fn wget(machine: &mut Machine<'_>, call: &Call<'_>) -> Values {
    for file in call
        .args
        .values("O output-document o output-file a append-output out")
    {
        if file.as_literal() != Some("-") {
            machine.write(file);
        }
    }
    for file in call.args.values("i input-file post-file load-cookies") {
        machine.read(file);
    }
    if !call.args.has("O output-document spider out") {
        let folder = call
            .args
            .values("P directory-prefix d dir")
            .next()
            .cloned()
            .unwrap_or_else(|| Text::literal("."));
        // With `-r` the names here begin with that of the host, unless that is turned off.
        let flattens = |word: &Text| {
            let text = word.prefix();
            text.starts_with("-n") || text.starts_with("--no-") || text.starts_with("--cut")
        };
        let keeps_host = |word: &Text| {
            !flattens(word) || matches!(word.prefix(), "-np" | "--no-parent" | "-nc" | "-nv")
        };
        let is_mirror = call.args.has("r recursive m mirror")
            && call.words.iter().all(keeps_host)
            && call.args.values("P directory-prefix").next().is_none();
        for url in call.args.operands.iter().filter(|_| !is_mirror) {
            machine.write(&folder.joined(&Text::literal("/")).joined(&name_in_url(url)));
        }
    }
    vec![Text::unknown()]
}

/// The name under which a download is saved: the last component, without the query.
fn name_in_url(url: &Text) -> Text {
    let Some(url) = url.as_literal() else {
        return Text::run();
    };
    let path = url.split(['?', '#']).next().unwrap_or(url);
    match path.rsplit('/').next() {
        Some(name) if !name.is_empty() => Text::literal(name),
        _ => Text::run(),
    }
}
