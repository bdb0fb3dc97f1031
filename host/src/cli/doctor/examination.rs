//! One server from start to end: opened, asked one question, closed.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::time::Instant;

use super::{
    quote::Quote,
    report::{Agreed, Clash, End, Reached, ServerReport, Tools, Unlisted},
    trouble::{Problem, Trouble},
};
use crate::{
    call::{CallError, ConnectionId},
    config::{Configured, Server},
    limits::DoctorLimits,
    pool::SessionPool,
    session::{
        Catalogue, Era, Farewell, LeftOver, Obstacle, ProcessEnd, Session, SessionInfo, Story,
        clashes,
    },
};

/// One server, as the configuration has it.
pub(super) struct Patient {
    id: ConnectionId,
    file: PathBuf,
    server: Option<Server>,
    is_disabled: bool,
    pub(super) has_credentials: bool,
}

impl Patient {
    pub(super) fn new(id: ConnectionId, configured: &Configured, file: &Path) -> Self {
        let connection = match configured {
            Configured::Ready(connection) => Some(connection),
            Configured::Disabled | Configured::Unusable(_) => None,
        };
        Self {
            id,
            file: file.to_owned(),
            server: connection.map(|connection| connection.server.clone()),
            is_disabled: *configured == Configured::Disabled,
            has_credentials: connection.is_some_and(|connection| !connection.auth.is_empty()),
        }
    }

    /// Words for a key of this server.
    pub(super) fn key(&self, key: &str) -> String {
        format!("\"{key}\" in {}", self.file.display())
    }

    fn reached(&self, limits: &DoctorLimits) -> Option<Reached> {
        let quote = |text: &str| Quote::new(text, limits.max_quoted_chars);
        Some(match self.server.as_ref()? {
            Server::Stdio(server) => Reached::Stdio {
                command: quote(&server.command.to_string_lossy()),
                // Not the arguments themselves: they may come from variables, and hold secrets.
                arguments: server.args.len(),
                folder: server.cwd.as_ref().map(|folder| quote(&folder.to_string_lossy())),
            },
            Server::Http(server) => {
                let mut url = server.url.clone();
                url.set_query(server.url.query().map(|_| "..."));
                url.set_fragment(None);
                Reached::Http { url: quote(url.as_str()) }
            }
        })
    }
}

/// Opens the server, asks it one question, and ends it.
pub(super) async fn examine(
    pool: &SessionPool,
    patient: &Patient,
    limits: &DoctorLimits,
) -> ServerReport {
    let mut report = ServerReport {
        name: patient.id.as_str().to_owned(),
        is_disabled: patient.is_disabled,
        reached: patient.reached(limits),
        ..ServerReport::default()
    };
    if patient.is_disabled {
        return report;
    }
    let problem = |trouble: Trouble, detail: &str| Problem {
        kind: trouble.kind(),
        detail: Quote::new(detail, limits.max_detail_chars),
        advice: trouble.advice(patient),
    };
    let start = Instant::now();
    let session = match pool.session(&patient.id) {
        Ok(session) => session,
        // Nothing was started: the configuration already says that it can't be.
        Err(error) => {
            report.problem = Some(problem(Trouble::Unusable, &detail_of(&error)));
            return report;
        }
    };
    let tried = open_and_ask(&session, start, &mut report).await;
    let catalogue = session.catalogue();
    session.close().await;
    let story = session.story();
    if let Err(detail) = tried {
        let trouble = trouble(&story, patient).await;
        report.problem = Some(problem(trouble, &what_happened(trouble, &story, detail)));
    }
    fill_in(&mut report, story, &catalogue, limits);
    report
}

/// Waits until the session is ready, and asks the server something. The error is in words.
async fn open_and_ask(
    session: &Session,
    start: Instant,
    report: &mut ServerReport,
) -> Result<(), String> {
    session.ready().await.map_err(|failure| failure.detail)?;
    report.open_ms = Some(millis(start.elapsed()));
    let took = session.round_trip().await.map_err(|error| detail_of(&error))?;
    report.round_trip_ms = Some(millis(took));
    Ok(())
}

fn detail_of(error: &CallError) -> String {
    match error {
        CallError::NotSent(failure) | CallError::OutcomeUnknown(failure) => failure.detail.clone(),
        other => other.to_string(),
    }
}

