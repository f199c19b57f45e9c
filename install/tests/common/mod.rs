//! Texts as people and editors write them.
#![allow(dead_code, missing_docs)]

use proptest::prelude::*;

/// A blank, perhaps with comments. `nl` is the line end of the file.
fn trivia(nl: &'static str) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => Just(String::new()),
        4 => Just(" ".to_owned()),
        1 => Just("\t".to_owned()),
        3 => Just(format!("{nl}  ")),
        2 => Just(format!("{nl}\t")),
        1 => Just(format!("{nl}{nl}    ")),
        1 => Just(nl.to_owned()),
        1 => Just("/* \"execution-guard\": {}, } */".to_owned()),
        1 => Just(format!("/* two{nl} lines */")),
        1 => Just(format!(" // it's {{ , \"x\u{e9}{nl}")),
    ];
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

fn blank(nl: &'static str) -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        String::new(),
        " ".into(),
        format!("{nl}  "),
        format!("{nl}\t"),
        nl.into(),
        format!("{nl}    "),
        format!("{nl}{nl}"),
    ])
}

fn scalar() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "1",
        "-0.50e+3",
        "true",
        "null",
        "\"\"",
        "\"a\\u0041\\/\\\\\"",
        "\"// no comment\"",
        "\"{,}\"",
        "\"\u{e9}\u{1f600}\"",
        "[]",
        "{}",
        "[1, 2]",
        "\"\\ud83d\\ude00\"",
        "123456789012345678901234567890",
    ])
    .prop_map(str::to_owned)
}

fn key(index: usize, inner: String) -> String {
    match inner.len() % 5 {
        0 => format!("\"k{index}\""),
        1 => format!("\"execution-guard{index}\""),
        2 => format!("\"\\u0065xecution-guard {index}\""),
        3 => format!("\"// {index} \\\"\""),
        _ => format!("\"\u{fc}{index}\""),
    }
}

/// An object or array out of `values`, with the gaps of `gap` between the tokens.
fn container(
    values: Vec<(String, [String; 4])>,
    end: String,
    array: bool,
    trailing: bool,
) -> String {
    let mut text = if array {
        "[".to_owned()
    } else {
        "{".to_owned()
    };
    let count = values.len();
    for (index, (value, gaps)) in values.into_iter().enumerate() {
        text += &gaps[0];
        if !array {
            text += &format!("{}{}:{}", key(index, value.clone()), gaps[1], gaps[2]);
        }
        text += &format!("{value}{}", gaps[3]);
        if index + 1 < count || trailing {
            text.push(',');
        }
    }
    text + &end + if array { "]" } else { "}" }
}

fn value(gap: BoxedStrategy<String>, trailing_commas: bool) -> impl Strategy<Value = String> {
    scalar().prop_recursive(3, 12, 4, move |inner| {
        let gaps = [gap.clone(), gap.clone(), gap.clone(), gap.clone()];
        (
            prop::collection::vec((inner, gaps), 0..4),
            gap.clone(),
            any::<bool>(),
            any::<bool>(),
        )
            .prop_map(move |(values, end, array, trailing)| {
                container(values, end, array, trailing && trailing_commas)
            })
    })
}

fn object(gap: BoxedStrategy<String>, trailing_commas: bool) -> impl Strategy<Value = String> {
    let gaps = [gap.clone(), gap.clone(), gap.clone(), gap.clone()];
    let values = prop::collection::vec((value(gap.clone(), trailing_commas), gaps), 0..4);
    (values, gap, any::<bool>()).prop_map(move |(values, end, trailing)| {
        container(values, end, false, trailing && trailing_commas)
    })
}

/// A whole file, with or without a value at all, with an object `mcpServers` or without.
fn file(gap: BoxedStrategy<String>, jsonc: bool) -> impl Strategy<Value = String> {
    let with_servers = (
        object(gap.clone(), jsonc),
        object(gap.clone(), jsonc),
        gap.clone(),
    )
        .prop_map(|(outer, servers, gap)| {
            outer
                .replacen('{', &format!("{{{gap}\"mcpServers\":{servers},"), 1)
                .replacen(",}", "}", 1)
        });
    let body =
        prop_oneof![4 => object(gap.clone(), jsonc), 2 => with_servers, 1 => Just(String::new())];
    (any::<bool>(), gap.clone(), body, gap).prop_map(|(bom, before, body, after)| {
        format!("{}{before}{body}{after}", if bom { "\u{feff}" } else { "" })
    })
}

fn newline() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["\n", "\r\n"])
}

/// Files of strict JSON.
pub fn json() -> impl Strategy<Value = String> {
    newline().prop_flat_map(|nl| file(blank(nl).boxed(), false))
}

/// Files of JSON with comments and trailing commas.
pub fn jsonc() -> impl Strategy<Value = String> {
    newline().prop_flat_map(|nl| file(trivia(nl).boxed(), true))
}

/// Files laid out by an editor: one step of indentation throughout.
pub fn pretty() -> impl Strategy<Value = String> {
    let steps = prop::sample::select(vec!["  ", "    ", "\t", " "]);
    (json(), steps, newline(), any::<bool>(), any::<bool>()).prop_filter_map(
        "an object",
        |(text, step, nl, bom, last)| {
            let value: serde_json::Value =
                serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
            let mut out = Vec::new();
            let formatter = serde_json::ser::PrettyFormatter::with_indent(step.as_bytes());
            serde::Serialize::serialize(
                &value,
                &mut serde_json::Serializer::with_formatter(&mut out, formatter),
            )
            .ok()?;
            let text = String::from_utf8(out).ok()?.replace('\n', nl);
            Some(format!(
                "{}{text}{}",
                if bom { "\u{feff}" } else { "" },
                if last { nl } else { "" }
            ))
        },
    )
}
