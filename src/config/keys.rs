//! Every key of the configuration file: one table that reading, checking and showing it go by.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::Config;
use crate::verdict::PassThrough;
use crate::zones::Name;

/// A key of the configuration file.
pub struct Key {
    /// Its name.
    pub name: &'static str,
    setting: Setting,
}

/// A value that can't be used as it stands. What holds then is the default, or what is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfit;

/// All keys, in the order in which they are shown.
pub const KEYS: &[Key] = &[
    Key {
        name: "pass_through",
        setting: Setting::Choice {
            words: &["allow", "ask"],
            get: |config| config.pass_through.word(),
            set: |config, word| {
                config.pass_through = match word {
                    "ask" => PassThrough::Ask,
                    _ => PassThrough::Allow,
                }
            },
        },
    },
    Key {
        name: "bounded_view_lines",
        setting: Setting::Number {
            // The host's own limit.
            range: (1, 800),
            stricter: Stricter::Smaller,
            get: |config| config.bounded_view_lines,
            set: |config, lines| config.bounded_view_lines = lines,
        },
    },
    Key {
        name: "wait_ms_before_async",
        setting: Setting::Number {
            // The range that hosts take.
            range: (500, 10_000),
            stricter: Stricter::Larger,
            get: |config| config.wait_ms,
            set: |config, wait_ms| config.wait_ms = wait_ms,
        },
    },
    Key {
        name: "ledger_ttl_seconds",
        setting: Setting::Number {
            // From the longest cool-down to when idle files are removed.
            range: (600, 86_400),
            stricter: Stricter::Larger,
            get: |config| config.ledger_ttl.as_secs(),
            set: |config, seconds| config.ledger_ttl = Duration::from_secs(seconds),
        },
    },
    Key {
        name: "lock_deadline_ms",
        setting: Setting::Number {
            range: (10, 2000),
            stricter: Stricter::Neither,
            get: |config| u64::try_from(config.lock_deadline.as_millis()).unwrap_or(u64::MAX),
            set: |config, millis| config.lock_deadline = Duration::from_millis(millis),
        },
    },
    Key {
        name: "decision_log",
        setting: Setting::Switch {
            field: |config| &mut config.decision_log,
        },
    },
    Key {
        name: "rtk",
        setting: Setting::Path {
            field: |config| &mut config.rtk,
        },
    },
    Key {
        name: "rtk_version",
        setting: Setting::Text {
            field: |config| &mut config.rtk_version,
        },
    },
    Key {
        name: "protected_folders",
        setting: Setting::Names {
            field: |config| &mut config.protected.folders,
        },
    },
    Key {
        name: "protected_prefixes",
        setting: Setting::Names {
            field: |config| &mut config.protected.prefixes,
        },
    },
    Key {
        name: "protected_extensions",
        setting: Setting::Names {
            field: |config| &mut config.protected.extensions,
        },
    },
];

/// What a key takes, and where it goes.
enum Setting {
    Choice {
        words: &'static [&'static str],
        get: fn(&Config) -> &'static str,
        set: fn(&mut Config, &str),
    },
    Number {
        range: (u64, u64),
        stricter: Stricter,
        get: fn(&Config) -> u64,
        set: fn(&mut Config, u64),
    },
    Switch {
        field: Field<bool>,
    },
    Path {
        field: Field<Option<PathBuf>>,
    },
    Text {
        field: Field<Option<String>>,
    },
    Names {
        field: Field<Vec<Name>>,
    },
}

type Field<T> = fn(&mut Config) -> &mut T;

/// Which of two numbers guards more.
#[derive(Clone, Copy)]
enum Stricter {
    Smaller,
    Larger,
    /// It is no matter of protection.
    Neither,
}

impl Key {
    /// The key of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// Sets the key in `config`, which holds its default.
    ///
    /// # Errors
    /// [`Unfit`]; `config` is then as strict as the default at least.
    pub fn set(&self, config: &mut Config, value: &Value) -> Result<(), Unfit> {
        match &self.setting {
            Setting::Choice { words, set, .. } => {
                let word = value.as_str().filter(|word| words.contains(word));
                set(config, word.ok_or(Unfit)?);
            }
            Setting::Number {
                range,
                stricter,
                get,
                set,
            } => {
                let default = get(config);
                let number = match (value.as_u64(), value.as_i64()) {
                    (Some(number), _) => number,
                    (None, Some(_negative)) => 0,
                    (None, None) => return Err(Unfit),
                };
                let nearest = number.clamp(range.0, range.1);
                if nearest == number {
                    set(config, number);
                    return Ok(());
                }
                set(
                    config,
                    match stricter {
                        Stricter::Smaller => nearest.min(default),
                        Stricter::Larger => nearest.max(default),
                        Stricter::Neither => default,
                    },
                );
                return Err(Unfit);
            }
            Setting::Switch { field } => *field(config) = value.as_bool().ok_or(Unfit)?,
            Setting::Path { field } => {
                let path = value.as_str().map(PathBuf::from);
                *field(config) = Some(path.filter(|path| path.is_absolute()).ok_or(Unfit)?);
            }
            Setting::Text { field } => {
                *field(config) = Some(value.as_str().ok_or(Unfit)?.to_owned());
            }
            Setting::Names { field } => return set_names(field(config), value),
        }
        Ok(())
    }

    /// The value in `config`.
    pub fn get(&self, config: &Config) -> Value {
        let mut config = config.clone();
        match &self.setting {
            Setting::Choice { get, .. } => Value::from(get(&config)),
            Setting::Number { get, .. } => Value::from(get(&config)),
            Setting::Switch { field } => Value::from(*field(&mut config)),
            Setting::Path { field } => {
                let path = field(&mut config).take();
                path.map_or(Value::Null, |path| Value::from(path.to_string_lossy()))
            }
            Setting::Text { field } => Value::from(field(&mut config).take()),
            Setting::Names { field } => Value::from(std::mem::take(field(&mut config))),
        }
    }

    /// What it takes, for people.
    pub fn takes(&self) -> String {
        match &self.setting {
            Setting::Choice { words, .. } => format!("\"{}\"", words.join("\" or \"")),
            Setting::Number { range, .. } => {
                format!("a whole number from {} to {}", range.0, range.1)
            }
            Setting::Switch { .. } => "true or false".to_owned(),
            Setting::Path { .. } => "an absolute path".to_owned(),
            Setting::Text { .. } => "a text".to_owned(),
            Setting::Names { .. } => "a list of names, each without `/` and `\\`".to_owned(),
        }
    }
}

/// A list takes the place of the default, in small letters. Of one with something else in it, the names come on top of
/// the default: what the user meant to protect is, and nothing less than before.
fn set_names(names: &mut Vec<Name>, value: &Value) -> Result<(), Unfit> {
    let Value::Array(items) = value else {
        return Err(Unfit);
    };
    let usable = items.iter().filter_map(name);
    let listed = usable.map(|name| Name::Owned(name.to_ascii_lowercase()));
    let listed: Vec<Name> = listed.collect();
    if listed.len() == items.len() {
        *names = listed;
        return Ok(());
    }
    names.extend(listed);
    Err(Unfit)
}

/// A path in place of a name would never be met.
fn name(item: &Value) -> Option<&str> {
    let name = item.as_str()?;
    (!name.is_empty() && !name.contains(['/', '\\'])).then_some(name)
}
