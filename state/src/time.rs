//! Times as the state file writes them: RFC 3339, UTC, milliseconds.

use chrono::{DateTime, Datelike, SecondsFormat, Utc};

/// A moment in UTC. The state file keeps milliseconds; what is finer is cut off when it is written.
pub type Time = DateTime<Utc>;

fn text(time: &Time) -> String {
    // RFC 3339 has four digits for the year. A clock far outside would else write what nothing reads back.
    let time = match time.year() {
        ..0 => DateTime::<Utc>::MIN_UTC.with_year(0).unwrap_or_default(),
        0..=9999 => *time,
        _ => DateTime::<Utc>::MAX_UTC.with_year(9999).unwrap_or_default(),
    };
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn parse<E: serde::de::Error>(text: &str) -> Result<Time, E> {
    match DateTime::parse_from_rfc3339(text) {
        Ok(time) => Ok(time.to_utc()),
        Err(error) => Err(E::custom(format_args!(
            "{text:?} is no RFC 3339 time: {error}"
        ))),
    }
}

pub(crate) mod millis {
    use super::Time;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(time: &Time, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::text(time))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Time, D::Error> {
        super::parse(&String::deserialize(from)?)
    }
}

pub(crate) mod optional_millis {
    use super::Time;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(time: &Option<Time>, to: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => to.serialize_some(&super::text(time)),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Time>, D::Error> {
        Option::<String>::deserialize(from)?
            .map(|text| super::parse(&text))
            .transpose()
    }
}
