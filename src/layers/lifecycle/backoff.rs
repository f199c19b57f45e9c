//! The back-off table: how long after an allowed status check the next one may come.

/// How many strikes open the breaker.
pub const STRIKES: u32 = 5;

/// After so many allowed checks, one premature check opens the breaker at once.
pub const STRICT_LEVEL: u32 = 5;

/// `30 * 2.5^(n-1)` seconds, halves rounded up, at most 600; 0 for the first check.
const COOLDOWN_SECONDS: [u64; 6] = [0, 30, 75, 188, 469, 600];

/// The shortest timer that may watch a wait, in seconds.
pub const SHORTEST_WATCHDOG: u64 = 30;

/// The cool-down before the next check in seconds, after `level` allowed checks.
pub fn required_seconds(level: u32) -> u64 {
    let last = COOLDOWN_SECONDS.len() - 1;
    COOLDOWN_SECONDS[usize::try_from(level).map_or(last, |level| level.min(last))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_formula() {
        for level in 0..40_u32 {
            let seconds = match level {
                0 => 0.0,
                _ => (30.0 * 2.5_f64.powi(level as i32 - 1)).round().min(600.0),
            };
            assert_eq!(
                required_seconds(level) as f64,
                seconds,
                "after {level} checks"
            );
        }
        assert_eq!(required_seconds(u32::MAX), 600);
    }
}
