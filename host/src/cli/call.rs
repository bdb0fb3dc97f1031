//! `callgate call`: one call of one tool, without a workflow.

use anyhow::Context;

use super::{
    Done, connections,
    exit::{Exit, Failed},
    input, output,
};
use crate::{
    call::{CallError, Cause, ConnectionId, Json, Outcome},
    shutdown::unless_interrupted,
};

/// Call one tool and print its result as JSON
///
/// Prints the canonical result: outcome, output, content, meta. Exits with 1 when the tool reports its own failure.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The connection's name in the configuration
    connection: String,
    /// The tool's name, as its server spells it
    tool: String,
    /// The arguments, a JSON object: JSON, @FILE, or - for stdin
    #[arg(value_name = "JSON", default_value = "{}")]
    arguments: String,
    #[command(flatten)]
    connections: connections::Arguments,
}

pub(super) async fn call(arguments: Arguments) -> Done {
    let object = input::json(&arguments.arguments)?;
    if !object.is_object() {
        return Err(anyhow::anyhow!("the arguments are not a JSON object").into());
    }
    let pool = arguments.connections.pool()?;
    let connection = ConnectionId::from(arguments.connection.as_str());
    let answer = unless_interrupted(pool.call_tool(&connection, &arguments.tool, object)).await;
    pool.close().await;

    match answer? {
        Ok(result) => {
            output::result(Json::from_value(&result).as_str())
                .context("can't write the result to stdout")?;
            Ok(match result.outcome {
                Outcome::Ok => Exit::Done,
                Outcome::Error => Exit::OwnFailure,
            })
        }
        Err(CallError::Refused(refusal)) => Err(Failed::usage(anyhow::anyhow!("{refusal}"))),
        Err(error) if error.cause() == Some(Cause::ConnectFailed) => {
            Err(Failed::connection(anyhow::anyhow!("{}: {error}", arguments.connection)))
        }
        Err(error) => {
            output::complain(&error.to_string());
            Ok(Exit::OwnFailure)
        }
    }
}
