//! From one spec's conventions to another's: units of angles, order of Euler angles, automatic limits, rules for mass.

use crate::enums::{InertiaFromGeom, JointType, Tri};
use crate::spec::document::Spec;
use crate::spec::{Compiler, Orientation};

impl Spec {
    /// Turns the spec's numbers into another compiler's conventions; its own compiler settings stay. Bodies keep the
    /// spec's rules for mass and inertia.
    pub fn adapt_to(&mut self, ours: &Compiler) {
        let theirs = self.compiler.clone();
        let drops = drops_inertials(&theirs, ours);
        let mut rules = theirs.mass_rules();
        if drops {
            rules.inertiafromgeom = ours.inertiafromgeom;
        }
        let turn = (theirs.degree, theirs.eulerseq) != (ours.degree, ours.eulerseq);
        let unit = match (theirs.degree, ours.degree) {
            (true, false) => std::f64::consts::PI / 180.0,
            (false, true) => 180.0 / std::f64::consts::PI,
            _ => 1.0,
        };
        let limits = |limited: &mut Tri, range: Option<[f64; 2]>| {
            if *limited == Tri::Auto && theirs.autolimits && !ours.autolimits {
                *limited = if range.is_some_and(|r| r[0] < r[1]) { Tri::True } else { Tri::False };
            }
        };
        self.worldbody.each_mut(&mut |b| {
            if drops {
                b.inertial = None;
            }
            let own = b.mass_rules.unwrap_or(rules);
            b.mass_rules = (own != ours.mass_rules()).then_some(own);
            if turn {
                let all = [&mut b.orientation].into_iter().chain(b.inertial.iter_mut().map(|i| &mut i.orientation));
                let all = all.chain(b.frames.iter_mut().map(|x| &mut x.orientation));
                let all = all.chain(b.geoms.iter_mut().map(|x| &mut x.orientation));
                let all = all.chain(b.sites.iter_mut().map(|x| &mut x.orientation));
                for o in all.chain(b.cameras.iter_mut().map(|x| &mut x.orientation)) {
                    // One that is wrong stays, for the compiler to tell.
                    if let Ok(q) = o.resolve(theirs.degree, theirs.eulerseq)
                        && *o != Orientation::Identity
                    {
                        *o = Orientation::Quat(q);
                    }
                }
            }
            for j in &mut b.joints {
                if matches!(j.r#type, JointType::Hinge | JointType::Ball) {
                    j.range = j.range.map(|r| r.map(|x| x * unit));
                    j.r#ref *= unit;
                    j.springref *= unit;
                }
                if j.align == Tri::Auto && theirs.alignfree != ours.alignfree {
                    j.align = if theirs.alignfree { Tri::True } else { Tri::False };
                }
                limits(&mut j.limited, j.range);
                limits(&mut j.actfrclimited, j.actfrcrange);
            }
        });
        for t in &mut self.tendons {
            limits(&mut t.limited, t.range);
            limits(&mut t.actfrclimited, t.actfrcrange);
        }
        for a in &mut self.actuators {
            limits(&mut a.ctrllimited, a.ctrlrange);
            limits(&mut a.forcelimited, a.forcerange);
            limits(&mut a.actlimited, a.actrange);
        }
    }
}

/// Whether what follows from geoms always there is what follows here where nothing is written.
fn drops_inertials(theirs: &Compiler, ours: &Compiler) -> bool {
    (theirs.inertiafromgeom, ours.inertiafromgeom) == (InertiaFromGeom::True, InertiaFromGeom::Auto)
}
