//! The time that a report is about.

use chrono::{DateTime, Days, Local, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};

/// The longest time that is reported on, in days.
const MOST_DAYS: u32 = 366;

/// Whose days a report counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// Those of this machine.
    Local,
    /// UTC, for tests.
    Utc,
}

/// The time that a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// From here,
    pub from: DateTime<Utc>,
    /// to here.
    pub to: DateTime<Utc>,
    /// In days of this zone.
    pub zone: Zone,
}

/// A `--since` that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "--since takes 7d, 24h, 2w or a date such as 2026-11-24, of the last {MOST_DAYS} days; not {0:?}"
)]
pub struct SinceError(String);

impl Zone {
    /// The day of a moment.
    pub fn day(self, time: DateTime<Utc>) -> NaiveDate {
        match self {
            Self::Local => time.with_timezone(&Local).date_naive(),
            Self::Utc => time.date_naive(),
        }
    }

    /// When a day begins; the first moment of it, where a clock change takes midnight away.
    fn beginning(self, day: NaiveDate) -> Option<DateTime<Utc>> {
        let midnight = day.and_time(NaiveTime::MIN);
        match self {
            Self::Utc => Some(midnight.and_utc()),
            Self::Local => (0..4).find_map(|hours| {
                let time = midnight + TimeDelta::hours(hours);
                Local
                    .from_local_datetime(&time)
                    .earliest()
                    .map(|time| time.to_utc())
            }),
        }
    }
}

impl Range {
    /// The time from `since` to `now`. Days are whole ones: `7d` is today and the six before.
    ///
    /// # Errors
    /// [`SinceError`] if it is no such time.
    pub fn since(since: &str, now: DateTime<Utc>, zone: Zone) -> Result<Self, SinceError> {
        let refused = || SinceError(since.to_owned());
        let from = from(since, now, zone).ok_or_else(refused)?;
        let earliest = now - TimeDelta::days(MOST_DAYS.into());
        if from < earliest || from > now {
            return Err(refused());
        }
        Ok(Self {
            from,
            to: now,
            zone,
        })
    }

    /// Its days, in order.
    pub fn days(&self) -> impl Iterator<Item = NaiveDate> + use<> {
        let last = self.zone.day(self.to);
        self.zone
            .day(self.from)
            .iter_days()
            .take_while(move |day| *day <= last)
    }

    /// Whether a moment is in it.
    pub fn contains(&self, time: DateTime<Utc>) -> bool {
        (self.from..=self.to).contains(&time)
    }
}

fn from(since: &str, now: DateTime<Utc>, zone: Zone) -> Option<DateTime<Utc>> {
    if let Ok(day) = since.parse::<NaiveDate>() {
        return zone.beginning(day);
    }
    let (number, unit) = since.split_at_checked(since.len().checked_sub(1)?)?;
    let number: u32 = number
        .parse()
        .ok()
        .filter(|number| (1..=9000).contains(number))?;
    let days = |days: u32| {
        let today = zone.day(now);
        zone.beginning(today.checked_sub_days(Days::new((days - 1).into()))?)
    };
    match unit {
        "h" => Some(now - TimeDelta::hours(number.into())),
        "d" => days(number),
        "w" => days(number * 7),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-30T16:00:00Z".parse().unwrap()
    }

    fn begins(since: &str) -> String {
        let range = Range::since(since, now(), Zone::Utc).unwrap();
        range.from.format("%m-%d %H").to_string()
    }

    #[test]
    fn a_number_of_days_is_today_and_those_before() {
        assert_eq!(begins("1d"), "11-30 00");
        assert_eq!(begins("7d"), "11-24 00");
        assert_eq!(begins("1w"), "11-24 00");
        assert_eq!(begins("24h"), "11-29 16");
        assert_eq!(begins("2026-11-28"), "11-28 00");
        let range = Range::since("7d", now(), Zone::Utc).unwrap();
        assert_eq!(range.days().count(), 7);
    }

    #[test]
    fn what_is_no_time_is_told() {
        for since in [
            "",
            "d",
            "7",
            "0d",
            "-1d",
            "7x",
            "ü",
            "2026-13-01",
            "2026-12-01",
            "2020-01-01",
            "400d",
            "99999999d",
        ] {
            assert!(Range::since(since, now(), Zone::Utc).is_err(), "{since}");
        }
    }
}
