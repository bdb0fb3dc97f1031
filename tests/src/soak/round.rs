//! One round after the other: servers, a pool and load; then the closing under load, the accounts, and what is left.

use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use callgate::{Cause, ConnectionId, Engine, SessionPool, Workflow};
use rustix::process::Signal;
use tempfile::TempDir;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, timeout},
};

use super::{
    accounts, callers, chaos,
    faults::Faults,
    figures::{Figures, thousands},
    http_host::HttpHost,
    leavings::Leavings,
    ledger::Reading,
    line::{HTTP_SERVERS, LINES, Servers},
    plan::Planned,
    processes,
    register::Register,
    runs,
    settings::{Settings, Spoil},
    told::Told,
};
use crate::dice::Dice;
use crate::guests;

/// How long closing a pool may take: the drain, the farewell over HTTP, and two times the grace before a kill, and then some.
const CLOSE_WITHIN: Duration = Duration::from_secs(5);
/// See [`Round::calm`].
const CALM: Duration = Duration::from_millis(600);
/// How long calls and runs may take to end once the pool is closed.
const END_WITHIN: Duration = Duration::from_secs(10);
/// How long the system may take to do away with processes that were killed.
const BURY_WITHIN: Duration = Duration::from_secs(2);

/// What all who make load in a round share.
pub(super) struct Round {
    pub(super) settings: Arc<Settings>,
    pub(super) pool: SessionPool,
    pub(super) register: Register,
    pub(super) faults: Arc<Faults>,
    /// By it the processes of the round are found.
    pub(super) mark: String,
    figures: Arc<Mutex<Figures>>,
    is_closing: AtomicBool,
    is_over: AtomicBool,
}

impl Round {
    /// A pause that is made besides: a pool that is closing answers so soon that its callers would do nothing but ask.
    pub(super) fn calm(&self) -> Duration {
        if self.is_closing.load(Ordering::Relaxed) { CALM } else { Duration::ZERO }
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn figures(&self) -> MutexGuard<'_, Figures> {
        lock(&self.figures)
    }

    /// An answer came, whatever it was.
    pub(super) fn note_answer(
        &self,
        call: &Planned,
        told: Told,
        cause: Option<Cause>,
        took: Duration,
    ) {
        let Planned { line, token, .. } = call;
        // The host doesn't fail, and nothing in a soak is too large or asks for more.
        if let Some(cause @ (Cause::Internal | Cause::TooLarge | Cause::InputRequired)) = cause {
            self.faults.note(format!("call {token} over {} was told {told}: {cause}", line.id));
        }
        let overrun = took.saturating_sub(line.call_timeout);
        self.figures().answer(told, cause, took, overrun);
        if overrun > self.settings.slack {
            let id = line.id;
            self.faults.note(format!(
                "call {token} over {id} was answered {overrun:?} after its deadline"
            ));
        }
    }
}

/// Makes load until the time is over, and holds the host to what it promises.
///
/// # Errors
///
/// When the soak itself can't go on. What it holds against the host is in `faults`.
pub async fn soak(settings: Settings, faults: &Arc<Faults>) -> Result<Figures> {
    ensure!(Path::new("/proc/self/fd").exists(), "there is no /proc here, as Linux has it");
    let engine = Engine::new()?;
    let workflow = Workflow::from_file(&engine, Path::new(guests::CALLS_IN_STEPS))?;
    let figures = Figures::new(settings.slack, settings.memory_mib);
    let soak = Soak {
        workflow,
        figures: Arc::new(Mutex::new(figures)),
        faults: faults.clone(),
        settings: Arc::new(settings),
        started_at: Instant::now(),
    };
    let clock = tokio::spawn(watch(soak.clone()));
    let done = soak.run().await;
    clock.abort();
    done?;
    Ok(std::mem::take(&mut *lock(&soak.figures)))
}

