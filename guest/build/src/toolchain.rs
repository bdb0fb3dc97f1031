//! Finding a compiler for [`TARGET`]: the ambient one, with rustup's help if needed, or Debian's.

use std::{
    env,
    ffi::OsString,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Result, bail};

use crate::cargo::TARGET;

/// Where Debian's package `rustc-web` puts the compiler.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// Where Debian's package `lld-22` puts the linker that `rustc-web` calls.
const DEBIAN_LINKER: &str = "/usr/bin/wasm-ld-22";

/// The libraries that come with the compiler but only as source, and have to be built.
const STANDARD_LIBRARY: &str = "-Zbuild-std=std,panic_abort";

/// What builds guests on this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Toolchain {
    /// The compiler that cargo uses anyway; it has the target's standard library.
    Ambient,
    /// Debian's compiler, which has the target but not its standard library.
    Debian,
}

impl Toolchain {
    /// Finds one, and adds the target with rustup if that is what is missing.
    ///
    /// # Errors
    ///
    /// When there is none; the message says what to run.
    pub(crate) fn find() -> Result<Self> {
        if has_target(&ambient_rustc()) {
            return Ok(Self::Ambient);
        }
        if rustup_adds_target() && has_target(&ambient_rustc()) {
            return Ok(Self::Ambient);
        }
        if is_debian_installed() {
            return Ok(Self::Debian);
        }
        bail!(
            "guests are built for {TARGET}, and this compiler hasn't got it. Run one of:\n  \
             rustup target add {TARGET}\n  \
             apt-get install rustc-web rust-web-src lld-22"
        )
    }

    /// Has `cargo` use this toolchain.
    pub(crate) fn apply_to(self, cargo: &mut Command) {
        match self {
            Self::Ambient => {}
            Self::Debian => {
                cargo.arg(STANDARD_LIBRARY);
                cargo.env("RUSTC", DEBIAN_RUSTC);
                // The standard library may be built with a stable compiler only when this is set.
                cargo.env("RUSTC_BOOTSTRAP", "1");
            }
        }
    }
}

fn ambient_rustc() -> OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// Whether this compiler has the standard library of [`TARGET`]. It names the folder whether or not it is there.
fn has_target(rustc: &OsString) -> bool {
    let print = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .stderr(Stdio::null())
        .output();
    print.is_ok_and(|output| {
        output.status.success()
            && Path::new(String::from_utf8_lossy(&output.stdout).trim_end()).is_dir()
    })
}

fn rustup_adds_target() -> bool {
    let add = Command::new("rustup")
        .args(["target", "add", TARGET])
        // A build script's stdout is read by cargo, so rustup must not write there.
        .stdout(Stdio::null())
        .status();
    add.is_ok_and(|status| status.success())
}

fn is_debian_installed() -> bool {
    let sysroot = Command::new(DEBIAN_RUSTC).args(["--print", "sysroot"]).output();
    let has_source = sysroot.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        output.status.success() && Path::new(&sysroot).join("lib/rustlib/src/rust/library").is_dir()
    });
    has_source && Path::new(DEBIAN_LINKER).is_file()
}
