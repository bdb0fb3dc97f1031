//! The table of all benchmarks: each figure beside its floor, which was measured in the same run of the benchmark.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::markdown::{table as aligned, time};

/// One line of the table.
struct Line {
    what: &'static str,
    /// Where criterion keeps the figure, in its folder.
    figure: &'static str,
    /// The same for what it is held against.
    floor: &'static str,
    /// How many of what is told one measured round is.
    rounds: f64,
    aim: Aim,
}

/// What is wanted of a figure.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Aim {
    /// At most so many times its floor.
    Times(f64),
    /// At most so many nanoseconds above its floor.
    More(f64),
    /// Nothing; it is told for comparison.
    None,
}

use Aim::{More, None as NoAim, Times};

const fn line(
    what: &'static str,
    (figure, floor): (&'static str, &'static str),
    rounds: f64,
    aim: Aim,
) -> Line {
    Line { what, figure, floor, rounds, aim }
}

const LINES: &[Line] = &[
    line("run without calls, pool", ("runs_pooled/callgate", "runs_pooled/floor"), 1.0, Times(1.3)),
    line(
        "run without calls, on demand",
        ("runs_on_demand/callgate", "runs_on_demand/floor"),
        1.0,
        NoAim,
    ),
    // Half the time of one thread would be 0.5; 1.7 times as many runs are 0.59.
    line(
        "run, two threads (floor: one)",
        ("runs_threads/two", "runs_threads/one"),
        1.0,
        Times(0.59),
    ),
    line("call of 64 B", ("boundary/callgate/64B", "boundary/floor/64B"), 1e3, More(1e3)),
    line("call of 4 KiB", ("boundary/callgate/4KiB", "boundary/floor/4KiB"), 1e3, More(1e3)),
    line("call of 256 KiB", ("boundary/callgate/256KiB", "boundary/floor/256KiB"), 1e2, Times(1.3)),
    line("call of 4 MiB", ("boundary/callgate/4MiB", "boundary/floor/4MiB"), 1e1, Times(1.3)),
    line(
        "owner task to server, 1 in flight",
        ("whole_path/owner_task/1", "whole_path/bare_rmcp/1"),
        1e3,
        NoAim,
    ),
    line(
        "owner task to server, 64 in flight",
        ("whole_path/owner_task/64", "whole_path/bare_rmcp/64"),
        1e3,
        NoAim,
    ),
    line(
        "guest to server, 1 in flight",
        ("whole_path/guest/1", "whole_path/bare_rmcp/1"),
        1e3,
        Times(1.5),
    ),
    line(
        "guest to server, 64 in flight",
        ("whole_path/guest/64", "whole_path/bare_rmcp/64"),
        1e3,
        Times(1.3),
    ),
    line(
        "1,000 calls of 10 ms (floor: tokio)",
        ("fan_out/callgate", "fan_out/floor"),
        1.0,
        Times(1.25),
    ),
    line("the same on wasmtime alone", ("fan_out/wasmtime", "fan_out/floor"), 1.0, NoAim),
    line("ticks, loops", ("interruption/ticks/loops", "interruption/floor/loops"), 1.0, NoAim),
    line("ticks, calls", ("interruption/ticks/calls", "interruption/floor/calls"), 1e3, NoAim),
    line(
        "fuel and ticks, loops",
        ("interruption/callgate_with_fuel/loops", "interruption/callgate/loops"),
        1.0,
        NoAim,
    ),
    line(
        "fuel and ticks, calls",
        ("interruption/callgate_with_fuel/calls", "interruption/callgate/calls"),
        1e3,
        NoAim,
    ),
    line(
        "layer, a call",
        (
            "layers_calls/deny-writes/1 layers, 1 in flight",
            "layers_calls/deny-writes/0 layers, 1 in flight",
        ),
        1e3,
        More(2e3),
    ),
    line(
        "the same on wasmtime alone",
        (
            "layers_calls/floor-deny-writes/1 layers, 1 in flight",
            "layers_calls/floor-deny-writes/0 layers, 1 in flight",
        ),
        1e3,
        NoAim,
    ),
    line(
        "five layers, a call",
        (
            "layers_calls/deny-writes/5 layers, 1 in flight",
            "layers_calls/deny-writes/0 layers, 1 in flight",
        ),
        1e3,
        More(1e4),
    ),
    line(
        "the same on wasmtime alone",
        (
            "layers_calls/floor-deny-writes/5 layers, 1 in flight",
            "layers_calls/floor-deny-writes/0 layers, 1 in flight",
        ),
        1e3,
        NoAim,
    ),
    line(
        "layer with settings, a call",
        ("layers_calls/retry/1 layers, 1 in flight", "layers_calls/retry/0 layers, 1 in flight"),
        1e3,
        More(2e3),
    ),
    line(
        "layer, a start, pool",
        ("layers_start/deny-writes/1 layers, pool", "layers_start/deny-writes/0 layers, pool"),
        1.0,
        More(15e3),
    ),
    line(
        "the same on wasmtime alone",
        ("layers_start/floor-deny-writes/1 layers", "layers_start/floor-deny-writes/0 layers"),
        1.0,
        NoAim,
    ),
    line(
        "five layers, a start, pool",
        ("layers_start/deny-writes/5 layers, pool", "layers_start/deny-writes/0 layers, pool"),
        1.0,
        More(75e3),
    ),
    line(
        "the same on wasmtime alone",
        ("layers_start/floor-deny-writes/5 layers", "layers_start/floor-deny-writes/0 layers"),
        1.0,
        NoAim,
    ),
    line(
        "layer, a start, on demand",
        (
            "layers_start/deny-writes/1 layers, on demand",
            "layers_start/deny-writes/0 layers, on demand",
        ),
        1.0,
        NoAim,
    ),
];

