//! How moment arms change with position: for tendons and slider-cranks, the second derivative of their length.
//!
//! A unit of force along a transmission is a wrench W_b on each of some bodies, and its moment arm at dof k the sum of
//! S_k·W_b over those that k moves. When dof j moves, W_b changes by δ_j W_b since the path changes its direction and
//! its points their place, and S_k is carried along if it hangs from j or turns together with it:
//!
//! ```text
//! ∂(S_k·W_b)/∂q_j = S_k·δ_j W_b + (S_j × S_k)·W_b = S_k·(δ_j W_b − S_j ×* W_b),
//! ```
//!
//! the second term where j carries k. Dofs that move all of the bodies alike change nothing.

use super::dofs::groups_of_dofs;
use crate::buffers::{Poses, Transmissions};
use crate::rigid::chains::Chains;
use crate::tendon::path::{Segment, direction, for_each_segment};
use crate::tendon::wrap::Round;
use crate::tendon::wrap::sliding::Sliding;
use mj_math::block::Run;
use mj_math::{DVec3, MINVAL, Spatial};
use mj_model::*;

/// Derivative of one row of moment arms by position. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct ArmDerivative {
    /// Over the columns of the row, a row of numbers for each dof that moves: how each moment arm changes.
    pub values: Vec<f64>,
    width: usize,
    /// Dofs that make the bodies at hand move against each other.
    active: Vec<Active>,
    /// The wrench's change with each of these.
    changes: Vec<Spatial>,
    /// First of the dofs that turn together with each dof.
    first: Vec<u32>,
}

/// A dof that moves some of the bodies at hand.
#[derive(Clone, Copy, Debug)]
struct Active {
    column: usize,
    dof: usize,
    /// A bit for each body that it moves.
    moves: u8,
    /// Its motion, about the centre of mass of its tree.
    motion: Spatial,
}

impl Active {
    /// Velocity of a point of body number `i`, which is at `arm` from the centre of mass of its tree.
    fn point(&self, i: usize, arm: DVec3) -> DVec3 {
        if self.moves & (1 << i) != 0 { self.motion.motion_at(arm).lin } else { DVec3::ZERO }
    }

    /// Angular velocity of body number `i`.
    fn turn(&self, i: usize) -> DVec3 {
        if self.moves & (1 << i) != 0 { self.motion.rot } else { DVec3::ZERO }
    }
}

/// The wrench of a force at a point, given relative to the origin.
fn at(arm: DVec3, force: DVec3) -> Spatial {
    Spatial::new(arm.cross(force), force)
}

/// Its change, where the point moves and the force changes.
fn change_at(arm: DVec3, force: DVec3, moved: DVec3, change: DVec3) -> Spatial {
    Spatial::new(moved.cross(force) + arm.cross(change), change)
}

/// Change of a unit vector along a line of length `n` whose ends move apart by `d`.
fn turned(unit: DVec3, n: f64, d: DVec3) -> DVec3 {
    (d - unit * unit.dot(d)) / n
}

impl ArmDerivative {
    /// Memory for a model.
    pub fn new(m: &Model) -> Self {
        Self { first: groups_of_dofs(m), ..Self::default() }
    }

