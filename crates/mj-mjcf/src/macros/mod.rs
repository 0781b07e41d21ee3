//! Elements that stand for others: includes, attached models, replicas.

pub(crate) mod attach;
pub(crate) mod conflict;
pub(crate) mod expand;
pub(crate) mod replicate;
