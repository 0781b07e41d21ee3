//! Lists of a model.

use super::*;
use mj_math::{DMat3, DVec3, quat};
use mj_model::*;

impl Plan {
    /// Makes the lists of a model.
    ///
    /// # Errors
    /// If the smooth stages don't cover the model: why.
    pub fn new(m: &Model) -> Result<Self, Vec<Reason>> {
        let coverage = Coverage::of(m);
        if !coverage.smooth.is_empty() {
            return Err(coverage.smooth);
        }
        let mut roots = Vec::new();
        let mut root_of = vec![usize::MAX; m.body.len()];
        let mut depth = vec![0; m.body.len()];
        let mut levels: Vec<Vec<usize>> = Vec::new();
        let (mut poses, mut bodies) = (Vec::new(), Vec::new());
        for b in m.body.ids().skip(1) {
            let (i, parent) = (b.index(), m.body.parentid[b].index());
            if m.body.rootid[b] == b {
                root_of[i] = roots.len();
                roots.push(1.0 / m.body.subtreemass[b].max(mj_math::MINVAL));
            } else {
                root_of[i] = root_of[m.body.rootid[b].index()];
            }
            depth[i] = if parent == 0 { 0 } else { depth[parent] + 1 };
            if depth[i] == levels.len() {
                levels.push(Vec::new());
            }
            levels[depth[i]].push(i - 1);
            place(m, b, &mut poses);
            let dofs = (m.body.dofadr[b].map_or(0, DofId::index), m.body.dofnum[b] as usize);
            bodies.push(Body { id: i, parent, root: root_of[i], mass: m.body.mass[b], inertia: in_body(m, b), dofs });
        }
        let joints = m.jnt.ids().map(|j| {
            let q = m.jnt.qposadr[j] as usize;
            let (motion, spring) = match m.jnt.r#type[j] {
                JointType::Free => (Motion::Free, false),
                JointType::Ball => (Motion::Ball, false),
                JointType::Slide => (Motion::Slide, true),
                JointType::Hinge => (Motion::Hinge, true),
            };
            let body = m.jnt.bodyid[j].index();
            let stiffness = if spring && !m.opt.disabled(disable::SPRING) { m.jnt.stiffness[j] } else { 0.0 };
            Joint {
                motion,
                body,
                root: root_of[body],
                q,
                dof: m.jnt.dofadr[j].index(),
                stiffness,
                rest: m.qpos_spring[q],
            }
        });
        let damped = !m.opt.disabled(disable::DAMPER);
        let dofs = m
            .dof
            .ids()
            .map(|d| (m.dof.bodyid[d].index(), m.dof.armature[d], if damped { m.dof.damping[d] } else { 0.0 }));
        let dofs: Vec<_> = dofs.collect();
        let implicit_damping = !m.opt.disabled(disable::EULERDAMP) && dofs.iter().any(|d| d.2 > 0.0);
        let gravity = if m.opt.disabled(disable::GRAVITY) { DVec3::ZERO } else { m.opt.gravity };
        let mut plan = Self {
            nq: m.nq(),
            nv: m.nv(),
            nu: m.nu(),
            nbody: m.body.len(),
            njnt: m.jnt.len(),
            timestep: m.opt.timestep,
            upward: (-gravity).to_array(),
            poses,
            bodies,
            levels,
            roots,
            joints: joints.collect(),
            dofs,
            rowadr: Vec::new(),
            colind: m.m_pattern.colind.iter().map(|&c| c as usize).collect(),
            eliminations: Vec::new(),
            targets: Vec::new(),
            actuators: actuators(m),
            tendons: tendons(m),
            implicit_damping,
            rows: rows::templates(m),
            pairs: pairs(m),
        };
        plan.factorization(m);
        Ok(plan)
    }

    /// Returns the greatest number of rows that no contact makes.
    pub fn most_rows(&self) -> usize {
        self.rows.iter().map(|r| r.count).sum()
    }

    /// Lists the updates of the factorization.
    fn factorization(&mut self, m: &Model) {
        let p = &*m.m_pattern;
        self.rowadr = p.rowadr.iter().map(|&a| a as usize).collect();
        self.rowadr.push(p.nnz());
        for row in 0..self.nv {
            let (start, end) = (self.rowadr[row], self.rowadr[row + 1]);
            for k in start..end {
                let column = self.colind[k];
                let length = self.rowadr[column + 1] - self.rowadr[column];
                // A row with its diagonal alone lacks the ancestors, and so do its descendants' updates.
                let shared = if length == 1 { 1 } else { k + 1 - start };
                self.targets.push((self.rowadr[column], shared));
            }
        }
        let off = |row: usize| (self.rowadr[row], self.rowadr[row + 1] - 1 - self.rowadr[row]);
        self.eliminations = (0..self.nv).rev().map(|row| Elimination { row, entries: off(row) }).collect();
    }
}

