//! One server's entry: from keys to a [`ConnectionConfig`].

use std::time::Duration;

use crate::{
    auth::AuthRecord,
    call::ConnectionId,
    config::{
        Configured, ConnectionConfig, Server,
        document::{Entry, Findings},
        error::Remark,
        fault::Fault,
        http, stdio,
        value::Values,
    },
    pool::{OnSessionLoss, Replay},
    session::{Elicitation, EraPolicy, Ordering},
};

/// Keys that only a child process has, beside `command`.
pub(super) const STDIO_KEYS: &[&str] = &["args", "env", "envFile", "cwd"];
/// Keys that only a server behind an address has, beside `url`.
pub(super) const HTTP_KEYS: &[&str] = &["headers", "auth", "bearer_token_env_var", "oauth"];

/// Keys of other programs that mean what a key here means under another name.
const FOREIGN_KEYS: &[(&str, &str)] = &[
    ("httpUrl", "write \"url\""),
    ("serverUrl", "write \"url\""),
    ("http_headers", "write \"headers\""),
    ("env_http_headers", "write \"headers\" with ${VAR} in it"),
    ("env_vars", "write \"env\" with ${VAR} in it"),
    ("includeTools", "write \"enabled_tools\""),
    ("excludeTools", "write \"disabled_tools\""),
    ("timeout", "write \"tool_timeout_sec\", in seconds"),
    ("startup_timeout_ms", "write \"startup_timeout_sec\", in seconds"),
];

/// The values of one key, and a sentence that has them all.
pub(super) struct Words<T: 'static> {
    pub(super) known: &'static [(&'static str, T)],
    pub(super) expected: &'static str,
}

const ORDERINGS: &Words<Ordering> = &Words {
    known: &[
        ("serial", Ordering::Serial),
        ("annotated", Ordering::Annotated),
        ("parallel", Ordering::Parallel),
    ],
    expected: "it's \"serial\", \"annotated\" or \"parallel\"",
};
const REPLAYS: &Words<Replay> = &Words {
    known: &[
        ("never", Replay::Never),
        ("annotated", Replay::Annotated),
        ("always", Replay::Always),
    ],
    expected: "it's \"never\", \"annotated\" or \"always\"",
};
const ON_SESSION_LOSS: &Words<OnSessionLoss> = &Words {
    known: &[("fail", OnSessionLoss::Fail), ("continue", OnSessionLoss::Continue)],
    expected: "it's \"fail\" or \"continue\"",
};

const ERAS: &Words<EraPolicy> = &Words {
    known: &[
        ("auto", EraPolicy::Auto),
        ("legacy", EraPolicy::Legacy),
        ("stateless", EraPolicy::Stateless),
    ],
    expected: "it's \"auto\", \"legacy\" or \"stateless\"",
};
const ELICITATIONS: &Words<Elicitation> = &Words {
    known: &[("decline", Elicitation::Decline), ("defaults", Elicitation::AcceptDefaults)],
    expected: "it's \"decline\" or \"defaults\"",
};

/// How an entry's server is reached.
#[derive(Clone, Copy, PartialEq)]
enum Transport {
    Stdio,
    Http,
}

/// Reads one entry. All that is wrong with it goes into the findings.
pub(super) fn read<'a>(
    id: ConnectionId,
    mut entry: Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> Configured {
    let found_before = findings.problems.len();
    // Nothing else of a disabled entry is looked at, because people disable what doesn't work.
    if is_disabled(&mut entry, findings) {
        return Configured::Disabled;
    }
    let required = entry.flag("required", findings).unwrap_or_default();
    let transport = transport(&mut entry, findings);
    let reached = match transport {
        Some(Transport::Stdio) => {
            let server = stdio::read(&mut entry, values, findings);
            server.map(|server| (Server::Stdio(server), AuthRecord::none()))
        }
        Some(Transport::Http) => {
            let server = http::read(&mut entry, values, findings);
            server.map(|(server, auth)| (Server::Http(server), auth))
        }
        None => None,
    };
    let ordering = word("ordering", ORDERINGS, &mut entry, findings);
    let replay = word("replay", REPLAYS, &mut entry, findings);
    let on_session_loss = word("on_session_loss", ON_SESSION_LOSS, &mut entry, findings);
    let era = word("era", ERAS, &mut entry, findings);
    let elicitation = word("elicitation", ELICITATIONS, &mut entry, findings);
    let enabled_tools = tools("enabled_tools", &mut entry, findings);
    let disabled_tools = tools("disabled_tools", &mut entry, findings).unwrap_or_default();
    let checks_arguments = entry.flag("check_arguments", findings).unwrap_or(true);
    let max_timeout = values.limits.max_timeout;
    let mut timeout = |key| -> Option<Duration> { entry.seconds(key, max_timeout, findings) };
    let startup_timeout = timeout("startup_timeout_sec");
    let tool_timeout = timeout("tool_timeout_sec");
    let idle_timeout = timeout("idle_timeout_sec");
    if let Some(transport) = transport {
        remark_on_unasked_keys(&entry, transport, findings);
    }

    let problems = findings.problems[found_before..].to_vec();
    match reached {
        Some((server, auth)) if problems.is_empty() => {
            Configured::Ready(Box::new(ConnectionConfig {
                id,
                server,
                auth,
                ordering,
                replay,
                on_session_loss,
                era,
                elicitation,
                enabled_tools,
                disabled_tools,
                checks_arguments,
                startup_timeout,
                tool_timeout,
                idle_timeout,
                required,
            }))
        }
        _ => {
            findings.lacks_required |= required;
            Configured::Unusable(problems)
        }
    }
}

