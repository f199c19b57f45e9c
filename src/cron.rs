//! How often a cron expression of five fields fires.
//!
//! The rules are those of `crontab(5)`: lists, ranges, steps, names of months and days, and a day
//! that matches either day field where both are restricted.

/// Why an expression can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CronError {
    /// Not five fields.
    #[error("it has {0} fields instead of 5 (minute, hour, day of month, month, day of week)")]
    Fields(usize),
    /// A part of a field can't be read or is out of range.
    #[error("`{part}` is no {field}")]
    Part {
        /// The part.
        part: String,
        /// The name of its field.
        field: &'static str,
    },
    /// There is no such day.
    #[error("it never fires")]
    Never,
}

struct Field {
    name: &'static str,
    least: u32,
    most: u32,
    names: &'static [&'static str],
}

const MINUTE: Field = Field {
    name: "minute",
    least: 0,
    most: 59,
    names: &[],
};
const HOUR: Field = Field {
    name: "hour",
    least: 0,
    most: 23,
    names: &[],
};
const DAY: Field = Field {
    name: "day of the month",
    least: 1,
    most: 31,
    names: &[],
};
const MONTH: Field = Field {
    name: "month",
    least: 1,
    most: 12,
    names: &[
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ],
};
/// Both 0 and 7 are Sunday.
const WEEKDAY: Field = Field {
    name: "day of the week",
    least: 0,
    most: 7,
    names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

const MINUTES_A_DAY: usize = 24 * 60;

/// The calendar repeats after 28 years as long as no century without a leap day lies between.
const DAYS_OF_28_YEARS: usize = 28 * 365 + 7;

/// The shortest time between two firings of `expression`, in seconds.
///
/// # Errors
/// The expression can't be read, or no day matches it.
pub fn shortest_gap(expression: &str) -> Result<u64, CronError> {
    let fields: Vec<&str> = expression.split_whitespace().collect();
    let [minute, hour, day, month, weekday] = fields[..] else {
        return Err(CronError::Fields(fields.len()));
    };
    let times = times_of_day(MINUTE.parse(minute)?, HOUR.parse(hour)?);
    let days = Days {
        days: DAY.parse(day)?,
        months: MONTH.parse(month)?,
        weekdays: WEEKDAY.parse(weekday)?,
        either: !is_any(day) && !is_any(weekday),
    };
    let between_days = days.shortest_distance().ok_or(CronError::Never)?;
    let (first, last) = (times[0], times[times.len() - 1]);
    let overnight = between_days * MINUTES_A_DAY - last + first;
    let within = times.windows(2).map(|pair| pair[1] - pair[0]);
    let minutes = within.chain([overnight]).min().unwrap_or(overnight);
    Ok(minutes as u64 * 60)
}

/// `*` and `*/n` leave the choice of days to the other day field.
fn is_any(field: &str) -> bool {
    field.starts_with('*') || field == "?"
}

/// Minutes of the day, ascending; never empty, as no field is.
fn times_of_day(minutes: u64, hours: u64) -> Vec<usize> {
    let is_set = |bits: u64, n: usize| bits & (1 << n) != 0;
    (0..MINUTES_A_DAY)
        .filter(|time| is_set(hours, time / 60) && is_set(minutes, time % 60))
        .collect()
}

impl Field {
    /// The values of a field as bits.
    fn parse(&self, text: &str) -> Result<u64, CronError> {
        text.split(',').try_fold(0, |bits, part| {
            let values = self.part(part).ok_or_else(|| CronError::Part {
                part: part.to_owned(),
                field: self.name,
            })?;
            Ok(bits | values)
        })
    }

    fn part(&self, part: &str) -> Option<u64> {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(step.parse().ok().filter(|step| *step > 0)?)),
            None => (part, None),
        };
        let (first, last) = match range {
            "*" | "?" => (self.least, self.most),
            _ => match range.split_once('-') {
                Some((first, last)) => (self.value(first)?, self.value(last)?),
                // `5/15` runs from 5 to the end of the field.
                None if step.is_some() => (self.value(range)?, self.most),
                None => (self.value(range)?, self.value(range)?),
            },
        };
        let values = (first..=last).step_by(step.unwrap_or(1));
        let bits = values.fold(0, |bits, value| bits | 1 << value);
        (bits != 0).then_some(bits)
    }

    fn value(&self, text: &str) -> Option<u32> {
        let named = self
            .names
            .iter()
            .position(|name| text.eq_ignore_ascii_case(name));
        let value = match named {
            Some(index) => self.least + u32::try_from(index).ok()?,
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok()?,
            None => return None,
        };
        (self.least..=self.most).contains(&value).then_some(value)
    }
}

struct Days {
    days: u64,
    months: u64,
    weekdays: u64,
    /// Whether one matching day field is enough.
    either: bool,
}

