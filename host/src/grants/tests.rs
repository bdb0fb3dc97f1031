//! What rules come to together: examples, and properties that hold for any rules.

mod any_rule;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::cases::cases;

fn rule(tools: &str) -> Rule {
    Rule::new(tools).unwrap()
}

fn rule_if(tools: &str, schema: &Value) -> Rule {
    rule(tools).with_arguments(&Json::from_text(schema.to_string()).unwrap()).unwrap()
}

fn ask(grants: &Grants, connection: &str, tool: &str, arguments: &str) -> (Ruling, bool) {
    let verdicts = Verdicts::new(Arc::new(grants.clone()));
    let first = verdicts.on(connection, tool, arguments);
    // What is remembered is no other than what was found out.
    assert_eq!(verdicts.on(connection, tool, arguments), first);
    (first.0, first.1.is_ok())
}

/// Why a call of `files/write` is refused.
fn no(grants: &Grants, arguments: &str) -> String {
    let verdict = Verdicts::new(Arc::new(grants.clone())).on("files", "write", arguments);
    verdict.1.expect_err("it was allowed").0
}

fn allow(rule: &str) -> Ruling {
    Ruling::Allow(rule.into())
}

fn deny(rule: &str) -> Ruling {
    Ruling::Deny(rule.into())
}

#[test]
fn nothing_is_allowed_unless_a_rule_says_so_and_denying_wins() {
    let none = Grants::none();
    let some =
        Grants::none().allow(rule("files/*")).allow(rule("files/read")).deny(rule("*/delete_*"));
    let all = Grants::all().allow(rule("files/read")).deny(rule("*/delete_*"));

    for (grants, connection, tool, ruling, is_allowed) in [
        (&none, "files", "read", Ruling::None, false),
        (&some, "files", "read", allow("files/*"), true),
        (&some, "Files", "read", Ruling::None, false),
        (&some, "files", "delete_all", deny("*/delete_*"), false),
        (&all, "git", "log", Ruling::All, true),
        (&all, "files", "read", allow("files/read"), true),
        (&all, "files", "delete_all", deny("*/delete_*"), false),
    ] {
        let said = ask(grants, connection, tool, "{}");
        assert_eq!(said, (ruling, is_allowed), "{connection} {tool}");
    }
}

