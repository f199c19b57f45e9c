//! Reading the one JSON value of a call from standard input, whatever the host does with the pipe.
//!
//! Some hosts leave the pipe open after the call, so end of file can't be waited for: the value is
//! complete when its outermost bracket closes. A host that stops in the middle is answered after
//! [`READ_DEADLINE`].

use std::io;
use std::time::{Duration, Instant};

use guard_scan::memchr2;

/// How long an incomplete call is waited for. Hosts allow a hook 5 s (our registration) to 30 s
/// (their default), and an answer that comes after that is read as a denial without a reason.
pub const READ_DEADLINE: Duration = Duration::from_secs(2);

/// The largest call that is read, in bytes. The largest seen are file writes of a few MB.
pub const MAX_CALL_BYTES: usize = 64 << 20;

/// The first read; most calls fit, and with it on one page begins what else the call allocates. Memory that is not
/// written costs nothing, so it is not cleared beforehand.
const FIRST_CHUNK: usize = 3 << 10;

/// What is read next of a call that did not fit: all that a pipe holds.
const NEXT_CHUNK: usize = 64 << 10;

/// What was read, and how the reading ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Input {
    /// All bytes that came before the reading ended.
    pub bytes: Vec<u8>,
    /// Why the reading ended.
    pub ended: Ended,
}

/// Why the reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// One JSON object or array is complete.
    Complete,
    /// The host closed the pipe before that.
    EndOfFile,
    /// The deadline passed before that.
    Deadline,
    /// More than [`MAX_CALL_BYTES`] came.
    TooLarge,
    /// The pipe can't be read.
    Unreadable,
}

/// A source that can be waited for with a limit.
pub trait Source {
    /// Waits until bytes or the end of the file can be read; `false` if `limit` passed before.
    ///
    /// # Errors
    /// The source can't be waited for.
    fn wait(&mut self, limit: Duration) -> io::Result<bool>;

    /// Appends what is there to `bytes`, no more than its spare capacity; 0 is the end.
    ///
    /// # Errors
    /// The source can't be read.
    fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize>;
}

