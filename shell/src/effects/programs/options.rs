//! Options whose value is a file or a line of the shell, whatever else the program does: one table. A file that is
//! only parsed is printed too, if in complaints about its lines.

use crate::effects::machine::Machine;
use crate::effects::value::Text;

/// What the value of an option is.
#[derive(Clone, Copy)]
enum Value {
    /// A file that is read.
    Read,
    /// A file that is written.
    Written,
    /// A line of the shell, or the name of a program.
    Line,
}

use crate::words::lists;
use Value::{Line, Read, Written};

/// Programs, between blanks; their options, between blanks; what their value is.
#[rustfmt::skip]
const OPTIONS: &[(&str, &str, Value)] = &[
    ("date dc hostname last lastb logger say", "-f -F --file", Read),
    ("file", "-f -m --files-from --magic-file", Read),
    ("du", "-X --files0-from --exclude-from", Read),
    ("find gfind", "-files0-from", Read),
    ("dmesg", "-F -K --file --kmsg-file", Read),
    ("diff sdiff colordiff", "-X --exclude-from --from-file --to-file", Read),
    ("hexdump hd", "-f --format-file", Read),
    ("pgrep pkill", "-F --pidfile", Read),
    ("node nodejs bun tsx ts-node ruby", "-r --require --import --env-file", Read),
    ("ss", "-F --filter", Read),
    ("ss", "-D --diag", Written),
    ("shuf sort shred", "--random-source", Read),
    ("shuf sort iconv", "-o --output", Written),
    ("less", "-k --lesskey-file --lesskey-src", Read),
    ("less", "-o -O --log-file --LOG-FILE", Written),
    ("tar gtar bsdtar", "-X --exclude-from", Read),
    ("tar gtar bsdtar", "--index-file", Written),
    ("ssh scp sftp", "-F -i", Read),
    ("ssh", "-E", Written),
    ("script", "-B -I -O -T --log-io --log-in --log-out --log-timing", Written),
    ("hyperfine", "--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode --output", Written),
    ("ssh scp sftp", "-o", Line),
    ("tar gtar bsdtar", "-I -F --to-command --checkpoint-action --use-compress-program --rsh-command --info-script --new-volume-script", Line),
    ("split", "--filter", Line),
    ("sort", "--compress-program", Line),
    ("rsync", "-e --rsh --rsync-path", Line),
    ("rg ripgrep", "--pre", Line),
    ("man", "-P --pager", Line),
    ("nc ncat", "-e -c --exec --sh-exec", Line),
    ("gdb lldb", "-ex -iex -o --eval-command --init-eval-command", Line),
    ("docker podman nerdctl", "-f --file --env-file --label-file", Read),
    ("git-diff git-log git-show", "-O", Read),
    ("git-ls-files", "-X --exclude-from", Read),
    ("git-rebase", "-x --exec", Line),
    ("git-difftool git-mergetool", "-x --extcmd", Line),
    ("git-grep", "-O --open-files-in-pager", Line),
    ("git-filter-branch", "--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter", Line),
    ("git-commit git-tag git-notes git-merge", "-F -t --file --template", Read),
    ("git-add git-checkout git-commit git-reset git-restore git-rm git-stash", "--pathspec-from-file", Read),
    ("git-config", "-f --file", Read),
    ("git-blame", "--contents -S --ignore-revs-file", Read),
    ("git-archive", "--add-file", Read),
    ("git-fmt-merge-msg", "-F --file", Read),
    ("git-clone git-init", "--template", Read),
    ("npx bunx npm", "-c --call", Line),
    ("tar gtar bsdtar", "-g --listed-incremental", Written),
    ("rsync", "--write-batch --only-write-batch", Written),
    ("gcc g++ cc c++ clang clang++ cpp", "-o -MF -MJ", Written),
    ("curl", "--etag-save --hsts --alt-svc --libcurl", Written),
    ("tree", "-o", Written),
    ("openssl", "-keyout -writerand", Written),
    ("node nodejs", "--redirect-warnings --cpu-prof-dir --heap-prof-dir --diagnostic-dir --report-dir", Written),
    ("git-checkout-index", "--prefix", Written),
    ("git-clone git-init", "--separate-git-dir", Written),
    ("go dotnet", "-o --output", Written),
    ("go", "-cpuprofile -memprofile -blockprofile -mutexprofile -coverprofile -trace -outputdir", Written),
    ("cargo", "--target-dir", Written),
    ("cmake", "-B --prefix --install-prefix", Written),
    ("javac", "-d", Written),
    ("protoc", "--python_out --go_out --js_out --cpp_out --java_out --descriptor_set_out", Written),
    ("pytest", "--junitxml --junit-xml --json-report-file --benchmark-json --html --basetemp --log-file", Written),
    ("eslint stylelint oxlint", "-o --output-file", Written),
    ("ruff", "--output-file", Written),
    ("jupyter", "--output-dir", Written),
    ("pip pip3", "-t --target -d --dest --log", Written),
    ("gh", "-D --dir -O --output", Written),
    ("pg_dump pg_dumpall", "-f --file", Written),
    ("mysqldump mariadb-dump", "-r --result-file", Written),
    ("git-bugreport git-diagnose", "-o --output-directory", Written),
];

