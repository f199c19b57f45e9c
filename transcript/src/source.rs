//! A seekable byte source that counts what is read from it.

use std::io::{self, Read, Seek, SeekFrom};

/// A transcript's bytes, with a count of the bytes read so far: the measure of work that tests hold to a
/// budget, since a clock can't be trusted on a busy machine.
#[derive(Debug)]
pub struct Source<R> {
    inner: R,
    len: u64,
    position: Option<u64>,
    bytes_read: u64,
}

impl<R: Read + Seek> Source<R> {
    /// Reads `inner` as a transcript of `len` bytes; what lies behind `len` is not looked at.
    pub fn new(inner: R, len: u64) -> Self {
        Self {
            inner,
            len,
            position: None,
            bytes_read: 0,
        }
    }

    /// The size in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes read so far, the same byte twice if it was read twice.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Reads at a byte offset into the front of `into`; 0 means that the file ends there (it may have become
    /// shorter since it was opened).
    ///
    /// # Errors
    /// What the system says about the seek or the read.
    pub(crate) fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        if self.position != Some(offset) {
            self.position = None;
            self.inner.seek(SeekFrom::Start(offset))?;
        }
        let count = loop {
            match self.inner.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.position = Some(offset + count as u64);
        self.bytes_read += count as u64;
        Ok(count)
    }
}
