//! Contact parameters: from an explicit pair, or mixed from two geoms.

use mj_model::{FlexId, GeomId, Model, PairId, disable, enable};

use crate::frame::TINY;
use crate::{CcdAlgorithm, CcdOptions, SdfOptions};

/// The least friction coefficient.
pub(super) const MIN_FRICTION: f64 = 1e-5;

/// Returns the options of the general method that a model asks for.
///
/// Example: [`collide`](crate::collide).
pub fn ccd_options(m: &Model) -> CcdOptions {
    CcdOptions {
        tolerance: m.opt.ccd_tolerance,
        iterations: usize::try_from(m.opt.ccd_iterations).unwrap_or(0),
        multi_contact: !m.opt.disabled(disable::MULTICCD),
        algorithm: if m.opt.disabled(disable::NATIVECCD) { CcdAlgorithm::Portal } else { CcdAlgorithm::GjkEpa },
    }
}

/// Returns the options of collisions of signed distance fields that a model asks for.
///
/// Example: [`collide`](crate::collide).
pub fn sdf_options(m: &Model) -> SdfOptions {
    let count = |n: i32| usize::try_from(n).unwrap_or(0);
    SdfOptions { iterations: count(m.opt.sdf_iterations), initpoints: count(m.opt.sdf_initpoints) }
}

/// Parameters that the contacts of two geoms share.
pub(super) struct Params {
    pub dim: u32,
    pub includemargin: f64,
    pub friction: [f64; 5],
    pub solref: [f64; 2],
    pub solreffriction: [f64; 2],
    pub solimp: [f64; 5],
    pub adhesion: f64,
}

/// Margin for force and additional gap for detection: of the pair, or the sum of both geoms'.
pub(super) fn margin_gap(m: &Model, g1: GeomId, g2: GeomId, pair: Option<PairId>) -> (f64, f64) {
    let (margin, gap) = match pair {
        Some(p) => (m.pair.margin[p], m.pair.gap[p]),
        None => (m.geom.margin[g1] + m.geom.margin[g2], m.geom.gap[g1] + m.geom.gap[g2]),
    };
    (if m.opt.enabled(enable::OVERRIDE) { m.opt.o_margin } else { margin }, gap)
}

/// The distance within which contacts of two geoms are looked for: margin and gap.
///
/// Example: [`collide`](crate::collide).
pub fn detection_margin(m: &Model, geom: [GeomId; 2]) -> f64 {
    let (margin, gap) = margin_gap(m, geom[0], geom[1], explicit_pair(m, geom));
    margin + gap
}

/// The explicit pair of two geoms, given in either order.
pub(super) fn explicit_pair(m: &Model, [g1, g2]: [GeomId; 2]) -> Option<PairId> {
    m.pair.ids().find(|&p| [[g1, g2], [g2, g1]].contains(&[m.pair.geom1[p], m.pair.geom2[p]]))
}

/// The parameters of the contacts of two geoms.
pub(super) fn params(m: &Model, g1: GeomId, g2: GeomId, pair: Option<PairId>) -> Params {
    let p = match pair {
        Some(pair) => of_pair(m, pair),
        None => mixed(&Own::of_geom(m, g1), &Own::of_geom(m, g2)),
    };
    finish(m, p, margin_gap(m, g1, g2, pair).0)
}

/// Completes parameters, with those that the options override.
fn finish(m: &Model, mut p: Params, margin: f64) -> Params {
    p.includemargin = margin;
    if m.opt.enabled(enable::OVERRIDE) {
        p.solref = m.opt.o_solref;
        p.solreffriction = m.opt.o_solref;
        p.solimp = m.opt.o_solimp;
        p.friction = m.opt.o_friction;
    }
    p.friction = p.friction.map(|mu| mu.max(MIN_FRICTION));
    p
}

