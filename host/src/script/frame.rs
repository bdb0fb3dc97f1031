//! The lines of a script around an error, with a mark below it.

use std::fmt::Write;

use crate::limits::ScriptLimits;

/// The line with the error and some before it. `line` and `column` count from 1, the columns in UTF-16 units as JavaScript does.
/// `None` where the text has no such line.
pub(super) fn frame(source: &str, line: u32, column: u32, limits: &ScriptLimits) -> Option<String> {
    let last = usize::try_from(line).ok()?.checked_sub(1)?;
    let column = character(source.lines().nth(last)?, column);
    let first = last.saturating_sub(limits.frame_lines);
    // All lines are cut at the same columns, so that they stand below each other as in the file.
    let skipped = (column + 1).saturating_sub(limits.max_frame_columns);
    let width = (last + 1).to_string().len();
    let mut frame = String::new();
    for (number, text) in source.lines().enumerate().take(last + 1).skip(first) {
        let text: String = text.chars().skip(skipped).take(limits.max_frame_columns).collect();
        let mark = if number == last { '>' } else { ' ' };
        let row = format!("{mark} {:width$} | {text}", number + 1);
        let _a_string_takes_everything = writeln!(frame, "{}", row.trim_end());
    }
    let indent: String =
        source.lines().nth(last)?.chars().skip(skipped).take(column - skipped).map(blank).collect();
    let _a_string_takes_everything = write!(frame, "  {:width$} | {indent}^", "");
    Some(frame)
}

/// What is as wide as a character and shows nothing.
fn blank(character: char) -> char {
    if character == '\t' { '\t' } else { ' ' }
}

/// How many characters are before the UTF-16 unit `column` of a line, at most all.
fn character(line: &str, column: u32) -> usize {
    let units = usize::try_from(column).unwrap_or(usize::MAX).saturating_sub(1);
    let mut passed = 0;
    line.chars()
        .take_while(|character| {
            passed += character.len_utf16();
            passed <= units
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, line: u32, column: u32) -> String {
        frame(source, line, column, &ScriptLimits::default()).unwrap()
    }

    #[test]
    fn the_mark_is_below_the_place() {
        let frame = shown("let a = 1;\n\nfunction f() {\n\tnull.x;\n}\n", 4, 2);

        assert_eq!(frame, "  2 |\n  3 | function f() {\n> 4 | \tnull.x;\n    | \t^");
    }

    #[test]
    fn a_character_beyond_the_basic_plane_is_two_columns_of_the_engine() {
        let frame = shown("'😀' + null.x", 1, 8);

        assert_eq!(frame, "> 1 | '😀' + null.x\n    |       ^");
    }

    #[test]
    fn of_a_long_line_the_part_with_the_error_is_shown() {
        let source = format!("{}null.x;{}", "a;".repeat(1000), "b;".repeat(1000));

        let frame = shown(&source, 1, 2001);

        let lines: Vec<&str> = frame.lines().collect();
        assert!(lines[0].ends_with('n'), "{frame}");
        assert!(lines.iter().all(|line| line.chars().count() <= 130), "{frame}");
    }

    #[test]
    fn a_place_that_is_not_in_the_text_has_no_frame() {
        assert_eq!(frame("one line", 2, 1, &ScriptLimits::default()), None);
        assert_eq!(frame("one line", 0, 1, &ScriptLimits::default()), None);
        assert!(shown("one line", 1, 99).ends_with('^'));
    }
}
