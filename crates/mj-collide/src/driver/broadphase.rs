//! Pairs of bodies that may be near each other, for models with many: sweep and prune along the axis on which
//! the bodies are spread the widest.

use mj_math::{DMat3, DVec3};
use mj_model::{Awake, BodyId, GeomId, GeomType, IdVec, Model, enable, id_range};

use super::filter::{always_near, bodies_collide, collidable};
use super::speculative::Sweep;

/// A body's interval on the sweeping axis, with its box.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    body: BodyId,
    min: DVec3,
    max: DVec3,
}

/// The broad phase; keeps its memory from one state to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct BroadPhase {
    /// Pairs that no box can rule out.
    always: Vec<(BodyId, BodyId)>,
    /// Bodies that are swept.
    swept: Vec<BodyId>,
    /// Their boxes, sorted along the axis.
    sorted: Vec<Bounds>,
    /// Sorted signatures of excluded pairs.
    excluded: Vec<u32>,
    /// The result.
    pub pairs: Vec<(BodyId, BodyId)>,
}

impl BroadPhase {
    pub fn new(m: &Model) -> Self {
        let mut excluded: Vec<u32> = m.exclude.signature.iter().map(|&s| s as u32).collect();
        excluded.sort_unstable();
        let bodies: Vec<BodyId> = m.body.ids().filter(|&b| collidable(m, b)).collect();
        let (near, swept): (Vec<BodyId>, Vec<BodyId>) = bodies.iter().partition(|&&b| always_near(m, b));
        let mut always = Vec::new();
        for &b1 in &near {
            for &b2 in &bodies {
                let seen = near.contains(&b2) && b2 < b1;
                if b1 != b2 && !seen && bodies_collide(m, b1, b2, &excluded) {
                    always.push((b1.min(b2), b1.max(b2)));
                }
            }
        }
        let sorted = swept.iter().map(|&body| Bounds { body, min: DVec3::ZERO, max: DVec3::ZERO }).collect();
        Self { always, swept, sorted, excluded, pairs: Vec::new() }
    }

    /// All pairs that may ever collide, in order: what a small model tests one by one.
    pub fn all_pairs(&self, m: &Model) -> Vec<(BodyId, BodyId)> {
        let mut pairs = self.always.clone();
        for (i, &b1) in self.swept.iter().enumerate() {
            let later = self.swept[i + 1..].iter();
            pairs.extend(later.filter(|&&b2| bodies_collide(m, b1, b2, &self.excluded)).map(|&b2| (b1, b2)));
        }
        pairs.sort_unstable();
        pairs
    }

    /// Finds the pairs of bodies whose boxes overlap, sorted, into `pairs`; the boxes hold all of the geoms' motions
    /// where `sweeps` has any.
    pub fn sweep(
        &mut self,
        m: &Model,
        awake: &Awake,
        xpos: &IdVec<GeomId, DVec3>,
        xmat: &IdVec<GeomId, DMat3>,
        sweeps: &[Sweep],
    ) {
        let (mut sum, mut sum2) = (DVec3::ZERO, DVec3::ZERO);
        for bounds in &mut self.sorted {
            // A sleeping body's box is still that of when it fell asleep.
            if awake.moves(bounds.body) {
                (bounds.min, bounds.max) = bounding_box(m, bounds.body, xpos, xmat, sweeps);
            }
            let center = 0.5 * (bounds.min + bounds.max);
            sum += center;
            sum2 += center * center;
        }
        let n = self.sorted.len().max(1) as f64;
        let spread = sum2 / n - (sum / n) * (sum / n);
        let axis = if spread.x >= spread.y && spread.x >= spread.z {
            0
        } else if spread.y >= spread.z {
            1
        } else {
            2
        };
        self.sorted.sort_unstable_by(|a, b| a.min[axis].total_cmp(&b.min[axis]).then(a.body.cmp(&b.body)));

        self.pairs.clear();
        self.pairs.extend_from_slice(&self.always);
        for (i, a) in self.sorted.iter().enumerate() {
            for b in self.sorted[i + 1..].iter().take_while(|b| b.min[axis] <= a.max[axis]) {
                let overlap = a.min.cmple(b.max).all() && b.min.cmple(a.max).all();
                if overlap
                    && (awake.moves(a.body) || awake.moves(b.body))
                    && bodies_collide(m, a.body, b.body, &self.excluded)
                {
                    self.pairs.push((a.body.min(b.body), a.body.max(b.body)));
                }
            }
        }
        self.pairs.sort_unstable();
    }
}

/// The box around a body's geoms that may collide and their margins, in the world's axes.
fn bounding_box(
    m: &Model,
    body: BodyId,
    xpos: &IdVec<GeomId, DVec3>,
    xmat: &IdVec<GeomId, DMat3>,
    sweeps: &[Sweep],
) -> (DVec3, DVec3) {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let collides = |&g: &GeomId| m.geom.contype[g] != 0 || m.geom.conaffinity[g] != 0;
    for g in id_range(m.body.geomadr[body], m.body.geomnum[body]).filter(collides) {
        if m.geom.r#type[g] == GeomType::Plane {
            return (DVec3::NEG_INFINITY, DVec3::INFINITY);
        }
        let [cx, cy, cz, hx, hy, hz] = m.geom.aabb[g];
        let mat = &xmat[g];
        let center = xpos[g] + *mat * DVec3::new(cx, cy, cz);
        let half = mat.x_axis.abs() * hx + mat.y_axis.abs() * hy + mat.z_axis.abs() * hz;
        let margin = if m.opt.enabled(enable::OVERRIDE) { 0.5 * m.opt.o_margin } else { m.geom.margin[g] };
        let half = half + DVec3::splat((margin + m.geom.gap[g]).max(0.0));
        min = min.min(center - half);
        max = max.max(center + half);
        if let Some(sweep) = sweeps.get(g.index()) {
            min = min.min(center + sweep.shift - half - DVec3::splat(sweep.turning()));
            max = max.max(center + sweep.shift + half + DVec3::splat(sweep.turning()));
        }
    }
    (min, max)
}
