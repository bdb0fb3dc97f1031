//! Why a stack can't be made, and what to do about it.

use std::{fmt, path::PathBuf};

/// Why there is no composition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError {
    /// The component that should be the workflow isn't one.
    #[error("it is not a workflow: {0}")]
    NotAWorkflow(String),
    /// A component that should be a layer isn't a middleware.
    #[error("{name} is not a middleware: {detail}")]
    NotAMiddleware {
        /// What it was called.
        name: String,
        /// What it is, or lacks.
        detail: String,
    },
    /// A file can't be read.
    #[error("{}: {detail}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// No middleware has that name.
    #[error("no middleware is called {name:?}; {known}; looked into {looked_into}")]
    Unknown {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
        /// The folders that were searched.
        looked_into: String,
    },
    /// The layer has no settings, and was given some.
    #[error("{0} has no settings: leave out what follows the =")]
    NoSettings(String),
    /// The layer needs settings, and was given none.
    #[error("{name} needs settings: --with {name}=FILE{}", for_example(example))]
    NeedsSettings {
        /// The layer.
        name: String,
        /// Settings that it would take, from its schema.
        example: Option<String>,
    },
    /// The settings aren't JSON.
    #[error("settings of {name}: {origin}:{detail}")]
    UnreadableSettings {
        /// The layer.
        name: String,
        /// Where the settings came from.
        origin: String,
        /// Line, column and what is wrong there.
        detail: String,
    },
    /// The settings aren't what the layer's schema says.
    #[error("settings of {name}: {}", listed(faults))]
    WrongSettings {
        /// The layer.
        name: String,
        /// What is wrong in them, at least one.
        faults: Vec<SettingsFault>,
    },
    /// The schema that the layer carries isn't one.
    #[error("{name} carries a schema of its settings that can't be used: {detail}")]
    BadSchema {
        /// The layer.
        name: String,
        /// What is wrong with it.
        detail: String,
    },
    /// There are more layers than anybody needs.
    #[error("{count} layers are more than the limit max_layers of {max_layers}")]
    TooManyLayers {
        /// How many there are.
        count: usize,
        /// How many there may be.
        max_layers: usize,
    },
    /// A layer would never be asked.
    #[error(
        "{layer} passes nothing on, so {behind} behind it would never be asked: put {layer} last"
    )]
    DeadEnd {
        /// The layer that answers everything itself.
        layer: String,
        /// The one behind it.
        behind: String,
    },
    /// A part has other types than its neighbour.
    #[error("{part} does not fit into the stack: {detail}")]
    DoesNotFit {
        /// The part.
        part: String,
        /// What differs.
        detail: String,
    },
    /// The whole isn't a workflow.
    #[error("what comes out is not a workflow: {0}")]
    Whole(String),
}

/// One thing that is wrong in settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsFault {
    /// Where the settings came from, with line and column.
    pub place: String,
    /// The JSON pointer of the value; empty for the whole.
    pub pointer: String,
    /// What is wrong with it.
    pub detail: String,
}

impl fmt::Display for SettingsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, pointer, detail } = self;
        let pointer = if pointer.is_empty() { "the whole" } else { pointer };
        write!(f, "{place}: {pointer}: {detail}")
    }
}

fn listed(faults: &[SettingsFault]) -> String {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    lines.join("\n  ")
}

fn for_example(example: &Option<String>) -> String {
    example
        .as_ref()
        .map(|example| format!(", where FILE holds for example {example}"))
        .unwrap_or_default()
}
