//! Composition: layers of middleware and a workflow, made into one component that still imports only `tools`.
//!
//! It works on components as they are stored and runs nothing. What it makes, the `wac` command makes too: see [`Stack::wac`].

mod anatomy;
mod data;
mod error;
mod layer;
mod library;
mod settings;
mod wac;
mod world;

use wac_graph::{CompositionGraph, EncodeOptions, NodeId, PackageId, types::Package};

use self::anatomy::Anatomy;
pub(crate) use self::library::read;
pub use self::{
    error::{ComposeError, SettingsFault},
    layer::{Layer, SettingsText},
    library::Library,
    wac::WacFile,
};
use crate::limits::CompositionLimits;

/// The interface between layers; later patch versions of it are compatible.
const TOOLS: &str = "callgate:mcp/tools@0.1.";
/// What a workflow exports.
const RUN: &str = "callgate:mcp/run@0.1.";
/// What a layer with settings imports.
const SETTINGS: &str = "callgate:settings/settings@0.1.";

/// A workflow, and the layers between it and the host.
///
/// The first layer is nearest to the workflow: a call passes the layers in their order, and an answer in reverse.
#[derive(Clone, Debug)]
pub struct Stack {
    workflow: Vec<u8>,
    imports_tools: Option<String>,
    exports_run: String,
    layers: Vec<Layer>,
}

impl Stack {
    /// Puts layers between a workflow and the host.
    ///
    /// # Errors
    ///
    /// When `workflow` isn't a workflow, there are too many layers, or one would never be asked because the one in front of it
    /// passes nothing on.
    pub fn new(
        workflow: Vec<u8>,
        layers: Vec<Layer>,
        limits: &CompositionLimits,
    ) -> Result<Self, ComposeError> {
        let anatomy = Anatomy::read(&workflow).map_err(ComposeError::NotAWorkflow)?;
        let Some(exports_run) = anatomy.export(RUN) else {
            let detail = format!("it does not export `{RUN}0`, so there is nothing to run");
            return Err(ComposeError::NotAWorkflow(detail));
        };
        if layers.len() > limits.max_layers {
            return Err(ComposeError::TooManyLayers {
                count: layers.len(),
                max_layers: limits.max_layers,
            });
        }
        let ends = |pair: &&[Layer]| pair[0].imports_tools().is_none();
        if let Some([end, behind]) = layers.windows(2).find(ends) {
            return Err(ComposeError::DeadEnd {
                layer: end.name().to_owned(),
                behind: behind.name().to_owned(),
            });
        }
        let imports_tools = anatomy.import(TOOLS);
        Ok(Self { workflow, imports_tools, exports_run, layers })
    }

    /// The layers in the order in which a call passes them.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Whether the workflow calls tools at all. One that doesn't needs no layers, and is composed without them.
    pub fn calls_tools(&self) -> bool {
        self.imports_tools.is_some()
    }

    /// Makes the component, and checks it against the world `workflow`.
    ///
    /// # Errors
    ///
    /// When the parts don't fit together, or the whole asks for more than `tools`: one of the parts has an import that no
    /// workflow may have.
    pub fn compose(&self) -> Result<Vec<u8>, ComposeError> {
        let component = match (&self.imports_tools, self.layers.as_slice()) {
            (None, _) | (_, []) => self.workflow.clone(),
            (Some(tools), layers) => self.plug(tools, layers)?,
        };
        world::check_workflow(&component).map_err(ComposeError::Whole)?;
        Ok(component)
    }

    fn plug(&self, tools: &str, layers: &[Layer]) -> Result<Vec<u8>, ComposeError> {
        let mut graph = CompositionGraph::new();
        let mut behind = None;
        // From the host on, because a layer is made with what it calls.
        for (number, layer) in layers.iter().enumerate().rev() {
            let fits =
                |detail: String| ComposeError::DoesNotFit { part: layer.name().to_owned(), detail };
            let name = format!("layers:layer{}", number + 1);
            let package = register(&mut graph, &name, layer.component()).map_err(fits)?;
            let instance = graph.instantiate(package);
            if let (Some(import), Some(behind)) = (layer.imports_tools(), behind) {
                connect(&mut graph, instance, import, behind).map_err(fits)?;
            }
            if let (Some(import), Some(settings)) = (layer.imports_settings(), layer.settings()) {
                let name = format!("settings:layer{}", number + 1);
                let data = data::component(import, settings);
                let package = register(&mut graph, &name, &data).map_err(fits)?;
                let settings = graph.instantiate(package);
                let settings = export_of(&mut graph, settings, import).map_err(fits)?;
                connect(&mut graph, instance, import, settings).map_err(fits)?;
            }
            behind = Some(export_of(&mut graph, instance, layer.exports_tools()).map_err(fits)?);
        }
        let fits =
            |detail: String| ComposeError::DoesNotFit { part: "the workflow".to_owned(), detail };
        let package = register(&mut graph, "workflow:flow", &self.workflow).map_err(fits)?;
        let instance = graph.instantiate(package);
        if let Some(behind) = behind {
            connect(&mut graph, instance, tools, behind).map_err(fits)?;
        }
        let run = export_of(&mut graph, instance, &self.exports_run).map_err(fits)?;
        graph.export(run, &*self.exports_run).map_err(|error| fits(chain(&error)))?;
        graph.encode(EncodeOptions::default()).map_err(|error| ComposeError::Whole(chain(&error)))
    }
}

fn register(graph: &mut CompositionGraph, name: &str, bytes: &[u8]) -> Result<PackageId, String> {
    let package = Package::from_bytes(name, None, bytes, graph.types_mut())
        .map_err(|error| format!("{error:#}"))?;
    graph.register_package(package).map_err(|error| chain(&error))
}

fn export_of(graph: &mut CompositionGraph, instance: NodeId, name: &str) -> Result<NodeId, String> {
    graph.alias_instance_export(instance, name).map_err(|error| chain(&error))
}

fn connect(
    graph: &mut CompositionGraph,
    instance: NodeId,
    import: &str,
    with: NodeId,
) -> Result<(), String> {
    graph.set_instantiation_argument(instance, import, with).map_err(|error| chain(&error))
}

/// An error with all that caused it.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
