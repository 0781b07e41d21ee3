//! Text to a tree of elements: files, XML, values of attributes.

pub(crate) mod archive;
pub(crate) mod lenient;
pub(crate) mod number;
pub(crate) mod pinpoint;
pub(crate) mod report;
pub(crate) mod resolver;
pub(crate) mod tree;
