//! Containers, clouds, networks and systems.

use super::super::call::Call;
use super::super::reason::Reason::*;
use super::super::row::{Program, Row, naming, never, program, row, unless_first, when, with, without};
use super::{ABOUT, OUTSIDE};

const DOCKER_TAKES: &[&str] =
    &["-f", "--filter", "--format", "-n", "--last", "-t", "--tag", "--file", "--build-arg", "--target", "--platform"];
const DOCKER_DATA: &[&str] = &["-q", "--quiet", "--format", "--no-trunc", "--iidfile", "--metadata-file"];

pub(super) const DOCKER: Program = program(
    "docker",
    &[
        row("ps|images|compose ps", DOCKER_TAKES, &[with(Data, DOCKER_DATA)]),
        row(
            "build|compose build",
            DOCKER_TAKES,
            &[
                with(ActsOutside, &["--push"]),
                with(Data, &["-q", "--quiet", "-o", "--output", "--metadata-file", "--print"]),
            ],
        ),
        // A hundred lines of them, and of these a count of errors and warnings in place of the lines.
        row("logs|compose logs", &[], &[with(Follows, &["-f", "--follow"]), never(CutSilently)]),
        row("run|exec", &[], &[when(Dialogue, is_interactive), never(ActsOutside)]),
    ],
);

fn is_interactive(call: &Call) -> bool {
    call.has_option(&["-i", "-t", "--interactive", "--tty"])
}

const KUBE_TAKES: &[&str] = &[
    "-n", "--namespace", "-l", "--selector", "--context", "-f", "--filename", "--field-selector", "--sort-by", "-c",
];

const KUBE: &[Row] = &[
    row(
        "get",
        KUBE_TAKES,
        &[
            with(Follows, &["-w", "--watch", "--watch-only"]),
            when(Data, prints_a_format),
            with(Data, &["--template", "--no-headers", "--show-managed-fields", "--raw"]),
            // Names and states become a count; one that is named is not found.
            when(CutSilently, counts_pods),
            when(FalseClaim, names_a_service),
            // Labels and order are not shown.
            with(Layout, &["--show-labels", "-L", "--label-columns", "--sort-by"]),
        ],
    ),
    row("describe", KUBE_TAKES, &[]),
    row("logs", &[], &[with(Follows, &["-f", "--follow"]), never(CutSilently)]),
    // Of `oc` only.
    row("status", &[], &[when(NoForm, |call| call.words[0].text == "kubectl"), with(Data, &["-o", "--output"])]),
    row("adm", &[], &[when(NoForm, |call| call.words[0].text == "kubectl"), never(ActsOutside)]),
    row("apply", &[], &[never(ActsOutside)]),
];

/// `-o wide` is handed on as it is.
fn counts_pods(call: &Call) -> bool {
    matches!(call.rest().first().map(|word| word.text.as_ref()), Some("po" | "pod" | "pods"))
        && !call.has_option(&["-o", "--output"])
}

fn names_a_service(call: &Call) -> bool {
    matches!(call.rest().first().map(|word| word.text.as_ref()), Some("svc" | "service" | "services"))
        && !call.has_option(&["-o", "--output"])
        && call.operands().count() > 1
}

/// `-o wide` and `-o name` are tables for people; wide is passed on as it is.
fn prints_a_format(call: &Call) -> bool {
    ["-o", "--output"].iter().any(|name| {
        call.value_of(name).is_some_and(|value| value.is_none_or(|value| value.trim_start_matches('=') != "wide"))
    })
}

pub(super) const KUBECTL: Program = program("kubectl", KUBE);
pub(super) const OC: Program = program("oc", KUBE);

/// Verbs of the AWS command line that only read.
const AWS_READS: &[&str] =
    &["describe-", "list-", "get-", "ls", "head-", "batch-get-", "filter-", "lookup-", "search-", "scan", "query"];

pub(super) const AWS: Program =
    Program { name: "aws", before: &["--profile=", "--region=", "--no-cli-pager"], rows: AWS_ROWS };

