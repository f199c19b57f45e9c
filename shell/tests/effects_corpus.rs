//! Real command lines: followed to their end where they are bash, and no alarm that they do not earn.

mod common;

use common::{corpus, effects_of};
use guard_shell::{AccessKind, Component, Reach, parse};

#[test]
fn real_lines_are_followed_to_their_end() {
    let lost: Vec<_> = corpus()
        .into_iter()
        .filter(|(line, _)| {
            parse(line).is_understood() && !effects_of("/home/dev/work", line).complete
        })
        .collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn real_lines_that_do_not_name_internal_state_do_not_read_it() {
    let wrong: Vec<_> = corpus()
        .into_iter()
        .filter(|(line, _)| !line.contains("system_generated"))
        .filter(|(line, _)| {
            effects_of("/home/dev/work", line)
                .accesses
                .iter()
                .any(|access| {
                    access
                        .path
                        .reaches_component(".system_generated", Component::Any, false)
                        == Reach::Spelled
                })
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn real_lines_without_a_name_of_a_protected_folder_do_not_change_one() {
    let wrong: Vec<_> = corpus()
        .into_iter()
        .filter(|(line, _)| !line.contains("benchmark"))
        // It moves everything in its folder.
        .filter(|(line, _)| !line.contains("for item in *; do"))
        .filter(|(line, _)| {
            effects_of("/home/dev/work", line)
                .accesses
                .iter()
                .any(|access| {
                    access.kind == AccessKind::Write
                        && access
                            .path
                            .reaches_component("benchmarks", Component::Any, false)
                            == Reach::Spelled
                })
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
