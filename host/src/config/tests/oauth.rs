//! The key `oauth`: what is taken, what is refused, and what is never shown.

use super::*;

fn with_oauth(oauth: &str) -> String {
    format!(r#"{{"url": "https://e.com/mcp", "oauth": {oauth}}}"#)
}

#[test]
fn client_credentials_are_read_with_their_variables() {
    let entry = with_oauth(
        r#"{"grant": "client_credentials", "client_id": "me", "client_secret": "${TOKEN}",
            "scopes": ["a", "b"], "issuer": "https://login.e.com"}"#,
    );

    let connection = server(&entry);

    let told = format!("{connection:?}");
    assert!(told.contains("client credentials"), "{told}");
    assert!(told.contains(r#"["a", "b"]"#), "{told}");
    assert!(!told.contains("s3cret"), "{told}");
}

#[test]
fn a_private_key_is_read_from_its_file_and_a_bad_one_disables_its_server_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.pem");
    std::fs::write(&file, "no key").unwrap();
    for (path, expected) in [(file.as_path(), "no private key"), (folder.path(), "can't be read")] {
        let entry = with_oauth(&format!(
            r#"{{"grant": "client_credentials", "client_id": "me", "private_key_file": {path:?}}}"#
        ));

        let problems = unusable(&entry);

        let [problem] = &problems[..] else { panic!("{problems:?}") };
        assert_eq!(problem.place.key.as_deref(), Some("oauth.private_key_file"));
        assert!(problem.to_string().contains(expected), "{problem}");
        assert!(problem.to_string().contains(&path.display().to_string()), "{problem}");
    }
}

#[test]
fn a_grant_that_needs_a_person_disables_its_server_alone_and_says_what_to_do() {
    for oauth in [r#"{"grant": "authorization_code", "client_id": "me"}"#, r#"{"clientId": "me"}"#]
    {
        let problems = unusable(&with_oauth(oauth));

        assert_eq!(problems[0].fault, Fault::NeedsPerson, "{oauth}");
        assert!(problems[0].to_string().contains("client_credentials"), "{}", problems[0]);
    }
}

/// Keys, the place that is told, and what fits.
type Case = (&'static str, &'static str, Box<dyn Fn(&Fault) -> bool>);

#[test]
fn what_is_wrong_is_told_with_its_key() {
    let needs = |key| move |fault: &Fault| matches!(fault, Fault::NeedsKey { key: found, .. } if *found == key);
    let is = |wanted: Fault| move |fault: &Fault| *fault == wanted;
    let cases: [Case; 7] = [
        (r#""client_secret": "x""#, "oauth", Box::new(needs("client_id"))),
        (r#""client_id": "x""#, "oauth", Box::new(needs("client_secret"))),
        (r#""client_id": "", "client_secret": "x""#, "oauth.client_id", Box::new(is(Fault::Empty))),
        (
            r#""client_id": "x", "client_secret": "x", "private_key_file": "x""#,
            "oauth",
            Box::new(is(Fault::TwoProofs)),
        ),
        (
            r#""client_id": "x", "client_secret": "x", "issuer": "http://login.e.com""#,
            "oauth.issuer",
            Box::new(is(Fault::BadIssuer)),
        ),
        (
            r#""client_id": "x", "client_secret": "x", "scopes": [""]"#,
            "oauth.scopes[0]",
            Box::new(is(Fault::Empty)),
        ),
        (
            r#""client_id": "x", "client_secret": 1"#,
            "oauth.client_secret",
            Box::new(is(Fault::WrongType { expected: "a string", found: "a number" })),
        ),
    ];
    for (keys, place, fits) in cases {
        let entry = with_oauth(&format!(r#"{{"grant": "client_credentials", {keys}}}"#));

        let problems = problems(&format!(r#"{{"servers": {{"s": {entry}}}}}"#));

        let (key, fault) = &problems[0];
        assert_eq!(key.as_deref(), Some(place), "{keys}");
        assert!(fits(fault), "{keys}: {fault}");
    }
}

#[test]
fn an_unknown_grant_and_a_second_credential_refuse_the_file() {
    let unknown = with_oauth(r#"{"grant": "password", "client_id": "x"}"#);
    let second = r#"{"url": "https://e.com", "bearer_token_env_var": "TOKEN",
        "oauth": {"grant": "client_credentials", "client_id": "x", "client_secret": "x"}}"#;
    for (entry, expected) in [
        (unknown.as_str(), r#""password" isn't known here"#),
        (second, "is given by \"bearer_token_env_var\" too"),
    ] {
        let problems = problems(&format!(r#"{{"servers": {{"s": {entry}}}}}"#));

        assert!(problems[0].1.to_string().contains(expected), "{}", problems[0].1);
    }
}

#[test]
fn tokens_in_the_clear_are_refused_and_a_secret_without_issuer_is_remarked() {
    let oauth =
        r#"{"grant": "client_credentials", "client_id": "x", "client_secret": "x", "y": 1}"#;
    let clear = format!(r#"{{"servers": {{"s": {{"url": "http://e.com", "oauth": {oauth}}}}}}}"#);
    let local =
        format!(r#"{{"servers": {{"s": {{"url": "http://localhost:1", "oauth": {oauth}}}}}}}"#);

    assert_eq!(problems(&clear), [(Some("url".into()), Fault::CleartextTokens)]);
    let warnings = parse(&local).unwrap().warnings;
    let remarks: Vec<_> =
        warnings.iter().map(|it| (it.place.key.as_deref().unwrap(), &it.remark)).collect();
    assert_eq!(
        remarks,
        [("oauth.client_secret", &Remark::NoIssuer), ("oauth.y", &Remark::UnknownKey)]
    );
}
