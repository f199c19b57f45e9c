use guard_rtk::route::{Unroutable, list_dir, read, read_window};

use crate::support::{FILES, POWERSHELL, Scratch, WITH_RG, lines};

#[test]
fn a_file_of_any_name_is_read_byte_for_byte() {
    let scratch = Scratch::new();
    for (name, text) in FILES {
        let line = read(&[scratch.path(name)], &WITH_RG).unwrap();
        assert_eq!(scratch.stdout(&line), *text, "{line}");
    }
}

#[test]
fn many_files_are_read_in_order() {
    let scratch = Scratch::new();
    let paths: Vec<String> = FILES.iter().map(|(name, _)| scratch.path(name)).collect();
    let all: String = FILES.iter().map(|(_, text)| *text).collect();
    assert_eq!(scratch.stdout(&read(&paths, &WITH_RG).unwrap()), all);
    assert_eq!(read::<&str>(&[], &WITH_RG), Err(Unroutable::Empty));
    assert_eq!(read(&["/a", ""], &WITH_RG), Err(Unroutable::Empty));
}

#[test]
fn a_window_is_exactly_its_lines() {
    let scratch = Scratch::new();
    let text: Vec<String> = (1..=900).map(|n| format!("line {n}\n")).collect();
    scratch.write("long 'file'.txt", text.concat().as_bytes());
    let path = scratch.path("long 'file'.txt");
    let windows = [
        (None, None),
        (Some(1), Some(1)),
        (None, Some(400)),
        (Some(0), Some(0)),
        (Some(300), Some(600)),
        (Some(900), Some(900)),
        (Some(850), None),
        (Some(1), Some(5000)),
        (Some(2000), Some(3000)),
    ];
    for (start, end) in windows {
        let first = start.unwrap_or(1).max(1) as usize;
        let last = end
            .filter(|&end| end > 0)
            .map_or(900, |end| (end as usize).min(900));
        let expected = text.get(first - 1..last).unwrap_or_default().concat();
        let line = read_window(&path, start, end, &WITH_RG).unwrap();
        assert_eq!(scratch.stdout(&line), expected, "{line}");
    }
    assert_eq!(
        read_window(&path, Some(9), Some(8), &WITH_RG),
        Err(Unroutable::NoWindow)
    );
}

#[test]
fn a_listing_names_every_entry_of_the_folder() {
    let scratch = Scratch::new();
    for name in ["", "docs", "src", ".hidden", "out"] {
        let path = scratch.path(name);
        let printed = scratch.stdout(&list_dir(&path, &WITH_RG).unwrap());
        // The second half of a name with a newline is counted as "filtered".
        let note = |line: &String| line.starts_with("... (") || line.starts_with("[+");
        let printed: Vec<String> = lines(&printed)
            .into_iter()
            .filter(|line| !note(line))
            .collect();
        let mut expected = 0;
        for entry in std::fs::read_dir(&path).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            // `ls` breaks a name at its newline, and rtk keeps the first half.
            let name = name.split('\n').next().unwrap();
            let folder = entry.file_type().unwrap().is_dir();
            let shown = printed.iter().any(|line| match folder {
                true => line == &format!("{name}/"),
                false => line
                    .strip_prefix(name)
                    .is_some_and(|size| size.starts_with("  ")),
            });
            assert!(shown, "{name} is missing in {printed:?}");
            expected += 1;
        }
        assert_eq!(printed.len(), expected, "{printed:?}");
    }
}

#[test]
fn a_listing_for_powershell_names_the_files_and_folders_of_the_folder() {
    let scratch = Scratch::new();
    let line = list_dir(&scratch.path("src"), &POWERSHELL).unwrap();
    let printed: Vec<String> = line
        .split("; ")
        .map(|command| scratch.stdout_of_powershell(command))
        .collect();
    let found = lines(&printed.concat());
    for name in ["main.rs", "lib.rs", "B.RS", "deep"] {
        assert!(found.contains(name), "{name} in {printed:?}");
    }
    assert!(!printed.concat().contains("x.rs"), "{printed:?}");
}

#[test]
fn powershell_gets_the_windows_that_need_no_pipe() {
    let scratch = Scratch::new();
    let path = scratch.path("src/main.rs");
    let line = read_window(&path, None, Some(1), &POWERSHELL).unwrap();
    assert_eq!(scratch.stdout_of_powershell(&line), "fn main() {}\n");
    assert_eq!(
        read_window(&path, Some(2), Some(3), &POWERSHELL),
        Err(Unroutable::NoWindow)
    );
}
