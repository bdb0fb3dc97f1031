//! JSON that the command line takes: the text itself, `@FILE`, or `-` for stdin.

use std::io::Read;

use anyhow::Context;

use crate::call::Json;

/// Reads a JSON argument.
///
/// # Errors
///
/// When it can't be read or isn't one JSON text; the message says where it came from.
pub(super) fn json(argument: &str) -> anyhow::Result<Json> {
    let (origin, text) = match argument {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("can't read the JSON from stdin")?;
            ("stdin".to_owned(), text)
        }
        _ => match argument.strip_prefix('@') {
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("can't read the JSON from {path}"))?;
                (path.to_owned(), text)
            }
            None => ("the argument".to_owned(), argument.to_owned()),
        },
    };
    Json::from_text(text).with_context(|| format!("{origin} is not one JSON text"))
}
