//! Where each simple command of a line stands.

use guard_shell::{Construct, Input, Output, SimpleCommand, parse};

/// The only command of `line` whose first word is `git`.
fn of_git<T>(line: &str, read: impl Fn(&SimpleCommand) -> T) -> T {
    let script = parse(line);
    assert!(script.is_understood(), "{line:?}: {:?}", script.problem());
    let commands = script.simple_commands();
    let mut named = commands.iter().filter(|simple| {
        simple
            .words
            .first()
            .is_some_and(|word| word.static_text(script.text()).as_deref() == Some("git"))
    });
    let found = named.next().unwrap_or_else(|| panic!("no git in {line:?}"));
    assert!(named.next().is_none(), "two in {line:?}");
    read(found)
}

fn output(line: &str) -> Output {
    of_git(line, |simple| simple.place.output)
}

fn input(line: &str) -> Input {
    of_git(line, |simple| simple.place.input)
}

#[test]
fn output_goes_to_the_reader_of_the_line() {
    for line in [
        "git status",
        "cd x && git status",
        "git status; ls",
        "git status & ls",
        "git status 2>&1",
        "git status 2>/dev/null",
        "ls | git hash-object --stdin",
        "{ git status; }",
        "(git status)",
        "if git status; then ls; fi",
        "for f in a; do git status; done",
        "A=1 git status",
        "! git status",
        "time git status",
        "git status <in",
        "git status 3>x",
        "git status 1>&1",
        "{ exec >log; } 2>x & git status",
        "(exec >log); git status",
        "tee >(git hash-object --stdin)",
    ] {
        assert_eq!(output(line), Output::Reader, "{line}");
    }
}

#[test]
fn output_goes_elsewhere() {
    for (line, expected) in [
        ("git log | head", Output::Pipe),
        ("git log |& head", Output::Pipe),
        ("{ git log; } | head", Output::Pipe),
        ("(cd x; git log) | head", Output::Pipe),
        ("for f in a; do git log; done | head", Output::Pipe),
        ("while read x; do git log; done < f | head", Output::Pipe),
        ("git log > out", Output::File),
        ("git log >> out", Output::File),
        ("git log >| out", Output::File),
        ("git log &> out", Output::File),
        ("git log >& out", Output::File),
        ("git log > out 2>&1", Output::File),
        ("git log 2> err 1>&2", Output::File),
        ("> out git log", Output::File),
        ("{ git log; } > out", Output::File),
        ("if true; then git log; fi > out", Output::File),
        ("exec > out; git log", Output::File),
        ("{ exec > out; git log; }", Output::File),
        ("git log >&2", Output::Errors),
        ("git log >&-", Output::Closed),
        ("git log >&$fd", Output::Other),
        ("git log >&3", Output::Other),
        ("x=$(git log)", Output::Captured),
        ("echo \"$(cd x && git log)\"", Output::Captured),
        ("echo ${x:-$(git log)}", Output::Captured),
        ("echo $(( $(git log) + 1 ))", Output::Captured),
        ("diff <(git log) x", Output::Captured),
        ("for f in $(git log); do ls; done", Output::Captured),
        ("case $(git log) in x) ls;; esac", Output::Captured),
        ("[[ -n $(git log) ]]", Output::Captured),
        ("a=( $(git log) )", Output::Captured),
        ("cat <<E\n$(git log)\nE", Output::Captured),
        ("ls > $(git log)", Output::Captured),
        ("coproc git log", Output::Pipe),
    ] {
        assert_eq!(output(line), expected, "{line}");
    }
}

#[test]
fn input_comes_from_where_the_line_says() {
    for (line, expected) in [
        ("git apply", Input::Inherited),
        ("cat x | git apply", Input::Pipe),
        ("cat x | { git apply; }", Input::Pipe),
        ("cat x | while read l; do git apply; done", Input::Pipe),
        ("git apply < x", Input::File),
        ("while git apply; do ls; done < x", Input::File),
        ("git apply <<E\nx\nE", Input::Text),
        ("git apply <<< x", Input::Text),
        ("git apply <&3", Input::Other),
        ("tee >(git apply)", Input::Pipe),
    ] {
        assert_eq!(input(line), expected, "{line}");
    }
}

