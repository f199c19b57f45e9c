//! The `execution-guard` command line.
fn main() {}
