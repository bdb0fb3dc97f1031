//! The tools of the soak's servers, the same over every transport: whatever they do is in the ledger before it is told.

use std::{
    io,
    path::Path,
    process,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    ledger::Ledger,
    mood::{Deed, Delivery},
    settings::Spoil,
};
use crate::dice::Dice;

/// The tools, and where they write down what they do.
#[derive(Debug)]
pub struct Tools {
    ledger: Ledger,
    /// Locked to draw, never longer.
    dice: Mutex<Dice>,
    spoil: Option<Spoil>,
}

/// One call, as a server reads it.
#[derive(Debug)]
pub(super) struct ToolRequest {
    tool: String,
    token: u64,
    /// How long the tool takes.
    pub(super) hold: Duration,
}

/// The server's errors say by their codes whether the tool did its work.
pub(super) const UNDONE: i64 = -32_001;
pub(super) const DONE: i64 = -32_002;

/// Of a thousand calls, those that are spoilt.
const SPOILT_PER_MILLE: u64 = 20;

impl ToolRequest {
    pub(super) fn read(message: &Value) -> Self {
        let params = &message["params"];
        let arguments = &params["arguments"];
        Self {
            tool: params["name"].as_str().unwrap_or_default().to_owned(),
            token: arguments["token"].as_u64().unwrap_or_default(),
            hold: Duration::from_millis(arguments["hold_ms"].as_u64().unwrap_or_default()),
        }
    }
}

impl Tools {
    /// Tools that write into the ledger at `path`.
    ///
    /// # Errors
    ///
    /// When it can't be opened.
    pub fn open(path: &Path, seed: u64, spoil: Option<Spoil>) -> io::Result<Self> {
        // Each process has a chance of its own: all of them with the same would do the same.
        let dice = Dice::new(seed ^ u64::from(process::id()));
        Ok(Self { ledger: Ledger::open(path)?, dice: Mutex::new(dice), spoil })
    }

    /// The result of `tools/list`.
    pub(super) fn list() -> Value {
        let tool = |name, annotations| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": annotations});
        json!({"tools": [
            {"name": "add", "inputSchema": {"type": "object"}},
            tool("look", json!({"readOnlyHint": true})),
            tool("put", json!({"idempotentHint": true})),
            tool("slow", json!({"readOnlyHint": true})),
        ]})
    }

    /// What every server says of itself, to the one who said `message`.
    pub(super) fn introduction(message: &Value) -> Value {
        json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": "soak-server", "version": "1"},
        })
    }

    pub(super) fn session_opened(&self) {
        self.ledger.session().expect("the ledger can be written");
    }

    pub(super) fn draw_delivery(&self) -> Delivery {
        let delivery = Delivery::draw(&mut self.dice());
        if delivery != Delivery::Plain {
            self.ledger.mood(&format!("{delivery:?}")).expect("the ledger can be written");
        }
        delivery
    }

    /// How much later than due a late answer comes.
    pub(super) fn draw_delay(&self) -> Duration {
        self.dice().millis(300..3000)
    }

    /// Does what is asked, mostly, and gives back the member of the answer that tells of it.
    pub(super) fn carry_out(&self, request: &ToolRequest) -> String {
        let deed = Deed::draw(&mut self.dice());
        if deed.is_done() {
            self.work(request);
        }
        let output = json!({"token": request.token, "done": deed.is_done()});
        match deed {
            Deed::Work => result(&output, false),
            Deed::FailUndone | Deed::FailDone => result(&output, true),
            Deed::RejectUndone => error(UNDONE, "the tool was not called"),
            Deed::RejectDone => error(DONE, "the tool was called, and its answer got lost"),
        }
    }

    fn work(&self, request: &ToolRequest) {
        let is_spoilt = request.tool == "add" && self.dice().happens(SPOILT_PER_MILLE);
        let times = match self.spoil {
            Some(Spoil::Twice) if is_spoilt => 2,
            Some(Spoil::Lie) if is_spoilt => 0,
            _ => 1,
        };
        for _ in 0..times {
            self.ledger.done(request.token).expect("the ledger can be written");
        }
    }

    fn dice(&self) -> std::sync::MutexGuard<'_, Dice> {
        self.dice.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn result(output: &Value, is_error: bool) -> String {
    let result = json!({"content": [], "structuredContent": output, "isError": is_error});
    format!(r#""result":{result}"#)
}

pub(super) fn error(code: i64, message: &str) -> String {
    format!(r#""error":{}"#, json!({"code": code, "message": message}))
}
