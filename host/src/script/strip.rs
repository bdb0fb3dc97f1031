//! TypeScript to JavaScript by taking the types out: what is only type becomes spaces.
//!
//! Every character that stays keeps its line and its column (in UTF-16 units), so that a place in an error message is one in
//! the file that was written. What has a meaning at run time and is no JavaScript (enums, parameter properties) is an error,
//! and so is whatever would mean something else without its types: the result is parsed again and compared.
//! Types are not checked here.

mod edits;
mod erase;
mod same;

#[cfg(test)]
mod tests;

use std::{path::Path, thread};

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser, Token, config::TokensParserConfig};
use oxc_span::SourceType;

use self::{edits::Edits, erase::Eraser};
use super::diagnostic::{Diagnostic, Subject};
use crate::limits::SourceLimits;

/// Takes the types out of a source. It may `return` and `await` outside of functions, as scripts do.
///
/// It parses on a thread of its own and waits for it: a few milliseconds, and seconds for a hostile source. Call it where
/// waiting is allowed.
///
/// # Errors
///
/// Every fault with its place: of syntax, of TypeScript that can't be taken out, of a limit. They are never none, and at most
/// `max_diagnostics`.
pub(crate) fn strip(
    source: &str,
    file: &str,
    limits: &SourceLimits,
) -> Result<String, Vec<Diagnostic>> {
    let subject = Subject { source, file, limits };
    check_name(subject)?;
    check_size(subject)?;
    let stack = limits.min_stack_bytes + source.len() * limits.stack_bytes_per_source_byte;
    let done = thread::scope(|scope| {
        let parser = thread::Builder::new().name("strip-types".to_owned()).stack_size(stack);
        let thread = parser.spawn_scoped(scope, || strip_here(subject));
        thread.map(|thread| thread.join())
    });
    match done {
        Ok(Ok(result)) => result,
        Ok(Err(_panic)) => Err(whole(subject, "the parser failed at this source")),
        Err(error) => {
            let why = format!("there is no stack of {stack} bytes to parse this source: {error}");
            Err(whole(subject, &why))
        }
    }
}

fn check_name(subject: Subject<'_>) -> Result<(), Vec<Diagnostic>> {
    let extension = Path::new(subject.file).extension().and_then(|it| it.to_str());
    if extension.is_some_and(|it| ["tsx", "jsx"].contains(&it.to_ascii_lowercase().as_str())) {
        let advice = "scripts have no JSX: write plain TypeScript and name the file .ts";
        return Err(vec![subject.fault(0, 0, "JSX isn't supported", Some(advice))]);
    }
    Ok(())
}

fn check_size(subject: Subject<'_>) -> Result<(), Vec<Diagnostic>> {
    let Subject { source, limits, .. } = subject;
    let (bytes, most) = (source.len(), limits.max_source_bytes);
    if bytes > most {
        let message = format!("the source has {bytes} bytes (limit max_source_bytes: {most})");
        return Err(whole(subject, &message));
    }
    let most = limits.max_angle_brackets;
    if let Some((at, _)) = source.match_indices('<').nth(most) {
        let message = format!("the source has more than {most} '<' (limit max_angle_brackets)");
        return Err(vec![subject.fault(at, at + 1, &message, None)]);
    }
    Ok(())
}

/// A fault of the source as a whole.
fn whole(subject: Subject<'_>, message: &str) -> Vec<Diagnostic> {
    vec![subject.fault(0, 0, message, None)]
}

/// On the thread that has the stack for it.
fn strip_here(subject: Subject<'_>) -> Result<String, Vec<Diagnostic>> {
    let arena = Allocator::default();
    // As a module, because in the body of a script `await` is no name either: otherwise `await (f())` would be read as a call.
    let typed = parse(&arena, subject, SourceType::ts().with_module(true))?;
    let mut edits = Edits::new(subject.source, &typed.tokens);
    let mut eraser = Eraser::new(&mut edits);
    eraser.erase(&typed.program);
    let obstacles = eraser.into_obstacles();
    if !obstacles.is_empty() {
        let obstacles = obstacles.iter().take(subject.limits.max_diagnostics);
        let told = obstacles.map(|it| {
            subject.fault(
                it.span.start as usize,
                it.span.end as usize,
                &it.message,
                Some(it.advice),
            )
        });
        return Err(told.collect());
    }
    let erased = edits.finish();
    let plain = Subject { source: &erased.text, ..subject };
    let different = match parse(&arena, plain, SourceType::mjs()) {
        Ok(plain) => same::first_difference(&typed, &erased, &plain),
        // Both have the same lines and columns, so the places are right for the source that was given, too.
        Err(faults) => return Err(faults),
    };
    match different {
        None => Ok(erased.text),
        Some(span) => Err(vec![subject.fault(
            span.start as usize,
            span.end as usize,
            "without its types this would mean something else",
            Some("put parentheses around the expression that has a type, and use 'as' in place of '<T>'"),
        )]),
    }
}

/// What came of parsing without a fault.
struct Parsed<'a> {
    text: &'a str,
    program: Program<'a>,
    tokens: Vec<Token>,
}

fn parse<'a>(
    arena: &'a Allocator,
    subject: Subject<'a>,
    language: SourceType,
) -> Result<Parsed<'a>, Vec<Diagnostic>> {
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parser = Parser::new(arena, subject.source, language)
        .with_options(options)
        .with_config(TokensParserConfig);
    let parsed = parser.parse();
    if parsed.panicked || parsed.diagnostics.has_errors() {
        let faults = parsed.diagnostics.errors().take(subject.limits.max_diagnostics);
        let faults: Vec<_> = faults.map(|fault| syntax(subject, fault)).collect();
        return Err(if faults.is_empty() {
            whole(subject, "no source of a script")
        } else {
            faults
        });
    }
    let tokens = parsed.tokens.iter().copied().collect();
    Ok(Parsed { text: subject.source, program: parsed.program, tokens })
}

fn syntax(subject: Subject<'_>, fault: &OxcDiagnostic) -> Diagnostic {
    let place = fault.labels.first().map(|label| label.span());
    let (start, end) = place.map_or((0, 0), |it| (it.start as usize, it.end as usize));
    subject.fault(start, end, &fault.message, fault.help.as_deref())
}
