//! The bounds of grants: of their rules, and of the arguments that a constraint reads.

/// The bounds of the rules on what a workflow may call.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GrantLimits {
    /// Subschemas of one constraint, each counted once for every reference to it. Protects the gate from schemas that grow
    /// without end when their references are followed.
    pub max_subschemas: usize,
    /// Bytes of one compiled regular expression, and again of what it keeps while it matches. Protects memory from patterns.
    pub max_pattern_bytes: usize,
    /// Bytes of arguments that a constraint reads; larger ones are refused where one applies. Protects the gate's other calls
    /// from guests: reading and matching is work that nothing interrupts.
    pub max_argument_bytes: usize,
    /// JSON values in them. Protects memory from guests: a value takes many times the bytes of its text.
    pub max_argument_values: usize,
    /// Levels of arrays and objects in them. Protects the stack from guests.
    pub max_argument_nesting: usize,
    /// Tools of which a run remembers what the rules say; they are looked through one by one. Protects memory and the processor
    /// from guests that make names up.
    pub max_remembered: usize,
    /// Bytes of a name that a run remembers; what the rules say of longer ones is found out anew for each call.
    pub max_remembered_bytes: usize,
    /// Bytes of a name that is compared with a mistyped one. Protects the host from servers: comparing takes the product of
    /// both.
    pub max_hinted_bytes: usize,
    /// Characters of a name or a path of the guest's that a refusal repeats. Protects whoever reads it.
    pub max_quoted_chars: usize,
}

impl GrantLimits {
    /// Those for the input schemas of servers, under which both the schema and the arguments are a stranger's: what is over one of
    /// them isn't looked at. Protects the threads of all runs from a server and a guest that go well together, because nothing
    /// interrupts the compiling of a schema or the matching.
    pub(crate) fn of_input_schemas() -> Self {
        Self {
            max_subschemas: 500,
            max_pattern_bytes: 64 << 10,
            max_argument_bytes: 256 << 10,
            max_argument_values: 10_000,
            ..Self::default()
        }
    }
}

impl Default for GrantLimits {
    fn default() -> Self {
        Self {
            max_subschemas: 1_000,
            max_pattern_bytes: 1 << 20,
            max_argument_bytes: 1 << 20,
            max_argument_values: 50_000,
            max_argument_nesting: 64,
            max_remembered: 16,
            max_remembered_bytes: 256,
            max_hinted_bytes: 64,
            max_quoted_chars: 120,
        }
    }
}
