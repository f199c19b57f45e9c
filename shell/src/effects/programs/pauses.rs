//! Code that does nothing but wait.

use crate::effects::waits::seconds;
use crate::words::lists;

/// Calls that wait, by the last part of their name, with what their number counts in seconds.
const WAITS: [(&str, f64); 5] = [
    ("sleep", 1.0),
    ("select", 1.0),
    ("wait", 1.0),
    ("usleep", 0.000_001),
    ("setTimeout", 0.001),
];

/// Calls beside a wait that change nothing, by the last part of their name; and words before a bracket that call nothing.
const HARMLESS: &str = "\
    print puts log range len int str float min max round time monotonic perf_counter now Date exists isfile isdir is_file \
    is_dir existsSync stat getsize Path join expanduser Promise resolve r Event run exit flush if while for and or not in \
    return elif await print_r echo catch __import__ import_module BEGIN";

/// Modules that do nothing by being imported.
const MODULES: &str = "\
    time os sys pathlib asyncio threading subprocess datetime random json re signal select importlib glob math strict \
    warnings Time::HiRes";

/// Calls that look at a file, by the last part of their name.
const LOOKS: &str = "open read readlines read_text splitlines strip split decode join listdir sum sorted list repr format type";

/// Calls that start the program which they name first.
const STARTS: &str = "execute run call check_call check_output Popen system execSync spawnSync";

/// The seconds that code waits that does nothing else but import, print and ask; the inner `None` where they are not
/// known.
pub fn only_waits(code: &str) -> Option<Option<f64>> {
    by_statements(code).or_else(|| by_calls(code))
}

/// `import time; time.sleep(5)`, `sleep 5`
fn by_statements(code: &str) -> Option<Option<f64>> {
    let mut total = Some(0.0);
    let mut sleeps = false;
    for statement in code
        .split([';', '\n'])
        .map(str::trim)
        .filter(|statement| !statement.is_empty())
    {
        let harmless = is_harmless(statement, sleeps);
        let inner = ["time.sleep(", "sleep(", "sleep "]
            .iter()
            .find_map(|word| statement.strip_prefix(word));
        match inner {
            Some(inner) => {
                sleeps = true;
                let pause = seconds(inner.trim_end_matches(')').trim());
                total = total.zip(pause).map(|(total, pause)| total + pause);
            }
            None if harmless => {}
            None => return None,
        }
    }
    sleeps.then_some(total)
}

/// Whether a statement, perhaps behind a sleep, only imports, prints or asks.
fn is_harmless(statement: &str, sleeps: bool) -> bool {
    let begins = |words: &[&str]| words.iter().any(|word| statement.starts_with(word));
    if begins(&["import ", "from ", "use "]) {
        let mut modules = statement
            .split([' ', ','])
            .skip(1)
            .filter(|name| !name.is_empty());
        // What a module does that is loaded behind a sleep is not waiting.
        return !sleeps || modules.all(|module| lists(MODULES, module));
    }
    let looks = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or(name);
        last.is_empty() || lists(HARMLESS, last) || lists(LOOKS, last) || name == "console.log"
    };
    begins(&["#", "-M"])
        || begins(&["print", "console.log"]) && calls(statement).all(|(name, _)| looks(name))
}

/// `for _ in range(6): time.sleep(5)`: code all of whose calls wait, or are harmless.
fn by_calls(code: &str) -> Option<Option<f64>> {
    let mut total: Option<Option<f64>> = None;
    let mut rounds = Some(1.0);
    for (name, arguments) in calls(code) {
        let last = name.rsplit('.').next().unwrap_or(name);
        let pause = match WAITS.iter().find(|(wait, _)| *wait == last) {
            Some((_, unit)) => Some(last_number(arguments).map(|number| number * unit)),
            None => lists(STARTS, last).then(|| started(arguments)).flatten(),
        };
        match pause {
            Some(pause) => {
                let before = total.unwrap_or(Some(0.0));
                total = Some(before.zip(pause).map(|(before, pause)| before + pause));
            }
            None if last == "range" => {
                rounds = rounds.zip(last_number(arguments)).map(|(a, b)| a * b)
            }
            None if last.is_empty()
                || lists(HARMLESS, last) && (last != "run" || name == "asyncio.run") => {}
            None if last == "require" && imports_only(arguments) => {}
            None => return None,
        }
    }
    let open = code.contains("while");
    total.map(|total| {
        total
            .zip(rounds)
            .filter(|_| !open)
            .map(|(total, rounds)| total * rounds)
    })
}

/// The names before the brackets that are not in quotes, with what follows each.
fn calls(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut quote = None;
    code.char_indices().filter_map(move |(at, character)| {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '\'' | '"' | '`') => quote = Some(character),
            None if character == '(' => {
                let before = code[..at].trim_end_matches(' ');
                let mut names =
                    before.rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
                return Some((names.next().unwrap_or(""), &code[at + 1..]));
            }
            _ => {}
        }
        None
    })
}

/// The last of the arguments in a call of which `code` is what follows its bracket, if that is a number.
fn last_number(code: &str) -> Option<f64> {
    let end = super::quoted::closing_bracket(code, ')')?;
    let last = code[..end].rsplit(',').next()?.trim();
    let digits = last.replace('_', "");
    digits
        .bytes()
        .next()?
        .is_ascii_digit()
        .then(|| digits.parse().ok())?
}

/// Whether `require(` takes what Node brings along, which does nothing by itself.
fn imports_only(arguments: &str) -> bool {
    let name = arguments.trim_start_matches(['\'', '"']);
    let name = name.strip_prefix("node:").unwrap_or(name);
    ["child_process", "fs", "timers"]
        .iter()
        .any(|module| name.starts_with(module))
}

/// The seconds that the program sleeps which a call starts; `None` if it starts another one.
fn started(arguments: &str) -> Option<Option<f64>> {
    let program = arguments.trim_start_matches(['[', '\'', '"', ' ']);
    let rest = program.strip_prefix("sleep")?;
    let rest = rest.trim_start_matches(['\'', '"', ',', ' ']);
    let end = rest.find(['\'', '"'])?;
    Some(seconds(&rest[..end]))
}
