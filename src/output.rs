//! Standard output without a buffer: an answer is one write.

use std::io::{self, Write};

/// Standard output.
#[derive(Debug)]
pub struct Stdout;

impl Write for Stdout {
    #[cfg(unix)]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(rustix::stdio::stdout(), bytes)?)
    }

    #[cfg(not(unix))]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        if cfg!(unix) {
            Ok(())
        } else {
            io::stdout().flush()
        }
    }
}
