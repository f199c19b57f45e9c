//! Arguments as models send them: a number or a truth value as a text, a list as one text, a null for nothing.

use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer};
use serde_json::Value;

fn value<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    let value = Value::deserialize(from)?;
    // Some hosts encode arguments a second time.
    if let Value::String(text) = &value
        && text.starts_with('"')
        && let Ok(inner @ Value::String(_)) = serde_json::from_str(text)
    {
        return Ok(inner);
    }
    Ok(value)
}

/// A number, also as a text.
pub fn number<'de, D: Deserializer<'de>, N: TryFrom<u64>>(from: D) -> Result<Option<N>, D::Error> {
    let wrong =
        |value: &Value| D::Error::custom(format!("{value} is no whole number of 0 or more"));
    let value = value(from)?;
    let number = match &value {
        Value::Null => return Ok(None),
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        Value::String(text) => text.trim().parse().map_err(|_| wrong(&value))?,
        // A model's 3.0 is a 3.
        Value::Number(number) => number
            .as_u64()
            .or_else(|| {
                number
                    .as_f64()
                    .filter(|n| n.fract() == 0.0 && (0.0..9e15).contains(n))
                    .map(|n| n as u64)
            })
            .ok_or_else(|| wrong(&value))?,
        _ => return Err(wrong(&value)),
    };
    N::try_from(number)
        .map(Some)
        .map_err(|_| D::Error::custom(format!("{number} is too large")))
}

/// A truth value, also as a text.
pub fn truth<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    let value = value(from)?;
    match &value {
        Value::Null => Ok(None),
        Value::Bool(truth) => Ok(Some(*truth)),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "" => Ok(None),
            "true" => Ok(Some(true)),
            "false" => Ok(Some(false)),
            _ => Err(D::Error::custom(format!(
                "{value} is neither true nor false"
            ))),
        },
        _ => Err(D::Error::custom(format!(
            "{value} is neither true nor false"
        ))),
    }
}

/// A text; an empty one is none.
pub fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let value = value(from)?;
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text).filter(|text| !text.is_empty())),
        Value::Number(number) => Ok(Some(number.to_string())),
        other => Err(D::Error::custom(format!("{other} is no text"))),
    }
}

/// One word of a set.
pub fn word<'de, D: Deserializer<'de>, W: Deserialize<'de>>(
    from: D,
) -> Result<Option<W>, D::Error> {
    let Some(text) = text(from)? else {
        return Ok(None);
    };
    let word: Result<W, serde::de::value::Error> =
        W::deserialize(text.trim().to_ascii_lowercase().into_deserializer());
    word.map(Some).map_err(D::Error::custom)
}

/// A list of texts; one text is a list of one, and a text that is a JSON list is that list.
pub fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let mut value = value(from)?;
    if let Value::String(text) = &value
        && text.trim_start().starts_with('[')
        && let Ok(list) = serde_json::from_str(text)
    {
        value = list;
    }
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect()),
        Value::Array(items) => items
            .into_iter()
            .map(|item| match item {
                Value::String(text) => Ok(text),
                other => Err(D::Error::custom(format!("{other} is no text"))),
            })
            .collect(),
        other => Err(D::Error::custom(format!("{other} is no list of texts"))),
    }
}

/// A list of words of a set.
pub fn words<'de, D: Deserializer<'de>, W: Deserialize<'de>>(from: D) -> Result<Vec<W>, D::Error> {
    texts(from)?
        .iter()
        .flat_map(|text| text.split(','))
        .map(|text| {
            let word: Result<W, serde::de::value::Error> =
                W::deserialize(text.trim().to_ascii_lowercase().into_deserializer());
            word.map_err(D::Error::custom)
        })
        .collect()
}
