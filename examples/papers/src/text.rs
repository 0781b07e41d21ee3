//! Text of a section: Markdown tables, numbers, and errors.

use std::fmt::Write;

pub type Error = Box<dyn std::error::Error>;

/// A Markdown table.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut s = format!("| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len()));
    for row in rows {
        let _ = writeln!(s, "| {} |", row.join(" | "));
    }
    s
}

/// A number with a comma at every thousand.
pub fn thousands(x: f64) -> String {
    let digits = format!("{x:.0}");
    let mut s = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            s.push(',');
        }
        s.push(c);
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            ["7", "42", "999", "1,000", "12,345", "1,234,567"].map(String::from).to_vec(),
            [7.0, 42.0, 999.0, 1000.0, 12345.0, 1_234_567.0].map(thousands)
        );
    }
}
