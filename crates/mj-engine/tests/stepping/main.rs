//! Steps of whole models, with known answers.

mod actuators;
mod contacts;
mod continuous;
mod elasticity;
mod flexes;
mod hooks;
mod integrators;
mod neo_hookean;
mod physics;
mod poses;
mod rest;
mod rods;
mod rollout;
mod sensors;
mod sleep;
mod state;
mod theory;
mod threads;
