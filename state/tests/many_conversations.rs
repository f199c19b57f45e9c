//! What an update does does not grow with the number of conversations in the folder.

#![cfg(target_os = "linux")]

mod support;

use guard_state::Store;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use support::{CONVERSATION, count, store};

/// What the kernel saw happen in the folder, the reading of the folder itself included, and how often.
fn seen(store: &Store, act: impl FnOnce()) -> BTreeMap<(String, u32), u32> {
    let watch = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
    inotify::add_watch(&watch, store.dir(), WatchFlags::ALL_EVENTS).unwrap();
    act();
    let mut buffer = [MaybeUninit::uninit(); 64 * 1024];
    let mut reader = inotify::Reader::new(&watch, &mut buffer);
    let mut counted = BTreeMap::new();
    while let Ok(event) = reader.next() {
        let name = event
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        *counted
            .entry((name.unwrap_or_default(), event.events().bits()))
            .or_default() += 1;
    }
    counted
}

fn reads_of_the_folder(seen: &BTreeMap<(String, u32), u32>) -> u32 {
    let access = ReadFlags::ACCESS.bits();
    let mine = seen
        .iter()
        .filter(|((name, events), _)| name.is_empty() && events & access != 0);
    mine.map(|(_, times)| times).sum()
}

#[test]
fn ten_thousand_files_more_are_not_looked_at() {
    let (_home, store) = store();
    count(&store, CONVERSATION).unwrap();
    let few = seen(&store, || {
        count(&store, CONVERSATION).unwrap();
    });
    for number in 0..10_000 {
        std::fs::write(store.dir().join(format!("c-{number}.json")), "{}").unwrap();
    }
    let many = seen(&store, || {
        count(&store, CONVERSATION).unwrap();
    });
    assert_eq!(few, many);
    assert!(!few.is_empty());
    assert_eq!(reads_of_the_folder(&many), 0);
    let listing = seen(&store, || drop(store.list().unwrap()));
    assert!(
        reads_of_the_folder(&listing) > 0,
        "a listing would have been seen"
    );
}
