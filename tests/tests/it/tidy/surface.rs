//! Rules on what the session and the pool offer: calling tools, and nothing else of MCP.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::{File, ImplItem, Item, ItemImpl, ItemStruct, Signature, Type, Visibility};

use super::{Source, assert_none, sources};

const ROOMS: &[&str] = &["host/src/session", "host/src/pool"];

/// The types whose public functions are listed, each with all it may have. Who adds one answers for it here: it must not
/// give a caller anything of MCP but tool calls.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "Session",
        &[
            "open",
            "submit",
            "submit_until",
            "call_tool",
            "close",
            "connection_id",
            "epoch",
            "is_closed",
        ],
    ),
    (
        "SessionPool",
        &[
            "new",
            "with_unusable",
            "answered_by",
            "call_tool",
            "call_tool_as",
            "connections",
            "close",
        ],
    ),
    ("McpClient", &["call_tool"]),
];

/// What the client may implement: nothing that copies it or hands out what it holds.
const CLIENT_TRAITS: &[&str] = &["Debug", "Drop"];

fn faults(sources: &[Source]) -> Vec<String> {
    let mut reader = Reader { faults: Vec::new(), seen: BTreeSet::new() };
    for source in sources.iter().filter(|source| ROOMS.iter().any(|room| source.is_in(room))) {
        let file: File = syn::parse_str(&source.text).unwrap();
        file.items.iter().for_each(|item| reader.item(&source.path, item));
    }
    for (name, _) in ALLOWED.iter().filter(|(name, _)| !reader.seen.contains(*name)) {
        reader
            .faults
            .push(format!("there is no struct {name} in {ROOMS:?}: is the list out of date?"));
    }
    reader.faults
}

struct Reader {
    faults: Vec<String>,
    seen: BTreeSet<String>,
}

impl Reader {
    fn item(&mut self, path: &str, item: &Item) {
        match item {
            Item::Struct(item) => self.definition(path, item),
            Item::Impl(item) => self.implementation(path, item),
            _ => {}
        }
    }

    fn definition(&mut self, path: &str, item: &ItemStruct) {
        let name = item.ident.to_string();
        if allowed(&name).is_none() {
            return;
        }
        for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
            let field = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
            self.faults.push(format!("{path}: the field {field} of {name} is public"));
        }
        if name == "McpClient" {
            let derives = item.attrs.iter().filter(|attribute| attribute.path().is_ident("derive"));
            for derive in derives.filter_map(|attribute| attribute.meta.require_list().ok()) {
                self.client_traits(path, idents(derive.tokens.clone()));
            }
        }
        self.seen.insert(name);
    }

    fn implementation(&mut self, path: &str, item: &ItemImpl) {
        let Some(name) = type_name(&item.self_ty) else { return };
        let Some(allowed) = allowed(&name) else { return };
        if let Some((_, implemented, _)) = &item.trait_ {
            if name == "McpClient" {
                let last = implemented.segments.last().map(|segment| segment.ident.to_string());
                self.client_traits(path, last);
            }
            return;
        }
        for item in &item.items {
            let ImplItem::Fn(function) = item else { continue };
            if is_public(&function.vis) {
                self.function(path, &name, allowed, &function.sig);
            }
        }
    }

    fn function(&mut self, path: &str, name: &str, allowed: &[&str], signature: &Signature) {
        let function = signature.ident.to_string();
        if !allowed.contains(&function.as_str()) {
            self.faults.push(format!("{path}: {name}::{function} is public and not on the list"));
        }
        let types = idents(quote::ToTokens::to_token_stream(signature));
        for foreign in
            types.iter().filter(|it| matches!(it.as_str(), "rmcp" | "Peer" | "RunningService"))
        {
            self.faults.push(format!("{path}: {name}::{function} names {foreign}"));
        }
    }

    fn client_traits(&mut self, path: &str, traits: impl IntoIterator<Item = String>) {
        for implemented in traits.into_iter().filter(|it| !CLIENT_TRAITS.contains(&it.as_str())) {
            self.faults.push(format!("{path}: McpClient implements {implemented}"));
        }
    }
}

fn allowed(name: &str) -> Option<&'static [&'static str]> {
    ALLOWED.iter().find(|(allowed, _)| *allowed == name).map(|(_, functions)| *functions)
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn type_name(it: &Type) -> Option<String> {
    match it {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

fn idents(stream: TokenStream) -> Vec<String> {
    stream
        .into_iter()
        .flat_map(|tree| match tree {
            TokenTree::Ident(ident) => vec![ident.to_string()],
            TokenTree::Group(group) => idents(group.stream()),
            _ => Vec::new(),
        })
        .collect()
}

#[test]
fn sessions_and_the_pool_offer_tool_calls_only() {
    assert_none(faults(&sources()));
}

#[test]
fn whatever_else_they_offer_is_noticed() {
    let whole = "pub struct Session; pub struct SessionPool; pub struct McpClient;";
    let cases = [
        (
            "impl Session { pub async fn read_resource(&self) {} }",
            "Session::read_resource is public",
        ),
        ("impl McpClient { pub fn list_prompts(&self) {} }", "McpClient::list_prompts is public"),
        ("impl SessionPool { pub fn submit(&self) {} }", "SessionPool::submit is public"),
        ("impl Session { pub fn close(&self) -> rmcp::Done { } }", "Session::close names rmcp"),
        (
            "impl Session { pub fn close(&self) -> Vec<Peer<Role>> { } }",
            "Session::close names Peer",
        ),
        ("impl Clone for McpClient { }", "McpClient implements Clone"),
        ("impl std::ops::Deref for McpClient { }", "McpClient implements Deref"),
    ];

    for (code, expected) in cases {
        let faults = faults(&[Source::new("host/src/session.rs", &format!("{whole} {code}"))]);

        assert!(
            faults.iter().any(|fault| fault.contains(expected)),
            "{expected:?} is not among {faults:?}"
        );
    }
}

#[test]
fn a_client_that_derives_clone_or_shows_a_field_is_noticed() {
    let code = "pub struct Session; pub struct SessionPool; #[derive(Debug, Clone)] pub struct McpClient { pub peer: u8 }";

    let faults = faults(&[Source::new("host/src/session/client.rs", code)]);

    assert_eq!(faults.len(), 2, "{faults:?}");
}

#[test]
fn a_list_that_is_out_of_date_is_noticed() {
    let faults =
        faults(&[Source::new("host/src/pool.rs", "pub struct SessionPool; pub struct Session;")]);

    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("no struct McpClient"), "{faults:?}");
}
