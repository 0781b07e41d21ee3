//! Messages of watchers, in JSON.

use serde::Deserialize;

/// Wish of a watcher: an object with one entry, or a word.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Wish {
    /// Asks for the control.
    Take,
    /// Wish that only the one who controls may have.
    #[serde(untagged)]
    Act(Act),
}

/// Wish that changes the simulation, or the scene that all see.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Act {
    /// Stops or resumes.
    Pause(bool),
    /// Makes steps, back where negative.
    Step(i32),
    /// Shows a state so many steps before the newest.
    Seek(usize),
    /// Sets the speed.
    Speed(f64),
    /// Resets.
    Reset,
    /// Loads the file again.
    Reload,
    /// Resets to a keyframe.
    Key(usize),
    /// Sets a control.
    Control(usize, f64),
    /// Sets the coordinate of a hinge or slide joint.
    Joint(usize, f64),
    /// Switches an equality constraint.
    Equality(usize, bool),
    /// Shows elements by flag.
    Flag(String, bool),
    /// Shows a group of a kind of element.
    Group(String, usize, bool),
    /// Labels a kind of element.
    Label(String),
    /// Shows frames of a kind of element.
    Frame(String),
    /// Selects at a place of the picture.
    Select(Eye, [f64; 2]),
    /// Pulls or turns the selected body by a way of the pointer.
    Pull(Eye, Mode, [f64; 2]),
    /// Ends the pull.
    Release,
    /// Tells the program of a pressed key, by its code of GLFW.
    Press(i32),
}

/// Movement of a pulled body.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Turns with the pointer, about a vertical axis too.
    Turn,
    /// Turns about horizontal axes.
    TurnH,
    /// Moves in a vertical plane.
    Move,
    /// Moves in the horizontal plane.
    MoveH,
}

/// Camera of a watcher's page, and the shape of its picture.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
pub struct Eye {
    /// Camera of the model; none: a free one.
    pub camera: Option<usize>,
    /// Point it looks at, m.
    #[serde(default)]
    pub lookat: [f64; 3],
    /// Distance to that point, m.
    #[serde(default)]
    pub distance: f64,
    /// Azimuth, degrees.
    #[serde(default)]
    pub azimuth: f64,
    /// Elevation, degrees.
    #[serde(default)]
    pub elevation: f64,
    /// Width over height of the picture.
    pub aspect: f64,
}

impl Wish {
    /// Reads a message; none where it is none.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let act = |text: &str| match Wish::read(text) {
            Some(Wish::Act(act)) => Some(act),
            _ => None,
        };
        assert_eq!(Wish::read(r#""take""#), Some(Wish::Take));
        assert_eq!(act(r#""reset""#), Some(Act::Reset));
        assert_eq!(act(r#"{"step":-1}"#), Some(Act::Step(-1)));
        assert_eq!(act(r#"{"press":257}"#), Some(Act::Press(257)));
        assert_eq!(act(r#"{"control":[3,0.5]}"#), Some(Act::Control(3, 0.5)));
        let eye = Eye { camera: Some(1), lookat: [0.0; 3], distance: 0.0, azimuth: 0.0, elevation: 0.0, aspect: 1.5 };
        assert_eq!(
            act(r#"{"pull":[{"camera":1,"aspect":1.5},"turnh",[0,1]]}"#),
            Some(Act::Pull(eye, Mode::TurnH, [0.0, 1.0]))
        );
        for text in ["", "{}", "null", "[]", "\"fly\"", "{\"step\":1e99}", "{\"control\":[-1,0]}", "{\"pause\":1}"] {
            assert_eq!(Wish::read(text), None, "{text}");
        }
    }
}
