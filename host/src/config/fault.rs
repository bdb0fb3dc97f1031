//! All that can be wrong with one value of a configuration file: [`Fault`].
//!
//! A fault never quotes what a variable expanded to, because that may be a secret.

use std::{path::PathBuf, time::Duration};

use crate::grants::RuleFault;

/// What is wrong, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    // The first group is about the surroundings and not about the file: it disables one connection alone.
    /// A variable isn't set.
    #[error(
        "variable {variable} isn't set: set it, or write a default as in ${{{variable}:-default}}"
    )]
    MissingVariable {
        /// The variable.
        variable: String,
    },
    /// The variable that `bearer_token_env_var` names isn't set, or is empty.
    #[error("variable {variable} isn't set or is empty: put the token into it")]
    MissingToken {
        /// The variable.
        variable: String,
    },
    /// An input has no value. Nobody is asked for it: a host may run where nobody sits.
    #[error("input {id:?}{} has no value: set {variable}", described(description))]
    MissingInput {
        /// The input's name.
        id: String,
        /// The variable that would hold its value.
        variable: String,
        /// What the file says the input is.
        description: Option<String>,
    },
    /// A variable isn't Unicode.
    #[error("variable {variable} isn't Unicode, which a configuration value has to be")]
    NotUnicode {
        /// The variable.
        variable: String,
    },
    /// The home folder isn't known.
    #[error("the home folder isn't known: set HOME")]
    NoHome,
    /// The env file can't be used.
    #[error("env file {}: {detail}", path.display())]
    EnvFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The private key can't be used.
    #[error("key file {}: {detail}", path.display())]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// Tokens that only a person can get.
    #[error(
        "a person would have to consent in a browser, and this command asks nobody: use \"grant\": \"client_credentials\", or get a token elsewhere and put it into \"bearer_token_env_var\""
    )]
    NeedsPerson,
    /// What the variables expanded to can't stand here; the file itself would be right with other values.
    #[error("with the variables' present values: {0}")]
    Expanded(Box<Fault>),

    // The second group is about the file.
    /// A key stands twice in one object.
    #[error("this key stands here for the second time: remove one of the two")]
    DuplicateKey,
    /// Two names that would be the same.
    #[error("this is the same as {other:?}: rename one of the two")]
    Collision {
        /// The other name.
        other: String,
    },
    /// A value of another type.
    #[error("expected {expected}, found {found}")]
    WrongType {
        /// What belongs here.
        expected: &'static str,
        /// What is here.
        found: &'static str,
    },
    /// The file describes no servers.
    #[error("there is neither \"mcpServers\" nor \"servers\" in it: add one of them")]
    NoServers,
    /// A server's name can't be used.
    #[error("a server's name has at least one character and no control characters")]
    BadName,
    /// Neither `command` nor `url`.
    #[error(
        "there is neither \"command\" (a program to start) nor \"url\" (an address to connect to)"
    )]
    NoTransport,
    /// Both `command` and `url`.
    #[error("there is both \"command\" and \"url\": keep one of them")]
    TwoTransports,
    /// `type` says one thing, the other keys another.
    #[error("type {kind:?} needs {needs:?}, which isn't there")]
    TypeWithout {
        /// The type.
        kind: String,
        /// The key that it needs.
        needs: &'static str,
    },
    /// The transport that MCP has given up.
    #[error(
        "the SSE transport is gone from MCP: use \"type\": \"http\" and the server's streamable HTTP address"
    )]
    Sse,
    /// Another `type`.
    #[error("type {kind:?} isn't known: it's \"stdio\" or \"http\"")]
    UnknownType {
        /// The type.
        kind: String,
    },
    /// `disabled` and `enabled` say opposite things.
    #[error("\"disabled\" and \"enabled\" contradict each other: keep one of them")]
    Contradiction,
    /// A word that isn't one of a few.
    #[error("{word:?} isn't known here: {expected}")]
    UnknownWord {
        /// The word.
        word: String,
        /// Which ones are.
        expected: &'static str,
    },
    /// A timeout that is no use.
    #[error("a timeout is more than 0 and at most {} seconds (max_timeout)", max_timeout.as_secs())]
    Timeout {
        /// The limit.
        max_timeout: Duration,
    },
    /// A number that isn't a whole one, or is too large for one.
    #[error("expected a whole number, 0 or above")]
    NotWhole,
    /// A key of the host's own section that it doesn't know.
    #[error("this key isn't known here: mend or remove it")]
    UnknownKey,
    /// A text that can't be empty is.
    #[error("this can't be empty")]
    Empty,
    /// A character that no operating system takes in a command line or an environment.
    #[error("this can't have a NUL character in it")]
    Nul,
    /// `${` without `}`.
    #[error("a \"${{\" has no \"}}\" after it")]
    Unclosed,
    /// `${...}` with something else in it.
    #[error(
        "${{{expression}}} isn't known: it's ${{VAR}}, ${{VAR:-default}}, ${{env:VAR}}, ${{input:id}}, ${{userHome}} or ${{workspaceFolder}}"
    )]
    UnknownExpression {
        /// What stands between the braces.
        expression: String,
    },
    /// `${A:-${B}}`.
    #[error(
        "the default of {variable} can't hold another ${{...}}: name one variable, with a plain default"
    )]
    NestedDefault {
        /// The variable that has the default.
        variable: String,
    },
    /// A path that starts with `~`.
    #[error("\"~\" is for shells: write ${{userHome}}")]
    Tilde,
    /// The name of a variable that no system accepts.
    #[error(
        "this can't be the name of a variable: it's empty, or has \"=\" or a NUL character in it"
    )]
    BadVariableName,
    /// An address that can't be read.
    #[error("this isn't an address: {detail}")]
    BadUrl {
        /// What is wrong with it.
        detail: url::ParseError,
    },
    /// An address of another kind.
    #[error("the address isn't an http or https one: MCP has no other transport over the network")]
    NotHttp,
    /// An address with a password in it, which would end up in logs.
    #[error(
        "the address has a user or a password in it: put credentials into \"headers\" or \"auth\""
    )]
    UrlCredentials,
    /// A header's value has characters that no header has.
    #[error(
        "this can't be the value of a header: it has a line break or a control character in it"
    )]
    BadHeaderValue,
    /// A header's name has characters that no header has.
    #[error("this can't be the name of a header")]
    BadHeaderName,
    /// A header that belongs to the protocol.
    #[error("the protocol sets this header itself: remove it")]
    ReservedHeader,
    /// Two sources of one credential.
    #[error("the header Authorization is given by {other:?} too: keep one of the two")]
    TwoCredentials {
        /// The key that gives it too.
        other: &'static str,
    },
    /// `auth` without a way to authorise that is known.
    #[error("there is no \"bearer\" in it, which is the one way that \"auth\" knows")]
    NoBearer,
    /// A key that the others need.
    #[error("there is no {key:?} in it: {hint}")]
    NeedsKey {
        /// The key.
        key: &'static str,
        /// What it would hold.
        hint: &'static str,
    },
    /// A secret and a private key.
    #[error("there is both \"client_secret\" and \"private_key_file\": keep one of them")]
    TwoProofs,
    /// Tokens would go over the network in the clear.
    #[error("tokens would go unencrypted to a host that isn't this one: \"oauth\" needs https")]
    CleartextTokens,
    /// An issuer that no metadata could be had of.
    #[error("an issuer is an https address, or one on this machine")]
    BadIssuer,
    /// A rule on what a workflow may call that isn't one.
    #[error("this isn't a rule: {0}")]
    Rule(RuleFault),
    /// A rule with a constraint and without tools.
    #[error("there is no \"tools\" in it, such as \"files/write_*\"")]
    NoTools,
}

impl Fault {
    /// Whether the file is right and only the machine lacks something, so that one connection alone is out of use.
    pub fn is_of_the_surroundings(&self) -> bool {
        matches!(
            self,
            Self::MissingVariable { .. }
                | Self::MissingToken { .. }
                | Self::MissingInput { .. }
                | Self::NotUnicode { .. }
                | Self::NoHome
                | Self::EnvFile { .. }
                | Self::KeyFile { .. }
                | Self::NeedsPerson
                | Self::Expanded(_)
        )
    }
}

fn described(description: &Option<String>) -> String {
    description.as_ref().map(|text| format!(" ({text})")).unwrap_or_default()
}
