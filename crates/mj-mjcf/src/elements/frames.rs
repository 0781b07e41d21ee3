//! Frames: they move and resize what is in them.

use crate::elements::orientation::{ONE_ORIENTATION, orientation};
use crate::reader::Reader;
use crate::reader::table::{Attr, Given, Shape, Table, Value, attr};
use crate::syntax::number;
use crate::syntax::tree::Node;
use mj_math::DVec3;
use mj_model::Scaling;
use mj_model::spec::Frame;

/// Attributes of bodies that frames may have, to no effect.
const IDLE: [&str; 6] = ["mocap", "gravcomp", "sleep", "simple", "fuse", "user"];

/// One factor for all axes, or one for each.
const SCALE: Shape = Shape::Numbers { min: 1, max: 3, single: false };

pub(crate) const FRAME: Table<Frame> = Table {
    groups: &[
        &[attr!(Frame: "name" name), attr!(Frame: "childclass" childclass), attr!(Frame: "pos" pos)],
        orientation!(Frame),
        &[
            Attr::new("scale", SCALE, put_scale).give(give_scale).whole(),
            attr!(Frame: "massscale" massscale),
            attr!(Frame: "scaling" scaling),
        ],
        &{
            let mut idle = [const { Attr::new("", Shape::Text, |_, _| {}) }; IDLE.len()];
            let mut i = 0;
            while i < idle.len() {
                idle[i].form.name = IDLE[i];
                i += 1;
            }
            idle
        },
    ],
    rules: &[ONE_ORIENTATION],
};

fn put_scale(f: &mut Frame, v: Value) {
    match *v.numbers() {
        [s] => f.scale = DVec3::splat(s),
        [x, y, z] => f.scale = DVec3::new(x, y, z),
        _ => {}
    }
}

fn give_scale(f: &Frame) -> Given {
    let [x, y, z] = f.scale.to_array();
    if x == y && y == z { Given::numbers(&[x]) } else { Given::numbers(&[x, y, z]) }
}

impl Reader<'_> {
    /// Checks what a frame says of sizes, and goes on without what is wrong; tells of what has no effect.
    pub(crate) fn check_frame(&mut self, node: &Node, frame: &mut Frame) {
        if let Some(a) = node.attribute("scale") {
            let s = frame.scale;
            let count = number::words(&a.value).count();
            let wrong = if count == 2 {
                Some((
                    "`scale` of a frame takes 1 number or 3, but 2 are given",
                    "one factor for all axes, or one for each",
                ))
            } else if !s.is_finite() || s.min_element() <= 0.0 {
                Some(("the factors of `scale` must be positive and finite", "a mesh is mirrored by its own `scale`"))
            } else if frame.scaling == Scaling::Similar && (s.x != s.y || s.y != s.z) {
                let help = "add scaling=\"geometry\": forces and stiffnesses have no axes along which to stretch";
                Some(("a frame with different factors along its axes changes shapes only", help))
            } else {
                None
            };
            if let Some((message, help)) = wrong {
                self.error(a.value_loc, message).help(help);
                frame.scale = DVec3::ONE;
            }
        }
        if let Some(a) = node.attribute("massscale")
            && !(frame.massscale.is_finite() && frame.massscale >= 0.0)
        {
            self.error(a.value_loc, "`massscale` must be finite and not negative")
                .help("0, the default, keeps densities: masses grow with volumes");
            frame.massscale = 0.0;
        }
        for a in node.attributes.iter().filter(|a| IDLE.contains(&a.name.as_str())) {
            self.warning(a.name_loc, format!("`{}` has no effect on a frame", a.name));
        }
    }
}
