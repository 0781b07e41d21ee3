//! Geom pairs that the narrow phase is to look at, in the order of their contacts: by pair of bodies, explicit
//! pairs before others.

use mj_math::{DMat3, DVec3};
use mj_model::{BodyId, GeomId, IdVec, Model, PairId, disable, id_range};

use super::filter::{compatible, shape_kind, signature};
use super::params::margin_gap;
use crate::ShapeKind;

/// Two geoms, of ascending type, that may touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub geom: [GeomId; 2],
    pub pair: Option<PairId>,
    /// Distance of the surfaces at which contacts are detected.
    pub margin: f64,
    /// Distance of the centres within which the bounding spheres are nearer than the margin.
    reach: f64,
    /// The first geom is a plane.
    plane: bool,
}

impl Candidate {
    fn new(m: &Model, g1: GeomId, g2: GeomId, pair: Option<PairId>) -> Option<Self> {
        let kind = |g: GeomId| shape_kind(m.geom.r#type[g]);
        let (k1, k2) = (kind(g1)?, kind(g2)?);
        let geom = if k1 > k2 { [g2, g1] } else { [g1, g2] };
        let plane = k1.min(k2) == ShapeKind::Plane;
        if plane && k1 == k2 {
            return None;
        }
        let (margin, gap) = margin_gap(m, g1, g2, pair);
        let margin = margin + gap;
        // A plane's radius is zero.
        let reach = m.geom.rbound[g1] + m.geom.rbound[g2] + margin;
        Some(Self { geom, pair, margin, reach, plane })
    }

    /// Whether the bounding spheres, or the plane and the sphere, are within the margin.
    #[inline]
    pub fn is_near(&self, xpos: &IdVec<GeomId, DVec3>, xmat: &IdVec<GeomId, DMat3>) -> bool {
        let [g1, g2] = self.geom;
        let between = xpos[g2] - xpos[g1];
        if self.plane {
            between.dot(xmat[g1].z_axis) <= self.reach
        } else {
            between.length_squared() <= self.reach * self.reach
        }
    }

    /// The same at any time while the second geom moves by `shift` relative to the first.
    pub fn comes_near(&self, xpos: &IdVec<GeomId, DVec3>, xmat: &IdVec<GeomId, DMat3>, shift: DVec3) -> bool {
        let [g1, g2] = self.geom;
        let between = xpos[g2] - xpos[g1];
        if self.plane {
            let normal = xmat[g1].z_axis;
            return between.dot(normal).min((between + shift).dot(normal)) <= self.reach;
        }
        let nearest = (-between.dot(shift) / shift.length_squared()).clamp(0.0, 1.0);
        let nearest = if nearest.is_nan() { between } else { between + shift * nearest };
        nearest.length_squared() <= self.reach * self.reach
    }
}

/// The explicit pairs in order, to be merged with the others.
#[derive(Clone, Debug, Default)]
pub(super) struct ExplicitPairs {
    sorted: Vec<(u32, PairId)>,
}

impl ExplicitPairs {
    pub fn new(m: &Model) -> Self {
        let mut sorted: Vec<_> = m.pair.ids().map(|p| (m.pair.signature[p] as u32, p)).collect();
        sorted.sort_by_key(|&(signature, _)| signature);
        Self { sorted }
    }

    fn has(&self, m: &Model, signature: u32, g1: GeomId, g2: GeomId) -> bool {
        let first = self.sorted.partition_point(|&(s, _)| s < signature);
        self.sorted[first..].iter().take_while(|&&(s, _)| s == signature).any(|&(_, p)| {
            let pair = (m.pair.geom1[p], m.pair.geom2[p]);
            pair == (g1, g2) || pair == (g2, g1)
        })
    }
}

/// Fills `out` with the candidates of all explicit pairs and of the given pairs of bodies, which are sorted.
pub(super) fn list(m: &Model, explicit: &ExplicitPairs, bodies: &[(BodyId, BodyId)], out: &mut Vec<Candidate>) {
    out.clear();
    let mut waiting = explicit.sorted.iter();
    let push_explicit = |p: PairId, out: &mut Vec<Candidate>| {
        out.extend(Candidate::new(m, m.pair.geom1[p], m.pair.geom2[p], Some(p)));
    };
    for &(b1, b2) in bodies {
        let here = signature(b1, b2);
        while let Some(&(s, p)) = waiting.as_slice().first()
            && s <= here
        {
            push_explicit(p, out);
            waiting.next();
        }
        of_bodies(m, explicit, b1, b2, out);
    }
    waiting.for_each(|&(_, p)| push_explicit(p, out));
}

/// Appends the candidates of two bodies' geoms that have matching contact types and no explicit pair.
fn of_bodies(m: &Model, explicit: &ExplicitPairs, b1: BodyId, b2: BodyId, out: &mut Vec<Candidate>) {
    let first = out.len();
    let here = signature(b1, b2);
    let geoms = |b: BodyId| id_range(m.body.geomadr[b], m.body.geomnum[b]);
    for g1 in geoms(b1) {
        for g2 in geoms(b2) {
            let t = &m.geom;
            if compatible(t.contype[g1], t.conaffinity[g1], t.contype[g2], t.conaffinity[g2])
                && !explicit.has(m, here, g1, g2)
            {
                out.extend(Candidate::new(m, g1, g2, None));
            }
        }
    }
    // Contacts of bodies with several geoms are in the order of the geoms as arranged by type.
    if !m.opt.disabled(disable::MIDPHASE) {
        out[first..].sort_unstable_by_key(|c| c.geom);
    }
}
