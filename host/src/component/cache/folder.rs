//! A folder that belongs to the user of this process alone, and the files in it.
//!
//! Everything is done beneath one open descriptor that was checked first, so that a folder that is put in its place later
//! is not the one that is used.

use std::{
    fs::{DirBuilder, File},
    io::{self, Read, Write},
    os::{fd::OwnedFd, unix::fs::DirBuilderExt},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use rustix::{
    fs::{
        self, AtFlags, Dir, FileType, Mode, OFlags, RawMode, Stat, Timespec, Timestamps, UTIME_NOW,
    },
    process::geteuid,
};

use crate::limits::CacheLimits;

/// How the name of a compiled component ends.
pub(super) const ENDING: &str = ".cwasm";
/// How the name of a file ends that is still written.
const UNFINISHED: &str = ".tmp";

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: RawMode = 0o600;
/// What the group and all others may do.
const OTHERS: RawMode = 0o077;

/// An open folder that was found to be the user's alone.
pub(super) struct Folder {
    path: PathBuf,
    folder: OwnedFd,
}

/// A file in it.
struct Kept {
    name: String,
    bytes: u64,
    /// When it was written, or used for the last time.
    used_at: Duration,
}

impl Folder {
    /// The folder, if it is there and can be trusted.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = match fs::open(path, flags, Mode::empty()) {
            Ok(folder) => folder,
            Err(error) if error == rustix::io::Errno::NOENT => return None,
            Err(error) => return distrust(path, &error.to_string()),
        };
        let stat = fs::fstat(&folder).ok()?;
        match mistrusted(&stat) {
            Some(why) => distrust(path, &why),
            None => Some(Self { path: path.to_owned(), folder }),
        }
    }

    /// As [`open`](Self::open), and makes the folder where there is none.
    pub(super) fn make(path: &Path) -> Option<Self> {
        if let Err(error) = DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path) {
            return distrust(path, &error.to_string());
        }
        Self::open(path)
    }

    /// The bytes of a file, if it is there and can be trusted.
    pub(super) fn read(&self, name: &str, max_bytes: u64) -> Option<Vec<u8>> {
        // NONBLOCK, because opening a pipe would wait for a writer.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match fs::openat(&self.folder, name, flags, Mode::empty()) {
            Ok(file) => file,
            Err(error) if error == rustix::io::Errno::NOENT => return None,
            Err(error) => return distrust(&self.path.join(name), &error.to_string()),
        };
        let stat = fs::fstat(&file).ok()?;
        let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
        let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        let why = match mistrusted(&stat) {
            None if !is_file => Some("it is not a file".to_owned()),
            None if size > max_bytes => Some(format!("it has {size} bytes (max_file_bytes)")),
            why => why,
        };
        if let Some(why) = why {
            return distrust(&self.path.join(name), &why);
        }
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        let times = Timestamps { last_access: now, last_modification: now };
        let _only_the_order_of_removal_depends_on_it = fs::futimens(&file, &times);
        let mut bytes = Vec::with_capacity(usize::try_from(size).ok()?);
        File::from(file).take(max_bytes).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Writes a file, so that others see all of it or nothing.
    pub(super) fn write(&self, name: &str, parts: &[&[u8]]) {
        static WRITTEN: AtomicU64 = AtomicU64::new(0);
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let unfinished = format!("{name}.{}-{number}{UNFINISHED}", process::id());
        let written = self
            .write_new(&unfinished, parts)
            .and_then(|()| Ok(fs::renameat(&self.folder, &unfinished, &self.folder, name)?));
        if let Err(error) = written {
            let folder = self.path.display();
            tracing::warn!(%folder, %error, "a compiled component can't be kept");
            self.remove(&unfinished);
        }
    }

    fn write_new(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(FILE_MODE);
        let mut file = File::from(fs::openat(&self.folder, name, flags, mode)?);
        parts.iter().try_for_each(|part| file.write_all(part))
    }

    /// Removes what was not used for longest until the rest is within the limit, and what writers left behind.
    pub(super) fn make_room(&self, limits: &CacheLimits) {
        let Ok(mut kept) = self.kept(limits) else { return };
        kept.sort_by_key(|file| file.used_at);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut total: u64 = kept.iter().map(|file| file.bytes).sum();
        for file in kept {
            let is_abandoned = file.name.ends_with(UNFINISHED)
                && now.saturating_sub(file.used_at) > limits.abandoned_after;
            let is_too_much = total > limits.max_bytes && file.name.ends_with(ENDING);
            if is_abandoned || is_too_much {
                self.remove(&file.name);
                total = total.saturating_sub(file.bytes);
            }
        }
    }

    /// The files of this cache. Others are none of its business.
    fn kept(&self, limits: &CacheLimits) -> io::Result<Vec<Kept>> {
        let mut kept = Vec::new();
        for entry in Dir::read_from(&self.folder)?.take(limits.max_files) {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            if !name.ends_with(ENDING) && !name.ends_with(UNFINISHED) {
                continue;
            }
            // Another process may have removed it.
            let Ok(stat) = fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            kept.push(Kept {
                name: name.to_owned(),
                bytes: u64::try_from(stat.st_size).unwrap_or_default(),
                used_at: used_at(&stat),
            });
        }
        Ok(kept)
    }

    fn remove(&self, name: &str) {
        let _it_may_be_gone_already = fs::unlinkat(&self.folder, name, AtFlags::empty());
    }
}

fn used_at(stat: &Stat) -> Duration {
    let nanos = u32::try_from(stat.st_mtime_nsec).unwrap_or_default();
    Duration::new(u64::try_from(stat.st_mtime).unwrap_or_default(), nanos)
}

/// Why somebody else may have had a hand in it.
fn mistrusted(stat: &Stat) -> Option<String> {
    if stat.st_uid != geteuid().as_raw() {
        return Some(format!("it belongs to another user ({})", stat.st_uid));
    }
    let open_to_others = stat.st_mode & OTHERS;
    (open_to_others != 0)
        .then(|| format!("others have access to it ({:o}): take that away", stat.st_mode & 0o777))
}

fn distrust<T>(path: &Path, why: &str) -> Option<T> {
    tracing::warn!("the cache {} is not used: {why}", path.display());
    None
}
