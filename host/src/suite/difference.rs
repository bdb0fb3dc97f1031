//! Two JSON values side by side: where they differ, a line each.

use serde_json::Value;

use crate::limits::SuiteLimits;

/// What a value is held against.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Way {
    /// The two are equal.
    Equal,
    /// Objects may have more members than is expected.
    Includes,
}

/// Where `got` isn't what is wanted, each with its JSON pointer. Empty when nothing differs.
pub(super) fn differences(
    way: Way,
    wanted: &Value,
    got: &Value,
    limits: &SuiteLimits,
) -> Vec<String> {
    let mut reader = Reader { way, limits, lines: Vec::new(), untold: 0 };
    reader.compare("", wanted, got);
    if reader.untold > 0 {
        let more = format!("and {} more", reader.untold);
        reader.lines.push(more);
    }
    reader.lines
}

struct Reader<'l> {
    way: Way,
    limits: &'l SuiteLimits,
    lines: Vec<String>,
    untold: usize,
}

impl Reader<'_> {
    fn compare(&mut self, at: &str, wanted: &Value, got: &Value) {
        match (wanted, got) {
            (Value::Object(wanted), Value::Object(got)) => {
                for (key, wanted) in wanted {
                    let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                    match got.get(key) {
                        Some(got) => self.compare(&at, wanted, got),
                        None => self.tell(&at, &self.told(wanted), "nothing"),
                    }
                }
                if self.way == Way::Equal {
                    for (key, got) in got.iter().filter(|(key, _)| !wanted.contains_key(*key)) {
                        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                        self.tell(&at, "nothing", &self.told(got));
                    }
                }
            }
            (Value::Array(wanted), Value::Array(got)) => {
                for index in 0..wanted.len().max(got.len()) {
                    let at = format!("{at}/{index}");
                    match (wanted.get(index), got.get(index)) {
                        (Some(wanted), Some(got)) => self.compare(&at, wanted, got),
                        (Some(wanted), None) => self.tell(&at, &self.told(wanted), "nothing"),
                        (None, Some(got)) => self.tell(&at, "nothing", &self.told(got)),
                        (None, None) => {}
                    }
                }
            }
            (wanted, got) if wanted != got => {
                self.tell(at, &self.told(wanted), &self.told(got));
            }
            _ => {}
        }
    }

    fn tell(&mut self, at: &str, wanted: &str, got: &str) {
        if self.lines.len() >= self.limits.max_difference_lines {
            self.untold += 1;
            return;
        }
        let at = if at.is_empty() { "the whole" } else { at };
        self.lines.push(format!("{}: expected {wanted}, got {got}", quoted(at, self.limits)));
    }

    fn told(&self, value: &Value) -> String {
        quoted(&value.to_string(), self.limits)
    }
}

/// The beginning of a text that may be long.
pub(super) fn quoted(text: &str, limits: &SuiteLimits) -> String {
    match text.char_indices().nth(limits.max_quoted_chars) {
        Some((end, _)) => format!("{}... ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lines(way: Way, wanted: Value, got: Value) -> Vec<String> {
        differences(way, &wanted, &got, &SuiteLimits::default())
    }

    #[test]
    fn each_difference_is_a_line_with_its_place() {
        let wanted = json!({"a/b": [1, 2], "c": {"d": null}, "e": 1});
        let got = json!({"a/b": [1, "2", 3], "c": {"d": null, "x": 0}});

        let lines = lines(Way::Equal, wanted, got);

        assert_eq!(
            lines,
            [
                "/a~1b/1: expected 2, got \"2\"",
                "/a~1b/2: expected nothing, got 3",
                "/c/x: expected nothing, got 0",
                "/e: expected 1, got nothing",
            ]
        );
    }

    #[test]
    fn an_object_includes_another_at_every_depth() {
        let got = json!({"a": [{"b": 1, "c": 2}], "d": 3});

        assert!(lines(Way::Includes, json!({"a": [{"b": 1}]}), got.clone()).is_empty());
        assert_eq!(lines(Way::Includes, json!({"a": [{"b": 2}]}), got.clone()).len(), 1);
        assert_eq!(lines(Way::Includes, json!({"a": []}), got).len(), 1);
    }

    #[test]
    fn a_large_difference_is_cut() {
        let lines = lines(Way::Equal, json!(["x".repeat(9999)]), json!(vec![0; 100]));

        assert_eq!(lines.len(), 21);
        assert_eq!(lines[20], "and 80 more");
        assert!(lines[0].len() < 300, "{}", lines[0]);
    }
}
