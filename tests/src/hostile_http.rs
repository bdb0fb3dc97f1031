//! An HTTP server that misbehaves in one chosen way, and what a careful client makes of each.
//!
//! One [`HttpFault`] is one mode of the binary `hostile-http`, told in the words of [`hostile`](crate::hostile). The rest
//! of the server behaves, so that a second call shows whether the session lives on. `HOSTILE-HTTP.md` tells how to try
//! other clients with it.

mod access;
mod bodies;
mod connections;
mod eras;
mod handshake;
mod heads;
mod runner;
mod server;
mod sessions;
mod streams;

pub use runner::run;
pub use server::{Connection, Request, Server};

use crate::hostile::{Expect, Fault, Phased};

/// One way to misbehave over HTTP.
pub type HttpFault = Fault<Act>;

/// What takes the place of the ordinary behaviour: it answers one request.
pub type Handler = fn(&mut Connection, &Request);

/// When the server misbehaves.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Before it listens: it says where it can be reached, and does nothing more.
    Start(fn() -> std::io::Result<String>),
    /// On every connection, before it reads anything.
    Connect(fn(&mut Connection)),
    /// When it is asked the newer way what it offers. Otherwise it doesn't know that method.
    Discover(Handler),
    /// When it is asked to initialise.
    Initialize(Handler),
    /// When it is told that it has been initialised.
    Initialized(Handler),
    /// Whenever it is asked for its tools.
    List(Handler),
    /// At the first call of a tool.
    Call(Handler),
    /// At every call of `echo`.
    Echo(Handler),
    /// When a large message has been announced and not read yet.
    Upload(Handler),
    /// At the first call of a tool, and when the stream of its answer is to be resumed.
    Resume(Handler, Handler),
    /// When it is asked for the stream on which it may speak unasked.
    Listen(Handler),
    /// When the session is to be ended.
    Delete(Handler),
}

impl Phased for Act {
    fn phase(&self) -> &'static str {
        match self {
            Self::Start(_) | Self::Connect(_) => "connect",
            Self::Discover(_) => "discovery",
            Self::Initialize(_) | Self::Initialized(_) => "handshake",
            Self::List(_) => "list",
            Self::Call(_) | Self::Echo(_) | Self::Upload(_) | Self::Resume(..) => "call",
            Self::Listen(_) => "listen",
            Self::Delete(_) => "close",
        }
    }
}

fn is_echo(request: &Request) -> bool {
    request.message["params"]["name"] == "echo"
}

/// A fault of a server over HTTP.
const fn fault(mode: &'static str, act: Act, expect: Expect, why: &'static str) -> HttpFault {
    Fault::new(mode, act, expect, why)
}

/// All faults, in the order of a session's life.
pub fn faults() -> impl Iterator<Item = &'static HttpFault> {
    [
        connections::FAULTS,
        handshake::FAULTS,
        eras::FAULTS,
        access::FAULTS,
        heads::FAULTS,
        bodies::FAULTS,
        streams::FAULTS,
        sessions::FAULTS,
    ]
    .into_iter()
    .flatten()
}

/// The fault that is called `mode`.
pub fn find(mode: &str) -> Option<&'static HttpFault> {
    faults().find(|fault| fault.mode == mode)
}
