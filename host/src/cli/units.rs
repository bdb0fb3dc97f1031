//! Durations and sizes as people write them on a command line.

use std::time::Duration;

/// `250ms`, `30s`, `5m`, `1h`, or seconds without a unit.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds_per_unit = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("use a number with ms, s, m or h, for example 30s".to_owned()),
    };
    let number: f64 = number.parse().map_err(|_| "use a number, for example 30s".to_owned())?;
    match Duration::try_from_secs_f64(number * seconds_per_unit) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("use a duration above zero".to_owned()),
    }
}

/// `64MiB`, `1GiB`, `100KiB`, or bytes without a unit.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = split(text);
    let shift = match unit {
        "" | "B" => 0,
        "KiB" | "K" => 10,
        "MiB" | "M" => 20,
        "GiB" | "G" => 30,
        _ => return Err("use a whole number with B, KiB, MiB or GiB, for example 64MiB".to_owned()),
    };
    let number: usize =
        number.parse().map_err(|_| "use a whole number, for example 64MiB".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "that is more than can be addressed".to_owned())
}

/// The same for sizes that don't have to fit into memory.
pub(super) fn large(text: &str) -> Result<u64, String> {
    bytes(text).and_then(|size| u64::try_from(size).map_err(|error| error.to_string()))
}

fn split(text: &str) -> (&str, &str) {
    let at = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    (text[..at].trim(), text[at..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_understood_and_nonsense_is_not() {
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("10"), Ok(10));
        for text in ["", "s", "-1s", "0", "1d", "inf", "1e400s"] {
            assert!(duration(text).is_err(), "{text}");
        }
        for text in ["", "MiB", "1.5MiB", "1TiB", "99999999999999GiB", "-1"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
