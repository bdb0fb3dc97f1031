//! Declarations, from tool lists to text.

mod golden;
mod refused;

use serde::Deserialize;
use serde_json::Value;

use super::{Server, ToolSource, TypesError};
use crate::{call::Json, limits::TypesLimits, session::ToolHints};

/// A tool as it stands in a list.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    title: Option<String>,
    description: Option<String>,
    input_schema: Value,
    output_schema: Option<Value>,
    #[serde(default)]
    annotations: Annotations,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    read_only_hint: Option<bool>,
    destructive_hint: Option<bool>,
    idempotent_hint: Option<bool>,
    open_world_hint: Option<bool>,
}

/// The server `name` with the tools of a JSON list.
pub(super) fn server(name: &str, list: &str, limits: &TypesLimits) -> Result<Server, TypesError> {
    let listed: Vec<Listed> = serde_json::from_str(list).unwrap();
    let schemas: Vec<(Json, Option<Json>)> = listed
        .iter()
        .map(|tool| {
            let output = tool.output_schema.as_ref().map(Json::from_value);
            (Json::from_value(&tool.input_schema), output)
        })
        .collect();
    let tools = listed.iter().zip(&schemas).map(|(tool, (input, output))| ToolSource {
        name: &tool.name,
        title: tool.title.as_deref(),
        description: tool.description.as_deref(),
        input_schema: input,
        output_schema: output.as_ref(),
        hints: ToolHints {
            read_only: tool.annotations.read_only_hint,
            destructive: tool.annotations.destructive_hint,
            idempotent: tool.annotations.idempotent_hint,
            open_world: tool.annotations.open_world_hint,
        },
    });
    Server::read(name, tools, limits)
}
