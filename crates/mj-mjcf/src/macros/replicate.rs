//! `replicate`: a part of the tree many times, each copy moved on and named after its number.

use crate::elements::bodies::Inside;
use crate::macros::expand::{Copying, weight};
use crate::reader::Reader;
use crate::reader::table::{Attr, Slot, Table, attr};
use crate::syntax::tree::Node;
use mj_math::{DVec3, quat};
use mj_model::spec::{Body, Frame, Namespace, Orientation};

/// The attributes of `replicate`.
#[derive(Default)]
pub(crate) struct Replicate {
    count: i32,
    offset: DVec3,
    euler: [f64; 3],
    sep: String,
}

pub(crate) const REPLICATE: Table<Replicate> = Table {
    groups: &[&[
        attr!(Replicate: "count" count).required(),
        attr!(Replicate: "offset" offset),
        attr!(Replicate: "euler" euler),
        attr!(Replicate: "sep" sep),
        Attr::new("childclass", String::SHAPE, |_, _| {}),
    ]],
    rules: &[],
};

impl Reader<'_> {
    /// Goes into the part to copy; its attributes, and the row of the default class for its contents.
    #[inline(never)]
    pub(crate) fn start_replicate(&mut self, node: &Node, inside: Inside) -> (Replicate, usize) {
        let class = self.class(node, "childclass", inside.class);
        let mut form = Replicate::default();
        for a in &node.attributes {
            match REPLICATE.find(&a.name, false) {
                Some(_) => self.one_attribute(node, a, &REPLICATE, &mut form),
                // The reference does not look at others.
                None => {
                    let known = REPLICATE.forms(false).into_iter().map(|form| form.name);
                    let help = crate::suggest::help(&a.name, known, "`replicate` takes:");
                    self.warning(a.name_loc, format!("unknown attribute `{}` of `replicate`", a.name)).help = help;
                }
            }
        }
        if node.attribute("count").is_none() {
            self.error(node.loc, "`replicate` needs the attribute `count`");
        } else if form.count < 1 {
            self.warning(node.value_loc("count"), "`count` is not positive, so this `replicate` makes nothing");
        }
        // The frame that moves from copy to copy.
        self.enter(Body { frames: vec![Frame { loc: node.loc, ..Default::default() }], ..Default::default() });
        (form, class)
    }

    /// Copies a part into the body that is being read.
    #[inline(never)]
    pub(crate) fn replicate(&mut self, node: &Node, form: &Replicate, part: &Body, frame: Option<usize>) {
        let (count, loc) = (form.count.max(0) as usize, node.loc);
        if !self.spend(weight(part).saturating_mul(count), 0, loc) {
            return;
        }
        let c = &self.spec.compiler;
        let (degree, eulerseq) = (c.degree, c.eulerseq);
        let digits = count.to_string().len();
        let mut job = Copying::default();
        let mut pos = DVec3::ZERO;
        for i in 0..count {
            let mut copy = part.clone();
            // Each orientation from its own angles, so that errors do not add up. An order that is wrong
            // has been told about.
            let turn = Orientation::Euler(form.euler.map(|a| a * i as f64));
            let q = turn.resolve(degree, eulerseq).unwrap_or_default();
            if let Some(f) = copy.frames.first_mut() {
                (f.pos, f.orientation) = (pos, Orientation::Quat(q));
            }
            pos += quat::to_mat_compiling(q) * form.offset;
            if i > 0 {
                // Keyframes of attached models set the state of the first copy.
                forget_tags(&mut copy);
            }
            let suffix = format!("{}{i:0digits$}", form.sep);
            let space = Namespace { prefix: "", suffix: &suffix, foreign: false };
            space.body(&mut copy);
            self.adopt(copy, frame);
            let actuators = self.spec.actuators.len();
            self.copy_related(&space, &mut job, loc);
            if i > 0 {
                self.spec.actuators[actuators..].iter_mut().for_each(|a| a.tag = 0);
            }
            if self.stopped {
                return;
            }
        }
        self.discard(part, &job, loc);
    }
}

/// Clears the tags of a body and of all that is in it.
pub(crate) fn forget_tags(b: &mut Body) {
    b.tag = 0;
    b.joints.iter_mut().for_each(|j| j.tag = 0);
    b.bodies.iter_mut().for_each(forget_tags);
}
