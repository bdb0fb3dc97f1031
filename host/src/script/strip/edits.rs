//! What becomes of the text of a source: ranges that are blanked, and single signs that are set in their place.

use oxc_parser::Token;
use oxc_span::Span;

/// Signs with which a line may go on that ends without a semicolon, or before which a statement may not begin.
const CONTINUES: &[char] =
    &['(', '[', '`', '+', '-', '/', '*', '%', '<', '>', '=', '&', '|', '^', '?', ':', '.', ','];

/// The edits of one source.
pub(super) struct Edits<'s> {
    source: &'s str,
    tokens: &'s [Token],
    blank: Vec<Span>,
    signs: Vec<(u32, char)>,
    /// Where something that was separate from what is before it became blank, and how far apart the neighbours have to stay.
    leads: Vec<(u32, Apart)>,
    /// Ends of what a line break may have ended.
    tails: Vec<(u32, Apart)>,
}

/// When a blanked place needs a semicolon.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Apart {
    /// Where what follows would go on with what is before.
    IfContinued,
    /// In the body of a class, where a name alone may become part of what follows.
    Always,
}

/// A source without its types.
pub(super) struct Erased {
    pub(super) text: String,
    /// What became blank: sorted, and without overlaps.
    pub(super) blank: Vec<Span>,
}

impl<'s> Edits<'s> {
    pub(super) fn new(source: &'s str, tokens: &'s [Token]) -> Self {
        let (blank, signs) = (Vec::new(), Vec::new());
        Self { source, tokens, blank, signs, leads: Vec::new(), tails: Vec::new() }
    }

    pub(super) fn blank(&mut self, span: Span) {
        if span.start < span.end {
            self.blank.push(span);
        }
    }

    /// Sets a sign at a place that is blank, or in place of a token of one sign.
    pub(super) fn set(&mut self, at: u32, sign: char) {
        self.signs.push((at, sign));
    }

    /// Blanks what stands between two others.
    pub(super) fn blank_apart(&mut self, span: Span, apart: Apart) {
        self.leads.push((span.start, apart));
        self.blank(span);
    }

    /// Notes the end of something that may lack its semicolon.
    pub(super) fn tail(&mut self, end: u32, apart: Apart) {
        self.tails.push((end, apart));
    }

    pub(super) fn text(&self, span: Span) -> &'s str {
        &self.source[span.start as usize..span.end as usize]
    }

    pub(super) fn has_line_break(&self, span: Span) -> bool {
        self.text(span).contains(['\n', '\r', '\u{2028}', '\u{2029}'])
    }

    /// The tokens that begin in a range.
    pub(super) fn tokens_in(&self, span: Span) -> &'s [Token] {
        let from = self.tokens.partition_point(|token| token.start() < span.start);
        let to = self.tokens.partition_point(|token| token.start() < span.end);
        &self.tokens[from..to.max(from)]
    }

    /// The first token at or behind a place.
    pub(super) fn token_at(&self, at: u32) -> Option<Span> {
        let index = self.tokens.partition_point(|token| token.start() < at);
        self.tokens.get(index).map(Token::span)
    }

    /// The last token that ends at or before a place.
    pub(super) fn token_before(&self, at: u32) -> Option<Span> {
        let index = self.tokens.partition_point(|token| token.end() <= at);
        index.checked_sub(1).map(|index| self.tokens[index].span())
    }

    /// Blanks the token at or behind a place when it reads `text`, and says where it was.
    pub(super) fn blank_token(&mut self, at: u32, text: &str) -> Option<Span> {
        let token = self.token_at(at).filter(|token| self.text(*token) == text)?;
        self.blank(token);
        Some(token)
    }

    pub(super) fn finish(mut self) -> Erased {
        self.blank.sort_unstable_by_key(|span| (span.start, span.end));
        let mut blank: Vec<Span> = Vec::with_capacity(self.blank.len());
        for span in &self.blank {
            match blank.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => blank.push(*span),
            }
        }
        self.set_semicolons(&blank);
        Erased { text: self.apply(&blank), blank }
    }

    fn set_semicolons(&mut self, blank: &[Span]) {
        let kept: Vec<Span> = self.tokens.iter().map(Token::span).collect();
        let kept: Vec<Span> = kept.into_iter().filter(|token| !is_in(blank, token.start)).collect();
        let next = |at: u32| kept.partition_point(|token| token.start < at);
        let before = |at: u32| next(at).checked_sub(1).map(|index| self.text(kept[index]));
        let after = |at: u32| kept.get(next(at)).map(|token| self.text(*token));
        let mut signs = Vec::new();
        for &(start, apart) in &self.leads {
            let is_needed = match (before(start), after(start)) {
                // A string at the start would become a directive.
                (None | Some("{"), Some(next)) => next.starts_with(['"', '\'']),
                (None | Some(";" | "{"), _) => false,
                // The body of an `if` for example, which would take the next statement in its place.
                (Some(")" | ":" | "else" | "do"), _) => true,
                (Some(_), Some(next)) => apart == Apart::Always || continues(next),
                (Some(_), None) => false,
            };
            if is_needed {
                signs.push((start, ';'));
            }
        }
        for &(end, apart) in &self.tails {
            let index = blank.partition_point(|span| span.end < end);
            let Some(range) = blank.get(index).filter(|span| span.end == end) else { continue };
            let is_needed = match after(end) {
                None | Some(";" | "}") => false,
                Some(next) => apart == Apart::Always || continues(next),
            };
            if is_needed {
                signs.push((range.start, ';'));
            }
        }
        self.signs.extend(signs);
    }

    /// A line break stays one, and every other character of a blank range becomes as many spaces as it has UTF-16 units.
    fn apply(&mut self, blank: &[Span]) -> String {
        self.signs.sort_by_key(|(at, _)| *at);
        let mut signs = self.signs.iter().copied().peekable();
        let mut blank = blank.iter().peekable();
        let mut text = String::with_capacity(self.source.len());
        for (at, c) in self.source.char_indices() {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            blank.next_if(|span| span.end <= at);
            let is_blank = blank.peek().is_some_and(|span| span.start <= at);
            let mut width = c.len_utf16();
            while let Some((_, sign)) = signs.next_if(|(place, _)| *place == at) {
                if width == c.len_utf16() {
                    text.push(sign);
                    width -= 1;
                }
            }
            match c {
                _ if width < c.len_utf16() => text.extend(std::iter::repeat_n(' ', width)),
                '\n' | '\r' | '\u{2028}' | '\u{2029}' => text.push(c),
                _ if is_blank => text.extend(std::iter::repeat_n(' ', width)),
                c => text.push(c),
            }
        }
        text
    }
}

/// Whether a place is in one of the ranges, which are sorted.
pub(super) fn is_in(ranges: &[Span], at: u32) -> bool {
    let index = ranges.partition_point(|span| span.end <= at);
    ranges.get(index).is_some_and(|span| span.start <= at)
}

fn continues(token: &str) -> bool {
    token.starts_with(CONTINUES)
        || token.starts_with(['"', '\''])
        || matches!(token, "in" | "instanceof")
}
