//! Calls that walk through folders or list them.

use super::calls::{Call, Calls};
use super::tokens::Kind;
use crate::words::lists;

/// Functions that walk through or list what their first argument names.
const WALK: &str = "walk listdir scandir readdir opendir copytree cp_r cp RecursiveDirectoryIterator find add each_child";

/// Methods that do so with the path that they belong to.
const WALK_OWN: &str = "iterdir find each_child children walk";

impl Call<'_, '_> {
    /// Notes a folder that it walks through or lists.
    pub fn walks(&self, calls: &mut Calls, is_function: bool) {
        let first_is_sub = matches!(
            self.arguments
                .first()
                .and_then(|(from, _)| self.code.kind(*from)),
            Some(Kind::Name("sub") | Kind::Sign('\\'))
        );
        if self.name == "rglob" {
            let found = self
                .code
                .value(self.start, self.code.tokens.len().min(self.end + 1));
            return calls.found.extend(found.paths);
        }
        let walked = if lists(WALK_OWN, self.name)
            && !is_function
            && self.owner.is_none_or(|owner| owner != "Find")
        {
            self.own()
        } else if self.name == "make_archive" {
            self.keyword("root_dir").unwrap_or_else(|| self.value(2))
        } else if self.name == "find" && first_is_sub {
            // `find(sub { … }, "x")`
            self.value(self.arguments.len().saturating_sub(1))
        } else if self.name == "find" && self.owner != Some("Find") {
            return;
        } else if lists(WALK, self.name)
            || self.name == "new" && self.owner == Some("RecursiveDirectoryIterator")
        {
            let index = usize::from(self.name == "opendir" && self.arguments.len() > 1);
            self.value(index)
        } else {
            return;
        };
        let lists_only = lists("listdir scandir iterdir children each_child", self.name)
            || lists("readdir opendir", self.name) && !self.code.source.contains("recursive");
        calls
            .walked
            .extend(walked.paths.into_iter().map(|path| (path, !lists_only)));
    }
}
