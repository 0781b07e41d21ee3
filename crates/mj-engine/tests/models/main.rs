//! Models: read, edited, saved, and their parameters changed while they run.

mod assets;
mod classes;
mod constants;
mod copied_back;
mod edited;
mod edited_options;
mod edited_parameters;
mod editing;
mod formats;
mod messages;
mod resizing;
mod saving;
mod shortcuts;
mod simplifying;
