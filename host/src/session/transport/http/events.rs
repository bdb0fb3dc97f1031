//! Server-sent events, read from a response with bounds on size and silence.

use std::{collections::VecDeque, time::Duration};

use bytes::{Buf, BytesMut};
use tokio::time::timeout;

use super::reply;
use crate::call::{Cause, Failure};

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// The field `event`; empty means `message`.
    pub(super) name: Vec<u8>,
    /// The lines of `data`, joined.
    pub(super) data: Vec<u8>,
    /// The field `id`: where to resume.
    pub(super) id: Option<String>,
    /// The field `retry`.
    pub(super) retry: Option<Duration>,
}

impl Event {
    /// Whether there is a message of MCP in it. The others keep the stream alive or say where to resume.
    pub(super) fn is_message(&self) -> bool {
        matches!(&self.name[..], b"" | b"message") && !self.data.trim_ascii().is_empty()
    }
}

/// The events of one response.
pub(super) struct EventStream {
    response: reqwest::Response,
    parser: EventParser,
    silence: Duration,
}

impl EventStream {
    /// `max_bytes` bounds one event, `silence` the time without a byte.
    pub(super) fn new(response: reqwest::Response, max_bytes: usize, silence: Duration) -> Self {
        Self { response, parser: EventParser::new(max_bytes), silence }
    }

    /// The next event; `None` when the stream has ended in good order.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, Failure> {
        loop {
            if let Some(event) = self.parser.next() {
                return Ok(Some(event));
            }
            match timeout(self.silence, self.response.chunk()).await {
                Err(_) => {
                    return Err(Failure::new(Cause::Timeout, "the event stream fell silent"));
                }
                Ok(Err(error)) => return Err(reply::broken(error)),
                Ok(Ok(None)) => return Ok(None),
                Ok(Ok(Some(chunk))) => self.parser.feed(&chunk)?,
            }
        }
    }

    /// Reads on to the end of an answered stream, because only then its connection can serve again.
    pub(super) async fn linger(mut self, at_most: Duration) {
        let rest = async { while let Ok(Some(_)) = self.response.chunk().await {} };
        let _without_it_a_new_connection_is_made = timeout(at_most, rest).await;
    }
}

/// Bytes into events (HTML standard, section 9.2.6).
#[derive(Debug)]
pub(super) struct EventParser {
    max_bytes: usize,
    /// The line that isn't complete yet.
    line: BytesMut,
    /// The event that isn't complete yet, and whether it has any field.
    event: Event,
    has_field: bool,
    /// The last byte was a carriage return, so that a line feed belongs to it.
    after_return: bool,
    is_first_line: bool,
    complete: VecDeque<Event>,
}

impl EventParser {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            line: BytesMut::new(),
            event: Event::default(),
            has_field: false,
            after_return: false,
            is_first_line: true,
            complete: VecDeque::new(),
        }
    }

    pub(super) fn next(&mut self) -> Option<Event> {
        self.complete.pop_front()
    }

    pub(super) fn feed(&mut self, mut chunk: &[u8]) -> Result<(), Failure> {
        while !chunk.is_empty() {
            if std::mem::take(&mut self.after_return) && chunk[0] == b'\n' {
                chunk.advance(1);
                continue;
            }
            let Some(end) = memchr::memchr2(b'\n', b'\r', chunk) else {
                self.line.extend_from_slice(chunk);
                return self.check_size();
            };
            self.after_return = chunk[end] == b'\r';
            if self.line.is_empty() {
                self.take_line(&chunk[..end]);
            } else {
                self.line.extend_from_slice(&chunk[..end]);
                let line = self.line.split();
                self.take_line(&line);
            }
            self.check_size()?;
            chunk.advance(end + 1);
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), Failure> {
        if self.event.data.len() + self.line.len() > self.max_bytes {
            return Err(Failure::new(
                Cause::TooLarge,
                format!("an event is larger than {} bytes", self.max_bytes),
            ));
        }
        Ok(())
    }

    fn take_line(&mut self, mut line: &[u8]) {
        if std::mem::take(&mut self.is_first_line) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            if std::mem::take(&mut self.has_field) {
                self.complete.push_back(event);
            }
            return;
        }
        let (name, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        self.take_field(name, value);
    }

    /// A line that starts with a colon is a comment: it has a field without a name, which is unknown like any other.
    fn take_field(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"event" => self.event.name = value.to_vec(),
            b"data" => {
                if !self.event.data.is_empty() {
                    self.event.data.push(b'\n');
                }
                self.event.data.extend_from_slice(value);
            }
            b"id" if !value.contains(&0) => {
                self.event.id = std::str::from_utf8(value).ok().map(str::to_owned);
            }
            b"retry" => {
                let millis = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
                self.event.retry = millis.map(Duration::from_millis);
            }
            _ => return,
        }
        self.has_field = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<Event> {
        let mut parser = EventParser::new(1000);
        for chunk in chunks {
            parser.feed(chunk).unwrap();
        }
        std::iter::from_fn(|| parser.next()).collect()
    }

    #[test]
    fn events_do_not_depend_on_where_the_chunks_end() {
        let text = b"\xef\xbb\xbfid: 7\r\nretry: 20\r\ndata: a\r\ndata: b\r\n\r\n: still here\n\nevent:ping\ndata\n\ndata:c\r\r";
        let whole = events(&[text]);

        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        let in_pieces = events(&bytes);

        assert_eq!(whole, in_pieces);
        assert_eq!(whole.len(), 3);
        assert_eq!(whole[0].data, b"a\nb");
        assert_eq!(whole[0].id.as_deref(), Some("7"));
        assert_eq!(whole[0].retry, Some(Duration::from_millis(20)));
        assert!(!whole[1].is_message());
        assert!(whole[2].is_message());
    }

    #[test]
    fn an_event_without_its_empty_line_is_not_an_event() {
        assert_eq!(events(&[b"data: cut\n"]), []);
    }

    #[test]
    fn an_event_over_the_limit_is_refused_before_it_is_complete() {
        let mut parser = EventParser::new(10);

        let failure = parser.feed(b"data: 12345678901").unwrap_err();

        assert_eq!(failure.cause, Cause::TooLarge);
    }

    #[test]
    fn many_small_lines_are_bounded_like_one_large_line() {
        let mut parser = EventParser::new(100);

        let outcome = (0..100).try_for_each(|_| parser.feed(b"data: 0123456789\n"));

        assert_eq!(outcome.unwrap_err().cause, Cause::TooLarge);
    }

    #[test]
    fn comments_without_end_take_no_memory() {
        let mut parser = EventParser::new(100);

        for _ in 0..10_000 {
            parser.feed(b": still here\n\n").unwrap();
        }

        assert!(parser.line.is_empty());
        assert!(parser.complete.is_empty());
    }
}
