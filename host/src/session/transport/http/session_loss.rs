//! That the server has forgotten the session, and with it whatever it kept for it. It is never silently made anew.

use http::StatusCode;
use rmcp::model::RequestId;
use tokio::time::timeout;

use super::{endpoint::Endpoint, reply::Rejection};
use crate::call::{Cause, Failure};

/// Whether a refusal says that the server doesn't know the session any more. The specification has 404 for it; servers
/// say 400 too, as they do for other things, so then the server is asked.
pub(super) async fn is_session_lost(
    endpoint: &Endpoint,
    id: &RequestId,
    rejection: &Rejection,
) -> bool {
    if !endpoint.has_session() {
        return false;
    }
    match rejection.status {
        StatusCode::NOT_FOUND => true,
        StatusCode::BAD_REQUEST => {
            let is_about_this_request =
                matches!(&rejection.error, Some((Some(answered), _)) if answered == id);
            !is_about_this_request && !session_lives(endpoint).await
        }
        _ => false,
    }
}

/// Asks with a ping. Only a clear no counts.
pub(super) async fn session_lives(endpoint: &Endpoint) -> bool {
    if !endpoint.has_session() {
        return true;
    }
    let patience = endpoint.limits().http.control_timeout;
    match timeout(patience, endpoint.post(&endpoint.ping())).await {
        Ok(Ok(response)) => {
            !matches!(response.status(), StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST)
        }
        _ => true,
    }
}

/// Says that the session is lost.
pub(super) fn lose_session(endpoint: &Endpoint, detail: &str) -> Failure {
    let failure =
        Failure::new(Cause::SessionStopped, format!("the server has lost the session: {detail}"));
    endpoint.ended().set(failure.clone());
    failure
}
