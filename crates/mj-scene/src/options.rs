//! Options of a scene: which elements are shown, labelled, framed.

use crate::codes::{FrameKind, LabelKind, VisFlag};

/// Number of groups of geoms, sites, joints, tendons, actuators, flexes and skins that are shown or hidden together.
pub const NGROUP: usize = 6;

/// Options of a scene (`mjvOption`).
#[derive(Clone, Debug, PartialEq)]
pub struct SceneOptions {
    /// Elements that are labelled.
    pub label: LabelKind,
    /// Elements whose frames are shown.
    pub frame: FrameKind,
    /// Shown groups of geoms.
    pub geomgroup: [bool; NGROUP],
    /// Shown groups of sites.
    pub sitegroup: [bool; NGROUP],
    /// Shown groups of joints.
    pub jointgroup: [bool; NGROUP],
    /// Shown groups of tendons.
    pub tendongroup: [bool; NGROUP],
    /// Shown groups of actuators.
    pub actuatorgroup: [bool; NGROUP],
    /// Shown groups of flexes.
    pub flexgroup: [bool; NGROUP],
    /// Shown groups of skins.
    pub skingroup: [bool; NGROUP],
    /// Flags by the code of [`VisFlag`].
    pub flags: [bool; VisFlag::ALL.len()],
    /// Depth at which trees of bounding volumes are shown.
    pub bvh_depth: i32,
    /// Layer of elements that is shown of flexes of dimension 3.
    pub flex_layer: i32,
}

impl Default for SceneOptions {
    /// Returns the reference's defaults (`mjv_defaultOption`): groups 0 to 2, textures, tendons, range finders,
    /// perturbed bodies, static bodies, skins, edges and smooth surfaces of flexes.
    fn default() -> Self {
        use VisFlag::*;
        let group = [true, true, true, false, false, false];
        let mut flags = [false; VisFlag::ALL.len()];
        for flag in [Texture, Tendon, Rangefinder, PertObj, Static, Skin, FlexEdge, FlexSkin] {
            flags[flag as usize] = true;
        }
        Self {
            label: LabelKind::None,
            frame: FrameKind::None,
            geomgroup: group,
            sitegroup: group,
            jointgroup: group,
            tendongroup: group,
            actuatorgroup: group,
            flexgroup: group,
            skingroup: group,
            flags,
            bvh_depth: 1,
            flex_layer: 0,
        }
    }
}

impl SceneOptions {
    /// Returns the shown groups of each kind of element, for setting, with the kind's name.
    pub fn groups_mut(&mut self) -> [(&'static str, &mut [bool; NGROUP]); 7] {
        [
            ("geom", &mut self.geomgroup),
            ("site", &mut self.sitegroup),
            ("joint", &mut self.jointgroup),
            ("tendon", &mut self.tendongroup),
            ("actuator", &mut self.actuatorgroup),
            ("flex", &mut self.flexgroup),
            ("skin", &mut self.skingroup),
        ]
    }

    /// Returns whether a flag is on.
    pub fn flag(&self, flag: VisFlag) -> bool {
        self.flags[flag as usize]
    }

    /// Turns a flag on or off.
    pub fn set_flag(&mut self, flag: VisFlag, on: bool) {
        self.flags[flag as usize] = on;
    }
}

/// Returns whether an element of `group` is shown; groups out of range count as the nearest one.
pub(crate) fn shown(groups: &[bool; NGROUP], group: i32) -> bool {
    groups[group.clamp(0, NGROUP as i32 - 1) as usize]
}
