//! The process group of one server: signals reach all of it, and dropping it kills all of it.

#[cfg(unix)]
pub(in crate::session::transport) use unix::ProcessGroup;
#[cfg(unix)]
pub(super) use unix::{lead, wait};

#[cfg(not(unix))]
pub(in crate::session::transport) use other::ProcessGroup;
#[cfg(not(unix))]
pub(super) use other::{lead, wait};

#[cfg(unix)]
mod unix {
    use std::{io, process::ExitStatus};

    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
    use tokio::process::{Child, Command};

    use crate::session::{story::LeftOver, transport::process::watchdog};

    /// A group that lives no longer than this.
    #[derive(Debug)]
    pub(in crate::session::transport) struct ProcessGroup {
        leader: Pid,
    }

    /// There is nothing to ask for where signals exist.
    pub(in crate::session::transport::process) struct KillRequest;

    /// Makes the command's process the leader of a new group.
    pub(in crate::session::transport::process) fn lead(command: &mut Command) {
        command.process_group(0);
    }

    /// Waits for the leader.
    pub(in crate::session::transport::process) async fn wait(
        child: &mut Child,
        _signals_do_it: KillRequest,
    ) -> io::Result<ExitStatus> {
        child.wait().await
    }

    impl ProcessGroup {
        /// The group that the process `leader` leads.
        pub(in crate::session::transport::process) fn new(leader: u32) -> Self {
            let leader = i32::try_from(leader)
                .ok()
                .and_then(Pid::from_raw)
                .expect("the system's process ids are positive");
            watchdog::add(leader);
            Self { leader }
        }

        pub(in crate::session::transport::process) fn kill_request(&self) -> KillRequest {
            KillRequest
        }

        pub(in crate::session::transport::process) fn id(&self) -> u32 {
            self.leader.as_raw_nonzero().get().unsigned_abs()
        }

        pub(in crate::session::transport::process) fn terminate(&self) {
            self.signal(Signal::TERM);
        }

        pub(in crate::session::transport::process) fn kill(&self) {
            self.signal(Signal::KILL);
        }

        /// Whether anybody of the group lives. A process that has ended and that nobody has waited for doesn't.
        pub(in crate::session::transport::process) fn left_over(&self) -> LeftOver {
            let somebody = test_kill_process_group(self.leader).is_ok() && self.has_living();
            if somebody { LeftOver::Something } else { LeftOver::Nothing }
        }

        /// Where processes can't be looked at, each one that is there counts.
        #[cfg(not(target_os = "linux"))]
        fn has_living(&self) -> bool {
            true
        }

        #[cfg(target_os = "linux")]
        fn has_living(&self) -> bool {
            let Ok(processes) = std::fs::read_dir("/proc") else { return true };
            let group = self.id().to_string();
            processes.flatten().any(|process| {
                let Ok(status) = std::fs::read_to_string(process.path().join("stat")) else {
                    return false;
                };
                // After the name, which may hold anything: state, parent, group.
                let Some((_, fields)) = status.rsplit_once(") ") else { return false };
                let mut fields = fields.split(' ');
                let state = fields.next();
                fields.nth(1) == Some(&*group) && state != Some("Z") && state != Some("X")
            })
        }

        fn signal(&self, signal: Signal) {
            match kill_process_group(self.leader, signal) {
                // Nobody is left: that's the aim.
                Ok(()) | Err(rustix::io::Errno::SRCH) => {}
                Err(error) => {
                    tracing::warn!(group = self.id(), %error, "a server's group can't be signalled");
                }
            }
        }
    }

    impl Drop for ProcessGroup {
        fn drop(&mut self) {
            self.kill();
            watchdog::remove(self.leader);
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::{io, process::ExitStatus, sync::Arc};

    use tokio::{
        process::{Child, Command},
        sync::Notify,
    };

    use crate::session::story::LeftOver;

    /// A process that lives no longer than this. What it starts is not in reach.
    #[derive(Debug)]
    pub(in crate::session::transport) struct ProcessGroup {
        leader: u32,
        /// The task that waits for the process listens.
        kill: Arc<Notify>,
    }

    pub(in crate::session::transport::process) type KillRequest = Arc<Notify>;

    /// The process dies with the task that waits for it.
    pub(in crate::session::transport::process) fn lead(command: &mut Command) {
        command.kill_on_drop(true);
    }

    /// Waits for the process, and kills it on request.
    pub(in crate::session::transport::process) async fn wait(
        child: &mut Child,
        kill: KillRequest,
    ) -> io::Result<ExitStatus> {
        tokio::select! {
            status = child.wait() => return status,
            () = kill.notified() => child.start_kill()?,
        }
        child.wait().await
    }

    impl ProcessGroup {
        /// The process `leader`.
        pub(in crate::session::transport::process) fn new(leader: u32) -> Self {
            Self { leader, kill: Arc::default() }
        }

        pub(in crate::session::transport::process) fn kill_request(&self) -> KillRequest {
            Arc::clone(&self.kill)
        }

        pub(in crate::session::transport::process) fn id(&self) -> u32 {
            self.leader
        }

        /// There is no polite way.
        pub(in crate::session::transport::process) fn terminate(&self) {
            self.kill();
        }

        pub(in crate::session::transport::process) fn kill(&self) {
            self.kill.notify_one();
        }

        /// What it started is not in reach, so nothing is known of it.
        pub(in crate::session::transport::process) fn left_over(&self) -> LeftOver {
            LeftOver::Nothing
        }
    }

    impl Drop for ProcessGroup {
        fn drop(&mut self) {
            self.kill();
        }
    }
}
