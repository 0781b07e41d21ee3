//! Solvers of the convex constraint problem; the seam where another solver plugs in.
#![forbid(unsafe_code)]
