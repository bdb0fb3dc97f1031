//! The keys of a server that is a child process: `command`, `args`, `env`, `envFile`, `cwd`.

use std::{collections::BTreeMap, ffi::OsString, path::is_separator};

use jsonc_parser::ast::Value;

use crate::{
    config::{
        child_env,
        document::{Entry, Findings},
        fault::Fault,
        value::Values,
    },
    session::StdioServer,
};

/// Reads them. What is wrong goes into the findings, and so much of the server that it can't be used.
pub(super) fn read<'a>(
    entry: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> Option<StdioServer> {
    let command = command(entry, values, findings);
    let args = entry.texts("args", findings).unwrap_or_default();
    let args =
        args.iter().filter_map(|arg| values.expand(arg, findings)).map(|arg| arg.text.into());
    let args = args.collect();
    let env = env(entry, values, findings);
    let cwd = entry.text("cwd", findings).and_then(|cwd| values.path(&cwd, findings));
    Some(StdioServer { command: command?, args, env, cwd })
}

fn command<'a>(
    entry: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> Option<OsString> {
    let text = entry.text("command", findings)?;
    let command = values.expand(&text, findings)?;
    if !command.text.is_empty() && !command.text.contains(is_separator) {
        return Some(command.text.into());
    }
    match values.resolve(&command.text) {
        Ok(path) => Some(path.into()),
        Err(fault) => {
            findings.problem(&text.spot, command.fault(fault));
            None
        }
    }
}

/// The child's whole environment; later sources win.
fn env<'a>(
    entry: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> BTreeMap<OsString, OsString> {
    let mut env = child_env::scrubbed(values.environment);
    if let Some(text) = entry.text("envFile", findings)
        && let Some(path) = values.path(&text, findings)
    {
        match child_env::read_env_file(&path, values.limits.max_file_bytes) {
            Ok(variables) => env.extend(variables.into_iter().map(|(n, v)| (n.into(), v.into()))),
            Err(fault) => findings.problem(&text.spot, fault),
        }
    }
    let Some(named) = entry.entry("env", findings) else { return env };
    for (name, value, spot) in named.members() {
        if name.is_empty() || name.contains(['=', '\0']) {
            findings.problem(&spot, Fault::BadVariableName);
            continue;
        }
        match value {
            // As editors do: the variable isn't there.
            Value::NullKeyword(_) => {
                env.remove(&OsString::from(name));
            }
            Value::NumberLit(number) => {
                env.insert(name.into(), number.value.into());
            }
            _ => {
                let text = findings.text_of(value, spot);
                if let Some(value) = text.and_then(|text| values.expand(&text, findings)) {
                    env.insert(name.into(), value.text.into());
                }
            }
        }
    }
    env
}
