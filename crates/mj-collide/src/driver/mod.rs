//! The driver: from a model and the poses of its geoms to contacts with parameters.

mod broadphase;
mod candidate_list;
mod candidates;
mod contact;
mod filter;
mod flex;
mod greatest;
mod near;
mod overlap;
mod params;
mod place;
mod plan;
mod ray;
mod slopes;
mod solids;
mod speculative;

use std::sync::Arc;

use mj_math::{DMat3, DVec3, Spatial};
use mj_model::{Awake, BodyId, GeomId, GeomType, IdVec, MeshId, Model, SensorType, disable};

use self::candidate_list::CandidateList;
use self::candidates::Candidate;
use self::contact::contact;
pub use self::contact::{Contact, Contacts};
pub use self::filter::{ContactFilter, shape_kind};
use self::flex::FlexWorkspace;
pub use self::flex::{FlexHit, FlexParts, FlexPoses, cast_ray_at_flex, collide_flexes, continuous};
pub use self::greatest::max_contacts;
pub use self::overlap::overlapping_geoms;
pub use self::params::{ccd_options, detection_margin, sdf_options};
use self::place::{NOWHERE, put};
use self::plan::Plan;
use self::ray::Trees;
pub use self::ray::{RayFilter, RayHit, cast_ray, cast_ray_at, cast_rays};
pub use self::slopes::{ContactSlopes, contact_slopes};
use self::speculative::Sweep;
use crate::{CcdWorkspace, Colliders, Hull, Placed, PreContact, PreContacts, Query, SignedField, Witness};

/// Functions of the narrow phase, and memory for collision detection.
#[derive(Clone, Debug)]
pub struct CollideWorkspace {
    /// The functions of the narrow phase; may be changed.
    pub colliders: Colliders,
    /// Refuses pairs of geoms besides those that the model's own rules refuse: only pairs for which it answers true are
    /// looked at, explicit ones included. It is asked at every step, for pairs whose bounding volumes are near.
    pub filter: Option<ContactFilter>,
    plan: Arc<Plan>,
    /// Trees over the triangles of meshes, where more rays are cast than the plan's trees are for.
    trees: Option<Arc<Trees>>,
    list: CandidateList,
    candidates: Vec<Candidate>,
    ccd: CcdWorkspace,
    found: PreContacts,
    flex: FlexWorkspace,
    /// How every geom moves, where contacts to come are wanted.
    sweeps: Vec<Sweep>,
}

impl CollideWorkspace {
    /// Makes the workspace for a model, and for all models of its structure and its meshes.
    pub fn new(m: &Model) -> Self {
        let plan = Plan::of(m);
        let iterations = ccd_options(m).iterations;
        let asks_distances =
            |s: &SensorType| matches!(s, SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo);
        let mut ccd = if m.sensor.r#type.iter().any(asks_distances) {
            CcdWorkspace::for_distances(iterations)
        } else {
            CcdWorkspace::with_capacity(iterations)
        };
        plan.hulls.0.iter().flatten().for_each(|hull| ccd.reserve(hull));
        if m.geom.r#type.iter().any(|t| *t == GeomType::Sdf) {
            ccd.starts.reserve(sdf_options(m).initpoints.max(1));
        }
        Self {
            colliders: Colliders::new(),
            filter: None,
            list: CandidateList::new(m, &plan.rules),
            plan,
            trees: None,
            candidates: Vec::new(),
            ccd,
            found: PreContacts::new(),
            flex: FlexWorkspace::default(),
            sweeps: Vec::new(),
        }
    }

    /// Prepares for many rays against the model's meshes, as is done by itself for a model with rangefinders.
    pub fn prepare_rays(&mut self, m: &Model) {
        self.trees = Some(Arc::new(Trees::divided(m, true)));
    }
}

impl CollideWorkspace {
    /// A geom as a placed shape, a mesh with its hull; poses of geoms in the world frame. Types that have no shape
    /// count as spheres.
    pub fn place<'a>(
        &'a self,
        m: &'a Model,
        geom_xpos: &IdVec<GeomId, DVec3>,
        geom_xmat: &IdVec<GeomId, DMat3>,
        g: GeomId,
    ) -> Placed<'a> {
        self.plan.hulls.place(m, geom_xpos, geom_xmat, g)
    }

    /// Returns the convex hull of a mesh, in the mesh's own frame. `None` for a mesh without one.
    pub fn hull(&self, mesh: MeshId) -> Option<&Hull> {
        self.plan.hulls.0.get(mesh).and_then(Option::as_ref)
    }

    /// Returns the signed distance field of a geom, in its frame, if it has one: of its plugin, or of its mesh's octree.
    pub fn field(&self, g: GeomId) -> Option<&SignedField> {
        self.plan.hulls.field(g)
    }

    fn trees(&self) -> &Trees {
        self.trees.as_deref().unwrap_or(&self.plan.trees)
    }
}

