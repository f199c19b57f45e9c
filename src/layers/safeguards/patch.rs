//! What a patch would change: the files that it names.

use std::fs::File;
use std::io::Read;

use super::{Protection, protection as protected_as};
use crate::effects::Touched;
use crate::scene::Scene;

/// How much of a patch is read. One that is longer is asked about, as one that can't be read is.
const MOST_BYTES: u64 = 1 << 20;

/// What a patch changes that is protected.
fn protection_of(scene: &Scene, text: &str) -> Option<Protection> {
    let folder = scene.working_folder();
    text.lines().filter_map(named_file).find_map(|name| {
        // `a/` and `b/` stand before the names that git writes; other programs leave them out.
        let stripped = name.split_once('/').map(|(_, rest)| rest);
        [Some(name), stripped]
            .into_iter()
            .flatten()
            .find_map(|name| {
                let path = folder.join(name);
                protected_as(scene, &scene.place(path.to_str()?))
            })
    })
}

/// The same for a patch in a file. What is no file of readable size is the patching program's to refuse.
pub fn protection(scene: &Scene, touched: &Touched) -> Option<Protection> {
    let place = touched.place()?;
    let file = File::open(&place.real)
        .ok()
        .filter(|_| place.real.is_file())?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MOST_BYTES {
        return Some(Protection::Benchmark);
    }
    protection_of(scene, &String::from_utf8_lossy(&bytes))
}

fn named_file(line: &str) -> Option<&str> {
    const BEFORE: [&str; 6] = [
        "+++ ",
        "--- ",
        "rename to ",
        "rename from ",
        "copy to ",
        "Index: ",
    ];
    let name = BEFORE.iter().find_map(|before| line.strip_prefix(before))?;
    // A time may follow behind a tab.
    let name = name.split('\t').next().unwrap_or(name).trim_matches('"');
    (name != "/dev/null").then_some(name)
}
