//! Tools, as their servers list them. Made by `callgate bindings rust`; make it anew rather than edit it.
#![allow(dead_code, missing_docs, rustdoc::all, clippy::all)]

/// The connection `files`.
pub mod files {
    use callgate_guest::{CallError, call};

    /// Its name in the configuration.
    pub const CONNECTION: &str = "files";

    /// Creates a folder, and the folders that it is in; succeeds where it's there already.
    ///
    /// Says its server: may change things, destroys nothing, twice is like once, stays inside its server.
    pub async fn create_directory(
        input: &create_directory::Input,
    ) -> Result<create_directory::Output, CallError> {
        call(CONNECTION, "create_directory", input).await
    }

    /// The types of `create_directory`.
    pub mod create_directory {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// Relative to the served folder, or absolute and inside of it.
            pub path: String,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Gives a folder and all that is below it as a JSON text: an array of objects with "name", "type" ("file" or
    /// "directory") and, for directories, "children". Symbolic links are files here.
    ///
    /// Says its server: read-only, stays inside its server.
    pub async fn directory_tree(
        input: &directory_tree::Input,
    ) -> Result<directory_tree::Output, CallError> {
        call(CONNECTION, "directory_tree", input).await
    }

    /// The types of `directory_tree`.
    pub mod directory_tree {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// The folder.
            pub path: String,
            /// Leaves out what matches one of these patterns, and all below it.
            ///
            /// (default: [])
            #[serde(rename = "excludePatterns")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub exclude_patterns: Option<Vec<String>>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Says of a file or a folder: its size, its times (UTC), its kind and its permissions.
    ///
    /// Says its server: read-only, stays inside its server.
    pub async fn get_file_info(
        input: &get_file_info::Input,
    ) -> Result<get_file_info::Output, CallError> {
        call(CONNECTION, "get_file_info", input).await
    }

    /// The types of `get_file_info`.
    pub mod get_file_info {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// Relative to the served folder, or absolute and inside of it.
            pub path: String,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Says which folder the other tools work in. Paths are relative to it, or absolute and inside of it.
    ///
    /// Says its server: read-only, stays inside its server.
    pub async fn list_allowed_directories(
        input: &list_allowed_directories::Input,
    ) -> Result<list_allowed_directories::Output, CallError> {
        call(CONNECTION, "list_allowed_directories", input).await
    }

    /// The types of `list_allowed_directories`.
    pub mod list_allowed_directories {
        use std::collections::BTreeMap;

        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        pub type Input = BTreeMap<String, Value>;

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Lists a folder, sorted by name: one line each, which starts with `[DIR]` or `[FILE]`.
    ///
    /// Says its server: read-only, stays inside its server.
    pub async fn list_directory(
        input: &list_directory::Input,
    ) -> Result<list_directory::Output, CallError> {
        call(CONNECTION, "list_directory", input).await
    }

    /// The types of `list_directory`.
    pub mod list_directory {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// Relative to the served folder, or absolute and inside of it.
            pub path: String,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Moves or renames a file or a folder. Fails where the destination is there already.
    ///
    /// Says its server: may change things, may destroy, twice is more than once, stays inside its server.
    pub async fn move_file(input: &move_file::Input) -> Result<move_file::Output, CallError> {
        call(CONNECTION, "move_file", input).await
    }

    /// The types of `move_file`.
    pub mod move_file {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// The file or folder.
            pub source: String,
            /// Its new path.
            pub destination: String,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Reads several text files. Each one's path stands before its text; a file that can't be read has its error there
    /// and doesn't keep the others from being read.
    ///
    /// Says its server: read-only, stays inside its server.
    pub async fn read_multiple_files(
        input: &read_multiple_files::Input,
    ) -> Result<read_multiple_files::Output, CallError> {
        call(CONNECTION, "read_multiple_files", input).await
    }

    /// The types of `read_multiple_files`.
    pub mod read_multiple_files {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// The files, at least one.
            ///
            /// (minItems: 1)
            pub paths: Vec<String>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Reads a text file (UTF-8), whole or only its first ("head") or last ("tail") lines.
    ///
    /// Says its server: read-only, stays inside its server.
    pub async fn read_text_file(
        input: &read_text_file::Input,
    ) -> Result<read_text_file::Output, CallError> {
        call(CONNECTION, "read_text_file", input).await
    }

    /// The types of `read_text_file`.
    pub mod read_text_file {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// The file.
            pub path: String,
            /// Only so many lines from the start.
            ///
            /// (format: uint, minimum: 0)
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub head: Option<i64>,
            /// Only so many lines from the end.
            ///
            /// (format: uint, minimum: 0)
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub tail: Option<i64>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Finds files and folders below a folder whose path from there matches a pattern: "*.md" is in the folder itself,
    /// "**\/\*.md" at any depth. One absolute path a line, or "No matches found". Symbolic links aren't followed.
    ///
    /// Says its server: read-only, stays inside its server.
    pub async fn search_files(
        input: &search_files::Input,
    ) -> Result<search_files::Output, CallError> {
        call(CONNECTION, "search_files", input).await
    }

    /// The types of `search_files`.
    pub mod search_files {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// The folder.
            pub path: String,
            /// `?`, `*` (within one name), `**` (any number of folders) and `[a-z]`.
            pub pattern: String,
            /// Leaves out what matches one of these patterns, and all below it.
            ///
            /// (default: [])
            #[serde(rename = "excludePatterns")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub exclude_patterns: Option<Vec<String>>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }

    /// Writes a text file, whole: a file that is there already is replaced. Readers see the old text or the new one.
    ///
    /// Says its server: may change things, may destroy, twice is like once, stays inside its server.
    pub async fn write_file(input: &write_file::Input) -> Result<write_file::Output, CallError> {
        call(CONNECTION, "write_file", input).await
    }

    /// The types of `write_file`.
    pub mod write_file {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// The file; the folder that it is in has to be there.
            pub path: String,
            /// Its whole new text.
            pub content: String,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// The text, as in the text block.
            pub content: String,
        }
    }
}
