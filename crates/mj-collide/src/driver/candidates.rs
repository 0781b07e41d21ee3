//! Geom pairs that the narrow phase is to look at, in the order of their contacts: by pair of bodies, explicit
//! pairs before others.

use mj_math::{DMat3, DVec3};
use mj_model::{GeomId, IdVec, Model, PairId, disable};

use super::filter::{bodies_collide, compatible, shape_kind, signature};
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
    pub reach: f64,
    /// The first geom is a plane.
    pub plane: bool,
    /// Its place in the order: the pair of bodies, explicit pairs first, then the geoms.
    pub order: (u32, u32, u32),
}

impl Candidate {
    fn new(m: &Model, g1: GeomId, g2: GeomId, pair: Option<PairId>, order: (u32, u32, u32)) -> Option<Self> {
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
        Some(Self { geom, pair, margin, reach, plane, order })
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

    /// Returns whether the geoms come near at any time while the second moves by `shift` relative to the first.
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

/// Rules that decide whether two geoms are a candidate, for every state.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// Sorted signatures of excluded pairs of bodies.
    excluded: Vec<u32>,
    /// Explicit pairs by the signature of their bodies.
    explicit: Vec<(u32, PairId)>,
}

impl Rules {
    pub fn new(m: &Model) -> Self {
        let mut excluded: Vec<u32> = m.exclude.signature.iter().map(|&s| s as u32).collect();
        excluded.sort_unstable();
        let mut explicit: Vec<_> = m.pair.ids().map(|p| (m.pair.signature[p] as u32, p)).collect();
        explicit.sort_by_key(|&(signature, _)| signature);
        Self { excluded, explicit }
    }

    /// The candidates of the explicit pairs.
    pub fn explicit<'a>(&'a self, m: &'a Model) -> impl Iterator<Item = Candidate> + 'a {
        let numbered = self.explicit.iter().enumerate();
        numbered.filter_map(|(i, &(signature, p))| {
            Candidate::new(m, m.pair.geom1[p], m.pair.geom2[p], Some(p), (signature, 0, i as u32))
        })
    }

    /// Two geoms as a candidate: where their contact types match, their bodies may collide, and they have no explicit
    /// pair.
    pub fn candidate(&self, m: &Model, g1: GeomId, g2: GeomId) -> Option<Candidate> {
        let t = &m.geom;
        if !compatible(t.contype[g1], t.conaffinity[g1], t.contype[g2], t.conaffinity[g2]) {
            return None;
        }
        // Geoms are numbered by body.
        let (g1, g2) = (g1.min(g2), g1.max(g2));
        let (b1, b2) = (t.bodyid[g1], t.bodyid[g2]);
        if !bodies_collide(m, b1, b2, &self.excluded) || self.is_explicit(m, signature(b1, b2), g1, g2) {
            return None;
        }
        let id = |g: GeomId| g.index() as u32;
        let mut candidate = Candidate::new(m, g1, g2, None, (signature(b1, b2), 1 + id(g1), id(g2)))?;
        // With the middle phase, contacts are in the order of the geoms as arranged by type.
        if !m.opt.disabled(disable::MIDPHASE) {
            let [first, second] = candidate.geom;
            (candidate.order.1, candidate.order.2) = (1 + id(first), id(second));
        }
        Some(candidate)
    }

    fn is_explicit(&self, m: &Model, signature: u32, g1: GeomId, g2: GeomId) -> bool {
        if self.explicit.is_empty() {
            return false;
        }
        let first = self.explicit.partition_point(|&(s, _)| s < signature);
        self.explicit[first..].iter().take_while(|&&(s, _)| s == signature).any(|&(_, p)| {
            let pair = (m.pair.geom1[p], m.pair.geom2[p]);
            pair == (g1, g2) || pair == (g2, g1)
        })
    }
}
