//! The governor behind the `execution-guard` hook.