/// Finds all contacts of a model at the given poses of its geoms (world frame).
///
/// The contacts are in the order of body pairs; in one pair of bodies explicit pairs come first.
/// Bodies that sleep or are fixed make no contacts with each other.
///
/// ```
/// use mj_collide::*;
/// use mj_math::{DMat3, DVec3};
/// use mj_model::build::{JointDef, ModelBuilder};
/// use mj_model::model::{BodyRow, GeomRow};
/// use mj_model::*;
///
/// // Two free balls of radius 1.
/// let mut builder = ModelBuilder::new();
/// let row = BodyRow { mass: 1.0, inertia: DVec3::ONE, ..BodyRow::default() };
/// let bodies = [(); 2].map(|()| builder.add_body(BodyId::WORLD, row.clone(), &[JointDef::free()]).unwrap());
/// let mut m = builder.finish()?;
/// for bodyid in bodies {
///     (m.body.contype[bodyid], m.body.conaffinity[bodyid]) = (1, 1);
///     m.geom.push(GeomRow {
///         bodyid,
///         r#type: GeomType::Sphere,
///         size: DVec3::ONE,
///         rbound: 1.0,
///         contype: 1,
///         conaffinity: 1,
///         condim: 3,
///         rgba: [1.0; 4],
///         dataid: -1,
///         ..Default::default()
///     });
/// }
/// m.seal();
/// let (awake, mut ws) = (Awake::new(&m), CollideWorkspace::new(&m));
/// let at = |x: f64| [DVec3::ZERO, DVec3::X * x].into_iter().collect::<IdVec<GeomId, DVec3>>();
/// let turned: IdVec<GeomId, DMat3> = [DMat3::IDENTITY; 2].into_iter().collect();
/// let (near, far) = (at(1.9), at(3.0));
/// let geoms = [GeomId::new(0), GeomId::new(1)];
///
/// let mut contacts = Contacts::default();
/// collide(&m, &awake, &near, &turned, &mut ws, &mut contacts);
/// assert!((contacts.list[0].dist + 0.1).abs() < 1e-12);
/// // The same by hand.
/// let found = PreContact { dist: -0.1, pos: DVec3::X * 0.95, normal: DVec3::X, tangent: DVec3::ZERO };
/// let made = contact_between(&m, &near, &turned, geoms, &found);
/// assert!(made.pos.abs_diff_eq(contacts.list[0].pos, 1e-12));
/// // Found again where nothing has moved.
/// let moved: IdVec<BodyId, bool> = m.body.ids().map(|_| false).collect();
/// let before = contacts.list.clone();
/// let before = PreviousContacts { contacts: &before, moved: &moved };
/// collide_incremental(&m, &awake, &near, &turned, before, &mut ws, &mut contacts);
/// assert_eq!(contacts.list.len(), 1);
/// // Apart: no contact, and the distance is known.
/// collide(&m, &awake, &far, &turned, &mut ws, &mut contacts);
/// assert!(contacts.list.is_empty() && detection_margin(&m, geoms) == 0.0);
/// let apart = geom_distance(&m, &far, &turned, geoms, 10.0, &mut ws).unwrap();
/// assert!((apart.dist - 1.0).abs() < 1e-9);
/// assert_eq!(shape_kind(m.geom.r#type[geoms[0]]), Some(ShapeKind::Sphere));
/// assert_eq!(ccd_options(&m).iterations as i32, m.opt.ccd_iterations);
/// assert_eq!(sdf_options(&m).iterations as i32, m.opt.sdf_iterations);
///
/// // Rays along x.
/// let (from, filter) = (DVec3::X * -5.0, RayFilter::default());
/// assert_eq!(cast_ray(&m, &far, &turned, from, DVec3::X, &filter, &ws).unwrap().dist, 4.0);
/// assert_eq!(cast_ray_at(&m, &far, &turned, from, DVec3::X, geoms[1], &ws).unwrap().dist, 7.0);
/// let mut hits = Vec::new();
/// cast_rays(&m, &far, &turned, from, &[DVec3::X, DVec3::Y], 100.0, &filter, &ws, &mut hits);
/// assert!(hits[0].is_some() && hits[1].is_none());
/// let region = Placed::new(Shape::sphere(0.5), Pose::IDENTITY);
/// let mut inside = Vec::new();
/// overlapping_geoms(&m, &far, &turned, &region, |_| true, &mut ws, &mut inside);
/// assert_eq!(inside, [geoms[0]]);
/// # Ok::<(), mj_model::build::BuildError>(())
/// ```
pub fn collide(
    m: &Model,
    awake: &Awake,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    ws: &mut CollideWorkspace,
    out: &mut Contacts,
) {
    ws.sweeps.clear();
    detect(m, awake, geom_xpos, geom_xmat, None, ws, out);
}

