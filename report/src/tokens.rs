//! What rtk says it saved: `rtk gain --daily --format json` of rtk 1.1.0.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// What rtk saved, as rtk counts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Commands that ran through rtk, by the guard's doing or without.
    pub commands: u64,
    /// Tokens that they would have shown.
    pub input: u64,
    /// Tokens that they showed.
    pub output: u64,
    /// Tokens saved.
    pub saved: u64,
}

#[derive(Deserialize)]
struct Gain {
    #[serde(default)]
    daily: Vec<Day>,
}

#[derive(Deserialize)]
struct Day {
    date: NaiveDate,
    commands: u64,
    input_tokens: u64,
    output_tokens: u64,
    saved_tokens: u64,
}

impl Tokens {
    /// The arguments that have rtk print what [`Self::parse`] reads.
    pub const ARGUMENTS: [&str; 4] = ["gain", "--daily", "--format", "json"];

    /// The sum of the days from `from` to `to`.
    ///
    /// # Errors
    /// The text is not rtk's.
    pub fn parse(text: &[u8], from: NaiveDate, to: NaiveDate) -> Result<Self, serde_json::Error> {
        let gain: Gain = serde_json::from_slice(text)?;
        let days = gain
            .daily
            .iter()
            .filter(|day| (from..=to).contains(&day.date));
        Ok(days.fold(Self::default(), |sum, day| Self {
            commands: sum.commands.saturating_add(day.commands),
            input: sum.input.saturating_add(day.input_tokens),
            output: sum.output.saturating_add(day.output_tokens),
            saved: sum.saved.saturating_add(day.saved_tokens),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_days_of_the_report_are_summed() {
        let day = |date: &str, saved: u64| {
            format!(
                r#"{{"date":"{date}","commands":2,"input_tokens":100,"output_tokens":{},"saved_tokens":{saved},
                     "savings_pct":1.5,"total_time_ms":3,"avg_time_ms":1}}"#,
                100 - saved
            )
        };
        let text = format!(
            r#"{{"summary":{{"total_commands":6}},"daily":[{},{},{}]}}"#,
            day("2026-11-20", 1),
            day("2026-11-24", 20),
            day("2026-11-30", 40)
        );
        let [from, to] = ["2026-11-24", "2026-11-30"].map(|day| day.parse().unwrap());
        let tokens = Tokens::parse(text.as_bytes(), from, to).unwrap();
        let expected = Tokens {
            commands: 4,
            input: 200,
            output: 140,
            saved: 60,
        };
        assert_eq!(tokens, expected);
        assert!(Tokens::parse(b"no savings yet", from, to).is_err());
        assert_eq!(Tokens::parse(b"{}", from, to).unwrap(), Tokens::default());
    }
}
