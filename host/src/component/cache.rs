//! Compiled components on disk, so that a component is compiled once per machine and not once per process.
//!
//! What is loaded from here runs as native code, outside any check of the sandbox. So a file is believed only if nobody but
//! this user can have written it ([`folder`]), and only if it is whole. In every other case the component is compiled as
//! if there were no cache: no failure here is one of the caller.

#[cfg_attr(not(unix), path = "cache/nowhere.rs")]
mod folder;

use std::{
    fmt::Write,
    hash::{Hash, Hasher},
    path::PathBuf,
};

use sha2::{Digest, Sha256};
use wasmtime::{Engine, component::Component};

use self::folder::Folder;
use crate::limits::CacheLimits;

/// The first bytes of a file: what it is, and the version of this form.
const MAGIC: &[u8; 16] = b"callgate cwasm 1";
/// Bytes of a SHA-256 digest.
const DIGEST_BYTES: usize = 32;
/// Bytes before the compiled component: the magic, the key, the digest.
const HEADER_BYTES: usize = MAGIC.len() + 2 * DIGEST_BYTES;

/// A folder of compiled components.
#[derive(Debug)]
pub(crate) struct Cache {
    path: PathBuf,
    limits: CacheLimits,
}

/// What a compiled component depends on: the component, the versions of the host and of wasmtime, and the settings of the
/// engine.
struct Key([u8; DIGEST_BYTES]);

impl Cache {
    pub(crate) fn new(path: PathBuf, limits: CacheLimits) -> Self {
        Self { path, limits }
    }

    /// The component that `source` was compiled to earlier, if it is here and can be trusted.
    pub(super) fn load(&self, engine: &Engine, source: &[u8]) -> Option<Component> {
        let key = Key::of(engine, source);
        let folder = Folder::open(&self.path)?;
        let file = folder.read(&key.file_name(), self.limits.max_file_bytes)?;
        let Some(compiled) = unseal(&key, &file) else {
            tracing::warn!(
                folder = %self.path.display(),
                file = key.file_name(),
                "a compiled component is damaged: it is compiled anew"
            );
            return None;
        };
        // SAFETY: the bytes have to be what `Component::serialize` made with settings like these. They are, unless this user
        // wrote something else here: the folder and the file belong to the user of this process and no one else may write
        // or read them, which was checked on the open descriptors that were then read; the header says that this host wrote
        // them for this component, version and settings; and the digest says that they were not torn or altered since. They
        // are checked and loaded from the same private memory, so that nothing can change in between. A user who forges a file
        // of their own gains nothing: this process has no powers that they don't have. wasmtime compares version, settings and
        // processor once more.
        match unsafe { Component::deserialize(engine, compiled) } {
            Ok(component) => Some(component),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "a compiled component doesn't fit: it is compiled anew");
                None
            }
        }
    }

    /// Keeps what `source` was compiled to.
    pub(super) fn store(&self, component: &Component, source: &[u8]) {
        let key = Key::of(component.engine(), source);
        let compiled = match component.serialize() {
            Ok(compiled) => compiled,
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "a component can't be kept");
                return;
            }
        };
        let CacheLimits { max_bytes, max_file_bytes, .. } = self.limits;
        let size = u64::try_from(HEADER_BYTES + compiled.len()).unwrap_or(u64::MAX);
        if size > max_file_bytes.min(max_bytes) {
            tracing::debug!(size, "a component is too large to be kept");
            return;
        }
        let Some(folder) = Folder::make(&self.path) else { return };
        let header = [MAGIC.as_slice(), &key.0, &digest(&key, &compiled)].concat();
        folder.write(&key.file_name(), &[&header, &compiled]);
        folder.make_room(&self.limits);
    }
}

/// The compiled component in a file that is whole and is the right one.
fn unseal<'f>(key: &Key, file: &'f [u8]) -> Option<&'f [u8]> {
    let (magic, rest) = file.split_at_checked(MAGIC.len())?;
    let (named, rest) = rest.split_at_checked(DIGEST_BYTES)?;
    let (sealed, compiled) = rest.split_at_checked(DIGEST_BYTES)?;
    let is_right = magic == MAGIC && named == key.0 && sealed == digest(key, compiled);
    is_right.then_some(compiled)
}

fn digest(key: &Key, compiled: &[u8]) -> [u8; DIGEST_BYTES] {
    Sha256::new().chain_update(MAGIC).chain_update(key.0).chain_update(compiled).finalize().into()
}

impl Key {
    fn of(engine: &Engine, source: &[u8]) -> Self {
        let mut hasher = Settings(Sha256::new());
        hasher.write(MAGIC);
        hasher.write(env!("CARGO_PKG_VERSION").as_bytes());
        // With wasmtime's version, and all that changes the code: flags, tunables, features, the target.
        engine.precompile_compatibility_hash().hash(&mut hasher);
        Self(hasher.0.chain_update(Sha256::digest(source)).finalize().into())
    }

    fn file_name(&self) -> String {
        let mut name = String::with_capacity(2 * DIGEST_BYTES + folder::ENDING.len());
        for byte in self.0 {
            let _a_string_takes_everything = write!(name, "{byte:02x}");
        }
        name + folder::ENDING
    }
}

/// Lets [`Hash`] feed a digest that is the same in every process.
struct Settings(Sha256);

impl Hasher for Settings {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let digest = self.0.clone().finalize();
        u64::from_le_bytes(digest[..8].try_into().expect("a digest is longer"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_it_is_nothing() {
        let (key, other) = (Key([1; DIGEST_BYTES]), Key([2; DIGEST_BYTES]));
        let file = [MAGIC.as_slice(), &key.0, &digest(&key, b"code"), b"code"].concat();

        assert_eq!(unseal(&key, &file), Some(b"code".as_slice()));
        assert_eq!(unseal(&other, &file), None);
        for end in 0..file.len() {
            assert_eq!(unseal(&key, &file[..end]), None, "cut at {end}");
        }
        for at in 0..file.len() {
            let mut altered = file.clone();
            altered[at] ^= 1;
            assert_eq!(unseal(&key, &altered), None, "altered at {at}");
        }
    }
}
