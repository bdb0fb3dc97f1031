//! What is only type in classes.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Token;
use oxc_span::{GetSpan, Span};

use super::{super::edits::Apart, Eraser};

/// Words before the name of a member that JavaScript doesn't have.
const MODIFIERS: &[&str] =
    &["public", "private", "protected", "readonly", "override", "abstract", "declare"];

impl Eraser<'_, '_> {
    pub(super) fn erase_class(&mut self, it: &Class<'_>) {
        self.refuse_decorators(&it.decorators);
        if it.r#abstract {
            // `export default abstract class`: the class may begin at either word.
            let start = self.edits.token_before(it.span.start);
            let start = start.filter(|token| self.edits.text(*token) == "abstract");
            self.edits.blank_token(start.map_or(it.span.start, |token| token.start), "abstract");
        }
        if let (Some(first), Some(last)) = (it.implements.first(), it.implements.last()) {
            let keyword = self.edits.token_before(first.span.start);
            let start = keyword.map_or(first.span.start, |keyword| keyword.start);
            self.edits.blank(Span::new(start, last.span.end));
        }
        if let Some(id) = &it.id {
            self.visit_binding_identifier(id);
        }
        if let Some(types) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(types);
        }
        if let Some(heritage) = &it.heritage {
            self.visit_expression(&heritage.expression);
            if let Some(types) = &heritage.type_arguments {
                self.visit_ts_type_parameter_instantiation(types);
            }
        }
        walk::walk_class_body(self, &it.body);
    }

    pub(super) fn erase_method(&mut self, it: &MethodDefinition<'_>) {
        self.refuse_decorators(&it.decorators);
        if it.value.body.is_none() {
            return self.edits.blank_apart(it.span, Apart::Always);
        }
        self.blank_modifiers(it.span, &it.key);
        if it.optional {
            self.blank_mark(&it.key, it.computed, "?");
        }
        walk::walk_method_definition(self, it);
    }

    pub(super) fn erase_property(&mut self, it: &PropertyDefinition<'_>) {
        self.refuse_decorators(&it.decorators);
        if it.declare || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition {
            return self.edits.blank_apart(it.span, Apart::Always);
        }
        self.blank_modifiers(it.span, &it.key);
        if it.optional {
            self.blank_mark(&it.key, it.computed, "?");
        }
        if it.definite {
            self.blank_mark(&it.key, it.computed, "!");
        }
        walk::walk_property_definition(self, it);
        self.edits.tail(it.span.end, Apart::Always);
    }

    pub(super) fn erase_accessor(&mut self, it: &AccessorProperty<'_>) {
        if it.r#type == AccessorPropertyType::TSAbstractAccessorProperty {
            return self.edits.blank_apart(it.span, Apart::Always);
        }
        let advice = "write the field, or a pair of get and set: engines have no 'accessor' yet";
        self.refuse(it.span, "'accessor' is not supported", advice);
    }

    fn blank_modifiers(&mut self, member: Span, key: &PropertyKey<'_>) {
        let before = self.edits.tokens_in(Span::new(member.start, key.span().start));
        for token in before.iter().map(Token::span) {
            if !MODIFIERS.contains(&self.edits.text(token)) {
                continue;
            }
            match token.start == member.start {
                true => self.edits.blank_apart(token, Apart::IfContinued),
                false => self.edits.blank(token),
            }
        }
    }

    /// A mark behind the name of a member.
    fn blank_mark(&mut self, key: &PropertyKey<'_>, is_computed: bool, mark: &str) {
        let end = key.span().end;
        let bracket = self.edits.token_at(end).filter(|_| is_computed);
        self.edits.blank_token(bracket.map_or(end, |bracket| bracket.end), mark);
    }
}
