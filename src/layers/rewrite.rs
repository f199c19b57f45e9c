//! Layer 2, commands: a shell line gets its rtk form.

use crate::scene::Scene;
use crate::verdict::Ruling;

/// Rewrites what rtk shortens without changing what it does.
pub fn rule(_scene: &Scene) -> Ruling {
    Ruling::Pass("not rewritten")
}
