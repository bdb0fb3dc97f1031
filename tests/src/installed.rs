//! What scripts of the repository install for the tests: each run that needs something runs its script, which is quick when all is
//! there.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Runs a script, by its path from the root of the repository, and takes the path that it prints.
pub(crate) fn by(script: &str, arguments: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(script);
    let output = Command::new("bash")
        .arg(path)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("bash starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} failed:\n{stderr}");
    let stdout = String::from_utf8(output.stdout).expect("the script prints a path");
    stdout.trim_end().into()
}
