//! The bounds of what is written from the schemas of servers.

/// The bounds of declarations that are made of the tools of servers.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TypesLimits {
    /// Levels of one schema, those behind references included; what is deeper is of an unknown type. Protects the stack from servers, and
    /// readers from types that nobody can read.
    pub max_type_nesting: usize,
    /// Subschemas of one tool that are read; what comes after is of an unknown type. Protects memory from servers.
    pub max_subschemas: usize,
    /// Values of one `enum` that become literals; a longer one is the type of its values. Protects readers from servers.
    pub max_literals: usize,
    /// Characters of one description; the rest is cut. Protects readers, and prompts, from servers.
    pub max_doc_chars: usize,
    /// Characters of the sentence that the short form has of a tool. Protects prompts from servers.
    pub max_sentence_chars: usize,
    /// Characters of one default, pattern or format in a comment; a longer one is left out.
    pub max_note_chars: usize,
    /// Bytes of a name of a connection, a tool or a field; a longer one is an error. Protects readers from servers.
    pub max_name_bytes: usize,
    /// Bytes of all declarations together. Protects memory, and editors, from servers.
    pub max_output_bytes: usize,
}

impl Default for TypesLimits {
    fn default() -> Self {
        Self {
            max_type_nesting: 32,
            max_subschemas: 5_000,
            max_literals: 200,
            max_doc_chars: 2_000,
            max_sentence_chars: 200,
            max_note_chars: 120,
            max_name_bytes: 200,
            max_output_bytes: 8 << 20,
        }
    }
}
