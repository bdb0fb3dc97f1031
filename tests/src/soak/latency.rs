//! How long answers took, in so little memory that a long soak has the same as a short one.

use std::time::Duration;

/// Each bucket reaches a tenth further than the one before, from a microsecond on: the last one holds hours.
const BUCKETS: usize = 250;
const GROWTH: f64 = 1.1;

/// Counts by duration.
#[derive(Clone, Debug)]
pub(super) struct Latency {
    buckets: Vec<u64>,
    count: u64,
    max: Duration,
}

impl Default for Latency {
    fn default() -> Self {
        Self { buckets: vec![0; BUCKETS], count: 0, max: Duration::ZERO }
    }
}

impl Latency {
    pub(super) fn add(&mut self, took: Duration) {
        let micros = took.as_secs_f64() * 1e6;
        let bucket = micros.max(1.0).log(GROWTH).ceil() as usize;
        self.buckets[bucket.min(BUCKETS - 1)] += 1;
        self.count += 1;
        self.max = self.max.max(took);
    }

    /// What so many of a hundred answers didn't exceed, a tenth too much at most.
    pub(super) fn percentile(&self, percent: u64) -> Duration {
        let wanted = (self.count * percent).div_ceil(100);
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Duration::from_secs_f64(GROWTH.powi(bucket as i32) / 1e6).min(self.max);
            }
        }
        self.max
    }

    pub(super) fn max(&self) -> Duration {
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_a_tenth_too_much_at_most() {
        let mut latency = Latency::default();

        (1..=1000).for_each(|millis| latency.add(Duration::from_millis(millis)));

        for (percent, millis) in [(50, 500), (99, 990)] {
            let told = latency.percentile(percent).as_millis();
            assert!((millis..=millis * 11 / 10).contains(&told), "p{percent}: {told} ms");
        }
        assert_eq!(latency.max(), Duration::from_secs(1));
    }
}
