//! What a request does about a refusal for want of a token: it asks for another token and goes once more, so often as the
//! limits allow.
//!
//! Such a refusal comes before execution, so going again repeats nothing. Until then "not sent" is the truth, and a
//! caller that gives up in the meantime hears it.

use std::sync::Arc;

use http::{HeaderMap, StatusCode, header::AUTHORIZATION};
use reqwest::Response;

use super::reply::NoAnswer;
use crate::{
    auth::{Challenge, Ticket, Wallet},
    call::{Cause, Failure},
    session::{
        story::Obstacle,
        transport::{Ended, Phase},
    },
};

/// The token of one request, and how often it may still be replaced.
pub(super) struct Access<'w> {
    wallet: Option<&'w Arc<Wallet>>,
    ticket: Option<Ticket>,
    renewals_left: u32,
    step_ups_left: u32,
}

/// What becomes of a response.
pub(super) enum Verdict {
    /// It is the answer, whatever it says.
    Stands(Response),
    /// There is another token: ask again.
    AskAgain,
}

impl<'w> Access<'w> {
    pub(super) async fn new(wallet: Option<&'w Arc<Wallet>>) -> Self {
        let limits = wallet.map(|wallet| wallet.limits());
        let ticket = match wallet {
            Some(wallet) => wallet.current().await,
            None => None,
        };
        Self {
            wallet,
            ticket,
            renewals_left: limits.map_or(0, |limits| limits.renewals_per_request),
            step_ups_left: limits.map_or(0, |limits| limits.step_ups_per_request),
        }
    }

    pub(super) fn add_to(&self, headers: &mut HeaderMap) {
        if let Some(ticket) = &self.ticket {
            headers.insert(AUTHORIZATION, ticket.header().clone());
        }
    }

    /// Judges a response, and gets another token where that is what it takes.
    ///
    /// # Errors
    ///
    /// When there is none to be had: the request was not executed.
    pub(super) async fn judge(
        &mut self,
        response: Response,
        phase: &Phase,
        ended: &Ended,
    ) -> Result<Verdict, NoAnswer> {
        let Some(wallet) = self.wallet else { return Ok(Verdict::Stands(response)) };
        let challenge = Challenge::from_headers(response.headers());
        let left = match response.status() {
            StatusCode::UNAUTHORIZED => &mut self.renewals_left,
            StatusCode::FORBIDDEN if challenge.wants_more_scopes() => &mut self.step_ups_left,
            status => {
                if let Some(ticket) = self.ticket.as_ref().filter(|_| status.is_success()) {
                    wallet.accepted(ticket);
                }
                return Ok(Verdict::Stands(response));
            }
        };
        if *left == 0 {
            return Ok(Verdict::Stands(response));
        }
        *left -= 1;
        let status = response.status().as_u16();
        drop(response);
        phase.retract();
        match wallet.renew(self.ticket.as_ref(), &challenge).await {
            Ok(ticket) => {
                self.ticket = Some(ticket);
                Ok(Verdict::AskAgain)
            }
            Err(unauthorized) => {
                let detail = format!("HTTP {status}, and there is no token: {unauthorized}");
                ended.note(Obstacle::Status(status), &detail);
                phase.refuse();
                Err(NoAnswer::NotSent(Failure::new(Cause::ConnectFailed, detail)))
            }
        }
    }
}
