//! Servers that die, at every time and in every way, and those that won't.
#![expect(
    clippy::disallowed_methods,
    reason = "a server that does nothing for a long time sleeps; nobody waits for it"
)]

use std::{
    env,
    io::{self, Write as _},
    os::{
        fd::{FromRawFd as _, OwnedFd, RawFd},
        unix::process::CommandExt as _,
    },
    process::{self, Command},
    thread,
    time::Duration,
};

use callgate::Cause;

use super::{Act, Expect, Fault, Request, Server, fault};

const FINE: Expect = Expect::Output(r#""done""#);
const ECHOED: Expect = Expect::Output(r#"{"x":1}"#);
const GONE: Expect = Expect::OutcomeUnknown(Cause::SessionStopped);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "exit-before-answer",
        Act::Call(|_, _| process::exit(0)),
        GONE,
        "it exits as if all were well",
    )
    .ends(),
    fault(
        "exit-3",
        Act::Call(exit_with_words),
        GONE,
        "it exits with a status and a reason on stderr",
    )
    .ends(),
    fault("exit-within-answer", Act::Call(exit_within_answer), GONE, "it exits within the answer")
        .ends(),
    fault(
        "exit-without-newline",
        Act::Call(exit_without_newline),
        Expect::Output("null"),
        "it exits before the end of the line",
    )
    .ends(),
    fault("exit-after-answer", Act::Call(exit_after_answer), FINE, "it exits after the answer")
        .ends(),
    fault("abort", Act::Call(|_, _| process::abort()), GONE, "it aborts").ends(),
    fault("killed", Act::Call(|_, _| signal("KILL")), GONE, "it is killed").ends(),
    fault(
        "segfault",
        Act::Call(|_, _| signal("SEGV")),
        GONE,
        "it accesses memory that isn't there",
    )
    .ends(),
    fault(
        "stopped",
        Act::Call(|_, _| signal("STOP")),
        Expect::OutcomeUnknown(Cause::Timeout),
        "it is stopped, as by a debugger",
    )
    .unusable()
    .within_secs(4),
    fault("stdout-closed", Act::Call(stdout_closed), GONE, "it closes its output and lives on")
        .ends(),
    fault(
        "stdin-closed",
        Act::List(stdin_closed),
        Expect::NotSent(Cause::SessionStopped),
        "it closes its input and lives on",
    )
    .unusable(),
    fault(
        "stdin-closed-late",
        Act::Call(stdin_closed_late),
        FINE,
        "it closes its input, answers and lives on",
    )
    .ends(),
    fault(
        "helper-keeps-stdout",
        Act::Call(helper_keeps_stdout),
        GONE,
        "it exits, and a helper keeps its output open",
    )
    .ends(),
    fault(
        "helper-speaks-on",
        Act::Call(helper_speaks_on),
        GONE,
        "it exits, and a helper goes on writing to its output",
    )
    .ends(),
    fault("stderr-flood", Act::Call(stderr_flood), FINE, "ten MiB on stderr before the answer")
        .within_secs(5),
    fault("stderr-closed", Act::Call(stderr_closed), FINE, "it closes its stderr"),
    fault(
        "ignores-the-end",
        Act::Start(ignores_the_end),
        ECHOED,
        "it ignores the end of its input and SIGTERM",
    ),
    fault(
        "helper-outlives",
        Act::Initialized(helper_outlives),
        ECHOED,
        "a helper of it outlives it",
    ),
];

fn exit_with_words(_server: &mut Server, _request: &Request) {
    say("out of cheese\n");
    process::exit(3);
}

fn exit_within_answer(server: &mut Server, request: &Request) {
    server.raw(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[{{"ty"#, request.id));
    process::exit(1);
}

fn exit_without_newline(server: &mut Server, request: &Request) {
    server.raw(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[]}}}}"#, request.id));
    process::exit(0);
}

fn exit_after_answer(server: &mut Server, request: &Request) {
    server.done(request);
    process::exit(0);
}

/// Sends this process a signal.
fn signal(name: &str) {
    let id = process::id().to_string();
    // Twice, because the first SIGSEGV only ends the handler that finds overflows of the stack.
    for _ in 0..2 {
        let _its_death_is_its_answer = Command::new("kill").args(["-s", name, &id]).status();
    }
    rest();
}

fn stdout_closed(_server: &mut Server, _request: &Request) {
    close(1);
    rest();
}

fn stdin_closed(server: &mut Server, request: &Request) {
    close(0);
    server.list(request);
    rest();
}

fn stdin_closed_late(server: &mut Server, request: &Request) {
    close(0);
    server.done(request);
    rest();
}

fn helper_keeps_stdout(_server: &mut Server, _request: &Request) {
    helper("sleep 300");
    process::exit(0);
}

fn helper_speaks_on(_server: &mut Server, _request: &Request) {
    helper("while :; do echo still here; sleep 0.01; done");
    process::exit(0);
}

fn stderr_flood(server: &mut Server, request: &Request) {
    let line = "warning: something is deprecated\n".repeat(1000);
    for _ in 0..320 {
        say(&line);
    }
    server.done(request);
}

fn stderr_closed(server: &mut Server, request: &Request) {
    close(2);
    server.done(request);
}

/// What is ignored stays ignored when a shell replaces itself by this program.
fn ignores_the_end(server: &mut Server) {
    const MARK: &str = "HOSTILE_IGNORES_TERM";
    if env::var_os(MARK).is_none() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' TERM; exec \"$0\" \"$@\""]).args(env::args_os()).env(MARK, "1");
        say(&format!("no shell: {}\n", shell.exec()));
        process::exit(1);
    }
    while let Some(request) = server.read() {
        server.behave(&request);
    }
    rest();
}

fn helper_outlives(_server: &mut Server) {
    helper("trap '' TERM; sleep 300");
}

/// Starts a helper that has the server's pipes.
fn helper(script: &str) {
    let started = Command::new("sh").args(["-c", script]).spawn();
    if let Err(error) = started {
        say(&format!("no helper: {error}\n"));
    }
}

/// Closes one of the three streams that a program starts with.
fn close(stream: RawFd) {
    // SAFETY: the stream is open, as it was at the start and nothing else closes it, and whoever uses it afterwards gets an
    // error, which is what this is for.
    drop(unsafe { OwnedFd::from_raw_fd(stream) });
}

fn say(text: &str) {
    let _nobody_may_read_it = io::stderr().write_all(text.as_bytes());
}

/// Does nothing for longer than anybody waits.
fn rest() {
    thread::sleep(Duration::from_secs(300));
}
