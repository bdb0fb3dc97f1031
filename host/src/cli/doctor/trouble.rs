//! What is wrong with a server, as a kind with a name, and what to do about each kind.

use serde::Serialize;

use super::{examination::Patient, quote::Quote};
use crate::session::Obstacle;

/// What keeps a server from being used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// Something that the configuration names isn't on this machine.
    Unusable,
    /// The connection didn't come about.
    Blocked(Obstacle),
    /// The connection didn't come about, because nobody knows the host's name.
    UnknownHost,
    /// The session was ready, and then didn't answer.
    NoAnswer,
}

/// What is wrong with one server.
#[derive(Debug, Serialize)]
pub(super) struct Problem {
    pub(super) kind: &'static str,
    /// What happened; parts of it may be the server's words.
    pub(super) detail: Quote,
    /// What to do about it, in our words.
    pub(super) advice: String,
}

impl Trouble {
    /// The name of the kind, for machines.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Unusable => "unusable",
            Self::UnknownHost => "unknown-host",
            Self::NoAnswer => "no-answer",
            Self::Blocked(obstacle) => match obstacle {
                Obstacle::NoProgram => "no-program",
                Obstacle::NotExecutable => "not-executable",
                Obstacle::NoInterpreter => "no-interpreter",
                Obstacle::NoFolder => "no-folder",
                Obstacle::NotStarted => "not-started",
                Obstacle::Exited => "exited",
                Obstacle::Late => "late",
                Obstacle::Refused => "refused",
                Obstacle::Unreachable => "unreachable",
                Obstacle::Tls => "tls",
                Obstacle::Status(_) => "http-status",
                Obstacle::NotMcp => "not-mcp",
                Obstacle::Handshake => "handshake",
            },
        }
    }

    /// What to do about it.
    pub(super) fn advice(self, patient: &Patient) -> String {
        let key = |key: &str| patient.key(key);
        match self {
            Self::Unusable => "mend what the message names; the other servers work".to_owned(),
            Self::UnknownHost => {
                format!("check the host's name in {}, and the name service", key("url"))
            }
            Self::NoAnswer => "see its stderr, or its log; a restart may help".to_owned(),
            Self::Blocked(obstacle) => match obstacle {
                Obstacle::NoProgram => format!(
                    "install the program, or put its whole path into {}; the search path can be set with \"PATH\" in \"env\"",
                    key("command")
                ),
                Obstacle::NotExecutable => {
                    format!("make it executable (chmod +x), or mend {}", key("command"))
                }
                Obstacle::NoInterpreter => {
                    "install the interpreter that the script's first line names, or mend that line"
                        .to_owned()
                }
                Obstacle::NoFolder => format!("make the folder, or mend {}", key("cwd")),
                Obstacle::NotStarted => format!("check {}", key("command")),
                Obstacle::Exited => format!(
                    "its stderr says why, if anything does; check {} and \"env\": it gets few of your own variables",
                    key("args")
                ),
                Obstacle::Late => {
                    format!("if it only starts slowly, raise {}", key("startup_timeout_sec"))
                }
                Obstacle::Refused => {
                    format!("start the server, or mend host and port in {}", key("url"))
                }
                Obstacle::Unreachable => {
                    format!("check {}, the network, and the proxy's variables", key("url"))
                }
                Obstacle::Tls => format!(
                    "see whether the server speaks https, and whether this machine trusts its certificate for the host in {}",
                    key("url")
                ),
                Obstacle::Status(status) => about_status(status, patient),
                Obstacle::NotMcp => format!(
                    "what is there is not a streamable HTTP endpoint of MCP: check the path of {}",
                    key("url")
                ),
                Obstacle::Handshake => {
                    "see whether it is an MCP server at all, and prints nothing but MCP to its standard output"
                        .to_owned()
                }
            },
        }
    }
}

fn about_status(status: u16, patient: &Patient) -> String {
    let key = |key: &str| patient.key(key);
    match status {
        401 if patient.has_credentials => {
            format!(
                "the credentials are not accepted: renew those in \"headers\", \"auth\" or {}",
                key("oauth")
            )
        }
        401 => format!(
            "it wants credentials: set \"auth\": {{\"bearer\": \"${{TOKEN}}\"}} or \"bearer_token_env_var\", or \"oauth\", or a header in {}",
            key("headers")
        ),
        403 => "whoever the credentials belong to may not use it: ask its owner".to_owned(),
        404 | 405 => format!(
            "there is no MCP at this path: mend {}, whose path is often /mcp; old SSE addresses don't work",
            key("url")
        ),
        300..=399 => format!("put the address that it redirects to into {}", key("url")),
        500.. => "the fault is the server's: see its log, or try again later".to_owned(),
        _ => format!("the server doesn't like the request: check {}", key("url")),
    }
}