/// Tells an unknown name from a network that doesn't work, and a server that ended from one that is silent.
async fn trouble(story: &Story, patient: &Patient) -> Trouble {
    let Some(obstacle) = story.obstacle else {
        let ended = story.process_end.as_ref().is_some_and(|end| end.farewell == Farewell::Gone);
        return if ended { Trouble::Blocked(Obstacle::Exited) } else { Trouble::NoAnswer };
    };
    if obstacle == Obstacle::Unreachable
        && let Some(Server::Http(server)) = &patient.server
        && let Some(url::Host::Domain(host)) = server.url.host()
        && tokio::net::lookup_host((host, 0)).await.is_err()
    {
        return Trouble::UnknownHost;
    }
    Trouble::Blocked(obstacle)
}

/// One sentence. What the process said is told apart from it.
fn what_happened(trouble: Trouble, story: &Story, detail: String) -> String {
    let status = story.process_end.as_ref().and_then(|end| end.status);
    match (trouble, status) {
        (Trouble::Blocked(Obstacle::Exited), Some(status)) => {
            format!("it ended by itself: {status}")
        }
        _ => detail,
    }
}

fn fill_in(report: &mut ServerReport, story: Story, catalogue: &Catalogue, limits: &DoctorLimits) {
    let Story { info, list_problem, unlisted, process_end, .. } = story;
    let quote = |text: &str| Quote::new(text, limits.max_quoted_chars);
    report.no_tools = list_problem.map(|why| Quote::new(&why, limits.max_detail_chars));
    if info.is_some() && report.no_tools.is_none() {
        report.tools = Some(tools(catalogue, unlisted, limits));
    }
    report.session = info.map(|info| agreed(&info, quote));
    if let Some(end) = process_end {
        report.stderr =
            Quote::last_lines(&end.stderr, limits.max_stderr_lines, limits.max_quoted_chars);
        report.end = Some(end_of(&end));
    }
}

fn agreed(info: &SessionInfo, quote: impl Fn(&str) -> Quote) -> Agreed {
    Agreed {
        era: match info.era {
            Era::Legacy => "legacy",
            Era::Stateless => "stateless",
        },
        second_start: info.is_second_start,
        protocol_version: quote(&info.protocol_version),
        server_name: info.server_name.as_deref().map(&quote),
        server_version: info.server_version.as_deref().map(&quote),
        has_instructions: info.instructions.is_some(),
    }
}

fn tools(
    catalogue: &Catalogue,
    unlisted: Vec<(&'static str, String)>,
    limits: &DoctorLimits,
) -> Tools {
    let tools = catalogue.tools();
    let unlisted = unlisted
        .into_iter()
        .map(|(key, name)| Unlisted { key, name: Quote::new(&name, limits.max_quoted_chars) });
    Tools {
        count: tools.len(),
        read_only: tools.iter().filter(|tool| tool.read_only).count(),
        clashes: quoted_clashes(tools.iter().map(|tool| tool.name.as_str()), limits),
        unlisted: unlisted.collect(),
    }
}

/// Names that a language which makes identifiers of them can't tell apart.
fn quoted_clashes<'n>(names: impl Iterator<Item = &'n str>, limits: &DoctorLimits) -> Vec<Clash> {
    let quote = |text: &str| Quote::new(text, limits.max_quoted_chars);
    clashes(names)
        .into_iter()
        .take(limits.max_clashes)
        .map(|(identifier, names)| Clash {
            identifier: quote(&identifier),
            names: names.into_iter().take(limits.max_clashes).map(quote).collect(),
        })
        .collect()
}

fn end_of(end: &ProcessEnd) -> End {
    End {
        status: end.status.map(|status| status.to_string()),
        code: end.status.and_then(|status| status.code()),
        signal: end.status.and_then(signal),
        farewell: match end.farewell {
            Farewell::Gone => "gone",
            Farewell::Left => "left",
            Farewell::Terminated => "terminated",
            Farewell::Killed => "killed",
            Farewell::Stuck => "stuck",
        },
        took_ms: millis(end.took),
        left_processes: end.left_over == LeftOver::Something,
    }
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: std::process::ExitStatus) -> Option<i32> {
    None
}

/// Milliseconds to the microsecond.
fn millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1_000_000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_become_one_identifier_clash() {
        let names = ["get-sum", "read", "get_sum", "get.sum", "Read"];

        let clashes = quoted_clashes(names.into_iter(), &DoctorLimits::default());

        let [clash] = &*clashes else { panic!("{clashes:?}") };
        let names: Vec<_> = clash.names.iter().map(Quote::as_str).collect();
        assert_eq!(
            (clash.identifier.as_str(), names),
            ("get_sum", vec!["get-sum", "get_sum", "get.sum"])
        );
    }
}
