//! What is counted in one text.

use std::ops::AddAssign;

use serde::Serialize;

/// Counts of one file, or of many together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) files: u64,
    pub(crate) lines: u64,
    pub(crate) todo: u64,
    pub(crate) fixme: u64,
}

impl Counts {
    /// The counts of one file.
    pub(crate) fn of(text: &str) -> Self {
        Self {
            files: 1,
            lines: lines(text),
            todo: words(text, "TODO"),
            fixme: words(text, "FIXME"),
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.lines += other.lines;
        self.todo += other.todo;
        self.fixme += other.fixme;
    }
}

/// Every line counts that ends with a newline, and so does a last one that doesn't and isn't empty.
fn lines(text: &str) -> u64 {
    let newlines = text.bytes().filter(|&byte| byte == b'\n').count() as u64;
    newlines + u64::from(!text.is_empty() && !text.ends_with('\n'))
}

/// How often `word` stands in the text by itself, not as a part of a longer word.
fn words(text: &str, word: &str) -> u64 {
    let stands_alone = |start: usize| {
        let before = text[..start].chars().next_back();
        let after = text[start + word.len()..].chars().next();
        !before.is_some_and(is_of_a_word) && !after.is_some_and(is_of_a_word)
    };
    text.match_indices(word).filter(|&(start, _)| stands_alone(start)).count() as u64
}

fn is_of_a_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_line_counts_with_and_without_its_newline() {
        assert_eq!(lines(""), 0);
        assert_eq!(lines("\n"), 1);
        assert_eq!(lines("one"), 1);
        assert_eq!(lines("one\n"), 1);
        assert_eq!(lines("one\ntwo"), 2);
        assert_eq!(lines("one\r\n\r\ntwo\r\n"), 3);
    }

    #[test]
    fn only_whole_words_count() {
        assert_eq!(words("TODO: a, // TODO(b) and TODO", "TODO"), 3);
        assert_eq!(words("TODOS TODO_LIST MY_TODO 2TODO todo Todo", "TODO"), 0);
        assert_eq!(words("éTODO TODO» TODO-TODO", "TODO"), 3);
    }

    #[test]
    fn a_text_is_one_file() {
        let counts = Counts::of("fn main() {} // TODO\n// FIXME FIXME\n");

        assert_eq!(counts, Counts { files: 1, lines: 2, todo: 1, fixme: 2 });
    }
}
