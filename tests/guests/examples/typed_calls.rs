//! Calls tools by the bindings that were written for their server: writes a note, and reads what is there.

use callgate_guest::{CallError, Failure};
use serde::{Deserialize, Serialize};
use test_guests::bindings::files::files;

#[derive(Deserialize)]
struct Input {
    path: String,
    text: String,
}

#[derive(Serialize)]
struct Output {
    text: String,
    missing: String,
}

async fn run(input: Input) -> Result<Output, Failure> {
    let write = files::write_file::Input { path: input.path.clone(), content: input.text };
    files::write_file(&write).await?;
    let read = |path: &str| files::read_text_file::Input {
        path: path.to_owned(),
        head: Some(1),
        tail: None,
    };
    let text = files::read_text_file(&read(&input.path)).await?.content;
    let missing = match files::read_text_file(&read("nowhere")).await {
        Ok(_) => "it is there".to_owned(),
        Err(error @ CallError::Tool(_)) => error.kind().to_owned(),
        Err(error) => return Err(error.into()),
    };
    Ok(Output { text, missing })
}

callgate_guest::workflow!(run);
