//! What is only type among declarations, imports and exports.

use oxc_ast::ast::*;

use super::Eraser;

impl Eraser<'_, '_> {
    pub(super) fn erase_import(&mut self, it: &ImportDeclaration<'_>) {
        for specifier in it.specifiers.iter().flatten() {
            if let ImportDeclarationSpecifier::ImportSpecifier(specifier) = specifier
                && specifier.import_kind.is_type()
            {
                self.blank_entry(specifier.span);
            }
        }
    }
}

/// Whether nothing of a declaration is there at run time.
pub(super) fn is_type_only(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSGlobalDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_) => true,
        Declaration::VariableDeclaration(it) => it.declare,
        // Without a body it is `declare function` or one of several signatures.
        Declaration::FunctionDeclaration(it) => it.declare || it.body.is_none(),
        Declaration::ClassDeclaration(it) => it.declare,
        Declaration::TSEnumDeclaration(it) => it.declare,
        Declaration::TSNamespaceDeclaration(it) => it.declare || has_only_types(it),
        Declaration::TSImportEqualsDeclaration(it) => it.import_kind.is_type(),
    }
}

fn has_only_types(namespace: &TSNamespaceDeclaration<'_>) -> bool {
    match &namespace.body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => has_only_types(inner),
        TSNamespaceDeclarationBody::TSModuleBlock(block) => {
            block.body.iter().all(super::is_type_only)
        }
    }
}
