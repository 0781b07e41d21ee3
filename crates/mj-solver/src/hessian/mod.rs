//! The Newton system H = M + JᵀSJ in its forms, dense and block-sparse.

pub(crate) mod block_sparse;
pub(crate) mod cost_hessian;
pub(crate) mod dense;
pub(crate) mod ordering;
pub(crate) mod panel_kernels;
pub(crate) mod panels;
pub(crate) mod product;
pub(crate) mod stiff_edges;
pub(crate) mod supernodes;
pub(crate) mod system;
pub(crate) mod triangle;
