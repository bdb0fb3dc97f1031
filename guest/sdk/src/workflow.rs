//! From an ordinary async function to the exported `run`, and JSON at both ends.

use serde::{Serialize, de::DeserializeOwned};

use crate::Failure;

/// Exports an async function as this component's workflow.
///
/// The function takes one value that [deserialises](serde::Deserialize) and gives back one that
/// [serialises](serde::Serialize), or an error that converts into a [`Failure`]. An input that doesn't fit ends the run with
/// the kind `invalid-input` and a message that says what and where, before the function is called.
///
/// ```
/// use callgate_guest::Failure;
///
/// async fn run(numbers: Vec<u32>) -> Result<u32, Failure> {
///     numbers.into_iter().max().ok_or_else(|| Failure::new("empty", "no number has no largest"))
/// }
///
/// callgate_guest::workflow!(run);
/// ```
#[macro_export]
macro_rules! workflow {
    ($run:path) => {
        const _: () = {
            struct Workflow;

            impl $crate::bindings::workflow::exports::callgate::mcp::run::Guest for Workflow {
                async fn run(
                    input: ::std::string::String,
                ) -> ::core::result::Result<::std::string::String, $crate::Failure> {
                    $crate::__private::run(input, $run).await
                }
            }

            #[cfg(target_family = "wasm")]
            $crate::bindings::workflow::export_workflow!(
                Workflow with_types_in $crate::bindings::workflow
            );
            // Other targets have no use for the export, and would call everything behind it dead code.
            #[cfg(not(target_family = "wasm"))]
            const _: fn() = || {
                let _exported =
                    <Workflow as $crate::bindings::workflow::exports::callgate::mcp::run::Guest>::run;
            };
        };
    };
}

/// Runs `workflow` on a JSON text.
pub async fn run<In, Out, E, Running>(
    input: String,
    workflow: impl FnOnce(In) -> Running,
) -> Result<String, Failure>
where
    In: DeserializeOwned,
    Out: Serialize,
    E: Into<Failure>,
    Running: Future<Output = Result<Out, E>>,
{
    let value = serde_json::from_str(&input).map_err(|reason| invalid_input(&reason))?;
    // The text is as long as the input is; the workflow doesn't need to carry it.
    drop(input);
    let output = workflow(value).await.map_err(Into::into)?;
    serde_json::to_string(&output).map_err(|reason| {
        Failure::new("invalid-output", format!("the output has no JSON form: {reason}"))
    })
}

fn invalid_input(reason: &serde_json::Error) -> Failure {
    #[derive(Serialize)]
    struct Place {
        line: usize,
        column: usize,
    }

    Failure::new("invalid-input", format!("the input doesn't fit: {reason}"))
        .with_details(&Place { line: reason.line(), column: reason.column() })
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[derive(serde::Deserialize)]
    struct Input {
        root: String,
    }

    async fn root(input: Input) -> Result<String, Failure> {
        Ok(input.root)
    }

    fn finish(input: &str) -> Result<String, Failure> {
        run(input.to_owned(), root).now_or_never().expect("it awaits nothing")
    }

    #[test]
    fn input_and_output_are_json() {
        assert_eq!(finish(r#"{"root":"a\nb"}"#).unwrap(), r#""a\nb""#);
    }

    #[test]
    fn an_input_that_does_not_fit_is_named() {
        let missing = finish("{}").unwrap_err();
        let wrong = finish(r#"{"root":7}"#).unwrap_err();

        assert_eq!(missing.kind, "invalid-input");
        assert!(missing.message.contains("missing field `root`"), "{}", missing.message);
        assert!(wrong.message.contains("expected a string"), "{}", wrong.message);
        assert_eq!(wrong.details.as_deref(), Some(r#"{"line":1,"column":9}"#));
    }

    #[test]
    fn an_output_without_a_json_form_is_a_failure() {
        async fn pairs(_: ()) -> Result<std::collections::BTreeMap<(u8, u8), u8>, Failure> {
            Ok([((1, 2), 3)].into())
        }

        let failure = run("null".to_owned(), pairs).now_or_never().unwrap().unwrap_err();

        assert_eq!(failure.kind, "invalid-output");
    }
}
