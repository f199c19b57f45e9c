//! Values of our own as text, in the style of the text that they go into.

/// A value to write. Keys and scalars are JSON source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// A string with its quotes, a number, `true`, `false` or `null`.
    Scalar(String),
    /// `[…]`.
    Array(Vec<Json>),
    /// `{…}`, in this order; keys with their quotes.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A string, quoted and escaped.
    pub fn string(text: &str) -> Json {
        Json::Scalar(quote(text))
    }

    /// A whole number.
    pub fn number(number: u64) -> Json {
        Json::Scalar(number.to_string())
    }

    /// An object with these keys.
    pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
        Json::Object(
            members
                .into_iter()
                .map(|(key, value)| (quote(key), value))
                .collect(),
        )
    }

    /// The meaning of this text, for comparing whatever its spelling; none if it is not strict JSON.
    pub fn meaning(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&self.inline(false)).ok()
    }

    /// On one line, with a blank behind each comma and colon if `spaced`.
    pub fn inline(&self, spaced: bool) -> String {
        let blank = if spaced { " " } else { "" };
        let comma = format!(",{blank}");
        match self {
            Json::Scalar(text) => text.clone(),
            Json::Array(elements) => {
                let elements: Vec<_> = elements
                    .iter()
                    .map(|element| element.inline(spaced))
                    .collect();
                format!("[{}]", elements.join(&comma))
            }
            Json::Object(members) => {
                let members: Vec<_> = members
                    .iter()
                    .map(|(key, value)| format!("{key}:{blank}{}", value.inline(spaced)))
                    .collect();
                format!("{{{}}}", members.join(&comma))
            }
        }
    }

    /// On several lines; `indent` is that of the line on which the value starts.
    pub fn lines(&self, style: &Style, indent: &str) -> String {
        let inner = format!("{indent}{}", style.unit);
        let block = |open: char, items: Vec<String>, close: char| {
            let nl = style.newline;
            format!(
                "{open}{nl}{inner}{}{nl}{indent}{close}",
                items.join(&format!(",{nl}{inner}"))
            )
        };
        match self {
            Json::Array(elements)
                if elements
                    .iter()
                    .any(|element| !matches!(element, Json::Scalar(_))) =>
            {
                block(
                    '[',
                    elements
                        .iter()
                        .map(|element| element.lines(style, &inner))
                        .collect(),
                    ']',
                )
            }
            Json::Object(members) if !members.is_empty() => {
                let member = |(key, value): &(String, Json)| {
                    format!("{key}: {}", value.lines(style, &inner))
                };
                block('{', members.iter().map(member).collect(), '}')
            }
            _ => self.inline(true),
        }
    }
}

/// `text` as a JSON string.
pub fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// How a text is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The line end: `\n` or `\r\n`.
    pub newline: &'static str,
    /// One step of indentation.
    pub unit: String,
}

impl Style {
    /// `\n`, and `width` blanks a step.
    pub fn blanks(width: usize) -> Style {
        Style {
            newline: "\n",
            unit: " ".repeat(width),
        }
    }
}
