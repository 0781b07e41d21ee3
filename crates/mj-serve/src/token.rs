//! Secret that the URL carries.

use crate::error::ServeError;

/// Secret of 128 random bits, in hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Makes a token from random numbers of the system.
    pub fn new() -> Result<Self, ServeError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(ServeError::Random)?;
        Ok(Self(bytes.iter().map(|b| format!("{b:02x}")).collect()))
    }

    /// Returns the digits.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns whether a text is the token, in a time that doesn't depend on where they differ.
    pub fn is(&self, text: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), text.as_bytes());
        let apart = own.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b));
        own.len() == other.len() && std::hint::black_box(apart) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_is_the_token() {
        let token = Token::new().unwrap();
        let digits = token.text().to_string();
        assert_eq!(digits.len(), 32);
        assert!(token.is(&digits));
        for wrong in ["", &digits[1..], &format!("{digits}0"), &"0".repeat(32)] {
            assert!(!token.is(wrong), "{wrong}");
        }
        assert!(!Token::new().unwrap().is(&digits));
    }
}