/// Notes what the options of a program hand to it.
pub fn handed(machine: &mut Machine<'_>, program: &str, words: &[Text]) {
    let has = |list: &str, name: &str| lists(list, name);
    for (_, options, value) in OPTIONS.iter().filter(|(names, ..)| has(names, program)) {
        for option in options.split(' ') {
            let clustered = program.starts_with("git-") && matches!(value, Read);
            let behind = words.iter().filter_map(|word| behind_cluster(word, option));
            for given in values(words, option).chain(behind.filter(|_| clustered)) {
                match value {
                    Read if given.as_literal() == Some("-") => {}
                    Read => machine.read(&given),
                    Written => machine.write(&given),
                    Line => machine.line_of_option(&line_in(&given)),
                }
            }
        }
    }
}

/// The line in `exec=line` and `ProxyCommand=line`.
fn line_in(value: &Text) -> Text {
    let prefix = value.prefix();
    let name = prefix.split(['=', ' ']).next().unwrap_or("");
    let is_named = prefix[name.len()..].starts_with('=');
    if is_named && name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        value.without_prefix(name.len() + 1)
    } else {
        value.clone()
    }
}

/// The values of one option: in a word of their own, after `=`, or right behind the letter.
pub fn values<'w>(words: &'w [Text], option: &'w str) -> impl Iterator<Item = Text> + 'w {
    let is_letter = option.len() == 2;
    words.iter().enumerate().filter_map(move |(at, word)| {
        let text = word.prefix();
        if word.as_literal() == Some(option) || is_letter && ends_cluster(word, option) {
            return words.get(at + 1).cloned();
        }
        let rest = text.strip_prefix(option).filter(|_| !text.is_empty())?;
        if is_letter {
            return Some(word.without_prefix(2)).filter(|value| !value.is_empty());
        }
        let attached = rest.starts_with('=');
        attached.then(|| word.without_prefix(option.len() + 1))
    })
}

/// The path in `-qfpath`.
fn behind_cluster(word: &Text, option: &str) -> Option<Text> {
    let letters = word.prefix().strip_prefix('-')?;
    let at = letters
        .find(option.strip_prefix('-')?)
        .filter(|at| *at > 0)?;
    let value = &letters[at + 1..];
    let plain = letters[..at].bytes().all(|byte| byte.is_ascii_lowercase());
    (option.len() == 2 && plain && value.contains('/')).then(|| word.without_prefix(at + 2))
}

/// `-qf value`
fn ends_cluster(word: &Text, option: &str) -> bool {
    word.as_literal().is_some_and(|text| {
        text.len() > 2
            && text.ends_with(&option[1..])
            && text.starts_with('-')
            && text[1..].bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}