#[test]
fn commands_know_their_constructs_and_pipelines() {
    use Construct as C;
    let constructs = |line: &str| of_git(line, |simple| simple.place.constructs.clone());
    assert_eq!(constructs("git status"), []);
    assert_eq!(constructs("( { git status; } )"), [C::Subshell, C::Group]);
    assert_eq!(constructs("! time git status"), [C::Negated, C::Timed]);
    assert_eq!(constructs("f() { git status; }"), [C::Function, C::Group]);
    assert_eq!(constructs("until git status; do ls; done"), [C::Until]);
    assert_eq!(constructs("case x in x) git status;; esac"), [C::Case]);
    assert_eq!(
        constructs("echo \"$(git status)\""),
        [C::CommandSubstitution]
    );
    assert_eq!(
        of_git("a | git x | b", |simple| (
            simple.place.stage,
            simple.place.stages
        )),
        (1, 3)
    );
}

#[test]
fn background_covers_the_whole_chain() {
    let background = |line: &str| of_git(line, |simple| simple.place.background);
    assert!(background("git fetch &"));
    assert!(background("ls && git fetch &"));
    assert!(background("{ git fetch; } & ls"));
    assert!(!background("sleep 1 & git fetch"));
    assert!(!background("git fetch && ls"));
}

#[test]
fn spans_name_the_bytes_of_the_line() {
    let line = "A=1 B='é x' git  log \"a b\" --x=$(date) >out 2>&1 # c\nls";
    let script = parse(line);
    let commands = script.simple_commands();
    assert_eq!(
        commands[0].span.of(line),
        "A=1 B='é x' git  log \"a b\" --x=$(date) >out 2>&1"
    );
    let words: Vec<_> = commands[0]
        .words
        .iter()
        .map(|word| word.span.of(line))
        .collect();
    assert_eq!(words, ["git", "log", "\"a b\"", "--x=$(date)"]);
    let assigned: Vec<_> = commands[0]
        .assignments
        .iter()
        .map(|a| (a.name.of(line), a.value.span.of(line)))
        .collect();
    assert_eq!(assigned, [("A", "1"), ("B", "'é x'")]);
    let redirections: Vec<_> = commands[0]
        .redirections
        .iter()
        .map(|r| r.span.of(line))
        .collect();
    assert_eq!(redirections, [">out", "2>&1"]);
    assert_eq!(commands[1].span.of(line), "date");
    assert_eq!(commands[2].span.of(line), "ls");
}

#[test]
fn here_documents_have_spans() {
    let line = "cat <<A <<-'B' && ls\nfirst\nA\n\tsecond\n\tB\npwd";
    let script = parse(line);
    let document = |index| script.here_document(index).expect("it is there");
    assert_eq!(
        (document(0).body.of(line), document(0).end.of(line)),
        ("first\n", "A")
    );
    assert_eq!(
        (document(1).body.of(line), document(1).end.of(line)),
        ("\tsecond\n", "\tB")
    );
    assert!(!document(0).quoted && document(1).quoted);
    let names: Vec<_> = script
        .simple_commands()
        .iter()
        .map(|simple| simple.words[0].span.of(line))
        .collect();
    assert_eq!(names, ["cat", "ls", "pwd"]);
}

#[test]
fn a_word_without_expansions_has_a_static_text() {
    let text = |line: &str| {
        let script = parse(line);
        let commands = script.simple_commands();
        commands[0].words[1]
            .static_text(script.text())
            .map(std::borrow::Cow::into_owned)
    };
    for (line, expected) in [
        ("x plain", "plain"),
        ("x 'a b'", "a b"),
        ("x \"a b\"", "a b"),
        ("x \"a\\\"b\\x\"", "a\"b\\x"),
        ("x a\\ b", "a b"),
        ("x $'a\\tb\\x41\\u00e9\\101'", "a\tbAéA"),
        ("x s'o'm\"e\"", "some"),
        ("x a\\\nb", "ab"),
        ("x HEAD@{1}", "HEAD@{1}"),
        ("x a~", "a~"),
        ("x {a}", "{a}"),
        ("x '*'", "*"),
        ("x [", "["),
    ] {
        assert_eq!(text(line).as_deref(), Some(expected), "{line}");
    }
    for line in [
        "x $a", "x \"$a\"", "x *.rs", "x a?", "x [ab]", "x ~", "x ~/a", "x {a,b}", "x {1..3}",
        "x `ls`", "x <(ls)",
    ] {
        assert_eq!(text(line), None, "{line}");
    }
}
