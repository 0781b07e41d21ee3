//! Structure that copies of a model share: the signature of its structure, and what other crates derive from that structure.

use crate::storage::{Binary, Result, Source};
use std::any::Any;
use std::sync::{Arc, Mutex};

/// Anything that a crate derives from the structure of a model, once for all simulations of it.
pub(super) type Plan = Arc<dyn Any + Send + Sync>;

/// Signature of a model's structure, and the plans derived from it. Copies of a model share them.
#[derive(Clone, Default)]
pub struct Structure {
    pub(super) signature: u64,
    pub(super) plans: Arc<Mutex<Vec<Plan>>>,
}

impl Structure {
    /// Returns a number that models of one structure share: equal counts, addresses, types, parents. 0: not sealed yet.
    #[inline]
    pub fn signature(&self) -> u64 {
        self.signature
    }
}

impl std::fmt::Debug for Structure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#018x}", self.signature)
    }
}

/// Derived from the other fields of a model, which are compared.
impl PartialEq for Structure {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Not in files: whoever reads a model seals it.
impl Binary for Structure {
    fn write(&self, _: &mut Vec<u8>) {}
    fn read(_: &mut Source) -> Result<Self> {
        Ok(Self::default())
    }
    fn layout(_: &mut String) {}
}
