//! The one place that prints: results to stdout, everything else to stderr.
#![expect(clippy::disallowed_methods, reason = "this is the one place that may")]

use std::io::{self, Write};

/// Writes a result, and a line feed, to stdout.
///
/// # Errors
///
/// When stdout can't be written, a closed pipe included: a result that nobody gets is not a success.
pub(super) fn result(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// Says to stderr what is wrong. Control characters of servers and guests don't reach the terminal.
pub(super) fn complain(text: &str) {
    say("error", text);
}

/// Says to stderr what may matter.
pub(super) fn warn(text: &str) {
    say("warning", text);
}

/// Repeats on stderr what a workflow wrote to one of its logs.
pub(super) fn logged(stream: &str, line: &str) {
    say(stream, line);
}

/// Says to stderr what is good to know.
pub(super) fn note(text: &str) {
    say("note", text);
}

/// Where the log goes.
pub(crate) fn log() -> io::Stderr {
    io::stderr()
}

fn say(kind: &str, text: &str) {
    let _stderr_may_be_closed = writeln!(io::stderr().lock(), "{kind}: {}", clean(text));
}

/// The words of a workflow with all lines but the first set in, so that none can be taken for one of the command's own.
pub(super) fn set_in(text: &str) -> String {
    text.replace('\n', "\n  ")
}

/// A text without what a terminal would obey, and without what turns the direction of all that follows on the line.
pub(super) fn clean(text: &str) -> String {
    let turns = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t' || turns(c);
    text.chars().map(|c| if obeyed(c) { '\u{fffd}' } else { c }).collect()
}
