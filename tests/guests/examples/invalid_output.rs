//! Returns a text that isn't JSON, which the macro wouldn't let it.

#[cfg(target_family = "wasm")]
use callgate_guest::bindings::workflow::{self, exports::callgate::mcp::run};

#[cfg(target_family = "wasm")]
struct Workflow;

#[cfg(target_family = "wasm")]
impl run::Guest for Workflow {
    async fn run(_: String) -> Result<String, run::Failure> {
        Ok("{\"half\":".to_owned())
    }
}

#[cfg(target_family = "wasm")]
workflow::export_workflow!(Workflow with_types_in workflow);
