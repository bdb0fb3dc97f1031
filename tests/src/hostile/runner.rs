//! Tries one fault on Callgate's own host, through the door that everybody uses.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::Path,
    time::{Duration, Instant},
};

use callgate::{
    AuthRecord, CallError, Cause, ConnectionId, Connector, Json, Outcome, PooledConnection,
    Recovery, Replay, SessionOptions, SessionPool, StdioServer, ToolCallResult,
};
use tokio::time::{sleep, timeout};

use super::{Expect, Fault, Phased, Session};

type Answer = Result<ToolCallResult, CallError>;

/// How long closing may take: it waits for nobody's good will.
const CLOSE_WITHIN: Duration = Duration::from_secs(5);

/// What one fault came to.
#[derive(Debug)]
pub struct Report {
    /// The name of the fault.
    pub mode: &'static str,
    /// The phase of a session that it belongs to.
    pub phase: &'static str,
    /// How the first call ended.
    pub answer: String,
    /// How long it took.
    pub took: Duration,
    /// What was not as expected; nothing if all was.
    pub complaints: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.complaints.is_empty() { "ok " } else { "BAD" };
        let Self { mode, phase, answer, .. } = self;
        let took = self.took.as_millis();
        write!(f, "{sign} {phase:<9} {mode:<22} {took:>5} ms  {answer}")?;
        self.complaints.iter().try_for_each(|complaint| write!(f, "\n      {complaint}"))
    }
}

/// Tries `fault` on a host of its own. `server` is the binary `hostile-stdio`.
pub async fn run(fault: &'static Fault, server: &Path) -> Report {
    // By this the processes are found that belong to this run.
    let mark = format!("{}-{}", std::process::id(), fault.mode);
    let mut connection = connection(faulty(fault, server, &mark));
    if !fault.expect.is_timeout() {
        // The bound of the fault is what counts, and floods take their time on a busy machine.
        connection.options.limits.call_timeout = fault.within;
    }
    let mut report = try_on(fault, connection).await;
    let left = survivors(&mark).await;
    report.complaints.extend(left.map(|process| format!("process {process} is left")));
    report
}

/// Tries `fault` on a server that `connection` leads to.
pub(crate) async fn try_on<A: Phased>(fault: &Fault<A>, connection: PooledConnection) -> Report {
    let id = ConnectionId::from("hostile");
    let pool = SessionPool::new([(id.clone(), connection)]);
    let mut complaints = Vec::new();

    let arguments = Json::from_text(fault.arguments.text()).expect("the arguments are JSON");
    let start = Instant::now();
    // Twice as long as allowed, so that it is seen whether it ends at all.
    let answer = timeout(fault.within * 2, pool.call_tool(&id, "echo", arguments)).await;
    let took = start.elapsed();
    let shown = match &answer {
        Ok(answer) => show(answer),
        Err(_) => "hangs".to_owned(),
    };
    if !answer.is_ok_and(|answer| fault.expect.is_met_by(&answer)) {
        complaints.push(format!("expected {:?}", fault.expect));
    }
    if took > fault.within {
        complaints.push(format!("took longer than {:?}", fault.within));
    }

    complaints.extend(try_again(fault.session, &pool, &id).await);

    let start = Instant::now();
    pool.close().await;
    if start.elapsed() > CLOSE_WITHIN {
        complaints.push(format!("closing took {:?}", start.elapsed()));
    }
    Report { mode: fault.mode, phase: fault.act.phase(), answer: shown, took, complaints }
}

/// Opens a session with a server that ignores the end of its input and SIGTERM, and has a helper that does the same. All of
/// them have the named pipe `lifeline` open. Returns when the session has answered a call; dropping the pool ends it.
pub async fn hold(server: &Path, lifeline: &Path) -> Result<SessionPool, CallError> {
    // The shell opens the pipe so that everything that is started from it inherits it.
    let script = r#"exec 9>"$0"; (trap '' TERM; sleep 300) & exec "$@""#;
    let server = StdioServer {
        command: "sh".into(),
        args: ["-c", script]
            .map(Into::into)
            .into_iter()
            .chain([lifeline.into(), server.into(), "ignores-the-end".into()])
            .collect(),
        env: BTreeMap::from([("PATH".into(), std::env::var_os("PATH").unwrap_or_default())]),
        cwd: None,
    };
    let id = ConnectionId::from("held");
    let pool = SessionPool::new([(id.clone(), connection(server))]);
    pool.call_tool(&id, "echo", Json::from_text("{}".to_owned()).expect("JSON")).await?;
    Ok(pool)
}

