//! Parts of the window.

/// Parts of the window that are shown.
#[derive(Debug)]
pub(crate) struct Layout {
    pub left: bool,
    pub right: bool,
    pub help: bool,
    pub fullscreen: bool,
}
