//! Why the server can't serve.

use std::io;

/// Why the server ended other than by its client's wish.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// The runtime can't start.
    #[error(
        "the MCP server can't start ({0}); check the limits on open files and threads (ulimit -a)"
    )]
    Runtime(io::Error),
    /// The client did not begin as the protocol asks.
    #[error(
        "the MCP client did not begin with the handshake ({0}); this command speaks the Model Context Protocol on standard input and output, and is started by an MCP client: register it with \"execution-guard install\""
    )]
    Handshake(Box<dyn std::error::Error + Send + Sync>),
    /// The task that serves came to a bad end.
    #[error("the MCP server stopped ({0}); start it again, and report it if that happens again")]
    Task(tokio::task::JoinError),
}
