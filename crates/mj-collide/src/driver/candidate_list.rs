//! Which pairs of geoms a model's present parameters let collide, and how far apart they may be for that.

use mj_math::DVec3;
use mj_model::{GeomId, GeomType, Model, disable, enable};

use super::broadphase::BroadPhase;
use super::candidates::{Candidate, Rules};
use super::params::ccd_options;
use super::{filter, near::NearTest};

/// Up to this many pairs of geoms are tested one by one; beyond, a broad phase goes first.
const DIRECT_PAIRS: usize = 2048;
/// With more geoms than this, pairs aren't even counted.
const DIRECT_GEOMS: usize = 512;

/// Pairs of geoms that may collide whatever the state, derived from parameters of the model: it is compared with these
/// before it is used, and made anew where any was edited.
#[derive(Clone, Debug, Default)]
pub(super) struct CandidateList {
    /// All candidates, or with a broad phase the explicit pairs and those with planes.
    pub fixed: Vec<Candidate>,
    /// Finds the others.
    pub broadphase: Option<BroadPhase>,
    /// Tests all of them, if they are more than a few and there is no broad phase.
    pub near: Option<NearTest>,
    of: Parameters,
}

impl CandidateList {
    pub fn new(m: &Model, rules: &Rules) -> Self {
        let geoms: Vec<GeomId> = m.geom.ids().filter(|&g| filter::collidable(m, g)).collect();
        let mut fixed: Vec<Candidate> = rules.explicit(m).collect();
        let pairs = |i: usize| geoms[i + 1..].iter().map(move |&g| (i, g));
        let all = (0..geoms.len()).flat_map(pairs).filter_map(|(i, g)| rules.candidate(m, geoms[i], g));
        let few = geoms.len() <= DIRECT_GEOMS;
        fixed.extend(all.take(if few { DIRECT_PAIRS + 1 } else { 0 }));
        let broadphase = (!few || fixed.len() > DIRECT_PAIRS).then(|| {
            fixed.clear();
            fixed.extend(rules.explicit(m));
            let (planes, bounded): (Vec<_>, Vec<_>) = geoms.iter().partition(|&&g| m.geom.r#type[g] == GeomType::Plane);
            for plane in planes {
                fixed.extend(bounded.iter().filter_map(|&g| rules.candidate(m, plane, g)));
            }
            BroadPhase::new(m, &bounded)
        });
        fixed.sort_unstable_by_key(|c| c.order);
        let tolerance = ccd_options(m).tolerance;
        let near = if broadphase.is_none() { NearTest::new(m, &fixed, tolerance) } else { None };
        Self { fixed, broadphase, near, of: Parameters::of(m) }
    }

    /// Makes the list that of the model's present parameters. Allocates only if any was edited.
    #[inline]
    pub fn update(&mut self, m: &Model, rules: &Rules) {
        if !self.of.are_those_of(m) {
            *self = Self::new(m, rules);
        }
    }
}

/// The parameters that a list of candidates depends on.
#[derive(Clone, Debug, Default)]
struct Parameters {
    flags: u32,
    options: [f64; 2],
    types: [Vec<i32>; 4],
    distances: [Vec<f64>; 5],
    sizes: Vec<DVec3>,
    /// Of models with meshes.
    boxes: Vec<[f64; 6]>,
}

impl Parameters {
    fn of(m: &Model) -> Self {
        Self {
            flags: flags(m),
            options: options(m),
            types: types(m).map(<[i32]>::to_vec),
            distances: distances(m).map(<[f64]>::to_vec),
            sizes: m.geom.size.as_slice().to_vec(),
            boxes: boxes(m).to_vec(),
        }
    }

    fn are_those_of(&self, m: &Model) -> bool {
        self.flags == flags(m)
            && equal(&self.options, &options(m))
            && types(m).iter().zip(&self.types).all(|(a, b)| all_equal(a, b, i32::eq))
            && distances(m).iter().zip(&self.distances).all(|(a, b)| equal(a, b))
            && all_equal(&self.sizes, m.geom.size.as_slice(), |a, b| equal(a.as_ref(), b.as_ref()))
            && all_equal(&self.boxes, boxes(m), |a, b| equal(a, b))
    }
}

/// Flags that decide which pairs may collide, and in which order.
fn flags(m: &Model) -> u32 {
    m.opt.disableflags & (disable::FILTERPARENT | disable::MIDPHASE) | m.opt.enableflags & enable::OVERRIDE
}

fn options(m: &Model) -> [f64; 2] {
    [m.opt.o_margin, m.opt.ccd_tolerance]
}

fn types(m: &Model) -> [&[i32]; 4] {
    let (geom, body) = (&m.geom, &m.body);
    [geom.contype.as_slice(), geom.conaffinity.as_slice(), body.contype.as_slice(), body.conaffinity.as_slice()]
}

fn distances(m: &Model) -> [&[f64]; 5] {
    let (geom, pair) = (&m.geom, &m.pair);
    [geom.margin.as_slice(), geom.gap.as_slice(), geom.rbound.as_slice(), pair.margin.as_slice(), pair.gap.as_slice()]
}

fn boxes(m: &Model) -> &[[f64; 6]] {
    if m.mesh.is_empty() { &[] } else { m.geom.aabb.as_slice() }
}

/// Compares number by number, without a branch for each: nearly always all are equal.
#[inline]
fn equal(a: &[f64], b: &[f64]) -> bool {
    all_equal(a, b, |a, b| a.to_bits() == b.to_bits())
}

#[inline]
fn all_equal<T>(a: &[T], b: &[T], equal: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(true, |all, (a, b)| all & equal(a, b))
}
