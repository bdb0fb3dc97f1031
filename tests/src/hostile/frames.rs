//! Answers that are no JSON-RPC: the client can't use them, and mustn't wait for another.

use callgate::Cause;

use super::{Act, Expect, Fault, Request, Server, fault};

const BROKEN: Expect = Expect::OutcomeUnknown(Cause::ProtocolViolation);
const LATE: Expect = Expect::OutcomeUnknown(Cause::Timeout);

/// A mode that answers the first call with one line, in which `ID` stands for the id.
macro_rules! frame {
    ($mode:literal, $line:expr, $expect:expr, $why:literal) => {
        fault(
            $mode,
            Act::Call(|server: &mut Server, request: &Request| {
                server.line(($line).replace("ID", &request.id));
            }),
            $expect,
            $why,
        )
    };
}

pub(super) const FAULTS: &[Fault] = &[
    frame!(
        "no-jsonrpc",
        r#"{"id":ID,"result":{"content":[]}}"#,
        BROKEN,
        "the member jsonrpc is missing"
    ),
    frame!(
        "old-jsonrpc",
        r#"{"jsonrpc":"1.0","id":ID,"result":{"content":[]}}"#,
        BROKEN,
        "another version of JSON-RPC"
    ),
    frame!(
        "result-and-error",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[]},"error":{"code":1,"message":"m"}}"#,
        BROKEN,
        "both a result and an error"
    ),
    frame!(
        "result-and-method",
        r#"{"jsonrpc":"2.0","id":ID,"method":"ping","result":{"content":[]}}"#,
        BROKEN,
        "a request with a result"
    ),
    frame!("neither", r#"{"jsonrpc":"2.0","id":ID}"#, BROKEN, "neither a result nor an error"),
    frame!(
        "code-string",
        r#"{"jsonrpc":"2.0","id":ID,"error":{"code":"EFAIL","message":"m"}}"#,
        BROKEN,
        "the code of the error is text"
    ),
    frame!(
        "code-float",
        r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32000.5,"message":"m"}}"#,
        BROKEN,
        "the code of the error is no integer"
    ),
    frame!(
        "code-missing",
        r#"{"jsonrpc":"2.0","id":ID,"error":{"message":"m"}}"#,
        BROKEN,
        "the error has no code"
    ),
    frame!(
        "message-missing",
        r#"{"jsonrpc":"2.0","id":ID,"error":{"code":1}}"#,
        BROKEN,
        "the error has no message"
    ),
    frame!(
        "error-string",
        r#"{"jsonrpc":"2.0","id":ID,"error":"it failed"}"#,
        BROKEN,
        "the error is text"
    ),
    frame!("error-null", r#"{"jsonrpc":"2.0","id":ID,"error":null}"#, BROKEN, "the error is null"),
    frame!(
        "batch",
        r#"[{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}]"#,
        BROKEN,
        "a batch, which MCP no longer has"
    ),
    frame!(
        "lone-surrogate",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"\ud83d"}]}}"#,
        BROKEN,
        "half a surrogate pair"
    ),
    frame!(
        "id-string",
        r#"{"jsonrpc":"2.0","id":"ID","result":{"content":[]}}"#,
        BROKEN,
        "the id is the number as text"
    ),
    frame!(
        "id-float",
        r#"{"jsonrpc":"2.0","id":ID.0,"result":{"content":[]}}"#,
        BROKEN,
        "the id is spelt as a fraction"
    ),
    frame!(
        "id-array",
        r#"{"jsonrpc":"2.0","id":[ID],"result":{"content":[]}}"#,
        BROKEN,
        "the id is in an array"
    ),
    frame!(
        "id-null",
        r#"{"jsonrpc":"2.0","id":null,"result":{"content":[]}}"#,
        BROKEN,
        "a result for the id null"
    ),
    frame!(
        "id-missing",
        r#"{"jsonrpc":"2.0","result":{"content":[]}}"#,
        BROKEN,
        "a result without an id"
    ),
    frame!(
        "id-null-error",
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}"#,
        Expect::Rejected(-32700),
        "an error for the id null: the server couldn't read the request"
    ),
    frame!(
        "id-missing-error",
        r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid request"}}"#,
        Expect::Rejected(-32600),
        "an error without an id"
    ),
    frame!(
        "id-twice",
        r#"{"jsonrpc":"2.0","id":ID,"id":ID,"result":{"content":[]}}"#,
        BROKEN,
        "the member id twice"
    ),
    frame!(
        "id-twice-different",
        r#"{"jsonrpc":"2.0","id":ID,"id":999,"result":{"content":[]}}"#,
        BROKEN,
        "two different ids"
    ),
    frame!(
        "result-twice",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[]},"result":{"content":[]}}"#,
        BROKEN,
        "the member result twice"
    ),
    frame!(
        "cut-short",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":["#,
        BROKEN,
        "the end is missing"
    ),
    frame!(
        "pretty-printed",
        "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": ID,\n  \"result\": {\"content\": []}\n}",
        LATE,
        "one message over several lines, none of which looks like one"
    )
    .within_secs(5),
    frame!(
        "trailing-garbage",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[]}} ok"#,
        BROKEN,
        "something after the message"
    ),
    frame!(
        "trailing-comma",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[],}}"#,
        BROKEN,
        "a comma too many"
    ),
    frame!(
        "single-quotes",
        r#"{'jsonrpc':'2.0','id':ID,'result':{}}"#,
        LATE,
        "Python's spelling, which can't be told from a log line"
    )
    .within_secs(5),
    frame!(
        "not-a-number",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"structuredContent":{"x":NaN}}}"#,
        BROKEN,
        "a number that JSON doesn't have"
    ),
    frame!(
        "control-character",
        "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\u{1}\"}]}}",
        BROKEN,
        "a raw control character in a string"
    ),
    fault("bad-utf8", Act::Call(bad_utf8), BROKEN, "bytes that are not UTF-8"),
    fault("utf16", Act::Call(utf16), LATE, "UTF-16, which looks like no message at all")
        .within_secs(5),
    fault(
        "nested-200",
        Act::Call(|server, request| nested(server, request, 200)),
        BROKEN,
        "200 levels of arrays",
    ),
    fault(
        "nested-100000",
        Act::Call(|server, request| nested(server, request, 100_000)),
        BROKEN,
        "100,000 levels of arrays",
    ),
];

fn bad_utf8(server: &mut Server, request: &Request) {
    let mut line = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"x":"#, request.id).into_bytes();
    line.extend(b"\"\xc3\x28\xff\"}}");
    server.line(line);
}

fn utf16(server: &mut Server, request: &Request) {
    let line = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[]}}}}"#, request.id);
    let bytes: Vec<u8> = line.encode_utf16().flat_map(u16::to_le_bytes).collect();
    server.line(bytes);
}

fn nested(server: &mut Server, request: &Request, levels: usize) {
    let value = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    server.answer(request, &format!(r#"{{"structuredContent":{value}}}"#));
}
