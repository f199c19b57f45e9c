//! Calls that open a file, perhaps to write it.

use super::calls::{Call, Calls, MODULES, is_known};
use super::tokens::Kind;
use super::value::Value;
use crate::effects::value::Text;
use crate::words::lists;

impl Call<'_, '_> {
    /// A call that opens a file, perhaps to write it.
    pub fn opens(&self, calls: &mut Calls) {
        if self.owner == Some("shelve") {
            return self.changes(calls, self.value(0), false);
        }
        let is_handle = |(from, to): (usize, usize)| match self.code.kind(from) {
            Some(Kind::Name("my")) => true,
            Some(Kind::Name(name)) => {
                from + 1 == to
                    && (name.starts_with('$')
                        || name
                            .bytes()
                            .all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
            }
            _ => false,
        };
        let has_path_mode = self.text(1).is_some_and(|text| {
            text.starts_with(['<', '>', '+', '|']) || text.contains(['/', '.'])
        });
        let is_perl = self.owner.is_none() && self.start == self.at && lists("open sysopen", self.name)
            && self.arguments.first().copied().is_some_and(is_handle)
            && (has_path_mode || self.arguments.len() != 2 || self.positional(1).is_some_and(|(from, _)| matches!(self.code.kind(from), Some(Kind::Name(name)) if name.starts_with('$'))));
        if is_perl {
            return self.opens_as_perl(calls);
        }
        // `p.open('w')` has the mode first.
        let owned = self.start != self.at
            && self.owner.is_none_or(|owner| {
                !lists(MODULES, owner)
                    && !lists(
                        "gzip bz2 lzma io codecs tarfile zipfile aiofiles Image",
                        owner,
                    )
            });
        let (target, mode) = if owned && self.name == "open" {
            (self.own(), 0)
        } else {
            (self.value(0), 1)
        };
        let mode = match (self.keyword("mode"), self.positional(mode)) {
            (Some(mode), _) => mode,
            (None, Some((from, to))) => {
                let flags = self.code.tokens[from..to].iter().any(|token| matches!(token.kind, Kind::Name(name) if name.contains("WR") || name.contains("CREAT") || name.contains("TRUNC")));
                if flags {
                    Value::of(Text::literal("w"))
                } else if self.code.is(from, '{') {
                    Value::of(Text::literal("r"))
                } else {
                    self.code.value(from, to)
                }
            }
            (None, None) => Value::of(Text::literal("r")),
        };
        let writes = |mode: &Text| {
            mode.as_literal()
                .is_none_or(|mode| mode.starts_with(['w', 'a', 'x', 'c']) || mode.contains('+'))
        };
        if mode.paths.iter().any(writes)
            || !mode.closed && mode.paths.is_empty() && self.code.source.contains("'w")
        {
            self.changes(calls, target, false);
        } else {
            calls.reads_found |= !is_known(&target);
            self.explained(calls);
        }
    }

    /// `open F, ">x"`, `open(my $f, ">", "x")`, `open F, "|tee x"`
    fn opens_as_perl(&self, calls: &mut Calls) {
        let mode = self.text(1).unwrap_or("");
        let sign = mode.trim_start();
        let path = sign
            .trim_start_matches(['<', '>', '+', '|', '-', ' '])
            .trim();
        let target = if sign.starts_with('|') || sign.ends_with('|') {
            let line = if path.is_empty() {
                self.text(2).unwrap_or("")
            } else {
                path.trim_end_matches('|')
            };
            calls.run.push((line.to_owned(), false));
            return self.explained(calls);
        } else if self.name == "sysopen" {
            self.value(1)
        } else if path.is_empty() && self.arguments.len() > 2 {
            self.value(2)
        } else if sign.starts_with(['<', '>', '+']) {
            self.value(1).after_signs()
        } else {
            self.value(1)
        };
        let flags = || {
            self.arguments.get(2).is_some_and(|(from, to)| self.code.tokens[*from..*to].iter().any(|token| matches!(token.kind, Kind::Name(name) if name.contains("WR") || name.contains("CREAT"))))
        };
        if sign.starts_with(['>', '+']) || self.name == "sysopen" && flags() {
            self.changes(calls, target, false);
        } else {
            calls.reads_found |= !is_known(&target);
            self.explained(calls);
        }
    }
}

impl Value {
    /// A path of Perl without the signs before it that say how it is opened.
    fn after_signs(mut self) -> Self {
        for path in &mut self.paths {
            let length =
                path.prefix().len() - path.prefix().trim_start_matches(['<', '>', '+', ' ']).len();
            *path = path.without_prefix(length);
        }
        self
    }
}
