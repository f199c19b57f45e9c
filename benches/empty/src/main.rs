//! Starts and ends: what any process costs on this machine.
fn main() {}
