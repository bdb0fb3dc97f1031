//! Walks a syntax tree and blanks what is only type. What can't be blanked is an obstacle.

mod classes;
mod modules;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use super::edits::{Apart, Edits};

/// Something that has a meaning at run time and is no JavaScript.
pub(super) struct Obstacle {
    pub(super) span: Span,
    pub(super) message: String,
    /// What to write in its place.
    pub(super) advice: &'static str,
}

/// The walk over one source.
pub(super) struct Eraser<'e, 's> {
    edits: &'e mut Edits<'s>,
    obstacles: Vec<Obstacle>,
}

impl<'e, 's> Eraser<'e, 's> {
    pub(super) fn new(edits: &'e mut Edits<'s>) -> Self {
        Self { edits, obstacles: Vec::new() }
    }

    pub(super) fn erase(&mut self, program: &Program<'_>) {
        walk::walk_program(self, program);
    }

    pub(super) fn into_obstacles(self) -> Vec<Obstacle> {
        self.obstacles
    }

    fn refuse(&mut self, span: Span, message: &str, advice: &'static str) {
        self.obstacles.push(Obstacle { span, message: message.to_owned(), advice });
    }

    fn refuse_decorators(&mut self, decorators: &[Decorator<'_>]) {
        if let Some(decorator) = decorators.first() {
            let advice = "call the function yourself: JavaScript engines have no decorators yet";
            self.refuse(decorator.span, "decorators are not supported", advice);
        }
    }

    /// A whole statement that is only type.
    fn blank_statement(&mut self, span: Span) {
        self.edits.blank_apart(span, Apart::IfContinued);
    }

    /// From the end of one thing to the end of another, the latter included.
    fn blank_from_to(&mut self, from: u32, to: u32) {
        // What is kept ends at `from`; a comment behind it stays.
        let start = self.edits.token_at(from).map_or(from, |token| token.start);
        self.edits.blank(Span::new(start.min(to), to));
    }

    /// An entry of a list, with the comma behind it.
    fn blank_entry(&mut self, span: Span) {
        self.edits.blank(span);
        self.edits.blank_token(span.end, ",");
    }

    /// Between a name and what belongs to it stands no line break, where one would end the statement.
    fn keep_arrow_together(&mut self, arrow: &ArrowFunctionExpression<'_>) {
        let params = arrow.params.span;
        if let Some(types) = &arrow.type_parameters
            && self.edits.has_line_break(Span::new(types.span.start, params.start))
        {
            self.edits.set(types.span.start, '(');
            self.edits.set(params.start, ' ');
        }
        if let Some(result) = &arrow.return_type
            && self.edits.has_line_break(Span::new(params.end, result.span.end))
        {
            self.edits.set(params.end - 1, ' ');
            self.edits.set(result.span.end - 1, ')');
        }
    }
}

impl<'a> Visit<'a> for Eraser<'_, '_> {
    fn visit_statement(&mut self, statement: &Statement<'a>) {
        if is_type_only(statement) {
            return self.blank_statement(statement.span());
        }
        walk::walk_statement(self, statement);
        if is_ended_by_semicolon(statement) {
            self.edits.tail(statement.span().end, Apart::IfContinued);
        }
    }

    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        let before = self.edits.token_before(it.span.start);
        let colon = before.filter(|token| self.edits.text(*token) == ":");
        let has_colon = self.edits.text(it.span).starts_with(':');
        let start = if has_colon { None } else { colon }.map_or(it.span.start, |colon| colon.start);
        self.edits.blank(Span::new(start, it.span.end));
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.edits.blank(it.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.edits.blank(it.span);
    }

    fn visit_ts_this_parameter(&mut self, it: &TSThisParameter<'a>) {
        self.blank_entry(it.span);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.refuse_decorators(&it.decorators);
        if it.accessibility.is_some() || it.readonly || it.r#override {
            let advice = "declare the field in the class, and assign it in the constructor";
            return self.refuse(it.span, "a parameter can't be a field as well", advice);
        }
        if it.optional {
            self.edits.blank_token(it.pattern.span().end, "?");
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_formal_parameter_rest(&mut self, it: &FormalParameterRest<'a>) {
        self.refuse_decorators(&it.decorators);
        walk::walk_formal_parameter_rest(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if it.definite {
            self.edits.blank_token(it.id.span().end, "!");
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.keep_arrow_together(it);
        walk::walk_arrow_function_expression(self, it);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.blank_from_to(it.expression.span().end, it.span.end);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.blank_from_to(it.expression.span().end, it.span.end);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.blank_from_to(it.expression.span().end, it.span.end);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        let end = self.edits.token_before(it.expression.span().start);
        self.edits.blank(Span::new(it.span.start, end.map_or(it.span.start, |token| token.end)));
        self.visit_expression(&it.expression);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.erase_class(it);
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        self.erase_method(it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        self.erase_property(it);
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.erase_accessor(it);
    }

    fn visit_ts_index_signature(&mut self, it: &TSIndexSignature<'a>) {
        self.edits.blank_apart(it.span, Apart::Always);
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.erase_import(it);
    }

    fn visit_export_specifier(&mut self, it: &ExportSpecifier<'a>) {
        if it.export_kind.is_type() {
            self.blank_entry(it.span);
        }
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        let advice = "use an object: const Colour = { Red: \"red\" } as const";
        self.refuse(it.span, "an enum is more than a type", advice);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        let advice =
            "use an object, or plain declarations; a namespace of types alone is taken out";
        self.refuse(it.span, "a namespace with values is more than a type", advice);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        let advice = "use import ... from \"...\", or const x = y";
        self.refuse(it.span, "'import x = ...' is no JavaScript", advice);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.refuse(it.span, "'export =' is no JavaScript", "use export default");
    }
}

/// Whether nothing of a statement is there at run time.
fn is_type_only(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ImportDeclaration(it) => it.import_kind.is_type(),
        Statement::ExportAllDeclaration(it) => it.export_kind.is_type(),
        Statement::ExportNamedDeclaration(it) => it.export_kind.is_type(),
        Statement::ExportFromDeclaration(it) => it.export_kind.is_type(),
        Statement::ExportDeclaration(it) => modules::is_type_only(&it.declaration),
        Statement::ExportDefaultDeclaration(it) => match &it.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => true,
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.body.is_none(),
            ExportDefaultDeclarationKind::ClassDeclaration(it) => it.declare,
            _ => false,
        },
        Statement::TSNamespaceExportDeclaration(_) => true,
        other => other.as_declaration().is_some_and(modules::is_type_only),
    }
}

/// Whether a line break may stand for the end of such a statement.
fn is_ended_by_semicolon(statement: &Statement<'_>) -> bool {
    !matches!(
        statement,
        Statement::BlockStatement(_)
            | Statement::ForStatement(_)
            | Statement::ForInStatement(_)
            | Statement::ForOfStatement(_)
            | Statement::IfStatement(_)
            | Statement::LabeledStatement(_)
            | Statement::SwitchStatement(_)
            | Statement::TryStatement(_)
            | Statement::WhileStatement(_)
            | Statement::WithStatement(_)
            | Statement::FunctionDeclaration(_)
            | Statement::ClassDeclaration(_)
    )
}
