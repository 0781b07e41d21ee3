//! Options of the scene by name.

use mj_scene::{NGROUP, SceneOptions};

/// Returns the groups of a kind of element.
pub fn groups<'a>(options: &'a SceneOptions, kind: &str) -> Option<&'a [bool; NGROUP]> {
    Some(match kind {
        "geom" => &options.geomgroup,
        "site" => &options.sitegroup,
        "joint" => &options.jointgroup,
        "tendon" => &options.tendongroup,
        "actuator" => &options.actuatorgroup,
        "flex" => &options.flexgroup,
        "skin" => &options.skingroup,
        _ => return None,
    })
}

/// Shows or hides a group of a kind of element; nothing where there is none.
pub fn set_group(options: &mut SceneOptions, kind: &str, group: usize, on: bool) {
    let groups = match kind {
        "geom" => &mut options.geomgroup,
        "site" => &mut options.sitegroup,
        "joint" => &mut options.jointgroup,
        "tendon" => &mut options.tendongroup,
        "actuator" => &mut options.actuatorgroup,
        "flex" => &mut options.flexgroup,
        "skin" => &mut options.skingroup,
        _ => return,
    };
    if let Some(shown) = groups.get_mut(group) {
        *shown = on;
    }
}
