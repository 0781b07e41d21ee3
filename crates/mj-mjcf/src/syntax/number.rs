//! Numbers as the reference reads them: C's forms, separated by white space.

/// Why a word is not the number wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberError {
    /// Not a number.
    Format,
    /// A number, but out of the type's range.
    Range,
}

/// The words of a list.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']).filter(|w| !w.is_empty())
}

/// A floating-point number: decimal, C hexadecimal, `inf`, `nan`; overflow is an error, underflow is not.
pub(crate) fn real(word: &str) -> Result<f64, NumberError> {
    let unsigned = word.trim_start_matches(['+', '-']);
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        if word.len() - unsigned.len() > 1 {
            return Err(NumberError::Format);
        }
        let x = hexadecimal(digits).ok_or(NumberError::Format)?;
        return if x.is_infinite() { Err(NumberError::Range) } else { Ok(if word.starts_with('-') { -x } else { x }) };
    }
    let x: f64 = word.parse().map_err(|_| NumberError::Format)?;
    let spelled = unsigned.starts_with(['i', 'I']);
    if x.is_infinite() && !spelled { Err(NumberError::Range) } else { Ok(x) }
}

/// The digits of a C hexadecimal number: `1f`, `1.8p3`.
fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        Some((m, e)) => (m, e.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut x = 0.0;
    for c in whole.chars().chain(fraction.chars()) {
        x = x * 16.0 + f64::from(c.to_digit(16)?);
    }
    let shift = exponent.saturating_sub(i32::try_from(fraction.len()).ok()?.saturating_mul(4));
    Some(x * 2f64.powi(shift))
}

/// A decimal integer of 32 bits.
pub(crate) fn integer(word: &str) -> Result<i32, NumberError> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Format);
    }
    word.parse().map_err(|_| NumberError::Range)
}

/// The shortest text that is read back as this number, bit for bit.
pub(crate) fn text(x: f64) -> String {
    shorter(format!("{x}"), format!("{x:e}"))
}

/// The shortest text that is read back as this single-precision number.
pub(crate) fn text_single(x: f32) -> String {
    let short = shorter(format!("{x}"), format!("{x:e}"));
    // Texts are read in double precision first: rounding twice may end elsewhere.
    match short.parse::<f64>() {
        Ok(d) if d as f32 != x && !x.is_nan() => text(x.into()),
        _ => short,
    }
}

fn shorter(plain: String, scientific: String) -> String {
    if scientific.len() < plain.len() { scientific } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals() {
        for (word, x) in [
            ("1", 1.0),
            ("+1", 1.0),
            (".5", 0.5),
            ("1.", 1.0),
            ("-1e-3", -0.001),
            ("inf", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            ("0x10", 16.0),
            ("-0x1.8p1", -3.0),
            ("1e-400", 0.0),
        ] {
            assert_eq!(real(word), Ok(x), "{word}");
        }
        assert!(real("NaN").unwrap().is_nan());
        assert_eq!(real("1e999"), Err(NumberError::Range));
        for word in ["", ".", "1,2", "1e", "1f", "--1", "1_0", "0x", "+-0x1", "٣"] {
            assert_eq!(real(word), Err(NumberError::Format), "{word}");
        }
    }

    #[test]
    fn texts_are_short_and_exact() {
        for (x, t) in [(1.0, "1"), (-0.0, "-0"), (0.1, "0.1"), (1e300, "1e300"), (1.5e-7, "1.5e-7"), (1e5, "1e5")] {
            assert_eq!(text(x), t);
            assert_eq!(real(t).map(f64::to_bits), Ok(x.to_bits()));
        }
        for x in [f64::MAX, f64::MIN_POSITIVE, 5e-324, 1.0 / 3.0, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(real(&text(x)), Ok(x));
        }
        for x in [0.1f32, 1.0 / 3.0, f32::MAX, f32::MIN_POSITIVE, 1e-45, 16_777_217.0, 7.038_531e-26] {
            assert_eq!(real(&text_single(x)).unwrap() as f32, x);
        }
        assert_eq!(text_single(0.1), "0.1");
    }

    #[test]
    fn integers() {
        assert_eq!((integer("+7"), integer("-2147483648")), (Ok(7), Ok(i32::MIN)));
        assert_eq!(
            (integer("2147483648"), integer("-99999999999")),
            (Err(NumberError::Range), Err(NumberError::Range))
        );
        for word in ["", "1.0", "1e2", "0x3", "+", "3x"] {
            assert_eq!(integer(word), Err(NumberError::Format), "{word}");
        }
    }
}
