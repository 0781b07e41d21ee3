//! Plans that other crates derive from the structure of a model, once for all its copies.

use super::compiled::Model;
use super::structure::{Plan, Structure};
use crate::storage::checksum;
use std::any::Any;
use std::sync::Arc;

impl Model {
    /// Computes the signature of the structure, and drops plans that were derived from another one. The compiler and
    /// the reader of binary models do this last; who builds a model by hand should.
    pub fn seal(&mut self) {
        self.structure = Structure { signature: self.structure_signature(), plans: Arc::default() };
    }

    /// Computes the signature that [`seal`](Self::seal) would store, never 0.
    #[must_use]
    pub fn structure_signature(&self) -> u64 {
        let mut bytes = Vec::new();
        self.write_structure(&mut bytes);
        checksum(&bytes).max(1)
    }

    /// Returns what `build` derives from the structure of the model: built at the first call for each type `P`, then
    /// shared by all copies of the model. It must not depend on parameters, in which copies differ.
    ///
    /// For a model that isn't sealed, or whose structure was edited since, it is built anew.
    pub fn plan<P: Any + Send + Sync>(&self, build: impl FnOnce(&Self) -> P) -> Arc<P> {
        if self.structure.signature == 0 || self.structure.signature != self.structure_signature() {
            return Arc::new(build(self));
        }
        let known = |plans: &[Plan]| plans.iter().find_map(|p| p.clone().downcast::<P>().ok());
        // Nothing that can panic runs while the list is locked.
        let lock = || self.structure.plans.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(plan) = known(&lock()) {
            return plan;
        }
        let built = Arc::new(build(self));
        let mut plans = lock();
        // Another thread may have built it in the meantime.
        known(&plans).unwrap_or_else(|| {
            plans.push(built.clone());
            built
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::BodyId;
    use crate::Model;
    use crate::model::BodyRow;
    use std::sync::Arc;

    struct Bodies(usize);

    #[test]
    fn copies_share_plans_until_the_structure_changes() {
        let mut m = Model::default();
        m.body.push(BodyRow::default());
        let unsealed = m.plan(|m| Bodies(m.body.len()));
        assert!(!Arc::ptr_eq(&unsealed, &m.plan(|m| Bodies(m.body.len()))));

        m.seal();
        let first = m.plan(|m| Bodies(m.body.len()));
        let mut copy = m.clone();
        copy.body.mass[BodyId::WORLD] = 3.0;
        assert!(Arc::ptr_eq(&first, &copy.plan(|_| Bodies(0))));
        assert_eq!(m.structure.signature(), copy.structure.signature());

        copy.body.push(BodyRow { parentid: BodyId::new(0), ..Default::default() });
        assert_eq!(copy.plan(|m| Bodies(m.body.len())).0, 2);
        copy.seal();
        assert_ne!(m.structure.signature(), copy.structure.signature());
        assert_eq!(copy.plan(|m| Bodies(m.body.len())).0, 2);
    }
}