/// The part of criterion's `estimates.json` that is told, in nanoseconds.
#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// The table of what was measured, from criterion's folder. Lines that were not measured are left out.
pub(super) fn table(criterion: &Path) -> Result<String> {
    let heads = ["", "figure", "floor", "ratio", "more", "aim", ""].map(str::to_owned);
    let mut rows = vec![heads];
    for line in LINES {
        if let (Some(figure), Some(floor)) =
            (median(criterion, line.figure)?, median(criterion, line.floor)?)
        {
            rows.push(line.row(figure / line.rounds, floor / line.rounds));
        }
    }
    Ok(aligned(&rows))
}

/// Nothing where it was not measured.
fn median(criterion: &Path, figure: &str) -> Result<Option<f64>> {
    let path = criterion.join(figure).join("new/estimates.json");
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    let estimates: Estimates = serde_json::from_str(&text)
        .with_context(|| format!("{} is not criterion's", path.display()))?;
    Ok(Some(estimates.median.point_estimate))
}

impl Line {
    fn row(&self, figure: f64, floor: f64) -> [String; 7] {
        let (aim, is_met) = match self.aim {
            NoAim => (String::new(), None),
            Times(times) => (format!("{times:.2}x"), Some(figure <= floor * times)),
            More(more) => (format!("+{}", time(more)), Some(figure - floor <= more)),
        };
        let verdict = match is_met {
            None => "",
            Some(true) => "met",
            Some(false) => "missed",
        };
        [
            self.what.to_owned(),
            time(figure),
            time(floor),
            format!("{:.2}x", figure / floor),
            format!("{}{}", if figure < floor { "-" } else { "+" }, time((figure - floor).abs())),
            aim,
            verdict.to_owned(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(folder: &Path, name: &str, nanos: f64) {
        let folder = folder.join(name).join("new");
        fs::create_dir_all(&folder).unwrap();
        let estimates = format!(r#"{{"mean": {{}}, "median": {{"point_estimate": {nanos}}}}}"#);
        fs::write(folder.join("estimates.json"), estimates).unwrap();
    }

    #[test]
    fn a_figure_stands_beside_its_floor_and_says_whether_its_aim_is_met() {
        let folder = tempfile::tempdir().unwrap();
        measured(folder.path(), "runs_pooled/callgate", 12_000.0);
        measured(folder.path(), "runs_pooled/floor", 10_000.0);
        measured(folder.path(), "boundary/callgate/64B", 2_600_000.0);
        measured(folder.path(), "boundary/floor/64B", 1_000_000.0);
        measured(folder.path(), "fan_out/callgate", 1.0);

        let table = table(folder.path()).unwrap();

        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert_eq!(rows.len(), 4, "{table}");
        assert_eq!(
            rows[2],
            [
                "run without calls, pool",
                "12.00 us",
                "10.00 us",
                "1.20x",
                "+2.00 us",
                "1.30x",
                "met"
            ]
        );
        assert_eq!(
            rows[3],
            ["call of 64 B", "2.60 us", "1.00 us", "2.60x", "+1.60 us", "+1.00 us", "missed"]
        );
    }
}
