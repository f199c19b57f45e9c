//! A transcript as one source of bytes: the file, or where the file is missing the chunks that the host keeps of it.

use crate::error::TranscriptError;
use crate::open::open;
use crate::source::Source;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Chunk files that are looked at: 10 GB, as a chunk has 100 KiB.
const MAX_CHUNKS: usize = 100_000;

/// An open transcript.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) source: Source<Bytes>,
    path: PathBuf,
}

impl Log {
    /// Opens `logs/STEM.jsonl`, or the chunks in `logs/chunks/STEM/` if there is no such file.
    pub(crate) fn open(logs: &Path, stem: &str) -> Result<Self, TranscriptError> {
        let path = logs.join(format!("{stem}.jsonl"));
        match open(&path) {
            Ok((file, len)) => Ok(Self {
                source: Source::new(Bytes::File(file), len),
                path,
            }),
            Err(TranscriptError::Missing { path }) => {
                let folder = logs.join("chunks").join(stem);
                let chunks = Chunks::open(&folder).ok_or(TranscriptError::Missing { path })?;
                let len = chunks.len;
                Ok(Self {
                    source: Source::new(Bytes::Chunks(chunks), len),
                    path: folder,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// What the system said of a read, with the file's name.
    pub(crate) fn failed(&self, source: io::Error) -> TranscriptError {
        TranscriptError::Read {
            path: self.path.clone(),
            source,
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.source.len()
    }
}

/// The bytes of a transcript.
#[derive(Debug)]
pub(crate) enum Bytes {
    File(File),
    Chunks(Chunks),
}

impl Read for Bytes {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(into),
            Self::Chunks(chunks) => chunks.read(into),
        }
    }
}

impl Seek for Bytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Chunks(chunks) => chunks.seek(to),
        }
    }
}

/// Chunk files one after the other. The host cuts at a byte count, in the middle of a line if need be.
#[derive(Debug)]
pub(crate) struct Chunks {
    /// Each file with the offset at which it begins.
    files: Vec<(u64, PathBuf)>,
    len: u64,
    position: u64,
    /// The file that was read last, by its index.
    current: Option<(usize, File)>,
}

impl Chunks {
    fn open(folder: &Path) -> Option<Self> {
        let mut named: Vec<(u64, PathBuf)> = std::fs::read_dir(folder)
            .ok()?
            .take(MAX_CHUNKS)
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let number = path.file_stem()?.to_str()?.parse().ok()?;
                let is_chunk = path.extension()? == "jsonl";
                is_chunk.then_some((number, path))
            })
            .collect();
        named.sort();
        let mut len = 0;
        let mut files = Vec::with_capacity(named.len());
        for (_, path) in named {
            let size = path.symlink_metadata().ok().filter(|data| data.is_file())?;
            files.push((len, path));
            len += size.len();
        }
        (!files.is_empty()).then_some(Self {
            files,
            len,
            position: 0,
            current: None,
        })
    }

    fn end_of(&self, index: usize) -> u64 {
        self.files
            .get(index + 1)
            .map_or(self.len, |(start, _)| *start)
    }
}

impl Read for Chunks {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.position >= self.len {
            return Ok(0);
        }
        let after = self
            .files
            .partition_point(|(start, _)| *start <= self.position);
        let index = (after - 1..self.files.len())
            .find(|index| self.position < self.end_of(*index))
            .unwrap_or(after - 1);
        let file = match &mut self.current {
            Some((open, file)) if *open == index => file,
            current => {
                let (file, _) = open(&self.files[index].1).map_err(io::Error::other)?;
                &mut current.insert((index, file)).1
            }
        };
        let left = self
            .files
            .get(index + 1)
            .map_or(self.len, |(start, _)| *start)
            - self.position;
        let room = into.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        file.seek(SeekFrom::Start(self.position - self.files[index].0))?;
        let count = file.read(&mut into[..room])?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Chunks {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.len.saturating_add_signed(by),
            SeekFrom::Current(by) => self.position.saturating_add_signed(by),
        };
        Ok(self.position)
    }
}
