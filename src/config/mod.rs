//! The user's configuration file.
//!
//! `$XDG_CONFIG_HOME/execution-guard/config.json`, else `~/.config/execution-guard/config.json`
//! (`%APPDATA%\execution-guard\config.json`). A workspace has none: what an agent or a hostile
//! repository can write must not loosen the governor. For the same reason a value that is not
//! understood counts as absent, and a number outside its range as the stricter of the nearest allowed
//! and the default. `execution-guard status` tells of each with its line.

mod file;
mod keys;

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::environment::Environment;
use crate::verdict::PassThrough;
use crate::zones::Protected;
pub use file::read;
pub use keys::{KEYS, Key, Unfit};

/// What the user can set, as [`KEYS`] lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// `pass_through`: what an ordinary call is answered.
    pub pass_through: PassThrough,
    /// `bounded_view_lines`: the longest range of lines that may be viewed natively.
    pub bounded_view_lines: u64,
    /// `wait_ms_before_async`: the shortest time before a command moves to the background, in
    /// milliseconds.
    pub wait_ms: u64,
    /// `ledger_ttl_seconds`: after how long without a polling call its count starts anew.
    pub ledger_ttl: Duration,
    /// `lock_deadline_ms`: how long the ledger's lock is waited for.
    pub lock_deadline: Duration,
    /// `decision_log`: whether decisions are logged for `execution-guard report`.
    pub decision_log: bool,
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
            decision_log: true,
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
            .and_then(|path| file::read(&path).ok());
        text.map_or_else(Self::default, |text| Self::parse(&text))
    }

    /// The configuration in `text`; the defaults if it is not one JSON object.
    pub fn parse(text: &[u8]) -> Self {
        let mut config = Self::default();
        let Ok(Value::Object(entries)) = serde_json::from_slice(without_mark(text)) else {
            return config;
        };
        for key in KEYS {
            if let Some(value) = entries.get(key.name) {
                // What does not fit is told by `execution-guard status`.
                let _ = key.set(&mut config, value);
            }
        }
        config
    }
}

/// The text without the byte order mark that editors on Windows put before it.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
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
    fn what_is_out_of_range_is_no_less_strict_than_the_default() {
        let config = Config::parse(
            br#"{"bounded_view_lines":0,"wait_ms_before_async":99999,
                 "ledger_ttl_seconds":100000,"lock_deadline_ms":100000}"#,
        );
        assert_eq!(config.bounded_view_lines, 1);
        assert_eq!(config.wait_ms, 10_000);
        assert_eq!(config.ledger_ttl, Duration::from_secs(86_400));
        assert_eq!(config.lock_deadline, Duration::from_millis(200));
        let loose = Config::parse(
            br#"{"bounded_view_lines":1000000,"wait_ms_before_async":-1,"ledger_ttl_seconds":0}"#,
        );
        assert_eq!(loose, Config::default());
    }

    #[test]
    fn a_list_with_something_else_in_it_protects_more_and_not_less() {
        let config = Config::parse(br#"{"protected_folders":["Golden",5,"tests/golden",""]}"#);
        let mut expected = Config::default().protected.folders;
        expected.push("golden".into());
        assert_eq!(config.protected.folders, expected);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        let config = Config::parse(b"\xEF\xBB\xBF{\"pass_through\":\"ask\"}");
        assert_eq!(config.pass_through, PassThrough::Ask);
    }

    #[test]
    fn every_default_is_one_that_the_key_takes() {
        for key in KEYS {
            let default = key.get(&Config::default());
            if !default.is_null() {
                let mut config = Config::default();
                assert_eq!(key.set(&mut config, &default), Ok(()), "{}", key.name);
                assert_eq!(config, Config::default(), "{}", key.name);
            }
        }
    }

    #[test]
    fn what_the_user_sets_holds() {
        let config = Config::parse(
            br#"{"pass_through":"ask","bounded_view_lines":80,"protected_folders":["Golden"],"decision_log":false}"#,
        );
        assert_eq!(config.pass_through, PassThrough::Ask);
        assert_eq!(config.bounded_view_lines, 80);
        assert!(!config.decision_log);
        assert_eq!(config.protected.folders, ["golden"]);
    }
}
