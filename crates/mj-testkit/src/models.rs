//! Small models, and strategies that draw models.

use mj_math::{DMat3, DQuat, DVec3, quat};
use mj_model::build::{JointDef, ModelBuilder};
use mj_model::model::*;
use mj_model::*;
use proptest::prelude::*;

/// A joint: type, anchor and axis in the body.
pub type Joint = (JointType, DVec3, DVec3);

/// Builds a tree of bodies with sites, and geoms and tendons in any order.
pub struct Builder {
    tree: ModelBuilder,
    sites: Vec<SiteRow>,
    geoms: Vec<GeomRow>,
    wraps: Vec<WrapRow>,
    tendons: Vec<TendonRow>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Starts with the world alone.
    pub fn new() -> Self {
        let tree = ModelBuilder::new();
        Self { tree, sites: Vec::new(), geoms: Vec::new(), wraps: Vec::new(), tendons: Vec::new() }
    }

    /// A body with a massive frame: centre of mass, principal axes, mass and moments.
    pub fn body(
        &mut self,
        parent: usize,
        pos: DVec3,
        rot: DQuat,
        joints: &[Joint],
        (ipos, iquat, mass, inertia): (DVec3, DQuat, f64, DVec3),
    ) -> BodyId {
        let joints: Vec<JointDef> = joints.iter().map(|&(kind, at, axis)| JointDef::new(kind, axis).at(at)).collect();
        let row = BodyRow { pos, quat: rot, ipos, iquat, mass, inertia, ..Default::default() };
        self.tree.add_body(BodyId::new(parent), row, &joints).unwrap()
    }

    /// A site of a body.
    pub fn site(&mut self, body: BodyId, pos: DVec3) -> SiteId {
        self.sites.push(SiteRow { bodyid: body, pos, ..Default::default() });
        SiteId::new(self.sites.len() - 1)
    }

    /// A geom that tendons may wind around.
    fn geom(&mut self, body: BodyId, pos: DVec3, quat: DQuat, radius: f64) -> GeomId {
        let size = DVec3::new(radius, 1.0, 0.0);
        self.geoms.push(GeomRow { bodyid: body, pos, quat, size, ..Default::default() });
        GeomId::new(self.geoms.len() - 1)
    }

    /// A tendon from site to site.
    pub fn tendon(&mut self, sites: &[SiteId]) {
        self.path(sites.iter().map(|s| WrapRow { r#type: WrapType::Site, objid: s.index() as i32, prm: 0.0 }));
    }

    /// A tendon along a path.
    fn path(&mut self, path: impl IntoIterator<Item = WrapRow>) {
        let adr = WrapId::new(self.wraps.len());
        self.wraps.extend(path);
        let num = (self.wraps.len() - adr.index()) as u32;
        self.tendons.push(TendonRow { r#type: TendonType::Spatial, adr, num, ..Default::default() });
    }

    /// Ends the model.
    pub fn finish(mut self) -> Model {
        for site in self.sites {
            self.tree.add_site(site.bodyid, site).unwrap();
        }
        let mut m = self.tree.finish().unwrap();
        // No body has the address of its geoms (`body_geomadr`): they may stand in any order.
        self.geoms.into_iter().for_each(|row| _ = m.geom.push(row));
        self.wraps.into_iter().for_each(|row| _ = m.wrap.push(row));
        self.tendons.into_iter().for_each(|row| _ = m.tendon.push(row));
        m.opt.gravity = DVec3::new(0.3, -0.2, -9.81);
        m.seal();
        m
    }
}

/// A pendulum of the given length: a point mass on a massless rod that hinges about y.
pub fn pendulum(length: f64, mass: f64) -> Model {
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
pub fn any_model() -> impl Strategy<Value = (Model, State)> {
    let body = (0usize..100, 0usize..6);
    let numbers = prop::collection::vec(-1.0..1.0f64, 199);
    (prop::collection::vec(body, 1..6), numbers).prop_map(|(bodies, numbers)| {
        let mut x = Draw(numbers.iter().cycle());
        let mut b = Builder::new();
        let mut sites = Vec::new();
        // The bodies from the world to the last one: any of them can carry the next.
        let mut line = vec![BodyId::WORLD];
        for &(parent, kind) in &bodies {
            // Free bodies stand on the world.
            line.truncate(if kind == 0 { 1 } else { 1 + parent % line.len() });
            let parent = line[line.len() - 1];
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
            let id = b.body(parent.index(), x.vec3(), x.rotation(), &joints, inertia);
            line.push(id);
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
            let GeomRow { bodyid: body, pos: centre, .. } = b.geoms[g.index()];
            w.prm = if i % 2 == 0 { b.site(body, centre + x.vec3() * 0.1).index() as f64 } else { -1.0 };
        }
        b.path(path);
        b.path(back);
        let m = b.finish();
        let mut s = State::new(&m);
        let v: Vec<f64> = (0..m.nv()).map(|_| x.one()).collect();
        displace(&m, &mut s.qpos, &v);
        s.qvel.iter_mut().for_each(|v| *v = 2.0 * x.one());
        (m, s)
    })
}

/// Moves each joint from a position by a displacement in the tangent space, nv.
fn displace(m: &Model, qpos: &mut [f64], v: &[f64]) {
    for j in m.jnt.ids() {
        let (mut q, mut d) = (m.jnt.qposadr[j] as usize, m.jnt.dofadr[j].index());
        if let JointType::Slide | JointType::Hinge = m.jnt.r#type[j] {
            qpos[q] += v[d];
            continue;
        }
        if m.jnt.r#type[j] == JointType::Free {
            (0..3).for_each(|i| qpos[q + i] += v[d + i]);
            (q, d) = (q + 3, d + 3);
        }
        let turned = quat::read(&qpos[q..]) * quat::exp(DVec3::from_slice(&v[d..]));
        quat::write(turned, &mut qpos[q..]);
    }
}

/// Returns the rotation vector that takes `b` to `a`, in world axes.
pub fn turn(a: DMat3, b: DMat3) -> DVec3 {
    quat::log(quat::from_mat(a * b.transpose()))
}
