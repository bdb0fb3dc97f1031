//! A middleware that keeps a workflow from changing files: it refuses the writing tools of the MCP filesystem server.
//!
//! It knows the four tools by name, on every connection, and passes everything else on. A server with other writing tools
//! needs other names, or a rule in the host's configuration: this is one layer, not the wall.

use callgate_guest::{Call, CallError, Next, RefusalReason, ToolCallResult};

/// The tools of `@modelcontextprotocol/server-filesystem` that change something.
const WRITING_TOOLS: [&str; 4] = ["create_directory", "edit_file", "move_file", "write_file"];

async fn deny_writes(call: Call, next: Next) -> Result<ToolCallResult, CallError> {
    if let Some(refusal) = refusal_of(&call) {
        return Err(refusal);
    }
    next.call_tool(call).await
}

fn refusal_of(call: &Call) -> Option<CallError> {
    WRITING_TOOLS.contains(&call.tool.as_str()).then(|| {
        let detail = format!("deny-writes: `{}` of `{}` changes files", call.tool, call.connection);
        CallError::refused(RefusalReason::Denied, detail)
    })
}

callgate_guest::middleware!(deny_writes);

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str) -> Call {
        Call { connection: "files".to_owned(), tool: tool.to_owned(), arguments: "{}".to_owned() }
    }

    #[test]
    fn every_writing_tool_is_refused_by_name() {
        for tool in WRITING_TOOLS {
            let refusal = refusal_of(&call(tool)).unwrap();

            assert!(matches!(
                &refusal,
                CallError::Refused(refusal)
                    if refusal.reason == RefusalReason::Denied && refusal.detail.contains(tool)
            ));
        }
    }

    #[test]
    fn reading_tools_pass() {
        for tool in ["read_text_file", "list_directory", "search_files", "Write_File"] {
            assert!(refusal_of(&call(tool)).is_none(), "{tool}");
        }
    }
}
