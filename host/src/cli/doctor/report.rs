//! What was found, as data. Every text of a server in it is a [`Quote`]; its JSON form is that of `--json`.

use serde::Serialize;

use super::{quote::Quote, trouble::Problem};

/// All servers that were looked at.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    version: u32,
    /// In the order of the names.
    pub(super) servers: Vec<ServerReport>,
    /// Those that are not disabled.
    pub(super) counted: usize,
    pub(super) fine: usize,
}

impl Report {
    pub(super) fn new(servers: Vec<ServerReport>) -> Self {
        let count = |states: &[State]| {
            servers.iter().filter(|server| states.contains(&server.state())).count()
        };
        let counted = count(&[State::Fine, State::Failed]);
        let fine = count(&[State::Fine]);
        Self { version: 1, servers, counted, fine }
    }

    pub(super) fn is_fine(&self) -> bool {
        self.fine == self.counted
    }
}

/// What was found of one server. A field is missing where it didn't come to that.
#[derive(Debug, Default, Serialize)]
pub(super) struct ServerReport {
    pub(super) name: String,
    /// Whether the file disables it; then nothing else is known.
    #[serde(rename = "disabled")]
    pub(super) is_disabled: bool,
    pub(super) problem: Option<Problem>,
    pub(super) reached: Option<Reached>,
    pub(super) session: Option<Agreed>,
    pub(super) tools: Option<Tools>,
    /// Why there is no list of tools, though the server can be used.
    pub(super) no_tools: Option<Quote>,
    /// From the start to the end of the handshake and the list of tools.
    pub(super) open_ms: Option<f64>,
    /// One question that changes nothing, and its answer.
    pub(super) round_trip_ms: Option<f64>,
    /// The last lines.
    pub(super) stderr: Vec<Quote>,
    pub(super) end: Option<End>,
}

/// What one server counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Fine,
    Failed,
    Disabled,
}

impl ServerReport {
    pub(super) fn state(&self) -> State {
        match (self.is_disabled, &self.problem) {
            (true, _) => State::Disabled,
            (false, Some(_)) => State::Failed,
            (false, None) => State::Fine,
        }
    }
}

/// How a server is reached, without what may be a secret.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub(super) enum Reached {
    Stdio { command: Quote, arguments: usize, folder: Option<Quote> },
    Http { url: Quote },
}

/// What the handshake agreed on.
#[derive(Debug, Serialize)]
pub(super) struct Agreed {
    pub(super) era: &'static str,
    /// Whether it failed when it was asked the newer way, and was started again.
    pub(super) second_start: bool,
    pub(super) protocol_version: Quote,
    pub(super) server_name: Option<Quote>,
    pub(super) server_version: Option<Quote>,
    /// Whether it sent instructions for its use; nothing here follows them.
    pub(super) has_instructions: bool,
}

/// The list of tools, in numbers.
#[derive(Debug, Serialize)]
pub(super) struct Tools {
    pub(super) count: usize,
    pub(super) read_only: usize,
    /// Names that are the same once they are identifiers of a programming language.
    pub(super) clashes: Vec<Clash>,
    /// Names in the configuration that the server doesn't list.
    pub(super) unlisted: Vec<Unlisted>,
}

/// A name in `enabled_tools` or `disabled_tools` that is no tool of the server.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Unlisted {
    pub(super) key: &'static str,
    pub(super) name: Quote,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Clash {
    pub(super) identifier: Quote,
    pub(super) names: Vec<Quote>,
}

/// How the child process ended.
#[derive(Debug, Serialize)]
pub(super) struct End {
    /// For people: `exit status: 0`.
    pub(super) status: Option<String>,
    pub(super) code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) farewell: &'static str,
    pub(super) took_ms: f64,
    /// Whether processes that it had started outlived it, and were killed.
    pub(super) left_processes: bool,
}
