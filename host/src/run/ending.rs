//! Why a guest ended: from what wasmtime says to [`Stopped`] and [`RunOutcome`].

use wasmtime::{Error, PoolConcurrencyLimitError, Trap, WasmBacktrace};
use wasmtime_wasi::I32Exit;

use super::{RunOutcome, Stopped, WorkflowFailure, limiter::Limiter, tools::NotStarted};
use crate::{
    call::Json,
    gate::RunEnd,
    limits::{EngineLimits, LimitReached, RunLimits},
};

// For these three wasmtime has no type that can be asked for. Nothing of a guest is in their text, and the tests of the
// limits in `tests/it/limits.rs` fail when another version says it differently.
const TOO_MANY_INSTANCES: &str = "resource limit exceeded: instance count too high";
const TOO_MANY_HANDLES: &str = "store handle limit exceeded";
const TOO_MUCH_TO_COPY: &str = "fuel allocated for hostcalls has been exhausted";

pub(super) fn of_trap(
    error: &Error,
    limiter: &Limiter,
    limits: &RunLimits,
    engine: &EngineLimits,
) -> Stopped {
    match error.downcast_ref::<RunEnd>() {
        Some(RunEnd::Limit(limit)) => return Stopped::Limit(limit.clone()),
        Some(RunEnd::SessionLost(loss)) => return Stopped::session_lost(loss.clone()),
        None => {}
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => return Stopped::Limit(LimitReached::stack(engine)),
        Some(Trap::OutOfFuel) => {
            return Stopped::Limit(LimitReached::fuel(limits.fuel.unwrap_or(u64::MAX)));
        }
        _ => {}
    }
    if let Some(I32Exit(code)) = error.downcast_ref() {
        return Stopped::Trap(format!("it called exit({code}) instead of returning a result"));
    }
    // A guest whose allocation failed traps for a reason of its own; the cause is the limit.
    if let Some(limit) = limiter.refused() {
        return Stopped::Limit(limit.clone());
    }
    if let Some(limit) = untyped(error, limits) {
        return Stopped::Limit(limit);
    }
    // What a guest does wrong with a handle is no `Trap`, but the error has the frames of its code.
    let is_the_guests = error.is::<Trap>() || error.is::<WasmBacktrace>();
    if error.is::<PoolConcurrencyLimitError>() || (error.is::<NotStarted>() && !is_the_guests) {
        return Stopped::Crowded(format!("{error:#}"));
    }
    Stopped::Trap(format!("{error:#}"))
}

fn untyped(error: &Error, limits: &RunLimits) -> Option<LimitReached> {
    // A trap and its frames, which have names of the guest, are above this.
    let cause = error.root_cause().to_string();
    if cause.starts_with(TOO_MANY_INSTANCES) {
        Some(LimitReached::instances(limits))
    } else if cause.ends_with(TOO_MANY_HANDLES) {
        Some(LimitReached::component_handles(limits))
    } else if cause.ends_with(TOO_MUCH_TO_COPY) {
        Some(LimitReached::transfer(limits))
    } else {
        None
    }
}

pub(super) fn of_output(output: String, limits: &RunLimits) -> RunOutcome {
    if output.len() > limits.max_output_bytes {
        let limit = LimitReached::output(limits, output.len());
        return RunOutcome::Stopped(Stopped::Limit(limit));
    }
    match Json::from_text(output) {
        Ok(json) => RunOutcome::Done(json),
        Err(error) => RunOutcome::Stopped(Stopped::InvalidResult(error.to_string())),
    }
}

pub(super) fn of_failure(failure: WorkflowFailure, limits: &RunLimits) -> RunOutcome {
    let WorkflowFailure { kind, message, details } = &failure;
    let bytes = kind.len() + message.len() + details.as_ref().map_or(0, String::len);
    if bytes > limits.max_output_bytes {
        let limit = LimitReached::output(limits, bytes);
        return RunOutcome::Stopped(Stopped::Limit(limit));
    }
    RunOutcome::Failed(failure)
}