/// Contacts at earlier poses, of which only some have changed: those of bodies that moved together, as
/// one rigid body.
#[derive(Clone, Copy)]
pub struct PreviousContacts<'a> {
    /// All contacts as [`collide`] found them.
    pub contacts: &'a [Contact],
    /// Whether each body has moved since.
    pub moved: &'a IdVec<BodyId, bool>,
}

impl<'a> PreviousContacts<'a> {
    /// The contacts of a candidate that has not moved, or none of one that has moved as a whole and had none;
    /// candidates come in the order of the contacts.
    fn take(&mut self, m: &Model, candidate: &Candidate) -> Option<&'a [Contact]> {
        let moved = |g: GeomId| self.moved[m.geom.bodyid[g]];
        let others = self.contacts.iter().take_while(|c| c.geom.iter().flatten().any(|&g| moved(g))).count();
        match candidate.geom.map(moved) {
            [false, false] => {
                let own = self.contacts[others..].iter().take_while(|c| c.geom == candidate.geom.map(Some)).count();
                if own == 0 {
                    // The others may be of candidates to come.
                    return Some(&[]);
                }
                let (passed, rest) = self.contacts.split_at(others + own);
                self.contacts = rest;
                Some(&passed[others..])
            }
            [true, true] => {
                let had = self.contacts[..others].iter().any(|c| c.geom == candidate.geom.map(Some));
                (!had).then_some(&[])
            }
            _ => None,
        }
    }
}

/// Finds contacts as [`collide`] does, after some bodies moved as one rigid body: contacts of two bodies that did not move are those found before, and two that both
/// moved and did not touch do not touch now.
///
/// Example: [`collide`].
pub fn collide_incremental(
    m: &Model,
    awake: &Awake,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    before: PreviousContacts<'_>,
    ws: &mut CollideWorkspace,
    out: &mut Contacts,
) {
    ws.sweeps.clear();
    detect(m, awake, geom_xpos, geom_xmat, Some(before), ws, out);
}

/// Finds contacts as [`collide`] does, and where two geoms don't touch yet but will within the coming time step if they keep their velocities, the
/// contacts to come: see the manual's "Speculative contacts". `velocity` gives a geom's angular velocity and the
/// velocity of its origin, world frame.
pub fn collide_ahead(
    m: &Model,
    awake: &Awake,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    velocity: impl Fn(GeomId) -> Spatial,
    ws: &mut CollideWorkspace,
    out: &mut Contacts,
) {
    ws.sweeps.clear();
    ws.sweeps.extend(m.geom.ids().map(|g| Sweep::new(m, g, velocity(g))));
    detect(m, awake, geom_xpos, geom_xmat, None, ws, out);
}

