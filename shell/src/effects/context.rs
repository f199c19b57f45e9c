//! What the effects of a line depend on beside its text.

/// Where a line would run.
pub struct Context<'a> {
    /// The working folder, absolute.
    pub folder: &'a str,
    /// The home folder, absolute, if it is known.
    pub home: Option<&'a str>,
    /// The value of an environment variable, `None` where it is not known.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
    /// Where the shell finds the program of a name, `None` where it finds none.
    pub program: &'a dyn Fn(&str) -> Option<String>,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Context")
            .field("folder", &self.folder)
            .field("home", &self.home)
            .finish_non_exhaustive()
    }
}
