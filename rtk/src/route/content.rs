//! What routing has to know of a file: whether it is text that `rtk read` can print, and how long it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No more than this much of a file is read, in bytes. Text beyond it is taken to be like the text before it.
pub const LOOK_BYTES: u64 = 1 << 20;

const CHUNK: usize = 32 * 1024;

/// What a look at a file found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// UTF-8 without a NUL, as far as it was read.
    Text {
        /// How many lines it has.
        lines: Lines,
        /// Its size in bytes.
        bytes: u64,
    },
    /// Only the native tool can show it: a media or binary format by its name, a NUL, or not UTF-8.
    Binary,
    /// A folder, a pipe, a device.
    NotAFile,
}

/// A number of lines, counted no further than needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// All of them; a last line without a newline counts.
    Exactly(u64),
    /// More than the limit, or the file is too long to say.
    MoreThanLimit,
}

/// Looks at `path`: its name, its type, and no more than [`LOOK_BYTES`] of it.
///
/// `line_limit` is the number of lines that matters to the caller.
///
/// # Errors
/// Those of `stat`, `open` and `read`; a missing file among them.
pub fn look(path: &Path, line_limit: u64) -> io::Result<Content> {
    // Before the open: opening a pipe waits for its other end.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Ok(Content::NotAFile);
    }
    if binary_by_name(path) {
        return Ok(Content::Binary);
    }
    let file = File::open(path)?;
    scan(file.take(LOOK_BYTES), metadata.len(), line_limit)
}

fn scan(mut reader: impl Read, size: u64, line_limit: u64) -> io::Result<Content> {
    let mut buffer = vec![
        0;
        CHUNK
            .min(usize::try_from(size).unwrap_or(CHUNK) + 1)
            .max(512)
    ];
    let (mut newlines, mut seen, mut kept, mut last) = (0u64, 0u64, 0, b'\n');
    loop {
        let read = match reader.read(&mut buffer[kept..]) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let fresh = &buffer[kept..kept + read];
        if guard_scan::memchr(0, fresh).is_some() {
            return Ok(Content::Binary);
        }
        seen += read as u64;
        last = fresh[read - 1];
        if newlines <= line_limit {
            newlines += guard_scan::count(b'\n', fresh) as u64;
        }
        let filled = kept + read;
        let valid = match std::str::from_utf8(&buffer[..filled]) {
            Ok(_) => filled,
            Err(error) if error.error_len().is_some() => return Ok(Content::Binary),
            Err(error) => error.valid_up_to(),
        };
        // A character cut by the chunk's end, at most three bytes, waits for its rest.
        buffer.copy_within(valid..filled, 0);
        kept = filled - valid;
    }
    let whole = seen < LOOK_BYTES || size <= LOOK_BYTES;
    if whole && kept > 0 {
        return Ok(Content::Binary);
    }
    let lines = newlines + u64::from(last != b'\n');
    let lines = if whole && lines <= line_limit {
        Lines::Exactly(lines)
    } else {
        Lines::MoreThanLimit
    };
    Ok(Content::Text {
        lines,
        bytes: size.max(seen),
    })
}

/// Whether the extension of `path` names a format that is not text.
///
/// A short cut and a help for formats that begin like text (PDF); a file it does not know is judged by its bytes.
/// `.svg` and `.ts` are text.
#[must_use]
pub fn binary_by_name(path: &Path) -> bool {
    let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else {
        return false;
    };
    let mut lower = [0; 8];
    let Some(lower) = lower.get_mut(..extension.len()) else {
        return false;
    };
    lower.copy_from_slice(extension.as_bytes());
    lower.make_ascii_lowercase();
    let lower: &[u8] = lower;
    BINARY_EXTENSIONS
        .binary_search_by(|known| known.as_bytes().cmp(lower))
        .is_ok()
}

/// Sorted. Media that the native `view_file` shows, then what it can't show either but rtk would mangle.
const BINARY_EXTENSIONS: &[&str] = &[
    "7z", "a", "aac", "aif", "aiff", "apk", "avi", "avif", "bmp", "bz2", "class", "db", "dll",
    "doc", "docx", "dylib", "eot", "exe", "flac", "flv", "gif", "gz", "heic", "heif", "icns",
    "ico", "jar", "jpeg", "jpg", "m4a", "m4v", "mid", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg",
    "o", "odp", "ods", "odt", "ogg", "ogv", "opus", "otf", "parquet", "pdf", "png", "ppt", "pptx",
    "psd", "pyc", "rar", "rlib", "so", "sqlite", "sqlite3", "tar", "tgz", "tif", "tiff", "ttf",
    "wasm", "wav", "webm", "webp", "wmv", "woff", "woff2", "xls", "xlsx", "xz", "zip", "zst",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8], limit: u64) -> Content {
        scan(bytes, bytes.len() as u64, limit).expect("a slice can be read")
    }

    #[test]
    fn the_table_is_sorted_and_knows_no_text_format() {
        assert!(BINARY_EXTENSIONS.is_sorted());
        for name in ["a.PNG", "x/b.pdf", "c.tar.gz"] {
            assert!(binary_by_name(Path::new(name)), "{name}");
        }
        for name in [
            "a.rs",
            "a.ts",
            "a.svg",
            "pdf",
            ".pdf",
            "a.verylongextension",
            "a.",
        ] {
            assert!(!binary_by_name(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn lines_are_counted_up_to_the_limit() {
        let lines = |bytes: &[u8]| match text(bytes, 2) {
            Content::Text { lines, .. } => lines,
            other => panic!("{other:?}"),
        };
        assert_eq!(lines(b""), Lines::Exactly(0));
        assert_eq!(lines(b"a"), Lines::Exactly(1));
        assert_eq!(lines(b"a\nb\n"), Lines::Exactly(2));
        assert_eq!(lines(b"a\nb\nc"), Lines::MoreThanLimit);
        assert_eq!(lines(&b"a\n".repeat(100_000)), Lines::MoreThanLimit);
    }

    #[test]
    fn a_nul_or_a_byte_that_is_not_utf8_makes_it_binary_wherever_it_is() {
        let mut long = "ä€😀\n".repeat(20_000).into_bytes();
        assert!(matches!(text(&long, 150), Content::Text { .. }));
        long.push(0xff);
        assert_eq!(text(&long, 150), Content::Binary);
        assert_eq!(text(b"a\0", 150), Content::Binary);
        assert_eq!(text("é".as_bytes().split_at(1).0, 150), Content::Binary);
    }

    #[test]
    fn a_character_cut_by_the_look_limit_is_no_fault() {
        let long = format!("a{}", "é".repeat(600 * 1024)).into_bytes();
        let content = scan(long.as_slice().take(LOOK_BYTES), long.len() as u64, 150).unwrap();
        assert_eq!(
            content,
            Content::Text {
                lines: Lines::MoreThanLimit,
                bytes: long.len() as u64
            }
        );
    }
}
