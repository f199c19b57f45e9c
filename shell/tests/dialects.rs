//! Which shell a line is written for.

mod common;

use common::corpus;
use guard_shell::{Dialect, dialect, parse};

#[test]
fn bash_lines_of_the_corpus_are_bash() {
    let wrong: Vec<_> = corpus()
        .into_iter()
        .filter(|(line, shell)| shell == "bash" && dialect(line) != Dialect::Posix)
        .map(|(line, _)| line)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Lines of the corpus written for Windows that bash reads without a difference in meaning, or that only quote
/// a path of Windows: nothing in them tells the shell.
#[test]
fn windows_lines_of_the_corpus_are_recognised_or_mean_the_same_in_bash() {
    const SIGNS: [&str; 9] = [
        "$env:",
        "Get-",
        "Select-",
        "Write-",
        "Remove-Item",
        "New-Object",
        "$paths",
        ".\\",
        ":\\",
    ];
    let quoted = |line: &str| line.contains('"') || line.contains('\'');
    let missed: Vec<_> = corpus()
        .into_iter()
        .filter(|(line, shell)| shell != "bash" && parse(line).is_understood())
        .filter(|(line, _)| SIGNS.iter().any(|sign| line.contains(sign)) && !quoted(line))
        .map(|(line, _)| line)
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn signs_of_powershell() {
    for line in [
        "Get-Content x.txt",
        "get-content x.txt | Select-Object -First 5",
        "ls | Where-Object { $_.Length -gt 5 }",
        "$env:X = 'y'; npm test",
        "$env:X=\"y\"; npm test",
        "$x = 5",
        "$r = Invoke-WebRequest -Uri http://x; $r.Content",
        "if (Test-Path a) { Remove-Item a }",
        "rm -Recurse -Force x",
        "cd C:\\x\\y; npm test",
        ".\\gradlew.bat build",
        "cat docs\\plan.md",
        "ls src -Recurse -Filter *.ts",
        "dir env:",
        "& \"C:\\x\\adb.exe\" devices | Select-String x",
        "@{a=1} | ConvertTo-Json",
    ] {
        assert_eq!(dialect(line), Dialect::PowerShell, "{line}");
        assert!(!parse(line).is_understood(), "{line}");
    }
}

#[test]
fn signs_of_cmd() {
    for line in [
        "dir /s /b",
        "del /q x",
        "findstr /S foo *.txt",
        "timeout /t 5 /nobreak",
        "tree /F",
        "echo %PATH%",
        "npm test > nul",
        "where /r . x.exe",
        "taskkill /F /PID 5",
    ] {
        assert_eq!(dialect(line), Dialect::Cmd, "{line}");
    }
}

#[test]
fn what_only_looks_like_windows_is_bash() {
    for line in [
        "git commit -m 'Use Get-Content in C:\\x'",
        "echo \"a %PATH% b\"",
        "grep -rn 'Select-Object' src",
        "find . -name \\*.rs -o -name a\\ b",
        "grep foo\\|bar x",
        "ls /s /q",
        "cp a /F",
        "date +%Y%m%d%H",
        "apt-get install x",
        "rg '\\bfoo\\b' src",
        "printf '%s\\n' a",
        "cat > x.ps1 <<'E'\nGet-Content $env:X\nE",
        "find / -path /s -prune",
        "docker-compose up",
        "add-apt-repository ppa:x",
        "powershell -Command \"Get-Content x\"",
        "cmd /c \"dir /s\"",
    ] {
        assert_eq!(dialect(line), Dialect::Posix, "{line}");
    }
}
