//! The server by itself, with an installation that is only told about: `cargo run --example serve`.

use guard_mcp::{Context, Installation, serve};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

struct Told;

impl Installation for Told {
    fn status(&self) -> Result<String, String> {
        Ok("- binary: ok\n".to_owned())
    }

    fn sync(&self, check_only: bool) -> Result<String, String> {
        if check_only {
            Ok("would change nothing\n".to_owned())
        } else {
            Err("this example changes nothing; call with checkOnly: true".to_owned())
        }
    }
}

fn main() -> ExitCode {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let context = Context {
        home,
        installation: Arc::new(Told),
    };
    match serve(context) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("serve: {error}");
            ExitCode::FAILURE
        }
    }
}
