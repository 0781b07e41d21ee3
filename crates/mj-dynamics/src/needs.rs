//! Which frames fixed in bodies a step reads: only those need be computed in it.

use mj_model::*;

/// The geoms, sites and cameras whose poses are to be computed. What never moves is not among them:
/// its pose is computed once.
///
/// It depends on the model alone. [`PoseNeeds::new`] holds what the stages of this crate read; who
/// reads more adds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseNeeds {
    pub(crate) geoms: Vec<GeomId>,
    pub(crate) sites: Vec<SiteId>,
    pub(crate) cameras: Vec<CameraId>,
}

impl PoseNeeds {
    /// What transmissions and fluid forces read. Tendons go through points of their own.
    pub fn new(m: &Model) -> Self {
        let mut n = Self::default();
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
