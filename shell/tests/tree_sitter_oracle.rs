//! Another parser of bash, which gives byte spans too, sees the same simple commands.

mod common;

use common::{cases, commands, corpus};
use guard_shell::parse;
use proptest::prelude::*;

/// The spans of the words of each simple command, name first, after tree-sitter.
fn commands_of_tree_sitter(line: &str) -> Option<Vec<Vec<(usize, usize)>>> {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_bash::LANGUAGE.into())
        .expect("the grammar fits the library");
    let tree = parser.parse(line, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut found = Vec::new();
    let mut nodes = vec![tree.root_node()];
    while let Some(node) = nodes.pop() {
        let mut cursor = node.walk();
        if matches!(
            node.kind(),
            "command" | "declaration_command" | "unset_command"
        ) {
            found.push(words_of(node));
        }
        // Backticks have a text of their own here.
        let is_backticks =
            node.kind() == "command_substitution" && line.as_bytes()[node.start_byte()] == b'`';
        if !is_backticks {
            nodes.extend(node.children(&mut cursor));
        }
    }
    found.retain(|words| !words.is_empty());
    found.sort();
    Some(found)
}

fn words_of(node: tree_sitter::Node<'_>) -> Vec<(usize, usize)> {
    let mut cursor = node.walk();
    let is_command = node.kind() == "command";
    node.children(&mut cursor)
        .filter(|child| !child.kind().ends_with("redirect"))
        .filter(|child| !(is_command && child.kind() == "variable_assignment"))
        .map(|child| (child.start_byte(), child.end_byte()))
        .collect()
}

fn commands_of_ours(line: &str) -> Vec<Vec<(usize, usize)>> {
    let script = parse(line);
    let mut found: Vec<Vec<_>> = script
        .simple_commands()
        .into_iter()
        .map(|simple| {
            simple
                .words
                .iter()
                .map(|word| (word.span.start, word.span.end))
                .collect()
        })
        .collect();
    // `[ … ]` is a command for bash and a kind of test for the other parser.
    found.retain(|words: &Vec<_>| {
        words
            .first()
            .is_some_and(|&(start, end)| &line[start..end] != "[")
    });
    found.sort();
    found
}

#[test]
fn the_words_of_the_corpus_agree() {
    let mut compared = 0;
    let mut differing = Vec::new();
    for (line, _) in corpus() {
        if !parse(&line).is_understood() {
            continue;
        }
        let Some(theirs) = commands_of_tree_sitter(&line) else {
            continue;
        };
        let ours = commands_of_ours(&line);
        compared += 1;
        if ours != theirs {
            differing.push(format!(
                "{line}\n  ours   {}\n  theirs {}",
                show(&line, &ours),
                show(&line, &theirs)
            ));
        }
    }
    assert!(compared > 300, "only {compared} lines could be compared");
    assert!(
        differing.is_empty(),
        "{} of {compared}:\n{}",
        differing.len(),
        differing.join("\n")
    );
}

fn show(line: &str, commands: &[Vec<(usize, usize)>]) -> String {
    let texts = |words: &Vec<(usize, usize)>| {
        words
            .iter()
            .map(|&(a, b)| &line[a..b])
            .collect::<Vec<_>>()
            .join("|")
    };
    commands.iter().map(texts).collect::<Vec<_>>().join("  ;  ")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn the_words_of_generated_lines_agree(line in commands()) {
        // The other parser takes the commands after a here-document's operator for its body, joins two words in
        // backticks that stand side by side, and the words of two lines where `|&` leads to a loop that is piped.
        let runs_on = line.contains("|&") && line.contains('\n');
        let strange = runs_on || line.contains("<<") || line.contains("` `");
        let comparable = parse(&line).is_understood() && !strange;
        if let (true, Some(theirs)) = (comparable, commands_of_tree_sitter(&line)) {
            let ours = commands_of_ours(&line);
            prop_assert_eq!(&ours, &theirs, "{}\n  {}\n  {}", line, show(&line, &ours), show(&line, &theirs));
        }
    }
}
