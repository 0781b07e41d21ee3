//! Text of models from bytes: each byte chooses among what the language has, so that most inputs are well formed.

/// Bytes that choose.
pub struct Choices<'a>(&'a [u8]);

/// Numbers that readers and builders of flexes and plugins have reasons to fear, beside ordinary ones.
const NUMBERS: [&str; 16] =
    ["0", "1", "-1", "2", "0.1", "0.03", "1e-9", "1e9", "1e300", "-0.5", "3", "5", "0.5", "1e-300", "x", ""];

impl<'a> Choices<'a> {
    /// Makes choices of bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether bytes are left.
    pub fn left(&self) -> bool {
        !self.0.is_empty()
    }

    /// Takes a byte, 0 when none is left.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// Takes one of some values.
    pub fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::from(self.byte()) % values.len()]
    }

    /// Takes numbers, separated by blanks: one of the odd ones in eight, otherwise multiples of a twentieth.
    pub fn numbers(&mut self, count: usize) -> String {
        let mut number = || match self.byte() {
            b if b % 8 == 7 => NUMBERS[usize::from(b / 8) % NUMBERS.len()].to_owned(),
            b => format!("{}", f64::from(b) / 20.0 - 4.0),
        };
        (0..count).map(|_| number()).collect::<Vec<_>>().join(" ")
    }

    /// Takes small integers, separated by blanks.
    pub fn integers(&mut self, count: usize, most: u8) -> String {
        let mut integer = || match self.byte() {
            255 => "-1".to_owned(),
            254 => "2000000000".to_owned(),
            b => (b % (most + 1)).to_string(),
        };
        (0..count).map(|_| integer()).collect::<Vec<_>>().join(" ")
    }

    /// Takes an element with some of its attributes, of which each is a name and a function that takes its value.
    pub fn element(&mut self, name: &str, attributes: &[(&str, Value)], content: &str) -> String {
        let mut text = format!("<{name}");
        for &(key, value) in attributes {
            if self.byte() % 3 == 0 {
                let value = value.take(self);
                text += &format!(" {key}='{value}'");
            }
        }
        format!("{text}>{content}</{name}>")
    }
}

/// The kind of an attribute's value.
#[derive(Clone, Copy)]
pub enum Value {
    /// So many numbers.
    Numbers(usize),
    /// So many integers up to a bound.
    Integers(usize, u8),
    /// One of some words.
    Words(&'static [&'static str]),
}

impl Value {
    /// Takes a value of this kind.
    fn take(self, choices: &mut Choices<'_>) -> String {
        match self {
            Self::Numbers(count) => choices.numbers(count),
            Self::Integers(count, most) => choices.integers(count, most),
            Self::Words(words) => choices.of(words).to_owned(),
        }
    }
}
