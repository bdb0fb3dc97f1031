//! WIT on one side, our own nouns on the other: the import that a workflow calls, and the export that runs it.

use std::fmt;

use wasmtime::{
    Result, Store,
    component::{Accessor, HasSelf, InstancePre, Linker},
};

use self::bindings::{
    Workflow as Bindings, WorkflowIndices as BindingIndices,
    callgate::mcp::tools::{self as wit},
    exports::callgate::mcp::run::Failure,
};
use super::{Ctx, WorkflowFailure};
use crate::{
    call::{Body, CallError, Cause, Content, Json, Media, Outcome, RefusalReason, ToolCallResult},
    component::Workflow,
};

mod bindings {
    #![allow(missing_docs, unreachable_pub, reason = "generated")]
    wasmtime::component::bindgen!({
        path: "wit",
        world: "workflow",
        imports: { default: trappable },
    });
}

/// Where a component's `run` is.
pub(crate) struct WorkflowIndices(BindingIndices);

impl WorkflowIndices {
    pub(crate) fn new(instance: &InstancePre<Ctx>) -> Result<Self> {
        BindingIndices::new(instance).map(Self)
    }
}

pub(crate) fn add_to_linker(linker: &mut Linker<Ctx>) -> Result<()> {
    wit::add_to_linker::<_, HasSelf<Ctx>>(linker, |ctx| ctx)
}

/// Marks the errors of instantiating. One that is no trap and no limit is the host's own.
#[derive(Debug)]
pub(super) struct NotStarted;

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it can't be started")
    }
}

/// Instantiates and runs to the end. The outer error is a trap.
pub(super) async fn execute(
    workflow: &Workflow,
    store: &mut Store<Ctx>,
    input: String,
) -> Result<Result<String, WorkflowFailure>> {
    let instantiated = workflow.instance().instantiate_async(&mut *store).await;
    let instance = instantiated.map_err(|error| error.context(NotStarted))?;
    let bindings: Bindings = workflow.run_indices().0.load(&mut *store, &instance)?;
    let run = bindings.callgate_mcp_run();
    let result =
        store.run_concurrent(async |accessor| run.call_run(accessor, input).await).await??;
    Ok(result.map_err(WorkflowFailure::from))
}

impl wit::Host for Ctx {}

impl<T: Send + 'static> wit::HostWithStore<T> for HasSelf<Ctx> {
    async fn call_tool(
        accessor: &Accessor<T, Self>,
        connection: String,
        tool: String,
        arguments: String,
    ) -> Result<Result<wit::ToolCallResult, wit::CallError>> {
        let gate = accessor.with(|mut access| access.get().gate.clone());
        // A limit that the call reached is a trap: the run ends with it.
        let answer = gate.call(&connection, &tool, arguments).await?;
        Ok(answer.map(Into::into).map_err(Into::into))
    }
}

impl From<Failure> for WorkflowFailure {
    fn from(failure: Failure) -> Self {
        let Failure { kind, message, details } = failure;
        Self { kind, message, details }
    }
}

impl From<ToolCallResult> for wit::ToolCallResult {
    fn from(result: ToolCallResult) -> Self {
        Self {
            outcome: match result.outcome {
                Outcome::Ok => wit::Outcome::Ok,
                Outcome::Error => wit::Outcome::Error,
            },
            output: result.output.into_text(),
            content: result.content.into_iter().map(Into::into).collect(),
            meta: result.meta.map(Json::into_text),
        }
    }
}

impl From<Content> for wit::Content {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => Self::Text(text),
            Content::Image(media) => Self::Image(media.into()),
            Content::Audio(media) => Self::Audio(media.into()),
            Content::ResourceLink(link) => Self::ResourceLink(wit::ResourceLink {
                uri: link.uri,
                name: link.name,
                title: link.title,
                description: link.description,
                mime_type: link.mime_type,
                size: link.size,
            }),
            Content::Resource(embedded) => Self::Resource(wit::Embedded {
                uri: embedded.uri,
                mime_type: embedded.mime_type,
                body: match embedded.body {
                    Body::Text(text) => wit::Body::Text(text),
                    Body::Blob(bytes) => wit::Body::Blob(bytes),
                },
            }),
            Content::Other(json) => Self::Other(json.into_text()),
        }
    }
}

impl From<Media> for wit::Media {
    fn from(media: Media) -> Self {
        Self { mime_type: media.mime_type, data: media.data }
    }
}

impl From<CallError> for wit::CallError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Refused(refusal) => Self::Refused(wit::Refusal {
                reason: match refusal.reason {
                    RefusalReason::UnknownConnection => wit::RefusalReason::UnknownConnection,
                    RefusalReason::InvalidArguments => wit::RefusalReason::InvalidArguments,
                    RefusalReason::Denied => wit::RefusalReason::Denied,
                    RefusalReason::LimitReached => wit::RefusalReason::LimitReached,
                },
                detail: refusal.detail,
            }),
            CallError::NotSent(failure) => Self::NotSent(failure.into()),
            CallError::Rejected(error) => Self::Rejected(wit::RpcError {
                code: error.code,
                message: error.message,
                data: error.data.map(Json::into_text),
            }),
            CallError::OutcomeUnknown(failure) => Self::OutcomeUnknown(failure.into()),
        }
    }
}

impl From<crate::call::Failure> for wit::Failure {
    fn from(failure: crate::call::Failure) -> Self {
        Self {
            cause: match failure.cause {
                Cause::Timeout => wit::Cause::Timeout,
                Cause::Cancelled => wit::Cause::Cancelled,
                Cause::SessionStopped => wit::Cause::SessionStopped,
                Cause::ConnectFailed => wit::Cause::ConnectFailed,
                Cause::TooLarge => wit::Cause::TooLarge,
                Cause::ProtocolViolation => wit::Cause::ProtocolViolation,
                Cause::InputRequired => wit::Cause::InputRequired,
                Cause::Internal => wit::Cause::Internal,
            },
            detail: failure.detail,
        }
    }
}
