//! Contact parameters: from an explicit pair, or mixed from two geoms.

use mj_model::{GeomId, Model, PairId, disable, enable};

use crate::frame::TINY;
use crate::{CcdAlgorithm, CcdOptions, SdfOptions};

/// The least friction coefficient.
const MIN_FRICTION: f64 = 1e-5;

/// Returns the options of the general method that a model asks for.
pub fn ccd_options(m: &Model) -> CcdOptions {
    CcdOptions {
        tolerance: m.opt.ccd_tolerance,
        iterations: usize::try_from(m.opt.ccd_iterations).unwrap_or(0),
        multi_contact: !m.opt.disabled(disable::MULTICCD),
        algorithm: if m.opt.disabled(disable::NATIVECCD) { CcdAlgorithm::Portal } else { CcdAlgorithm::GjkEpa },
    }
}

/// Returns the options of collisions of signed distance fields that a model asks for.
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
    let mut p = match pair {
        Some(pair) => of_pair(m, pair),
        None => mixed(m, g1, g2),
    };
    p.includemargin = margin_gap(m, g1, g2, pair).0;
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

/// The geom of higher priority decides; equals are mixed: the greater dimensionality and friction, the mean of
/// references and impedances weighted by `solmix`, the sum of adhesions.
fn mixed(m: &Model, g1: GeomId, g2: GeomId) -> Params {
    let t = &m.geom;
    let of = |g: GeomId| (t.condim[g], t.friction[g], t.solref[g], t.solimp[g], t.adhesion[g]);
    let (dim, friction, solref, solimp, adhesion) = match t.priority[g1].cmp(&t.priority[g2]) {
        std::cmp::Ordering::Greater => of(g1),
        std::cmp::Ordering::Less => of(g2),
        std::cmp::Ordering::Equal => {
            let w = mix(t.solmix[g1], t.solmix[g2]);
            let blend = |a: f64, b: f64| w * a + (1.0 - w) * b;
            let (r1, r2) = (t.solref[g1], t.solref[g2]);
            // Non-positive references are stiffness and damping themselves: the lesser of each.
            let standard = r1[0] > 0.0 && r2[0] > 0.0;
            let solref = std::array::from_fn(|i| if standard { blend(r1[i], r2[i]) } else { r1[i].min(r2[i]) });
            let (i1, i2) = (t.solimp[g1], t.solimp[g2]);
            let (f1, f2) = (t.friction[g1], t.friction[g2]);
            (
                t.condim[g1].max(t.condim[g2]),
                std::array::from_fn(|i| f1[i].max(f2[i])),
                solref,
                std::array::from_fn(|i| blend(i1[i], i2[i])),
                t.adhesion[g1] + t.adhesion[g2],
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

/// Weight of the first of two mixing factors; a vanishing factor yields to the other.
fn mix(a: f64, b: f64) -> f64 {
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
