//! Tool lists that are wrong, or never end. A call needs no list, so most of them do no harm.

use callgate::Cause;

use super::{
    Act, Expect, Fault, Request, Server, fault,
    server::{ECHO, SIDE_EFFECT},
};

const FINE: Expect = Expect::Output(r#"{"x":1}"#);
const FAILED: Expect = Expect::NotSent(Cause::ConnectFailed);

pub(super) const FAULTS: &[Fault] = &[
    fault("list-never", Act::List(|_, _| ()), FAILED, "the list never comes")
        .unusable()
        .within_secs(6),
    fault(
        "list-error",
        Act::List(|server, request| {
            server.error(request, r#"{"code":-32601,"message":"no list"}"#)
        }),
        FINE,
        "there is no list",
    ),
    fault(
        "list-null",
        Act::List(|server, request| server.answer(request, "null")),
        FINE,
        "the list is null",
    ),
    fault(
        "list-text",
        Act::List(|server, request| server.answer(request, r#"{"tools":"echo"}"#)),
        FINE,
        "the tools are text",
    ),
    fault(
        "list-broken",
        Act::List(|server, request| {
            server.line(format!(r#"{{"id":{},"result":{{"tools":[]}}}}"#, request.id))
        }),
        FINE,
        "the list isn't JSON-RPC",
    ),
    fault(
        "list-empty",
        Act::List(|server, request| server.answer(request, r#"{"tools":[]}"#)),
        FINE,
        "the list is empty, and the tools are there",
    ),
    fault(
        "list-cycle",
        Act::List(|server, request| page(server, request, "again")),
        FINE,
        "the next page is always the same",
    ),
    fault(
        "list-empty-cursor",
        Act::List(|server, request| page(server, request, "")),
        FINE,
        "the cursor of the next page is empty",
    ),
    fault("list-endless", Act::List(endless), FINE, "there is always another page"),
    fault("list-huge", Act::List(huge), FINE, "a page of 50,000 tools").within_secs(6),
    fault(
        "list-twice-named",
        Act::List(|server, request| {
            server.answer(request, &format!(r#"{{"tools":[{ECHO},{SIDE_EFFECT},{ECHO}]}}"#))
        }),
        FINE,
        "two tools have the same name",
    ),
    fault(
        "list-odd-tool",
        Act::List(|server, request| {
            server.answer(request, &format!(r#"{{"tools":[{ECHO},{{"name":""}},{{"title":5}}]}}"#))
        }),
        FINE,
        "tools without a name or a schema",
    ),
];

fn page(server: &mut Server, request: &Request, next: &str) {
    server.answer(request, &format!(r#"{{"tools":[{ECHO}],"nextCursor":"{next}"}}"#));
}

fn endless(server: &mut Server, request: &Request) {
    let page = request.message["params"]["cursor"].as_str().and_then(|page| page.parse().ok());
    let page: u64 = page.unwrap_or(0);
    server.answer(request, &format!(r#"{{"tools":[{ECHO}],"nextCursor":"{}"}}"#, page + 1));
}

fn huge(server: &mut Server, request: &Request) {
    let tools: Vec<String> = (0..50_000)
        .map(|n| format!(r#"{{"name":"tool{n}","inputSchema":{{"type":"object"}}}}"#))
        .collect();
    server.answer(request, &format!(r#"{{"tools":[{}]}}"#, tools.join(",")));
}
