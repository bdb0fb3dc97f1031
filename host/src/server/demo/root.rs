//! The served folder and the one rule of the file server: nothing outside of it is opened, created or moved.
//!
//! A path is first reduced to names, so that `..` never reaches the system. Then every file is opened from the open
//! folder downwards in one step, in which the system refuses to leave it: `openat2` with `RESOLVE_BENEATH` on Linux, where
//! relative symbolic links that stay inside are followed. Where that isn't there (other systems, Linux before 5.6, some
//! sandboxes) the folders are opened name by name and no symbolic link is followed at all. Neither way looks first and
//! opens later, so nothing that another process moves about in between leads out.
//!
//! What this doesn't tell from the folder's own content: hard links to files elsewhere, and file systems mounted inside.

use std::{
    ffi::OsStr,
    io,
    os::fd::OwnedFd,
    path::{Component, Path, PathBuf},
};

use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;

use super::error::FileError;

/// The served folder.
pub(super) struct Root {
    /// Every other file is opened from here. The folder may be renamed meanwhile; this stays the same one.
    folder: OwnedFd,
    /// As the caller of the program spelled it, made absolute.
    given: PathBuf,
    /// Without symbolic links.
    real: PathBuf,
}

/// A path inside the served folder: only names, no `..`; empty for the folder itself. Symbolic links are still in it.
#[derive(Clone)]
pub(super) struct Inside {
    names: PathBuf,
    /// As the client spelled it, for messages.
    pub(super) spelled: String,
}

impl Inside {
    /// The path without its last name, and that name.
    pub(super) fn split(&self) -> Result<(Self, &OsStr), FileError> {
        let (Some(parent), Some(name)) = (self.names.parent(), self.names.file_name()) else {
            return Err(FileError::IsRoot { path: self.spelled.clone() });
        };
        Ok((Self { names: parent.to_owned(), spelled: self.spelled.clone() }, name))
    }

    /// Something in this folder.
    pub(super) fn join(&self, name: &OsStr) -> Self {
        let names = self.names.join(name);
        Self { spelled: names.display().to_string(), names }
    }

    /// The folders on the way to this path, outermost first, and the path itself; not the served folder.
    pub(super) fn steps(&self) -> Vec<Self> {
        let mut steps: Vec<_> = self
            .names
            .ancestors()
            .filter(|step| !step.as_os_str().is_empty())
            .map(|step| Self { names: step.to_owned(), spelled: self.spelled.clone() })
            .collect();
        steps.reverse();
        steps
    }

    pub(super) fn names(&self) -> &Path {
        &self.names
    }

    /// The error of the system, in terms of this path.
    pub(super) fn error(&self, deed: &'static str, errno: impl Into<io::Error>) -> FileError {
        let source = errno.into();
        let path = self.spelled.clone();
        match Errno::from_io_error(&source) {
            Some(Errno::XDEV | Errno::LOOP) => FileError::LinkOutside { path },
            _ => FileError::Io { path, deed, source },
        }
    }
}

impl Root {
    /// Opens the folder.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let given = std::path::absolute(path)?;
        let real = path.canonicalize()?;
        let folder = fs::open(&real, FOLDER, Mode::empty())?;
        Ok(Self { folder, given, real })
    }

    pub(super) fn path(&self) -> &Path {
        &self.real
    }

    /// The absolute form of a path, for answers.
    pub(super) fn absolute(&self, inside: &Inside) -> PathBuf {
        self.real.join(&inside.names)
    }

    /// Takes a path from a client.
    pub(super) fn inside(&self, path: &str) -> Result<Inside, FileError> {
        let outside =
            || FileError::Outside { path: path.to_owned(), root: self.real.display().to_string() };
        let spelled = Path::new(path);
        let below = if spelled.is_absolute() {
            let below = spelled.strip_prefix(&self.real);
            below.or_else(|_| spelled.strip_prefix(&self.given)).map_err(|_| outside())?
        } else {
            spelled
        };
        let mut names = PathBuf::new();
        for component in below.components() {
            match component {
                Component::Normal(name) => names.push(name),
                Component::CurDir => {}
                Component::ParentDir if names.pop() => {}
                _ => return Err(outside()),
            }
        }
        Ok(Inside { names, spelled: path.to_owned() })
    }

    /// Opens a folder that is inside.
    pub(super) fn open_folder(&self, inside: &Inside) -> rustix::io::Result<OwnedFd> {
        self.open_beneath(inside.names(), FOLDER)
    }

    /// Opens something that is inside for reading; a pipe doesn't block.
    pub(super) fn open_to_read(&self, inside: &Inside) -> rustix::io::Result<OwnedFd> {
        self.open_beneath(inside.names(), OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC)
    }

    /// Opens something that is inside only to look at it, which needs no right to read it where the system allows that.
    pub(super) fn open_to_look(&self, inside: &Inside) -> rustix::io::Result<OwnedFd> {
        #[cfg(target_os = "linux")]
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        #[cfg(not(target_os = "linux"))]
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        self.open_beneath(inside.names(), flags)
    }

    #[cfg(target_os = "linux")]
    fn open_beneath(&self, names: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        use rustix::fs::ResolveFlags;

        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let path = if names.as_os_str().is_empty() { Path::new(".") } else { names };
        match fs::openat2(&self.folder, path, flags, Mode::empty(), resolve) {
            // No such call here, or a sandbox forbids it. If it was the file that forbade it, it does so again below.
            Err(Errno::NOSYS | Errno::PERM) => self.open_name_by_name(names, flags),
            // Something was renamed meanwhile, and the system couldn't be sure.
            Err(Errno::AGAIN) => self.open_name_by_name(names, flags),
            opened => opened,
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_beneath(&self, names: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        self.open_name_by_name(names, flags)
    }

    /// Opens without following any symbolic link.
    fn open_name_by_name(&self, names: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let mut names = names.iter().peekable();
        let mut folder = fs::openat(&self.folder, ".", FOLDER, Mode::empty())?;
        while let Some(name) = names.next() {
            if names.peek().is_none() {
                return fs::openat(&folder, name, flags | OFlags::NOFOLLOW, Mode::empty());
            }
            folder = fs::openat(&folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
        }
        Ok(folder)
    }
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

#[cfg(test)]
mod tests {
    use super::*;

    /// What the way without `openat2` promises, tried on the system that has both.
    #[test]
    fn name_by_name_no_symbolic_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::fs::write(folder.path().join("a/file"), "text").unwrap();
        std::os::unix::fs::symlink("a", folder.path().join("folder_link")).unwrap();
        std::os::unix::fs::symlink("a/file", folder.path().join("file_link")).unwrap();
        let root = Root::open(folder.path()).unwrap();
        let open = |path: &str| root.open_name_by_name(Path::new(path), OFlags::RDONLY);

        assert!(open("a/file").is_ok());
        assert!(open("").is_ok());
        assert!(matches!(open("file_link"), Err(Errno::LOOP)));
        assert!(matches!(open("folder_link/file"), Err(Errno::LOOP | Errno::NOTDIR)));
    }
}