#[test]
fn a_constraint_lets_through_what_fits_and_names_what_does_not() {
    let below = |folder: &str| json!({"required": ["path"], "properties": {"path": {"pattern": format!("^{folder}/[a-z]+$")}}});
    let grants = Grants::none()
        .allow(rule_if("files/write", &below("out")))
        .allow(rule_if("files/w*", &below("secret")))
        .deny(rule("files/weird"));

    let fits = ask(&grants, "files", "write", r#"{"path": "out/x"}"#);
    let fits_second = ask(&grants, "files", "write", r#"{"path": "secret/x"}"#);
    let fits_none = ask(&grants, "files", "write", r#"{"path": "/etc/passwd"}"#);

    assert_eq!(fits, (allow("files/write"), true));
    assert_eq!(fits_second, (allow("files/w*"), true));
    assert_eq!(fits_none, (allow("files/write"), false));
    let why = no(&grants, r#"{"path": "/etc/passwd"}"#);
    let expected =
        r#"rule "allow files/write" does not allow these arguments: "/path" fails "pattern""#;
    assert_eq!(why, expected);
    assert_eq!(
        ask(&grants, "files", "weird", r#"{"path": "out/x"}"#),
        (deny("files/weird"), false)
    );
}

#[test]
fn a_rule_that_denies_some_arguments_leaves_the_others_alone() {
    let grants = Grants::all().deny(rule_if("files/write", &json!({"required": ["force"]})));

    assert_eq!(ask(&grants, "files", "write", "{}"), (Ruling::All, true));
    assert_eq!(ask(&grants, "files", "write", r#"{"force": 1}"#), (deny("files/write"), false));
    assert_eq!(
        no(&grants, r#"{"force": 1}"#),
        r#"rule "deny files/write" forbids this call: it denies such arguments"#
    );
    assert_eq!(ask(&grants, "files", "read", r#"{"force": 1}"#), (Ruling::All, true));
}

#[test]
fn arguments_of_which_readers_may_see_different_things_are_refused_where_a_constraint_applies() {
    let schema = json!({"properties": {"path": {"pattern": "^out/"}, "n": {"maximum": 10}}});
    let constrained = Grants::none().allow(rule_if("files/write", &schema));
    let denying = Grants::all().deny(rule_if("files/write", &schema));
    let free = Grants::none().allow(rule("files/write"));
    for (arguments, word) in [
        (r#"{"path": "out/x", "path": "/etc/passwd"}"#, "twice"),
        (r#"{"path": "/etc/passwd", "path": "out/x"}"#, "twice"),
        (r#"{"path": "out/x", "PATH": "/etc/passwd"}"#, "upper and lower"),
        (r#"{"a": [{"k": 1, "k": 2}]}"#, "twice"),
        (r#"{"n": 9.9999999999999999999}"#, "number"),
        (r#"{"n": 1e999}"#, "number"),
        (r#"{"path": "\ud800"}"#, "reader"),
        (&format!(r#"{{"a": {}1{}}}"#, "[".repeat(70), "]".repeat(70)), "max_argument_nesting"),
        (&format!(r#"{{"a": [{}1]}}"#, "1,".repeat(60_000)), "max_argument_values"),
        (&format!(r#"{{"a": "{}"}}"#, "x".repeat(2 << 20)), "max_argument_bytes"),
    ] {
        let start = &arguments[..arguments.len().min(40)];

        assert!(
            no(&constrained, arguments).contains(word),
            "{start}: {}",
            no(&constrained, arguments)
        );
        assert!(!ask(&denying, "files", "write", arguments).1, "{start}");
        // The server's own affair, as long as nobody looks at the arguments.
        assert_eq!(
            ask(&free, "files", "write", arguments),
            (allow("files/write"), true),
            "{start}"
        );
    }
}

#[test]
fn a_refusal_does_not_repeat_a_long_text_of_the_workflow() {
    let long = "x".repeat(100_000);
    let grants =
        Grants::none().allow(rule_if("files/write", &json!({"additionalProperties": false})));
    let arguments = format!(r#"{{"{long}": 1}}"#);

    assert!(no(&grants, &arguments).len() < 400);
    let verdict = Verdicts::new(Arc::new(grants)).on(&long, &long, "{}");
    assert!(verdict.1.unwrap_err().0.len() < 400);
}

#[test]
fn rules_are_compared_as_they_were_written() {
    let schema = json!({"required": ["a"]});

    assert_eq!(rule_if("a/b", &schema), rule_if("a/b", &schema));
    assert_ne!(rule_if("a/b", &schema), rule("a/b"));
    assert_ne!(rule_if("a/b", &schema), rule_if("a/b", &json!({"required": ["b"]})));
    assert_eq!(spell("a/b", r"*\="), r"a\/b/\*\\\=");
}

/// Few letters, so that rules and names often meet.
fn name() -> impl Strategy<Value = String> {
    "[ab/*\\\\é]{0,4}"
}

fn pattern() -> impl Strategy<Value = String> {
    let part = "(a|b|é|\\*|\\\\/|\\\\\\*|\\\\\\\\){1,4}";
    (part, part).prop_map(|(connection, tool)| format!("{connection}/{tool}"))
}

fn any_rule() -> impl Strategy<Value = Rule> {
    let schemas =
        [json!({"required": ["x"]}), json!({"maxProperties": 0}), json!(true), json!(false)];
    (pattern(), proptest::option::of(proptest::sample::select(schemas.to_vec()))).prop_map(
        |(pattern, schema)| match schema {
            Some(schema) => rule_if(&pattern, &schema),
            None => rule(&pattern),
        },
    )
}

fn any_rules() -> impl Strategy<Value = Vec<Rule>> {
    proptest::collection::vec(any_rule(), 0..6)
}

fn any_arguments() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec!["{}", r#"{"x": 1}"#, r#"{"y": 1}"#, r#"{"x": 1, "x": 2}"#])
}

/// Whether a glob covers a name, in the slow and obvious way.
fn covers_slowly(pattern: &[char], name: &[char]) -> bool {
    match pattern {
        [] => name.is_empty(),
        ['*', rest @ ..] => (0..=name.len()).any(|skipped| covers_slowly(rest, &name[skipped..])),
        ['\\', literal, rest @ ..] | [literal, rest @ ..] => {
            name.first() == Some(literal) && covers_slowly(rest, &name[1..])
        }
    }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn a_rule_that_denies_always_wins(
        allow in any_rules(), deny in any_rules(), arguments in any_arguments(),
        connection in name(), tool in name(),
    ) {
        let denies = deny.iter().any(|rule| {
            rule.arguments.is_none() && rule.pattern.covers(&connection, &tool)
        });
        let grants = allow.into_iter().fold(Grants::all(), Grants::allow);
        let grants = deny.into_iter().fold(grants, Grants::deny);
        let (ruling, is_allowed) = ask(&grants, &connection, &tool, arguments);

        prop_assert!(!(denies && is_allowed), "{:?}", ruling);
        if denies {
            prop_assert!(matches!(ruling, Ruling::Deny(_)), "{:?}", ruling);
        }
    }

    #[test]
    fn a_tool_that_no_rule_covers_is_always_refused(
        allow in any_rules(), deny in any_rules(), arguments in any_arguments(),
        connection in name(), tool in name(),
    ) {
        let is_covered = allow.iter().any(|rule| rule.pattern.covers(&connection, &tool));
        let grants = allow.into_iter().fold(Grants::none(), Grants::allow);
        let grants = deny.into_iter().fold(grants, Grants::deny);
        let (_, is_allowed) = ask(&grants, &connection, &tool, arguments);

        prop_assert!(is_covered || !is_allowed);
    }

    #[test]
    fn another_rule_that_denies_never_allows_more(
        allow in any_rules(), deny in any_rules(), more in any_rule(),
        arguments in any_arguments(), connection in name(), tool in name(),
    ) {
        let grants = allow.into_iter().fold(Grants::none(), Grants::allow);
        let grants = deny.into_iter().fold(grants, Grants::deny);
        let before = ask(&grants, &connection, &tool, arguments).1;
        let after = ask(&grants.deny(more), &connection, &tool, arguments).1;

        prop_assert!(before || !after);
    }

    #[test]
    fn a_pattern_covers_what_the_obvious_way_covers(
        pattern in pattern(), connection in name(), tool in name(),
    ) {
        let whole: Vec<char> = pattern.chars().collect();
        let mut slash = 0;
        while whole[slash] != '/' {
            slash += if whole[slash] == '\\' { 2 } else { 1 };
        }
        let characters = |name: &str| name.chars().collect::<Vec<_>>();
        let expected = covers_slowly(&whole[..slash], &characters(&connection))
            && covers_slowly(&whole[slash + 1..], &characters(&tool));

        prop_assert_eq!(Pattern::parse(&pattern).unwrap().covers(&connection, &tool), expected);
    }

    #[test]
    fn a_spelled_name_covers_itself_alone(
        connection in "[ab/*=\\\\é]{1,4}", tool in "[ab/*=\\\\é]{1,4}", other in "[ab/*=\\\\é]{1,4}",
    ) {
        let pattern = Pattern::parse(&spell(&connection, &tool)).unwrap();

        prop_assert!(pattern.covers(&connection, &tool));
        prop_assert_eq!(pattern.covers(&connection, &other), other == tool);
    }

    #[test]
    fn reading_agrees_with_serde_on_what_it_takes(text in "[\\[\\]{}\",:a\\\\u0-9.eE+ -]{0,24}") {
        if reading::read(&text, &GrantLimits::default()).is_ok() {
            prop_assert!(serde_json::from_str::<Value>(&text).is_ok());
        }
    }
}
