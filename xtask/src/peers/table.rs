//! The table of both sides.

use serde::Deserialize;

use super::process::Processes;
use crate::markdown;

/// What one side measured.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Figures {
    start_us: f64,
    call_us: f64,
    parked_kib: f64,
    /// What the peer says itself of its runs, without what its API does around them.
    own_start_us: Option<f64>,
    own_call_us: Option<f64>,
}

/// What was measured in one round.
pub(super) struct Round {
    pub(super) callgate: Figures,
    pub(super) peer: Figures,
    pub(super) processes: Processes,
}

/// One line: a figure of a round, with that of the peer where it has one.
struct Line {
    what: &'static str,
    of: fn(&Round) -> Option<(f64, f64)>,
    unit: Unit,
    /// At most so much.
    aim: f64,
}

/// What a figure is.
#[derive(Clone, Copy)]
enum Unit {
    Nanoseconds,
    Kib,
}

impl Unit {
    fn shown(self, figure: f64) -> String {
        match self {
            Self::Nanoseconds => markdown::time(figure),
            Self::Kib => format!("{figure:.0} KiB"),
        }
    }
}

const LINES: &[Line] = &[
    Line {
        what: "`return 1`, warm",
        of: |round| Some((round.callgate.start_us * 1e3, round.peer.start_us * 1e3)),
        unit: Unit::Nanoseconds,
        aim: 0.2e6,
    },
    Line {
        what: "the same, by the peer's own clock",
        of: |round| Some((round.callgate.start_us * 1e3, round.peer.own_start_us? * 1e3)),
        unit: Unit::Nanoseconds,
        aim: 0.2e6,
    },
    Line {
        what: "`return 1`, a whole process",
        of: |Round { processes, .. }| {
            Some((processes.callgate.as_secs_f64() * 1e9, processes.peer.as_secs_f64() * 1e9))
        },
        unit: Unit::Nanoseconds,
        aim: 15e6,
    },
    Line {
        what: "a call of 200, one after the other",
        of: |round| Some((round.callgate.call_us * 1e3, round.peer.call_us * 1e3)),
        unit: Unit::Nanoseconds,
        aim: 8e3,
    },
    Line {
        what: "the same, by the peer's own clock",
        of: |round| Some((round.callgate.call_us * 1e3, round.peer.own_call_us? * 1e3)),
        unit: Unit::Nanoseconds,
        aim: 8e3,
    },
    Line {
        what: "private memory of a run that waits",
        of: |round| Some((round.callgate.parked_kib, round.peer.parked_kib)),
        unit: Unit::Kib,
        aim: 400.0,
    },
];

/// The table of the medians of all rounds. An aim is met when the figure is within it and the peer's is no better.
pub(super) fn table(rounds: &[Round]) -> String {
    let heads = ["", "Callgate", "modebox", "ratio", "aim", ""].map(str::to_owned);
    let mut rows = vec![heads];
    for Line { what, of, unit, aim } in LINES {
        let measured: Vec<(f64, f64)> = rounds.iter().filter_map(of).collect();
        if measured.is_empty() {
            continue;
        }
        let ours = median(measured.iter().map(|(ours, _)| *ours));
        let theirs = median(measured.iter().map(|(_, theirs)| *theirs));
        let is_met = ours <= *aim && ours <= theirs;
        rows.push([
            (*what).to_owned(),
            unit.shown(ours),
            unit.shown(theirs),
            format!("{:.2}x", ours / theirs),
            unit.shown(*aim),
            if is_met { "met" } else { "missed" }.to_owned(),
        ]);
    }
    markdown::table(&rows)
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn figures(start_us: f64, parked_kib: f64, own_start_us: Option<f64>) -> Figures {
        Figures { start_us, call_us: 5.0, parked_kib, own_start_us, own_call_us: None }
    }

    #[test]
    fn an_aim_is_met_by_a_figure_that_is_within_it_and_beats_the_peer() {
        let round = |start_us| Round {
            callgate: figures(start_us, 300.0, None),
            peer: figures(400.0, 250.0, Some(120.0)),
            processes: Processes {
                callgate: Duration::from_millis(16),
                peer: Duration::from_millis(160),
            },
        };

        let table = table(&[round(150.0), round(100.0), round(900.0)]);

        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert_eq!(
            rows[2],
            ["`return 1`, warm", "150.00 us", "400.00 us", "0.38x", "200.00 us", "met"]
        );
        assert_eq!(rows[3][5], "missed", "{table}");
        assert_eq!(rows[4][1..], ["16.00 ms", "160.00 ms", "0.10x", "15.00 ms", "missed"]);
        assert_eq!(rows[5][5], "met", "{table}");
        assert_eq!(rows[6][1..], ["300 KiB", "250 KiB", "1.20x", "400 KiB", "missed"]);
        assert_eq!(rows.len(), 7, "{table}");
    }
}
