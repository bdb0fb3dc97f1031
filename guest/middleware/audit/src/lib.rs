//! A middleware that reports each call as a call of a named tool, before it, after it, or both.
//!
//! A report that must arrive is made before the call, which is refused without it. A report after a call can't undo it, so
//! its own end changes nothing.

use std::cell::Cell;

use callgate_guest::{
    Call, CallError, CallResult, Json, Middleware, Next, Outcome, RefusalReason, ToolName,
    serde_json,
};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    to: ToolName,
    #[serde(default)]
    when: When,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    include: Vec<Part>,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum When {
    Before,
    #[default]
    After,
    Both,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Part {
    Arguments,
    Output,
}

struct Audit {
    settings: Settings,
    /// Calls that came so far.
    count: Cell<u64>,
}

/// The arguments of a report.
#[derive(Serialize)]
struct Report<'c> {
    /// Of the call within the run, from 1.
    number: u64,
    event: &'static str,
    connection: &'c str,
    tool: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Json>,
}

impl Middleware for Audit {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        if settings.required && settings.when == When::After {
            return Err("`required` needs `when` to be `before` or `both`".to_owned());
        }
        Ok(Self { settings, count: Cell::new(0) })
    }

    async fn call(&self, call: Call, next: &Next) -> CallResult {
        let number = self.count.get() + 1;
        self.count.set(number);
        let named = call.clone();
        if self.settings.when != When::After {
            let report = self.report(number, "call", &named);
            self.send_before(&report, next).await?;
        }
        let answer = next.call_tool(call).await;
        if self.settings.when != When::Before {
            let report = self.report_after(number, &named, &answer);
            // The call has happened, whatever becomes of the report.
            let _told_or_not = self.send(&report, next).await;
        }
        answer
    }
}

impl Audit {
    fn report<'c>(&self, number: u64, event: &'static str, call: &'c Call) -> Report<'c> {
        // Arguments that aren't JSON are refused behind this layer; a report of them goes without.
        let arguments = self.includes(Part::Arguments).then(|| call.read_arguments().ok());
        Report {
            number,
            event,
            connection: &call.connection,
            tool: &call.tool,
            arguments: arguments.flatten(),
            outcome: None,
            detail: None,
            output: None,
        }
    }

    fn report_after<'c>(&self, number: u64, call: &'c Call, answer: &CallResult) -> Report<'c> {
        let mut report = self.report(number, "answer", call);
        match answer {
            Ok(result) => {
                report.outcome = Some(match result.outcome {
                    Outcome::Ok => "ok",
                    Outcome::Error => "error",
                });
                if self.includes(Part::Output) {
                    report.output = serde_json::from_str(&result.output).ok();
                }
            }
            Err(error) => {
                report.outcome = Some(error.kind());
                report.detail = Some(error.to_string());
            }
        }
        report
    }

    fn includes(&self, part: Part) -> bool {
        self.settings.include.contains(&part)
    }

    async fn send_before(&self, report: &Report<'_>, next: &Next) -> Result<(), CallError> {
        match self.send(report, next).await {
            Err(why) if self.settings.required => {
                let detail = format!("audit: the report to {} failed: {why}", self.settings.to);
                Err(CallError::refused(RefusalReason::Denied, detail))
            }
            _ => Ok(()),
        }
    }

    async fn send(&self, report: &Report<'_>, next: &Next) -> Result<(), CallError> {
        let ToolName { connection, tool } = self.settings.to.clone();
        let call = Call { connection, tool, arguments: String::new() }.with_arguments(report)?;
        next.call_tool(call).await?.into_output::<Json>().map(|_| ())
    }
}

callgate_guest::middleware!(impl Audit, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt};

    use super::*;

    fn audited(settings: &str, answers: &[&str]) -> (CallResult, Vec<String>) {
        let layer = Audit::new(serde_json::from_str(settings).unwrap()).unwrap();
        let script = Script::default();
        answers.iter().for_each(|answer| script.then(answer));
        let call = Call {
            connection: "files".to_owned(),
            tool: "read".to_owned(),
            arguments: r#"{"n": 1.0}"#.to_owned(),
        };
        let answer = layer.call(call, &script.next()).now_or_never().unwrap();
        let told = |call: Call| format!("{}/{} {}", call.connection, call.tool, call.arguments);
        (answer, script.calls().into_iter().map(told).collect())
    }

    const DONE: &str = r#"{"output": {"a": 1.0}}"#;

    #[test]
    fn a_call_is_reported_after_it() {
        let (answer, calls) = audited(r#"{"to": "log/append"}"#, &[DONE, DONE]);

        assert_eq!(answer.unwrap().output, r#"{"a": 1.0}"#);
        let report =
            r#"{"number":1,"event":"answer","connection":"files","tool":"read","outcome":"ok"}"#;
        assert_eq!(calls, [r#"files/read {"n": 1.0}"#.to_owned(), format!("log/append {report}")]);
    }

    #[test]
    fn a_report_has_what_its_settings_include() {
        let settings =
            r#"{"to": "log/append", "when": "both", "include": ["arguments", "output"]}"#;

        let (_, calls) = audited(settings, &[DONE, DONE, DONE]);

        assert!(calls[0].contains(r#""event":"call""#) && calls[0].contains(r#"{"n": 1.0}"#));
        assert!(calls[2].contains(r#""output":{"a": 1.0}"#), "{calls:?}");
    }

    #[test]
    fn without_its_required_report_a_call_is_not_made() {
        let settings = r#"{"to": "log/append", "when": "before", "required": true}"#;

        for report in [r#"{"not-sent": {"cause": "timeout"}}"#, r#"{"tool-error": "full"}"#] {
            let (answer, calls) = audited(settings, &[report]);

            assert!(answer.unwrap_err().to_string().contains("the report to log/append failed"));
            assert_eq!(calls.len(), 1);
        }
    }

    #[test]
    fn a_report_that_fails_afterwards_changes_nothing() {
        let lost = r#"{"outcome-unknown": {"cause": "timeout"}}"#;

        let (answer, calls) = audited(r#"{"to": "log/append"}"#, &[lost, lost]);

        assert_eq!(answer.unwrap_err().kind(), "outcome-unknown");
        assert!(calls[1].contains(r#""outcome":"outcome-unknown""#), "{calls:?}");
    }

    #[test]
    fn a_required_report_after_the_call_is_refused() {
        let settings = serde_json::from_str(r#"{"to": "log/append", "required": true}"#).unwrap();

        assert!(Audit::new(settings).is_err());
    }
}
