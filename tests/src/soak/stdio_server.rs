//! The soak's server over standard input and output.

use std::{
    io::{self, Write as _},
    os::fd::{FromRawFd as _, OwnedFd},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use serde_json::{Value, json};

use super::{
    mood::Delivery,
    tools::{ToolRequest, Tools, error},
};

/// Serves until the input ends or a mood ends it.
pub fn serve(tools: Tools) {
    let tools = Arc::new(tools);
    for line in io::stdin().lines() {
        let Ok(line) = line else { return };
        if let Ok(message) = serde_json::from_str::<Value>(&line) {
            handle(&tools, &message);
        }
    }
}

fn handle(tools: &Arc<Tools>, message: &Value) {
    let Some(id) = message.get("id").map(Value::to_string) else { return };
    match message["method"].as_str() {
        Some("initialize") => {
            tools.session_opened();
            say(&frame(&id, &format!(r#""result":{}"#, Tools::introduction(message))));
        }
        Some("tools/list") => say(&frame(&id, &format!(r#""result":{}"#, Tools::list()))),
        Some("tools/call") => call(tools, id, &ToolRequest::read(message)),
        Some("ping") => say(&frame(&id, r#""result":{}"#)),
        Some(_) => say(&frame(&id, &error(-32_601, "method not found"))),
        // An answer, and nothing was asked.
        None => {}
    }
}

fn call(tools: &Arc<Tools>, id: String, request: &ToolRequest) {
    let delivery = tools.draw_delivery();
    if delivery == Delivery::LostBefore {
        process::exit(3);
    }
    let member = tools.carry_out(request);
    let mut hold = request.hold;
    if delivery == Delivery::Late {
        hold += tools.draw_delay();
    }
    if hold.is_zero() {
        return deliver(delivery, &id, &member);
    }
    // The client bounds how many calls are under way.
    thread::spawn(move || {
        thread::park_timeout(hold);
        deliver(delivery, &id, &member);
    });
}

fn deliver(delivery: Delivery, id: &str, member: &str) {
    let answer = frame(id, member);
    match delivery {
        Delivery::Plain | Delivery::Late => say(&answer),
        Delivery::Silent | Delivery::LostBefore => {}
        Delivery::LostAfter => process::exit(4),
        Delivery::Cut => {
            say(&answer[..answer.len() / 2]);
            process::exit(5);
        }
        Delivery::Garbage => say(&format!("}}{{ nonsense \u{7f}\n{answer}")),
        Delivery::Misaddressed => say(&frame(r#""nobody""#, member)),
        Delivery::Doubled => say(&answer.repeat(2)),
        Delivery::Mute => close_output(),
        Delivery::Leaving => {
            say(&answer);
            process::exit(0);
        }
        Delivery::Chatter => {
            let noise = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            let _nobody_may_read_it = io::stderr().write_all(&[b'.'; 64 << 10]);
            say(&format!("{}{answer}", format!("{noise}\n").repeat(50)));
        }
    }
}

fn frame(id: &str, member: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{member}}}\n")
}

/// Says it at once and as one piece. When nobody listens any more, there is nothing left to do.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        process::exit(1);
    }
}

fn close_output() {
    static IS_CLOSED: AtomicBool = AtomicBool::new(false);
    // Whoever writes has the lock, so nobody is in the middle of a write.
    let _lock = io::stdout().lock();
    if !IS_CLOSED.swap(true, Ordering::Relaxed) {
        // SAFETY: the stream is open as it was at the start, and closed only here, once. No file is opened afterwards that
        // could take its number, so whoever writes from now on writes nowhere.
        drop(unsafe { OwnedFd::from_raw_fd(1) });
    }
}
