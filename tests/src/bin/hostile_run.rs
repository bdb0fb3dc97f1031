//! `hostile-run [MODE...]`: tries Callgate's host on the hostile servers, in all modes or in some, and prints what came of
//! it. `stdio` and `http` stand for all modes of one server, `http/MODE` for one where both have a mode of that name.
//!
//! `hostile-run --hold PIPE` keeps a session open until somebody kills it: for the test that nothing is left then.

use std::{
    env, future,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use callgate_tests::{
    hostile::{self, Report},
    hostile_http,
};
use futures::{FutureExt as _, StreamExt as _, stream};

/// Faults that are tried at the same time. Most of them wait for something.
const AT_ONCE: usize = 4;

#[tokio::main]
async fn main() -> ExitCode {
    let modes: Vec<String> = env::args().skip(1).collect();
    if let [hold, lifeline] = modes.as_slice()
        && hold == "--hold"
    {
        let _held = hostile::hold(&beside("hostile-stdio"), Path::new(lifeline))
            .await
            .expect("the server answers");
        io::stdout().write_all(b"held\n").expect("the test listens");
        return future::pending().await;
    }
    let wanted = |transport: &str, mode: &str| {
        let whole = format!("{transport}/{mode}");
        modes.is_empty() || modes.iter().any(|it| it == mode || it == transport || *it == whole)
    };
    let over_stdio = hostile::faults().filter(|fault| wanted("stdio", fault.mode)).map(|fault| {
        async move { Ok(hostile::run(fault, &beside("hostile-stdio")).await) }.boxed()
    });
    let over_http =
        hostile_http::faults().filter(|fault| wanted("http", fault.mode)).map(|fault| {
            async move { hostile_http::run(fault, &beside("hostile-http")).await }.boxed()
        });
    let mut reports = stream::iter(over_stdio.chain(over_http)).buffered(AT_ONCE);

    let (mut tried, mut as_expected) = (0, 0);
    let mut out = io::stdout();
    while let Some(report) = reports.next().await {
        let line = match &report {
            Ok(report) => report.to_string(),
            Err(error) => format!("BAD the server did not start: {error}"),
        };
        let _a_reader_that_leaves_has_read_enough = writeln!(out, "{line}");
        tried += 1;
        as_expected += usize::from(report.is_ok_and(|report| is_as_expected(&report)));
    }
    let _a_reader_that_leaves_has_read_enough =
        writeln!(out, "{tried} faults, {as_expected} as expected");
    if tried > 0 && tried == as_expected { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Another binary of this package.
fn beside(name: &str) -> PathBuf {
    env::current_exe()
        .expect("the system says which file this is")
        .with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX))
}

fn is_as_expected(report: &Report) -> bool {
    report.complaints.is_empty()
}
