//! What a component comes to when all that it instantiates is written out, one inside the other.
//!
//! The compiler writes it out. A component that instantiates another one twice, which instantiates a third one twice, and so
//! on, is a few KiB and comes to more than any machine has. So this is counted before, which takes no longer than reading.

use wasmparser::{
    BinaryReaderError, ComponentAlias, ComponentExternalKind, ComponentInstance,
    ComponentOuterAliasKind, ComponentTypeRef, Instance, Parser, Payload,
};

use super::WorkflowError;

/// A component that is being read, or a core module.
#[derive(Default)]
struct Scope {
    is_component: bool,
    /// Its definitions, and again those of what it instantiates.
    items: u64,
    /// The components that it has names for, by index.
    components: Vec<Size>,
}

/// What instantiating a component comes to.
#[derive(Clone, Copy)]
enum Size {
    Items(u64),
    /// It comes from outside: the size of whatever is put there.
    Unknown,
}

/// # Errors
///
/// When it comes to more than this, or what it comes to can't be told.
pub(super) fn check(bytes: &[u8], max_unfolded_items: usize) -> Result<(), WorkflowError> {
    let invalid = |error: BinaryReaderError| WorkflowError::Invalid(error.to_string());
    let mut scopes: Vec<Scope> = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(invalid)? {
            Payload::Version { encoding, .. } => scopes.push(Scope {
                is_component: encoding == wasmparser::Encoding::Component,
                ..Scope::default()
            }),
            Payload::End(_) => {
                let Some(done) = scopes.pop() else { continue };
                let Some(around) = scopes.last_mut() else {
                    return if done.items > max_unfolded_items as u64 {
                        Err(WorkflowError::Unfolds { items: done.items, max_unfolded_items })
                    } else {
                        Ok(())
                    };
                };
                around.adds(1);
                if done.is_component {
                    around.components.push(Size::Items(done.items));
                }
            }
            other => read(other, &mut scopes).map_err(invalid)??,
        }
    }
    // A text that ends early is told so by who reads all of it.
    Ok(())
}

/// Reads one section of the innermost component.
fn read(
    section: Payload<'_>,
    scopes: &mut [Scope],
) -> Result<Result<(), WorkflowError>, BinaryReaderError> {
    let Some((scope, around)) = scopes.split_last_mut() else { return Ok(Ok(())) };
    match section {
        Payload::ComponentCanonicalSection(functions) => scope.adds(functions.count() as usize),
        Payload::ComponentStartSection { .. } => scope.adds(1),
        Payload::InstanceSection(instances) => {
            for instance in instances {
                scope.adds(match instance? {
                    Instance::Instantiate { args, .. } => 1 + args.len(),
                    Instance::FromExports(exports) => 1 + exports.len(),
                });
            }
        }
        Payload::ComponentInstanceSection(instances) => {
            for instance in instances {
                match instance? {
                    ComponentInstance::FromExports(exports) => scope.adds(1 + exports.len()),
                    ComponentInstance::Instantiate { component_index, args } => {
                        scope.adds(1 + args.len());
                        match scope.component(component_index) {
                            Size::Items(items) => scope.items = scope.items.saturating_add(items),
                            Size::Unknown => return Ok(Err(unknown())),
                        }
                    }
                }
            }
        }
        Payload::ComponentImportSection(imports) => {
            for import in imports {
                scope.adds(1);
                if let ComponentTypeRef::Component(_) = import?.ty {
                    scope.components.push(Size::Unknown);
                }
            }
        }
        Payload::ComponentExportSection(exports) => {
            for export in exports {
                let export = export?;
                scope.adds(1);
                if export.kind == ComponentExternalKind::Component {
                    scope.components.push(scope.component(export.index));
                }
            }
        }
        Payload::ComponentAliasSection(aliases) => {
            for alias in aliases {
                scope.adds(1);
                match alias? {
                    ComponentAlias::InstanceExport {
                        kind: ComponentExternalKind::Component,
                        ..
                    } => scope.components.push(Size::Unknown),
                    ComponentAlias::Outer {
                        kind: ComponentOuterAliasKind::Component,
                        count,
                        index,
                    } => {
                        let size = match (count as usize).checked_sub(1) {
                            None => scope.component(index),
                            Some(out) => around
                                .iter()
                                .rev()
                                .nth(out)
                                .map_or(Size::Unknown, |outer| outer.component(index)),
                        };
                        scope.components.push(size);
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
    Ok(Ok(()))
}

fn unknown() -> WorkflowError {
    let why = "it instantiates a component that it is given from outside, so what it comes to can't be told";
    WorkflowError::Refused(vec![why.to_owned()])
}

impl Scope {
    fn adds(&mut self, items: usize) {
        self.items = self.items.saturating_add(items as u64);
    }

    /// An index of nothing is told by who checks the whole component.
    fn component(&self, index: u32) -> Size {
        self.components.get(index as usize).copied().unwrap_or(Size::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> u64 {
        match check(&wat::parse_str(text).unwrap(), 0) {
            Ok(()) => 0,
            Err(WorkflowError::Unfolds { items, .. }) => items,
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn what_is_instantiated_twice_counts_twice() {
        assert_eq!(items("(component)"), 0);
        // The module, and two instances of it.
        let two =
            "(core module $m) (core instance (instantiate $m)) (core instance (instantiate $m))";
        assert_eq!(items(&format!("(component {two})")), 3);
        // A component that is there and isn't instantiated is one thing.
        assert_eq!(items(&format!("(component (component $c {two}))")), 1);
        assert_eq!(
            items(&format!("(component (component $c {two}) (instance (instantiate $c)))")),
            1 + 1 + 3
        );
        assert_eq!(
            items(&format!(
                "(component (component $c {two})
                    (component $d (alias outer 1 $c (component $e)) (instance (instantiate $e)) (instance (instantiate $e)))
                    (instance (instantiate $d)) (instance (instantiate $d)))"
            )),
            2 + 2 * (1 + 1 + 2 * (1 + 3))
        );
    }

    #[test]
    fn what_doubles_itself_is_counted_without_being_written_out() {
        let mut text = "(component $c0)".to_owned();
        for level in 1..=80 {
            let inner = level - 1;
            text += &format!(
                "(component $c{level} (alias outer 1 $c{inner} (component $i))
                    (instance (instantiate $i)) (instance (instantiate $i)))"
            );
        }

        assert_eq!(items(&format!("(component {text} (instance (instantiate $c80)))")), u64::MAX);
    }

    #[test]
    fn a_component_from_outside_is_not_instantiated() {
        for text in [
            r#"(component (import "c" (component $c)) (instance (instantiate $c)))"#,
            r#"(component (component $o (component $c) (export "c" (component $c)))
                (instance $i (instantiate $o)) (alias export $i "c" (component $c)) (instance (instantiate $c)))"#,
        ] {
            let checked = check(&wat::parse_str(text).unwrap(), 1_000);

            assert!(matches!(checked, Err(WorkflowError::Refused(_))), "{checked:?}");
        }
    }
}
