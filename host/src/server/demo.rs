//! The built-in file server: an MCP server for one folder, so that the first run needs nothing but this program.
//!
//! Its tools have the names, the arguments and the answers of `@modelcontextprotocol/server-filesystem`, so that a workflow
//! runs against either. It reads and writes text, never leaves its folder ([`root::Root`] says how), and ends when its
//! client closes the connection. Editing parts of files, media files and patterns with braces are left out.

mod arguments;
mod error;
mod info;
mod read;
mod root;
mod walk;
mod write;

#[cfg(test)]
mod tests;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use rmcp::{
    RoleServer, ServerHandler, ServiceExt,
    handler::server::{router::tool::ToolRouter, tool::schema_for_output, wrapper::Parameters},
    model::{CallToolResult, ContentBlock, JsonObject},
    service::{QuitReason, ServerInitializeError},
    tool, tool_handler, tool_router,
    transport::{IntoTransport, async_rw::AsyncRwTransport, stdio},
};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::limits::FileServerLimits;

use self::{error::FileError, root::Root};

/// Why the file server ended other than by the end of its connection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ServeError {
    /// The folder can't be opened.
    #[error("the folder {path} can't be served")]
    Root {
        /// The folder.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The client didn't open an MCP session.
    #[error("the client opened no MCP session")]
    Handshake(#[source] Box<ServerInitializeError>),
    /// The server itself failed.
    #[error("the file server failed")]
    Failed(#[source] tokio::task::JoinError),
}

/// Serves a folder over standard input and output until the input closes.
///
/// # Errors
///
/// See [`ServeError`]. That the client goes away isn't one.
///
/// # Cancel safety
///
/// Dropping the future ends the session; file work that is under way is finished.
pub(crate) async fn serve_stdio(root: PathBuf) -> Result<(), ServeError> {
    let limits = FileServerLimits::default();
    let max_request_bytes = limits.max_request_bytes;
    let (stdin, stdout) = stdio();
    let transport = AsyncRwTransport::new(stdin, stdout).with_max_line_length(max_request_bytes);
    serve(&root, limits, transport).await
}

/// Serves a folder over any transport until the other side closes it.
///
/// # Errors
///
/// See [`ServeError`].
pub(crate) async fn serve<T, E, A>(
    root: &Path,
    limits: FileServerLimits,
    transport: T,
) -> Result<(), ServeError>
where
    T: IntoTransport<RoleServer, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let root = Root::open(root)
        .map_err(|source| ServeError::Root { path: root.display().to_string(), source })?;
    let running = match FileServer::new(root, limits).serve(transport).await {
        Ok(running) => running,
        // A client that only looked whether there is a server.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Handshake(Box::new(error))),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Failed(error)),
        Ok(_) => Ok(()),
    }
}

/// A folder and what may be done with it.
struct Files {
    root: Root,
    limits: FileServerLimits,
}

/// The MCP side: tools and their descriptions.
struct FileServer {
    files: Arc<Files>,
    /// One permit for each call that works on files.
    permits: Arc<Semaphore>,
    tools: ToolRouter<Self>,
}

impl FileServer {
    fn new(root: Root, limits: FileServerLimits) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(limits.max_in_flight)),
            files: Arc::new(Files { root, limits }),
            tools: Self::tool_router(),
        }
    }

    /// Does file work on a thread that may block, and makes an answer of its text or its error.
    async fn answer<F>(&self, work: F) -> CallToolResult
    where
        F: FnOnce(&Files) -> Result<String, FileError> + Send + 'static,
    {
        let files = self.files.clone();
        let permits = self.permits.clone();
        let permit = permits.acquire_owned().await.expect("the semaphore is never closed");
        let work = tokio::task::spawn_blocking(move || {
            let text = work(&files).and_then(|text| files.checked(text));
            // Not before the work is done: dropping the call doesn't stop the thread.
            drop(permit);
            text
        });
        match work.await {
            Ok(Ok(text)) => text_result(text),
            Ok(Err(error)) => CallToolResult::error(vec![ContentBlock::text(error.to_text())]),
            Err(error) => {
                tracing::error!(%error, "file work failed");
                let text = "the file server itself failed; its log says more";
                CallToolResult::error(vec![ContentBlock::text(text)])
            }
        }
    }
}

impl Files {
    fn checked(&self, text: String) -> Result<String, FileError> {
        let max_text_bytes = self.limits.max_text_bytes;
        if text.len() > max_text_bytes {
            return Err(FileError::AnswerTooLarge { max_text_bytes });
        }
        Ok(text)
    }
}

/// The text twice: as a block for people and models, and as structured content for programs.
fn text_result(text: String) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text.clone())]);
    result.structured_content = Some(json!({ "content": text }));
    result
}

fn text_schema() -> Arc<JsonObject> {
    schema_for_output::<arguments::TextAnswer>()
}

