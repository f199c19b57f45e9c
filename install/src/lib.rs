//! Edits of hooks.json and mcp_config.json that keep every foreign byte.

pub mod jsonc;
