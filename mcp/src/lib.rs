//! The MCP server: a conversation's transcripts, its health, the governance rules and the installation, over
//! standard input and output.
//!
//! [`serve`] runs until the client closes its end. Nothing of this crate runs before it, so a process that links it and does
//! something else starts as fast as without it.

mod arguments;
mod brief;
mod error;
mod schema;
mod server;
mod tolerant;

pub use error::McpError;

use rmcp::ServiceExt;
use std::path::PathBuf;
use std::sync::Arc;

/// The governance rules as a model is given them: the prompt `context_shield` and the resource
/// `execution-guard://rules/governance`.
pub const GOVERNANCE: &str = include_str!("governance.md");

/// What the tools about the installation do. The caller has it, as it knows its own binary and places.
pub trait Installation: Send + Sync + 'static {
    /// How the installation is, as Markdown, nothing changed.
    ///
    /// # Errors
    /// What is wrong and what to do.
    fn status(&self) -> Result<String, String>;

    /// Brings the registrations up to date; with `check_only` only tells what would change, and changes nothing.
    ///
    /// # Errors
    /// What is wrong and what to do.
    fn sync(&self, check_only: bool) -> Result<String, String>;
}

/// What the server works with.
#[derive(Clone)]
pub struct Context {
    /// The user's home folder, in which the conversations lie.
    pub home: PathBuf,
    /// The installation.
    pub installation: Arc<dyn Installation>,
}

/// Serves one client over standard input and output, until it closes them.
///
/// # Errors
/// [`McpError`] if the runtime can't start or the client does not speak the protocol.
pub fn serve(context: Context) -> Result<(), McpError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(McpError::Runtime)?;
    let outcome = runtime.block_on(async {
        let server = server::Server::new(context);
        let running = match server.serve(rmcp::transport::stdio_pipes()).await {
            Ok(running) => running,
            // Whoever starts the server only to see that it starts is no error.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(McpError::Handshake(Box::new(error))),
        };
        running.waiting().await.map_err(McpError::Task)?;
        Ok(())
    });
    // A search that goes on must not keep the process when its client is gone.
    runtime.shutdown_background();
    outcome
}
