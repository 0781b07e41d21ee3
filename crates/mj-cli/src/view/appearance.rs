//! Options of scenes that the command line sets.

use crate::failure::Failure;
use crate::suggest;
use mj_scene::{FrameKind, LabelKind, RndFlag, Scene, SceneOptions, VisFlag};

/// Elements that are shown beside those that are by default.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Appearance {
    /// Shows or hides elements and effects by flag, e.g. contactpoint=1 or shadow=0; may be repeated.
    #[arg(long, value_name = "FLAG=0|1")]
    vis: Vec<String>,
    /// Elements whose frames are shown, e.g. body.
    #[arg(long, value_name = "KIND")]
    frame: Option<String>,
    /// Elements that are labelled, e.g. joint.
    #[arg(long, value_name = "KIND")]
    label: Option<String>,
}

impl Appearance {
    /// Returns the options of scenes, and gives a scene its effects.
    pub fn apply(&self, scene: &mut Scene) -> Result<SceneOptions, Failure> {
        let mut options = SceneOptions::default();
        for setting in &self.vis {
            let wrong = |problem: String| Failure::Usage(format!("--vis {setting}: {problem}"));
            let parts = setting.split_once('=');
            let (name, value) = parts.ok_or_else(|| wrong("expected FLAG=0 or FLAG=1".into()))?;
            let on = match value {
                "0" | "false" => false,
                "1" | "true" => true,
                _ => return Err(wrong(format!("`{value}` is neither 0 nor 1"))),
            };
            if let Some(flag) = VisFlag::find(name) {
                options.set_flag(flag, on);
            } else if let Some(effect) = RndFlag::find(name) {
                scene.set_flag(effect, on);
            } else {
                let names = names(VisFlag::ALL, VisFlag::name).chain(names(RndFlag::ALL, RndFlag::name));
                return Err(wrong(unknown("flag", name, names.collect())));
            }
        }
        if let Some(word) = &self.frame {
            options.frame = FrameKind::find(word).ok_or_else(|| {
                let names = names(FrameKind::ALL, FrameKind::name).collect();
                Failure::Usage(format!("--frame {word}: {}", unknown("frame", word, names)))
            })?;
        }
        if let Some(word) = &self.label {
            options.label = LabelKind::find(word).ok_or_else(|| {
                let names = names(LabelKind::ALL, LabelKind::name).collect();
                Failure::Usage(format!("--label {word}: {}", unknown("label", word, names)))
            })?;
        }
        Ok(options)
    }
}

fn names<T: Copy>(all: &'static [T], name: impl Fn(T) -> &'static str) -> impl Iterator<Item = &'static str> {
    all.iter().map(move |&v| name(v))
}

/// Says that a name isn't known, and which are.
fn unknown(kind: &str, name: &str, names: Vec<&'static str>) -> String {
    let hint = suggest::hint(name, names.iter().copied());
    format!("unknown {kind} `{name}`{hint}; there are {}", names.join(", "))
}
