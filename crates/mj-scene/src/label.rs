//! Numbers in labels.

/// Writes a number with three significant digits, without trailing zeros, with an exponent where it is very small or large.
pub(crate) fn significant(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let scientific = format!("{x:.2e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..3).contains(&exponent) {
        trimmed(&format!("{x:.*}", (2 - exponent) as usize)).to_string()
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
    }
}

/// Drops zeros at the end of a fraction.
fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn three_digits_count() {
        let texts = [123.456, 0.001234, 1.0, 1234.5, 0.00001234, 99.96, 12.0].map(significant);
        assert_eq!(texts, ["123", "0.00123", "1", "1.23e+03", "1.23e-05", "100", "12"]);
    }
}
