//! Wishes of users who watch a simulation.

use mj_scene::Perturb;
use std::path::PathBuf;

/// Wish of a user who watches a simulation. Numbers that name nothing in the model, and values that are not finite, are
/// ignored.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// Stops or resumes the simulation.
    Pause(bool),
    /// Stops the simulation and makes steps; a negative number goes back through the history.
    Step(i32),
    /// Stops the simulation and shows the state that was so many steps before the newest one.
    Seek(usize),
    /// Sets the speed as a multiple of real time.
    Speed(f64),
    /// Resets to the model's reset state.
    Reset,
    /// Resets to a keyframe.
    Keyframe(usize),
    /// Sets one control, of nu.
    Control(usize, f64),
    /// Sets one coordinate, of nq.
    Position(usize, f64),
    /// Switches an equality constraint on or off.
    Equality(usize, bool),
    /// Pulls, turns or moves a body until the next one.
    Perturb(Box<Perturb>),
    /// Loads a model from a file.
    Load(PathBuf),
    /// Loads the model's file again.
    Reload,
    /// Tells the program of a pressed key, by its code of GLFW; the simulation itself knows none.
    Press(i32),
}
