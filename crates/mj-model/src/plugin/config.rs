//! Settings of a plugin's instance.

/// Settings of an instance as a model gives them: a value for each attribute of the plugin's type, empty where it is not
/// given.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    attributes: &'a [String],
    values: &'a [String],
}

/// A setting that an instance can't have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: {problem}")]
pub struct ConfigError {
    /// Attribute.
    pub key: String,
    /// Fault of its value, and what would be right.
    pub problem: String,
}

impl ConfigError {
    /// Makes an error about an attribute.
    pub fn new(key: &str, problem: impl Into<String>) -> Self {
        Self { key: key.to_string(), problem: problem.into() }
    }
}

impl<'a> Config<'a> {
    pub(super) fn new(attributes: &'a [String], values: &'a [String]) -> Self {
        Self { attributes, values }
    }

    /// Returns the text of an attribute; none where it is not given.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        let i = self.attributes.iter().position(|a| a == key)?;
        self.values.get(i).map(|v| v.trim()).filter(|v| !v.is_empty())
    }

    /// Returns the numbers of an attribute; none where it is not given.
    ///
    /// # Errors
    /// If a word of it is no finite number.
    pub fn numbers(&self, key: &str) -> Result<Vec<f64>, ConfigError> {
        let words = self.text(key).unwrap_or_default().split_whitespace();
        words
            .map(|word| match word.parse::<f64>() {
                Ok(x) if x.is_finite() => Ok(x),
                _ => Err(ConfigError::new(key, format!("`{word}` is not a number"))),
            })
            .collect()
    }

    /// Returns the number of an attribute; none where it is not given.
    ///
    /// # Errors
    /// If it is not one finite number.
    pub fn number(&self, key: &str) -> Result<Option<f64>, ConfigError> {
        match self.numbers(key)?[..] {
            [] => Ok(None),
            [x] => Ok(Some(x)),
            ref many => Err(ConfigError::new(key, format!("it has {} numbers, where one is needed", many.len()))),
        }
    }
}
