//! The page: well-formed, of itself, and nothing of the log gets out of its place.

mod common;

use std::collections::HashSet;

use common::{Home, line};
use guard_report::html::page;
use proptest::prelude::*;
use roxmltree::{Document, Node, ParsingOptions};

/// Parses the page as XML, which has no mercy, and checks what has to hold of every page.
#[track_caller]
fn checked(page: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(page, options)
        .unwrap_or_else(|error| panic!("{error}: {page}"));
    let mut ids = HashSet::new();
    for node in document.descendants().filter(Node::is_element) {
        assert_allowed(node);
        let style = node.text().filter(|_| node.has_tag_name("style"));
        let values = node.attributes().map(|attribute| attribute.value());
        for value in values.chain(style) {
            let leads_elsewhere = ["//", "url(", "@import", "javascript:", "data:"];
            assert!(
                !leads_elsewhere.iter().any(|way| value.contains(way)),
                "{value}"
            );
        }
        for attribute in node.attributes() {
            let name = attribute.name();
            assert!(
                !["src", "href", "style", "srcset", "action"].contains(&name),
                "{name} in {node:?}"
            );
            assert!(!attribute.name().starts_with("on"), "a script in {node:?}");
            if attribute.name() == "id" {
                assert!(ids.insert(attribute.value()), "{} twice", attribute.value());
            }
        }
    }
    for node in document.descendants() {
        for id in node
            .attribute("aria-labelledby")
            .unwrap_or_default()
            .split_whitespace()
        {
            assert!(ids.contains(id), "no {id}");
        }
    }
    document
}

/// The elements that the page is made of; none of them loads or runs anything.
fn assert_allowed(node: Node) {
    const ELEMENTS: &str = "html head meta title style body main header footer section h1 h2 p code dl div dt dd table thead tbody tr th \
                            td figure figcaption svg desc line text rect ul li details summary";
    let name = node.tag_name().name();
    assert!(
        ELEMENTS.split_whitespace().any(|known| known == name),
        "<{name}>"
    );
}

fn text_of(document: &Document) -> String {
    let texts = document.descendants().filter(Node::is_text);
    texts.filter_map(|node| node.text()).collect()
}

#[test]
fn a_rich_page_has_its_charts_with_words_for_those_who_do_not_see_them() {
    let home = Home::new();
    let kinds = [
        "rewritten",
        "routed",
        "poll_denied",
        "breaker_tripped",
        "unknown_kind",
    ];
    let lines: Vec<_> = (0..60_u64)
        .map(|step| {
            let hours = i64::try_from(step % 50).unwrap();
            let mut line = line(
                hours,
                step,
                "run_command",
                kinds[usize::try_from(step % 5).unwrap()],
            );
            line["us"] = (200 + step * 10).into();
            line
        })
        .collect();
    home.log(&lines);
    let page = page(&home.since("7d"));
    let document = checked(&page);
    let pictures: Vec<Node> = document
        .descendants()
        .filter(|node| node.has_tag_name("svg") && node.attribute("role") == Some("img"))
        .collect();
    assert_eq!(pictures.len(), 2);
    for picture in &pictures {
        for name in ["title", "desc"] {
            let words = picture.children().find(|node| node.has_tag_name(name));
            assert!(words.unwrap().text().unwrap().len() > 10);
        }
    }
    let others = document
        .descendants()
        .filter(|node| node.has_tag_name("svg"));
    for other in others.filter(|svg| svg.attribute("role") != Some("img")) {
        assert_eq!(other.attribute("aria-hidden"), Some("true"), "{other:?}");
    }
    let text = text_of(&document);
    for part in [
        "commands rewritten",
        "polls denied",
        "run_command",
        "750 of 1,000 tokens",
        "2026-11-30",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("default-src 'none'"));
}

#[test]
fn an_empty_page_says_so() {
    let home = Home::new();
    let page = page(&home.with_tokens("7d", Err("there is no rtk".to_owned())));
    let document = checked(&page);
    let text = text_of(&document);
    assert!(
        text.contains("Nothing was decided") && text.contains("there is no rtk"),
        "{text}"
    );
}

#[test]
fn hostile_names_stay_text() {
    let hostile = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "</title></svg><style>*{background:url(//x)}</style>",
        "&lt;b&gt;]]>--><!--",
        "\u{202e}\u{0}\u{1b}[31m\u{fffe}",
    ];
    let home = Home::new();
    let mut lines: Vec<_> = (0..)
        .zip(hostile)
        .map(|(step, name)| line(1, step, name, name))
        .collect();
    lines.extend((10..80).map(|step| line(1, step, &format!("<i>{step}</i>"), "routed")));
    home.log(&lines);
    let page = page(&home.with_tokens("7d", Err(hostile.concat())));
    let document = checked(&page);
    let text = text_of(&document);
    assert!(
        text.contains(hostile[0]) && text.contains(hostile[1]),
        "{text}"
    );
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains('\u{202e}'));
}

proptest! {
    /// Whatever names the log has.
    #[test]
    fn every_page_is_well_formed(names in proptest::collection::vec("\\PC{0,40}|.{0,20}|[<>&'\"\\-\\]\\x00-\\x1f]{0,20}", 0..8), since in "[1-9]{1,2}d") {
        let home = Home::new();
        let lines: Vec<_> = (0..).zip(&names).map(|(step, name)| line(1, step, name, name)).collect();
        home.log(&lines);
        let page = page(&home.with_tokens(&since, Err(names.concat())));
        checked(&page);
    }
}