#[derive(Clone)]
struct Soak {
    workflow: Workflow,
    figures: Arc<Mutex<Figures>>,
    faults: Arc<Faults>,
    settings: Arc<Settings>,
    started_at: Instant,
}

impl Soak {
    async fn run(&self) -> Result<()> {
        let mut dice = Dice::new(self.settings.seed);
        let mut base = None;
        for number in 1_u64.. {
            let left = self.settings.duration.saturating_sub(self.started_at.elapsed());
            // Two at least, because the first one is what the others are compared with.
            if number > 2 && left.is_zero() {
                break;
            }
            let length = dice.millis(4000..8000).min(left.max(Duration::from_secs(2)));
            self.round(number, length, &mut dice).await?;
            let leavings = Leavings::settled(base.as_ref()).await;
            let base = base.get_or_insert(leavings);
            self.faults.note_all(leavings.excess(base));
            let mut figures = lock(&self.figures);
            (figures.base, figures.end) = (Some(*base), Some(leavings));
            drop(figures);
            self.spoil();
        }
        self.compare_memory();
        lock(&self.figures).elapsed = self.started_at.elapsed();
        Ok(())
    }

    async fn round(&self, number: u64, length: Duration, dice: &mut Dice) -> Result<()> {
        let faults_before = self.faults.count();
        let folder = TempDir::with_prefix("callgate-soak-")?;
        let ledger = folder.path().join("ledger");
        let mark = format!("{}-{number}", std::process::id());
        let mut servers = Servers {
            program: &self.settings.server,
            ledger: &ledger,
            seed: dice.draw(),
            mark: &mark,
            spoil: self.settings.spoil.map_or("nothing", Spoil::name),
            ports: &[],
        };
        let mut hosts = Vec::new();
        for _ in 0..HTTP_SERVERS {
            hosts.push(HttpHost::start(&servers).await.context("starting an HTTP server")?);
        }
        let ports: Vec<u16> = hosts.iter().map(|host| host.port).collect();
        servers.ports = &ports;
        let connections = LINES
            .iter()
            .filter_map(|line| Some((ConnectionId::from(line.id), line.connection(&servers)?)));
        let round = Arc::new(Round {
            settings: self.settings.clone(),
            pool: SessionPool::new(connections),
            register: Register::new(self.faults.clone()),
            faults: self.faults.clone(),
            mark: mark.clone(),
            figures: self.figures.clone(),
            is_closing: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });

        let mut load = self.load(&round, dice);
        let chaos = tokio::spawn(chaos::rage(round.clone(), dice.fork(), hosts));
        sleep(length).await;
        close(&round).await;
        round.is_over.store(true, Ordering::Relaxed);
        self.end(&mut load).await;
        for mut host in chaos.await.context("the chaos ended in one")? {
            host.end().await?;
        }

        self.bury(&mark).await;
        // No process is there any more that could write into it.
        let ledger = fs::read_to_string(&ledger).context("reading the ledger")?;
        let ledger = Reading::of(&ledger);
        let calls = round.register.take();
        self.faults.note_all(accounts::faults(&calls, &ledger));
        lock(&self.figures).round(&calls, &ledger);
        if self.faults.count() > faults_before {
            let kept = folder.keep();
            self.faults.note(format!("the ledger of round {number} is in {}", kept.display()));
        }
        Ok(())
    }

    fn load(&self, round: &Arc<Round>, dice: &mut Dice) -> JoinSet<()> {
        let mut load = JoinSet::new();
        for _ in 0..self.settings.runs {
            load.spawn(runs::keep_running(round.clone(), self.workflow.clone(), dice.fork()));
        }
        for _ in 0..self.settings.callers {
            load.spawn(callers::keep_calling(round.clone(), dice.fork()));
        }
        load
    }

