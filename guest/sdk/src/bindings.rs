//! What `wit-bindgen` makes of the package in `wit/`: one module per world.
//!
//! The types of the interface `tools` exist once, in [`middleware`]; the other module borrows them. Nothing here is public
//! API: the crate root re-exports the types, and the export macros reach for the rest.
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "generated; the documented items carry the text of the WIT"
)]

/// The world that exports what it imports.
pub mod middleware {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "middleware",
        pub_export_macro: true,
        export_macro_name: "export_middleware",
        // The exported `tools` has the imported one's types, so an answer passes through without being rebuilt.
        merge_structurally_equal_types: true,
        additional_derives: [Clone, PartialEq, serde::Serialize],
        additional_type_attributes: {
            "callgate:mcp/tools@0.1.0/outcome": [#[serde(rename_all = "kebab-case")]],
            "callgate:mcp/tools@0.1.0/content": [#[serde(tag = "type", content = "value", rename_all = "kebab-case")]],
            "callgate:mcp/tools@0.1.0/body": [#[serde(rename_all = "kebab-case")]],
            "callgate:mcp/tools@0.1.0/call-error": [#[serde(rename_all = "kebab-case")]],
            "callgate:mcp/tools@0.1.0/refusal-reason": [#[serde(rename_all = "kebab-case")]],
            "callgate:mcp/tools@0.1.0/cause": [#[serde(rename_all = "kebab-case")]],
        },
        additional_member_attributes: {
            "callgate:mcp/tools@0.1.0/tool-call-result.output": [#[serde(serialize_with = "crate::json::serialize_text")]],
            "callgate:mcp/tools@0.1.0/tool-call-result.meta": [#[serde(serialize_with = "crate::json::serialize_optional_text")]],
            "callgate:mcp/tools@0.1.0/content.other": [#[serde(serialize_with = "crate::json::serialize_text")]],
            "callgate:mcp/tools@0.1.0/rpc-error.data": [#[serde(serialize_with = "crate::json::serialize_optional_text")]],
        },
    });
}

/// The world that is run once.
pub mod workflow {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "workflow",
        pub_export_macro: true,
        export_macro_name: "export_workflow",
        with: { "callgate:mcp/tools@0.1.0": crate::bindings::middleware::callgate::mcp::tools },
        additional_derives: [Clone, PartialEq],
    });
}

/// The world of a component that has settings. Whoever doesn't read them doesn't import them: the encoder leaves it out.
pub mod settings {
    wit_bindgen::generate!({
        path: "../settings",
        world: "reader",
    });
}
