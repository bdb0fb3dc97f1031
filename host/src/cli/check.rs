//! `callgate check`: what a workflow asks for, and whether it may run.

mod script;

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

use anyhow::Context;
use serde::Serialize;

use super::{Done, cache, exit::Exit, output, units, wasi};
use crate::{
    call::Json,
    component::{Verdict, Workflow, WorkflowError},
    engine::{Engine, EngineOptions, WasiPolicy},
    limits::RunLimits,
    script::Language,
};

/// Say whether a workflow may run: what a component imports, exports and needs, or whether a script compiles
///
/// Nothing of it is run. Exits with 0 when it may run and with 2 when it may not. The types of a script are checked by
/// `callgate run --check` and `callgate types --check`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The component, or the script (.js, .mjs, .ts, .mts)
    #[arg(value_name = "FLOW")]
    workflow: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Memory that the run will have [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_memory: Option<usize>,
    /// Elements of tables that the run will have [default: 100000]
    #[arg(long, value_name = "N")]
    max_table_elements: Option<usize>,
    #[command(flatten)]
    wasi: wasi::Policy,
    #[command(flatten)]
    cache: cache::Arguments,
}

/// How a verdict is printed.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Json,
}

pub(super) async fn check(arguments: &Arguments) -> Done {
    let path = &arguments.workflow;
    let mut limits = RunLimits::default();
    limits.max_memory_bytes = arguments.max_memory.unwrap_or(limits.max_memory_bytes);
    limits.max_table_elements = arguments.max_table_elements.unwrap_or(limits.max_table_elements);
    let wasi = arguments.wasi.or(WasiPolicy::default());
    let cache = arguments.cache.folder();
    let options = EngineOptions { wasi, cache, ..EngineOptions::default() };
    let form = if arguments.json { Form::Json } else { Form::Text };
    match Language::of(path) {
        Some(language) => script::check(path, language, options, limits, form).await,
        None => check_component(path, options, &limits, form),
    }
}

fn check_component(path: &Path, options: EngineOptions, limits: &RunLimits, form: Form) -> Done {
    let bytes = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let verdict = Workflow::check_within(&Engine::with(options)?, &bytes, limits)
        .with_context(|| format!("{} can't be run", path.display()))?;

    let may_run = verdict.reasons.is_empty();
    let text = match form {
        Form::Json => Json::from_value(&Judged { verdict: &verdict, may_run }).into_text(),
        Form::Text => {
            let may_run = if may_run { "may run" } else { "refused" };
            format!("{}: {}verdict: {may_run}", path.display(), describe(&verdict))
        }
    };
    output::result(&text).context("can't write the verdict to stdout")?;
    if may_run { Ok(Exit::Done) } else { Err(WorkflowError::Refused(verdict.reasons).into()) }
}

#[derive(Serialize)]
struct Judged<'v> {
    #[serde(flatten)]
    verdict: &'v Verdict,
    may_run: bool,
}

fn describe(verdict: &Verdict) -> String {
    let mut text = format!("{} bytes\n", verdict.size_bytes);
    let mut line = |title: &str, items: &[String]| {
        let items = if items.is_empty() { "none".to_owned() } else { items.join(", ") };
        let _a_string_takes_everything = writeln!(text, "{title}: {items}");
    };
    line("imports", &verdict.imports);
    line("exports", &verdict.exports);
    let demands = &verdict.demands;
    line("core modules", &[demands.core_modules.to_string()]);
    let memories = demands.memories.iter();
    let memories = memories.map(|it| demand(it.initial_bytes, it.maximum_bytes, "bytes"));
    line("memories", &memories.collect::<Vec<_>>());
    let tables = demands.tables.iter();
    let tables = tables.map(|it| demand(it.initial_elements, it.maximum_elements, "elements"));
    line("tables", &tables.collect::<Vec<_>>());
    text
}

fn demand(initial: u64, maximum: Option<u64>, unit: &str) -> String {
    match maximum {
        Some(maximum) => format!("{initial} {unit}, at most {maximum}"),
        None => format!("{initial} {unit}, growing"),
    }
}
