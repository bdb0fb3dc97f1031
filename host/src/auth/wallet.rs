//! The tokens for one server, shared by all sessions with it.
//!
//! Whoever needs a new token joins the flight that is under way for it, or starts one. A flight is a task of its own: a
//! caller that gives up doesn't take the others' token along, nor the renewal that came with it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use http::HeaderValue;
use secrecy::SecretString;
use tokio::{sync::watch, time::Instant};
use url::Url;

use super::{
    challenge::Challenge,
    client::Client,
    discovery::Discovered,
    fault::Unauthorized,
    flight::{self, Flight, Why},
    oauth::{Kind, Party},
    requests::Reach,
    token::Granted,
};
use crate::{limits::OAuthLimits, task};

/// The tokens for one server.
pub(crate) struct Wallet {
    party: Arc<Party>,
    server: Url,
    reach: Reach,
    /// Never locked across an await.
    state: Mutex<State>,
}

/// One token, and which one of its wallet's it is.
#[derive(Clone)]
pub(crate) struct Ticket {
    number: u64,
    header: HeaderValue,
    since: Instant,
}

impl Ticket {
    /// For `Authorization`; marked as sensitive.
    pub(crate) fn header(&self) -> &HeaderValue {
        &self.header
    }
}

type Outcome = Result<Ticket, Unauthorized>;

#[derive(Default)]
struct State {
    /// The newest one; their numbers start at 1.
    ticket: Option<Ticket>,
    /// The number of the newest one with which the server did what it was asked.
    accepted: u64,
    /// When it is time for the next one, where that is known.
    renew_at: Option<Instant>,
    known: Known,
    /// Of the flight under way; its task has the other end, and closes it when it is over.
    flight: Option<watch::Receiver<Option<Outcome>>>,
    /// The last flight's failure, which answers for a while.
    failed: Option<(Instant, Unauthorized)>,
}

/// What one flight leaves for the next.
#[derive(Clone, Default)]
pub(super) struct Known {
    pub(super) found: Option<Discovered>,
    /// As the authorization server knows it that was found.
    pub(super) client: Option<Client>,
    pub(super) refresh: Option<SecretString>,
    /// All that were asked for so far.
    pub(super) scopes: Vec<String>,
}

impl Wallet {
    pub(super) fn new(party: Arc<Party>, server: Url, reach: Reach) -> Self {
        Self { party, server, reach, state: Mutex::default() }
    }

    pub(crate) fn limits(&self) -> &OAuthLimits {
        &self.party.oauth.limits
    }

    /// The token for a request. One that is about to end is replaced first, where that needs no person.
    ///
    /// # Cancel safety
    ///
    /// A renewal that has begun goes on.
    pub(crate) async fn current(self: &Arc<Self>) -> Option<Ticket> {
        let ticket = {
            let state = self.state();
            let ticket = state.ticket.clone()?;
            let is_due = state.renew_at.is_some_and(|due| due <= Instant::now());
            let needs_person = matches!(self.party.oauth.kind, Kind::Consent { .. })
                && state.known.refresh.is_none();
            if !is_due || needs_person {
                return Some(ticket);
            }
            ticket
        };
        // The server has the last word on a token that couldn't be replaced.
        Some(self.newer(Some(&ticket), Why::Ending).await.unwrap_or(ticket))
    }

    /// A token in place of `used`, which the server refused with this challenge.
    ///
    /// # Errors
    ///
    /// When there is none to be had. For a while the same answer is given at once.
    ///
    /// # Cancel safety
    ///
    /// What has begun goes on, and serves whoever asks next.
    pub(crate) async fn renew(
        self: &Arc<Self>,
        used: Option<&Ticket>,
        challenge: &Challenge,
    ) -> Outcome {
        self.newer(used, Why::Refused(challenge.clone())).await
    }

    /// Takes note that the server did what a request with this token asked.
    pub(crate) fn accepted(&self, ticket: &Ticket) {
        let mut state = self.state();
        state.accepted = state.accepted.max(ticket.number);
    }

    async fn newer(self: &Arc<Self>, used: Option<&Ticket>, why: Why) -> Outcome {
        loop {
            let mut landed = {
                let mut state = self.state();
                if let Some(outcome) = self.known_outcome(&state, used, &why) {
                    return outcome;
                }
                match state.flight_under_way() {
                    Some(landed) => landed,
                    None => self.start(&mut state, &why)?,
                }
            };
            // Looked at again afterwards: it may have been for other scopes than those that are needed here.
            let landed = landed.wait_for(Option::is_some).await;
            match landed.as_deref() {
                Ok(Some(Err(why_not))) => return Err(why_not.clone()),
                Ok(_) => {}
                Err(_) => return Err(Unauthorized::Internal("the task that gets tokens panicked")),
            }
        }
    }

