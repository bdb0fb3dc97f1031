//! Tools, as their servers list them. Made by `callgate bindings rust`; make it anew rather than edit it.
#![allow(dead_code, missing_docs, rustdoc::all, clippy::all)]

/// The connection `no tools`.
pub mod no_tools {
    /// Its name in the configuration.
    pub const CONNECTION: &str = "no tools";
}

/// The connection `tricky`.
pub mod tricky {
    use callgate_guest::{CallError, call};

    /// Its name in the configuration.
    pub const CONNECTION: &str = "tricky";

    /// Takes anything
    pub async fn anything(input: &anything::Input) -> Result<anything::Output, CallError> {
        call(CONNECTION, "anything", input).await
    }

    /// The types of `anything`.
    pub mod anything {
        use std::collections::BTreeMap;

        use serde_json::Value;

        pub type Input = BTreeMap<String, Value>;

        pub type Output = Value;
    }

    pub async fn choices(input: &choices::Input) -> Result<choices::Output, CallError> {
        call(CONNECTION, "choices", input).await
    }

    /// The types of `choices`.
    pub mod choices {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub both: Option<InputBoth>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub either: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub list: Option<Vec<InputListItem>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub old: Option<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub shape: Option<InputShape>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct InputBoth {
            pub a: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub b: Option<String>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum InputListItem {
            Text(String),
            Number(f64),
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum InputShape {
            Object(InputShapeObject),
            Object2(InputShapeObject2),
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct InputShapeObject {
            pub kind: InputShapeObjectKind,
            pub radius: f64,
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum InputShapeObjectKind {
            #[serde(rename = "circle")]
            Circle,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct InputShapeObject2 {
            pub kind: InputShapeObject2Kind,
            pub side: f64,
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum InputShapeObject2Kind {
            #[serde(rename = "square")]
            Square,
        }

        pub type Output = Value;
    }

    /// Its name is a word of the language.
    ///
    /// Says its server: may change things, may destroy, twice is more than once, reaches beyond its server.
    #[deprecated]
    pub async fn delete(input: &delete::Input) -> Result<delete::Output, CallError> {
        call(CONNECTION, "delete", input).await
    }

    /// The types of `delete`.
    pub mod delete {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            pub class: InputClass,
            #[serde(rename = "2nd")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub _2nd: Option<f64>,
            #[serde(rename = "__proto__")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub _proto_: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub constructor: Option<String>,
            #[serde(rename = "with space")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub with_space: Option<String>,
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum InputClass {
            #[serde(rename = "x")]
            X,
        }

        pub type Output = Value;
    }

    pub async fn lists(input: &lists::Input) -> Result<lists::Output, CallError> {
        call(CONNECTION, "lists", input).await
    }

    /// The types of `lists`.
    pub mod lists {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub any: Option<Vec<Value>>,
            /// (minItems: 1)
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub draft7: Option<Vec<Value>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub never: Option<Vec<Value>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub open: Option<Vec<Value>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub pair: Option<(String, f64)>,
            /// (minItems: 1, uniqueItems: true)
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub unique: Option<Vec<String>>,
        }

        pub type Output = Value;
    }

    pub async fn maps(input: &maps::Input) -> Result<maps::Output, CallError> {
        call(CONNECTION, "maps", input).await
    }

    /// The types of `maps`.
    pub mod maps {
        use std::collections::BTreeMap;

        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub closed: Option<InputClosed>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub map: Option<BTreeMap<String, f64>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub mixed: Option<InputMixed>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub patterns: Option<BTreeMap<String, InputPatternsValue>>,
            #[serde(flatten)]
            pub other_members: BTreeMap<String, Value>,
        }

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct InputClosed {}

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct InputMixed {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub a: Option<String>,
            #[serde(flatten)]
            pub other_members: BTreeMap<String, Value>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum InputPatternsValue {
            Text(String),
            Number(f64),
        }

        pub type Output = Value;
    }

    pub async fn no_arguments(
        input: &no_arguments::Input,
    ) -> Result<no_arguments::Output, CallError> {
        call(CONNECTION, "no-arguments", input).await
    }

    /// The types of `no-arguments`.
    pub mod no_arguments {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {}

        pub type Output = Value;
    }

    pub async fn optional_only(
        input: &optional_only::Input,
    ) -> Result<optional_only::Output, CallError> {
        call(CONNECTION, "optional_only", input).await
    }

    /// The types of `optional_only`.
    pub mod optional_only {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub limit: Option<i64>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub mode: Option<InputMode>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum InputMode {
            Fast(InputModeFast),
            Slow(InputModeSlow),
            Number(f64),
            Boolean(bool),
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum InputModeFast {
            #[serde(rename = "fast")]
            Fast,
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum InputModeSlow {
            #[serde(rename = "slow")]
            Slow,
        }

        pub type Output = Value;
    }

    /// Does a thing. And more of it.
    ///
    /// Says its server: read-only.
    pub async fn plain(input: &plain::Input) -> Result<plain::Output, CallError> {
        call(CONNECTION, "plain", input).await
    }

    /// The types of `plain`.
    pub mod plain {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            /// The second.
            pub b: String,
            /// (minimum: 1, maximum: 10, default: 3)
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub a: Option<i64>,
            /// (deprecated)
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub c: Option<bool>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            /// (format: date-time)
            pub at: String,
        }
    }

    pub async fn tree(input: &tree::Input) -> Result<tree::Output, CallError> {
        call(CONNECTION, "tree", input).await
    }

    /// The types of `tree`.
    pub mod tree {
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            pub root: Box<TreeNode>,
        }

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Output {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub again: Option<Box<OutputRoot>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub node: Option<Box<TreeNode2>>,
        }

        /// A node.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct TreeNode {
            pub children: Vec<Box<TreeNode>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub value: Option<Box<Value2>>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum Value2 {
            Text(String),
            List(Vec<Box<Value2>>),
        }

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct OutputRoot {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub again: Option<Box<OutputRoot>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub node: Option<Box<TreeNode2>>,
        }

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct TreeNode2 {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub next: Option<Box<TreeNode2>>,
        }
    }

    pub async fn true_schema(input: &true_schema::Input) -> Result<true_schema::Output, CallError> {
        call(CONNECTION, "true-schema", input).await
    }

    /// The types of `true-schema`.
    pub mod true_schema {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            pub x: Value,
            pub unlisted: Value,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub anchored: Option<Here>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub lost: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub remote: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub y: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub z: Option<Value>,
        }

        pub type Output = Value;

        pub type Here = String;
    }
}
