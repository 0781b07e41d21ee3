//! Small models for tests, built straight from tables.

use mj_math::{DMat3, DQuat, DVec3, TreePattern, quat};
use mj_model::model::*;
use mj_model::*;
use proptest::prelude::*;

/// A joint: type, anchor and axis in the body.
pub(crate) type Joint = (JointType, DVec3, DVec3);

/// Fills the tables of a model body by body.
pub(crate) struct Builder {
    m: Model,
}

impl Builder {
    pub(crate) fn new() -> Self {
        let mut m = Model::default();
        m.body.push(BodyRow::default());
        Self { m }
    }

    /// A body with a massive frame: centre of mass, principal axes, mass and moments.
    pub(crate) fn body(
        &mut self,
        parent: usize,
        pos: DVec3,
        rot: DQuat,
        joints: &[Joint],
        (ipos, iquat, mass, inertia): (DVec3, DQuat, f64, DVec3),
    ) -> BodyId {
        let m = &mut self.m;
        let id = BodyId::new(m.body.len());
        let parent = BodyId::new(parent);
        let root = if parent == BodyId::WORLD { id } else { m.body.rootid[parent] };
        let (jnt, dof) = (m.jnt.len(), m.nv());
        // The last dof above this body.
        let mut above = parent;
        while m.body.dofnum[above] == 0 && above != BodyId::WORLD {
            above = m.body.parentid[above];
        }
        let mut last = m.body.dofadr[above].map(|d| DofId::new(d.index() + m.body.dofnum[above] as usize - 1));
        for &(kind, at, axis) in joints {
            let (nq, nv) = match kind {
                JointType::Free => (7, 6),
                JointType::Ball => (4, 3),
                JointType::Slide | JointType::Hinge => (1, 1),
            };
            let j = m.jnt.push(JointRow {
                r#type: kind,
                qposadr: m.nq() as u32,
                dofadr: DofId::new(m.nv()),
                bodyid: id,
                pos: at,
                axis,
                ..Default::default()
            });
            let q0 = [pos.x, pos.y, pos.z, 1.0, 0.0, 0.0, 0.0];
            match kind {
                JointType::Free => {
                    m.qpos0.extend(&q0);
                    let at = m.nq() - 4;
                    quat::write(rot, &mut m.qpos0[at..]);
                }
                JointType::Ball => m.qpos0.extend(&q0[3..]),
                _ => m.qpos0.extend(vec![0.0; nq]),
            }
            for _ in 0..nv {
                last = Some(m.dof.push(DofRow { bodyid: id, jntid: j, parentid: last, ..Default::default() }));
            }
        }
        let weld = if joints.is_empty() { m.body.weldid[parent] } else { id };
        m.body.push(BodyRow {
            parentid: parent,
            rootid: root,
            weldid: weld,
            jntnum: joints.len() as u32,
            jntadr: (!joints.is_empty()).then(|| JointId::new(jnt)),
            dofnum: (m.nv() - dof) as u32,
            dofadr: (m.nv() > dof).then(|| DofId::new(dof)),
            pos,
            quat: rot,
            ipos,
            iquat,
            mass,
            inertia,
            ..Default::default()
        })
    }

    pub(crate) fn site(&mut self, body: BodyId, pos: DVec3) -> SiteId {
        self.m.site.push(SiteRow { bodyid: body, pos, quat: DQuat::IDENTITY, ..Default::default() })
    }

    /// A geom that tendons may wind around.
    fn geom(&mut self, body: BodyId, pos: DVec3, quat: DQuat, radius: f64) -> GeomId {
        let size = DVec3::new(radius, 1.0, 0.0);
        self.m.geom.push(GeomRow { bodyid: body, pos, quat, size, ..Default::default() })
    }

