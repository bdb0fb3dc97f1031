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

    use rustix::process::{Pid, Signal, kill_process_group};
    use tokio::process::{Child, Command};

    use crate::session::transport::process::watchdog;

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
    }

    impl Drop for ProcessGroup {
        fn drop(&mut self) {
            self.kill();
        }
    }
}
