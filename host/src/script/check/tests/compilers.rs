//! Programs that are named like the compiler.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use super::super::{CheckError, check};
use crate::limits::CheckLimits;

const SOURCE: &str = "const a = 1;\n\u{1f600}; wrong(a);\nreturn a;\n";

/// A folder with a script, and a compiler that is this shell script.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new(compiler: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        install(&folder.path().join("node_modules/.bin"), compiler);
        Self { folder }
    }

    fn script(&self) -> PathBuf {
        self.folder.path().join("deep/er/script.ts")
    }

    async fn check(&self, limits: &CheckLimits) -> Result<(), CheckError> {
        check(SOURCE, &self.script(), "declare const x: 1;", &search(), limits).await
    }
}

fn install(folder: &Path, compiler: &str) {
    fs::create_dir_all(folder).unwrap();
    let program = folder.join("tsc");
    fs::write(&program, format!("#!/bin/sh\n{compiler}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

/// What the shell needs.
fn search() -> OsString {
    "/usr/bin:/bin".into()
}

#[tokio::test]
async fn a_script_without_faults_is_right() {
    let desk = Desk::new("grep -q 'async function script' script.ts && grep -q x: callgate.d.ts");

    desk.check(&CheckLimits::default()).await.unwrap();
}

#[tokio::test]
async fn a_fault_is_told_at_its_place_in_the_script() {
    let desk = Desk::new(
        "echo 'script.ts(3,5): error TS2304: Cannot find it.'; echo '  More of it.'; exit 2",
    );

    let error = desk.check(&CheckLimits::default()).await.unwrap_err();

    let CheckError::Faults(faults) = &error else { panic!("{error}") };
    assert_eq!((faults[0].line, faults[0].column), (2, 5));
    assert_eq!(faults[0].message, "TS2304: Cannot find it. More of it.");
    assert_eq!(faults[0].frame, "2 | \u{1f600}; wrong(a);\n  |    ^^^^^");
    assert!(error.to_string().contains("script.ts:2:5: TS2304"), "{error}");
}

#[tokio::test]
async fn a_compiler_that_hangs_is_ended() {
    let desk = Desk::new("sleep 600");
    let limits = CheckLimits { max_time: Duration::from_millis(200), ..CheckLimits::default() };

    let error = desk.check(&limits).await.unwrap_err();

    assert!(matches!(error, CheckError::Late(_)), "{error}");
    assert!(error.to_string().contains("max_time"), "{error}");
}

#[tokio::test]
async fn a_compiler_that_prints_without_end_is_read_up_to_the_limit() {
    let desk = Desk::new(
        "i=0; while [ $i -lt 3000 ]; do echo 'error: nothing with a place'; i=$((i+1)); done; exit 1",
    );
    let limits = CheckLimits { max_output_bytes: 1_000, ..CheckLimits::default() };

    let error = desk.check(&limits).await.unwrap_err();

    let CheckError::Broken { detail } = &error else { panic!("{error}") };
    assert!(detail.len() <= 1_000, "{}", detail.len());
}

#[tokio::test]
async fn without_a_compiler_it_says_how_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.ts");

    let error = check(SOURCE, &script, "", &OsString::new(), &CheckLimits::default()).await;

    let error = error.unwrap_err();
    assert!(matches!(error, CheckError::NoCompiler), "{error}");
    assert!(error.to_string().contains("npm install"), "{error}");
}

#[tokio::test]
async fn the_compiler_in_the_search_path_is_the_second_choice() {
    let folder = tempfile::tempdir().unwrap();
    install(&folder.path().join("bin"), "exit 0");
    let mut search = folder.path().join("bin").into_os_string();
    search.push(":/usr/bin:/bin");
    let script = folder.path().join("script.ts");

    check(SOURCE, &script, "", &search, &CheckLimits::default()).await.unwrap();

    install(&folder.path().join("node_modules/.bin"), "exit 3");
    let error = check(SOURCE, &script, "", &search, &CheckLimits::default()).await.unwrap_err();
    assert!(matches!(error, CheckError::Broken { .. }), "{error}");
}