fn is_disabled<'a>(entry: &mut Entry<'a>, findings: &mut Findings<'a>) -> bool {
    let disabled = entry.flag("disabled", findings);
    let enabled = entry.flag("enabled", findings);
    if let (Some(disabled), Some(enabled)) = (disabled, enabled)
        && disabled == enabled
    {
        findings.problem(entry.spot(), Fault::Contradiction);
        return false;
    }
    disabled == Some(true) || enabled == Some(false)
}

fn transport<'a>(entry: &mut Entry<'a>, findings: &mut Findings<'a>) -> Option<Transport> {
    let (has_command, has_url) = (entry.has("command"), entry.has("url"));
    let Some(kind) = entry.text("type", findings) else {
        return match (has_command, has_url) {
            (true, false) => Some(Transport::Stdio),
            (false, true) => Some(Transport::Http),
            (true, true) => {
                findings.problem(entry.spot(), Fault::TwoTransports);
                None
            }
            (false, false) => {
                findings.problem(entry.spot(), Fault::NoTransport);
                None
            }
        };
    };
    let (transport, needs, is_there) = match kind.value {
        "stdio" => (Transport::Stdio, "command", has_command),
        "http" | "streamable-http" | "streamableHttp" | "streamable_http" => {
            (Transport::Http, "url", has_url)
        }
        "sse" => {
            findings.problem(&kind.spot, Fault::Sse);
            return None;
        }
        other => {
            findings.problem(&kind.spot, Fault::UnknownType { kind: other.to_owned() });
            return None;
        }
    };
    if !is_there {
        findings.problem(&kind.spot, Fault::TypeWithout { kind: kind.value.to_owned(), needs });
        return None;
    }
    if has_command && has_url {
        findings.problem(entry.spot(), Fault::TwoTransports);
        return None;
    }
    Some(transport)
}

pub(super) fn word<'a, T: Copy + Default>(
    key: &'static str,
    words: &Words<T>,
    entry: &mut Entry<'a>,
    findings: &mut Findings<'a>,
) -> T {
    let Some(word) = entry.text(key, findings) else { return T::default() };
    if let Some((_, value)) = words.known.iter().find(|(known, _)| *known == word.value) {
        return *value;
    }
    let fault = Fault::UnknownWord { word: word.value.to_owned(), expected: words.expected };
    findings.problem(&word.spot, fault);
    T::default()
}

fn tools<'a>(
    key: &'static str,
    entry: &mut Entry<'a>,
    findings: &mut Findings<'a>,
) -> Option<Vec<String>> {
    let names = entry.texts(key, findings)?;
    for empty in names.iter().filter(|name| name.value.is_empty()) {
        findings.problem(&empty.spot, Fault::Empty);
    }
    Some(names.into_iter().map(|name| name.value.to_owned()).collect())
}

fn remark_on_unasked_keys<'a>(
    entry: &Entry<'a>,
    transport: Transport,
    findings: &mut Findings<'a>,
) {
    let (others_keys, kind) = match transport {
        Transport::Stdio => (HTTP_KEYS, "a server that is a child process"),
        Transport::Http => (STDIO_KEYS, "a server that is reached by HTTP"),
    };
    for (key, spot) in entry.unasked() {
        let foreign = FOREIGN_KEYS.iter().find(|(name, _)| *name == key);
        let remark = match foreign {
            _ if others_keys.contains(&key) => Remark::NoEffect { kind },
            Some((_, instead)) => Remark::ForeignKey { instead },
            None => Remark::UnknownKey,
        };
        findings.warning(&spot, remark);
    }
}
