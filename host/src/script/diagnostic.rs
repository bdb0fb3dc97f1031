//! What is wrong with a script, and where: a message, a place and the line it is about.

use std::fmt;

use serde::Serialize;

use crate::limits::SourceLimits;

/// One fault of a source. The message and the line may hold text of the source: control characters are taken out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// The name of the script.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in UTF-16 units, as editors and JavaScript engines count.
    pub column: usize,
    /// The line of the source, with a mark below the place.
    pub frame: String,
    /// What to do about it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// Several of them, one below the other.
pub(super) fn told(faults: &[Diagnostic]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// What a [`Diagnostic`] is about: a source with its name.
#[derive(Clone, Copy)]
pub(super) struct Subject<'s> {
    pub(super) source: &'s str,
    pub(super) file: &'s str,
    pub(super) limits: &'s SourceLimits,
}

impl Subject<'_> {
    /// A fault at a byte range of the source. Offsets behind its end, or inside a character, are moved back.
    pub(super) fn fault(
        &self,
        start: usize,
        end: usize,
        message: &str,
        advice: Option<&str>,
    ) -> Diagnostic {
        let start = self.source.floor_char_boundary(start);
        let end = self.source.floor_char_boundary(end).max(start);
        let before = &self.source[..start];
        let line_start = before
            .rfind(is_line_break)
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let line = 1 + line_breaks(before);
        let column = 1 + self.source[line_start..start].encode_utf16().count();
        let text = self.source[line_start..].split(is_line_break).next().unwrap_or_default();
        let frame = frame(line, text, start - line_start, end - line_start, self.limits);
        Diagnostic {
            message: shortened(message, self.limits),
            file: self.file.to_owned(),
            line,
            column,
            frame,
            advice: advice.map(|advice| shortened(advice, self.limits)),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, file, line, column, frame, advice } = self;
        write!(f, "{file}:{line}:{column}: {message}\n{frame}")?;
        match advice {
            Some(advice) => write!(f, "\n  to do: {advice}"),
            None => Ok(()),
        }
    }
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// How often a line ends in `text`; a carriage return with a line feed is one end.
fn line_breaks(text: &str) -> usize {
    text.matches(is_line_break).count() - text.matches("\r\n").count()
}

fn shortened(text: &str, limits: &SourceLimits) -> String {
    let clean: String = text.chars().map(printable).take(limits.max_message_chars).collect();
    let is_cut = text.chars().nth(limits.max_message_chars).is_some();
    if is_cut { clean + "..." } else { clean }
}

fn printable(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// The part of a line around `start..end` (bytes of it), and marks below.
fn frame(line: usize, text: &str, start: usize, end: usize, limits: &SourceLimits) -> String {
    let width = limits.max_frame_chars;
    let at = text[..start].chars().count();
    let length = text[start..end.min(text.len()).max(start)].chars().count();
    // A long line is cut on both sides of the place.
    let from = if at < width { 0 } else { at - width / 2 };
    let shown: String = text.chars().skip(from).take(width).map(printable).collect();
    let shown = shown.trim_end();
    let marks = length.max(1).min(width - (at - from));
    let number = line.to_string();
    let (indent, gap) = (" ".repeat(number.len()), " ".repeat(at - from));
    format!("{number} | {shown}\n{indent} | {gap}{}", "^".repeat(marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(source: &str, start: usize, end: usize) -> Diagnostic {
        let limits = SourceLimits::default();
        let subject = Subject { source, file: "a.ts", limits: &limits };
        subject.fault(start, end, "no", None)
    }

    #[test]
    fn a_fault_says_line_and_column_and_marks_the_place() {
        let fault = fault("let a\r\nlet \u{1f600}b = \u{7}1\n", 15, 16);

        assert_eq!((fault.line, fault.column), (2, 7));
        assert_eq!(fault.frame, "2 | let \u{1f600}b = \u{fffd}1\n  |      ^");
        assert_eq!(fault.to_string(), format!("a.ts:2:7: no\n{}", fault.frame));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let source = "x".repeat(10_000);

        let fault = fault(&source, 5_000, 9_000);

        let lines: Vec<&str> = fault.frame.lines().collect();
        assert_eq!(lines[0], format!("1 | {}", "x".repeat(100)));
        assert_eq!(lines[1], format!("  | {}{}", " ".repeat(50), "^".repeat(50)));
        assert_eq!(fault.column, 5_001);
    }

    #[test]
    fn a_place_outside_of_the_source_is_its_end() {
        let fault = fault("\u{e9}", 1, 40);

        assert_eq!((fault.line, fault.column), (1, 1));
        assert_eq!(fault.frame, "1 | \u{e9}\n  | ^");
    }
}
