//! A middleware: one async function that every call of a workflow goes through.

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    CallError, CallFailure, Cause, RefusalReason, ToolCallResult,
    bindings::middleware::callgate::mcp::tools,
};

/// Exports an async function as this component's middleware.
///
/// The function gets each [`Call`] and the [`Next`] layer, and answers: with what `next` says, with an answer of its own, or
/// with an error. Every call is a task of its own and many are in flight at once. A call must not wait for something that
/// only another one does: they are woken by answers from the host, not by each other.
///
/// ```
/// use callgate_guest::{Call, CallError, Next, RefusalReason, ToolCallResult};
///
/// async fn no_secrets(call: Call, next: Next) -> Result<ToolCallResult, CallError> {
///     if call.arguments.contains("password") {
///         return Err(CallError::refused(RefusalReason::Denied, "the arguments name a password"));
///     }
///     next.call_tool(call).await
/// }
///
/// callgate_guest::middleware!(no_secrets);
/// ```
#[macro_export]
macro_rules! middleware {
    ($call_tool:path) => {
        const _: () = {
            struct Middleware;

            impl $crate::bindings::middleware::exports::callgate::mcp::tools::Guest for Middleware {
                async fn call_tool(
                    connection: ::std::string::String,
                    tool: ::std::string::String,
                    arguments: ::std::string::String,
                ) -> ::core::result::Result<
                    $crate::ToolCallResult,
                    $crate::bindings::middleware::callgate::mcp::tools::CallError,
                > {
                    let call = $crate::Call { connection, tool, arguments };
                    $crate::__private::handle(call, $call_tool).await
                }
            }

            #[cfg(target_family = "wasm")]
            $crate::bindings::middleware::export_middleware!(
                Middleware with_types_in $crate::bindings::middleware
            );
            // Other targets have no use for the export, and would call everything behind it dead code.
            #[cfg(not(target_family = "wasm"))]
            const _: fn() = || {
                let _exported =
                    <Middleware as $crate::bindings::middleware::exports::callgate::mcp::tools::Guest>::call_tool;
            };
        };
    };
}

/// One call on its way to the host. The fields may be changed before it is passed on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The name of a connection, as the host's configuration spells it.
    pub connection: String,
    /// The tool's name, as its server spells it.
    pub tool: String,
    /// The JSON text of an object, as the caller wrote it. The host checks it, so it may be anything here.
    pub arguments: String,
}

impl Call {
    /// Reads the arguments as a `T`.
    ///
    /// ```
    /// # use callgate_guest::Call;
    /// #[derive(serde::Deserialize)]
    /// struct Path {
    ///     path: String,
    /// }
    ///
    /// let call = Call {
    ///     connection: "files".to_owned(),
    ///     tool: "read_text_file".to_owned(),
    ///     arguments: r#"{"path": "/etc/hosts", "head": 3}"#.to_owned(),
    /// };
    /// assert_eq!(call.read_arguments::<Path>()?.path, "/etc/hosts");
    /// # Ok::<(), callgate_guest::CallError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A refusal that says what doesn't fit, ready to be passed back with `?`.
    pub fn read_arguments<T: DeserializeOwned>(&self) -> Result<T, CallError> {
        serde_json::from_str(&self.arguments).map_err(invalid_arguments)
    }

    /// The same call with other arguments.
    ///
    /// # Errors
    ///
    /// A refusal when `arguments` has no JSON form.
    pub fn with_arguments(
        mut self,
        arguments: &(impl Serialize + ?Sized),
    ) -> Result<Self, CallError> {
        self.arguments = serde_json::to_string(arguments).map_err(invalid_arguments)?;
        Ok(self)
    }
}

fn invalid_arguments(reason: serde_json::Error) -> CallError {
    CallError::refused(RefusalReason::InvalidArguments, reason.to_string())
}

/// The way on: another middleware or the host, which can't be told apart.
///
/// A middleware may pass a call on once, several times, or not at all.
#[derive(Debug)]
pub struct Next(());

impl Next {
    /// Passes a call on and waits for its answer.
    ///
    /// # Errors
    ///
    /// [`CallError::Refused`], [`CallError::NotSent`], [`CallError::Rejected`] or [`CallError::OutcomeUnknown`]. A tool's own
    /// failure is `Ok`, as with [`call_tool`](crate::call_tool).
    ///
    /// # Cancel safety
    ///
    /// As with [`call`](crate::call()).
    pub async fn call_tool(&self, call: Call) -> Result<ToolCallResult, CallError> {
        Ok(tools::call_tool(call.connection, call.tool, call.arguments).await?)
    }
}

/// Has `middleware` answer a call, in the terms of the WIT.
pub async fn handle<Answering>(
    call: Call,
    middleware: impl FnOnce(Call, Next) -> Answering,
) -> Result<ToolCallResult, tools::CallError>
where
    Answering: Future<Output = Result<ToolCallResult, CallError>>,
{
    match middleware(call, Next(())).await {
        Ok(result) | Err(CallError::Tool(result)) => Ok(result),
        Err(CallError::Refused(refusal)) => Err(tools::CallError::Refused(refusal)),
        Err(CallError::NotSent(failure)) => Err(tools::CallError::NotSent(failure)),
        Err(CallError::Rejected(error)) => Err(tools::CallError::Rejected(error)),
        Err(CallError::OutcomeUnknown(failure)) => Err(tools::CallError::OutcomeUnknown(failure)),
        // Something ran and can't be told of: for the workflow that is an answer that can't be used.
        Err(CallError::Unreadable { reason, .. }) => {
            let detail = format!("a middleware couldn't read an output: {reason}");
            Err(tools::CallError::OutcomeUnknown(CallFailure { cause: Cause::Internal, detail }))
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;
    use crate::Outcome;

    fn call() -> Call {
        Call {
            connection: "files".to_owned(),
            tool: "read_text_file".to_owned(),
            arguments: r#"{"path":"a"}"#.to_owned(),
        }
    }

    #[test]
    fn a_refusal_reaches_the_workflow_as_it_is() {
        let refuse = async |call: Call, _| -> Result<ToolCallResult, CallError> {
            Err(CallError::refused(RefusalReason::Denied, call.tool))
        };

        let answer = handle(call(), refuse).now_or_never().unwrap();

        assert!(matches!(
            answer,
            Err(tools::CallError::Refused(refusal))
                if refusal.reason == RefusalReason::Denied && refusal.detail == "read_text_file"
        ));
    }

    #[test]
    fn the_failure_of_a_tool_stays_the_answer_of_a_tool() {
        let fail = async |_, _| -> Result<ToolCallResult, CallError> {
            let mut answer = ToolCallResult::from_output("disk full").unwrap();
            answer.outcome = Outcome::Error;
            answer.into_output::<()>()?;
            unreachable!("an error outcome has no output")
        };

        let answer = handle(call(), fail).now_or_never().unwrap();

        assert!(matches!(answer, Ok(result) if result.output == "\"disk full\""));
    }

    #[test]
    fn arguments_can_be_read_and_replaced() {
        let path: std::collections::BTreeMap<String, String> = call().read_arguments().unwrap();
        let other = call().with_arguments(&[("path", "b")]).unwrap();

        assert_eq!(path["path"], "a");
        assert_eq!(other.arguments, r#"[["path","b"]]"#);
        assert_eq!(call().read_arguments::<Vec<u8>>().unwrap_err().kind(), "refused");
    }
}
