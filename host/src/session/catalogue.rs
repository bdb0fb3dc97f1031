//! The tools of one server, as it listed them.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, OnceLock},
};

use rmcp::{
    Peer, RoleClient, ServiceError,
    model::{
        ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool,
        ToolAnnotations,
    },
};

use super::{client::chain, operation::Overlap};
use crate::{
    call::Json,
    grants::InputSchema,
    limits::{GrantLimits, SessionLimits},
};

/// The tools of one server in its order, and what it says of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalogue {
    tools: Vec<ToolInfo>,
    by_name: HashMap<String, usize>,
}

/// What a server says of one of its tools. All of it is the server's word.
#[derive(Clone, Debug)]
pub(crate) struct ToolInfo {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) input_schema: Json,
    /// Compiled for the first call whose arguments are held against it.
    checker: Arc<OnceLock<Option<InputSchema>>>,
    pub(crate) output_schema: Option<Json>,
    pub(crate) hints: ToolHints,
    pub(crate) read_only: bool,
    pub(crate) idempotent: bool,
}

/// What a server says that calling a tool does; nothing where it says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ToolHints {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
}

/// Why a list of tools could not be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CatalogueError {
    #[error("{0}")]
    Call(String),
    #[error("the server answered `tools/list` with something else")]
    NoList,
    #[error("the list has more than {0} pages (limit max_catalogue_pages)")]
    TooManyPages(usize),
    #[error("the list has more than {0} tools (limit max_catalogue_tools)")]
    TooManyTools(usize),
    #[error("the list came back to the page {0:?}")]
    Cycle(String),
    #[error("the list has two tools named {0:?}")]
    Twice(String),
}

impl Catalogue {
    /// Asks the server for all pages.
    ///
    /// # Errors
    ///
    /// When the server doesn't answer with a list, or with one that never ends.
    pub(crate) async fn fetch(
        peer: Peer<RoleClient>,
        limits: SessionLimits,
    ) -> Result<Self, CatalogueError> {
        let mut catalogue = Self::default();
        let mut seen = HashSet::new();
        let mut cursor = None;
        for _page in 0..limits.max_catalogue_pages {
            let (tools, next) = fetch_page(&peer, cursor).await?;
            for tool in tools {
                catalogue.add(tool)?;
            }
            if catalogue.tools.len() > limits.max_catalogue_tools {
                return Err(CatalogueError::TooManyTools(limits.max_catalogue_tools));
            }
            let Some(next) = next else { return Ok(catalogue) };
            if !seen.insert(next.clone()) {
                return Err(CatalogueError::Cycle(next));
            }
            cursor = Some(next);
        }
        Err(CatalogueError::TooManyPages(limits.max_catalogue_pages))
    }

    fn add(&mut self, tool: Tool) -> Result<(), CatalogueError> {
        let hints = tool.annotations.as_ref().map(ToolHints::from).unwrap_or_default();
        let title = tool.annotations.and_then(|annotations| annotations.title);
        let tool = ToolInfo {
            name: tool.name.into_owned(),
            title: tool.title.or(title),
            description: tool.description.map(Into::into),
            input_schema: Json::from_value(&*tool.input_schema),
            checker: Arc::default(),
            output_schema: tool.output_schema.as_deref().map(Json::from_value),
            hints,
            read_only: hints.read_only == Some(true),
            idempotent: hints.idempotent == Some(true),
        };
        if self.by_name.insert(tool.name.clone(), self.tools.len()).is_some() {
            return Err(CatalogueError::Twice(tool.name));
        }
        self.tools.push(tool);
        Ok(())
    }

    /// Tools that the server marks as read-only may overlap; every other call is alone, one of an unknown tool too.
    pub(crate) fn overlap(&self, tool: &str) -> Overlap {
        match self.by_name.get(tool) {
            Some(&at) if self.tools[at].read_only => Overlap::Shared,
            _ => Overlap::Alone,
        }
    }

    /// Whether the server says that calling the tool twice does no more than calling it once. Of an unknown tool it says
    /// nothing.
    pub(crate) fn is_repeatable(&self, tool: &str) -> bool {
        self.by_name
            .get(tool)
            .is_some_and(|&at| self.tools[at].read_only || self.tools[at].idempotent)
    }

    /// What in arguments isn't as the server says, in words. Of an unknown tool it says nothing.
    pub(crate) fn misfit(&self, tool: &str, arguments: &Json) -> Option<String> {
        let tool = &self.tools[*self.by_name.get(tool)?];
        let read = || InputSchema::read(&tool.input_schema, &GrantLimits::of_input_schemas());
        tool.checker.get_or_init(read).as_ref()?.fault(arguments)
    }

    pub(crate) fn tools(&self) -> &[ToolInfo] {
        &self.tools
    }

    pub(crate) fn has(&self, tool: &str) -> bool {
        self.by_name.contains_key(tool)
    }
}

impl From<&ToolAnnotations> for ToolHints {
    fn from(hints: &ToolAnnotations) -> Self {
        Self {
            read_only: hints.read_only_hint,
            destructive: hints.destructive_hint,
            idempotent: hints.idempotent_hint,
            open_world: hints.open_world_hint,
        }
    }
}

/// Names that a language which makes identifiers of them can't tell apart, by that identifier.
pub(crate) fn clashes<'n>(names: impl Iterator<Item = &'n str>) -> BTreeMap<String, Vec<&'n str>> {
    let mut by_identifier: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        by_identifier.entry(identifier(name)).or_default().push(name);
    }
    by_identifier.retain(|_, names| names.len() > 1);
    by_identifier
}

/// What stands for a name where only identifiers may: `_` for every sign that none has, and before a digit at its start.
pub(crate) fn identifier(name: &str) -> String {
    let signs = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let identifier: String = signs.collect();
    let needs_start = identifier.chars().next().is_none_or(|c| c.is_ascii_digit());
    if needs_start { format!("_{identifier}") } else { identifier }
}

async fn fetch_page(
    peer: &Peer<RoleClient>,
    cursor: Option<String>,
) -> Result<(Vec<Tool>, Option<String>), CatalogueError> {
    let params = PaginatedRequestParams::default().with_cursor(cursor);
    let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
    // Not `list_tools`, which answers from a cache of its own.
    match peer.send_request(request).await {
        Ok(ServerResult::ListToolsResult(page)) => {
            let next = page.next_cursor.filter(|cursor| !cursor.is_empty());
            Ok((page.tools, next))
        }
        Ok(_) => Err(CatalogueError::NoList),
        Err(error) => Err(CatalogueError::Call(describe(&error))),
    }
}

fn describe(error: &ServiceError) -> String {
    chain(error)
}
