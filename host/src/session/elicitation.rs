//! What is answered when a server asks for input from a person in the middle of a call: nobody is there, so a policy answers.
//!
//! Servers of the older era ask by a request of their own, those of the newer by a result that wants the call made again.
//! Both get the same answer.

use rmcp::model::{ElicitResult, ElicitationAction};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What is answered in place of the person that a server asks for input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Elicitation {
    /// That nobody gives any. Servers aren't told that they might ask, so most don't.
    #[default]
    Decline,
    /// The defaults that the server itself proposes. A form with a required field that has no default is declined, and so
    /// is a visit to an address.
    AcceptDefaults,
}

/// A form, read no deeper than its defaults.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Form {
    requested_schema: Schema,
}

#[derive(Deserialize)]
struct Schema {
    #[serde(default)]
    properties: Map<String, Value>,
    #[serde(default)]
    required: Vec<String>,
}

impl Elicitation {
    /// The answer to a request of the server that came inside a result; `None` where there can be none.
    pub(super) fn answer(self, method: &str, params: &Value) -> Option<Value> {
        match method {
            "elicitation/create" => {
                let answer = self.elicit(params);
                Some(serde_json::to_value(answer).expect("plain data has a JSON form"))
            }
            // A truthful answer, though nobody said that there are any.
            "roots/list" => Some(json!({"roots": []})),
            _ => None,
        }
    }

    pub(super) fn elicit(self, params: &Value) -> ElicitResult {
        let content = match self {
            Self::Decline => None,
            Self::AcceptDefaults => defaults(params),
        };
        match content {
            Some(content) => {
                ElicitResult::new(ElicitationAction::Accept).with_content(content.into())
            }
            None => ElicitResult::new(ElicitationAction::Decline),
        }
    }
}

/// The form filled in with its own defaults, where those are enough.
fn defaults(params: &Value) -> Option<Map<String, Value>> {
    let form = Form::deserialize(params).ok()?;
    let Schema { properties, required } = form.requested_schema;
    let content: Map<_, _> = properties
        .into_iter()
        .filter_map(|(name, mut field)| Some((name, field.get_mut("default")?.take())))
        .collect();
    required.iter().all(|name| content.contains_key(name)).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(policy: Elicitation, params: &Value) -> Value {
        policy.answer("elicitation/create", params).unwrap()
    }

    #[test]
    fn nobody_is_there_unless_the_defaults_may_speak() {
        let form = json!({"message": "?", "requestedSchema": {"type": "object", "properties": {
            "name": {"type": "string", "default": "x"}, "age": {"type": "integer", "default": 3},
            "note": {"type": "string"}}, "required": ["name"]}});

        assert_eq!(ask(Elicitation::Decline, &form), json!({"action": "decline"}));
        assert_eq!(
            ask(Elicitation::AcceptDefaults, &form),
            json!({"action": "accept", "content": {"name": "x", "age": 3}})
        );
    }

    #[test]
    fn what_has_no_default_is_not_made_up() {
        let form = json!({"message": "?", "requestedSchema": {"type": "object",
            "properties": {"name": {"type": "string"}}, "required": ["name"]}});
        let visit = json!({"mode": "url", "message": "?", "url": "https://a.example", "elicitationId": "1"});

        for params in [form, visit, json!(3)] {
            assert_eq!(ask(Elicitation::AcceptDefaults, &params), json!({"action": "decline"}));
        }
        assert_eq!(Elicitation::AcceptDefaults.answer("sampling/createMessage", &json!({})), None);
    }
}
