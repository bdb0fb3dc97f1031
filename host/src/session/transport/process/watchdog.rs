//! A process of a few lines of shell that outlives the host by a second and kills what the host left behind.
//!
//! It reads the ids of process groups from a pipe. Only the host has the other end, so however the host dies, the pipe
//! ends. It is started with the first server, sits in its own process group (a Ctrl-C at the terminal doesn't reach it)
//! and needs nothing but `/bin/sh`. Without one, servers survive a `kill -9` of the host until they notice that their
//! stdin has ended; that is logged once.

use std::{
    collections::BTreeSet,
    io::{self, Write as _},
    os::unix::process::CommandExt as _,
    process::{ChildStdin, Command, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rustix::process::Pid;

/// Reads `add ID` and `remove ID`. At the end it gives the servers the time to see that their stdin has ended as well.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
groups=
while read -r verb id; do
  case $verb in
    add) groups="$groups $id" ;;
    remove)
      kept=
      for group in $groups; do
        [ "$group" = "$id" ] || kept="$kept $group"
      done
      groups=$kept ;;
  esac
done
[ -n "$groups" ] || exit 0
sleep 1
for group in $groups; do
  kill -s KILL -- "-$group"
done
"#;

static WATCHDOG: Mutex<Watchdog> = Mutex::new(Watchdog::new());

/// The host's end of the watchdog. When it is dropped, the groups die.
#[derive(Debug, Default)]
pub(super) struct Watchdog {
    groups: BTreeSet<i32>,
    /// The watchdog has the other end, and acts when this one is closed.
    pipe: Option<ChildStdin>,
    state: State,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Wanted,
    /// It can't be started, which has been said.
    Missing,
}

/// The group is killed when the host dies.
pub(super) fn add(group: Pid) {
    lock().add(group.as_raw_nonzero().get());
}

/// The group is gone; its id may become somebody else's.
pub(super) fn remove(group: Pid) {
    lock().remove(group.as_raw_nonzero().get());
}

fn lock() -> MutexGuard<'static, Watchdog> {
    // The set and the pipe are each whole, whatever panicked.
    WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watchdog {
    const fn new() -> Self {
        Self { groups: BTreeSet::new(), pipe: None, state: State::Wanted }
    }

    pub(super) fn add(&mut self, group: i32) {
        self.groups.insert(group);
        self.tell(format!("add {group}\n"));
    }

    pub(super) fn remove(&mut self, group: i32) {
        self.groups.remove(&group);
        self.tell(format!("remove {group}\n"));
    }

    fn tell(&mut self, line: String) {
        // The lines are far smaller than the pipe, and the watchdog does nothing but read, so this doesn't block.
        if let Some(pipe) = &mut self.pipe
            && pipe.write_all(line.as_bytes()).is_ok()
        {
            return;
        }
        // There is none yet, or somebody has killed it.
        if self.state == State::Missing || self.groups.is_empty() {
            return;
        }
        if let Err(error) = self.start() {
            self.state = State::Missing;
            tracing::warn!(%error, "no watchdog: servers may outlive a killed host");
        }
    }

    fn start(&mut self) -> io::Result<()> {
        let child = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "callgate-watchdog"])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let mut pipe = child.stdin.ok_or(io::ErrorKind::BrokenPipe)?;
        for group in &self.groups {
            pipe.write_all(format!("add {group}\n").as_bytes())?;
        }
        self.pipe = Some(pipe);
        Ok(())
    }
}
