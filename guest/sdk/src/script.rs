//! A table in place of what is behind a middleware, so that one is tested without a host. Not there on WebAssembly.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use futures::{
    FutureExt,
    channel::oneshot,
    future::{LocalBoxFuture, ready},
};

use crate::{Answer, Call, CallResult, Next};

/// Answers in the order in which they are asked for, and the calls that were answered.
///
/// ```
/// use callgate_guest::{Call, Script, futures::FutureExt};
///
/// let script = Script::default();
/// script.then(r#"{"output": 1}"#);
///
/// let call = Call { connection: "a".into(), tool: "b".into(), arguments: "{}".into() };
/// let answer = script.next().call_tool(call.clone()).now_or_never().unwrap();
///
/// assert_eq!(answer.unwrap().output, "1");
/// assert_eq!(script.calls(), [call]);
/// ```
#[derive(Clone, Default, Debug)]
pub struct Script(Rc<RefCell<Lines>>);

#[derive(Default, Debug)]
struct Lines {
    answers: VecDeque<Line>,
    calls: Vec<Call>,
}

#[derive(Debug)]
enum Line {
    Now(Answer),
    Later(oneshot::Receiver<Answer>),
}

impl Script {
    /// Adds an answer, in the form of [`Answer`].
    ///
    /// # Panics
    ///
    /// When `answer` isn't of that form.
    pub fn then(&self, answer: &str) {
        self.0.borrow_mut().answers.push_back(Line::Now(read(answer)));
    }

    /// Adds an answer that is given later, by what is returned.
    pub fn then_later(&self) -> impl FnOnce(&str) + use<> {
        let (sender, receiver) = oneshot::channel();
        self.0.borrow_mut().answers.push_back(Line::Later(receiver));
        move |answer| {
            let _the_call_may_be_given_up = sender.send(read(answer));
        }
    }

    /// What a middleware gets as the way on.
    pub fn next(&self) -> Next {
        Next::script(self.clone())
    }

    /// The calls that came so far.
    pub fn calls(&self) -> Vec<Call> {
        self.0.borrow().calls.clone()
    }

    /// # Panics
    ///
    /// When no answer is left: the call was not expected.
    pub(crate) fn answer(&self, call: Call) -> LocalBoxFuture<'static, CallResult> {
        let mut lines = self.0.borrow_mut();
        let line = lines.answers.pop_front();
        let line = line.unwrap_or_else(|| panic!("no answer is left for {call:?}"));
        lines.calls.push(call);
        match line {
            Line::Now(answer) => ready(answer.give()).boxed_local(),
            Line::Later(answer) => {
                async { answer.await.expect("the test gives the answer").give() }.boxed_local()
            }
        }
    }
}

fn read(answer: &str) -> Answer {
    serde_json::from_str(answer).unwrap_or_else(|error| panic!("{answer}: {error}"))
}
