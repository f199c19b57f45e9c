//! The user's configuration file.
//!
//! `$XDG_CONFIG_HOME/execution-guard/config.json`, else `~/.config/execution-guard/config.json`
//! (`%APPDATA%\execution-guard\config.json`). A workspace has none: what an agent or a hostile
//! repository can write must not loosen the governor. For the same reason a value that is not
//! understood counts as absent, and one outside its range as the nearest allowed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::environment::Environment;
use crate::verdict::PassThrough;
use crate::zones::Protected;

/// What the user can set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// `pass_through`: what an ordinary call is answered, `"allow"` or `"ask"`.
    pub pass_through: PassThrough,
    /// `bounded_view_lines`: the longest range of lines that may be viewed natively; 1 to 800,
    /// the host's own limit.
    pub bounded_view_lines: u64,
    /// `wait_ms_before_async`: the shortest time before a command moves to the background, in
    /// milliseconds; 500 to 10000, the range that hosts take.
    pub wait_ms: u64,
    /// `ledger_ttl_seconds`: after how long without a polling call its count starts anew; 600 (the
    /// longest cool-down) to 86400 (when idle files are removed).
    pub ledger_ttl: Duration,
    /// `lock_deadline_ms`: how long the ledger's lock is waited for; 10 to 2000.
    pub lock_deadline: Duration,
    /// `rtk`: where rtk was found when the hook was installed.
    pub rtk: Option<PathBuf>,
    /// `rtk_version`: its version then.
    pub rtk_version: Option<String>,
    /// `protected_folders`, `protected_prefixes`, `protected_extensions`: benchmarks and
    /// evaluators.
    pub protected: Protected,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            pass_through: PassThrough::Allow,
            bounded_view_lines: 150,
            wait_ms: 10_000,
            ledger_ttl: Duration::from_secs(3600),
            lock_deadline: Duration::from_millis(200),
            rtk: None,
            rtk_version: None,
            protected: Protected::default(),
        }
    }
}

impl Config {
    /// The configuration of this user; the defaults where there is none that can be read.
    pub fn load(environment: &Environment) -> Self {
        let text = environment
            .config_file()
            .and_then(|file| fs::read(file).ok());
        text.map_or_else(Self::default, |text| Self::parse(&text))
    }

    /// Whether `text` can be read as a configuration at all.
    ///
    /// # Errors
    /// It is not one JSON object; with line and column.
    pub fn check(text: &[u8]) -> Result<(), serde_json::Error> {
        serde_json::from_slice::<Map<String, Value>>(text).map(drop)
    }

    /// The configuration in `text`.
    pub fn parse(text: &[u8]) -> Self {
        let Ok(Value::Object(entries)) = serde_json::from_slice(text) else {
            return Self::default();
        };
        let default = Self::default();
        let number = |key, range, default| bounded(&entries, key, range).unwrap_or(default);
        Self {
            pass_through: match entries.get("pass_through").and_then(Value::as_str) {
                Some("ask") => PassThrough::Ask,
                _ => PassThrough::Allow,
            },
            bounded_view_lines: number("bounded_view_lines", (1, 800), default.bounded_view_lines),
            wait_ms: number("wait_ms_before_async", (500, 10_000), default.wait_ms),
            ledger_ttl: bounded(&entries, "ledger_ttl_seconds", (600, 86_400))
                .map_or(default.ledger_ttl, Duration::from_secs),
            lock_deadline: bounded(&entries, "lock_deadline_ms", (10, 2000))
                .map_or(default.lock_deadline, Duration::from_millis),
            rtk: absolute(&entries, "rtk"),
            rtk_version: entries
                .get("rtk_version")
                .and_then(Value::as_str)
                .map(str::to_owned),
            protected: Protected {
                folders: names(&entries, "protected_folders", default.protected.folders),
                prefixes: names(&entries, "protected_prefixes", default.protected.prefixes),
                extensions: names(
                    &entries,
                    "protected_extensions",
                    default.protected.extensions,
                ),
            },
        }
    }
}

fn bounded(entries: &Map<String, Value>, key: &str, (least, most): (u64, u64)) -> Option<u64> {
    Some(entries.get(key)?.as_u64()?.clamp(least, most))
}

fn absolute(entries: &Map<String, Value>, key: &str) -> Option<PathBuf> {
    let path = Path::new(entries.get(key)?.as_str()?);
    path.is_absolute().then(|| path.to_owned())
}

/// A list of names in small letters; anything else in its place leaves the default.
fn names(entries: &Map<String, Value>, key: &str, default: Vec<String>) -> Vec<String> {
    let Some(Value::Array(items)) = entries.get(key) else {
        return default;
    };
    let names = items
        .iter()
        .map(|item| item.as_str().map(str::to_ascii_lowercase));
    names.collect::<Option<_>>().unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_understood_leaves_the_default() {
        for text in [
            "",
            "[]",
            "{",
            r#"{"bounded_view_lines":"many","protected_folders":"none","wait_ms_before_async":-1}"#,
            r#"{"protected_folders":[1],"pass_through":"deny","rtk":"rtk","unknown":{}}"#,
        ] {
            assert_eq!(Config::parse(text.as_bytes()), Config::default(), "{text}");
        }
    }

    #[test]
    fn what_is_out_of_range_is_held_to_it() {
        let config = Config::parse(
            br#"{"bounded_view_lines":1000000,"wait_ms_before_async":99999,
                 "ledger_ttl_seconds":0,"lock_deadline_ms":100000}"#,
        );
        assert_eq!(config.bounded_view_lines, 800);
        assert_eq!(config.wait_ms, 10_000);
        assert_eq!(config.ledger_ttl, Duration::from_secs(600));
        assert_eq!(config.lock_deadline, Duration::from_secs(2));
    }

    #[test]
    fn a_file_that_is_no_json_object_is_told() {
        for text in ["", "[]", "{\"a\":1,}", "// comment\n{}"] {
            assert!(Config::check(text.as_bytes()).is_err(), "{text}");
        }
        assert!(Config::check(b"{}").is_ok());
    }

    #[test]
    fn what_the_user_sets_holds() {
        let config = Config::parse(
            br#"{"pass_through":"ask","bounded_view_lines":80,"protected_folders":["Golden"]}"#,
        );
        assert_eq!(config.pass_through, PassThrough::Ask);
        assert_eq!(config.bounded_view_lines, 80);
        assert_eq!(config.protected.folders, ["golden"]);
    }
}
