//! Steps of whole models, with known answers.

mod actuators;
mod contacts;
mod flexes;
mod hooks;
mod integrators;
mod physics;
mod poses;
mod rest;
mod rollout;
mod sensors;
mod sleep;
mod state;
mod threads;
