//! Which parts of a model take part in a step: all of them, unless trees sleep.

use crate::Model;
use crate::enums::*;
use crate::ids::*;
use std::ops::Range;

/// Bodies, joints, dofs, geoms and sites that are awake, as flags and as ranges of rows.
///
/// Kinematic trees sleep and wake as a whole. A range ends where the next row is asleep, so that
/// stages run over contiguous memory, and over one range when all is awake. The world and bodies
/// fixed to it never move and never sleep; they count as awake for `bodies`, as their poses must be
/// there for others. Fixed geoms and sites are left out of `geoms` and `sites` as soon as anything
/// sleeps: they were placed before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Awake {
    all: bool,
    tree: IdVec<TreeId, bool>,
    body: IdVec<BodyId, SleepState>,
    /// Bodies of awake trees, and those that have no dofs.
    pub bodies: Vec<Range<usize>>,
    /// Joints of awake trees.
    pub joints: Vec<Range<usize>>,
    /// Dofs of awake trees.
    pub dofs: Vec<Range<usize>>,
    /// Geoms that may have moved.
    pub geoms: Vec<Range<usize>>,
    /// Sites that may have moved.
    pub sites: Vec<Range<usize>>,
    /// Sleeping trees whose first body hangs from the world or a fixed body: (parent, first body).
    pub sleeping_roots: Vec<(BodyId, BodyId)>,
}

impl Awake {
    /// All of a model.
    pub fn new(m: &Model) -> Self {
        let mut a = Self::default();
        a.wake_all(m);
        a
    }

    /// Wakes everything.
    pub fn wake_all(&mut self, m: &Model) {
        self.set(m, |_| true);
    }

    /// Makes awake the trees that `tree` says, and no others.
    pub fn set(&mut self, m: &Model, tree: impl Fn(TreeId) -> bool) {
        self.tree.resize(m.tree.len(), true);
        for t in m.tree.ids() {
            self.tree[t] = tree(t);
        }
        self.all = self.tree.iter().all(|&t| t);
        self.body.resize(m.body.len(), SleepState::Awake);
        for b in m.body.ids() {
            self.body[b] = match m.body.treeid[b] {
                Some(t) if self.tree[t] => SleepState::Awake,
                Some(_) => SleepState::Asleep,
                None if m.body.mocapid[m.body.rootid[b]].is_some() => SleepState::Awake,
                None => SleepState::Static,
            };
        }
        let Self { all, tree, body, bodies, joints, dofs, geoms, sites, sleeping_roots } = self;
        let moves = |b: BodyId| *all || body[b] == SleepState::Awake;
        fill(bodies, m.body.len(), |i| body[BodyId::new(i)] != SleepState::Asleep);
        fill(joints, m.jnt.len(), |i| moves(m.jnt.bodyid[JointId::new(i)]));
        fill(dofs, m.nv(), |i| tree[m.dof.treeid[DofId::new(i)]]);
        fill(geoms, m.geom.len(), |i| moves(m.geom.bodyid[GeomId::new(i)]));
        fill(sites, m.site.len(), |i| moves(m.site.bodyid[SiteId::new(i)]));
        sleeping_roots.clear();
        let asleep = m.tree.ids().filter(|&t| !tree[t]).map(|t| m.tree.bodyadr[t]);
        sleeping_roots.extend(asleep.map(|b| (m.body.parentid[b], b)));
    }

    /// Tells whether it was made for a model of these sizes.
    #[inline]
    pub fn fits(&self, m: &Model) -> bool {
        let ends = |ranges: &[Range<usize>], n: usize| ranges.last().is_none_or(|r| r.end <= n);
        self.tree.len() == m.tree.len()
            && self.body.len() == m.body.len()
            && ends(&self.bodies, m.body.len())
            && ends(&self.joints, m.jnt.len())
            && ends(&self.dofs, m.nv())
            && ends(&self.geoms, m.geom.len())
            && ends(&self.sites, m.site.len())
            && self.sleeping_roots.last().is_none_or(|(_, b)| b.index() < m.body.len())
    }

    /// Whether no tree sleeps.
    #[inline]
    pub fn everything(&self) -> bool {
        self.all
    }

    /// Whether a tree is awake.
    #[inline]
    pub fn tree(&self, t: TreeId) -> bool {
        self.tree[t]
    }

    /// Sleep state of a body.
    #[inline]
    pub fn body(&self, b: BodyId) -> SleepState {
        self.body[b]
    }

