//! What the common programs do with their arguments: one table, read from top to bottom, and a function for each
//! way of using paths. A program that is not in the table hands its words on as [`super::AccessKind::Named`].

mod archives;
mod awk;
mod changed_names;
mod code;
mod containers;
mod copying;
mod databases;
mod editors;
mod files;
mod filters;
mod find;
mod folders;
mod formatters;
mod git;
mod interpreters;
mod language;
mod options;
mod output;
mod patches;
mod pauses;
mod printing;
mod quoted;
mod search;
mod sed;
mod transfer;
mod unknown;

pub(super) use code::{Given, interpreted};
pub(super) use copying::write_target;
pub(super) use options::{handed, values};

use super::args::Args;
use super::machine::Machine;
use super::value::{Text, Values};
use super::waits::Activity;
use crate::words::lists;

/// One call of a program.
pub(super) struct Call<'w> {
    /// Its base name.
    pub name: &'w str,
    /// The words after the name.
    pub words: &'w [Text],
    /// The same, sorted.
    pub args: Args,
}

type Act = fn(&mut Machine<'_>, &Call<'_>) -> Values;

/// Programs that use their arguments in the same way.
struct Program {
    /// Their names, between blanks.
    names: &'static str,
    /// The letters of the options that take a value; after a `/` those that take it in the same word.
    short: &'static str,
    /// The long options that take a value, between blanks.
    long: &'static str,
    /// What a call means for a line that waits, if it changes nothing.
    activity: Activity,
    /// What it does with its arguments.
    act: Act,
}

const fn row(
    names: &'static str,
    short: &'static str,
    long: &'static str,
    activity: Activity,
    act: Act,
) -> Program {
    Program {
        names,
        short,
        long,
        activity,
        act,
    }
}

use Activity::{Nothing, Probe, Read, Work};