    /// What needs no flight.
    fn known_outcome(&self, state: &State, used: Option<&Ticket>, why: &Why) -> Option<Outcome> {
        let used_number = used.map_or(0, |ticket| ticket.number);
        let newer = state.ticket.as_ref().filter(|ticket| ticket.number > used_number);
        let mut wanted = why.scopes().iter();
        let has_asked = wanted.all(|scope| state.known.scopes.contains(scope));
        match newer {
            Some(ticket) if has_asked => return Some(Ok(ticket.clone())),
            None if why.wants_more_scopes() && has_asked => {
                let detail = format!("{:?} were asked for", state.known.scopes.join(" "));
                return Some(Err(Unauthorized::Scopes(detail)));
            }
            _ => {}
        }
        let pause = self.limits().failure_pause;
        // Another one would be refused as well, and every call would ask for one.
        let is_refused_from_the_start = matches!(why, Why::Refused(_))
            && !why.wants_more_scopes()
            && used.is_some_and(|it| it.number > state.accepted && it.since.elapsed() < pause);
        if is_refused_from_the_start {
            return Some(Err(Unauthorized::NotAccepted));
        }
        let (when, why_not) = state.failed.as_ref()?;
        (when.elapsed() < pause).then(|| Err(why_not.clone()))
    }

    fn start(
        self: &Arc<Self>,
        state: &mut State,
        why: &Why,
    ) -> Result<watch::Receiver<Option<Outcome>>, Unauthorized> {
        let scopes = self.scopes(&state.known, why)?;
        let (landing, landed) = watch::channel(None);
        state.flight = Some(landed.clone());
        let (wallet, known, why) = (self.clone(), state.known.clone(), why.clone());
        task::spawn("authorization", async move {
            let mut flight = Flight {
                party: &wallet.party,
                server: &wallet.server,
                reach: wallet.reach,
                known,
                scopes,
            };
            let granted = flight.run(&why).await;
            let known = flight.known;
            let outcome = wallet.land(known, granted);
            let _nobody_may_wait_any_more = landing.send(Some(outcome));
        })
        .detach();
        Ok(landed)
    }

    /// Everything asked for so far, and what is wanted beyond it.
    fn scopes(&self, known: &Known, why: &Why) -> Result<Vec<String>, Unauthorized> {
        let mut scopes = known.scopes.clone();
        let configured = self.party.oauth.scopes.iter();
        flight::unite(&mut scopes, configured.chain(why.scopes()));
        if scopes.len() > self.limits().max_scopes {
            let detail = format!("they are more than {}", self.limits().max_scopes);
            return Err(Unauthorized::Scopes(detail));
        }
        Ok(scopes)
    }

    fn land(&self, known: Known, granted: Result<Granted, Unauthorized>) -> Outcome {
        let mut state = self.state();
        state.known = known;
        state.flight = None;
        match granted {
            Ok(granted) => {
                let number = state.ticket.as_ref().map_or(0, |ticket| ticket.number) + 1;
                let ticket = Ticket { number, header: granted.header, since: Instant::now() };
                state.renew_at = granted.lifetime.and_then(|it| renew_at(it, self.limits()));
                state.ticket = Some(ticket.clone());
                state.failed = None;
                Ok(ticket)
            }
            Err(why_not) => {
                tracing::debug!(server = %self.server.host_str().unwrap_or_default(), %why_not, "no token");
                state.failed = Some((Instant::now(), why_not.clone()));
                Err(why_not)
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// A flight whose task is gone without an outcome isn't under way.
    fn flight_under_way(&self) -> Option<watch::Receiver<Option<Outcome>>> {
        self.flight.as_ref().filter(|landed| landed.has_changed().is_ok()).cloned()
    }
}

/// Some time before the end of a token, and for one with a short life in the last quarter of it.
fn renew_at(lifetime: Duration, limits: &OAuthLimits) -> Option<Instant> {
    let early = limits.early_renewal.min(lifetime / 4);
    if lifetime.is_zero() { None } else { Instant::now().checked_add(lifetime - early) }
}
