//! Middleware by name: where a component `NAME.wasm` is looked for.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::ComposeError;
use crate::limits::CompositionLimits;

/// The components that were built into this host, by name. The build script fills it from the folder that the variable
/// `CALLGATE_EMBED` names, and leaves it empty without one.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Where the library's middleware is.
///
/// A name is looked for in the folders first and then in what was built into this host.
#[derive(Clone, Debug)]
pub struct Library {
    folders: Vec<PathBuf>,
    embedded: &'static [(&'static str, &'static [u8])],
}

impl Library {
    /// A library in these folders, in that order.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { folders: folders.into_iter().collect(), embedded: EMBEDDED }
    }

    /// The folders that belong to a program: `middleware` beside it, and for one in a cargo target folder the components that
    /// `cargo xtask guests` leaves there.
    pub fn beside(program: &Path) -> Self {
        let Some(folder) = program.parent() else { return Self::new([]) };
        let mut folders = vec![folder.join("middleware")];
        // `target/debug/callgate`, and tests in `target/debug/deps`.
        let is_cargos = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
        if let Some(target) = folder.ancestors().skip(1).take(2).find(is_cargos) {
            folders.push(target.join("guests/components"));
        }
        Self::new(folders)
    }

    /// The component with this name.
    ///
    /// # Errors
    ///
    /// When there is none; the message says which there are and where they were looked for.
    pub fn find(&self, name: &str, limits: &CompositionLimits) -> Result<Vec<u8>, ComposeError> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if !name.is_empty() && name.chars().all(is_name) {
            let files = self.folders.iter().map(|folder| folder.join(name).with_extension("wasm"));
            if let Some(file) = files.into_iter().find(|file| file.is_file()) {
                return read(&file, limits);
            }
            if let Some((_, bytes)) = self.embedded.iter().find(|(embedded, _)| *embedded == name) {
                return Ok(bytes.to_vec());
            }
        }
        Err(self.unknown(name))
    }

    fn unknown(&self, name: &str) -> ComposeError {
        let mut known: Vec<String> =
            self.embedded.iter().map(|(name, _)| (*name).to_owned()).collect();
        for entry in self.folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten() {
            let Ok(entry) = entry else { continue };
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "wasm") {
                known.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
            }
        }
        known.sort();
        known.dedup();
        let known = match known.as_slice() {
            [] => "there is none (`cargo xtask guests` builds them; --library names their folder)"
                .to_owned(),
            known => format!("there are: {}", known.join(", ")),
        };
        let folders = self.folders.iter().map(|folder| folder.display().to_string());
        let looked_into = folders.chain(["what was built into this host".to_owned()]);
        ComposeError::Unknown {
            name: name.to_owned(),
            known,
            looked_into: looked_into.collect::<Vec<_>>().join(", "),
        }
    }
}

/// Reads a component from a file.
///
/// # Errors
///
/// When it can't be read, or is larger than any middleware.
pub(crate) fn read(path: &Path, limits: &CompositionLimits) -> Result<Vec<u8>, ComposeError> {
    use std::io::Read;

    let unreadable = |detail: String| ComposeError::Unreadable { path: path.to_owned(), detail };
    let file = fs::File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut bytes = Vec::new();
    // One byte more, so that too large is told from just large enough.
    let limit = u64::try_from(limits.max_component_bytes).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() > limits.max_component_bytes {
        let detail = format!("it is larger than {} bytes", limits.max_component_bytes);
        return Err(unreadable(detail));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_for_in_the_folders_and_then_in_what_is_built_in() {
        let [first, second] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        fs::write(second.path().join("retry.wasm"), "from a folder").unwrap();
        let limits = CompositionLimits::default();
        let library = Library {
            embedded: &[("retry", b"built in"), ("cache", b"built in")],
            ..Library::new([first.path().to_owned(), second.path().to_owned()])
        };

        assert_eq!(library.find("retry", &limits).unwrap(), b"from a folder");
        assert_eq!(library.find("cache", &limits).unwrap(), b"built in");
        let error = library.find("retrie", &limits).unwrap_err().to_string();
        assert!(error.contains("there are: cache, retry; looked into"), "{error}");
        assert!(error.contains(first.path().to_str().unwrap()), "{error}");
    }

    #[test]
    fn a_name_does_not_leave_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("library")).unwrap();
        fs::write(folder.path().join("secret.wasm"), "x").unwrap();
        let library = Library::new([folder.path().join("library")]);

        for name in ["../secret", "", ".", "/secret"] {
            let error = library.find(name, &CompositionLimits::default()).unwrap_err();

            assert!(matches!(error, ComposeError::Unknown { .. }), "{name}");
        }
    }

    #[test]
    fn a_file_that_is_no_middleware_by_its_size_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("big.wasm"), [0; 11]).unwrap();
        let limits = CompositionLimits { max_component_bytes: 10, ..CompositionLimits::default() };

        let error = Library::new([folder.path().to_owned()]).find("big", &limits).unwrap_err();

        assert!(error.to_string().contains("larger than 10 bytes"), "{error}");
    }
}