/// Contacts, and those to come where sweeps are given.
fn detect(
    m: &Model,
    awake: &Awake,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    mut before: Option<PreviousContacts<'_>>,
    ws: &mut CollideWorkspace,
    out: &mut Contacts,
) {
    out.list.clear();
    if m.opt.disabled(disable::CONSTRAINT) || m.opt.disabled(disable::CONTACT) {
        return;
    }
    if !awake.everything() && !m.body.ids().any(|b| awake.moves(b)) {
        return;
    }
    ws.list.update(m, &ws.plan.rules);
    if ws.list.broadphase.is_none() && ws.list.fixed.is_empty() {
        return;
    }
    if let Some(broadphase) = &mut ws.list.broadphase {
        // Those in reach are few: only they are sorted.
        ws.candidates.clear();
        let (rules, fixed, candidates, sweeps) = (&ws.plan.rules, &ws.list.fixed, &mut ws.candidates, &ws.sweeps);
        let near = |c: &Candidate| !sweeps.is_empty() || c.is_near(geom_xpos, geom_xmat);
        candidates.extend(fixed.iter().filter(|c| near(c)));
        broadphase.sweep(m, awake, geom_xpos, geom_xmat, sweeps, |g1, g2| {
            candidates.extend(rules.candidate(m, g1, g2).filter(near));
        });
        candidates.sort_unstable_by_key(|c| c.order);
    }

    let (everything, ahead) = (awake.everything(), !ws.sweeps.is_empty());
    let mut query = Query { margin: 0.0, ccd: ccd_options(m), sdf: sdf_options(m) };
    let candidates = if ws.list.broadphase.is_some() { &ws.candidates } else { &ws.list.fixed };
    let near = ws.list.near.as_mut().filter(|_| !ahead).map(|near| near.find(geom_xpos, geom_xmat));
    let is_near = |c: &Candidate| c.is_near(geom_xpos, geom_xmat);
    let trees = ws.trees.as_deref().unwrap_or(&ws.plan.trees);
    let (mut a, mut b) = (NOWHERE, NOWHERE);
    for i in 0..near.map_or(candidates.len(), <[u32]>::len) {
        let candidate = &candidates[near.map_or(i, |near| near[i] as usize)];
        if let Some(before) = &mut before
            && let Some(own) = before.take(m, candidate)
        {
            out.list.extend_from_slice(own);
            continue;
        }
        // Most are far apart: that comes first, where it wasn't done for all.
        if !ahead && near.is_none() && !is_near(candidate) {
            continue;
        }
        let [g1, g2] = candidate.geom;
        if !everything && !candidate.geom.iter().any(|&g| awake.moves(m.geom.bodyid[g])) {
            continue;
        }
        let sweeps = ahead.then(|| [&ws.sweeps[g1.index()], &ws.sweeps[g2.index()]]);
        let sweeps = sweeps.filter(|&sweeps| speculative::fast(m, candidate.geom, sweeps));
        if ahead
            && !sweeps.map_or_else(
                || is_near(candidate),
                |[s1, s2]| candidate.comes_near(geom_xpos, geom_xmat, s2.shift - s1.shift),
            )
        {
            continue;
        }
        if ws.filter.as_ref().is_some_and(|filter| !filter.may_touch(m, g1, g2)) {
            continue;
        }
        ws.plan.hulls.put(m, geom_xpos, geom_xmat, g1, &mut a);
        ws.plan.hulls.put(m, geom_xpos, geom_xmat, g2, &mut b);
        query.margin = candidate.margin;
        ws.found.clear();
        if !ws.colliders.append(&a, &b, &query, &mut ws.ccd, &mut ws.found) {
            continue;
        }
        if ws.found.is_empty() && sweeps.is_none() {
            continue;
        }
        let params = params::params(m, g1, g2, candidate.pair);
        let first = out.list.len();
        if let Some(sweeps) = sweeps
            && ws.found.iter().all(|c| c.dist >= params.includemargin)
        {
            let mut coming = PreContacts::new();
            let memory = (&mut ws.ccd, &mut coming);
            speculative::predict(m, [&a, &b], sweeps, &params, &query, memory, |c| {
                if ray::in_sight(m, geom_xpos, geom_xmat, (trees, &ws.plan.hulls), candidate.geom, c.points) {
                    let found = PreContact { dist: c.dist, pos: c.pos, normal: c.normal, tangent: DVec3::ZERO };
                    let contact = contact(m, [&a, &b], candidate.geom, &found, &params);
                    out.list.push(Contact { in_gap: false, dim: params.dim, ..contact });
                }
            });
        }
        if out.list.len() == first {
            out.list.extend(ws.found.iter().map(|found| contact(m, [&a, &b], candidate.geom, found, &params)));
        }
    }
}

/// Completes a contact of two geoms that somebody else found: with the parameters of their explicit pair, or those mixed
/// from both, at the given poses (world frame).
///
/// Example: [`collide`].
pub fn contact_between(
    m: &Model,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    geom: [GeomId; 2],
    found: &PreContact,
) -> Contact {
    let [mut a, mut b] = [NOWHERE, NOWHERE];
    put(m, geom_xpos, geom_xmat, geom[0], &mut a);
    put(m, geom_xpos, geom_xmat, geom[1], &mut b);
    contact(m, [&a, &b], geom, found, &params::params(m, geom[0], geom[1], params::explicit_pair(m, geom)))
}

/// Signed distance of two geoms at the given poses (world frame), whether or not they may collide, with a point of
/// each surface; `None` where they are at least `cutoff` apart, or have no distance, as two planes.
///
/// Example: [`collide`].
pub fn geom_distance(
    m: &Model,
    geom_xpos: &IdVec<GeomId, DVec3>,
    geom_xmat: &IdVec<GeomId, DMat3>,
    geoms: [GeomId; 2],
    cutoff: f64,
    ws: &mut CollideWorkspace,
) -> Option<Witness> {
    if geoms.iter().any(|&g| filter::shape_kind(m.geom.r#type[g]).is_none()) {
        return None;
    }
    let [a, b] = geoms.map(|g| ws.plan.hulls.place(m, geom_xpos, geom_xmat, g));
    let query = Query { margin: cutoff, ccd: ccd_options(m), sdf: sdf_options(m) };
    ws.colliders.distance(&a, &b, &query, &mut ws.ccd, &mut ws.found)
}
