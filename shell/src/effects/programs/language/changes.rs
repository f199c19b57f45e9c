//! Calls that change files.

use super::calls::{Call, Calls, MAX_CALLS, MODULES, is_known};
use super::tokens::Kind;
use super::value::Value;
use crate::effects::value::Text;
use crate::words::lists;

/// Functions that change what their arguments name.
const CHANGE_FIRST: &str = "\
    remove unlink rm rmtree rmdir removedirs truncate mkdir makedirs mkfifo mknod touch writeFile appendFile \
    writeTextFile createWriteStream file_put_contents rm_rf rm_r rm_f mkdir_p ensureDir emptyDir outputFile outputJson delete \
    write binwrite chmod chown utime utimes mktemp";

/// Functions of these that are known without a module, too.
const BARE_FIRST: &str = "unlink rmtree rmdir mkdir makedirs truncate file_put_contents mkfifo mknod chmod writeFile \
    appendFile createWriteStream rm_rf";

/// Functions that change what their second argument names, for which the first is a source.
const CHANGE_SECOND: &str = "copy copy2 copyfile copytree copyFile cp cp_r symlink link ln_s ln ln_sf copy_file copy_tree \
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

impl Call<'_, '_> {
    /// Notes what the call does.
    pub fn note(&self, calls: &mut Calls) {
        let is_module = self.owner.is_some_and(|owner| lists(MODULES, owner));
        let is_function = is_module || self.start == self.at;
        let before = calls.changed.len();
        if lists("chdir", self.name) {
            calls.entered.extend(self.value(0).paths);
        } else if self.start == self.at && lists("exec eval compile", self.name) {
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
}
