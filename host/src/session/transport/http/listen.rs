//! The stream on which a server of the older era speaks unasked: changes of its tool list, requests of its own.
//!
//! Nothing waits for it. When it can't be had or held, the session goes on without it.

use reqwest::Response;
use rmcp::{model::ServerJsonRpcMessage, service::InboundStreamOrigin};
use tokio::sync::mpsc;

use super::{endpoint::Endpoint, events::EventParser, exchange, position::Position, reply};

/// Listens until the server says that it has no such stream, or ends it too often without a word.
pub(super) async fn listen(endpoint: &Endpoint, to_client: &mpsc::Sender<ServerJsonRpcMessage>) {
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
    to_client: &mpsc::Sender<ServerJsonRpcMessage>,
) {
    let mut parser = EventParser::new(endpoint.limits().max_message_bytes);
    while let Ok(Some(chunk)) = response.chunk().await {
        if parser.feed(&chunk).is_err() {
            return;
        }
        while let Some(event) = parser.next() {
            position.note(&event);
            if event.is_message() {
                exchange::forward(to_client, &event.data, InboundStreamOrigin::Unassociated).await;
            }
        }
    }
}
