//! The commands of PowerShell and `cmd` that touch files, with their aliases.

use crate::effects::machine::{Machine, forward_slashes};
use crate::effects::programs::write_target;
use crate::effects::value::{Atom, Text, Values};
use crate::effects::waits::Activity;
use crate::words::lists;

/// What a command does with its paths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Read,
    /// The first operand is a pattern.
    Select,
    List,
    Remove,
    Write,
    Copy,
    Move,
    /// The operand after the first is the path that the first one leads to.
    Link,
    /// What it fetches goes into a file that a parameter names.
    Fetch,
    /// Its operand is a line.
    Evaluate,
    /// `set NAME=value`
    Assign,
    Enter,
    Leave,
    Print,
    Sleep,
    /// It passes on what it gets.
    Pass,
}

#[rustfmt::skip]
const CMDLETS: &[(&str, Does)] = &[
    ("get-content gc cat type more import-csv import-clixml get-filehash format-hex fhx compare-object fc certutil", Does::Read),
    ("select-string sls findstr", Does::Select),
    ("get-childitem gci ls dir tree get-item gi test-path resolve-path rvpa get-itemproperty get-acl where", Does::List),
    ("remove-item ri rm rmdir rd del erase clear-content clc remove-itemproperty", Does::Remove),
    ("set-content sc add-content ac out-file new-item ni tee-object tee md mkdir set-itemproperty export-csv epcsv export-clixml set-acl attrib icacls takeown clear-item start-transcript", Does::Write),
    ("copy-item cpi cp copy xcopy robocopy compress-archive expand-archive", Does::Copy),
    ("move-item mi mv move rename-item rni ren rename", Does::Move),
    ("mklink", Does::Link),
    ("invoke-webrequest iwr invoke-restmethod irm start-bitstransfer", Does::Fetch),
    ("invoke-expression iex", Does::Evaluate),
    ("set", Does::Assign),
    ("set-location sl cd chdir push-location pushd", Does::Enter),
    ("pop-location popd", Does::Leave),
    ("write-output write-host echo write write-error write-verbose write-warning get-date get-process ps gps get-location gl pwd get-command gcm cls clear-host rem get-job tasklist", Does::Print),
    ("start-sleep sleep timeout", Does::Sleep),
    ("select-object select where-object sort-object sort foreach-object foreach measure-object measure group-object out-string format-table ft format-list fl out-host out-null convertto-json convertfrom-json if else elseif try catch finally while do switch function return param in not", Does::Pass),
];

/// Parameters that take a value, in lower case.
const TAKING: &str = "path literalpath destination filepath filter include exclude value encoding pattern totalcount tail head \
    first last skip context itemtype name newname delimiter erroraction ea depth stream property target seconds milliseconds \
    s m outfile uri width inputobject expandproperty index argumentlist destinationpath";

/// Those of them whose value is a path.
const PATHS: &str = "path literalpath filepath target";

/// Parameters without a value that an abbreviation could be taken for one of the others.
const SWITCHES: &str =
    "recurse r rec force f append a noclobber raw wait asbytestream directory file hidden name";

#[derive(Default)]
struct Parameters {
    operands: Vec<Text>,
    destination: Option<Text>,
    filters: Vec<Text>,
    recursive: bool,
    pattern: bool,
    seconds: Option<f64>,
}

