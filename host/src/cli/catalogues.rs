//! The tool lists of configured connections, read for declarations.

use futures::future::join_all;

use super::{connections, exit::Failed, output};
use crate::{
    call::ConnectionId,
    config::Config,
    limits::TypesLimits,
    pool::SessionPool,
    shutdown::unless_interrupted,
    types::{Server, ToolSource},
};

/// Opens the connections that are named, all at the same time, and reads what they list; all that aren't disabled where none
/// is named. They are closed again. What the configuration denies is left out.
pub(super) async fn servers(
    file: &connections::File,
    names: &[String],
    limits: &TypesLimits,
) -> Result<Vec<Server>, Failed> {
    let config = file.read()?;
    let ids = choose(&config, names)?;
    let pool = config.into_pool(None);
    let read = unless_interrupted(listed(&pool, &ids, limits)).await;
    pool.close().await;
    read?
}

/// What these connections list; they are opened for it.
pub(super) async fn listed(
    pool: &SessionPool,
    ids: &[ConnectionId],
    limits: &TypesLimits,
) -> Result<Vec<Server>, Failed> {
    join_all(ids.iter().map(|id| server(pool, id, limits))).await.into_iter().collect()
}

fn choose(config: &Config, names: &[String]) -> Result<Vec<ConnectionId>, Failed> {
    if names.is_empty() {
        return Ok(config.enabled().cloned().collect());
    }
    let mut ids: Vec<ConnectionId> = Vec::new();
    for name in names {
        let id = ConnectionId::from(name.as_str());
        if !config.connections.contains_key(&id) {
            let known: Vec<_> = config.connections.keys().map(ConnectionId::as_str).collect();
            let known = known.join(", ");
            return Err(Failed::usage(anyhow::anyhow!(
                "no connection is named {name:?}; there are: {known}"
            )));
        }
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

async fn server(
    pool: &SessionPool,
    id: &ConnectionId,
    limits: &TypesLimits,
) -> Result<Server, Failed> {
    let no_connection = |why: String| Failed::connection(anyhow::anyhow!("{id}: {why}"));
    let session = pool.session(id).map_err(|error| no_connection(error.to_string()))?;
    session.ready().await.map_err(|failure| no_connection(failure.to_string()))?;
    if let Some(why) = session.story().list_problem {
        output::warn(&format!("{id}: there is no list of its tools: {why}"));
    }
    let catalogue = session.catalogue();
    let tools = catalogue.tools().iter().filter(|tool| session.allows(&tool.name));
    let tools = tools.map(|tool| ToolSource {
        name: &tool.name,
        title: tool.title.as_deref(),
        description: tool.description.as_deref(),
        input_schema: &tool.input_schema,
        output_schema: tool.output_schema.as_ref(),
        hints: tool.hints,
    });
    Server::read(id.as_str(), tools, limits)
        .map_err(|error| Failed::usage(anyhow::anyhow!("{id}: {error}")))
}
