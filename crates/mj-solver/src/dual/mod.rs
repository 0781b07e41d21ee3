//! Projected Gauss–Seidel and noslip on the dual problem.

pub(crate) mod cone_qp;
pub(crate) mod delassus;
pub(crate) mod noslip;
pub(crate) mod pgs;
pub(crate) mod state;
pub(crate) mod subspace;
pub(crate) mod unit;
pub(crate) mod whitened;
pub(crate) mod whitened_sparse;