impl Machine<'_> {
    /// Runs a command of the table; `None` if it is not there.
    pub(super) fn cmdlet(&mut self, name: &str, words: &[Text]) -> Option<Values> {
        let does = CMDLETS.iter().find(|(names, _)| lists(names, name))?.1;
        let outer = std::mem::replace(&mut self.program, name.to_owned());
        let mut parameters = Parameters::read(name, &words[1..]);
        if !matches!(does, Does::Pass) {
            self.note_run(words);
        }
        self.waiting.note(match does {
            Does::Read | Does::Select | Does::List => Activity::Read,
            Does::Print | Does::Enter | Does::Leave | Does::Sleep | Does::Pass => Activity::Nothing,
            _ => Activity::Work,
        });
        if parameters.operands.is_empty()
            || (does == Does::Select && parameters.operands.len() == 1)
        {
            // The paths come from the pipeline.
            let given = self.stdin.clone().unwrap_or_default();
            if !matches!(
                does,
                Does::Print | Does::Enter | Does::Pass | Does::List | Does::Sleep
            ) {
                parameters.operands.extend(given);
            }
        }
        let output = self.act(does, name, &parameters);
        self.program = outer;
        Some(output)
    }

    fn act(&mut self, does: Does, name: &str, parameters: &Parameters) -> Values {
        let operands = &parameters.operands;
        match does {
            Does::Read => self.read_all(operands, parameters),
            Does::Select => self.read_all(
                &operands[usize::from(!parameters.pattern).min(operands.len())..],
                parameters,
            ),
            Does::List => return self.list_all(parameters),
            Does::Remove => {
                // A folder goes with what is in it.
                operands.iter().for_each(|path| self.write_below(path));
            }
            Does::Write => operands
                .iter()
                .take(if name == "tee" { 8 } else { 1 })
                .for_each(|path| self.write(path)),
            Does::Copy | Does::Move => self.transfer(does == Does::Move, parameters),
            Does::Link => {
                if let [link, target] = &operands[..] {
                    self.write(link);
                    self.read(target);
                }
            }
            Does::Fetch => parameters
                .destination
                .iter()
                .for_each(|file| self.write(file)),
            Does::Evaluate => operands
                .iter()
                .for_each(|line| self.run_windows(&line.render())),
            Does::Assign => {
                for word in operands {
                    if let Some((name, _)) = word.prefix().split_once('=') {
                        let value = word.without_prefix(name.len() + 1);
                        self.state.assign(&name.to_lowercase(), vec![value], false);
                    }
                }
            }
            Does::Enter => {
                let folders = match operands.first() {
                    Some(folder) => self
                        .paths(folder)
                        .iter()
                        .map(crate::effects::PathPattern::to_text)
                        .collect(),
                    None => self.state.folders.clone(),
                };
                self.state.enter(folders, self.certain);
            }
            Does::Leave => self.state.enter(vec![Text::unknown()], self.certain),
            Does::Sleep => self.waiting.sleep(parameters.seconds),
            Does::Print => {}
            Does::Pass => return self.stdin.clone().unwrap_or_default(),
        }
        Values::new()
    }

    fn read_all(&mut self, paths: &[Text], parameters: &Parameters) {
        for path in paths {
            if parameters.recursive {
                self.read_below(path, true);
            } else {
                self.read(path);
            }
        }
    }

    /// Lists folders; what they hold goes into the pipeline.
    fn list_all(&mut self, parameters: &Parameters) -> Values {
        let here = [Text::literal(".")];
        let folders = if parameters.operands.is_empty() {
            &here[..]
        } else {
            &parameters.operands
        };
        let mut found = Values::new();
        for folder in folders {
            if parameters.recursive {
                self.list_below(folder);
            } else {
                self.list(folder);
            }
            let mut inside = folder.joined(&Text::literal("/"));
            if parameters.recursive {
                inside.push(Atom::Below { hidden: true });
            }
            if parameters.filters.is_empty() {
                if parameters.recursive {
                    found.push(inside);
                } else {
                    found.push(folder.clone());
                    inside.push(Atom::Run);
                    found.push(inside);
                }
                continue;
            }
            for filter in &parameters.filters {
                let separator = Text::literal(if parameters.recursive { "/" } else { "" });
                found.push(inside.joined(&separator).joined(&filter.globbed()));
            }
        }
        found
    }

    fn transfer(&mut self, moves: bool, parameters: &Parameters) {
        let operands = &parameters.operands;
        let (sources, target) = match (&parameters.destination, operands.split_last()) {
            (Some(target), _) => (&operands[..], Some(target)),
            (None, Some((target, sources))) if !sources.is_empty() => (sources, Some(target)),
            (None, _) => (&operands[..], None),
        };
        for source in sources {
            if moves {
                self.write_below(source);
            } else {
                // Whether a folder is copied with what is in it hangs on a switch; the name says nothing.
                self.read_below(source, true);
            }
        }
        let Some(target) = target else { return };
        let sources: Vec<Text> = sources.iter().map(forward_slashes).collect();
        write_target(self, &sources, &forward_slashes(target), false);
    }
}

impl Parameters {
    fn read(name: &str, words: &[Text]) -> Self {
        let mut parameters = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.prefix().to_lowercase();
            let is_switch = text.starts_with('/')
                && word.as_literal().is_some()
                && (text.chars().count() <= 2
                    || text.get(2..).is_some_and(|rest| rest.starts_with(':')));
            if is_switch {
                parameters.recursive |= text == "/s" || text == "/e";
                if text == "/t" && name == "timeout" {
                    parameters.seconds = words
                        .next()
                        .and_then(Text::as_literal)
                        .and_then(crate::effects::waits::seconds);
                }
                continue;
            }
            match text
                .strip_prefix('-')
                .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
            {
                Some(parameter) => parameters.parameter(parameter, word, &mut words),
                None => parameters.operands.push(word.clone()),
            }
        }
        if matches!(name, "start-sleep" | "sleep" | "timeout") && parameters.seconds.is_none() {
            let first = parameters.operands.first().and_then(Text::as_literal);
            parameters.seconds = first.and_then(crate::effects::waits::seconds);
        }
        parameters
    }

    fn parameter<'w>(
        &mut self,
        parameter: &str,
        word: &Text,
        rest: &mut impl Iterator<Item = &'w Text>,
    ) {
        let (parameter, attached) = match parameter.split_once(':') {
            Some((name, _)) => (name, Some(word.without_prefix(name.len() + 2))),
            None => (parameter, None),
        };
        let holds = |list: &str| lists(list, parameter);
        if holds(SWITCHES) || (parameter.len() > 2 && "recurse".starts_with(parameter)) {
            self.recursive |= "recurse".starts_with(parameter);
            return;
        }
        let known = TAKING.split(' ').filter(|known| !known.is_empty());
        let mut known = known.filter(|known| known.starts_with(parameter));
        let Some(full) = (if holds(TAKING) {
            Some(parameter)
        } else {
            known.next()
        }) else {
            return;
        };
        let Some(value) = attached.or_else(|| rest.next().cloned()) else {
            return;
        };
        match full {
            "destination" | "destinationpath" | "outfile" => self.destination = Some(value),
            "filter" | "include" => self.filters.push(value),
            "pattern" => self.pattern = true,
            "depth" => self.recursive = true,
            "seconds" | "s" => {
                self.seconds = value.as_literal().and_then(crate::effects::waits::seconds)
            }
            "milliseconds" | "m" => {
                let milliseconds = value.as_literal().and_then(crate::effects::waits::seconds);
                self.seconds = milliseconds.map(|milliseconds| milliseconds / 1_000.0);
            }
            _ if lists(PATHS, full) => self.operands.push(value),
            _ => {}
        }
    }
}
