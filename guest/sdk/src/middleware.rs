//! A middleware: what every call of a workflow goes through, a trait or one async function.

use std::rc::Rc;

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    CallError, CallFailure, Cause, RefusalReason, ToolCallResult,
    bindings::middleware::callgate::mcp::tools, bindings::settings::callgate::settings::settings,
    json,
};

/// What a middleware answers a call with: what the [`Next`] layer says, an answer of its own, or an error.
pub type CallResult = Result<ToolCallResult, CallError>;

/// A layer between a workflow and the host. [`middleware!`](crate::middleware!) exports one.
///
/// ```
/// use callgate_guest::{Call, CallResult, Middleware, Next};
///
/// /// Tries once more what didn't reach the server.
/// struct Again;
///
/// impl Middleware for Again {
///     type Settings = ();
///
///     fn new((): ()) -> Result<Self, String> {
///         Ok(Self)
///     }
///
///     async fn call(&self, call: Call, next: &Next) -> CallResult {
///         match next.call_tool(call.clone()).await {
///             Err(error) if error.is_retryable() => next.call_tool(call).await,
///             answer => answer,
///         }
///     }
/// }
///
/// callgate_guest::middleware!(impl Again);
/// ```
pub trait Middleware: Sized + 'static {
    /// What is told to this layer when a stack is composed. With `()` there is nothing to tell, and no import for it.
    type Settings: DeserializeOwned;

    /// Makes the layer, before the first call of a run. It serves all calls of that run.
    ///
    /// # Errors
    ///
    /// What is wrong with the settings. Every call of the run is refused with it.
    fn new(settings: Self::Settings) -> Result<Self, String>;

    /// Answers one call. Many are in flight at once, each in a task of its own; what one has to know of another goes through
    /// `&self`, and one that waits for another needs a [`Signal`](crate::Signal).
    ///
    /// A caller that gives up drops the future.
    fn call(&self, call: Call, next: &Next) -> impl Future<Output = CallResult>;
}

/// Exports this component's middleware: a type that implements [`Middleware`], or an async function.
///
/// A type with settings names the file with their JSON Schema, a path as for [`include_str!`]. The component carries it, so
/// that `callgate compose` refuses settings that don't fit, and says where.
///
/// ```
/// # use callgate_guest::{Call, CallResult, Middleware, Next};
/// # struct Budget;
/// # impl Middleware for Budget {
/// #     type Settings = ();
/// #     fn new((): ()) -> Result<Self, String> {
/// #         Ok(Self)
/// #     }
/// #     async fn call(&self, call: Call, next: &Next) -> CallResult {
/// #         next.call_tool(call).await
/// #     }
/// # }
/// callgate_guest::middleware!(impl Budget, settings = "../settings.schema.json");
/// ```
///
/// A function gets each [`Call`] and the [`Next`] layer. It has neither settings nor state.
///
/// ```
/// use callgate_guest::{Call, CallError, CallResult, Next, RefusalReason};
///
/// async fn no_secrets(call: Call, next: Next) -> CallResult {
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
    (impl $layer:ty, settings = $schema:literal) => {
        $crate::middleware!(impl $layer);

        #[cfg(target_family = "wasm")]
        #[unsafe(link_section = "callgate:settings-schema")]
        #[used]
        static SETTINGS_SCHEMA: [u8; include_bytes!($schema).len()] = *include_bytes!($schema);
    };
    (impl $layer:ty) => {
        ::std::thread_local! {
            static LAYER: $crate::__private::Layer<$layer> = $crate::__private::make_layer();
        }

        async fn call_of_layer(call: $crate::Call, next: $crate::Next) -> $crate::CallResult {
            let layer = LAYER.with(::core::clone::Clone::clone);
            $crate::__private::call_layer(layer, call, next).await
        }

        $crate::middleware!(call_of_layer);
    };
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

    /// The arguments in one spelling, the same for all texts of the same value: keys sorted, no white space between. Numbers
    /// keep their spelling, so 1 and 1.0 are two.
    ///
    /// # Errors
    ///
    /// A refusal when the arguments aren't JSON, or have a key twice: readers differ in which of the two they take, so what
    /// is judged here might not be what the server reads.
    pub fn canonical_arguments(&self) -> Result<String, CallError> {
        json::canonical(&self.arguments).map_err(invalid_arguments)
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
pub struct Next(Way);

#[derive(Debug)]
enum Way {
    /// What the component imports.
    On,
    /// A script of answers, in a test.
    #[cfg(not(target_family = "wasm"))]
    Script(crate::script::Script),
}

impl Next {
    /// A way that ends in a test's own table.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn script(script: crate::script::Script) -> Self {
        Self(Way::Script(script))
    }

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
        match &self.0 {
            Way::On => Ok(tools::call_tool(call.connection, call.tool, call.arguments).await?),
            #[cfg(not(target_family = "wasm"))]
            Way::Script(script) => script.answer(call).await,
        }
    }
}

/// The layer of this instance, or what is wrong with its settings.
pub type Layer<M> = Rc<Result<M, String>>;

/// Reads the settings and makes the layer.
pub fn make_layer<M: Middleware>() -> Layer<M> {
    // Nothing can be told in no bytes, so there is no need to ask; and what is never called isn't imported.
    let text = if size_of::<M::Settings>() == 0 { "null".to_owned() } else { settings::get() };
    Rc::new(read_settings(&text).and_then(M::new))
}

fn read_settings<S: DeserializeOwned>(text: &str) -> Result<S, String> {
    serde_json::from_str(text).map_err(|reason| reason.to_string())
}

/// Has the layer answer a call.
pub async fn call_layer<M: Middleware>(layer: Layer<M>, call: Call, next: Next) -> CallResult {
    match &*layer {
        Ok(layer) => layer.call(call, &next).await,
        Err(fault) => {
            let detail = format!("the settings of a middleware can't be used: {fault}");
            Err(CallError::refused(RefusalReason::Denied, detail))
        }
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
    match middleware(call, Next(Way::On)).await {
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
    fn settings_that_can_not_be_used_refuse_every_call() {
        struct Capped(u8);

        impl Middleware for Capped {
            type Settings = u8;

            fn new(cap: u8) -> Result<Self, String> {
                if cap > 9 { Err(format!("{cap} is more than 9")) } else { Ok(Self(cap)) }
            }

            async fn call(&self, _: Call, _: &Next) -> CallResult {
                Ok(ToolCallResult::from_output(&self.0).unwrap())
            }
        }
        let answer = |settings: &str| {
            let layer: Layer<Capped> = Rc::new(read_settings(settings).and_then(Capped::new));
            call_layer(layer, call(), Next(Way::On)).now_or_never().unwrap()
        };

        assert_eq!(answer("7").unwrap().output, "7");
        assert!(answer("12").unwrap_err().to_string().contains("12 is more than 9"));
        assert!(answer("\"x\"").unwrap_err().to_string().contains("expected u8"));
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
