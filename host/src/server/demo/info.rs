//! What is known of one file: the answer of `get_file_info`.

use std::{
    fs::File,
    os::unix::fs::PermissionsExt,
    time::{SystemTime, UNIX_EPOCH},
};

use super::{Files, error::FileError};

impl Files {
    pub(super) fn info(&self, path: &str) -> Result<String, FileError> {
        let inside = self.root.inside(path)?;
        let opened = self.root.open_to_look(&inside);
        let file = File::from(opened.map_err(|errno| inside.error("looked at", errno))?);
        let metadata = file.metadata().map_err(|error| inside.error("looked at", error))?;
        let mut lines = vec![format!("size: {}", metadata.len())];
        // Not every file system keeps all of them.
        let times = [
            ("created", metadata.created()),
            ("modified", metadata.modified()),
            ("accessed", metadata.accessed()),
        ];
        for (name, time) in times {
            if let Ok(time) = time {
                lines.push(format!("{name}: {}", to_rfc3339(time)));
            }
        }
        lines.push(format!("isDirectory: {}", metadata.is_dir()));
        lines.push(format!("isFile: {}", metadata.is_file()));
        lines.push(format!("permissions: {:o}", metadata.permissions().mode() & 0o777));
        Ok(lines.join("\n"))
    }
}

const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// UTC, in whole seconds.
fn to_rfc3339(time: SystemTime) -> String {
    let seconds = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_secs() as i64,
        Err(before) => -(before.duration().as_secs_f64().ceil() as i64),
    };
    let (year, month, day) = date(seconds.div_euclid(SECONDS_PER_DAY));
    let of_day = seconds.rem_euclid(SECONDS_PER_DAY);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The Gregorian date of a day, counted from 1970-01-01. Years start in March here, so that a leap day is a year's last one.
fn date(day: i64) -> (i64, i64, i64) {
    const DAYS_PER_400_YEARS: i64 = 146_097;
    const DAYS_FROM_0000_03_01: i64 = 719_468;

    let day = day + DAYS_FROM_0000_03_01;
    let era = day.div_euclid(DAYS_PER_400_YEARS);
    let of_era = day.rem_euclid(DAYS_PER_400_YEARS);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months have 153 days for each five of them, from March on.
    let month_from_march = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    (year, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(to_rfc3339(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
        assert_eq!(to_rfc3339(UNIX_EPOCH - Duration::from_secs(1)), "1969-12-31T23:59:59Z");
    }
}
