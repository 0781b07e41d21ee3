//! Constants at the reference configuration: inverse weights, anchors, offsets of cameras and lights, lengths.

use mj_deformable::{FlexPlan, Flexes};
use mj_dynamics::{JointInertia, Plan, Poses, Transmissions, Workspace, constants};
use mj_math::{DVec3, quat};
use mj_model::*;
use std::sync::Arc;

/// Quantities of a model at `qpos0`, or at the configuration it was moved to since.
pub(crate) struct Reference {
    plan: Arc<Plan>,
    state: State,
    work: Workspace,
    pub poses: Poses,
    pub inertia: JointInertia,
    pub transmissions: Transmissions,
}

impl Reference {
    /// Fills in the constants of a model and returns what they were computed from.
    pub(crate) fn set(m: &mut Model) -> Self {
        let plan = Plan::of(m);
        let mut r = Self {
            state: State::new(m),
            work: Workspace::new(m, &plan),
            poses: Poses::new(m),
            inertia: JointInertia::new(m),
            transmissions: Transmissions::new(m, &plan),
            plan,
        };
        r.place(m);
        views(m, &r.poses);
        anchors(m, &r.poses);
        m.tendon.length0.clone_from(&r.transmissions.ten_length);
        m.output.length0.clone_from(&r.transmissions.actuator_length);
        let flexes = edges(m, &r.plan, &r.poses);
        m.dof.length = crate::derived::statistics::dof_lengths(m, &r.poses);

        m.dof.M0 = constants::dof_M0(m, &r.poses);
        mj_dynamics::crb(m, &r.state.awake, &r.poses, &mut r.inertia);
        mj_dynamics::add_tendon_armature(m, &r.state.awake, &r.transmissions, &mut r.inertia);
        r.inertia.factor(m, &r.state.awake);
        m.body.invweight0 = constants::body_invweight0(m, &r.plan.chains, &r.poses, &r.inertia);
        m.dof.invweight0 = constants::dof_invweight0(m, &r.inertia);
        m.tendon.invweight0 = constants::tendon_invweight0(m, &r.transmissions, &r.inertia);
        edge_weights(m, &flexes, &r.inertia);
        m.output.acc0 = constants::actuator_acc0(m, &r.transmissions, &r.inertia);
        r
    }

    /// Computes poses, tendons and transmissions at the state.
    fn place(&mut self, m: &Model) {
        mj_dynamics::kinematics(m, &self.state, &mut self.poses);
        mj_dynamics::com_pos(m, &self.state.awake, &mut self.poses);
        mj_dynamics::tendons(m, &self.plan.tendons, &self.state, &self.poses, &mut self.work, &mut self.transmissions);
        let Plan { chains, actuators, .. } = &*self.plan;
        mj_dynamics::transmission(m, actuators, &self.state, chains, &self.poses, &mut self.transmissions);
    }

    /// Goes to `qpos_spring` and fills in the resting lengths of tendons' springs that have none: the length that they
    /// have where the joints' springs rest.
    pub(crate) fn set_spring_lengths(mut self, m: &mut Model) {
        self.state.qpos.clone_from(&m.qpos_spring);
        self.place(m);
        for (spring, &length) in m.tendon.lengthspring.iter_mut().zip(self.transmissions.ten_length.iter()) {
            if *spring == [-1.0; 2] {
                *spring = [length; 2];
            }
        }
    }
}

/// Places the flexes and fills in the lengths of their edges.
fn edges(m: &mut Model, plan: &Plan, poses: &Poses) -> Flexes {
    let own = FlexPlan::of(m);
    let mut flexes = Flexes::new(m, &own);
    mj_deformable::vertices(m, &own, poses, &mut flexes);
    mj_deformable::edges(m, &plan.chains, poses, &mut flexes);
    for f in m.flex.ids().filter(|&f| m.flex.interp[f] == 0) {
        let first = m.flex.vertadr[f] as usize;
        for e in m.flex.edgeadr[f] as usize..(m.flex.edgeadr[f] + m.flex.edgenum[f]) as usize {
            let [p, q] = m.flex_data.edge[e].map(|v| flexes.vert_xpos[first + v as usize]);
            m.flexedge.length0[FlexEdgeId::new(e)] = (q - p).length();
        }
    }
    flexes
}

/// Fills in the inverse weights of flexes' edges: between point masses the mean of theirs.
fn edge_weights(m: &mut Model, flexes: &Flexes, inertia: &JointInertia) {
    let mut coupled = Vec::new();
    for f in m.flex.ids().filter(|&f| m.flex.interp[f] == 0) {
        let first = m.flex.vertadr[f] as usize;
        for e in m.flex.edgeadr[f] as usize..(m.flex.edgeadr[f] + m.flex.edgenum[f]) as usize {
            let ends = m.flex_data.edge[e].map(|v| m.flex_data.vertbodyid[first + v as usize].unwrap_or(BodyId::WORLD));
            let id = FlexEdgeId::new(e);
            if m.flexedge.rigid[id] {
                m.flexedge.invweight0[id] = 0.0;
            } else if ends.iter().all(|&b| m.body.simple[b] == 2) {
                m.flexedge.invweight0[id] = ends.iter().map(|&b| 1.0 / m.body.mass[b]).sum::<f64>() / 2.0;
            } else {
                coupled.push(e);
            }
        }
    }
    let weights = constants::row_invweight0(m, &flexes.edge_J, coupled.iter().copied(), inertia);
    for (e, weight) in coupled.into_iter().zip(weights) {
        m.flexedge.invweight0[FlexEdgeId::new(e)] = weight;
    }
}

/// Offsets and orientations of cameras and lights, which those that track keep.
fn views(m: &mut Model, poses: &Poses) {
    for c in m.cam.ids() {
        let (b, (x, mat)) = (m.cam.bodyid[c], mj_dynamics::fixed_camera(m, poses, c));
        m.cam.pos0[c] = x - poses.xpos[b];
        m.cam.poscom0[c] = x - poses.subtree_com[m.cam.targetbodyid[c].unwrap_or(b)];
        m.cam.mat0[c] = mat;
    }
    for l in m.light.ids() {
        let (b, (x, dir)) = (m.light.bodyid[l], mj_dynamics::fixed_light(m, poses, l));
        m.light.pos0[l] = x - poses.xpos[b];
        m.light.poscom0[l] = x - poses.subtree_com[m.light.targetbodyid[l].unwrap_or(b)];
        m.light.dir0[l] = dir;
    }
}

/// Anchors of connects between bodies in the second body, and poses of welds between bodies that are marked: how the
/// bodies stand.
fn anchors(m: &mut Model, poses: &Poses) {
    for e in m.eq.ids() {
        if m.eq.objtype[e] != ObjType::Body {
            continue;
        }
        let [a, b] = [m.eq.obj1id[e], m.eq.obj2id[e]].map(|i| BodyId::new(i.max(0) as usize));
        let data = &mut m.eq.data[e];
        let anchor = DVec3::from_slice(&data[..3]);
        // Where a point of one body lies in the other.
        let carried = |from: BodyId, to: BodyId| {
            let world = poses.xpos[from] + poses.xmat[from] * anchor;
            poses.xmat[to].transpose() * (world - poses.xpos[to])
        };
        match m.eq.r#type[e] {
            EqType::Connect => data[3..6].copy_from_slice(&carried(a, b).to_array()),
            EqType::Weld if data[11] != 0.0 => {
                data[3..6].copy_from_slice(&carried(b, a).to_array());
                quat::write(poses.xquat[a].conjugate() * poses.xquat[b], &mut data[6..10]);
            }
            _ => {}
        }
    }
}
