//! Which frames fixed in bodies a step reads: only those need be computed in it.

use crate::path::for_each_segment;
use mj_model::*;

/// The geoms, sites and cameras whose poses are to be computed, and the geoms and sites of which the
/// position is enough. What never moves is not among them: its pose is computed once.
///
/// It depends on the model alone. [`PoseNeeds::new`] holds what the stages of this crate read; who
/// reads more adds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseNeeds {
    pub(crate) geoms: Vec<GeomId>,
    pub(crate) sites: Vec<SiteId>,
    /// Those that are points to whoever reads them.
    pub(crate) geom_points: Vec<GeomId>,
    pub(crate) site_points: Vec<SiteId>,
    pub(crate) cameras: Vec<CameraId>,
}

impl PoseNeeds {
    /// What tendons, transmissions and fluid forces read.
    pub fn new(m: &Model) -> Self {
        let mut n = Self::default();
        for t in m.tendon.ids() {
            for_each_segment(m, t, |s| {
                if s.is_rigid(m) {
                    return;
                }
                n.site_point(m, s.from);
                n.site_point(m, s.to);
                if let Some((geom, kind, side)) = s.around {
                    match kind {
                        WrapType::Sphere => n.geom_point(m, geom),
                        _ => n.geom(m, geom),
                    }
                    if let Some(side) = side {
                        n.site_point(m, side);
                    }
                }
            });
        }
        for a in m.actuator.ids() {
            if let TrnType::Site | TrnType::SliderCrank | TrnType::So3 = m.actuator.trntype[a] {
                // An orientation may be that of a joint.
                let of_joint = m.actuator.trntype[a] == TrnType::So3 && m.actuator.trnid[a][1] < 0;
                for id in m.actuator.trnid[a].into_iter().filter(|&id| id >= 0 && !of_joint) {
                    n.site(m, SiteId::new(id as usize));
                }
            }
        }
        for g in m.geom.ids().filter(|&g| m.geom.fluid[g][0] != 0.0) {
            n.geom(m, g);
        }
        n
    }

    /// Adds a geom.
    pub fn geom(&mut self, m: &Model, g: GeomId) {
        if can_move(m, m.geom.bodyid[g]) {
            insert(&mut self.geoms, g);
            self.geom_points.retain(|&x| x != g);
        }
    }

    /// Adds the position of a geom.
    pub fn geom_point(&mut self, m: &Model, g: GeomId) {
        if can_move(m, m.geom.bodyid[g]) && self.geoms.binary_search(&g).is_err() {
            insert(&mut self.geom_points, g);
        }
    }

    /// Adds all geoms of a body.
    pub fn geoms_of(&mut self, m: &Model, b: BodyId) {
        id_range(m.body.geomadr[b], m.body.geomnum[b]).for_each(|g| self.geom(m, g));
    }

    /// Adds a site.
    pub fn site(&mut self, m: &Model, i: SiteId) {
        if can_move(m, m.site.bodyid[i]) {
            insert(&mut self.sites, i);
            self.site_points.retain(|&x| x != i);
        }
    }

    /// Adds the position of a site.
    pub fn site_point(&mut self, m: &Model, i: SiteId) {
        if can_move(m, m.site.bodyid[i]) && self.sites.binary_search(&i).is_err() {
            insert(&mut self.site_points, i);
        }
    }

    /// Adds a camera.
    pub fn camera(&mut self, c: CameraId) {
        insert(&mut self.cameras, c);
    }
}

/// Whether a body's pose depends on the state.
fn can_move(m: &Model, body: BodyId) -> bool {
    let mut b = body;
    while b != BodyId::WORLD {
        if m.body.jntnum[b] > 0 || m.body.mocapid[b].is_some() {
            return true;
        }
        b = m.body.parentid[b];
    }
    false
}

/// Inserts into a sorted list without repetitions.
fn insert<I: Id>(list: &mut Vec<I>, i: I) {
    if let Err(at) = list.binary_search(&i) {
        list.insert(at, i);
    }
}
