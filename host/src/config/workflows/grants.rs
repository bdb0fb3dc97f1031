//! The rules on what a workflow may call: `grants`, with `allow` and `deny`.

use jsonc_parser::ast::Value;

use super::refuse_unknown;
use crate::{
    call::Json,
    config::{
        document::{Entry, Findings, Spot},
        fault::Fault,
    },
    grants::{Grants, Rule},
};

/// Reads the rules of one workflow; there are none where the file says nothing.
pub(super) fn read<'a>(workflow: &mut Entry<'a>, findings: &mut Findings<'a>) -> Grants {
    let Some(mut entry) = workflow.entry("grants", findings) else { return Grants::none() };
    let allow = rules("allow", &mut entry, findings);
    let deny = rules("deny", &mut entry, findings);
    refuse_unknown(&entry, findings);
    let grants = allow.into_iter().fold(Grants::none(), Grants::allow);
    deny.into_iter().fold(grants, Grants::deny)
}

fn rules<'a>(key: &'static str, entry: &mut Entry<'a>, findings: &mut Findings<'a>) -> Vec<Rule> {
    let elements = entry.elements(key, findings).unwrap_or_default();
    elements.into_iter().filter_map(|(value, spot)| rule(value, spot, findings)).collect()
}

/// A string, or an object with a constraint on the arguments.
fn rule<'a>(value: &'a Value<'a>, spot: Spot, findings: &mut Findings<'a>) -> Option<Rule> {
    let rule = match value {
        Value::Object(_) => {
            let mut entry = findings.entry_of(value, &spot)?;
            let tools = entry.text("tools", findings);
            let arguments = entry.take("arguments");
            refuse_unknown(&entry, findings);
            let Some(tools) = tools else {
                if !entry.has("tools") {
                    findings.problem(&spot, Fault::NoTools);
                }
                return None;
            };
            Rule::new(tools.value).and_then(|rule| match arguments {
                Some((schema, _)) => rule.with_arguments(&json(schema)),
                None => Ok(rule),
            })
        }
        text => Rule::new(findings.text_of(text, spot.clone())?.value),
    };
    rule.map_err(|fault| findings.problem(&spot, Fault::Rule(fault))).ok()
}

/// The JSON text of a value without comments, with all keys, also those that stand twice: whoever reads it refuses them.
fn json(value: &Value<'_>) -> Json {
    let mut text = String::new();
    spell(value, &mut text);
    // Numbers are the only thing that isn't spelled anew; one that isn't JSON is taken for a word and refused there.
    Json::from_text(text).unwrap_or_else(|_| Json::from_string("not JSON"))
}

fn spell(value: &Value<'_>, text: &mut String) {
    match value {
        Value::StringLit(string) => text.push_str(Json::from_string(&string.value).as_str()),
        Value::NumberLit(number) => text.push_str(number.value),
        Value::BooleanLit(flag) => text.push_str(if flag.value { "true" } else { "false" }),
        Value::NullKeyword(_) => text.push_str("null"),
        Value::Array(array) => {
            text.push('[');
            for (index, element) in array.elements.iter().enumerate() {
                separate(index, text);
                spell(element, text);
            }
            text.push(']');
        }
        Value::Object(object) => {
            text.push('{');
            for (index, property) in object.properties.iter().enumerate() {
                separate(index, text);
                text.push_str(Json::from_string(property.name.as_str()).as_str());
                text.push(':');
                spell(&property.value, text);
            }
            text.push('}');
        }
    }
}

fn separate(index: usize, text: &mut String) {
    if index > 0 {
        text.push(',');
    }
}
