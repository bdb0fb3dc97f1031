//! What kept a connection from coming about, told from the errors under the one of the HTTP client.

use std::{error::Error, io};

use crate::session::story::Obstacle;

/// What stood in the way of a request that got no answer.
pub(super) fn of(error: &reqwest::Error) -> Obstacle {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(error) = cause {
        if let Some(obstacle) = told_by(error) {
            return obstacle;
        }
        cause = error.source();
    }
    // It was reached, and then it hung up.
    if error.is_request() && !error.is_connect() && !error.is_timeout() {
        return Obstacle::Handshake;
    }
    Obstacle::Unreachable
}

/// An I/O error carries others inside, which are not its sources.
fn told_by(error: &(dyn Error + 'static)) -> Option<Obstacle> {
    if error.is::<rustls::Error>() {
        return Some(Obstacle::Tls);
    }
    let error = error.downcast_ref::<io::Error>()?;
    if error.kind() == io::ErrorKind::ConnectionRefused {
        return Some(Obstacle::Refused);
    }
    told_by(error.get_ref()?)
}
