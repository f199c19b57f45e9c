//! The calls in a piece of code that change files, walk through folders or enter them, with the paths that they are
//! given.

use super::bindings::{chain_start, closing};
use super::expressions::{Code, Value, ends_statement};
use super::tokens::Kind;
use crate::effects::value::{Atom, Text};
use crate::words::lists;

/// The most calls that are looked at in one piece of code.
const MAX_CALLS: usize = 256;

/// What the calls in a piece of code do.
#[derive(Default)]
pub struct Calls {
    /// What is changed, and whether with all below it.
    pub changed: Vec<(Text, bool)>,
    /// Folders that are walked through, or only listed.
    pub walked: Vec<(Text, bool)>,
    /// Folders that the code enters.
    pub entered: Vec<Text>,
    /// Code and lines that the code runs, and whether they are code.
    pub run: Vec<(String, bool)>,
    /// Where the calls stand of which all is known, in the code.
    spans: Vec<(usize, usize)>,
    /// Whether a call changes what is not known.
    open: bool,
    /// Whether it reads a file whose name it gets from elsewhere.
    pub reads_found: bool,
}

impl Calls {
    /// Whether it is known of each of `signs` in `code` what it changes.
    pub fn explain(&self, code: &str, signs: &[&str]) -> bool {
        let explained = |at: usize| {
            self.spans
                .iter()
                .any(|(from, to)| (*from..*to).contains(&at))
        };
        // A mode stands behind a comma or a name, `'w'` elsewhere is a text.
        let is_text = |sign: &str, at: usize| {
            let before = code[..at].trim_end();
            let is_mode = before.ends_with([',', '=', ':']) || before.ends_with("open(");
            sign.starts_with(['\'', '"']) && sign.len() > 2 && !is_mode
        };
        let mut found = signs.iter().flat_map(|sign| code.match_indices(sign));
        !self.open
            && !self.spans.is_empty()
            && found.all(|(at, sign)| explained(at) || is_text(sign, at))
    }
}

/// Modules whose functions work on files.
const MODULES: &str = "os shutil fs fsp fse promises path File FileUtils Deno Bun IO Dir FileTest posix distutils file_util";

/// Functions that change what their arguments name.
const CHANGE_FIRST: &str = "\
    remove unlink rm rmtree rmdir removedirs truncate mkdir makedirs mkfifo mknod touch writeFile appendFile \
    writeTextFile createWriteStream file_put_contents rm_rf rm_r rm_f mkdir_p ensureDir emptyDir outputFile outputJson delete \
    write binwrite chmod chown utime utimes mktemp";

/// Functions of these that are known without a module, too.
const BARE_FIRST: &str = "unlink rmtree rmdir mkdir makedirs truncate file_put_contents mkfifo mknod chmod writeFile \
    appendFile createWriteStream rm_rf";

/// Functions that change what their second argument names, for which the first is a source.
const CHANGE_SECOND: &str = "copy copy2 copyfile copytree copyFile cp cp_r symlink link ln_s ln ln_sf install copy_file copy_tree \
    copy_stream";

/// Functions that change what both arguments name.
const CHANGE_BOTH: &str = "rename renames move mv";

/// Methods of a path that change it.
const CHANGE_OWN: &str = "write_text write_bytes unlink touch rename replace rmdir chmod mkdir symlink_to hardlink_to link_to";

/// Methods of anything that write the file which their first argument names.
const WRITE_GIVEN: &str = "to_csv to_json to_parquet to_pickle to_excel savefig save savetxt write_csv write_parquet \
    write_json FileHandler RotatingFileHandler";

/// Calls that open a file.
const OPEN: &str = "open fopen sysopen SplFileObject ZipFile TarFile";

/// Functions that walk through or list what their first argument names.
const WALK: &str = "walk listdir scandir readdir opendir copytree cp_r cp RecursiveDirectoryIterator find add each_child";

/// Methods that do so with the path that they belong to.
const WALK_OWN: &str = "rglob iterdir find each_child children walk";

/// The calls in `code`.
pub fn calls(code: &Code<'_>) -> Calls {
    let mut calls = Calls::default();
    let mut looked = 0;
    for at in 0..code.tokens.len() {
        let Some(call) = call_at(code, at) else {
            continue;
        };
        looked += 1;
        if looked > MAX_CALLS {
            calls.open = true;
            break;
        }
        call.note(&mut calls);
    }
    calls
}