fn faulty(fault: &Fault, server: &Path, mark: &str) -> StdioServer {
    let path = std::env::var_os("PATH").unwrap_or_default();
    StdioServer {
        command: server.into(),
        args: vec![fault.mode.into()],
        env: BTreeMap::from([("PATH".into(), path), (MARK.into(), mark.into())]),
        cwd: None,
    }
}

fn connection(server: StdioServer) -> PooledConnection {
    let connector = Connector::stdio(server);
    PooledConnection {
        connector,
        auth: AuthRecord::none(),
        options: impatient(),
        recovery: no_replay(),
    }
}

/// Each fault is about one attempt.
pub(crate) fn no_replay() -> Recovery {
    let mut recovery = Recovery::default();
    recovery.replay = Replay::Never;
    recovery
}

/// Bounds that pass soon, so that they can be waited for.
pub(crate) fn impatient() -> SessionOptions {
    let mut options = SessionOptions::default();
    options.limits.call_timeout = Duration::from_secs(2);
    options.limits.connect_timeout = Duration::from_millis(1500);
    options.limits.probe_timeout = Duration::from_millis(700);
    options.limits.write_timeout = Duration::from_millis(1200);
    options.limits.drain_timeout = Duration::from_millis(300);
    options.limits.kill_grace = Duration::from_millis(300);
    options.limits.http.control_timeout = Duration::from_secs(1);
    options
}

/// Calls the tool that counts: the second call of the same session says 2, the first one of a new one 1.
async fn try_again(session: Session, pool: &SessionPool, id: &ConnectionId) -> Option<String> {
    let mut last = String::new();
    // A session that is about to end may still take some calls with it, and says so.
    for _attempt in 0..20 {
        let arguments = Json::from_text("{}".to_owned()).expect("an object is JSON");
        let answer = timeout(Duration::from_secs(5), pool.call_tool(id, "side_effect", arguments));
        let Ok(answer) = answer.await else { return Some("the second call hangs".to_owned()) };
        last = show(&answer);
        let is_as_expected = match (session, &answer) {
            (Session::Unusable, answer) => answer.is_err(),
            (Session::Lives, Ok(result)) => result.output.as_str().ends_with(r#""calls":2}"#),
            (Session::Ends, Ok(result)) => result.output.as_str().ends_with(r#""calls":1}"#),
            (Session::Lives | Session::Ends, Err(_)) => false,
        };
        if is_as_expected {
            return None;
        }
        if session != Session::Ends || answer.is_ok() {
            break;
        }
    }
    Some(format!("the session: {:?} was expected, the second call came to {last}", session))
}

impl Expect {
    fn is_timeout(self) -> bool {
        matches!(self, Self::OutcomeUnknown(Cause::Timeout) | Self::NotSent(Cause::Timeout))
    }

    fn is_met_by(self, answer: &Answer) -> bool {
        match (self, answer) {
            (Self::Output(output), Ok(result)) => {
                result.outcome == Outcome::Ok && result.output.as_str() == output
            }
            (Self::ToolError(output), Ok(result)) => {
                result.outcome == Outcome::Error && result.output.as_str() == output
            }
            (Self::Rejected(code), Err(CallError::Rejected(error))) => error.code == code,
            (Self::OutcomeUnknown(cause), Err(CallError::OutcomeUnknown(failure)))
            | (Self::NotSent(cause), Err(CallError::NotSent(failure))) => failure.cause == cause,
            _ => false,
        }
    }
}

fn show(answer: &Answer) -> String {
    let mut text = match answer {
        Ok(result) => format!("{:?}: {}", result.outcome, result.output.as_str()),
        Err(error) => error.to_string(),
    };
    if let Some((end, _)) = text.char_indices().nth(160) {
        text.truncate(end);
        text.push('…');
    }
    text.replace(char::is_control, " ")
}

/// The variable that servers and their helpers have in their environment.
const MARK: &str = "HOSTILE_MARK";

/// How long the system may take to do away with processes that were killed.
const BURY_WITHIN: Duration = Duration::from_secs(2);

/// The processes that were not killed. Nobody tells of the end of another's child, so this has to look again and again.
async fn survivors(mark: &str) -> impl Iterator<Item = String> + use<> {
    let until = Instant::now() + BURY_WITHIN;
    while marked(mark).next().is_some() && Instant::now() < until {
        sleep(Duration::from_millis(20)).await;
    }
    marked(mark)
}

/// The processes that have the mark in their environment. Where there is no `/proc`, none is seen.
fn marked(mark: &str) -> impl Iterator<Item = String> + use<> {
    let wanted = format!("{MARK}={mark}").into_bytes();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter_map(move |process| {
        let environment = fs::read(process.path().join("environ")).ok()?;
        let is_marked = environment.split(|byte| *byte == 0).any(|entry| entry == wanted);
        is_marked.then(|| process.file_name().to_string_lossy().into_owned())
    })
}
