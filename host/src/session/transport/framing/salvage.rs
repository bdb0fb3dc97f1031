//! Finds out whose a broken frame is: looks for the top-level members of something that may not even be JSON.
//!
//! [`IdScan`] takes bytes in pieces and keeps almost none, so that it also works on a line that is too big to keep. It
//! reads batches (`[{..}, {..}]`) as the messages in them. [`first_flaw`] is its counterpart for JSON that is well formed.

use rmcp::model::RequestId;

/// Longest member name, and longest value of `id`, that are looked at, in bytes.
pub(super) const MAX_TOKEN: usize = 96;

/// What could be told of a frame that is no message.
#[derive(Debug, Default)]
pub(super) struct IdScan {
    bytes: usize,
    depth: usize,
    /// Depth of the members that count: 1, or 2 in a batch.
    message_depth: usize,
    state: State,
    token: Vec<u8>,
    ids: Vec<RequestId>,
    contradicts_itself: bool,
    saw: Members,
}

/// Which members of JSON-RPC there are.
#[derive(Clone, Copy, Debug, Default)]
struct Members {
    id: bool,
    method: bool,
    answer: bool,
    jsonrpc: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Between tokens; the next string at the depth of the message is a member's name.
    #[default]
    BeforeName,
    /// In a string that is a name.
    Name,
    /// In a string that is a name, after a backslash.
    NameEscape,
    AfterName,
    /// At the value of `id`.
    Id,
    /// At another value.
    Value,
    /// In a string in a value.
    Text {
        of_id: bool,
    },
    /// In a string in a value, after a backslash.
    TextEscape {
        of_id: bool,
    },
}

impl IdScan {
    /// Looks at the whole of a line.
    pub(super) fn of(line: &[u8]) -> Self {
        let mut scan = Self::default();
        scan.feed(line);
        scan
    }

