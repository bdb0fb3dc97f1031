//! `callgate doctor`: tries every configured server, and says what is wrong and what to do about it.

mod examination;
mod quote;
mod report;
mod text;
mod trouble;

use anyhow::Context;
use futures::future::join_all;

use self::{
    examination::{Patient, examine},
    report::Report,
};
use super::{
    Done, connections,
    exit::{Exit, Failed},
    output,
};
use crate::{
    call::{ConnectionId, Json},
    config::Config,
    limits::DoctorLimits,
    shutdown::unless_interrupted,
};

/// Try every configured server, and say what is wrong
///
/// Starts or connects to all of them at the same time, asks each one question that changes nothing, and ends it again. No
/// tool is called. Exits with 0 when all are fine and with 4 when one could not be used; disabled ones don't count.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The connections' names in the configuration [default: all]
    #[arg(value_name = "CONNECTION")]
    connections: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    file: connections::File,
}

pub(super) async fn doctor(arguments: Arguments) -> Done {
    let config = arguments.file.read()?;
    let patients = choose(&config, &arguments.connections)?;
    let limits = DoctorLimits::default();
    let pool = config.into_pool(None);
    let examinations = patients.iter().map(|patient| examine(&pool, patient, &limits));
    let examined = unless_interrupted(join_all(examinations)).await;
    pool.close().await;

    let report = Report::new(examined?);
    let text = if arguments.json {
        Json::from_value(&report).into_text()
    } else {
        text::report(&report, &limits)
    };
    output::result(&text).context("can't write the report to stdout")?;
    Ok(if report.is_fine() { Exit::Done } else { Exit::NoConnection })
}

/// The servers that were asked for; all where nobody asked for some.
fn choose(config: &Config, names: &[String]) -> Result<Vec<Patient>, Failed> {
    let ids: Vec<ConnectionId> = match names {
        [] => config.connections.keys().cloned().collect(),
        names => names.iter().map(|name| ConnectionId::from(name.as_str())).collect(),
    };
    let patient = |id: ConnectionId| match config.connections.get(&id) {
        Some(configured) => Ok(Patient::new(id, configured, &config.file)),
        None => {
            let known: Vec<_> = config.connections.keys().map(ConnectionId::as_str).collect();
            let known = known.join(", ");
            Err(Failed::usage(anyhow::anyhow!(
                "no connection is named {:?}; there are: {known}",
                id.as_str()
            )))
        }
    };
    ids.into_iter().map(patient).collect()
}
