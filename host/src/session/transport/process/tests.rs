//! Real processes: small shell scripts that misbehave.
#![expect(clippy::disallowed_methods, reason = "the tests need processes and a PATH of their own")]

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::Read as _,
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use rmcp::transport::Transport as _;
use tempfile::TempDir;

use super::watchdog;
use crate::{
    call::Cause,
    limits::SessionLimits,
    session::{
        connect::StdioServer,
        story::{Farewell, LeftOver, Obstacle, ProcessEnd},
        transport::{Ended, stdio},
    },
};

fn limits() -> SessionLimits {
    SessionLimits { kill_grace: Duration::from_millis(300), ..SessionLimits::default() }
}

fn shell(script: &str) -> StdioServer {
    let path = std::env::var_os("PATH").unwrap();
    StdioServer {
        command: "sh".into(),
        args: vec!["-c".into(), script.into()],
        env: BTreeMap::from([("PATH".into(), path)]),
        cwd: None,
    }
}

/// A pipe with a name: its end is seen when every process that has it open is gone.
struct Lifeline {
    folder: TempDir,
}

impl Lifeline {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap();
        assert!(made.success());
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("pipe")
    }

    /// A script that holds the pipe, also in all that it starts.
    fn script(&self, script: &str) -> String {
        format!("exec 9>'{}'; {script}", self.path().display())
    }

    /// Opens the pipe, which waits for the script to do so, and returns what waits for everybody's end.
    async fn begin(&self) -> tokio::task::JoinHandle<String> {
        let path = self.path();
        let mut pipe =
            tokio::task::spawn_blocking(move || std::fs::File::open(path).unwrap()).await.unwrap();
        tokio::task::spawn_blocking(move || {
            let mut text = String::new();
            pipe.read_to_string(&mut text).unwrap();
            text
        })
    }
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), future).await.expect("it happens soon")
}

/// Runs a server to its end, and returns what is said about it.
async fn end_of(script: &str) -> (Cause, String) {
    let ended = Ended::default();
    let (mut transport, process) = stdio::open(&shell(script), &limits(), ended.clone()).unwrap();
    while soon(transport.receive()).await.is_some() {}
    process.shutdown().await;
    let failure = ended.get().unwrap();
    (failure.cause, failure.detail.clone())
}

#[tokio::test]
async fn a_death_is_told_with_its_status_and_the_last_words() {
    let (cause, detail) = end_of("echo 'no database' >&2; exit 3").await;

    assert_eq!(cause, Cause::SessionStopped);
    assert!(detail.contains("exit status: 3"), "{detail}");
    assert!(detail.ends_with("the end of its stderr: no database"), "{detail}");
}

#[tokio::test]
async fn a_death_by_signal_is_told() {
    let (_, detail) = end_of("kill -SEGV $$").await;

    assert!(detail.contains("SIGSEGV"), "{detail}");
}

#[tokio::test]
async fn a_helper_that_keeps_the_pipes_open_hides_no_death() {
    let (_, detail) = end_of("sleep 300 & exit 4").await;

    assert!(detail.contains("exit status: 4"), "{detail}");
}

#[tokio::test]
async fn a_server_that_closes_its_output_has_ended_though_it_lives() {
    let (_, detail) = end_of("exec 1>&-; sleep 300").await;

    assert!(detail.contains("its process still runs"), "{detail}");
}

#[tokio::test]
async fn the_last_message_before_a_death_is_read() {
    let script = r#"echo '{"jsonrpc":"2.0","id":1,"method":"ping"}'; sleep 300 & exit 0"#;
    let ended = Ended::default();
    let (mut transport, process) = stdio::open(&shell(script), &limits(), ended).unwrap();

    assert!(soon(transport.receive()).await.is_some());
    assert!(soon(transport.receive()).await.is_none());
    process.shutdown().await;
}

