//! Keyframes by name.

use crate::failure::Failure;
use crate::suggest;
use mj_engine::Model;
use mj_model::{KeyId, ObjType};

/// Returns a keyframe by name.
pub fn find(m: &Model, name: &str) -> Result<KeyId, Failure> {
    m.key_id(name).ok_or_else(|| {
        let known: Vec<&str> =
            (0..m.key.len()).map(|i| m.names.get(ObjType::Key, i)).filter(|n| !n.is_empty()).collect();
        let hint = suggest::hint(name, known.iter().copied());
        let known = if known.is_empty() {
            "the model has none with a name".to_string()
        } else {
            format!("the model's are: {}", known.join(", "))
        };
        Failure::Usage(format!("--key {name}: no such keyframe{hint}; {known}"))
    })
}
