//! Which tests are claimed: those of the language and its built-ins as ECMAScript 2023 has them, in the strict code that
//! scripts are. The others are run too, but nothing has to come of them.

use super::{features, frontmatter::Frontmatter};

/// Folders of the suite that are not claimed.
const FOLDERS: &[(&str, &str)] = &[
    ("intl402/", "Intl"),
    ("annexB/", "Annex B, which is for browsers"),
    ("staging/", "staging, which others have not reviewed yet"),
];

/// Flags of tests that are not claimed.
const FLAGS: &[(&str, &str)] = &[
    ("noStrict", "code that isn't strict"),
    ("CanBlockIsFalse", "shared memory"),
    ("CanBlockIsTrue", "shared memory"),
];

/// Features that are no younger than ECMAScript 2023 and that scripts have not.
const FEATURES: &[(&str, &str)] = &[
    ("Atomics", "shared memory"),
    ("SharedArrayBuffer", "shared memory"),
    ("cross-realm", "hooks of the host: other realms, agents, scripts"),
    ("dynamic-import", "several modules"),
    ("tail-call-optimization", "proper tail calls"),
];

/// Properties of `$262` that `host.js` has.
const HOOKS: &[&str] = &["detachArrayBuffer", "global"];

/// Nothing for a test that is claimed, otherwise why it isn't. `path` is below the folder `test`.
pub(super) fn unclaimed(path: &str, wants: &Frontmatter, source: &str) -> Option<&'static str> {
    let folder = FOLDERS.iter().find(|(folder, _)| path.starts_with(folder));
    let flag = || FLAGS.iter().find(|(flag, _)| wants.has_flag(flag));
    let feature =
        || FEATURES.iter().find(|(feature, _)| wants.features.iter().any(|it| it == feature));
    if let Some((_, why)) = folder.or_else(flag).or_else(feature) {
        return Some(why);
    }
    if !wants.features.iter().all(|feature| features::is_claimed(feature)) {
        return Some("what came after ECMAScript 2023");
    }
    if !asked_of_host(source).all(|hook| HOOKS.contains(&hook)) {
        return Some("hooks of the host: other realms, agents, scripts");
    }
    if wants.has_flag("module") && imports(source) {
        return Some("several modules");
    }
    None
}

/// The properties of `$262` that a test names.
fn asked_of_host(source: &str) -> impl Iterator<Item = &str> {
    source.split("$262.").skip(1).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Whether a module names another one: `import "x"`, or a `from "x"`. All that the suite imports begins with `./`.
fn imports(source: &str) -> bool {
    let named = |quote: char| {
        source.match_indices(&format!("{quote}./")).any(|(at, _)| {
            let before = source[..at].trim_end();
            before.ends_with("from") || before.ends_with("import")
        })
    };
    named('"') || named('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(path: &str, yaml: &str, code: &str) -> Option<&'static str> {
        let source = format!("/*---\n{yaml}\n---*/\n{code}");
        unclaimed(path, &Frontmatter::of(&source).unwrap(), &source)
    }

    #[test]
    fn tests_of_the_language_are_claimed() {
        assert_eq!(why("language/x.js", "flags: [onlyStrict]", "var x;"), None);
        assert_eq!(
            why("language/x.js", "features: [class, let]", "$262.detachArrayBuffer(b)"),
            None
        );
        assert_eq!(why("language/x.js", "flags: [module]", "export { x as './y' };"), None);
    }

    #[test]
    fn what_scripts_have_not_is_not_claimed() {
        let cases = [
            ("intl402/x.js", "flags: []", ""),
            ("language/x.js", "flags: [noStrict]", ""),
            ("language/x.js", "features: [class, Temporal]", ""),
            ("language/x.js", "features: [SharedArrayBuffer]", ""),
            ("language/x.js", "features: [of-tomorrow]", ""),
            ("language/x.js", "flags: []", "$262.global; $262.createRealm()"),
            ("language/x.js", "flags: [module]", "import x, { y }\n from './y.js';"),
            ("language/x.js", "flags: [module]", "import \"./y.js\";"),
            ("language/x.js", "flags: [module]", "export * from\n'./y.js';"),
        ];

        for (path, yaml, code) in cases {
            assert!(why(path, yaml, code).is_some(), "{path} {yaml} {code}");
        }
    }
}
