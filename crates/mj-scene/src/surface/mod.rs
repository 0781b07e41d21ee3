//! Surfaces that change their form: flexes and skins.

mod flex;
mod skin;

pub(crate) use flex::update_flexes;
pub(crate) use skin::update_skins;
