//! `--with`: the layers between a workflow and the host, for every command that takes them.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::output;
use crate::{
    component::Workflow,
    compose::{Layer, Library, SettingsText, Stack, read},
    engine::Engine,
    jsonc,
    limits::CompositionLimits,
    script::Script,
};

/// Which middleware a workflow is composed with.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// A middleware between workflow and host, and its settings: a name of the library or a path, then perhaps = and a file
    /// or a JSON object. Of several, the first is nearest to the workflow
    #[arg(long, value_name = "MIDDLEWARE[=SETTINGS]")]
    with: Vec<String>,
    #[command(flatten)]
    library: LibraryFolder,
}

/// Where names are looked for.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct LibraryFolder {
    /// The folder of the middleware that is named without a path [default: `middleware` beside this program]
    #[arg(long, value_name = "DIR", env = "CALLGATE_LIBRARY")]
    library: Option<PathBuf>,
}

impl Arguments {
    /// The workflow with its layers, ready to run.
    pub(super) fn workflow(&self, engine: &Engine, path: &Path) -> anyhow::Result<Workflow> {
        if self.with.is_empty() {
            return Ok(Workflow::from_file(engine, path)?);
        }
        let component = self.stack(path)?.compose()?;
        Ok(Workflow::from_bytes(engine, &component)?)
    }

    /// The runner of scripts with these layers, ready to run.
    pub(super) fn script_workflow(&self, engine: &Engine) -> anyhow::Result<Workflow> {
        if self.with.is_empty() {
            return Ok(Script::workflow(engine)?);
        }
        let component = self.stack_on(Script::runner().to_vec())?.compose()?;
        Ok(Workflow::from_bytes(engine, &component)?)
    }

    /// The workflow and its layers.
    pub(super) fn stack(&self, path: &Path) -> anyhow::Result<Stack> {
        self.stack_on(std::fs::read(path).context("can't read it")?)
    }

    fn stack_on(&self, workflow: Vec<u8>) -> anyhow::Result<Stack> {
        let limits = CompositionLimits::default();
        let layers = self.with.iter().map(|word| {
            let (middleware, settings) = split(word);
            let settings = settings.map(|settings| read_settings(settings, &limits)).transpose()?;
            self.library.layer(middleware, settings, Path::new(""), &limits)
        });
        let stack = Stack::new(workflow, layers.collect::<anyhow::Result<_>>()?, &limits)?;
        if !stack.calls_tools() && !self.with.is_empty() {
            output::warn("the workflow calls no tool, so no layer is put in front of it");
        }
        Ok(stack)
    }
}

impl LibraryFolder {
    /// A layer by name or by path; a relative path starts at `base`.
    pub(super) fn layer(
        &self,
        middleware: &str,
        settings: Option<SettingsText>,
        base: &Path,
        limits: &CompositionLimits,
    ) -> anyhow::Result<Layer> {
        let component = if is_path(middleware) {
            read(&base.join(middleware), limits)?
        } else {
            self.library()?.find(middleware, limits)?
        };
        let name = Path::new(middleware).file_stem().and_then(|name| name.to_str());
        Ok(Layer::new(name.unwrap_or(middleware), component, settings, limits)?)
    }

    fn library(&self) -> anyhow::Result<Library> {
        match &self.library {
            Some(folder) => Ok(Library::new([folder.clone()])),
            None => {
                let program =
                    std::env::current_exe().context("can't tell where this program is")?;
                Ok(Library::beside(&program))
            }
        }
    }
}

/// The middleware, and its settings where some are named.
fn split(word: &str) -> (&str, Option<&str>) {
    match word.split_once('=') {
        Some((middleware, settings)) => (middleware, Some(settings)),
        None => (word, None),
    }
}

/// Whether it can't be a name of the library.
fn is_path(middleware: &str) -> bool {
    middleware.contains(['/', '\\', '.'])
}

fn read_settings(settings: &str, limits: &CompositionLimits) -> anyhow::Result<SettingsText> {
    if settings.trim_start().starts_with('{') {
        let origin = "the command line".to_owned();
        return Ok(SettingsText { origin, text: settings.to_owned() });
    }
    let text = jsonc::read_file(Path::new(settings), limits.max_settings_bytes)
        .map_err(|detail| anyhow::anyhow!("{settings}: {detail}"))?;
    Ok(SettingsText { origin: settings.to_owned(), text })
}
