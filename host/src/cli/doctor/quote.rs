//! Words of others on their way to a terminal: without what a terminal would obey, and of bounded length.

use std::fmt;

use serde::Serialize;

/// A text that is safe to print.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub(super) struct Quote(String);

impl Quote {
    /// Takes the text's first `max_chars` characters, on one line.
    pub(super) fn new(text: &str, max_chars: usize) -> Self {
        let mut clean: String =
            text.chars().take(max_chars).map(|c| if is_safe(c) { c } else { '\u{fffd}' }).collect();
        if text.chars().nth(max_chars).is_some() {
            clean.push('…');
        }
        Self(clean)
    }

    /// The last lines of a text, each a quote.
    pub(super) fn last_lines(text: &str, max_lines: usize, max_chars: usize) -> Vec<Self> {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let first = lines.len().saturating_sub(max_lines);
        lines[first..].iter().map(|line| Self::new(line.trim_end(), max_chars)).collect()
    }

    /// Without quotation marks, where nobody can take it for ours.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Characters that neither move the cursor nor hide, or turn round, what stands beside them.
fn is_safe(c: char) -> bool {
    let hides = matches!(c,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    !c.is_control() && !hides
}

impl fmt::Display for Quote {
    /// In quotation marks: the words are somebody else's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_has_no_power_over_the_terminal() {
        let quote = Quote::new("a\u{1b}[31m\u{9b}2J\n\u{202e}\"z", 100);

        assert_eq!(quote.as_str(), "a\u{fffd}[31m\u{fffd}2J\u{fffd}\u{fffd}\"z");
        assert_eq!(Quote::new("a\"b", 9).to_string(), r#""a\"b""#);
    }

    #[test]
    fn a_quote_is_cut_and_says_so() {
        assert_eq!(Quote::new("äöü", 2).as_str(), "äö…");
        assert_eq!(Quote::new("äöü", 3).as_str(), "äöü");
    }

    #[test]
    fn only_the_last_lines_are_kept() {
        let lines = Quote::last_lines("one\r\n\ntwo \n three\n", 2, 9);

        let lines: Vec<_> = lines.iter().map(Quote::as_str).collect();
        assert_eq!(lines, ["two", " three"]);
    }
}
