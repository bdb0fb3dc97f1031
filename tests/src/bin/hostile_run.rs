//! `hostile-run [MODE...]`: tries Callgate's host on the hostile server, in all modes or in some, and prints what came of it.
//!
//! `hostile-run --hold PIPE` keeps a session open until somebody kills it: for the test that nothing is left then.

use std::{
    env, future,
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use callgate_tests::hostile::{self, Report};
use futures::{StreamExt as _, stream};

/// Faults that are tried at the same time. Most of them wait for something.
const AT_ONCE: usize = 4;

#[tokio::main]
async fn main() -> ExitCode {
    let modes: Vec<String> = env::args().skip(1).collect();
    let server = env::current_exe()
        .expect("the system says which file this is")
        .with_file_name(format!("hostile-stdio{}", env::consts::EXE_SUFFIX));
    if let [hold, lifeline] = modes.as_slice()
        && hold == "--hold"
    {
        let _held = hostile::hold(&server, Path::new(lifeline)).await.expect("the server answers");
        io::stdout().write_all(b"held\n").expect("the test listens");
        return future::pending().await;
    }
    let wanted = hostile::faults()
        .filter(|fault| modes.is_empty() || modes.iter().any(|mode| mode == fault.mode));
    let mut reports =
        stream::iter(wanted).map(|fault| hostile::run(fault, &server)).buffered(AT_ONCE);

    let (mut tried, mut as_expected) = (0, 0);
    let mut out = io::stdout();
    while let Some(report) = reports.next().await {
        let _a_reader_that_leaves_has_read_enough = writeln!(out, "{report}");
        tried += 1;
        as_expected += usize::from(is_as_expected(&report));
    }
    let _a_reader_that_leaves_has_read_enough =
        writeln!(out, "{tried} faults, {as_expected} as expected");
    if tried > 0 && tried == as_expected { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is_as_expected(report: &Report) -> bool {
    report.complaints.is_empty()
}