/// One call.
struct Call<'a, 'c> {
    code: &'a Code<'c>,
    name: &'a str,
    /// Where its name stands.
    at: usize,
    /// Where what it belongs to begins.
    start: usize,
    /// The name of what it belongs to.
    owner: Option<&'a str>,
    arguments: Vec<(usize, usize)>,
    end: usize,
}

/// The call whose name is the token `at`, if there is one.
fn call_at<'a, 'c>(code: &'a Code<'c>, at: usize) -> Option<Call<'a, 'c>> {
    let Some(Kind::Name(name)) = code.kind(at) else {
        return None;
    };
    let name = code.real(name);
    let name = name.strip_suffix("Sync").unwrap_or(name);
    let is_member = at > 0 && code.is(at - 1, '.');
    let (from, to) = if code.is(at + 1, '(') {
        (at + 2, closing(&code.tokens, at + 1))
    } else if is_command(name) && starts_argument(code, at + 1) {
        let mut end = at + 1;
        while end < code.tokens.len() && !ends_statement(code.tokens[end].kind) {
            end = match code.tokens[end].kind {
                Kind::Sign('(' | '[' | '{') => closing(&code.tokens, end) + 1,
                _ => end + 1,
            };
        }
        (at + 1, end.min(code.tokens.len()))
    } else if is_member && is_bare_method(code, name, at) {
        (at + 1, at + 1)
    } else {
        return None;
    };
    let start = if is_member {
        chain_start(&code.tokens, at - 1)
    } else {
        at
    };
    let owner = match code.kind(at.wrapping_sub(2)).filter(|_| is_member) {
        Some(Kind::Name(owner)) => Some(code.real(owner)),
        // `require('fs').rm(…)`, `__import__('os').remove(…)`
        Some(Kind::Sign(')')) => match (code.kind(start), code.kind(start + 2)) {
            (
                Some(Kind::Name("require" | "__import__" | "import_module")),
                Some(Kind::Text(module)),
            ) => Some(if lists("os shutil", module) {
                module
            } else {
                "fs"
            }),
            _ => None,
        },
        _ => None,
    };
    Some(Call {
        code,
        name,
        at,
        start,
        owner,
        arguments: code.arguments(from, to),
        end: to,
    })
}

/// Functions that Perl, Ruby and PHP call without brackets.
fn is_command(name: &str) -> bool {
    lists(
        "open unlink rename mkdir rmdir truncate chmod link symlink sysopen delete write rm_rf rm_r rm mv cp cp_r touch chdir",
        name,
    )
}

/// Methods of Ruby's paths that need no brackets: `Pathname.new("x").delete`, `Pathname("x").find { … }`
fn is_bare_method(code: &Code<'_>, name: &str, at: usize) -> bool {
    lists("delete unlink rmtree rmdir find each_child children", name)
        && code.kind(chain_start(&code.tokens, at - 1)) == Some(Kind::Name("Pathname"))
}

fn starts_argument(code: &Code<'_>, at: usize) -> bool {
    match code.kind(at) {
        Some(Kind::Text(_)) => true,
        Some(Kind::Name(name)) => !lists("in is if unless as for and or from", name),
        _ => false,
    }
}

impl Call<'_, '_> {
    fn value(&self, index: usize) -> Value {
        let span = self.positional(index);
        span.map_or_else(Value::default, |(from, to)| self.code.value(from, to))
    }

    /// An argument that is not given by its name.
    fn positional(&self, index: usize) -> Option<(usize, usize)> {
        let given = self
            .arguments
            .iter()
            .filter(|(from, to)| from + 1 >= *to || !self.code.is(from + 1, '='));
        given.copied().nth(index)
    }

    /// The argument of one of these names: `dir='x'`.
    fn keyword(&self, names: &str) -> Option<Value> {
        let named = |(from, _): &&(usize, usize)| {
            matches!(self.code.kind(*from), Some(Kind::Name(name)) if lists(names, name))
                && self.code.is(from + 1, '=')
        };
        self.arguments
            .iter()
            .find(named)
            .map(|(from, to)| self.code.value(from + 2, *to))
    }

    /// What it belongs to.
    fn own(&self) -> Value {
        if self.start >= self.at {
            Value::default()
        } else {
            self.code.value(self.start, self.at - 1)
        }
    }

    fn text(&self, index: usize) -> Option<&str> {
        let (from, to) = self.positional(index)?;
        match self.code.kind(from) {
            Some(Kind::Text(text)) if from + 1 == to => Some(text),
            _ => None,
        }
    }

