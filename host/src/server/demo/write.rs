//! Changing the folder: writing, creating, moving.

use std::{
    ffi::OsStr,
    fs::File,
    io::Write,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::{
    fs::{self, AtFlags, FileType, Mode, OFlags},
    io::Errno,
};

use super::{Files, error::FileError, root::Inside};

/// Tells the temporary files of one process apart.
static NEXT_TEMPORARY: AtomicU64 = AtomicU64::new(0);

impl Files {
    /// Writes beside the file first and renames then: nobody sees half a file, and a symbolic link that another process
    /// puts in its place meanwhile is replaced and not followed.
    pub(super) fn write(&self, path: &str, content: &str) -> Result<String, FileError> {
        let max_text_bytes = self.limits.max_text_bytes;
        if content.len() > max_text_bytes {
            return Err(FileError::ContentTooLarge { max_text_bytes });
        }
        let inside = self.root.inside(path)?;
        let (folder, name) = self.open_parent(&inside, "written")?;
        let failed = |errno: Errno| inside.error("written", errno);
        let mode = match kind_and_mode(&folder, name).map_err(failed)? {
            None => None,
            Some((FileType::RegularFile, mode)) => Some(mode),
            Some((FileType::Symlink, _)) => {
                return Err(FileError::WriteThroughLink { path: path.to_owned() });
            }
            Some(_) => return Err(FileError::NotAFile { path: path.to_owned() }),
        };

        let temporary = Temporary::create(&folder).map_err(failed)?;
        if let Some(mode) = mode {
            fs::fchmod(&temporary.file, mode).map_err(failed)?;
        }
        (&temporary.file)
            .write_all(content.as_bytes())
            .map_err(|error| inside.error("written", error))?;
        temporary.rename_to(name).map_err(failed)?;
        Ok(format!("Successfully wrote to {path}"))
    }

    pub(super) fn create_directory(&self, path: &str) -> Result<String, FileError> {
        let inside = self.root.inside(path)?;
        for step in inside.steps() {
            match self.root.open_folder(&step) {
                Ok(_) => continue,
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(inside.error("created", errno)),
            }
            let (parent, name) = self.open_parent(&step, "created")?;
            match fs::mkdirat(&parent, name, Mode::from_raw_mode(0o777)) {
                // Another call was faster. If it's something else than a folder, the next step fails.
                Ok(()) | Err(Errno::EXIST) => {}
                Err(errno) => return Err(inside.error("created", errno)),
            }
        }
        self.root.open_folder(&inside).map_err(|errno| inside.error("created", errno))?;
        Ok(format!("Successfully created directory {path}"))
    }

    pub(super) fn rename(&self, source: &str, destination: &str) -> Result<String, FileError> {
        let from = self.root.inside(source)?;
        let to = self.root.inside(destination)?;
        let (from_folder, from_name) = self.open_parent(&from, "moved")?;
        let (to_folder, to_name) = self.open_parent(&to, "moved to")?;
        match rename_noreplace(&from_folder, from_name, &to_folder, to_name) {
            Ok(()) => Ok(format!("Successfully moved {source} to {destination}")),
            Err(Errno::EXIST) => {
                Err(FileError::DestinationExists { destination: destination.to_owned() })
            }
            // Not a link: the two folders are on different file systems.
            Err(Errno::XDEV) => {
                let source_error = std::io::Error::from(std::io::ErrorKind::CrossesDevices);
                Err(FileError::Io { path: source.to_owned(), deed: "moved", source: source_error })
            }
            Err(errno) => Err(from.error("moved", errno)),
        }
    }

    /// The open folder that something is in, and its name there.
    fn open_parent<'p>(
        &self,
        inside: &'p Inside,
        deed: &'static str,
    ) -> Result<(OwnedFd, &'p OsStr), FileError> {
        let (parent, name) = inside.split()?;
        let opened = self.root.open_folder(&parent);
        Ok((opened.map_err(|errno| inside.error(deed, errno))?, name))
    }
}

/// What a name stands for in a folder, itself and not what it links to.
fn kind_and_mode(folder: &OwnedFd, name: &OsStr) -> rustix::io::Result<Option<(FileType, Mode)>> {
    match fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(status) => {
            let raw = status.st_mode;
            // Without set-user-ID and the like, which a write takes away.
            let permissions = Mode::RWXU | Mode::RWXG | Mode::RWXO;
            Ok(Some((FileType::from_raw_mode(raw), Mode::from_raw_mode(raw) & permissions)))
        }
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// Moves to a name that isn't taken.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn rename_noreplace(
    from: &OwnedFd,
    from_name: &OsStr,
    to: &OwnedFd,
    to_name: &OsStr,
) -> rustix::io::Result<()> {
    use rustix::fs::RenameFlags;

    match fs::renameat_with(from, from_name, to, to_name, RenameFlags::NOREPLACE) {
        // Some file systems can't, and say so in one of these ways; EINVAL is a move into itself too, which fails again.
        Err(Errno::INVAL | Errno::NOSYS) => rename_after_look(from, from_name, to, to_name),
        renamed => renamed,
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
use rename_after_look as rename_noreplace;

/// What another process creates between the look and the move is lost; it's inside the folder all the same.
fn rename_after_look(
    from: &OwnedFd,
    from_name: &OsStr,
    to: &OwnedFd,
    to_name: &OsStr,
) -> rustix::io::Result<()> {
    if kind_and_mode(to, to_name)?.is_some() {
        return Err(Errno::EXIST);
    }
    fs::renameat(from, from_name, to, to_name)
}

/// A new file that is removed again unless it's renamed.
struct Temporary<'f> {
    folder: BorrowedFd<'f>,
    name: String,
    file: File,
}

impl<'f> Temporary<'f> {
    fn create(folder: &'f OwnedFd) -> rustix::io::Result<Self> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        loop {
            let number = NEXT_TEMPORARY.fetch_add(1, Ordering::Relaxed);
            let name = format!(".callgate-{}-{number}.tmp", std::process::id());
            match fs::openat(folder, name.as_str(), flags, Mode::from_raw_mode(0o666)) {
                Ok(file) => return Ok(Self { folder: folder.as_fd(), name, file: file.into() }),
                // Left by a process that was killed and had the same id, as the first one of each container has.
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno),
            }
        }
    }

    fn rename_to(&self, name: &OsStr) -> rustix::io::Result<()> {
        fs::renameat(self.folder, self.name.as_str(), self.folder, name)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // After the rename there is nothing of that name, and before it there is nobody left to tell.
        let _it_may_be_gone = fs::unlinkat(self.folder, self.name.as_str(), AtFlags::empty());
    }
}
