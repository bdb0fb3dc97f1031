//! `callgate tools`: what the configured servers offer.

use anyhow::Context;
use futures::future::join_all;
use serde::Serialize;

use super::{
    Done, connections,
    exit::{Exit, Failed},
    output,
};
use crate::{
    call::{ConnectionId, Json},
    pool::SessionPool,
    session::Catalogue,
    shutdown::unless_interrupted,
};

/// List the tools of one connection, or of all
///
/// One line for each tool: connection, tool, the first line of its description. With --json, everything that the servers
/// say of them.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The connection's name in the configuration [default: all]
    connection: Option<String>,
    /// Print JSON, with the input schemas
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    connections: connections::Arguments,
}

#[derive(Serialize)]
struct Line<'t> {
    connection: &'t ConnectionId,
    tool: &'t str,
    description: Option<&'t str>,
    read_only: bool,
    idempotent: bool,
    input_schema: &'t Json,
}

pub(super) async fn tools(arguments: Arguments) -> Done {
    let pool = arguments.connections.pool()?;
    let ids: Vec<ConnectionId> = match &arguments.connection {
        Some(name) => vec![ConnectionId::from(name.as_str())],
        None => pool.connections().map(|(id, _)| id.clone()).collect(),
    };
    let listed = unless_interrupted(join_all(ids.iter().map(|id| list(&pool, id)))).await;
    pool.close().await;

    let listed = listed?;
    let mut failed = None;
    let mut lines = Vec::new();
    for (id, catalogue) in ids.iter().zip(&listed) {
        match catalogue {
            Ok(catalogue) => lines.extend(catalogue.tools().iter().map(|tool| Line {
                connection: id,
                tool: &tool.name,
                description: tool.description.as_deref(),
                read_only: tool.read_only,
                idempotent: tool.idempotent,
                input_schema: &tool.input_schema,
            })),
            Err(why) => failed = Some(format!("{id}: {why}")),
        }
    }
    print(&lines, arguments.json)?;
    match failed {
        Some(why) => Err(Failed::connection(anyhow::anyhow!(why))),
        None => Ok(Exit::Done),
    }
}

async fn list(pool: &SessionPool, id: &ConnectionId) -> Result<std::sync::Arc<Catalogue>, String> {
    let session = pool.session(id).map_err(|error| error.to_string())?;
    session.ready().await.map_err(|failure| failure.to_string())?;
    Ok(session.catalogue())
}

fn print(lines: &[Line<'_>], as_json: bool) -> anyhow::Result<()> {
    let text = if as_json {
        Json::from_value(lines).into_text()
    } else {
        let lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
        lines.join("\n")
    };
    if text.is_empty() {
        return Ok(());
    }
    output::result(&text).context("can't write the list to stdout")
}

/// Server text, cut to its first line and without control characters.
fn one_line(line: &Line<'_>) -> String {
    let about = line.description.and_then(|text| text.lines().next()).unwrap_or_default();
    let text = format!("{}\t{}\t{about}", line.connection, line.tool);
    text.chars().filter(|c| *c == '\t' || !c.is_control()).collect()
}
