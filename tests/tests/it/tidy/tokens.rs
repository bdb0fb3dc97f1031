//! Rules on names and calls in Rust code: what may stand only in certain rooms, or nowhere.
//!
//! They read tokens, so comments and strings may say anything. clippy.toml bans some of the same things by their resolved
//! path; a rule here holds on every platform and for code that is configured out.

use std::iter::Peekable;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree, token_stream};

use super::{Source, assert_none, sources};

/// One rule: none of the patterns stands in any file of `scope`, except in `rooms`.
struct Rule {
    why: &'static str,
    /// Rust fragments, compared token by token. A closing bracket at the end is not compared.
    patterns: &'static [&'static str],
    scope: &'static [&'static str],
    rooms: &'static [&'static str],
    tests: Tests,
}

/// Whether a rule holds for what is behind `#[cfg(test)]` too.
#[derive(Clone, Copy, PartialEq)]
enum Tests {
    Bound,
    Free,
}

const HOST: &[&str] = &["host/src"];
const ALL: &[&str] = &["host", "guest", "tests", "xtask"];

const RULES: &[Rule] = &[
    Rule {
        why: "rmcp is known to the session, to auth and to the server front alone",
        patterns: &["rmcp"],
        scope: HOST,
        rooms: &["host/src/session", "host/src/auth", "host/src/server"],
        tests: Tests::Free,
    },
    Rule {
        why: "wasmtime is known to the component, the run and the engine alone",
        patterns: &["wasmtime"],
        scope: HOST,
        rooms: &["host/src/component", "host/src/run", "host/src/engine"],
        tests: Tests::Free,
    },
    Rule {
        why: "jsonschema is known to the grants and to the room of that name alone",
        patterns: &["jsonschema"],
        scope: HOST,
        rooms: &["host/src/grants", "host/src/schema"],
        tests: Tests::Free,
    },
    Rule {
        why: "host/src/task.rs is the one spawner",
        patterns: &[
            "tokio::spawn",
            "tokio::task::spawn",
            "tokio::task::spawn_local",
            "spawn_local(",
        ],
        scope: HOST,
        rooms: &["host/src/task"],
        tests: Tests::Free,
    },
    Rule {
        why: "host/src/shutdown.rs is the one signal listener",
        patterns: &["tokio::signal"],
        scope: HOST,
        rooms: &["host/src/shutdown"],
        tests: Tests::Free,
    },
    Rule {
        why: "host/src/cli/output.rs is the one place that prints",
        patterns: &["println!", "eprintln!", "print!", "eprint!", "dbg!"],
        scope: HOST,
        rooms: &["host/src/cli/output"],
        tests: Tests::Free,
    },
    Rule {
        why: "the standard streams belong to the output, to the log and to the server front",
        patterns: &["io::stdout", "io::stderr", "io::Stdout", "io::Stderr"],
        scope: HOST,
        rooms: &["host/src/cli/output", "host/src/telemetry", "host/src/server"],
        tests: Tests::Free,
    },
    Rule {
        why: "the session starts the children, so that it can end them; the check of a script starts the user's compiler",
        patterns: &["Command::new"],
        scope: HOST,
        rooms: &["host/src/session", "host/src/script/check"],
        tests: Tests::Free,
    },
    Rule {
        why: "exiting runs no destructor, so children survive: return an ExitCode from main",
        patterns: &["process::exit", "process::abort"],
        scope: HOST,
        rooms: &[],
        tests: Tests::Bound,
    },
    Rule {
        why: "every queue has a bound",
        patterns: &["unbounded_channel", "mpsc::unbounded", "UnboundedSender"],
        scope: ALL,
        rooms: &[],
        tests: Tests::Bound,
    },
    Rule {
        why: "what is there works, and every test runs",
        patterns: &["todo!", "unimplemented!", "#[ignore]"],
        scope: ALL,
        rooms: &[],
        tests: Tests::Bound,
    },
];

impl Rule {
    fn faults(&self, source: &Source) -> Vec<String> {
        let is_bound = self.scope.iter().any(|room| source.is_in(room))
            && !self.rooms.iter().any(|room| source.is_in(room));
        if !is_bound || !source.is_rust() {
            return Vec::new();
        }
        let tokens = Token::read(&source.text, self.tests);
        let patterns = self.patterns.iter().map(|pattern| (pattern, words(pattern)));
        patterns
            .flat_map(|(pattern, words)| {
                let places = tokens.windows(words.len()).filter(move |window| {
                    window.iter().zip(&words).all(|(token, word)| token.text == *word)
                });
                places.map(move |place| {
                    format!("{}:{}: {pattern}: {}", source.path, place[0].line, self.why)
                })
            })
            .collect()
    }
}

