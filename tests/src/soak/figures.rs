//! The figures of a soak, as a table.

use std::{collections::BTreeMap, fmt, time::Duration};

use callgate::Cause;

use super::{latency::Latency, leavings::Leavings, ledger::Reading, register::Issued, told::Told};

/// What was counted and measured.
#[derive(Debug, Default)]
pub struct Figures {
    pub(super) rounds: u64,
    pub(super) elapsed: Duration,
    runs: BTreeMap<&'static str, u64>,
    calls: BTreeMap<String, u64>,
    /// Of calls that were not sent, and of those whose outcome is unknown.
    causes: BTreeMap<String, u64>,
    /// By connection: all calls, and those that a server answered.
    lines: BTreeMap<&'static str, (u64, u64)>,
    total: u64,
    executed: u64,
    executed_again: u64,
    sessions: u64,
    epoch: u64,
    moods: BTreeMap<String, u64>,
    pub(super) kills: u64,
    pub(super) stalls: u64,
    pub(super) restarts: u64,
    latency: Latency,
    overrun: Duration,
    slack: Duration,
    pub(super) lateness: Duration,
    pub(super) slowest_close: Duration,
    pub(super) processes_left: usize,
    pub(super) base: Option<Leavings>,
    pub(super) end: Option<Leavings>,
    memory_mib: u64,
}

impl Figures {
    pub(super) fn new(slack: Duration, memory_mib: u64) -> Self {
        Self { slack, memory_mib, ..Self::default() }
    }

    /// How many calls there were.
    pub fn calls(&self) -> u64 {
        self.total
    }

    pub(super) fn run(&mut self, end: &'static str) {
        *self.runs.entry(end).or_default() += 1;
    }

    pub(super) fn runs(&self) -> u64 {
        self.runs.values().sum()
    }

    pub(super) fn highest_epoch(&mut self, epoch: Option<u64>) {
        self.epoch = self.epoch.max(epoch.unwrap_or_default());
    }

    /// One answer: what it was, how long it took, and how long after its deadline it came.
    pub(super) fn answer(
        &mut self,
        told: Told,
        cause: Option<Cause>,
        took: Duration,
        overrun: Duration,
    ) {
        if told.is_of_a_server() {
            self.latency.add(took);
        }
        if let Some(cause) = cause {
            *self.causes.entry(format!("{told}: {cause}")).or_default() += 1;
        }
        self.overrun = self.overrun.max(overrun);
    }

    /// Adds a round that is accounted for.
    pub(super) fn round(&mut self, calls: &[Issued], ledger: &Reading) {
        self.rounds += 1;
        self.total += calls.len() as u64;
        for call in calls {
            let told =
                call.told.map_or("without an answer".to_owned(), |told: Told| told.to_string());
            *self.calls.entry(told).or_default() += 1;
            let (all, answered) = self.lines.entry(call.line.id).or_default();
            *all += 1;
            *answered += u64::from(call.told.is_some_and(Told::is_of_a_server));
        }
        for (_, times) in ledger.done() {
            self.executed += 1;
            self.executed_again += u64::from(times > 1);
        }
        self.sessions += ledger.sessions;
        for (mood, times) in &ledger.moods {
            *self.moods.entry(mood.clone()).or_default() += times;
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |duration: Duration| format!("{} ms", thousands(duration.as_millis() as u64));
        let mut row = |name: &str, value: String| writeln!(f, "{name:<40} {value}");
        row("time", format!("{} s in {} rounds", self.elapsed.as_secs(), self.rounds))?;
        row("runs", thousands(self.runs()))?;
        self.runs
            .iter()
            .try_for_each(|(end, count)| row(&format!("  {end}"), thousands(*count)))?;
        row("calls", thousands(self.total))?;
        self.calls
            .iter()
            .try_for_each(|(told, count)| row(&format!("  {told}"), thousands(*count)))?;
        row("why there was no answer, where it was told", String::new())?;
        self.causes
            .iter()
            .try_for_each(|(cause, count)| row(&format!("  {cause}"), thousands(*count)))?;
        row("calls by connection", "those that a server answered".to_owned())?;
        self.lines.iter().try_for_each(|(id, (all, answered))| {
            row(&format!("  {id}"), format!("{} of {}", thousands(*answered), thousands(*all)))
        })?;
        row("calls carried out", thousands(self.executed))?;
        row("  twice, where that is allowed", thousands(self.executed_again))?;
        row("servers killed", thousands(self.kills))?;
        row("servers stalled", thousands(self.stalls))?;
        row("HTTP servers started again", thousands(self.restarts))?;
        row("calls that servers dealt badly with", thousands(self.moods.values().sum()))?;
        self.moods.iter().try_for_each(|(mood, count)| {
            row(&format!("  {}", mood.to_lowercase()), thousands(*count))
        })?;
        row("sessions opened", thousands(self.sessions))?;
        row("highest epoch in a report", thousands(self.epoch))?;
        row("server's answer after (half of all)", ms(self.latency.percentile(50)))?;
        row("server's answer after (99 of 100)", ms(self.latency.percentile(99)))?;
        row("server's answer after (the slowest)", ms(self.latency.max()))?;
        row(
            "latest answer after its deadline",
            format!("{}, {} allowed", ms(self.overrun), ms(self.slack)),
        )?;
        row("the machine's own delay", format!("{} at most", ms(self.lateness)))?;
        row("slowest closing under load", ms(self.slowest_close))?;
        row("processes of servers left over", self.processes_left.to_string())?;
        let (Some(base), Some(end)) = (&self.base, &self.end) else { return Ok(()) };
        let mut pair =
            |name: &str, base: usize, end: usize| row(name, format!("{base}, {end} at the end"));
        pair("tasks after the first round", base.tasks, end.tasks)?;
        pair("descriptors after the first round", base.descriptors, end.descriptors)?;
        pair("children after the first round", base.children, end.children)?;
        let mib = |kib: u64| format!("{:.1} MiB", kib as f64 / 1024.0);
        let (base, end, more) = (mib(base.memory_kib), mib(end.memory_kib), self.memory_mib);
        row(
            "memory after the first round",
            format!("{base}, {end} at the end, {more} MiB more allowed"),
        )
    }
}

pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