    /// Whether a body's pose may have changed.
    #[inline]
    pub fn moves(&self, b: BodyId) -> bool {
        self.all || self.body[b] == SleepState::Awake
    }

    /// Sleep state of a tendon: awake if any of its trees is. One over more than two trees never
    /// sleeps, and keeps its trees awake.
    pub fn tendon(&self, m: &Model, t: TendonId) -> SleepState {
        let trees = &m.tendon.treeid[t];
        let n = usize::try_from(m.tendon.treenum[t]).unwrap_or(0);
        if n > trees.len() {
            return SleepState::Awake;
        }
        let mut state = SleepState::Static;
        for tree in trees[..n].iter().filter_map(|&i| usize::try_from(i).ok()) {
            if self.tree[TreeId::new(tree)] {
                return SleepState::Awake;
            }
            state = SleepState::Asleep;
        }
        state
    }

    /// Sleep state of an actuator: that of what it acts on.
    pub fn actuator(&self, m: &Model, a: ActuatorId) -> SleepState {
        let [first, second] = m.actuator.trnid[a];
        let (Ok(i), second) = (usize::try_from(first), usize::try_from(second)) else { return SleepState::Awake };
        let site = |i: usize| self.body[m.site.bodyid[SiteId::new(i)]];
        let joint = |i: usize| self.body[m.jnt.bodyid[JointId::new(i)]];
        let either = |a: SleepState, b: SleepState| {
            if a == SleepState::Awake || b == SleepState::Awake { SleepState::Awake } else { SleepState::Asleep }
        };
        match (m.actuator.trntype[a], second) {
            (TrnType::Joint | TrnType::JointInParent, _) | (TrnType::So3, Err(_)) => joint(i),
            (TrnType::SliderCrank | TrnType::So3, Ok(other)) => either(site(i), site(other)),
            (TrnType::Site | TrnType::SliderCrank, _) => site(i),
            (TrnType::Tendon, _) => self.tendon(m, TendonId::new(i)),
            (TrnType::Body, _) => self.body[BodyId::new(i)],
            (TrnType::Undefined, _) => SleepState::Awake,
        }
    }

    /// Whether an equality constraint has rows while its objects' trees are as they are: any of its
    /// objects is awake.
    #[inline]
    pub fn equality(&self, m: &Model, e: EqualityId) -> bool {
        if self.all {
            return true;
        }
        let kind = match m.eq.r#type[e] {
            EqType::Connect | EqType::Weld => m.eq.objtype[e],
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            _ => return true,
        };
        [m.eq.obj1id[e], m.eq.obj2id[e]].into_iter().any(|id| self.object(m, kind, id) == SleepState::Awake)
    }

    /// Sleep state of an element of a model; static where there is none.
    pub fn object(&self, m: &Model, kind: ObjType, id: i32) -> SleepState {
        let Ok(i) = usize::try_from(id) else { return SleepState::Static };
        let body = match kind {
            ObjType::Body | ObjType::XBody => BodyId::new(i),
            ObjType::Joint => m.jnt.bodyid[JointId::new(i)],
            ObjType::Dof => m.dof.bodyid[DofId::new(i)],
            ObjType::Geom => m.geom.bodyid[GeomId::new(i)],
            ObjType::Site => m.site.bodyid[SiteId::new(i)],
            ObjType::Camera => m.cam.bodyid[CameraId::new(i)],
            ObjType::Light => m.light.bodyid[LightId::new(i)],
            ObjType::Tendon => return self.tendon(m, TendonId::new(i)),
            ObjType::Actuator => return self.actuator(m, ActuatorId::new(i)),
            _ => return SleepState::Awake,
        };
        self.body[body]
    }
}

/// Writes the rows below `n` that `holds` is true of, as ranges.
fn fill(out: &mut Vec<Range<usize>>, n: usize, holds: impl Fn(usize) -> bool) {
    out.clear();
    for i in (0..n).filter(|&i| holds(i)) {
        match out.last_mut() {
            Some(r) if r.end == i => r.end += 1,
            _ => out.push(i..i + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_join_to_ranges() {
        let mut out = Vec::new();
        fill(&mut out, 7, |i| i != 2 && i < 5);
        assert_eq!(out, [0..2, 3..5]);
        fill(&mut out, 0, |_| true);
        assert!(out.is_empty());
    }

    #[test]
    fn an_empty_model_is_awake() {
        let a = Awake::new(&Model::default());
        assert!(a.everything());
        assert!(a.dofs.is_empty());
    }
}
