//! What several test guests share. Each guest is one file in `examples/` and has one behaviour.

pub mod bindings;

use callgate_guest::Json;
use serde::Deserialize;

/// The call that a guest is told to make.
#[derive(Deserialize, Debug)]
pub struct CallInput {
    /// The connection.
    pub connection: String,
    /// The tool.
    pub tool: String,
    /// The arguments, passed on as they are, also when they aren't an object.
    pub arguments: Json,
}