    /// Looks at the next piece.
    pub(super) fn feed(&mut self, piece: &[u8]) {
        self.bytes += piece.len();
        let mut at = 0;
        while let Some(&byte) = piece.get(at) {
            self.step(byte);
            at += 1;
            if self.state == (State::Text { of_id: false }) {
                // Most of what is big is one long string.
                at += memchr::memchr2(b'"', b'\\', &piece[at..]).unwrap_or(piece.len() - at);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The ids of the requests that this would answer. None when it contradicts itself, or when it is the server's own
    /// request.
    pub(super) fn answered_ids(&self) -> &[RequestId] {
        if self.contradicts_itself || self.is_a_request() { &[] } else { &self.ids }
    }

    /// Whether it is certain whose this is before it is over.
    pub(super) fn is_decided(&self) -> bool {
        self.message_depth == 1 && self.saw.answer && !self.answered_ids().is_empty()
    }

    /// Whether this was meant to be an answer to something; log lines are not.
    pub(super) fn may_be_an_answer(&self) -> bool {
        !self.is_a_request() && (self.saw.id || self.saw.answer || self.saw.jsonrpc)
    }

    /// Or a notification.
    fn is_a_request(&self) -> bool {
        self.saw.method && !self.saw.answer
    }

    fn step(&mut self, byte: u8) {
        match self.state {
            State::Name | State::NameEscape => self.step_name(byte),
            State::Text { of_id } | State::TextEscape { of_id } => self.step_text(byte, of_id),
            State::BeforeName | State::AfterName | State::Id | State::Value => {
                self.step_outside(byte)
            }
        }
    }

    fn step_name(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (State::NameEscape, _) => State::Name,
            (_, b'\\') => State::NameEscape,
            (_, b'"') => State::AfterName,
            _ => {
                self.keep(byte);
                State::Name
            }
        };
    }

    fn step_text(&mut self, byte: u8, of_id: bool) {
        if of_id {
            self.keep(byte);
        }
        self.state = match (self.state, byte) {
            (State::TextEscape { .. }, _) => State::Text { of_id },
            (_, b'\\') => State::TextEscape { of_id },
            (_, b'"') if of_id => State::Id,
            (_, b'"') => State::Value,
            _ => State::Text { of_id },
        };
    }

    fn step_outside(&mut self, byte: u8) {
        match byte {
            b'"' if self.state == State::BeforeName && self.depth == self.message_depth => {
                self.token.clear();
                self.state = State::Name;
            }
            b'"' => {
                let of_id = self.state == State::Id;
                if of_id {
                    self.keep(byte);
                }
                self.state = State::Text { of_id };
            }
            b':' if self.state == State::AfterName => self.begin_value(),
            b'{' | b'[' => self.enter(byte),
            b'}' | b']' => self.leave(),
            b',' if self.depth == self.message_depth => self.end_value(),
            _ if self.state == State::Id => self.keep(byte),
            _ => {}
        }
    }

    fn enter(&mut self, byte: u8) {
        if self.state == State::Id {
            // An array or an object is no id.
            self.state = State::Value;
        }
        self.depth += 1;
        // A batch is an array of messages: its members are one level deeper.
        if self.message_depth == 0 {
            self.message_depth = if byte == b'[' { 2 } else { 1 };
        }
        if self.depth == self.message_depth {
            self.state = State::BeforeName;
        }
    }

    fn leave(&mut self) {
        if self.depth == self.message_depth {
            self.end_value();
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn begin_value(&mut self) {
        self.state = State::Value;
        match self.token.as_slice() {
            b"id" => {
                self.saw.id = true;
                self.state = State::Id;
            }
            b"method" => self.saw.method = true,
            b"result" | b"error" => self.saw.answer = true,
            b"jsonrpc" => self.saw.jsonrpc = true,
            _ => {}
        }
        self.token.clear();
    }

    fn end_value(&mut self) {
        if self.state == State::Id {
            self.take_id();
        }
        self.state = State::BeforeName;
    }

    fn take_id(&mut self) {
        let token = std::mem::take(&mut self.token);
        let Some(id) = std::str::from_utf8(&token).ok().and_then(lenient_id) else { return };
        if self.ids.contains(&id) {
            return;
        }
        // Two ids in one message: neither may be blamed for it.
        self.contradicts_itself |= self.message_depth == 1 && !self.ids.is_empty();
        self.ids.push(id);
    }

    fn keep(&mut self, byte: u8) {
        if self.token.len() < MAX_TOKEN {
            self.token.push(byte);
        }
    }
}

/// The request id that somebody meant who wrote `7`, `7.0`, `7e0` or `"7"`.
pub(super) fn lenient_id(text: &str) -> Option<RequestId> {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return Some(
            quoted.parse().map_or_else(|_| RequestId::String(quoted.into()), RequestId::Number),
        );
    }
    if let Ok(number) = text.parse() {
        return Some(RequestId::Number(number));
    }
    let number: f64 = text.parse().ok()?;
    // Only where a float says exactly one integer.
    (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0)
        .then_some(RequestId::Number(number as i64))
}

/// What well-formed JSON may hold and no reader can take: the first such thing in `json`.
///
/// serde_json skips over a value without looking at either, so that the one who reads it later would fail.
pub(super) fn first_flaw(json: &str, max_nesting: usize) -> Option<&'static str> {
    let bytes = json.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => match end_of_string(bytes, at + 1) {
                Ok(end) => at = end,
                Err(flaw) => return Some(flaw),
            },
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > max_nesting {
            return Some("it nests too deep");
        }
        at += 1;
    }
    None
}

/// Where the string that begins at `at` has its closing quote.
fn end_of_string(bytes: &[u8], mut at: usize) -> Result<usize, &'static str> {
    const LONE: &str = "it has half a surrogate pair";
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return Ok(at);
        }
        at = match escaped_unit(&bytes[at..]) {
            Some(0xD800..=0xDBFF) => match escaped_unit(&bytes[at + 6..]) {
                Some(0xDC00..=0xDFFF) => at + 12,
                _ => return Err(LONE),
            },
            Some(0xDC00..=0xDFFF) => return Err(LONE),
            Some(_) => at + 6,
            None => at + 2,
        };
    }
    Ok(bytes.len())
}

/// The UTF-16 unit that `\uXXXX` at the beginning of `bytes` stands for.
fn escaped_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