fn of_pair(m: &Model, p: PairId) -> Params {
    Params {
        dim: m.pair.dim[p].max(1) as u32,
        includemargin: 0.0,
        friction: m.pair.friction[p],
        solref: m.pair.solref[p],
        solreffriction: m.pair.solreffriction[p],
        solimp: m.pair.solimp[p],
        adhesion: m.pair.adhesion[p],
    }
}

/// What a geom or a flex brings to the parameters of its contacts.
pub(super) struct Own {
    priority: i32,
    dim: i32,
    solmix: f64,
    friction: [f64; 3],
    solref: [f64; 2],
    solimp: [f64; 5],
    adhesion: f64,
}

impl Own {
    pub fn of_geom(m: &Model, g: GeomId) -> Self {
        let t = &m.geom;
        Self {
            priority: t.priority[g],
            dim: t.condim[g],
            solmix: t.solmix[g],
            friction: t.friction[g],
            solref: t.solref[g],
            solimp: t.solimp[g],
            adhesion: t.adhesion[g],
        }
    }

    pub fn of_flex(m: &Model, f: FlexId) -> Self {
        let t = &m.flex;
        Self {
            priority: t.priority[f],
            dim: t.condim[f],
            solmix: t.solmix[f],
            friction: t.friction[f],
            solref: t.solref[f],
            solimp: t.solimp[f],
            adhesion: 0.0,
        }
    }
}

/// The side of higher priority decides; equals are mixed: the greater dimensionality and friction, the mean of
/// references and impedances weighted by `solmix`, the sum of adhesions.
fn mixed(a: &Own, b: &Own) -> Params {
    let of = |s: &Own| (s.dim, s.friction, s.solref, s.solimp, s.adhesion);
    let (dim, friction, solref, solimp, adhesion) = match a.priority.cmp(&b.priority) {
        std::cmp::Ordering::Greater => of(a),
        std::cmp::Ordering::Less => of(b),
        std::cmp::Ordering::Equal => {
            let w = mix(a.solmix, b.solmix);
            let blend = |a: f64, b: f64| w * a + (1.0 - w) * b;
            let (r1, r2) = (a.solref, b.solref);
            // Non-positive references are stiffness and damping themselves: the lesser of each.
            let standard = r1[0] > 0.0 && r2[0] > 0.0;
            let solref = std::array::from_fn(|i| if standard { blend(r1[i], r2[i]) } else { r1[i].min(r2[i]) });
            (
                a.dim.max(b.dim),
                std::array::from_fn(|i| a.friction[i].max(b.friction[i])),
                solref,
                std::array::from_fn(|i| blend(a.solimp[i], b.solimp[i])),
                a.adhesion + b.adhesion,
            )
        }
    };
    let [slide, spin, roll] = friction;
    Params {
        dim: dim.max(1) as u32,
        includemargin: 0.0,
        friction: [slide, slide, spin, roll, roll],
        solref,
        solreffriction: [0.0; 2],
        solimp,
        adhesion,
    }
}

/// The parameters of contacts with a flex, from both sides, with a margin for force.
pub(super) fn flex_params(m: &Model, sides: [&Own; 2], margin: f64) -> Params {
    finish(m, mixed(sides[0], sides[1]), flex_margin(m, margin))
}

/// Margin for force of contacts with a flex, given the sum of both sides'.
pub(super) fn flex_margin(m: &Model, margin: f64) -> f64 {
    if m.opt.enabled(enable::OVERRIDE) { m.opt.o_margin } else { margin }
}

/// Weight of the first of two mixing factors; a vanishing factor yields to the other.
pub(super) fn mix(a: f64, b: f64) -> f64 {
    match (a >= TINY, b >= TINY) {
        (true, true) => a / (a + b),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::mix;

    #[test]
    fn mixing_weights() {
        assert_eq!(mix(1.0, 3.0), 0.25);
        assert_eq!((mix(0.0, 0.0), mix(0.0, 2.0), mix(2.0, 0.0)), (0.5, 0.0, 1.0));
    }
}
