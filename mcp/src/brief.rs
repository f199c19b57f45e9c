//! A prompt for a subagent that stays within its scope and keeps the caller's context small.

/// Bytes of an argument.
const LONGEST: usize = 8 * 1024;
const MOST_FILES: usize = 200;

/// The prompt, or what is wrong with the arguments.
pub fn brief(objective: &str, scope: &[String], deliverable: &str) -> Result<String, String> {
    let (objective, deliverable) = (objective.trim(), deliverable.trim());
    for (name, text) in [
        ("objective", objective),
        ("expectedDeliverable", deliverable),
    ] {
        if text.is_empty() {
            return Err(format!("{name} is empty; say it in one or two sentences"));
        }
        if text.len() > LONGEST {
            return Err(format!(
                "{name} is longer than {LONGEST} bytes; write it to a file and name the file"
            ));
        }
    }
    let scope: Vec<&str> = scope
        .iter()
        .map(|path| path.trim())
        .filter(|path| !path.is_empty())
        .collect();
    if scope.len() > MOST_FILES || scope.iter().any(|path| path.len() > LONGEST) {
        return Err(format!(
            "scopeFiles has more than {MOST_FILES} entries or one that is too long; name folders instead"
        ));
    }
    let files = if scope.is_empty() {
        "No files: answer from what is said here, or ask the caller for a path.".to_owned()
    } else {
        let lines: Vec<String> = scope
            .iter()
            .map(|path| format!("- {}", path.replace(['\n', '\r'], " ")))
            .collect();
        lines.join("\n")
    };
    Ok(format!(
        "# Task for a subagent\n\n\
         ## Objective\n\n{objective}\n\n\
         ## Scope\n\n{files}\n\n\
         Read and change nothing outside of this scope. If the objective can't be reached within it, stop and say what is missing.\n\n\
         ## Deliverable\n\n{deliverable}\n\n\
         ## Rules\n\n\
         - Findings over 1 KB (1,024 bytes) go into a file. Send back only the pointer: its path, its size and one sentence on what it holds.\n\
         - Smaller findings are sent as they are, without the way that led to them.\n\
         - Give places as path:line, not as pasted code.\n\
         - Don't poll: after launching a long command end your turn, the host wakes you.\n\
         - Don't read transcripts or anything under .system_generated; don't hand the work on to another agent.\n\
         - Finish with one line: done, or what is left and why.\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brief_holds_what_was_asked_and_the_rule_for_findings() {
        let scope = ["src/a.rs".to_owned(), "docs/\n# Heading".to_owned()];
        let text = brief("Find the leak", &scope, "A list of places").unwrap();
        for part in [
            "Find the leak",
            "- src/a.rs\n",
            "A list of places",
            "over 1 KB",
            "pointer",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("\n# Heading"));
        assert!(brief(" ", &[], "x").unwrap_err().contains("objective"));
        assert!(
            brief("x", &[], &"y".repeat(9000))
                .unwrap_err()
                .contains("file")
        );
    }
}
