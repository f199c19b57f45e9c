//! What rtk can do, as one table, and the rtk commands that stand in for others.

pub mod locate;
pub mod rewrite;
pub mod route;
