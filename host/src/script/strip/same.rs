//! Whether a source without its types still means what it meant: the same tokens, in the same tree.

use oxc_ast::{AstKind, AstType};
use oxc_ast_visit::Visit;
use oxc_parser::Token;
use oxc_span::{GetSpan, Span};

use super::{
    Parsed,
    edits::{Erased, is_in},
};

/// Where the two differ first, as a range of the typed source.
pub(super) fn first_difference(
    typed: &Parsed<'_>,
    erased: &Erased,
    plain: &Parsed<'_>,
) -> Option<Span> {
    let kept = |token: &&Token| !is_in(&erased.blank, token.start()) && is_told(typed, token);
    let before: Vec<Span> = typed.tokens.iter().filter(kept).map(Token::span).collect();
    let after = plain.tokens.iter().filter(|token| is_told(plain, token));
    let after: Vec<Span> = after.map(Token::span).collect();
    let place = |index: usize| {
        let last = before.last().copied().unwrap_or_default();
        before.get(index).copied().unwrap_or(last)
    };
    let text = |of: &str, span: &Span| of[span.start as usize..span.end as usize].to_owned();
    let tokens = before.iter().zip(&after);
    let different = tokens
        .enumerate()
        .find(|(_, (typed_token, token))| text(typed.text, typed_token) != text(plain.text, token));
    if let Some((index, _)) = different {
        return Some(place(index));
    }
    if before.len() != after.len() {
        return Some(place(before.len().min(after.len())));
    }

    let (before_tree, after_tree) = (Tree::of(typed, &before), Tree::of(plain, &after));
    let mut nodes = before_tree.nodes.iter().zip(&after_tree.nodes);
    if let Some((node, _)) = nodes.find(|(typed, plain)| typed != plain) {
        return Some(place(node.first));
    }
    (before_tree.nodes.len() != after_tree.nodes.len()).then(|| place(0))
}

/// Semicolons may be added, so they aren't counted.
fn is_told(parsed: &Parsed<'_>, token: &Token) -> bool {
    &parsed.text[token.start() as usize..token.end() as usize] != ";"
}

/// A node, and the numbers of the tokens that it has: from the first up to the last, without it.
#[derive(PartialEq, Debug)]
struct Node {
    kind: AstType,
    first: usize,
    last: usize,
}

struct Tree<'t> {
    tokens: &'t [Span],
    nodes: Vec<Node>,
}

impl<'t> Tree<'t> {
    fn of(parsed: &Parsed<'_>, tokens: &'t [Span]) -> Self {
        let mut tree = Self { tokens, nodes: Vec::new() };
        tree.visit_program(&parsed.program);
        tree
    }
}

impl<'a> Visit<'a> for Tree<'_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        let span = kind.span();
        let first = self.tokens.partition_point(|token| token.start < span.start);
        let last = self.tokens.partition_point(|token| token.start < span.end);
        // What has no token left was a type, and what is TypeScript's own has left its expression behind.
        if first < last && !format!("{:?}", kind.ty()).starts_with("TS") {
            self.nodes.push(Node { kind: kind.ty(), first, last });
        }
    }
}
