//! Any text as a rule and any JSON as a constraint: it is one, or it is refused in words, in time.

use std::time::Duration;

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::*;
use crate::cases::cases;

/// What nobody notices, on a machine that has more to do.
const SOON: Duration = Duration::from_secs(2);

/// Schemas: keywords with values that suit them, and with some that don't.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        select(vec![
            "object",
            "string",
            "number",
            "^(a|b)*$",
            "(a+)+$",
            "(",
            "[a-",
            "\\p{L}{1,1000}",
            "#",
            "#/$defs/a",
            "date",
            "",
            "http://example.com/",
            "(?:a{1,200}){1,200}",
        ])
        .prop_map(Value::from),
    ];
    let keyword = select(vec![
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "prefixItems",
        "pattern",
        "enum",
        "const",
        "minimum",
        "maxLength",
        "anyOf",
        "allOf",
        "oneOf",
        "not",
        "if",
        "then",
        "$ref",
        "$defs",
        "$id",
        "$dynamicRef",
        "$schema",
        "format",
        "patternProperties",
        "propertyNames",
        "dependentSchemas",
        "unevaluatedProperties",
        "a",
        "",
    ]);
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((keyword.clone(), inner), 0..5).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

fn arguments() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        "[ab]{0,30}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(("[ab]{0,2}", inner), 0..4).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn any_text_is_a_rule_or_refused_in_words(
        text in prop_oneof![any::<String>(), "[a*/\\\\=]{0,12}"], name in any::<String>(),
    ) {
        match Rule::new(&text) {
            Ok(rule) => {
                prop_assert_eq!(rule.to_string(), text);
                let denies = Grants::all().deny(rule.clone());
                let allows = Grants::none().allow(rule);
                // What one rule covers is what is allowed by it alone, and what is denied by it.
                prop_assert_ne!(ask(&allows, &name, &name, "{}").1, ask(&denies, &name, &name, "{}").1);
            }
            Err(fault) => prop_assert!(!fault.to_string().is_empty()),
        }
    }

    #[test]
    fn any_json_is_a_constraint_or_refused_in_words(
        schema in schema(), arguments in vec(arguments(), 1..4),
    ) {
        let started = Instant::now();
        let text = Json::from_text(schema.to_string()).unwrap();

        match Rule::new("c/t").unwrap().with_arguments(&text) {
            Ok(rule) => {
                let grants = Grants::none().allow(rule);
                for arguments in arguments {
                    let (ruling, is_allowed) = ask(&grants, "c", "t", &arguments.to_string());
                    prop_assert!(!is_allowed || ruling == allow("c/t"), "{ruling:?}");
                }
            }
            Err(RuleFault::Arguments(why)) => prop_assert!(!why.is_empty()),
            Err(other) => return Err(TestCaseError::fail(format!("{other:?}"))),
        }

        prop_assert!(started.elapsed() < SOON, "{:?} for {schema}", started.elapsed());
    }
}
