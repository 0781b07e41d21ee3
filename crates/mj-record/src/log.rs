//! Logs of states, from which simulations are replayed.

use crate::error::RecordError;
use mj_engine::{Data, Model, Signature, get_state, set_state, state_size};
use std::path::Path;

/// First bytes of a log, with the version of the format.
const MAGIC: &[u8; 8] = b"MJSTATE1";

/// Bytes before the model's name.
const HEAD: usize = 36;

/// Longest name of a model in a log, bytes.
const MAX_NAME: usize = 4096;

/// States of one model at several times: all inputs of a step (`mjSTATE_INTEGRATION`), so that a simulation goes on from
/// each bit by bit as it did, unless trees sleep.
///
/// A file is, with little-endian numbers: `MJSTATE1`; the signature of the model's structure (u64); the signature of the
/// state's components (u32); numbers a frame (u32); number of frames (u64); bytes of the model's name (u32); the name
/// (UTF-8); and the frames, one after the other, float64.
#[derive(Clone, Debug, PartialEq)]
pub struct StateLog {
    name: String,
    structure: u64,
    width: usize,
    values: Vec<f64>,
}

impl StateLog {
    /// Returns an empty log of a model.
    ///
    /// # Errors
    /// None for a model that was compiled; the size of the state is checked.
    pub fn new(m: &Model) -> Result<Self, RecordError> {
        let width = state_size(m, Signature::INTEGRATION).map_err(mj_engine::QueryError::from)?;
        let mut name = m.modelname.clone();
        let end = (0..=MAX_NAME.min(name.len())).rev().find(|&i| name.is_char_boundary(i)).unwrap_or(0);
        name.truncate(end);
        Ok(Self { name, structure: structure_of(m), width, values: Vec::new() })
    }

    /// Returns the name of the recorded model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// Returns whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the time of a frame, s.
    pub fn time(&self, frame: usize) -> Option<f64> {
        // Time is the first component.
        self.frame(frame)?.first().copied()
    }

    /// Returns the numbers of a frame, in the order of [`Signature::INTEGRATION`].
    pub fn frame(&self, frame: usize) -> Option<&[f64]> {
        let first = frame.checked_mul(self.width)?;
        self.values.get(first..first.checked_add(self.width)?)
    }

    /// Appends the present state.
    ///
    /// # Errors
    /// If the model is another one, or the data don't fit it.
    pub fn push(&mut self, m: &Model, d: &Data) -> Result<(), RecordError> {
        self.check(m)?;
        let old = self.values.len();
        self.values.resize(old + self.width, 0.0);
        let taken = get_state(m, d, Signature::INTEGRATION, &mut self.values[old..]);
        if taken.is_err() {
            self.values.truncate(old);
        }
        Ok(taken?)
    }

    /// Makes a recorded state the present one. Results stay those of the state before, until the next evaluation.
    ///
    /// # Errors
    /// If there is no such frame, the model is another one, or the data don't fit it.
    pub fn restore(&self, frame: usize, m: &Model, d: &mut Data) -> Result<(), RecordError> {
        self.check(m)?;
        let state = self.frame(frame).ok_or(RecordError::NoFrame { frame, count: self.len() })?;
        Ok(set_state(m, d, Signature::INTEGRATION, state)?)
    }

    /// Writes the log into a file.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), RecordError> {
        let path = path.as_ref();
        std::fs::write(path, self.to_bytes()).map_err(RecordError::file(path))
    }

    /// Reads a log from a file.
    ///
    /// # Errors
    /// If the file can't be read, or is no state log.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref();
        Self::from_bytes(&std::fs::read(path).map_err(RecordError::file(path))?)
    }

    /// Returns the contents of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEAD + self.name.len() + 8 * self.values.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&self.structure.to_le_bytes());
        out.extend_from_slice(&Signature::INTEGRATION.0.to_le_bytes());
        out.extend_from_slice(&(self.width as u32).to_le_bytes());
        out.extend_from_slice(&(self.len() as u64).to_le_bytes());
        out.extend_from_slice(&(self.name.len() as u32).to_le_bytes());
        out.extend_from_slice(self.name.as_bytes());
        out.extend(self.values.iter().flat_map(|x| x.to_le_bytes()));
        out
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// If this is no state log: it is damaged, too short, or has numbers that are not finite.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordError> {
        use RecordError::Malformed;
        let (head, rest) = bytes.split_first_chunk::<HEAD>().ok_or(Malformed("it is too short"))?;
        if !head.starts_with(MAGIC) {
            return Err(Malformed("it doesn't begin with `MJSTATE1`"));
        }
        let number = |at: usize, bytes: usize| head[at..at + bytes].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
        if number(16, 4) != u64::from(Signature::INTEGRATION.0) {
            return Err(Malformed("its states have other components"));
        }
        let (width, count, length) = (number(20, 4), number(24, 8), number(32, 4) as usize);
        if length > MAX_NAME {
            return Err(Malformed("the model's name is too long"));
        }
        let (name, numbers) = rest.split_at_checked(length).ok_or(Malformed("it ends in the model's name"))?;
        let name = std::str::from_utf8(name).map_err(|_| Malformed("the model's name is no text"))?;
        // Checked before memory is taken: what a head claims is there.
        let claimed = width.checked_mul(count).and_then(|n| n.checked_mul(8));
        if width == 0 || claimed != Some(numbers.len() as u64) {
            return Err(Malformed("its length is not that of its frames"));
        }
        let values: Vec<f64> =
            numbers.chunks_exact(8).filter_map(|c| Some(f64::from_le_bytes(c.try_into().ok()?))).collect();
        if values.iter().any(|x| !x.is_finite()) {
            return Err(Malformed("it has a number that is not finite"));
        }
        Ok(Self { name: name.into(), structure: number(8, 8), width: width as usize, values })
    }

    fn check(&self, m: &Model) -> Result<(), RecordError> {
        let given = structure_of(m);
        if given == self.structure {
            return Ok(());
        }
        Err(RecordError::OtherModel {
            recorded: self.name.clone(),
            recorded_structure: self.structure,
            given: m.modelname.clone(),
            given_structure: given,
        })
    }
}

/// Returns the signature of a model's structure, of sealed models without computing it again.
fn structure_of(m: &Model) -> u64 {
    match m.structure.signature() {
        0 => m.structure_signature(),
        known => known,
    }
}