#[rustfmt::skip]
const PROGRAMS: &[Program] = &[
    // They print, and touch no file.
    row("echo", "", "", Nothing, printing::echo),
    row("printf", "v", "", Nothing, printing::printf),
    row("date", "dfrsI", "date file reference set", Nothing, output::date),
    row("yes expr", "", "", Nothing, output::words),
    row("printenv", "", "", Nothing, output::variables),
    row("envsubst", "", "", Nothing, filters::expanded),
    row("whoami hostname uname id groups tty arch nproc uptime locale tput cal seq factor logname", "", "", Nothing, output::some_text),
    row("dc bc", "", "", Nothing, files::reads),
    row("man info", "P", "pager", Nothing, files::pages),
    row("execution-guard execution-guard-cli", "", "html", Nothing, files::guard),
    row("who last lastb wall", "", "", Probe, files::reads),
    row("say notify-send logger write figlet cowsay banner dmesg sync clear reset", "", "", Nothing, output::some_text),
    row("basename", "s", "suffix", Nothing, output::base),
    row("dirname", "", "", Nothing, output::folder),
    row("realpath readlink", "", "relative-to relative-base", Nothing, output::path),
    row("mktemp", "tp", "suffix tmpdir", Work, output::temporary),
    row("tr", "", "", Nothing, filters::translated),
    row("sleep gsleep usleep", "", "", Nothing, output::sleep),
    row("kill", "sn", "signal", Probe, output::kill),
    row("ping", "cniwtW", "", Probe, output::ping),
    row("ps pgrep pidof pstree lsof ss netstat top htop free vmstat iostat nvidia-smi w pkill killall nc", "", "", Probe, output::some_text),
    row("gh glab hub", "F", "body-file input", Work, files::reads_of_options),
    row("ssh mosh", "BbcDEeFIiJLlmOopQRSWw", "", Work, containers::remote),
    row("crontab", "u", "", Work, containers::scheduled),
    row("help tldr apropos whatis whatweb", "", "", Nothing, output::some_text),
    // They build and test: the values of some of their options are names of tests.
    row("npm pnpm yarn npx vitest jest mocha ava pytest cargo go dotnet mvn gradle phpunit rspec playwright cypress nx turbo ctest tox nox", "tkgm", "run grep testNamePattern test-name-pattern filter deselect ignore exclude", Work, files::names),
    row("docker podman nerdctl kubectl oc", "elp", "build-arg env label name selector", Work, containers::containers),
    row("make gmake", "CfIjloOW", "directory file makefile include-dir eval", Work, files::make),
    // They are spoken to.
    row("claude codex gemini agy aider llm ollama", "pm", "print message prompt", Work, files::names),
    row("pre-commit jupyter", "", "", Work, formatters::named_files),
    // They read their operands.
    row("cat tac nl less more most zless zmore pg zcat bzcat xzcat gzcat lzcat zstdcat cksum sum md5 pygmentize glow ccat jless lolcat", "", "", Read, files::reads),
    row("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum", "a", "algorithm", Read, files::reads),
    row("head ghead", "ncs", "lines bytes", Read, files::reads),
    row("tail gtail", "ncs", "lines bytes pid sleep-interval", Nothing, files::tail),
    row("bat batcat", "lrHnm", "language line-range highlight-line theme style color paging pager tabs wrap decorations", Read, files::reads),
    row("wc", "", "files0-from", Read, files::reads),
    row("rev", "", "", Read, filters::reversed),
    row("cut", "dfcb", "delimiter fields characters bytes output-delimiter", Read, filters::parts),
    row("od", "AjNtSw", "address-radix skip-bytes read-bytes format width", Read, files::reads),
    row("xxd", "cglos", "", Read, filters::decoded),
    row("base64", "w", "wrap", Read, filters::decoded),
    row("hexdump hd strings", "nsefT", "bytes radix", Read, files::reads),
    row("join", "12aejtov", "", Read, files::reads),
    row("shuf", "nio", "head-count input-range output", Read, files::reads),
    row("pr", "hlNoSsWw", "header length width", Read, files::reads),
    row("expand unexpand comm", "t", "tabs output-delimiter", Read, filters::some_of_input),
    row("fold fmt paste base32 iconv numfmt look m4", "wdtsoaefN", "", Read, filters::some_of_input),
    row("column", "csoNH", "", Read, files::reads),
    row("file", "mFPf", "", Read, files::reads),
    row("view", "cSuU", "cmd", Read, editors::views),
    row("sort", "koStT", "key output buffer-size field-separator temporary-directory files0-from", Read, files::sort),
    row("uniq", "fswN", "skip-fields skip-chars check-chars", Read, files::uniq),
    row("split csplit", "abClntf", "prefix", Read, files::split),
    row("diff cmp sdiff colordiff difft delta vimdiff icdiff", "UCFxXiWnI", "unified context exclude exclude-from label width", Read, files::compare),
    row("jq gojq jaq", "fL", "from-file indent", Read, search::filter),
    row("yq xq tomlq dasel", "pio", "input-format output-format", Read, search::filter),
    row("xmllint htmlq pup csvcut csvlook csvstat mlr", "", "xpath", Read, search::filter),
    // They read what matches.
    row("grep egrep fgrep rgrep zgrep pcregrep ggrep", "efmABCdD", "regexp file max-count after-context before-context context include exclude exclude-dir exclude-from binary-files devices directories label", Read, search::grep),
    row("rg ripgrep", "efgtTmABCMjrEd", "regexp file glob iglob type type-not max-count after-context before-context context max-columns threads replace encoding max-depth maxdepth sort sortr colors color pre ignore-file engine path-separator type-add", Read, search::ripgrep),
    row("ag ack ugrep", "GABCmg", "ignore ignore-dir depth context after before", Read, search::ripgrep),
    row("sed gsed", "efl/i", "expression file line-length", Read, sed::sed),
    row("awk gawk mawk nawk", "Fvfil", "field-separator assign file include load", Read, awk::awk),
    row("find gfind", "", "", Read, find::find),
    row("fd fdfind", "tedEcjS", "type extension max-depth min-depth exact-depth exclude color threads size changed-within changed-before owner base-directory search-path", Read, find::fd),
    // They name what is there.
    row("ls gls exa eza lsd", "ITw", "width ignore hide color sort time", Read, output::ls),
    row("tree", "LPIoHT", "filelimit charset", Read, files::lists),
    row("dir vdir du stat", "Idtcf", "max-depth exclude filelimit format", Read, files::lists),
    row("df", "", "", Probe, output::some_text),
    row("mount", "oOtL", "options types", Work, files::mount),
    row("locate mlocate plocate mdfind", "ln", "limit", Read, find::locate),
    // They change their operands.
    row("rm grm srm trash trash-put del rimraf", "", "", Work, files::remove),
    row("rmdir unlink shred mkfifo mknod mmv", "nms", "mode", Work, files::writes),
    row("fallocate", "lo", "length offset", Work, files::writes),
    row("mkdir", "mZ", "mode", Work, files::writes),
    row("touch", "drt", "date reference", Work, files::writes),
    row("truncate", "sr", "size reference", Work, files::writes),
    row("chmod chown chgrp chattr setfacl chcon", "", "reference from", Work, files::change_mode),
    row("tee sponge", "", "", Work, files::tee),
    row("cp gcp robocopy xcopy degit", "tS", "target target-directory suffix", Work, copying::copy),
    row("install ginstall", "tmogS", "target target-directory mode owner group suffix", Work, copying::copy),
    row("mv gmv ren rename", "tS", "target target-directory suffix", Work, copying::rename),
    row("ln", "tS", "target target-directory suffix", Work, copying::link),
    row("rsync", "efBM", "rsh filter exclude include exclude-from include-from files-from log-file backup-dir partial-dir chmod bwlimit port timeout", Work, copying::sync),
    row("scp sftp", "cFiJloPSDX", "", Work, copying::sync),
    row("aws gsutil rclone azcopy s3cmd mc", "", "profile region endpoint-url exclude include", Work, copying::cloud),
    row("dd", "", "", Work, copying::dd),
    row("vi vim nvim nano pico emacs ed ex micro joe", "cSuUr", "cmd", Work, editors::edits),
    row("patch", "pidDoBVzFYgr", "strip input directory output", Work, patches::patch),
    row("convert magick ffmpeg sox qpdf pdftotext wkhtmltopdf ebook-convert", "i", "", Work, copying::convert),
    row("apply_patch applypatch", "", "", Work, patches::apply_patch),
    row("sd", "fn", "flags max-replacements", Work, formatters::replace),
    // Archives, and what comes from elsewhere.
    row("cpio pax", "FHDI", "file format directory", Work, files::named_by_input),
    row("genisoimage mkisofs mksquashfs jar star dar zpaq rar duplicity kopia unison gpgtar", "", "", Work, archives::packs),
    row("ar", "", "", Work, files::library),
    row("objcopy", "OIFBjRKGW", "input-target output-target", Work, copying::convert),
    row("socat", "bdlT", "", Work, files::relay),
    row("pv ts", "LsBiNw", "", Nothing, files::reads),
    row("tar gtar bsdtar", "fCTXbKNVgIHF", "file directory files-from exclude exclude-from transform xform owner group mode use-compress-program", Work, archives::tar),
    row("zip", "btnPxi", "exclude include", Work, archives::zip),
    row("unzip", "dPx", "", Work, archives::unzip),
    row("7z 7za 7zr", "", "", Work, archives::seven),
    row("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 pigz compress uncompress", "So", "suffix output-dir", Work, archives::compress),
    row("curl", "AbcCdDeEFhHKmoPQrtTuUwxXyYz", "output data data-binary data-raw data-urlencode data-ascii json upload-file form config header user user-agent request url cookie cookie-jar dump-header max-time connect-timeout retry output-dir cacert cert key proxy write-out referer range limit-rate resolve netrc-file trace trace-ascii stderr", Work, transfer::curl),
    row("wget", "OoaPiUtTwQABDIXl", "output-document output-file append-output directory-prefix input-file header user-agent timeout tries wait quota post-data post-file load-cookies user password", Work, transfer::wget),
    row("aria2c axel", "dosxj", "dir out", Work, transfer::wget),
    row("git", "", "", Work, git::git),
    row("sqlite3 duckdb clickhouse datasette", "", "", Work, databases::statements),
    // Interpreters.
    row("python python2 python3 pypy pypy3 ipython py", "cmWX", "", Nothing, interpreters::python),
    row("node nodejs deno bun tsx ts-node", "epr", "eval print require", Nothing, interpreters::script),
    row("perl ruby php lua osascript Rscript R julia guile groovy elixir ghc", "eErI/i", "", Nothing, interpreters::script),
    // Formatters that write in place.
    row("nbstripout black isort yapf autopep8 autoflake docformatter pyupgrade", "l", "line-length target-version config profile extend-exclude exclude include", Work, formatters::always),
    row("rustfmt stylua dos2unix unix2dos mdformat", "", "edition config config-path", Work, formatters::always),
    row("ruff prettier eslint biome gofmt goimports gofumpt clang-format shfmt swift-format djlint standard xo rubocop codespell taplo sqlfluff markdownlint stylelint terraform 2to3 dprint oxlint", "c", "config parser ignore-path ignore-pattern exclude extend-exclude select extend-select ignore ext style plugin line-length", Work, formatters::on_request),
];

