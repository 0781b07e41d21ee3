//! Bodies that can't move become frames of their parents.

use super::{EditError, prepared, with_bodies, written};
use crate::frames::Pose;
use crate::inertia::{Mass, combine};
use crate::tree::body::mass_rules;
use crate::tree::simplify;
use mj_math::MINVAL;
use mj_model::spec::{Body, Compiler, Frame, Inertial};
use mj_model::{InertiaFromGeom, Spec};

/// Turns every body that can't move relative to its parent into a frame of the parent, and returns how many. The frame holds
/// what was in the body, where it was; the mass goes to the parent. The model has the motion that it had, and is the one that
/// `fusestatic` gives.
///
/// A body stays if something refers to it by name, if it may be moved from outside or has `fuse="false"`, a sleep policy or a
/// plugin of its own, if a force or torque sensor has a site in it, or if gravity compensation or drag would change.
///
/// ```
/// use mj_model::Spec;
/// use mj_model::spec::{Body, Geom, Joint};
///
/// let mut spec = Spec::default();
/// let ball = || vec![Geom { size: [0.1, 0.0, 0.0], ..Default::default() }];
/// let shelf = Body { geoms: ball(), ..Default::default() };
/// let arm = Body { joints: vec![Joint::default()], geoms: ball(), bodies: vec![shelf], ..Default::default() };
/// spec.worldbody.bodies.push(arm);
/// assert_eq!(mj_compile::edit::fuse_static(&mut spec), Ok(1));
/// assert_eq!(spec.worldbody.bodies[0].geoms.len(), 2);
/// assert_eq!(mj_compile::compile(&spec).0.unwrap().body.len(), 2);
/// ```
///
/// # Errors
/// If the model has errors, if a mass would have to be written though masses follow from geoms whatever is written, or if
/// frames resize what is in them.
pub fn fuse_static(spec: &mut Spec) -> Result<usize, EditError> {
    let mut whole = prepared(spec)?;
    let parts = with_bodies(&whole, &mj_plugins::builtin(), |cx, bodies| {
        let homes = simplify::homes(cx, bodies);
        let part = |(row, b): (usize, &crate::tree::body::BodyBuild<'_>)| Part {
            own: b.own,
            pose: b.pose(),
            fused: homes[row] != row,
        };
        Ok(bodies.iter().enumerate().map(part).collect::<Vec<_>>())
    })?;
    if !parts.iter().any(|p| p.fused) {
        return Ok(0);
    }
    let mut resizes = false;
    whole.worldbody.each_mut(&mut |b| resizes |= b.frames.iter().any(|f| !f.keeps_size()));
    if resizes {
        return Err(EditError::Resizes);
    }
    let mut fusing = Fusing { parts: &parts, compiler: &whole.compiler, next: 0, count: 0 };
    fusing.body(&mut whole.worldbody)?;
    let count = fusing.count;
    *spec = whole;
    Ok(count)
}

/// A body as it was compiled.
struct Part {
    own: Mass,
    /// In its parent.
    pose: Pose,
    fused: bool,
}

struct Fusing<'a> {
    /// Depth first.
    parts: &'a [Part],
    compiler: &'a Compiler,
    next: usize,
    count: usize,
}

impl Fusing<'_> {
    /// Fuses what is in a body with it, as far as it can't move, and returns its mass.
    fn body(&mut self, b: &mut Body) -> Result<Mass, EditError> {
        let row = self.next;
        self.next += 1;
        let mut own = self.parts[row].own;
        for mut child in std::mem::take(&mut b.bodies) {
            let part = &self.parts[self.next];
            let mass = self.body(&mut child)?;
            if !part.fused {
                b.bodies.push(child);
                continue;
            }
            self.count += 1;
            if row > 0 {
                own = self.add_mass(b, &child, own, Mass { pose: part.pose.then(mass.pose), ..mass })?;
            }
            absorb(b, child);
        }
        Ok(own)
    }

    /// Returns the mass of both, and writes it to the parent if it doesn't follow from the geoms.
    fn add_mass(&self, b: &mut Body, child: &Body, own: Mass, added: Mass) -> Result<Mass, EditError> {
        let rules = [&*b, child].map(|b| mass_rules(self.compiler, b));
        let from_geoms = rules.map(|r| r.inertiafromgeom == InertiaFromGeom::True);
        let follows = match from_geoms {
            [true, true] => true,
            [false, false] => b.inertial.is_none() && child.inertial.is_none(),
            _ => false,
        };
        let follows = follows && rules[0] == rules[1];
        if added.mass < MINVAL && (follows || child.geoms.is_empty()) {
            return Ok(own);
        }
        let wrong = |e: String| {
            let mut diag = mj_model::Diagnostics::default();
            diag.error(child.loc, format!("body `{}`: merging it into its parent: {e}", child.name));
            EditError::Model(diag)
        };
        let sum = combine(&[own, added], &rules[0]).map_err(wrong)?.unwrap_or(own);
        if !follows {
            if from_geoms[0] {
                return Err(EditError::FromGeoms);
            }
            b.inertial = Some(Inertial { loc: b.inertial.as_ref().map_or(b.loc, |i| i.loc), ..written(sum) });
        }
        Ok(sum)
    }
}

/// Moves what is in a child into a frame of its parent.
fn absorb(b: &mut Body, child: Body) {
    let first = b.frames.len();
    b.frames.push(Frame {
        name: child.name,
        parent: child.frame,
        pos: child.pos,
        orientation: child.orientation,
        loc: child.loc,
        ..Frame::default()
    });
    let inside = |frame: Option<usize>| Some(frame.map_or(first, |f| first + 1 + f));
    b.frames.extend(child.frames.into_iter().map(|f| Frame { parent: inside(f.parent), ..f }));
    macro_rules! move_all {
        ($($list:ident)*) => {$(
            for mut e in child.$list {
                e.frame = inside(e.frame);
                b.$list.push(e);
            }
        )*};
    }
    move_all!(geoms sites cameras lights bodies);
}
