//! Running other programs: say what is run, run it, and turn its end into an error that names it.

use std::{
    env,
    ffi::OsString,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, bail};

/// The cargo that runs this task runner, so that nested calls use the same toolchain.
pub(crate) fn cargo_path() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Announces a step, does it, and says how long it took.
pub(crate) fn timed<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("== {name}");
    let start = Instant::now();
    let value = work().with_context(|| format!("the step '{name}' failed"))?;
    println!("== {name}: done in {:.1} s", start.elapsed().as_secs_f32());
    Ok(value)
}

/// Runs a program to its end with this one's input and output.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting {}", line(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", line(command));
    }
    Ok(())
}

/// Runs a program and takes what it prints on its standard output.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("starting {}", line(command)))?;
    if !output.status.success() {
        bail!("{} ended with {}", line(command), output.status);
    }
    Ok(output.stdout)
}

/// Whether a program is there and answers, `--version` for instance. Its output is thrown away.
pub(crate) fn answers(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