#[tool_router]
impl FileServer {
    /// Says which folder the other tools work in. Paths are relative to it, or absolute and inside of it.
    #[tool(
        title = "List allowed directories",
        output_schema = text_schema(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn list_allowed_directories(&self) -> CallToolResult {
        let text = format!("Allowed directories:\n{}", self.files.root.path().display());
        text_result(text)
    }

    /// Lists a folder, sorted by name: one line each, which starts with `[DIR]` or `[FILE]`.
    #[tool(
        title = "List directory",
        output_schema = text_schema(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn list_directory(
        &self,
        Parameters(arguments::PathOnly { path }): Parameters<arguments::PathOnly>,
    ) -> CallToolResult {
        self.answer(move |files| files.list(&path)).await
    }

    /// Gives a folder and all that is below it as a JSON text: an array of objects with "name", "type" ("file" or
    /// "directory") and, for directories, "children". Symbolic links are files here.
    #[tool(
        title = "Directory tree",
        output_schema = text_schema(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn directory_tree(
        &self,
        Parameters(arguments): Parameters<arguments::DirectoryTree>,
    ) -> CallToolResult {
        self.answer(move |files| files.tree(&arguments.path, &arguments.exclude_patterns)).await
    }

    /// Finds files and folders below a folder whose path from there matches a pattern: "*.md" is in the folder itself,
    /// "**/*.md" at any depth. One absolute path a line, or "No matches found". Symbolic links aren't followed.
    #[tool(
        title = "Search files",
        output_schema = text_schema(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn search_files(
        &self,
        Parameters(arguments): Parameters<arguments::SearchFiles>,
    ) -> CallToolResult {
        self.answer(move |files| {
            files.search(&arguments.path, &arguments.pattern, &arguments.exclude_patterns)
        })
        .await
    }

    /// Reads a text file (UTF-8), whole or only its first ("head") or last ("tail") lines.
    #[tool(
        title = "Read text file",
        output_schema = text_schema(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn read_text_file(
        &self,
        Parameters(arguments): Parameters<arguments::ReadTextFile>,
    ) -> CallToolResult {
        self.answer(move |files| files.read_part(&arguments.path, arguments.head, arguments.tail))
            .await
    }

    /// Reads several text files. Each one's path stands before its text; a file that can't be read has its error there
    /// and doesn't keep the others from being read.
    #[tool(
        title = "Read multiple files",
        output_schema = text_schema(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn read_multiple_files(
        &self,
        Parameters(arguments::ReadMultipleFiles { paths }): Parameters<
            arguments::ReadMultipleFiles,
        >,
    ) -> CallToolResult {
        self.answer(move |files| files.read_several(&paths)).await
    }

    /// Says of a file or a folder: its size, its times (UTC), its kind and its permissions.
    #[tool(
        title = "Get file info",
        output_schema = text_schema(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn get_file_info(
        &self,
        Parameters(arguments::PathOnly { path }): Parameters<arguments::PathOnly>,
    ) -> CallToolResult {
        self.answer(move |files| files.info(&path)).await
    }

    /// Writes a text file, whole: a file that is there already is replaced. Readers see the old text or the new one.
    #[tool(
        title = "Write file",
        output_schema = text_schema(),
        annotations(
            read_only_hint = false,
            idempotent_hint = true,
            destructive_hint = true,
            open_world_hint = false
        )
    )]
    async fn write_file(
        &self,
        Parameters(arguments::WriteFile { path, content }): Parameters<arguments::WriteFile>,
    ) -> CallToolResult {
        self.answer(move |files| files.write(&path, &content)).await
    }

    /// Creates a folder, and the folders that it is in; succeeds where it's there already.
    #[tool(
        title = "Create directory",
        output_schema = text_schema(),
        annotations(
            read_only_hint = false,
            idempotent_hint = true,
            destructive_hint = false,
            open_world_hint = false
        )
    )]
    async fn create_directory(
        &self,
        Parameters(arguments::PathOnly { path }): Parameters<arguments::PathOnly>,
    ) -> CallToolResult {
        self.answer(move |files| files.create_directory(&path)).await
    }

    /// Moves or renames a file or a folder. Fails where the destination is there already.
    #[tool(
        title = "Move file",
        output_schema = text_schema(),
        annotations(
            read_only_hint = false,
            idempotent_hint = false,
            destructive_hint = true,
            open_world_hint = false
        )
    )]
    async fn move_file(
        &self,
        Parameters(arguments): Parameters<arguments::MoveFile>,
    ) -> CallToolResult {
        self.answer(move |files| files.rename(&arguments.source, &arguments.destination)).await
    }
}

#[tool_handler(
    router = self.tools,
    name = "callgate-files",
    instructions = "Text files of one folder. Ask list_allowed_directories which one."
)]
impl ServerHandler for FileServer {}
