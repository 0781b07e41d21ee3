//! Deformable bodies.

mod continuous;
mod elasticity;
mod neo_hookean;
mod passive;
mod rods;
mod theory;