const AWS_ROWS: &[Row] = &[row(
    "",
    &["--profile", "--region", "--endpoint-url"],
    &[
        when(NoForm, |call| call.rest().is_empty()),
        with(Data, &["--output", "--query", "--generate-cli-skeleton", "--debug"]),
        with(Follows, &["--follow"]),
        when(ActsOutside, |call| {
            let verb = call.operands().nth(1);
            verb.is_none_or(|verb| !AWS_READS.iter().any(|read| verb.starts_with(read)))
        }),
        // A value, a secret, a token or a file: data.
        when(Data, |call| {
            call.operands().nth(1).is_some_and(|verb| {
                verb == "scan"
                    || verb == "query"
                    || verb.contains("secret")
                    || verb.contains("password")
                    || verb.contains("token")
                    || verb.contains("object")
                    || verb.contains("parameter")
                    || verb.contains("credentials")
            })
        }),
    ],
)];

pub(super) const GCLOUD: Program = program(
    "gcloud",
    &[row(
        "",
        &["--project", "--zone", "--region", "--filter", "--limit"],
        &[
            with(Data, &["--format", "--flatten"]),
            when(ActsOutside, |call| !call.operands().any(|operand| matches!(operand, "list" | "describe" | "info"))),
            naming(Follows, &["ssh", "tail", "stream"]),
        ],
    )],
);

pub(super) const HELM: Program = program(
    "helm",
    &[row(
        "",
        &["-n", "--namespace", "-f", "--values", "--set"],
        &[
            with(Data, &["-o", "--output"]),
            naming(Data, &["template", "get", "show"]),
            unless_first(ActsOutside, &["list", "ls", "status", "history", "lint", "search", "version", "env"]),
        ],
    )],
);

/// `no changes detected` where the state is locked or can't be read.
pub(super) const TERRAFORM: Program =
    program("terraform", &[row("plan", &["-var", "-var-file", "-target", "-out"], &[never(FalseClaim)])]);
pub(super) const TOFU: Program = program(
    "tofu",
    &[
        // As for terraform; `init` says `ok` to what failed.
        row("plan|init", &[], &[never(FalseClaim)]),
        row(
            "fmt",
            &[],
            &[
                with(Data, &["-check", "-diff", "-list", "-write"]),
                when(Data, |call| call.operands().any(|operand| operand == "-")),
            ],
        ),
        row("validate", &[], &[with(Data, &["-json"])]),
    ],
);

pub(super) const PULUMI: Program = program(
    "pulumi",
    &[
        // `no changes` where it failed.
        row("preview", &[], &[never(FalseClaim)]),
        row("stack ls|stack history", &["-s", "--stack"], &[with(Data, &["--json", "-j"])]),
        row("stack output", &[], &[never(Data)]),
        row("up|destroy|refresh|stack", &[], &[never(ActsOutside)]),
    ],
);

pub(super) const ANSIBLE: Program = program(
    "ansible-playbook",
    &[row(
        "",
        &["-i", "-e", "-l", "-t", "--tags"],
        &[
            when(ActsOutside, |call| {
                !call.has_option(&["--syntax-check", "--list-hosts", "--list-tasks", "--list-tags"])
            }),
            with(Dialogue, &["-K", "-k", "--ask-become-pass", "--ask-pass", "--ask-vault-pass", "--step"]),
        ],
    )],
);

const CURL_TAKES: &[&str] = &[
    "-X", "-d", "-F", "-T", "-H", "-o", "-u", "-A", "-b", "-c", "-e", "-m", "-w", "-x", "-K", "-r", "-E", "-Y", "-y",
    "-z", "-C", "--request", "--header", "--output", "--user", "--user-agent", "--cookie", "--cookie-jar",
    "--max-time", "--connect-timeout", "--retry", "--retry-delay", "--write-out", "--url", "--cacert", "--cert",
    "--key", "--proxy", "--resolve", "--range",
];

