//! Servers that never get as far as a session, or come to it in an odd way.

use callgate::Cause;

use super::{
    Act, Connection, HttpFault, Request, fault,
    server::{answer_text, initialize_text},
};
use crate::hostile::Expect;

const FINE: Expect = Expect::Output(r#"{"x":1}"#);
const FAILED: Expect = Expect::NotSent(Cause::ConnectFailed);

pub(super) const FAULTS: &[HttpFault] = &[
    fault("init-401", Act::Initialize(|connection, _| connection.response(401, "www-authenticate: Bearer resource_metadata=\"https://example.org/\"\r\ncontent-length: 0", "")), FAILED, "it wants authorization").unusable(),
    fault("init-403", Act::Initialize(|connection, _| connection.status(403)), FAILED, "it forbids").unusable(),
    fault("init-404", Act::Initialize(|connection, _| connection.body(404, "text/html", "<h1>Not found</h1>")), FAILED, "there is no MCP at this address").unusable(),
    fault("init-405", Act::Initialize(|connection, _| connection.status(405)), FAILED, "it doesn't take POST").unusable(),
    fault("init-500", Act::Initialize(|connection, _| connection.status(500)), FAILED, "it fails").unusable(),
    fault("init-202", Act::Initialize(|connection, _| connection.status(202)), FAILED, "it accepts initialize and never answers it").unusable(),
    fault("init-html", Act::Initialize(|connection, _| connection.body(200, "text/html", "<h1>Welcome</h1>")), FAILED, "a web page instead of an answer").unusable(),
    fault("init-empty", Act::Initialize(|connection, _| connection.json(200, "")), FAILED, "an empty body instead of an answer").unusable(),
    fault("init-never", Act::Initialize(|connection, _| connection.hang()), FAILED, "it never answers initialize").unusable().within_secs(6),
    fault("init-error", Act::Initialize(error), FAILED, "it refuses to initialise").unusable(),
    fault("init-other-id", Act::Initialize(other_id), FAILED, "the answer to initialize has another id").unusable(),
    fault("init-null-id-error", Act::Initialize(|connection, _| connection.json(400, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad"}}"#)), FAILED, "initialize is answered by an error without an id").unusable(),
    fault("init-version-nonsense", Act::Initialize(version_nonsense), FAILED, "it speaks a version that doesn't exist").unusable(),
    fault("init-no-session", Act::Initialize(no_session), FINE, "it keeps no session, which is no fault"),
    fault("init-events", Act::Initialize(events), FINE, "it answers initialize on an event stream and leaves it open"),
    fault("initialized-500", Act::Initialized(|connection, _| connection.status(500)), FAILED, "it fails once it is initialised").unusable(),
    fault("initialized-never", Act::Initialized(|connection, _| connection.hang()), FAILED, "it never takes the notification that it is initialised").unusable().within_secs(6),
    fault("list-202", Act::List(|connection, _| connection.status(202)), FINE, "it accepts the question for its tools and never answers it"),
    fault("list-500", Act::List(|connection, _| connection.status(500)), FINE, "it fails to say its tools"),
    fault("list-never", Act::List(|connection, _| connection.hang()), FAILED, "the list never comes").unusable().within_secs(6),
    fault("list-cut", Act::List(list_cut), FINE, "it closes within the list"),
    fault("initialized-200", Act::Initialized(|connection, _| connection.json(200, "{}")), FINE, "it answers a notification with a body"),
];

fn error(connection: &mut Connection, request: &Request) {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32000,"message":"no licence"}}}}"#,
        request.id
    );
    connection.json(200, &text);
}

fn other_id(connection: &mut Connection, request: &Request) {
    let other = Request { id: "1000".to_owned(), message: request.message.clone(), ..blank() };
    connection.json(200, &initialize_text(&other));
}

fn version_nonsense(connection: &mut Connection, request: &Request) {
    let result = r#"{"protocolVersion":"banana","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}"#;
    connection.json(200, &answer_text(request, result));
}

fn no_session(connection: &mut Connection, request: &Request) {
    connection.json(200, &initialize_text(request));
}

fn events(connection: &mut Connection, request: &Request) {
    connection.events();
    connection.event(&format!("data: {}", initialize_text(request)));
    connection.hang();
}

fn list_cut(connection: &mut Connection, _request: &Request) {
    connection.response(200, "content-type: application/json\r\ncontent-length: 9000", "{");
    connection.close();
}

fn blank() -> Request {
    Request {
        http_method: String::new(),
        path: String::new(),
        headers: Default::default(),
        id: String::new(),
        method: String::new(),
        message: Default::default(),
    }
}
