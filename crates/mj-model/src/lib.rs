//! The editable Spec and the compiled Model of a multi-joint system: tables, typed ids, options, names.
#![forbid(unsafe_code)]
