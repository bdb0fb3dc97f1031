//! What the tables of measurements have in common.

/// Nanoseconds, as one reads them.
pub(crate) fn time(nanos: f64) -> String {
    match nanos {
        _ if nanos >= 1e6 => format!("{:.2} ms", nanos / 1e6),
        _ if nanos >= 1e3 => format!("{:.2} us", nanos / 1e3),
        _ => format!("{nanos:.0} ns"),
    }
}

/// A Markdown table whose columns stand below each other.
pub(crate) fn table<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            text.push_str(&format!("| {cell:<width$} ", width = width(column)));
        }
        text.push_str("|\n");
        if index == 0 {
            for column in 0..row.len() {
                text.push_str(&format!("|{}", "-".repeat(width(column) + 2)));
            }
            text.push_str("|\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [["", "time"], ["a run", "1 us"]].map(|row| row.map(str::to_owned));

        assert_eq!(table(&rows), "|       | time |\n|-------|------|\n| a run | 1 us |\n");
    }

    #[test]
    fn a_time_has_the_unit_in_which_it_is_read() {
        assert_eq!([999.0, 1_500.0, 2e6].map(time), ["999 ns", "1.50 us", "2.00 ms"]);
    }
}
