//! A middleware that presents tools under other names, or a connection under another name.
//!
//! A workflow written for one server runs with another that has the same tools under other names. The arguments pass as they
//! are.

use callgate_guest::{
    Call, CallError, CallResult, Middleware, Next, RefusalReason, ToolName, ToolPattern,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    names: Vec<Name>,
    #[serde(default)]
    exclusive: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    from: ToolPattern,
    /// A tool of `*` keeps its name.
    to: ToolName,
}

struct Rename(Settings);

impl Middleware for Rename {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        let is_pattern = |to: &ToolName| {
            to.connection.contains('*') || (to.tool.contains('*') && to.tool != "*")
        };
        match settings.names.iter().find(|name| is_pattern(&name.to)) {
            Some(name) => Err(format!("{} is not one tool", name.to)),
            None => Ok(Self(settings)),
        }
    }

    async fn call(&self, mut call: Call, next: &Next) -> CallResult {
        match self.0.names.iter().find(|name| name.from.matches(&call)) {
            Some(Name { to, .. }) => {
                call.connection.clone_from(&to.connection);
                if to.tool != "*" {
                    call.tool.clone_from(&to.tool);
                }
            }
            None if self.0.exclusive => {
                let detail =
                    format!("rename: there is no `{}` of `{}`", call.tool, call.connection);
                return Err(CallError::refused(RefusalReason::Denied, detail));
            }
            None => {}
        }
        next.call_tool(call).await
    }
}

callgate_guest::middleware!(impl Rename, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt, serde_json};

    use super::*;

    fn renamed(settings: &str, name: &str) -> Option<String> {
        let layer = Rename::new(serde_json::from_str(settings).unwrap()).unwrap();
        let script = Script::default();
        script.then(r#"{"output": 1}"#);
        let ToolName { connection, tool } = name.parse().unwrap();
        let call = Call { connection, tool, arguments: "{ }".to_owned() };
        let answer = layer.call(call, &script.next()).now_or_never().unwrap();
        let call = script.calls().pop();
        assert_eq!(answer.is_ok(), call.is_some());
        call.map(|call| format!("{}/{}{}", call.connection, call.tool, call.arguments))
    }

    const NAMES: &str = r#"{"names": [{"from": "docs/search", "to": "github/search_code"},
        {"from": "docs/*", "to": "files/*"}, {"from": "files/*", "to": "nowhere/*"}]}"#;

    #[test]
    fn the_first_name_that_fits_is_taken_and_taken_once() {
        assert_eq!(renamed(NAMES, "docs/search").unwrap(), "github/search_code{ }");
        assert_eq!(renamed(NAMES, "docs/read").unwrap(), "files/read{ }");
        assert_eq!(renamed(NAMES, "mail/send").unwrap(), "mail/send{ }");
    }

    #[test]
    fn an_exclusive_table_hides_everything_else() {
        let settings = NAMES.replacen('{', r#"{"exclusive": true, "#, 1);

        assert_eq!(renamed(&settings, "docs/read").unwrap(), "files/read{ }");
        assert_eq!(renamed(&settings, "mail/send"), None);
    }

    #[test]
    fn a_pattern_is_no_name() {
        for to in ["*/x", "a/x*"] {
            let settings = format!(r#"{{"names": [{{"from": "a/b", "to": "{to}"}}]}}"#);

            assert!(Rename::new(serde_json::from_str(&settings).unwrap()).is_err(), "{to}");
        }
    }
}
