//! The stream on which a server of the older era speaks unasked: changes of its tool list, requests of its own.
//!
//! Nothing waits for it. When it can't be had or held, the session goes on without it.

use reqwest::Response;
use rmcp::service::InboundStreamOrigin;

use super::{
    endpoint::Endpoint, events::EventParser, position::Position, reply, unasked::ToClient,
};
use crate::session::transport::framing::envelope::Frame;

/// Listens until the server says that it has no such stream, or ends it too often without a word.
pub(super) async fn listen(endpoint: &Endpoint, to_client: &ToClient) {
    let mut position = Position::new(&endpoint.limits().http);
    while position.take_attempt() {
        match endpoint.get(position.last_event()).await {
            Ok(response) if reply::is_event_stream(&response) => {
                read(response, endpoint, &mut position, to_client).await;
            }
            Ok(response) if !response.status().is_server_error() => {
                tracing::debug!(status = %response.status(), "the server has no stream of its own");
                return;
            }
            Ok(_) | Err(_) => {}
        }
        tokio::time::sleep(position.pause()).await;
    }
    tracing::debug!("the server does not keep a stream of its own open");
}

/// Silence is right here, so there is no clock on it; TCP finds dead peers.
async fn read(
    mut response: Response,
    endpoint: &Endpoint,
    position: &mut Position,
    to_client: &ToClient,
) {
    let mut parser = EventParser::new(endpoint.limits().max_message_bytes);
    while let Ok(Some(chunk)) = response.chunk().await {
        if parser.feed(&chunk).is_err() {
            return;
        }
        while let Some(event) = parser.next() {
            position.note(&event);
            if event.is_message() {
                take(&event.data, endpoint, to_client).await;
            }
        }
    }
}

/// Answers have no place here: each comes in the exchange of its request.
async fn take(text: &[u8], endpoint: &Endpoint, to_client: &ToClient) {
    match Frame::read(text.trim_ascii(), endpoint.limits().max_nesting) {
        Frame::Notification { method } => to_client.notify(method, text).await,
        Frame::Request { method, .. } => {
            to_client.ask(method, text, InboundStreamOrigin::Unassociated).await;
        }
        frame => tracing::debug!(?frame, "the server's own stream brought something else"),
    }
}
