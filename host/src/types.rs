//! Declarations of servers' tools for the languages of workflows: from the schemas of tool lists to text.
//!
//! A [`Server`] is read from a list into [`Shape`](shape::Shape)s, which know neither JSON Schema nor a language, and each writer makes text of
//! them. The same lists make the same text, byte for byte. All that servers say is untrusted: names are quoted or refused,
//! comments can't be ended from inside, and everything has a bound.

mod doc;
mod globals;
mod names;
mod notes;
mod reader;
mod rust;
mod shape;
mod typescript;

mod compact;

#[cfg(test)]
mod tests;

pub(crate) use self::{
    compact::compact,
    reader::{Server, ToolSource},
    rust::rust,
    typescript::typescript,
};

/// Why there are no declarations.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TypesError {
    #[error(
        "{what} {first:?} and {second:?} are both {identifier} as an identifier: rename one, or name the connections to write"
    )]
    Clash { what: &'static str, first: String, second: String, identifier: String },
    #[error("a name of {bytes} bytes is longer than {limit} (limit max_name_bytes): {start:?}...")]
    LongName { bytes: usize, limit: usize, start: String },
    #[error(
        "the declarations have more than {0} bytes (limit max_output_bytes): name the connections to write"
    )]
    TooLong(usize),
}