pub(super) const CURL: Program = program(
    "curl",
    &[row(
        "",
        CURL_TAKES,
        &[
            when(ActsOutside, sends),
            with(Follows, &["-N", "--no-buffer"]),
            // Status codes and times for a program; what goes to the standard error and is held back.
            with(Data, &["-w", "--write-out"]),
            with(CutSilently, &["-v", "--verbose", "--trace", "--trace-ascii", "-#", "--progress-bar"]),
            when(NoForm, |call| call.rest().is_empty()),
        ],
    )],
);

/// A request that is not a plain GET or HEAD.
fn sends(call: &Call) -> bool {
    let gets = call.has_option(&["-G", "--get"]);
    !gets
        && call.has_option(&[
            "-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json", "-F",
            "--form", "--form-string", "-T", "--upload-file", "-Q", "--quote",
        ])
        || call.has_option(&["--json", "-T", "--upload-file", "-F", "--form"])
        || ["-X", "--request"].iter().any(|name| {
            call.value_of(name).is_some_and(|value| value.is_none_or(|value| !matches!(value, "GET" | "HEAD")))
        })
}

pub(super) const WGET: Program = program(
    "wget",
    &[row(
        "",
        &["-O", "-P", "-o", "--output-document", "--header", "--timeout", "-t", "-U"],
        &[
            when(Data, |call| {
                ["-O", "--output-document", "-qO", "-q"].iter().any(|name| {
                    call.value_of(name).is_some_and(|value| value.is_none_or(|value| value.ends_with('-')))
                })
            }),
            with(Data, &["-S", "--server-response", "--spider", "-v", "-d"]),
            with(ActsOutside, &["--post-data", "--post-file", "--method", "--body-data", "--body-file"]),
            with(Follows, &["-b", "--background"]),
            when(NoForm, |call| call.rest().is_empty()),
        ],
    )],
);

/// Without a count it never ends.
pub(super) const PING: Program =
    program("ping", &[row("", &["-c", "-i", "-W", "-w", "-s"], &[without(Follows, &["-c", "-w", "-V"])])]);

pub(super) const SYSTEMCTL: Program = program(
    "systemctl",
    &[row("status", &["-n", "--lines", "-o"], &[with(Data, &["-o", "--output"]), with(FalseClaim, ABOUT)])],
);
pub(super) const IPTABLES: Program = program(
    "iptables",
    &[row(
        "",
        &["-t"],
        &[
            without(ActsOutside, &["-L", "--list", "-S", "--list-rules"]),
            with(ActsOutside, &["-Z", "--zero"]),
            with(Data, &["-S", "--list-rules"]),
        ],
    )],
);
pub(super) const FAIL2BAN: Program =
    program("fail2ban-client", &[row("", &[], &[unless_first(ActsOutside, &["status", "ping", "version"])])]);
pub(super) const SKOPEO: Program = program(
    "skopeo",
    &[row("list-tags", &[], &[]), row("inspect", &[], &[never(Data)]), row("", &[], &[never(ActsOutside)])],
);
pub(super) const LIQUIBASE: Program = program(
    "liquibase",
    &[row(
        "",
        &["--changelog-file", "--url", "--username", "--password"],
        &[unless_first(ActsOutside, &["status", "validate", "history"]), with(Data, &["--output-file"])],
    )],
);
pub(super) const JIRA: Program = program(
    "jira",
    &[
        row(
            "issue list|issue view|sprint list|epic list|board list|project list",
            &[],
            &[with(Data, &["--plain", "--raw", "--csv", "--no-headers"])],
        ),
        row("", &[], &[never(ActsOutside)]),
    ],
);

/// Secrets: data, or an editor.
pub(super) const SOPS: Program = program("sops", &[row("", &[], &[never(Data)])]);
/// A dialogue with another machine or a database.
pub(super) const SSH: Program = program("ssh", &[row("", &[], &[never(Dialogue)])]);
pub(super) const PSQL: Program = program("psql", &[row("", &[], &[never(Dialogue)])]);
pub(super) const RSYNC: Program = program("rsync", OUTSIDE);
pub(super) const SHOPIFY: Program = program("shopify", &[row("theme push|theme pull", &[], &[never(ActsOutside)])]);
pub(super) const BREW: Program = program("brew", &[row("install|upgrade", &[], &[never(ActsOutside)])]);
