//! The form of a call, for any text that a guest may give as arguments.

use std::time::Duration;

use proptest::{collection::vec, prelude::*, sample::select};

use super::*;
use crate::cases::cases;

/// What the gate makes of arguments: the call's own, or the kind of "no".
fn check(arguments: &str) -> Result<String, RefusalReason> {
    let gate = Gate::new(
        SessionPool::new([]),
        RunLimits::default(),
        Arc::new(Grants::all()),
        None,
        watch::Sender::default(),
        Teller::default(),
    );
    let (_ruling, checked) = gate.check("c", "t", arguments.to_owned());
    checked.map(|call| call.arguments.into_text()).map_err(|refusal| refusal.reason)
}

/// Whether a text is one JSON object (RFC 8259), read in the plainest way: by the grammar, letter by letter. It recurses, so it
/// is for texts that aren't deep.
fn is_object(text: &str) -> bool {
    let mut rest = text.as_bytes();
    space(&mut rest);
    let starts = rest.first() == Some(&b'{');
    let is_value = value(&mut rest);
    space(&mut rest);
    starts && is_value && rest.is_empty()
}

fn space(rest: &mut &[u8]) {
    while let [b' ' | b'\t' | b'\n' | b'\r', tail @ ..] = *rest {
        *rest = tail;
    }
}

fn takes(rest: &mut &[u8], word: &[u8]) -> bool {
    let Some(tail) = rest.strip_prefix(word) else { return false };
    *rest = tail;
    true
}

fn value(rest: &mut &[u8]) -> bool {
    match rest.first() {
        Some(b'{') => list(rest, b'}', |rest| {
            let is_key = string(rest);
            space(rest);
            let has_colon = takes(rest, b":");
            space(rest);
            is_key && has_colon && value(rest)
        }),
        Some(b'[') => list(rest, b']', value),
        Some(b'"') => string(rest),
        Some(b't') => takes(rest, b"true"),
        Some(b'f') => takes(rest, b"false"),
        Some(b'n') => takes(rest, b"null"),
        _ => number(rest),
    }
}

fn list(rest: &mut &[u8], end: u8, element: impl Fn(&mut &[u8]) -> bool) -> bool {
    *rest = &rest[1..];
    space(rest);
    if takes(rest, &[end]) {
        return true;
    }
    loop {
        space(rest);
        if !element(rest) {
            return false;
        }
        space(rest);
        if takes(rest, &[end]) {
            return true;
        }
        if !takes(rest, b",") {
            return false;
        }
    }
}

fn string(rest: &mut &[u8]) -> bool {
    if !takes(rest, b"\"") {
        return false;
    }
    loop {
        match *rest {
            [b'"', tail @ ..] => {
                *rest = tail;
                return true;
            }
            [b'\\', b'u', a, b, c, d, tail @ ..]
                if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) =>
            {
                *rest = tail;
            }
            [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', tail @ ..] => {
                *rest = tail
            }
            [b'\\' | 0..=0x1f, ..] | [] => return false,
            [_, tail @ ..] => *rest = tail,
        }
    }
}

fn digits(rest: &mut &[u8]) -> bool {
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    *rest = &rest[count..];
    count > 0
}

fn number(rest: &mut &[u8]) -> bool {
    takes(rest, b"-");
    if !takes(rest, b"0") && !digits(rest) {
        return false;
    }
    if takes(rest, b".") && !digits(rest) {
        return false;
    }
    if takes(rest, b"e") || takes(rest, b"E") {
        let _a_sign_may_be_missing = takes(rest, b"+") || takes(rest, b"-");
        return digits(rest);
    }
    true
}

/// JSON values, spelled in ways that few writers would.
fn spelled() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "-?(0|[1-9][0-9]{0,60})(\\.[0-9]{1,40})?([eE][+-]?[0-9]{1,9})?",
        select(vec!["null", "true", "false", r#""\ud800""#, r#""\u0000\/""#, "\"\u{2028}\""])
            .prop_map(str::to_owned),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        let member = ("[a-c]{0,2}", "[ \t\n\r]{0,2}", inner.clone())
            .prop_map(|(key, space, value)| format!("\"{key}\"{space}:{space}{value}"));
        prop_oneof![
            vec(inner, 0..5).prop_map(|values| format!("[ {} ]", values.join(" ,"))),
            vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(",\t"))),
        ]
    })
}

/// Pieces of JSON in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"", "\"\\u12", "0", "1", "-", ".5", "e9",
        "null", "tru", " ", "\n", "\0", "{}", "é", "\u{feff}",
    ]);
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn an_object_goes_through_as_it_was_written(value in spelled(), space in "[ \t\n\r]{0,3}") {
        let object = format!("{space}{{\"a\": {value}}}{space}");

        let sent = check(&object).unwrap();
        prop_assert_eq!(sent, object.trim_matches([' ', '\t', '\n', '\r']));
    }

    #[test]
    fn a_value_that_is_no_object_is_refused(value in spelled()) {
        let is_object = value.starts_with('{');

        prop_assert_eq!(check(&value).is_ok(), is_object);
    }

    #[test]
    fn a_text_goes_through_if_the_grammar_says_that_it_is_an_object(
        text in prop_oneof![any::<String>(), pieces(), pieces().prop_map(|text| format!("{{{text}}}"))],
    ) {
        match check(&text) {
            Ok(sent) => {
                prop_assert!(is_object(&text), "{text:?}");
                prop_assert!(text.contains(&sent));
            }
            Err(reason) => {
                prop_assert_eq!(reason, RefusalReason::InvalidArguments);
                prop_assert!(!is_object(&text), "{text:?}");
            }
        }
    }

    #[test]
    fn an_object_with_one_letter_gone_goes_through_only_if_it_still_is_one(
        value in spelled(), at in any::<prop::sample::Index>(),
    ) {
        let mut letters: Vec<char> = format!("{{\"a\": {value}}}").chars().collect();
        letters.remove(at.index(letters.len()));
        let text: String = letters.into_iter().collect();

        prop_assert_eq!(check(&text).is_ok(), is_object(&text), "{:?}", text);
    }
}

#[test]
fn depth_and_size_are_read_without_a_stack_and_in_time() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let digits = format!("{{\"a\":{}}}", "7".repeat(4_000_000));
    let started = Instant::now();

    for text in [&deep, &digits] {
        assert!(check(text).unwrap() == *text);
    }
    assert_eq!(check(&deep[..deep.len() - 1]).unwrap_err(), RefusalReason::InvalidArguments);

    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
