//! The kinematic tree: bodies and frames with what is in them.

use super::element::Element;
use super::{Classes, deformable};
use crate::elements::bodies::{BODY, CAMERA, FREEJOINT, GEOM, INERTIAL, JOINT, LIGHT, SITE};
use crate::elements::frames::FRAME;
use mj_model::spec::*;

pub(super) fn world(world: &Body, classes: &Classes) -> Element {
    let mut e = Element::new("worldbody");
    contents(&mut e, world, classes, classes.root);
    e
}

fn body<'a>(b: &'a Body, classes: &Classes<'a>, class: &'a DefaultClass) -> Element {
    let mut e = Element::of("body", &BODY, b, &Body::default());
    contents(&mut e, b, classes, classes.choose(&b.childclass, class));
    e
}

fn contents<'a>(e: &mut Element, b: &'a Body, classes: &Classes<'a>, class: &'a DefaultClass) {
    if let Some(inertial) = &b.inertial {
        e.children.push(Element::of("inertial", &INERTIAL, inertial, &Inertial::default()));
    }
    e.children.extend(b.plugin.iter().map(deformable::plugin));
    let mut frames = vec![Vec::new(); b.frames.len() + 1];
    for (row, f) in b.frames.iter().enumerate() {
        // A frame comes after the one that it is in, so that there are no circles.
        frames[f.parent.filter(|p| *p < row).map_or(0, |p| p + 1)].push(row);
    }
    let mut pass = Pass { b, classes, frames, written: vec![false; b.frames.len()], at: [0; KINDS] };
    pass.level(e, None, class);
}

/// Kinds of elements that a frame may hold.
const KINDS: usize = 7;

/// One walk through a body's frames. The elements of each kind must come in the order of their
/// list, whichever frames they are in.
struct Pass<'a, 'c> {
    b: &'a Body,
    classes: &'c Classes<'a>,
    /// Frames in each frame, those in none first.
    frames: Vec<Vec<usize>>,
    /// Whether each frame has been opened.
    written: Vec<bool>,
    /// The next element of each kind.
    at: [usize; KINDS],
}

impl<'a> Pass<'a, '_> {
    /// The frame of the next element of a kind; none where all are written.
    fn next(&self, kind: usize) -> Option<Option<usize>> {
        let (b, i) = (self.b, self.at[kind]);
        let frame = match kind {
            0 => b.joints.get(i)?.frame,
            1 => b.geoms.get(i)?.frame,
            2 => b.sites.get(i)?.frame,
            3 => b.cameras.get(i)?.frame,
            4 => b.lights.get(i)?.frame,
            5 => b.flexcomps.get(i)?.frame,
            _ => b.bodies.get(i)?.frame,
        };
        Some(frame.filter(|f| *f < b.frames.len()))
    }

    fn write_next(&mut self, kind: usize, class: &'a DefaultClass) -> Element {
        let (b, i, classes) = (self.b, self.at[kind], self.classes);
        self.at[kind] += 1;
        match kind {
            0 => joint(&b.joints[i], classes.choose(&b.joints[i].class, class)),
            1 => {
                let g = &b.geoms[i];
                let mut e = Element::of("geom", &GEOM, g, &classes.choose(&g.class, class).geom);
                e.children.extend(g.plugin.iter().map(deformable::plugin));
                e
            }
            2 => Element::of("site", &SITE, &b.sites[i], &classes.choose(&b.sites[i].class, class).site),
            3 => Element::of("camera", &CAMERA, &b.cameras[i], &classes.choose(&b.cameras[i].class, class).camera),
            4 => Element::of("light", &LIGHT, &b.lights[i], &classes.choose(&b.lights[i].class, class).light),
            5 => deformable::flexcomp(&b.flexcomps[i]),
            _ => body(&b.bodies[i], classes, class),
        }
    }

    /// Whether a frame is in another or is it.
    fn is_in(&self, mut frame: Option<usize>, outer: usize) -> bool {
        while let Some(f) = frame {
            if f == outer {
                return true;
            }
            frame = self.b.frames[f].parent.filter(|p| *p < f);
        }
        false
    }

    /// Writes what comes next in a frame, or directly in the body, with the frames in it.
    fn level(&mut self, e: &mut Element, frame: Option<usize>, class: &'a DefaultClass) {
        loop {
            let mut progress = self.direct(e, frame, class);
            for f in self.frames[frame.map_or(0, |f| f + 1)].clone() {
                let due = (0..KINDS).any(|k| self.next(k).is_some_and(|g| self.is_in(g, f)));
                let first = !std::mem::replace(&mut self.written[f], true);
                if !due && !first {
                    continue;
                }
                // In a text, frames come in order. Lists from elsewhere may come back to one: it is
                // opened once more, without its name.
                let source = &self.b.frames[f];
                let mut inner = Element::of("frame", &FRAME, source, &Frame::default());
                if !first {
                    inner.unset("name");
                }
                self.level(&mut inner, Some(f), self.classes.choose(&source.childclass, class));
                e.children.push(inner);
                self.direct(e, frame, class);
                progress |= due;
            }
            if !progress {
                return;
            }
        }
    }

    /// Writes the next elements of each kind as long as they are directly here.
    fn direct(&mut self, e: &mut Element, frame: Option<usize>, class: &'a DefaultClass) -> bool {
        let mut progress = false;
        for kind in 0..KINDS {
            while self.next(kind) == Some(frame) {
                let element = self.write_next(kind, class);
                e.children.push(element);
                progress = true;
            }
        }
        progress
    }
}

fn joint(j: &Joint, class: &DefaultClass) -> Element {
    let Joint { name, frame, align, group, loc, .. } = j.clone();
    let free = Joint { name, frame, align, group, loc, ..Joint::free() };
    // Free joints of this form take nothing from default classes.
    if *j == free {
        return Element::of("freejoint", &FREEJOINT, j, &Joint::default());
    }
    Element::of("joint", &JOINT, j, &class.joint)
}
