//! Globs as the native tools read them (`globset`: `*`, `?`, `[…]`, `{a,b}`, `\x`, `**/`), taken apart far enough to
//! say the same to tools that know less.

use super::Unroutable;

/// More alternatives than this are not worth a printed command.
const ALTERNATIVES: usize = 8;

/// `glob` without the `**/` that a glob of file names ignores.
pub(super) fn any_depth(glob: &str) -> &str {
    glob.trim_start_matches("**/")
}

/// Whether a gitignore-style `glob` means another thing from another working directory: it has a `/` before its end.
pub(super) fn anchored(glob: &str) -> bool {
    any_depth(glob.trim_start_matches('!'))
        .trim_end_matches('/')
        .contains('/')
}

/// Whether `*` and `?` are the only special characters.
pub(super) fn simple(glob: &str) -> bool {
    !glob.contains(['[', ']', '{', '}', '\\', '/'])
}

/// Whether `glob` has no special character at all.
pub(super) fn literal(glob: &str) -> bool {
    simple(glob) && !glob.contains(['*', '?'])
}

/// The globs without braces that together match what `glob` matches.
///
/// # Errors
/// [`Unroutable::Glob`] for nested or unbalanced braces, braces beside a class or an escape, and more than
/// `ALTERNATIVES` results.
pub(super) fn alternatives(glob: &str) -> Result<Vec<String>, Unroutable> {
    if !glob.contains(['{', '}']) {
        return Ok(vec![glob.to_owned()]);
    }
    if glob.contains(['[', ']', '\\']) {
        return Err(Unroutable::Glob);
    }
    let mut done = vec![String::new()];
    let mut rest = glob;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}').ok_or(Unroutable::Glob)?;
        if before.contains('}') || inside.contains('{') {
            return Err(Unroutable::Glob);
        }
        let choices: Vec<&str> = inside.split(',').collect();
        if done.len() * choices.len() > ALTERNATIVES {
            return Err(Unroutable::Glob);
        }
        done = done
            .iter()
            .flat_map(|done| {
                choices
                    .iter()
                    .map(move |choice| format!("{done}{before}{choice}"))
            })
            .collect();
        rest = after;
    }
    if rest.contains('}') {
        return Err(Unroutable::Glob);
    }
    for glob in &mut done {
        glob.push_str(rest);
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_become_alternatives() {
        assert_eq!(alternatives("*.rs").unwrap(), ["*.rs"]);
        assert_eq!(
            alternatives("{a,b}.{c,d}").unwrap(),
            ["a.c", "a.d", "b.c", "b.d"]
        );
        assert_eq!(alternatives("x{,y}").unwrap(), ["x", "xy"]);
        for bad in ["{a", "a}", "{a{b}}", "}{", "{[a],b}", "{a,b,c}{a,b,c}"] {
            assert_eq!(alternatives(bad), Err(Unroutable::Glob), "{bad}");
        }
    }

    #[test]
    fn a_slash_before_the_end_anchors() {
        for glob in ["src/*.rs", "/x", "!**/vendor/*", "src/**"] {
            assert!(anchored(glob), "{glob}");
        }
        for glob in ["*.rs", "!*.rs", "**/*.rs", "vendor/", "!vendor/"] {
            assert!(!anchored(glob), "{glob}");
        }
    }
}
