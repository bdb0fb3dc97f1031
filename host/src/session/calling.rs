//! The one operation that workflows have: the call of a tool.

use std::{convert::Infallible, sync::Arc, time::Duration};

use futures::FutureExt;
use tokio::time::Instant;

use super::{Session, Shared, operation::Trace};
use crate::call::{CallError, Json, Refusal, RefusalReason, ToolCallResult};

/// Whether arguments are held against the input schema that the server lists for the tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentCheck {
    Skipped,
    Made,
}

impl Session {
    /// Calls one tool and waits for its answer in the canonical form.
    ///
    /// # Errors
    ///
    /// See [`CallError`]: its cases are the things that a caller can do.
    ///
    /// # Cancel safety
    ///
    /// As for [`submit`](Self::submit).
    pub async fn call_tool(
        &self,
        tool: &str,
        arguments: Json,
    ) -> Result<ToolCallResult, CallError> {
        let deadline = Instant::now() + self.shared.limits.call_timeout;
        let (check, admit) = (ArgumentCheck::Skipped, |_epoch| Ok::<(), Infallible>(()));
        let called = self.call_tool_traced(tool.into(), arguments, check, deadline, admit);
        let (answer, _trace) = called.await;
        answer.map(|Ok(result)| result)
    }

    /// [`call_tool`](Self::call_tool), which asks `admit` with the epoch when the call's turn has come: a no is passed on, and
    /// nothing is sent.
    pub(crate) async fn call_tool_traced<No: Send + 'static>(
        &self,
        tool: Arc<str>,
        arguments: Json,
        mut check: ArgumentCheck,
        deadline: Instant,
        admit: impl FnOnce(u64) -> Result<(), No> + Send + 'static,
    ) -> (Result<Result<ToolCallResult, No>, CallError>, Trace) {
        let refused = |refusal| {
            let trace = Trace { epoch: None, sequence: None, queue_wait: Duration::ZERO };
            (Err(CallError::Refused(refusal)), trace)
        };
        if let Err(refusal) = self.shared.tools.check(&self.shared.connection_id, &tool) {
            return refused(refusal);
        }
        // Here, where it costs the caller its time and not the owner. Of a session that is not open yet nothing is known, and
        // waiting for it here would change the order of the calls, so those are checked in their turn.
        if check == ArgumentCheck::Made && self.shared.ready.is_cancelled() {
            if let Err(refusal) = self.shared.check_arguments(&tool, &arguments) {
                return refused(refusal);
            }
            check = ArgumentCheck::Skipped;
        }
        let shared = self.shared.clone();
        self.submit_traced("call_tool", Some(tool.clone()), deadline, move |client| {
            async move {
                if check == ArgumentCheck::Made {
                    shared.check_arguments(&tool, &arguments).map_err(CallError::Refused)?;
                }
                match admit(shared.epoch) {
                    Ok(()) => client.call_tool(&tool, arguments).await.map(Ok),
                    Err(no) => Ok(Err(no)),
                }
            }
            .boxed()
        })
        .await
    }
}

impl Shared {
    /// Whether arguments are as the server says that they have to be.
    fn check_arguments(&self, tool: &str, arguments: &Json) -> Result<(), Refusal> {
        let Some(misfit) = self.catalogue().misfit(tool, arguments) else { return Ok(()) };
        let detail = format!("the arguments do not fit the input schema of {tool:?}: {misfit}");
        Err(Refusal { reason: RefusalReason::InvalidArguments, detail })
    }
}
