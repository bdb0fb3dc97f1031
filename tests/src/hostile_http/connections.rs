//! Servers that can't be talked to at all.

use std::{
    io,
    net::{TcpListener, TcpStream},
    thread,
};

use callgate::Cause;

use super::{Act, Connection, HttpFault, fault};
use crate::hostile::Expect;

const FAILED: Expect = Expect::NotSent(Cause::ConnectFailed);

pub(super) const FAULTS: &[HttpFault] = &[
    fault("connect-refused", Act::Start(refused), FAILED, "nobody listens").unusable(),
    fault("connect-silent", Act::Start(silent), FAILED, "the connection stands and nobody reads")
        .unusable()
        .within_secs(6),
    fault(
        "connect-closes",
        Act::Connect(Connection::close),
        FAILED,
        "it closes every connection at once",
    )
    .unusable(),
    fault(
        "connect-resets",
        Act::Connect(resets),
        FAILED,
        "it resets every connection once a request has come",
    )
    .unusable(),
    fault(
        "connect-tls",
        Act::Connect(|connection| last_words(connection, b"\x15\x03\x03\x00\x02\x02\x28")),
        FAILED,
        "it speaks TLS",
    )
    .unusable(),
    fault(
        "connect-ssh",
        Act::Connect(|connection| last_words(connection, b"SSH-2.0-OpenSSH_9.9\r\n")),
        FAILED,
        "it speaks SSH",
    )
    .unusable(),
    fault(
        "connect-http2",
        Act::Connect(|connection| last_words(connection, b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")),
        FAILED,
        "it speaks HTTP/2 without being asked",
    )
    .unusable(),
    fault(
        "connect-http09",
        Act::Connect(|connection| last_words(connection, b"<html>hello</html>")),
        FAILED,
        "it answers without a head, as before HTTP/1.0",
    )
    .unusable(),
];

/// An address where nobody listens any more.
fn refused() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    Ok(format!("http://{}/mcp", listener.local_addr()?))
}

/// An address where the system accepts connections and nobody looks at them.
fn silent() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        let _connections_stay_open: Vec<TcpStream> = listener.incoming().flatten().collect();
    });
    Ok(format!("http://{address}/mcp"))
}

/// The system resets a connection that is closed with bytes unread.
fn resets(connection: &mut Connection) {
    connection.wait_for_a_byte();
    connection.close();
}

fn last_words(connection: &mut Connection, bytes: &[u8]) {
    connection.wait_for_a_byte();
    connection.raw(bytes);
    connection.close();
}