impl Machine<'_> {
    /// Runs a program of the table, or an unknown one.
    pub(super) fn run_program(&mut self, name: &str, words: &[Text]) -> (Values, Activity) {
        let arguments = &words[1..];
        let known = lookup(name);
        let (short, long) = known.map_or(("", ""), |program| (program.short, program.long));
        let call = Call {
            name,
            words: arguments,
            args: Args::parse(arguments, short, long),
        };
        handed(self, name, arguments);
        match known {
            Some(program) => ((program.act)(self, &call), program.activity),
            None => {
                unknown::unknown(self, name, words);
                (vec![Text::unknown()], Work)
            }
        }
    }
}

/// Whether `name` is a formatter of the table.
pub(super) fn formats(name: &str) -> bool {
    name == "black" || formatters::is_on_request(name)
}

/// Whether the table has `name`.
pub(super) fn knows(name: &str) -> bool {
    lookup(name).is_some()
}

fn lookup(name: &str) -> Option<&'static Program> {
    let known = |program: &&Program| lists(program.names, name);
    // `python3.11` is `python3`.
    PROGRAMS.iter().find(known).or_else(|| {
        let versioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        (versioned.len() < name.len() && versioned.starts_with("python"))
            .then(|| {
                PROGRAMS
                    .iter()
                    .find(|program| program.names.starts_with("python"))
            })
            .flatten()
    })
}

/// The last component of the path of a program, without `.exe`.
pub(super) fn base_name(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let end = name.len().saturating_sub(4);
    match name.get(end..) {
        Some(end_of_name) if end_of_name.eq_ignore_ascii_case(".exe") => &name[..end],
        _ => name,
    }
}