    /// Computes the derivative of the row of tendon `t` in `ten_J`: the second derivative of its length. False where the
    /// path has a corner: of a straight piece of no length, or of an end on the geom that it goes around.
    pub fn of_tendon(&mut self, m: &Model, chains: &Chains, poses: &Poses, trans: &Transmissions, t: TendonId) -> bool {
        let runs = trans.ten_J.row(t.index()).0;
        self.start(runs);
        let mut smooth = true;
        if m.tendon.r#type[t] == TendonType::Spatial {
            for_each_segment(m, t, |seg| smooth = smooth && self.add_segment(m, chains, poses, runs, &seg));
        }
        smooth
    }

    /// Computes the derivative of the row of actuator `a` in `actuator_moment`, of those with one output and a moment arm
    /// that is not that of contacts. False as for tendons, and for others.
    pub fn of_actuator(
        &mut self,
        m: &Model,
        chains: &Chains,
        poses: &Poses,
        trans: &Transmissions,
        a: ActuatorId,
    ) -> bool {
        let o = OutputId::new(m.actuator.outadr[a] as usize);
        let gear = m.output.gear[o];
        let runs = trans.actuator_moment.row(o.index()).0;
        let [id, other] = m.actuator.trnid[a].map(|i| usize::try_from(i).ok());
        match (m.actuator.trntype[a], id, other) {
            (TrnType::Tendon, Some(id), _) => {
                let smooth = self.of_tendon(m, chains, poses, trans, TendonId::new(id));
                self.values.iter_mut().for_each(|x| *x *= gear[0]);
                return smooth;
            }
            (TrnType::Joint, ..) => self.start(runs),
            (TrnType::JointInParent, Some(id), _) => {
                self.start(runs);
                let kind = m.jnt.r#type[JointId::new(id)];
                let first = match kind {
                    JointType::Ball => 0,
                    JointType::Free => 3,
                    JointType::Hinge | JointType::Slide => return true,
                };
                // The axis, fixed in the parent, as the child sees it.
                let axis = DVec3::from_slice(&trans.actuator_moment.row(o.index()).1[first..]);
                for (j, e) in DVec3::AXES.into_iter().enumerate() {
                    let at = (first + j) * self.width + first;
                    axis.cross(e).write_to_slice(&mut self.values[at..at + 3]);
                }
            }
            (TrnType::Site, Some(site), other) => {
                self.start(runs);
                self.add_site(m, chains, poses, runs, SiteId::new(site), other.map(SiteId::new), &gear);
            }
            (TrnType::SliderCrank, Some(crank), Some(slider)) => {
                self.start(runs);
                let sites = [crank, slider].map(SiteId::new);
                self.add_slider_crank(m, chains, poses, runs, sites, m.actuator.cranklength[a], gear[0]);
            }
            _ => return false,
        }
        true
    }

    /// Returns the derivative of the row's product with a vector `x` over the dofs by the position of the dof number `j` of the
    /// row's columns.
    pub fn change_along(&self, j: usize, runs: &[Run], x: &[f64]) -> f64 {
        let row = &self.values[j * self.width..(j + 1) * self.width];
        runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize).zip(row).map(|(d, y)| x[d] * y).sum()
    }

    fn start(&mut self, runs: &[Run]) {
        self.width = crate::rigid::jacobian::chain_width(runs);
        self.values.clear();
        self.values.resize(self.width * self.width, 0.0);
    }

    /// Finds the dofs among `runs` that move one or the other of the bodies, but not all of several.
    fn gather(&mut self, chains: &Chains, poses: &Poses, runs: &[Run], bodies: &[BodyId]) {
        self.active.clear();
        let all = (1u8 << bodies.len()) - 1;
        let holds = |b: BodyId, d: u32| chains.of(b).iter().any(|r| (r.start..r.start + r.len).contains(&d));
        for (column, dof) in runs.iter().flat_map(|r| r.start..r.start + r.len).enumerate() {
            let moves = bodies.iter().enumerate().fold(0, |bits, (i, &b)| bits | (u8::from(holds(b, dof)) << i));
            if moves != 0 && (moves != all || bodies.len() == 1) {
                let dof = dof as usize;
                self.active.push(Active { column, dof, moves, motion: poses.cdof.as_slice()[dof] });
            }
        }
    }

    /// Adds what the wrench on body number `i` does, of which `change` gives the change with a dof.
    fn add(&mut self, i: usize, wrench: Spatial, change: impl Fn(&Active) -> Spatial) {
        self.changes.clear();
        self.changes.extend(self.active.iter().map(change));
        let bit = 1 << i;
        for (j, &own) in self.active.iter().zip(&self.changes) {
            let own_moves = j.moves & bit != 0;
            let carried = if own_moves { own - j.motion.cross_force(wrench) } else { own };
            for k in self.active.iter().filter(|k| k.moves & bit != 0) {
                let carries = own_moves && (j.dof <= k.dof || self.first[j.dof] == self.first[k.dof]);
                self.values[j.column * self.width + k.column] += k.motion.dot(if carries { carried } else { own });
            }
        }
    }

    fn add_segment(&mut self, m: &Model, chains: &Chains, poses: &Poses, runs: &[Run], seg: &Segment) -> bool {
        if seg.is_rigid(m) {
            return true;
        }
        let ends = [seg.from, seg.to].map(|i| poses.site_xpos[i]);
        let [a, b] = [seg.from, seg.to].map(|i| m.site.bodyid[i]);
        let arm = |b: BodyId, p: DVec3| p - poses.subtree_com[m.body.rootid[b]];
        let wrapped = seg.around.and_then(|(g, kind, side)| {
            let round = Round::of(m, poses, g, kind);
            let side = side.map(|i| poses.site_xpos[i]);
            round.wrap(ends[0], ends[1], side).map(|arc| {
                let inside = side.is_some_and(|s| (s - round.pos).length() < m.geom.size[g].x);
                (m.geom.bodyid[g], Sliding::new(&round, ends, &arc, inside), arc)
            })
        });
        let Some((g, sliding, arc)) = wrapped else {
            let (unit, n) = direction(ends[0], ends[1]);
            if n < MINVAL {
                return false;
            }
            self.gather(chains, poses, runs, &[a, b]);
            let arms = [arm(a, ends[0]), arm(b, ends[1])];
            for (i, sign) in [(0, -1.0 / seg.divisor), (1, 1.0 / seg.divisor)] {
                self.add(i, at(arms[i], unit * sign), |j| {
                    let moved = [j.point(0, arms[0]), j.point(1, arms[1])];
                    change_at(arms[i], unit * sign, moved[i], turned(unit, n, moved[1] - moved[0]) * sign)
                });
            }
            return true;
        };
        let Some(sliding) = sliding else { return false };
        let ((u0, n0), (u1, n1)) = (direction(ends[0], arc.from), direction(arc.to, ends[1]));
        if n0 < MINVAL || n1 < MINVAL {
            return false;
        }
        self.gather(chains, poses, runs, &[a, g, b]);
        let scale = 1.0 / seg.divisor;
        let arms = [arm(a, ends[0]), arm(g, arc.from), arm(g, arc.to), arm(b, ends[1])];
        let on_geom = [arm(g, ends[0]), arm(g, ends[1])];
        // Velocities of the path's corners, and changes of its directions.
        let moves = |j: &Active| {
            let (from, to) = (j.point(0, arms[0]), j.point(2, arms[3]));
            let [slide0, slide1] = sliding.of([from - j.point(1, on_geom[0]), to - j.point(1, on_geom[1])]);
            let (touch, leave) = (j.point(1, arms[1]) + slide0, j.point(1, arms[2]) + slide1);
            let units = [turned(u0, n0, touch - from) * scale, turned(u1, n1, to - leave) * scale];
            ([from, touch, leave, to], units)
        };
        let (u0, u1) = (u0 * scale, u1 * scale);
        self.add(0, at(arms[0], -u0), |j| {
            let ([from, ..], [d0, _]) = moves(j);
            change_at(arms[0], -u0, from, -d0)
        });
        self.add(1, at(arms[1], u0) + at(arms[2], -u1), |j| {
            let ([_, touch, leave, _], [d0, d1]) = moves(j);
            change_at(arms[1], u0, touch, d0) + change_at(arms[2], -u1, leave, -d1)
        });
        self.add(2, at(arms[3], u1), |j| {
            let ([.., to], [_, d1]) = moves(j);
            change_at(arms[3], u1, to, d1)
        });
        true
    }

    /// A wrench fixed in a site or, if there is one, in the reference site, which it pushes back on.
    #[allow(clippy::too_many_arguments)] // the transmission, and where it acts
    fn add_site(
        &mut self,
        m: &Model,
        chains: &Chains,
        poses: &Poses,
        runs: &[Run],
        site: SiteId,
        refsite: Option<SiteId>,
        gear: &[f64; 6],
    ) {
        let frame = poses.site_xmat[refsite.unwrap_or(site)];
        let (force, torque) = (frame * DVec3::from_slice(gear), frame * DVec3::from_slice(&gear[3..]));
        let body = |i: SiteId| m.site.bodyid[i];
        let arm = |i: SiteId| poses.site_xpos[i] - poses.subtree_com[m.body.rootid[body(i)]];
        let bodies = [body(site), body(refsite.unwrap_or(site))];
        self.gather(chains, poses, runs, &bodies[..1 + usize::from(refsite.is_some())]);
        let holder = usize::from(refsite.is_some());
        for (i, (sign, site)) in [(1.0, Some(site)), (-1.0, refsite)].into_iter().enumerate() {
            let Some(arm) = site.map(arm) else { continue };
            let (force, torque) = (force * sign, torque * sign);
            self.add(i, at(arm, force) + Spatial::new(torque, DVec3::ZERO), |j| {
                let spin = j.turn(holder);
                change_at(arm, force, j.point(i, arm), spin.cross(force))
                    + Spatial::new(spin.cross(torque), DVec3::ZERO)
            });
        }
    }

    /// With v from the slider to the crank's pin, a its axis and l = a·v − √((a·v)² + r² − v·v): the derivative of
    /// ∂l/∂v = a s + v/√… and ∂l/∂a = v s, s = 1 − a·v/√….
    #[allow(clippy::too_many_arguments)] // the transmission, and where it acts
    fn add_slider_crank(
        &mut self,
        m: &Model,
        chains: &Chains,
        poses: &Poses,
        runs: &[Run],
        [crank, slider]: [SiteId; 2],
        rod: f64,
        gear: f64,
    ) {
        let bodies = [crank, slider].map(|i| m.site.bodyid[i]);
        let points = [crank, slider].map(|i| poses.site_xpos[i]);
        let arms = [0, 1].map(|i| points[i] - poses.subtree_com[m.body.rootid[bodies[i]]]);
        let axis = poses.site_xmat[slider].z_axis;
        let v = points[0] - points[1];
        let av = axis.dot(v);
        let det = av * av + rod * rod - v.length_squared();
        self.gather(chains, poses, runs, &bodies);
        let reach = (det > 0.0).then(|| det.sqrt());
        let s = reach.map_or(1.0, |root| 1.0 - av / root);
        let by_v = axis * s + reach.map_or(DVec3::ZERO, |root| v / root);
        let by_axis = v * s;
        // Changes of ∂l/∂v and of the torque a × ∂l/∂a on the slider.
        let changes = |j: &Active| {
            let moved = [0, 1].map(|i| j.point(i, arms[i]));
            let (dv, daxis) = (moved[0] - moved[1], j.turn(1).cross(axis));
            let (mut dby_v, mut ds) = (daxis * s, 0.0);
            if let Some(root) = reach {
                let dav = daxis.dot(v) + axis.dot(dv);
                let droot = (av * dav - v.dot(dv)) / root;
                ds = (av * droot / root - dav) / root;
                dby_v += axis * ds + (dv - v * (droot / root)) / root;
            }
            let dtorque = daxis.cross(by_axis) + axis.cross(dv * s + v * ds);
            (moved, dby_v * gear, dtorque * gear)
        };
        let force = by_v * gear;
        self.add(0, at(arms[0], force), |j| {
            let (moved, dforce, _) = changes(j);
            change_at(arms[0], force, moved[0], dforce)
        });
        let torque = Spatial::new(axis.cross(by_axis) * gear, DVec3::ZERO);
        self.add(1, at(arms[1], -force) + torque, |j| {
            let (moved, dforce, dtorque) = changes(j);
            change_at(arms[1], -force, moved[1], -dforce) + Spatial::new(dtorque, DVec3::ZERO)
        });
    }
}