    fn note(&self, calls: &mut Calls) {
        let is_module = self.owner.is_some_and(|owner| lists(MODULES, owner));
        let is_function = is_module || self.start == self.at;
        let before = calls.changed.len();
        if lists("chdir", self.name) {
            calls.entered.extend(self.value(0).paths);
        } else if lists("exec eval compile", self.name) {
            calls
                .run
                .extend(self.text(0).map(|text| (text.to_owned(), true)));
        } else if lists(OPEN, self.name) || self.name == "new" && self.owner == Some("File") {
            self.opens(calls);
        } else if lists(CHANGE_BOTH, self.name) && is_function {
            self.changes(calls, self.value(0), true);
            self.changes(calls, self.value(1), false);
        } else if lists(CHANGE_SECOND, self.name)
            && (is_module || is_function && self.arguments.len() > 1)
        {
            self.changes(calls, self.value(1), false);
        } else if self.name == "replace" && self.owner == Some("os") {
            self.changes(calls, self.value(0), false);
            self.changes(calls, self.value(1), false);
        } else if is_module && lists(CHANGE_FIRST, self.name)
            || is_function && lists(BARE_FIRST, self.name)
            || self.is_imported()
        {
            self.changes_given(calls);
        } else if self.owner == Some("Bun") && self.name == "write" {
            self.changes(calls, self.value(0), false);
        } else if lists(CHANGE_OWN, self.name) && !is_function {
            self.changes_own(calls);
        } else if lists("delete write", self.name)
            && matches!(self.code.kind(self.start), Some(Kind::Name("Pathname")))
        {
            self.changes(calls, self.own(), false);
        } else if lists(WRITE_GIVEN, self.name) {
            self.changes(calls, self.value(0), false);
        } else if lists("extract extractall", self.name) {
            let folder = self.keyword("path members");
            let index = usize::from(self.name == "extract");
            let folder = folder.or_else(|| self.positional(index).map(|_| self.value(index)));
            self.changes(
                calls,
                folder.unwrap_or_else(|| Value::of(Text::literal("."))),
                false,
            );
        } else if self.name == "urlretrieve" || self.name == "unpack_archive" {
            self.changes(
                calls,
                self.keyword("extract_dir").unwrap_or_else(|| self.value(1)),
                false,
            );
        } else if self.name == "make_archive" {
            self.changes(calls, self.value(0), false);
        } else if lists("mkstemp NamedTemporaryFile mkdtemp", self.name) {
            if let Some(folder) = self.keyword("dir") {
                self.changes(calls, folder, false);
            }
        } else if lists("remove truncate", self.name) && !is_function {
            // One of a list; a file that was opened.
            self.explained(calls);
        } else if self.owner == Some("shelve")
            || self.owner == Some("cProfile") && self.name == "run"
        {
            self.changes(calls, self.value(usize::from(self.name == "run")), false);
        } else if self.name == "write" && self.code.source.contains("ElementTree") {
            self.changes(calls, self.value(0), false);
        }
        self.hands_on(calls);
        self.walks(calls, is_function);
        if calls.changed.len() > MAX_CALLS {
            calls.changed.truncate(before);
            calls.open = true;
        }
        let reads_own = lists("read_text read_bytes", self.name) && !is_function;
        if reads_own
            || lists(
                "readFile readTextFile read readlines readfile file_get_contents",
                self.name,
            ) && is_function
        {
            let read = if is_function {
                self.value(0)
            } else {
                self.own()
            };
            calls.reads_found |= !is_known(&read);
        }
    }

    /// Whether an import gave it another name: `from os import remove as r`.
    fn is_imported(&self) -> bool {
        let Some(Kind::Name(name)) = self.code.kind(self.at) else {
            return false;
        };
        let has = |sign: &str| self.code.source.contains(sign);
        self.start == self.at
            && lists(CHANGE_FIRST, self.name)
            && !lists("write delete", self.name)
            && (self.code.aliases.iter().any(|(alias, _)| *alias == name)
                || ["from os import", "from shutil import"]
                    .iter()
                    .any(|sign| has(sign))
                || has("require(") && has("fs"))
    }

    fn explained(&self, calls: &mut Calls) {
        let tokens = &self.code.tokens;
        let end = tokens
            .get(self.end)
            .or(tokens.last())
            .map_or(0, |token| token.end);
        calls.spans.push((tokens[self.start].start, end));
    }

