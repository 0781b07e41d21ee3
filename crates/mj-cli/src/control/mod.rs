//! Control, planning and identification: commands of the feature `control`.

mod logs;
mod page;
mod tasks;

pub use logs::identify;
pub use tasks::{control, plan};