impl Days {
    /// The smallest number of days between two that match.
    fn shortest_distance(&self) -> Option<usize> {
        let calendar = Calendar::from_2001().take(2 * DAYS_OF_28_YEARS);
        let matching = calendar.enumerate().filter(|(_, date)| self.matches(date));
        let mut shortest = None;
        let mut previous = None;
        for (index, _) in matching {
            if let Some(previous) = previous.replace(index) {
                let distance: usize = index - previous;
                if distance == 1 {
                    return Some(1);
                }
                shortest = Some(shortest.map_or(distance, |least: usize| least.min(distance)));
            }
        }
        shortest
    }

    fn matches(&self, date: &Date) -> bool {
        let day = self.days & (1 << date.day) != 0;
        let sunday_as_7 = date.weekday == 0 && self.weekdays & (1 << 7) != 0;
        let weekday = sunday_as_7 || self.weekdays & (1 << date.weekday) != 0;
        let is_day = if self.either {
            day || weekday
        } else {
            day && weekday
        };
        is_day && self.months & (1 << date.month) != 0
    }
}

#[derive(Clone, Copy)]
struct Date {
    year: u32,
    month: u32,
    day: u32,
    weekday: u32,
}

/// Every day from 1 January 2001, a Monday; right up to 2099.
struct Calendar(Date);

impl Calendar {
    fn from_2001() -> Self {
        Self(Date {
            year: 2001,
            month: 1,
            day: 1,
            weekday: 1,
        })
    }
}

impl Iterator for Calendar {
    type Item = Date;

    fn next(&mut self) -> Option<Date> {
        let today = self.0;
        let next = &mut self.0;
        next.weekday = (today.weekday + 1) % 7;
        next.day += 1;
        if next.day > days_in(today.year, today.month) {
            next.day = 1;
            next.month += 1;
        }
        if next.month > 12 {
            next.month = 1;
            next.year += 1;
        }
        Some(today)
    }
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400;

    #[test]
    fn the_gap_is_the_shortest_between_any_two_firings() {
        for (expression, seconds) in [
            ("* * * * *", 60),
            ("*/5 * * * *", 300),
            ("*/7 * * * *", 240),
            ("0 * * * *", 3600),
            ("0,50 * * * *", 600),
            ("0 0 * * *", DAY),
            ("59 23 * * *", DAY),
            ("0,59 0,23 * * *", 60),
            ("0 9 * * 1-5", DAY),
            ("0 9 * * mon", 7 * DAY),
            ("0 9 * * 0,7", 7 * DAY),
            ("0 9 1 * *", 28 * DAY),
            ("0 9 31 * *", 31 * DAY),
            ("0 9 1 jan ?", 365 * DAY),
            ("0 9 29 2 *", 1461 * DAY),
            ("0 9 13 * fri", DAY),
            ("5/15 * * * *", 900),
            ("10-20/5 3 * * *", 300),
        ] {
            assert_eq!(shortest_gap(expression), Ok(seconds), "{expression}");
        }
    }

    #[test]
    fn what_cron_would_not_take_is_refused() {
        for expression in [
            "",
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 8",
            "*/0 * * * *",
            "5-1 * * * *",
            "a * * * *",
            ", * * * *",
            "1, * * * *",
            "-1 * * * *",
            "+1 * * * *",
            "@hourly",
            "99999999999 * * * *",
        ] {
            assert!(shortest_gap(expression).is_err(), "{expression}");
        }
        assert_eq!(shortest_gap("0 0 31 2 *"), Err(CronError::Never));
    }

    proptest::proptest! {
        /// Firing times written out minute by minute for three years give the same gap.
        #[test]
        fn the_gap_is_that_of_the_firings_written_out(
            minute in "(\\*|\\*/[1-9]|[0-5]?[0-9](,[0-5]?[0-9]){0,2})",
            hour in "(\\*|\\*/[1-9]|1?[0-9](,1?[0-9])?)",
            weekday in "(\\*|[0-7](,[0-7])?)",
        ) {
            let expression = format!("{minute} {hour} * * {weekday}");
            let minutes = MINUTE.parse(&minute).unwrap();
            let hours = HOUR.parse(&hour).unwrap();
            let weekdays = WEEKDAY.parse(&weekday).unwrap();
            let mut last = None;
            let mut least = u64::MAX;
            for at in 0..3 * 7 * 1440_u64 {
                let day = at / 1440 % 7;
                let on_day = weekdays & (1 << day) != 0 || (day == 0 && weekdays & (1 << 7) != 0);
                if on_day && hours & (1 << (at % 1440 / 60)) != 0 && minutes & (1 << (at % 60)) != 0
                    && let Some(last) = last.replace(at) {
                        least = least.min(at - last);
                    }
            }
            proptest::prop_assert_eq!(shortest_gap(&expression), Ok(least * 60));
        }
    }
}
