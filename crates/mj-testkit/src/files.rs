//! Files of the repository that tests read: bundled models, and numbers recorded from the reference.

use std::collections::HashMap;
use std::path::PathBuf;

/// Returns the path of the bundled model `models/{name}.xml`.
#[must_use]
pub fn bundled(name: &str) -> PathBuf {
    root().join("models").join(name).with_extension("xml")
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Numbers recorded from the reference, by name.
///
/// Each line of the file has a name without spaces, and numbers; a line that starts with `#` is a comment. A name may be a
/// quantity and an object, `quantity:object`.
#[derive(Clone, Debug)]
pub struct Recorded {
    numbers: HashMap<String, Vec<f64>>,
}

impl Recorded {
    /// Reads `tests/golden/{name}.txt`.
    ///
    /// # Panics
    /// If the file cannot be read, or a line has something else than numbers after its name.
    #[must_use]
    pub fn read(name: &str) -> Self {
        let path = root().join("tests/golden").join(name).with_extension("txt");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let parse = |line: &str| {
            let (name, numbers) = line.split_once(' ').unwrap_or((line, ""));
            let numbers = numbers.split_whitespace().map(|x| x.parse().unwrap_or_else(|_| panic!("{name}: `{x}`")));
            (name.to_string(), numbers.collect())
        };
        Self { numbers: text.lines().filter(|l| !l.starts_with('#')).map(parse).collect() }
    }

    /// Returns the numbers of a name.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    pub fn of(&self, name: &str) -> &[f64] {
        self.numbers.get(name).unwrap_or_else(|| panic!("nothing is recorded of `{name}`"))
    }

    /// Lists the objects of which a quantity is recorded, with its numbers.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    pub fn each(&self, quantity: &str) -> Vec<(&str, &[f64])> {
        let of = self.numbers.iter();
        let all: Vec<_> =
            of.filter_map(|(n, x)| Some((n.strip_prefix(quantity)?.strip_prefix(':')?, &x[..]))).collect();
        assert!(!all.is_empty(), "nothing is recorded of `{quantity}`");
        all
    }
}

/// Checks numbers against expected ones, each with the tolerance times 1 plus its magnitude.
///
/// # Panics
/// If lengths differ, or a number is farther off.
#[track_caller]
pub fn assert_near(name: &str, got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len(), "{name}");
    for (i, (a, b)) in got.iter().zip(want).enumerate() {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{name}[{i}]: {a} where {b} is expected");
    }
}
