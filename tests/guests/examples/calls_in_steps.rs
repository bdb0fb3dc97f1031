//! Makes calls in steps, those of a step at once. When enough of them have their answers, the rest is given up.

use std::{future::poll_fn, task::Poll};

use callgate_guest::{CallError, Failure, Json, call};
use serde::Deserialize;
use test_guests::CallInput;

#[derive(Deserialize)]
struct Step {
    calls: Vec<CallInput>,
    /// How many answers are waited for.
    wanted: usize,
}

/// What one call heard: nothing if it was given up.
type Heard = Option<Result<Json, CallError>>;

async fn run(steps: Vec<Step>) -> Result<Vec<Vec<Heard>>, Failure> {
    let mut heard = Vec::new();
    for step in &steps {
        heard.push(make(step).await);
    }
    Ok(heard)
}

async fn make(step: &Step) -> Vec<Heard> {
    let mut heard: Vec<Heard> = step.calls.iter().map(|_| None).collect();
    let calls = step.calls.iter();
    let mut calls: Vec<_> =
        calls.map(|it| Box::pin(call::<Json>(&it.connection, &it.tool, &it.arguments))).collect();
    poll_fn(|context| {
        // All of them, so that each is made, however soon others have their answers.
        for (call, heard) in calls.iter_mut().zip(&mut heard) {
            if heard.is_none()
                && let Poll::Ready(answer) = call.as_mut().poll(context)
            {
                *heard = Some(answer);
            }
        }
        let answered = heard.iter().flatten().count();
        if answered >= step.wanted { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    heard
}

callgate_guest::workflow!(run);