    /// Notes that `target` is changed, with all below it if it is removed or `moved`.
    fn changes(&self, calls: &mut Calls, target: Value, moved: bool) {
        let below = moved || lists("rmtree rm rm_rf rm_r copytree cp_r", self.name);
        let begins = |path: &Text| path.atoms().first() != Some(&Atom::Unknown);
        if target.closed && !target.paths.is_empty() && target.paths.iter().all(begins) {
            self.explained(calls);
        } else {
            calls.open = true;
        }
        calls
            .changed
            .extend(target.paths.into_iter().map(|path| (path, below)));
    }

    /// Each argument is changed; what else is given than paths says how.
    fn changes_given(&self, calls: &mut Calls) {
        let mut any = false;
        for index in 0..self.arguments.len().min(16) {
            let Some((from, _)) = self.positional(index) else {
                break;
            };
            // `chmod(0644, 'x')`
            let is_number = matches!(self.code.kind(from), Some(Kind::Name(name)) if name.starts_with(|c: char| c.is_ascii_digit()));
            let takes_more = lists(
                "unlink delete rm_rf rm_r rm rm_f mkdir_p touch chmod",
                self.name,
            );
            if is_number && index == 0 {
                continue;
            }
            let value = self.value(index);
            if !any || takes_more && value.closed && !is_number {
                self.changes(calls, value, false);
            }
            any = true;
            if !takes_more {
                break;
            }
        }
        if !any {
            // `unlink;` and what is changed in a way that is not seen.
            calls.open = true;
        }
    }

    /// `Path('x').unlink()`, `p.rename('y')`
    fn changes_own(&self, calls: &mut Calls) {
        let two = lists("rename replace", self.name);
        if self.name == "replace" && self.arguments.len() != 1 {
            return self.explained(calls);
        }
        // `df.rename(columns={})`
        if two && self.positional(0).is_none() {
            return self.explained(calls);
        }
        let own = self.own();
        if two || self.name == "link_to" {
            self.changes(calls, self.value(0), false);
        }
        self.changes(calls, own, two);
    }