#[tokio::test]
async fn stderr_is_drained_and_only_its_end_is_kept() {
    let script = "i=0; while [ $i -lt 20000 ]; do echo 'chatter chatter' >&2; i=$((i+1)); done; \
                  echo last >&2";
    let (_, detail) = end_of(script).await;

    assert!(detail.ends_with("chatter chatter\nlast"));
    assert!(detail.len() < limits().stderr_tail_bytes + 200);
}

#[tokio::test]
async fn the_environment_is_the_servers_alone() {
    let mut server = shell("echo \"$(env | sort | grep -v -e ^_= -e ^PWD= -e ^SHLVL=)\" >&2");
    server.env.insert("ANSWER".into(), "42".into());
    let path = server.env[&OsString::from("PATH")].to_str().unwrap().to_owned();
    let ended = Ended::default();
    let (mut transport, _process) = stdio::open(&server, &limits(), ended.clone()).unwrap();

    assert!(soon(transport.receive()).await.is_none());

    let detail = &ended.get().unwrap().detail;
    assert!(detail.ends_with(&format!("stderr: ANSWER=42\nPATH={path}")), "{detail}");
}

#[tokio::test]
async fn a_server_leaves_when_its_stdin_closes() {
    let script = "echo bye >&2; cat; exit 5";
    let (_transport, process) = stdio::open(&shell(script), &limits(), Ended::default()).unwrap();

    let ProcessEnd { status, farewell, took, left_over, stderr } = soon(process.shutdown()).await;

    assert_eq!((farewell, left_over, &*stderr), (Farewell::Left, LeftOver::Nothing, "bye"));
    assert_eq!(status.unwrap().code(), Some(5));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn a_server_that_ended_by_itself_was_not_asked_to() {
    let ended = Ended::default();
    let (mut transport, mut process) =
        stdio::open(&shell("exit 3"), &limits(), ended.clone()).unwrap();
    while soon(transport.receive()).await.is_some() {}
    soon(process.want_end_soon()).await;

    let end = soon(process.shutdown()).await;

    assert_eq!((end.farewell, end.took), (Farewell::Gone, Duration::ZERO));
    assert_eq!(end.status.unwrap().code(), Some(3));
}

#[tokio::test]
async fn a_server_that_stays_is_asked_to_terminate() {
    let lifeline = Lifeline::new();
    let script = lifeline.script("trap 'exit 0' TERM; echo >&9; while :; do sleep 0.02; done");
    let (_transport, process) = stdio::open(&shell(&script), &limits(), Ended::default()).unwrap();
    let gone = soon(lifeline.begin()).await;

    assert_eq!(soon(process.shutdown()).await.farewell, Farewell::Terminated);

    soon(gone).await.unwrap();
}

#[tokio::test]
async fn a_server_that_ignores_everything_is_killed_with_its_children() {
    let lifeline = Lifeline::new();
    let script = lifeline.script("trap '' TERM; sleep 300 & (sleep 300; :) & wait; sleep 300");
    let (_transport, process) = stdio::open(&shell(&script), &limits(), Ended::default()).unwrap();
    let gone = soon(lifeline.begin()).await;

    assert_eq!(soon(process.shutdown()).await.farewell, Farewell::Killed);

    soon(gone).await.unwrap();
}

#[tokio::test]
async fn children_that_outlive_their_server_are_killed() {
    let lifeline = Lifeline::new();
    let script = lifeline.script("trap '' TERM; sleep 300 & cat");
    let (_transport, process) = stdio::open(&shell(&script), &limits(), Ended::default()).unwrap();
    let gone = soon(lifeline.begin()).await;

    let end = soon(process.shutdown()).await;

    assert_eq!((end.farewell, end.left_over), (Farewell::Left, LeftOver::Something));
    soon(gone).await.unwrap();
}

#[tokio::test]
async fn a_dropped_process_is_killed_with_its_children() {
    let lifeline = Lifeline::new();
    let script = lifeline.script("trap '' TERM; sleep 300 & sleep 300");
    let (_transport, process) = stdio::open(&shell(&script), &limits(), Ended::default()).unwrap();
    let gone = soon(lifeline.begin()).await;

    drop(process);

    soon(gone).await.unwrap();
}

#[test]
fn the_watchdog_kills_what_a_dead_host_left() {
    let lifeline = Lifeline::new();
    let script = lifeline.script("trap '' TERM; sleep 300 & sleep 300");
    let mut left = Command::new("sh").args(["-c", &script]).process_group(0).spawn().unwrap();
    let mut other = Command::new("sleep").arg("300").process_group(0).spawn().unwrap();
    let mut pipe = std::fs::File::open(lifeline.path()).unwrap();
    let groups = [left.id(), other.id()].map(|id| i32::try_from(id).unwrap());
    let mut host = watchdog::Watchdog::default();
    for group in groups {
        host.add(group);
    }
    host.remove(groups[1]);

    // The host dies.
    drop(host);

    let mut text = String::new();
    pipe.read_to_string(&mut text).unwrap();
    left.wait().unwrap();
    assert!(other.try_wait().unwrap().is_none(), "only what was left");
    other.kill().unwrap();
    other.wait().unwrap();
}

fn refused(server: &StdioServer) -> (Obstacle, String) {
    let failure = stdio::open(server, &limits(), Ended::default()).map(drop).unwrap_err();
    (failure.obstacle, failure.detail)
}

fn file(folder: &Path, name: &str, mode: u32, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[tokio::test]
async fn what_does_not_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    file(folder, "plain", 0o644, "#!/bin/sh\n");
    file(folder, "lost", 0o755, "#!/no/such/interpreter\n");
    let mut server = shell("");
    server.env.insert("PATH".into(), folder.into());
    let mut try_it = |command: &str| {
        server.command = command.into();
        let (obstacle, detail) = refused(&server);
        (obstacle, detail.replace(folder.to_str().unwrap(), "DIR"))
    };

    for (command, obstacle, detail) in [
        ("nope", Obstacle::NoProgram, "there is no nope in the server's PATH, which is DIR"),
        (
            "plain",
            Obstacle::NotExecutable,
            "DIR/plain is not executable, and no other plain is in the server's PATH",
        ),
        ("lost", Obstacle::NoInterpreter, "DIR/lost names an interpreter that does not exist"),
        ("/no/such/file", Obstacle::NoProgram, "there is no file /no/such/file"),
        ("", Obstacle::NoProgram, "the command is empty"),
    ] {
        assert_eq!(try_it(command), (obstacle, detail.to_owned()));
    }
    server.command = "sh".into();
    server.env.clear();
    let (obstacle, detail) = refused(&server);
    assert_eq!(obstacle, Obstacle::NoProgram);
    assert_eq!(detail, "the server's environment has no PATH in which sh could be");
    server.cwd = Some("/no/such/folder".into());
    let (obstacle, detail) = refused(&server);
    assert_eq!(obstacle, Obstacle::NoFolder);
    assert_eq!(detail, "the working directory /no/such/folder is no directory");
}

#[tokio::test]
async fn a_relative_command_is_looked_up_in_the_servers_directory() {
    let folder = tempfile::tempdir().unwrap();
    file(folder.path(), "server", 0o755, "#!/bin/sh\npwd >&2\n");
    let server = StdioServer {
        command: "./server".into(),
        cwd: Some(folder.path().to_owned()),
        ..shell("")
    };
    let ended = Ended::default();
    let (mut transport, _process) = stdio::open(&server, &limits(), ended.clone()).unwrap();

    assert!(soon(transport.receive()).await.is_none());

    let detail = &ended.get().unwrap().detail;
    let folder = folder.path().canonicalize().unwrap();
    assert!(detail.ends_with(folder.to_str().unwrap()), "{detail}");
}
