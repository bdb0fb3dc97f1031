//! A stdio server that misbehaves in one chosen way, and what a careful client makes of each.
//!
//! One [`Fault`] is one mode of the binary `hostile-stdio`: what it does, and what the first call to it has to come to.
//! The rest of the server behaves, so that a second call shows whether the session lives on. `HOSTILE.md` tells how to
//! try other clients with it.

mod answers;
mod deaths;
mod delivery;
mod eras;
mod frames;
mod handshake;
mod lists;
pub(crate) mod runner;
pub(crate) mod server;
mod unasked;

use std::{fmt, time::Duration};

use callgate::Cause;

pub use runner::{Report, hold, run};
pub use server::{Request, Server, serve};

/// One way to misbehave. `A` says what the server does; how it is told is the same for every transport.
#[derive(Clone, Copy, Debug)]
pub struct Fault<A = Act> {
    /// The name on the command line.
    pub mode: &'static str,
    /// What it does, and when.
    pub act: A,
    /// What is sent in the first call.
    pub arguments: Arguments,
    /// What becomes of the first call.
    pub expect: Expect,
    /// By when the first call has ended.
    pub within: Duration,
    /// What becomes of the session.
    pub session: Session,
    /// What is wrong with it.
    pub why: &'static str,
}

/// When the server misbehaves: the handler takes the place of the ordinary one.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Before it reads anything.
    Start(fn(&mut Server)),
    /// When it is asked the newer way what it offers. Otherwise it doesn't know that method.
    Discover(fn(&mut Server, &Request)),
    /// At the first call of the tool `echo`, by a server that knows the newer era alone.
    Stateless(fn(&mut Server, &Request)),
    /// When it is asked to initialise.
    Initialize(fn(&mut Server, &Request)),
    /// When it is told that it has been initialised.
    Initialized(fn(&mut Server)),
    /// Whenever it is asked for its tools.
    List(fn(&mut Server, &Request)),
    /// At the first call of the tool `echo`.
    Call(fn(&mut Server, &Request)),
}

/// What belongs to a phase of a session.
pub trait Phased {
    /// The name of the phase.
    fn phase(&self) -> &'static str;
}

impl Phased for Act {
    fn phase(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::Discover(_) => "discovery",
            Self::Initialize(_) | Self::Initialized(_) => "handshake",
            Self::List(_) => "list",
            Self::Call(_) | Self::Stateless(_) => "call",
        }
    }
}

/// The arguments of the first call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// `{"x":1}`
    Small,
    /// An object of four MiB: more than any pipe holds.
    Big,
}

impl Arguments {
    /// The JSON text.
    pub fn text(self) -> String {
        match self {
            Self::Small => r#"{"x":1}"#.to_owned(),
            Self::Big => format!(r#"{{"x":"{}"}}"#, "y".repeat(4 << 20)),
        }
    }
}

/// How the first call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The tool did its work; the canonical output is this JSON text, to the byte.
    Output(&'static str),
    /// The tool reports its own failure, with this output.
    ToolError(&'static str),
    /// The server's own error, with this code.
    Rejected(i64),
    /// It was sent, and no usable answer came.
    OutcomeUnknown(Cause),
    /// Nothing was sent.
    NotSent(Cause),
}

impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(output) => write!(f, "the output `{output}`"),
            Self::ToolError(output) => write!(f, "the tool's own error, `{output}`"),
            Self::Rejected(code) => write!(f, "the server's error {code}"),
            Self::OutcomeUnknown(cause) => write!(f, "outcome unknown: {cause}"),
            Self::NotSent(cause) => write!(f, "not sent: {cause}"),
        }
    }
}

/// What the second call meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session {
    /// The same process, or over HTTP the same session.
    Lives,
    /// Another one, or none: the session is over.
    Ends,
    /// It can't get that far, as every session does the same.
    Unusable,
}

/// A fault of a server over standard input and output.
const fn fault(mode: &'static str, act: Act, expect: Expect, why: &'static str) -> Fault {
    Fault::new(mode, act, expect, why)
}

impl<A: Phased + Copy> Fault<A> {
    /// A fault of which the first call has to have ended in two seconds: nothing has to be waited for.
    pub(crate) const fn new(mode: &'static str, act: A, expect: Expect, why: &'static str) -> Self {
        Self {
            mode,
            act,
            arguments: Arguments::Small,
            expect,
            within: Duration::from_secs(2),
            session: Session::Lives,
            why,
        }
    }

    /// The line of the table for people.
    pub fn row(&self) -> String {
        let session = match self.session {
            Session::Lives => "lives",
            Session::Ends => "ends",
            Session::Unusable => "is no use",
        };
        let Self { mode, why, expect, within, .. } = self;
        let (phase, within) = (self.act.phase(), within.as_secs());
        format!("| `{mode}` | {phase} | {why} | {expect} | {within} s | {session} |")
    }

    pub(crate) const fn ends(mut self) -> Self {
        self.session = Session::Ends;
        self
    }

    pub(crate) const fn unusable(mut self) -> Self {
        self.session = Session::Unusable;
        self
    }

    pub(crate) const fn within_secs(mut self, secs: u64) -> Self {
        self.within = Duration::from_secs(secs);
        self
    }

    pub(crate) const fn with(mut self, arguments: Arguments) -> Self {
        self.arguments = arguments;
        self
    }
}

/// All faults, in the order of a session's life.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    [
        handshake::FAULTS,
        eras::FAULTS,
        lists::FAULTS,
        frames::FAULTS,
        answers::FAULTS,
        delivery::FAULTS,
        unasked::FAULTS,
        deaths::FAULTS,
    ]
    .into_iter()
    .flatten()
}

/// The fault that is called `mode`.
pub fn find(mode: &str) -> Option<&'static Fault> {
    faults().find(|fault| fault.mode == mode)
}
