//! The guests in languages whose tools come from npm and PyPI: built once by `guest/elsewhere/build.sh`, and again when their sources
//! change. Those in C are among [`crate::guests`].

use std::{path::PathBuf, sync::OnceLock};

use crate::installed;

/// The path of a guest in JavaScript, by its name.
pub fn javascript(name: &str) -> String {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    built(&FOLDER, "javascript", name)
}

/// The path of a guest in Python, by its name.
pub fn python(name: &str) -> String {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    built(&FOLDER, "python", name)
}

fn built(folder: &OnceLock<PathBuf>, language: &str, name: &str) -> String {
    let folder = folder.get_or_init(|| installed::by("guest/elsewhere/build.sh", &[language]));
    let path = folder.join(format!("{language}-{name}.wasm"));
    path.into_os_string().into_string().expect("the build folder has a name in UTF-8")
}
