//! Takes a lock, reads a small file and puts a new one in its place: what any process costs on this machine that keeps
//! something safely. `replace-file FOLDER`

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let folder = Path::new(&folder);
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join("lock"))?;
    lock.lock()?;
    let kept = folder.join("kept");
    let bytes = fs::read(&kept).unwrap_or_else(|_| vec![b' '; 1024]);
    let beside = folder.join("kept.new");
    io::Write::write_all(&mut File::create(&beside)?, &bytes)?;
    fs::rename(beside, kept)
}