/// Lists the operations that place a body.
fn place(m: &Model, b: BodyId, out: &mut Vec<PoseOp>) {
    let body = b.index();
    let first = m.body.jntadr[b].map_or(0, JointId::index);
    let joints = first..first + m.body.jntnum[b] as usize;
    let free = joints.len() == 1 && m.jnt.r#type[JointId::new(first)] == JointType::Free;
    if !free {
        let (pos, quat) = (m.body.pos[b].to_array(), quat::to_wxyz(m.body.quat[b]));
        out.push(PoseOp::Offset { body, parent: m.body.parentid[b].index(), pos, quat });
    }
    for joint in joints {
        let j = JointId::new(joint);
        let q = m.jnt.qposadr[j] as usize;
        let (q0, axis, pos) = (m.qpos0[q], m.jnt.axis[j].to_array(), m.jnt.pos[j].to_array());
        out.push(match m.jnt.r#type[j] {
            JointType::Free => PoseOp::Free { body, q, joint },
            JointType::Ball => PoseOp::Ball { body, q, joint, pos },
            JointType::Slide => PoseOp::Slide { body, q, q0, joint, axis, pos },
            JointType::Hinge => PoseOp::Hinge { body, q, q0, joint, axis, pos },
        });
    }
    out.push(PoseOp::Finish { body, ipos: m.body.ipos[b].to_array() });
}

/// Returns a body's rotational inertia in its own axes.
fn in_body(m: &Model, b: BodyId) -> [f64; 6] {
    let r = quat::to_mat(m.body.iquat[b]);
    let i = r * DMat3::from_diagonal(m.body.inertia[b]) * r.transpose();
    let (x, y, z) = (i.x_axis, i.y_axis, i.z_axis);
    [x.x, y.y, z.z, y.x, z.x, z.y]
}

/// Lists the actuators.
fn actuators(m: &Model) -> Vec<Actuator> {
    if m.opt.disabled(disable::ACTUATION) {
        return Vec::new();
    }
    let infinite = [f64::NEG_INFINITY, f64::INFINITY];
    let one = |a: ActuatorId| {
        let j = JointId::new(m.actuator.trnid[a][0] as usize);
        let ctrl = m.actuator.ctrladr[a] as usize;
        let c = ControlId::new(ctrl);
        let first =
            |p: [f64; 10], affine: bool| [p[0], if affine { p[1] } else { 0.0 }, if affine { p[2] } else { 0.0 }];
        let clamped = m.control.ctrllimited[c] && !m.opt.disabled(disable::CLAMPCTRL);
        let bias = if m.actuator.biastype[a] == BiasType::None { [0.0; 3] } else { first(m.actuator.biasprm[a], true) };
        Actuator {
            ctrl,
            q: m.jnt.qposadr[j] as usize,
            dof: m.jnt.dofadr[j].index(),
            gear: m.output.gear[OutputId::new(m.actuator.outadr[a] as usize)][0],
            gain: first(m.actuator.gainprm[a], m.actuator.gaintype[a] == GainType::Affine),
            bias,
            ctrlrange: if clamped { m.control.ctrlrange[c] } else { infinite },
            forcerange: if m.actuator.forcelimited[a] { m.actuator.forcerange[a] } else { infinite },
        }
    };
    m.actuator.ids().map(one).collect()
}

/// Lists the tendons that have forces.
fn tendons(m: &Model) -> Vec<Tendon> {
    let on = |flag: u32, x: f64| if m.opt.disabled(flag) { 0.0 } else { x };
    let one = |t: TendonId| {
        let first = m.tendon.adr[t].index();
        let joint = |w: usize| {
            let w = WrapId::new(w);
            let j = JointId::new(m.wrap.objid[w] as usize);
            (m.jnt.qposadr[j] as usize, m.jnt.dofadr[j].index(), m.wrap.prm[w])
        };
        Tendon {
            joints: (first..first + m.tendon.num[t] as usize).map(joint).collect(),
            stiffness: on(disable::SPRING, m.tendon.stiffness[t]),
            damping: on(disable::DAMPER, m.tendon.damping[t]),
            rest: m.tendon.lengthspring[t],
        }
    };
    let fixed = m.tendon.ids().filter(|&t| m.tendon.r#type[t] == TendonType::Fixed);
    fixed.map(one).filter(|t| t.stiffness != 0.0 || t.damping != 0.0).collect()
}

/// Counts pairs of geoms that their bits let touch, of bodies that aren't welded together.
fn pairs(m: &Model) -> usize {
    let mut n = m.pair.len();
    for i in m.geom.ids() {
        for j in m.geom.ids().skip(i.index() + 1) {
            let bits = (m.geom.contype[i] & m.geom.conaffinity[j]) | (m.geom.contype[j] & m.geom.conaffinity[i]);
            let weld = |g: GeomId| m.body.weldid[m.geom.bodyid[g]];
            n += usize::from(bits != 0 && weld(i) != weld(j));
        }
    }
    n
}
