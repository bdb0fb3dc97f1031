//! Tools, as their servers list them. Made by `callgate bindings rust`; make it anew rather than edit it.
#![allow(dead_code, missing_docs, rustdoc::all, clippy::all)]

/// The connection `default`.
pub mod default {
    /// Its name in the configuration.
    pub const CONNECTION: &str = "default";
}

/// The connection `hos*\/tile`.
pub mod hos_tile {
    use callgate_guest::{CallError, call};

    /// Its name in the configuration.
    pub const CONNECTION: &str = "hos*/tile";

    pub async fn _2fast(input: &_2fast::Input) -> Result<_2fast::Output, CallError> {
        call(CONNECTION, "2fast", input).await
    }

    /// The types of `2fast`.
    pub mod _2fast {
        use std::collections::BTreeMap;

        use serde_json::Value;

        pub type Input = BTreeMap<String, Value>;

        pub type Output = Value;
    }

    pub async fn any(input: &any::Input) -> Result<any::Output, CallError> {
        call(CONNECTION, "any", input).await
    }

    /// The types of `any`.
    pub mod any {
        use std::collections::BTreeMap;

        use serde_json::Value;

        pub type Input = BTreeMap<String, Value>;

        pub type Output = Value;
    }

    pub async fn circles(input: &circles::Input) -> Result<circles::Output, CallError> {
        call(CONNECTION, "circles", input).await
    }

    /// The types of `circles`.
    pub mod circles {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub a: Option<A>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub c: Option<C>,
        }

        pub type Output = Value;

        pub type A = Value;

        pub type B = Value;

        pub type C = Value;
    }

    pub async fn constructor(input: &constructor::Input) -> Result<constructor::Output, CallError> {
        call(CONNECTION, "constructor", input).await
    }

    /// The types of `constructor`.
    pub mod constructor {
        use std::collections::BTreeMap;

        use serde_json::Value;

        pub type Input = BTreeMap<String, Value>;

        pub type Output = Value;
    }

    /// A part of its schemas is left out here (limit max_type_nesting).
    pub async fn deep(input: &deep::Input) -> Result<deep::Output, CallError> {
        call(CONNECTION, "deep", input).await
    }

    /// The types of `deep`.
    pub mod deep {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub x: Option<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Value>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>,
        }

        pub type Output = Value;
    }

    /// *\/ declare const evil: 1; /\*
    /// \@deprecated not so
    /// \@param x
    /// turned     hidden   bell
    /// line
    ///
    /// * star
    /// '''js
    /// *\/
    /// '''
    pub async fn ends_comments(
        input: &ends_comments::Input,
    ) -> Result<ends_comments::Output, CallError> {
        call(CONNECTION, "ends */ comments", input).await
    }

    /// The types of `ends *\/ comments`.
    pub mod ends_comments {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(rename = "")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub unnamed: Option<String>,
            #[serde(rename = "\"; evil(); \"")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub _evil_: Option<InputEvil>,
            /// *\/
            ///
            /// (format: *\/ @x, pattern: *\/, default: "*\/ evil")
            #[serde(rename = "*/ a")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub _a: Option<String>,
            #[serde(rename = "\\")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub unnamed2: Option<InputUnnamed>,
            #[serde(rename = "ä")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub unnamed3: Option<String>,
            #[serde(rename = "\u{202e}")]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub unnamed4: Option<String>,
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum InputEvil {
            #[serde(rename = "*/\"\u{2028}\u{202e}")]
            Unnamed,
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum InputUnnamed {
            #[serde(rename = "\\\"")]
            Unnamed,
            #[serde(rename = "`${x}`")]
            X,
            #[serde(rename = "\u{a}")]
            Unnamed2,
        }

        pub type Output = Value;
    }

    pub async fn names(input: &names::Input) -> Result<names::Output, CallError> {
        call(CONNECTION, "names", input).await
    }

    /// The types of `names`.
    pub mod names {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub a: Option<Box<Array2>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub b: Option<AB>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub c: Option<AB2>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub d: Option<Input2>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub e: Option<Unnamed>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub f: Option<_1>,
        }

        pub type Output = Value;

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct Array2(pub Vec<Box<Array2>>);

        pub type AB = String;

        pub type AB2 = f64;

        pub type Input2 = bool;

        pub type Unnamed = Value;

        pub type _1 = f64;
    }

    pub async fn odd(input: &odd::Input) -> Result<odd::Output, CallError> {
        call(CONNECTION, "odd", input).await
    }

    /// The types of `odd`.
    pub mod odd {
        use std::collections::BTreeMap;

        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub a: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub b: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub c: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub d: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub e: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub f: Option<BTreeMap<String, Value>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub g: Option<Vec<Value>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub h: Option<InputH>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub i: Option<InputI>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub j: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub k: Option<Value>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub l: Option<Value>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct InputH {
            pub x: Value,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum InputI {
            List(Vec<Value>),
            Object(BTreeMap<String, Value>),
        }

        pub type Output = Value;
    }

    pub async fn self_(input: &self_::Input) -> Result<self_::Output, CallError> {
        call(CONNECTION, "self", input).await
    }

    /// The types of `self`.
    pub mod self_ {
        use serde_json::Value;

        pub type Input = InputRoot;

        pub type Output = Value;

        pub type InputRoot = Value;
    }

    /// A part of its schemas is left out here (limit max_literals).
    pub async fn wide(input: &wide::Input) -> Result<wide::Output, CallError> {
        call(CONNECTION, "wide", input).await
    }

    /// The types of `wide`.
    pub mod wide {
        use serde::{Deserialize, Serialize};
        use serde_json::Value;

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Input {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub big: Option<InputBig>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub x: Option<f64>,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum InputBig {
            Number(f64),
            Number2(f64),
            Number3(f64),
        }

        pub type Output = Value;
    }

    pub async fn unnamed(input: &unnamed::Input) -> Result<unnamed::Output, CallError> {
        call(CONNECTION, "東京", input).await
    }

    /// The types of `東京`.
    pub mod unnamed {
        use std::collections::BTreeMap;

        use serde_json::Value;

        pub type Input = BTreeMap<String, Value>;

        pub type Output = Value;
    }
}