/// One word or sign of Rust code.
struct Token {
    text: String,
    line: usize,
}

impl Token {
    fn read(text: &str, tests: Tests) -> Vec<Self> {
        let stream: TokenStream = text.parse().unwrap();
        let mut tokens = Vec::new();
        Self::flatten(stream, tests, &mut tokens);
        tokens
    }

    fn flatten(stream: TokenStream, tests: Tests, tokens: &mut Vec<Self>) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let line = tree.span().start().line;
            match tree {
                TokenTree::Punct(sign)
                    if sign.as_char() == ':' && sign.spacing() == Spacing::Joint =>
                {
                    trees.next();
                    tokens.push(Self { text: "::".to_owned(), line });
                }
                TokenTree::Punct(sign)
                    if tests == Tests::Free && sign.as_char() == '#' && is_cfg_test(&mut trees) =>
                {
                    skip_item(&mut trees);
                }
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    tokens.push(Self { text: open.to_owned(), line });
                    Self::flatten(group.stream(), tests, tokens);
                    tokens.push(Self {
                        text: close.to_owned(),
                        line: group.span_close().start().line,
                    });
                }
                // A string is one token, and no pattern has one.
                tree => tokens.push(Self { text: tree.to_string(), line }),
            }
        }
    }
}

fn is_cfg_test(trees: &mut Peekable<token_stream::IntoIter>) -> bool {
    trees.peek().is_some_and(|tree| tree.to_string().replace(' ', "") == "[cfg(test)]")
}

/// An item ends with its braces or with a semicolon.
fn skip_item(trees: &mut Peekable<token_stream::IntoIter>) {
    for tree in trees {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
            TokenTree::Punct(sign) if sign.as_char() == ';' => return,
            _ => {}
        }
    }
}

fn words(pattern: &str) -> Vec<String> {
    let whole = if pattern.ends_with('(') { format!("{pattern})") } else { pattern.to_owned() };
    let tokens = Token::read(&whole, Tests::Bound);
    let mut words: Vec<String> = tokens.into_iter().map(|token| token.text).collect();
    words.pop_if(|word| word == "]" || word == ")");
    words
}

#[test]
fn every_name_keeps_to_its_rooms() {
    let sources = sources();

    assert_none(
        RULES.iter().flat_map(|rule| sources.iter().flat_map(|source| rule.faults(source))),
    );
}

#[test]
fn every_pattern_of_every_rule_is_noticed() {
    for rule in RULES {
        for pattern in rule.patterns {
            let code = match *pattern {
                "#[ignore]" => "#[ignore = \"slow\"] fn f() {}".to_owned(),
                pattern if pattern.ends_with('(') => format!("//! X.\nfn f() {{ {pattern}x); }}\n"),
                pattern if pattern.ends_with('!') => format!("//! X.\nfn f() {{ {pattern}(); }}\n"),
                pattern => format!("//! X.\nfn f() {{ let _ = {pattern}; }}\n"),
            };
            let path = format!("{}/example.rs", rule.scope[0]);

            let faults = rule.faults(&Source::new(&path, &code));

            assert!(!faults.is_empty(), "{pattern} is not noticed in {code}");
        }
    }
}

#[test]
fn comments_and_strings_may_say_anything() {
    let code = "//! No rmcp.\n/// Not `todo!()`.\nfn f() -> &'static str { \"println!\" }\n";

    for rule in RULES {
        assert_none(rule.faults(&Source::new("host/src/example.rs", code)));
    }
}

#[test]
fn a_room_may_do_what_is_its_own() {
    for rule in RULES {
        for room in rule.rooms {
            let code = format!(
                "//! X.\nfn f() {{ let _ = {}; }}\n",
                rule.patterns[0].trim_end_matches('!')
            );

            assert_none(rule.faults(&Source::new(&format!("{room}.rs"), &code)));
            assert_none(rule.faults(&Source::new(&format!("{room}/inner.rs"), &code)));
        }
    }
}

#[test]
fn a_rule_that_leaves_tests_free_still_binds_what_follows_them() {
    let code = "//! X.\n#[cfg(test)]\nmod tests { use rmcp::A; }\nuse rmcp::B;\n";

    let faults = RULES[0].faults(&Source::new("host/src/pool.rs", code));

    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].starts_with("host/src/pool.rs:4:"), "{faults:?}");
}