    /// A tendon from site to site.
    pub(crate) fn tendon(&mut self, sites: &[SiteId]) -> TendonId {
        self.path(sites.iter().map(|s| WrapRow { r#type: WrapType::Site, objid: s.index() as i32, prm: 0.0 }))
    }

    /// A tendon along a path.
    fn path(&mut self, path: impl IntoIterator<Item = WrapRow>) -> TendonId {
        let adr = WrapId::new(self.m.wrap.len());
        let num = path.into_iter().map(|row| self.m.wrap.push(row)).count() as u32;
        self.m.tendon.push(TendonRow { r#type: TendonType::Spatial, adr, num, ..Default::default() })
    }

    pub(crate) fn finish(mut self) -> Model {
        let m = &mut self.m;
        m.opt.gravity = DVec3::new(0.3, -0.2, -9.81);
        for b in m.body.ids().rev() {
            m.body.subtreemass[b] += m.body.mass[b];
            if b != BodyId::WORLD {
                let total = m.body.subtreemass[b];
                m.body.subtreemass[m.body.parentid[b]] += total;
            }
        }
        // A tree begins with a body that moves on something that doesn't.
        for b in m.body.ids().skip(1) {
            m.body.treeid.edit()[b] = match m.body.treeid[m.body.parentid[b]] {
                None if m.body.dofnum[b] > 0 => Some(m.tree.push(TreeRow { bodyadr: b, ..Default::default() })),
                above => above,
            };
            for d in id_range(m.body.dofadr[b], m.body.dofnum[b]) {
                m.dof.treeid.edit()[d] = m.body.treeid[b].unwrap_or_default();
            }
        }
        m.qpos_spring.clone_from(&m.qpos0);
        let parents: Vec<_> = m.dof.parentid.iter().map(|p| p.map(DofId::index)).collect();
        m.m_pattern = TreePattern::new(&parents, &vec![false; parents.len()]).into();
        self.m
    }
}

/// A pendulum of the given length: a point mass on a massless rod that hinges about y.
pub(crate) fn pendulum(length: f64, mass: f64) -> Model {
    let mut b = Builder::new();
    let hinge = (JointType::Hinge, DVec3::ZERO, DVec3::Y);
    let bob = (DVec3::NEG_Z * length, DQuat::IDENTITY, mass, DVec3::ZERO);
    b.body(0, DVec3::ZERO, DQuat::IDENTITY, &[hinge], bob);
    let mut m = b.finish();
    m.opt.gravity = DVec3::new(0.0, 0.0, -9.81);
    m
}

/// Numbers in (−1, 1) to draw from.
struct Draw<'a>(std::iter::Cycle<std::slice::Iter<'a, f64>>);

impl Draw<'_> {
    fn one(&mut self) -> f64 {
        self.0.next().copied().unwrap_or(0.5)
    }
    fn vec3(&mut self) -> DVec3 {
        DVec3::new(self.one(), self.one(), self.one())
    }
    fn rotation(&mut self) -> DQuat {
        quat::exp(self.vec3() * 2.0)
    }
}

/// A random tree of bodies with every type of joint in a random state; its sites are joined by a straight
/// tendon, 0, by tendon 1, which winds around spheres and cylinders, some of them the way of a side site, and goes
/// over a pulley, and by tendon 2, which goes back and through some of them.
pub(crate) fn any_model() -> impl Strategy<Value = (Model, State)> {
    let body = (0usize..100, 0usize..6);
    let numbers = prop::collection::vec(-1.0..1.0f64, 199);
    (prop::collection::vec(body, 1..6), numbers).prop_map(|(bodies, numbers)| {
        let mut x = Draw(numbers.iter().cycle());
        let mut b = Builder::new();
        let mut sites = Vec::new();
        for (i, &(parent, kind)) in bodies.iter().enumerate() {
            // Free bodies stand on the world.
            let parent = if kind == 0 { 0 } else { parent % (i + 1) };
            let kinds: &[JointType] = match kind {
                0 => &[JointType::Free],
                1 => &[JointType::Ball],
                2 => &[JointType::Hinge],
                3 => &[JointType::Slide, JointType::Hinge],
                4 => &[JointType::Hinge, JointType::Ball],
                _ => &[],
            };
            let joint = |&k: &JointType| {
                (k, if k == JointType::Free { DVec3::ZERO } else { x.vec3() }, x.vec3().normalize_or(DVec3::Z))
            };
            let joints: Vec<Joint> = kinds.iter().map(joint).collect();
            let moments = x.vec3().abs() * 0.1 + 0.1;
            let inertia = (x.vec3() * 0.3, x.rotation(), 0.5 + x.one().abs(), moments);
            let id = b.body(parent, x.vec3(), x.rotation(), &joints, inertia);
            sites.push(b.site(id, x.vec3()));
        }
        b.tendon(&sites);
        let site = |s: SiteId| WrapRow { r#type: WrapType::Site, objid: s.index() as i32, prm: 0.0 };
        let mut path = vec![site(sites[0])];
        for (i, &to) in sites.iter().enumerate().skip(1) {
            let kind = if i % 2 == 0 { WrapType::Sphere } else { WrapType::Cylinder };
            let body = BodyId::new(1 + i * 7 % sites.len());
            let g = b.geom(body, x.vec3() * 0.3, x.rotation(), 0.2 + 0.2 * x.one().abs());
            let side = if i % 3 == 0 { b.site(body, x.vec3()).index() as f64 } else { -1.0 };
            path.extend([WrapRow { r#type: kind, objid: g.index() as i32, prm: side }, site(to)]);
            if i == 2 {
                path.extend([WrapRow { r#type: WrapType::Pulley, objid: -1, prm: 2.0 }, site(to)]);
            }
        }
        // Back the same way, within every second geom.
        let mut back: Vec<_> = path.iter().rev().filter(|w| w.r#type != WrapType::Pulley).cloned().collect();
        for (i, w) in back.iter_mut().filter(|w| w.r#type != WrapType::Site).enumerate() {
            let g = GeomId::new(w.objid as usize);
            let (body, centre) = (b.m.geom.bodyid[g], b.m.geom.pos[g]);
            w.prm = if i % 2 == 0 { b.site(body, centre + x.vec3() * 0.1).index() as f64 } else { -1.0 };
        }
        b.path(path);
        b.path(back);
        let m = b.finish();
        let mut s = State::new(&m);
        let v: Vec<f64> = (0..m.nv()).map(|_| x.one()).collect();
        crate::integrate_pos(&m, &mut s.qpos, &v, 1.0);
        s.qvel.iter_mut().for_each(|v| *v = 2.0 * x.one());
        (m, s)
    })
}

/// The rotation vector that takes `b` to `a`, in world axes.
pub(crate) fn turn(a: DMat3, b: DMat3) -> DVec3 {
    quat::log(quat::from_mat(a * b.transpose()))
}
