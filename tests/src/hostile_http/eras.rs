//! Servers of the older era that are asked in the newer way, in which they answer as they please.

use super::{Act, HttpFault, fault};
use crate::hostile::Expect;

const FINE: Expect = Expect::Output(r#"{"x":1}"#);

pub(super) const FAULTS: &[HttpFault] = &[
    fault(
        "discover-400",
        Act::Discover(|connection, _| {
            connection.body(400, "text/plain", "No valid session ID provided")
        }),
        FINE,
        "it refuses the newer way with HTTP 400",
    ),
    fault(
        "discover-404",
        Act::Discover(|connection, _| connection.status(404)),
        FINE,
        "it refuses the newer way as an unknown session",
    ),
    fault(
        "discover-405",
        Act::Discover(|connection, _| connection.status(405)),
        FINE,
        "it refuses the newer way as a method",
    ),
    fault(
        "discover-500",
        Act::Discover(|connection, _| connection.status(500)),
        FINE,
        "it fails when it is asked the newer way",
    ),
    fault(
        "discover-202",
        Act::Discover(|connection, _| connection.status(202)),
        FINE,
        "it accepts the question and never answers it",
    )
    .within_secs(4),
    fault(
        "discover-html",
        Act::Discover(|connection, _| connection.body(200, "text/html", "<h1>Welcome</h1>")),
        FINE,
        "a web page instead of an answer to the newer way",
    ),
    fault(
        "discover-empty",
        Act::Discover(|connection, request| connection.answer(request, "{}")),
        FINE,
        "it answers every method that it doesn't know with an empty object",
    ),
    fault(
        "discover-null-id",
        Act::Discover(|connection, _| {
            connection.json(400, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Server not initialized"}}"#)
        }),
        FINE,
        "it refuses the newer way with an error without an id",
    ),
    fault(
        "discover-closes",
        Act::Discover(|connection, _| connection.close()),
        FINE,
        "it hangs up when it is asked the newer way",
    ),
    fault(
        "discover-never",
        Act::Discover(|connection, _| connection.hang()),
        FINE,
        "it is silent when it is asked the newer way",
    )
    .within_secs(4),
];
