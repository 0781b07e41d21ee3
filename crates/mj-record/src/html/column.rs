//! Columns of whole numbers, one a frame, in few bytes: differences of first or second order, of variable length.

/// Largest magnitude of a number: differences of second order stay exact in a browser's numbers.
const LIMIT: f64 = (1_i64 << 46) as f64;

/// Rounds a quantity to a whole number of quanta; what is no number counts as 0.
pub fn quantize(x: f64, quantum: f64) -> i64 {
    let n = (x / quantum).round();
    if n.is_nan() { 0 } else { n.clamp(-LIMIT, LIMIT) as i64 }
}

/// Appends a number of variable length: seven bits a byte, the lowest first.
pub fn write_number(out: &mut Vec<u8>, value: i64) {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Appends a column: how often differences were taken (3: it is constant), then its numbers.
pub fn write_column(out: &mut Vec<u8>, values: &[i64]) {
    let first = values.first().copied().unwrap_or(0);
    if values.iter().all(|v| *v == first) {
        out.push(3);
        write_number(out, first);
        return;
    }
    let orders = [0, 1, 2].map(|order| differences(values, order));
    let bits = |numbers: &[i64]| numbers.iter().map(|n| u64::from(65 - n.unsigned_abs().leading_zeros())).sum::<u64>();
    let best = (0..3).min_by_key(|&k| bits(&orders[k])).unwrap_or(0);
    out.push(best as u8);
    orders[best].iter().for_each(|&n| write_number(out, n));
}

/// Takes differences of neighbours; the number before the first is 0.
fn differences(values: &[i64], order: usize) -> Vec<i64> {
    let mut out = values.to_vec();
    for _ in 0..order {
        for i in (1..out.len()).rev() {
            out[i] -= out[i - 1];
        }
    }
    out
}

/// Reads what was written, as the page does.
#[cfg(test)]
pub struct Reader<'a>(pub &'a [u8]);

#[cfg(test)]
impl Reader<'_> {
    pub fn number(&mut self) -> i64 {
        let (mut n, mut shift) = (0_u64, 0);
        loop {
            let (byte, rest) = self.0.split_first().unwrap();
            self.0 = rest;
            n |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return (n >> 1) as i64 ^ -((n & 1) as i64);
            }
        }
    }

    pub fn column(&mut self, count: usize) -> Vec<i64> {
        let (order, rest) = self.0.split_first().unwrap();
        self.0 = rest;
        if *order == 3 {
            return vec![self.number(); count];
        }
        let mut out: Vec<i64> = (0..count).map(|_| self.number()).collect();
        for _ in 0..*order {
            for i in 1..count {
                out[i] += out[i - 1];
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_come_back(values in prop::collection::vec(-(1_i64 << 46)..=1 << 46, 1..50), flat in any::<bool>()) {
            let values = if flat { vec![values[0]; values.len()] } else { values };
            let mut out = Vec::new();
            write_column(&mut out, &values);
            let mut reader = Reader(&out);
            prop_assert_eq!(reader.column(values.len()), values);
            prop_assert!(reader.0.is_empty());
        }

        #[test]
        fn quantities_come_back_within_half_a_quantum(x in -1e6..1e6_f64, quantum in 1e-5..1.0) {
            prop_assert!((quantize(x, quantum) as f64 * quantum - x).abs() <= 0.5001 * quantum);
        }
    }

    #[test]
    fn what_is_no_number_has_a_place() {
        assert_eq!(quantize(f64::NAN, 1.0), 0);
        assert_eq!(quantize(f64::INFINITY, 1.0), 1 << 46);
        assert_eq!(quantize(0.0, 0.0), 0);
    }
}