/// Reads one JSON value from `source`. The deadline counts from the first read that did not bring it
/// whole: a call that comes in one piece is not worth a look at the clock.
pub fn read_call(source: &mut impl Source, deadline: Duration) -> Input {
    let mut start = None;
    let mut bytes = Vec::new();
    let mut extent = Extent::default();
    loop {
        let passed = start.map_or(Duration::ZERO, |start: Instant| start.elapsed());
        let ended = match source.wait(deadline.saturating_sub(passed)) {
            Ok(true) => match read_chunk(source, &mut bytes) {
                Ok(0) => Some(Ended::EndOfFile),
                Ok(_) if bytes.len() > MAX_CALL_BYTES => Some(Ended::TooLarge),
                Ok(new) => {
                    let from = bytes.len() - new;
                    extent.feed(&bytes[from..]).then_some(Ended::Complete)
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
                Err(_) => Some(Ended::Unreadable),
            },
            Ok(false) => Some(Ended::Deadline),
            Err(_) => Some(Ended::Unreadable),
        };
        if let Some(ended) = ended {
            return Input { bytes, ended };
        }
        start.get_or_insert_with(Instant::now);
    }
}

/// Doubles the room when it is used up, at least.
fn read_chunk(source: &mut impl Source, bytes: &mut Vec<u8>) -> io::Result<usize> {
    if bytes.len() == bytes.capacity() {
        let room = if bytes.is_empty() {
            FIRST_CHUNK
        } else {
            NEXT_CHUNK.max(bytes.len())
        };
        bytes.reserve(room);
    }
    source.read_more(bytes)
}

/// Finds where the first JSON object or array ends, fed piece by piece. It counts brackets outside
/// of strings and validates nothing: the parser does that.
#[derive(Default)]
struct Extent {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Extent {
    /// Takes the next bytes; `true` once the outermost bracket has closed in them.
    fn feed(&mut self, mut bytes: &[u8]) -> bool {
        while let Some(&byte) = bytes.first() {
            if self.in_string {
                bytes = self.within_string(bytes);
                continue;
            }
            bytes = &bytes[1..];
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Skips to what follows the next quote or escape; the escaped byte may be in the next piece.
    fn within_string<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        if std::mem::take(&mut self.escaped) {
            return &bytes[1..];
        }
        let Some(at) = memchr2(b'"', b'\\', bytes) else {
            return &[];
        };
        if bytes[at] == b'"' {
            self.in_string = false;
        } else {
            self.escaped = true;
        }
        &bytes[at + 1..]
    }
}

/// Standard input as a [`Source`].
#[cfg(unix)]
#[derive(Debug)]
pub struct Stdin;

#[cfg(unix)]
impl Source for Stdin {
    fn wait(&mut self, limit: Duration) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let limit = Timespec {
            tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: limit.subsec_nanos().into(),
        };
        let stdin = rustix::stdio::stdin();
        let mut watched = [PollFd::from_borrowed_fd(stdin, PollFlags::IN)];
        loop {
            match poll(&mut watched, Some(&limit)) {
                Ok(ready) => return Ok(ready > 0),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let spare = rustix::buffer::spare_capacity(bytes);
        Ok(rustix::io::read(rustix::stdio::stdin(), spare)?)
    }
}

/// Standard input as a [`Source`]: Windows has no wait on a pipe in the standard library, so a
/// thread reads and this end waits for what it sends.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct Stdin {
    pieces: std::sync::mpsc::Receiver<io::Result<Vec<u8>>>,
    next: Option<io::Result<Vec<u8>>>,
}

#[cfg(not(unix))]
impl Default for Stdin {
    /// Starts the reading thread, which ends with the process.
    fn default() -> Self {
        let (send, pieces) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            loop {
                let mut piece = vec![0; FIRST_CHUNK];
                let read = io::Read::read(&mut io::stdin().lock(), &mut piece).map(|n| {
                    piece.truncate(n);
                    piece
                });
                let last = !matches!(&read, Ok(piece) if !piece.is_empty());
                if send.send(read).is_err() || last {
                    return;
                }
            }
        });
        Self { pieces, next: None }
    }
}

#[cfg(not(unix))]
impl Source for Stdin {
    fn wait(&mut self, limit: Duration) -> io::Result<bool> {
        if self.next.is_none() {
            match self.pieces.recv_timeout(limit) {
                Ok(piece) => self.next = Some(piece),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => return Ok(false),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {}
            }
        }
        Ok(true)
    }

    fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let piece = self.next.take().unwrap_or_else(|| Ok(Vec::new()))?;
        bytes.extend_from_slice(&piece);
        Ok(piece.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// A pipe that delivers the given pieces and then stays open.
    struct OpenPipe(VecDeque<Vec<u8>>);

    impl OpenPipe {
        fn of(text: &[u8], piece: usize) -> Self {
            Self(text.chunks(piece).map(<[u8]>::to_vec).collect())
        }
    }

    impl Source for OpenPipe {
        fn wait(&mut self, _: Duration) -> io::Result<bool> {
            Ok(!self.0.is_empty())
        }

        fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
            let piece = self.0.pop_front().unwrap_or_default();
            bytes.extend_from_slice(&piece);
            Ok(piece.len())
        }
    }

    fn ended(text: &str, piece: usize) -> Ended {
        read_call(&mut OpenPipe::of(text.as_bytes(), piece), READ_DEADLINE).ended
    }

    #[test]
    fn a_value_is_complete_when_its_bracket_closes_though_the_pipe_stays_open() {
        let calls = [
            r#"{"a":1}"#,
            r#"[{"a":"}"}]"#,
            r#"{"a":"\"}","b":"\\"}"#,
            "  {\"a\":{\"b\":[]}}",
            r#"{"a":"\\\"]}\\"}"#,
        ];
        for call in calls {
            for piece in 1..=call.len() {
                assert_eq!(ended(call, piece), Ended::Complete, "{call} by {piece}");
            }
        }
    }

    #[test]
    fn a_value_that_is_cut_anywhere_meets_the_deadline() {
        let call = r#"{"a":"\"}","b":["\\",{}]}"#;
        for cut in 0..call.len() {
            assert_eq!(ended(&call[..cut], 3), Ended::Deadline, "{}", &call[..cut]);
        }
    }

    #[test]
    fn what_follows_the_value_in_the_same_piece_is_kept_for_the_parser_to_refuse() {
        let input = read_call(&mut OpenPipe::of(b"{} x", 4), READ_DEADLINE);
        assert_eq!(input.bytes, b"{} x");
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        assert_eq!(ended(&deep, 4096), Ended::Complete);
    }
}
