//! Compiled components on disk: used where nobody else can have written them, and nowhere else.

use std::{
    fs::{self, File, FileTimes, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use callgate::{Engine, EngineOptions, Workflow};
use callgate_tests::components::{self, SEVEN};
use tempfile::TempDir;

/// A cache in a folder of its own, and a component to keep in it.
struct Kept {
    outer: TempDir,
    component: Vec<u8>,
}

/// What is seen of a file from outside.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Seen {
    inode: u64,
    mode: u32,
    is_of_now: bool,
}

impl Kept {
    fn new() -> Self {
        Self { outer: tempfile::tempdir().unwrap(), component: components::workflow(SEVEN) }
    }

    fn folder(&self) -> PathBuf {
        self.outer.path().join("cache")
    }

    /// Loads the component through the cache; whatever is in the cache, this works.
    fn load(&self) {
        self.load_with(|_| {});
    }

    fn load_with(&self, change: impl FnOnce(&mut EngineOptions)) {
        let mut options = EngineOptions::default();
        options.cache = Some(self.folder());
        change(&mut options);
        Workflow::from_bytes(&Engine::with(options).unwrap(), &self.component).unwrap();
    }

    fn files(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.folder()).unwrap();
        files.map(|file| file.unwrap().path()).collect()
    }

    /// The only file, made to look as if nobody had used it for years.
    #[track_caller]
    fn aged(&self) -> (PathBuf, Seen) {
        let files = self.files();
        let [file] = files.as_slice() else { panic!("{files:?}") };
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let times = FileTimes::new().set_accessed(long_ago).set_modified(long_ago);
        File::options().append(true).open(file).unwrap().set_times(times).unwrap();
        (file.clone(), seen(file))
    }
}

fn seen(file: &Path) -> Seen {
    let metadata = fs::symlink_metadata(file).unwrap();
    let age = metadata.modified().unwrap().elapsed().unwrap_or_default();
    let is_of_now = age < Duration::from_secs(3600);
    Seen { inode: metadata.ino(), mode: metadata.mode() & 0o777, is_of_now }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_component_is_compiled_once_and_kept_for_its_owner_alone() {
    let kept = Kept::new();

    kept.load();
    let (file, first) = kept.aged();
    assert_eq!((first.mode, seen(&kept.folder()).mode), (0o600, 0o700));
    kept.load();

    // The same file, and it was used.
    let again = seen(&file);
    assert_eq!(again, Seen { is_of_now: true, ..first });
    assert_eq!(kept.files().len(), 1);
}

#[test]
fn an_altered_file_is_replaced_and_not_run() {
    let kept = Kept::new();
    kept.load();
    let (file, _) = kept.aged();
    let whole = fs::read(&file).unwrap();

    let mut flipped = whole.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 1;
    for altered in [flipped, whole[..whole.len() / 2].to_vec(), Vec::new(), b"garbage".to_vec()] {
        fs::write(&file, altered).unwrap();
        let before = seen(&file);
        kept.load();

        assert_eq!(fs::read(&file).unwrap(), whole);
        assert_ne!(seen(&file).inode, before.inode);
    }
}

#[test]
fn a_file_that_others_have_access_to_is_replaced() {
    let kept = Kept::new();
    kept.load();

    for mode in [0o620, 0o602, 0o644, 0o777] {
        let (file, first) = kept.aged();
        set_mode(&file, mode);
        kept.load();

        let replaced = seen(&file);
        assert_ne!(replaced.inode, first.inode, "{mode:o}");
        assert_eq!(replaced.mode, 0o600, "{mode:o}");
    }
}

#[test]
fn a_folder_that_others_have_access_to_is_not_used() {
    let kept = Kept::new();
    kept.load();

    for mode in [0o770, 0o707, 0o755] {
        let (file, first) = kept.aged();
        set_mode(&kept.folder(), mode);
        kept.load();

        assert_eq!(seen(&file), first, "{mode:o}");
        assert_eq!(kept.files().len(), 1, "{mode:o}");
    }
    set_mode(&kept.folder(), 0o700);
    let (file, first) = kept.aged();
    kept.load();
    assert_eq!(seen(&file), Seen { is_of_now: true, ..first });
}

#[test]
fn what_is_no_file_is_replaced() {
    let kept = Kept::new();
    kept.load();
    let (file, _) = kept.aged();
    let elsewhere = kept.outer.path().join("elsewhere");
    fs::rename(&file, &elsewhere).unwrap();
    symlink(&elsewhere, &file).unwrap();
    let before = seen(&elsewhere);

    kept.load();

    assert!(fs::symlink_metadata(&file).unwrap().is_file());
    assert_eq!(seen(&elsewhere), before);
}

#[test]
fn where_the_folder_can_not_be_made_nothing_is_kept() {
    let kept = Kept::new();
    fs::write(kept.folder(), "a file").unwrap();

    kept.load();

    assert_eq!(fs::read(kept.folder()).unwrap(), b"a file");
}

#[test]
fn other_settings_have_a_file_of_their_own() {
    let kept = Kept::new();

    kept.load();
    kept.load_with(|options| options.counts_fuel = true);
    kept.load_with(|options| options.limits.max_stack_bytes = 1 << 20);

    // The stack doesn't change the code.
    assert_eq!(kept.files().len(), 2);
}

#[test]
fn the_files_that_were_not_used_for_longest_make_room() {
    let mut kept = Kept::new();
    kept.load();
    let (first, _) = kept.aged();
    let size = fs::metadata(&first).unwrap().len();
    kept.component = components::workflow(&format!("(func (result i32) (i32.const 1)) {SEVEN}"));

    kept.load_with(|options| options.limits.cache.max_bytes = size + size / 2);

    let files = kept.files();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_ne!(files[0], first);
}

#[test]
fn what_a_writer_left_behind_goes_and_what_is_of_others_stays() {
    let kept = Kept::new();
    kept.load();
    let (file, _) = kept.aged();
    let [left, fresh] = ["old.1-1.tmp", "new.1-1.tmp"].map(|name| kept.folder().join(name));
    fs::rename(&file, &left).unwrap();
    fs::write(&fresh, "").unwrap();
    let note = kept.folder().join("note.txt");
    fs::write(&note, "").unwrap();

    kept.load();

    assert_eq!(
        [left.exists(), fresh.exists(), note.exists(), file.exists()],
        [false, true, true, true]
    );
}