    /// Waits for those who make load: each has an answer, or it hangs.
    async fn end(&self, load: &mut JoinSet<()>) {
        let until = Instant::now() + END_WITHIN;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match timeout(left, load.join_next()).await {
                Ok(None) => return,
                Ok(Some(Ok(()))) => {}
                Ok(Some(Err(error))) => self.faults.note(format!("a caller failed: {error}")),
                Err(_elapsed) => {
                    self.faults.note(format!("{} callers or runs hang", load.len()));
                    return load.shutdown().await;
                }
            }
        }
    }

    /// No process may be left, and if there is one, it must not go on.
    async fn bury(&self, mark: &str) {
        if self.settings.spoil == Some(Spoil::Process) {
            let mut left = std::process::Command::new("sleep");
            drop(left.arg("60").env(processes::MARK, mark).spawn());
        }
        let until = Instant::now() + BURY_WITHIN;
        while processes::marked(mark).next().is_some() && Instant::now() < until {
            sleep(Duration::from_millis(20)).await;
        }
        for process in processes::marked(mark) {
            self.faults.note(format!("the process {process:?} is left over"));
            lock(&self.figures).processes_left += 1;
            process.signal(Signal::KILL);
        }
    }

    /// What is left on purpose.
    fn spoil(&self) {
        match self.settings.spoil {
            Some(Spoil::Descriptor) => std::mem::forget(fs::File::open("/dev/null")),
            Some(Spoil::Task) => drop(tokio::spawn(std::future::pending::<()>())),
            Some(Spoil::Memory) => {
                let bytes = (self.settings.memory_mib as usize * 2) << 20;
                std::mem::forget(vec![1_u8; bytes]);
            }
            _ => {}
        }
    }

    fn compare_memory(&self) {
        let (base, end) = {
            let figures = lock(&self.figures);
            (figures.base, figures.end)
        };
        let (Some(base), Some(end)) = (base, end) else { return };
        let more = end.memory_kib.saturating_sub(base.memory_kib) >> 10;
        if more > self.settings.memory_mib {
            self.faults
                .note(format!("memory left over: {more} MiB more than after the first round"));
        }
    }
}

/// While calls come in.
async fn close(round: &Round) {
    let started_at = Instant::now();
    round.is_closing.store(true, Ordering::Relaxed);
    if timeout(END_WITHIN, round.pool.close()).await.is_err() {
        round.faults.note("closing the pool hangs");
    }
    let took = started_at.elapsed();
    if took > CLOSE_WITHIN {
        round.faults.note(format!("closing the pool took {took:?}"));
    }
    let mut figures = round.figures();
    figures.slowest_close = figures.slowest_close.max(took);
}

/// Says how far it is, and measures how late the machine is by itself.
async fn watch(soak: Soak) {
    let nap = Duration::from_millis(10);
    let is_terminal = io::stderr().is_terminal();
    let interval = if is_terminal { Duration::from_secs(1) } else { Duration::from_secs(10) };
    let mut next = Instant::now() + interval;
    loop {
        let until = Instant::now() + nap;
        sleep(nap).await;
        let lateness = until.elapsed();
        let mut figures = lock(&soak.figures);
        figures.lateness = figures.lateness.max(lateness);
        if Instant::now() < next {
            continue;
        }
        next += interval;
        let line = format!(
            "soak: {} of {} s, {} rounds, {} runs, {} calls, {} kills, {} stalls, {} restarts, {} faults",
            soak.started_at.elapsed().as_secs(),
            soak.settings.duration.as_secs(),
            figures.rounds,
            thousands(figures.runs()),
            thousands(figures.calls()),
            figures.kills,
            figures.stalls,
            figures.restarts,
            soak.faults.count(),
        );
        drop(figures);
        let end = if is_terminal { "\r" } else { "\n" };
        let _nobody_may_read_it = write!(io::stderr(), "{line}{end}");
    }
}

fn lock(figures: &Mutex<Figures>) -> MutexGuard<'_, Figures> {
    figures.lock().unwrap_or_else(PoisonError::into_inner)
}