    /// A call that opens a file, perhaps to write it.
    fn opens(&self, calls: &mut Calls) {
        if self.owner == Some("shelve") {
            return self.changes(calls, self.value(0), false);
        }
        let is_handle = |(from, to): (usize, usize)| match self.code.kind(from) {
            Some(Kind::Name("my")) => true,
            Some(Kind::Name(name)) => {
                from + 1 == to
                    && (name.starts_with('$')
                        || name
                            .bytes()
                            .all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
            }
            _ => false,
        };
        let has_path_mode = self.text(1).is_some_and(|text| {
            text.starts_with(['<', '>', '+', '|']) || text.contains(['/', '.'])
        });
        let is_perl = matches!(self.owner, None) && self.start == self.at && lists("open sysopen", self.name)
            && self.arguments.first().copied().is_some_and(is_handle)
            && (has_path_mode || self.arguments.len() != 2 || self.positional(1).is_some_and(|(from, _)| matches!(self.code.kind(from), Some(Kind::Name(name)) if name.starts_with('$'))));
        if is_perl {
            return self.opens_as_perl(calls);
        }
        // `p.open('w')` has the mode first.
        let owned = self.start != self.at
            && self.owner.is_none_or(|owner| {
                !lists(MODULES, owner)
                    && !lists(
                        "gzip bz2 lzma io codecs tarfile zipfile aiofiles Image",
                        owner,
                    )
            });
        let (target, mode) = if owned && self.name == "open" {
            (self.own(), 0)
        } else {
            (self.value(0), 1)
        };
        let mode = match (self.keyword("mode"), self.positional(mode)) {
            (Some(mode), _) => mode,
            (None, Some((from, to))) => {
                let flags = self.code.tokens[from..to].iter().any(|token| matches!(token.kind, Kind::Name(name) if name.contains("WR") || name.contains("CREAT") || name.contains("TRUNC")));
                if flags {
                    Value::of(Text::literal("w"))
                } else if self.code.is(from, '{') {
                    Value::of(Text::literal("r"))
                } else {
                    self.code.value(from, to)
                }
            }
            (None, None) => Value::of(Text::literal("r")),
        };
        let writes = |mode: &Text| {
            mode.as_literal()
                .is_none_or(|mode| mode.starts_with(['w', 'a', 'x', 'c']) || mode.contains('+'))
        };
        if mode.paths.iter().any(writes)
            || !mode.closed && mode.paths.is_empty() && self.code.source.contains("'w")
        {
            self.changes(calls, target, false);
        } else {
            calls.reads_found |= !is_known(&target);
            self.explained(calls);
        }
    }

    /// `open F, ">x"`, `open(my $f, ">", "x")`, `open F, "|tee x"`
    fn opens_as_perl(&self, calls: &mut Calls) {
        let mode = self.text(1).unwrap_or("");
        let sign = mode.trim_start();
        let path = sign
            .trim_start_matches(['<', '>', '+', '|', '-', ' '])
            .trim();
        let target = if sign.starts_with('|') || sign.ends_with('|') {
            let line = if path.is_empty() {
                self.text(2).unwrap_or("")
            } else {
                path.trim_end_matches('|')
            };
            calls.run.push((line.to_owned(), false));
            return self.explained(calls);
        } else if self.name == "sysopen" {
            self.value(1)
        } else if path.is_empty() && self.arguments.len() > 2 {
            self.value(2)
        } else if sign.starts_with(['<', '>', '+']) {
            self.value(1).after_signs()
        } else {
            self.value(1)
        };
        let flags = || {
            self.arguments.get(2).is_some_and(|(from, to)| self.code.tokens[*from..*to].iter().any(|token| matches!(token.kind, Kind::Name(name) if name.contains("WR") || name.contains("CREAT"))))
        };
        if sign.starts_with(['>', '+']) || self.name == "sysopen" && flags() {
            self.changes(calls, target, false);
        } else {
            calls.reads_found |= !is_known(&target);
            self.explained(calls);
        }
    }

    /// `names.forEach(fs.unlinkSync)`, `map(os.remove, names)`, `array_map("unlink", glob("x"))`
    fn hands_on(&self, calls: &mut Calls) {
        let changer = self.arguments.iter().position(|(from, to)| {
            let name = match self.code.kind(to - 1) {
                Some(Kind::Name(name) | Kind::Text(name)) => self.code.real(name),
                _ => return false,
            };
            let name = name.strip_suffix("Sync").unwrap_or(name);
            let is_plain = self.code.tokens[*from..*to]
                .iter()
                .all(|token| matches!(token.kind, Kind::Name(_) | Kind::Text(_) | Kind::Sign('.')));
            is_plain
                && lists("unlink remove rmtree rm truncate", name)
                && lists("map forEach array_map each array_walk", self.name)
        });
        let Some(changer) = changer else {
            return;
        };
        let target = if lists("map array_map array_walk", self.name) && self.arguments.len() > 1 {
            self.value(1 - changer.min(1))
        } else {
            self.own()
        };
        self.changes(calls, target, false);
    }

    /// Notes a folder that it walks through or lists.
    fn walks(&self, calls: &mut Calls, is_function: bool) {
        let first_is_sub = matches!(
            self.arguments
                .first()
                .and_then(|(from, _)| self.code.kind(*from)),
            Some(Kind::Name("sub") | Kind::Sign('\\'))
        );
        let walked = if lists(WALK_OWN, self.name)
            && !is_function
            && self.owner.is_none_or(|owner| owner != "Find")
        {
            self.own()
        } else if self.name == "make_archive" {
            self.keyword("root_dir").unwrap_or_else(|| self.value(2))
        } else if self.name == "find" && first_is_sub {
            // `find(sub { … }, "x")`
            self.value(self.arguments.len().saturating_sub(1))
        } else if self.name == "find" && self.owner != Some("Find") {
            return;
        } else if lists(WALK, self.name)
            || self.name == "new" && self.owner == Some("RecursiveDirectoryIterator")
        {
            let index = usize::from(self.name == "opendir" && self.arguments.len() > 1);
            self.value(index)
        } else {
            return;
        };
        let lists_only = lists("listdir scandir iterdir children each_child", self.name)
            || lists("readdir opendir", self.name) && !self.code.source.contains("recursive");
        calls
            .walked
            .extend(walked.paths.into_iter().map(|path| (path, !lists_only)));
    }
}

/// Whether a file that is read is one that the code spells.
fn is_known(value: &Value) -> bool {
    value.closed && value.paths.iter().all(|path| path.as_literal().is_some())
}

impl Value {
    /// A path of Perl without the signs before it that say how it is opened.
    fn after_signs(mut self) -> Self {
        for path in &mut self.paths {
            let length =
                path.prefix().len() - path.prefix().trim_start_matches(['<', '>', '+', ' ']).len();
            *path = path.without_prefix(length);
        }
        self
    }
}
