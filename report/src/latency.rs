//! How long calls took.

use serde::Serialize;

/// The upper edges of [`Latency::classes`].
pub const EDGES: [u64; 9] = [200, 300, 400, 500, 750, 1000, 2000, 5000, 10_000];

/// The processor time of calls, in microseconds, from a sample of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// How many calls were sampled.
    pub sampled: u64,
    /// Half of them took no longer.
    pub p50: u64,
    /// Nine of ten took no longer.
    pub p90: u64,
    /// 99 of 100 took no longer.
    pub p99: u64,
    /// The longest.
    pub max: u64,
    /// Upper edges of classes.
    pub edges: [u64; EDGES.len()],
    /// How many took up to each of the edges and longer than the one before; the last class is of those that took longer
    /// than all.
    pub classes: [u64; EDGES.len() + 1],
}

impl Latency {
    /// Of these times; none if there are none.
    pub fn of(mut times: Vec<u64>) -> Option<Self> {
        times.sort_unstable();
        let max = *times.last()?;
        let mut classes = [0; EDGES.len() + 1];
        for time in &times {
            classes[EDGES.partition_point(|edge| edge < time)] += 1;
        }
        // The nearest rank: a time that was measured.
        let at = |percent: usize| times[(times.len() * percent).div_ceil(100) - 1];
        Some(Self {
            sampled: times.len() as u64,
            p50: at(50),
            p90: at(90),
            p99: at(99),
            max,
            edges: EDGES,
            classes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let latency = Latency::of((1..=1000).rev().collect()).unwrap();
        assert_eq!(
            (latency.p50, latency.p90, latency.p99, latency.max),
            (500, 900, 990, 1000)
        );
        assert_eq!(latency.classes, [200, 100, 100, 100, 250, 250, 0, 0, 0, 0]);
        let one = Latency::of(vec![20_000]).unwrap();
        assert_eq!(
            (one.p50, one.p99, one.max, one.classes[9]),
            (20_000, 20_000, 20_000, 1)
        );
        assert_eq!(Latency::of(Vec::new()), None);
    }
}
