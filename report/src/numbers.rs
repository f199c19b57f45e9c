//! Numbers as people write them.

/// With a comma between each three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `part` of `whole` in percent; nothing where there is no whole.
pub fn percent(part: u64, whole: u64) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "a percentage needs no 53 bits")]
    let percent = || part as f64 * 100.0 / whole as f64;
    (whole > 0).then(percent)
}

/// Microseconds as milliseconds.
pub fn millis(micros: u64) -> String {
    format!("{}.{:02}", micros / 1000, micros % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        let grouped = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(millis(1234), "1.23");
        assert_eq!(percent(1, 0), None);
    }
}
