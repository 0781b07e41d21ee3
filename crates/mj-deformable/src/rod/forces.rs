//! Forces of rods on their vertices, and moments about their edges.

use super::hinge::{Bend, Stiffness, Strain, damped_bending, framed, size_of_curvature};
use super::pair::{self, Pair};
use crate::buffers::Flexes;
use crate::elastic::{Inputs, body_of, project};
use crate::lines::{Hinge, Twist};
use crate::plan::FlexPlan;
use mj_dynamics::{BodyPoint, body_velocity};
use mj_math::DVec3;
use mj_model::*;

/// Stiffnesses of a record of one vertex.
pub(super) fn stiffness_of(r: &[f64; ROD_RECORD_SIZE]) -> Stiffness {
    Stiffness { bending: [r[4], r[4] + r[5]], torsion: r[8] }
}

/// Parameters of a record of two vertices.
pub(super) fn pair_of(r: &[f64; ROD_RECORD_SIZE]) -> Pair {
    Pair { bending: [r[4], r[5]], rest: [r[6], r[7]], torsion: [r[8], r[9]] }
}

/// Edges of a record.
pub(super) fn edges_of(h: &Hinge, x: &[DVec3]) -> [DVec3; 3] {
    let v = h.vertex.map(|v| x[v]);
    [v[1] - v[0], v[2] - v[1], v[3] - v[2]]
}

/// Adds, for each strain, `size(strain)` times its derivative by the vertices to `force`, and returns its derivative by the
/// twist of both edges.
fn scatter(h: &Hinge, strains: &[Strain], size: impl Fn(&Strain) -> f64, force: &mut [DVec3]) -> [f64; 2] {
    let (mut edge, mut twist) = ([DVec3::ZERO; 3], [0.0; 2]);
    for s in strains.iter().filter(|s| s.weight != 0.0) {
        let by = size(s);
        edge.iter_mut().zip(s.edge).for_each(|(e, d)| *e += d * by);
        twist.iter_mut().zip(s.twist).for_each(|(t, d)| *t += d * by);
    }
    scatter_edges(h, &edge, force);
    twist
}

fn scatter_edges(h: &Hinge, edge: &[DVec3; 3], force: &mut [DVec3]) {
    for (i, e) in edge.iter().enumerate().take(if h.pair { 3 } else { 2 }) {
        force[h.vertex[i]] -= *e;
        force[h.vertex[i + 1]] += *e;
    }
}

/// Rates of a strain at velocities of the vertices and of the edges' twist.
fn rate(h: &Hinge, s: &Strain, velocity: &[DVec3], twist: [f64; 2]) -> f64 {
    let edge = edges_of(h, velocity);
    (0..3).map(|i| s.edge[i].dot(edge[i])).sum::<f64>() + s.twist[0] * twist[0] + s.twist[1] * twist[1]
}

/// Adds the forces of rods on the joints to `spring` and `damper` (nv).
pub(crate) fn rod_forces(of: Inputs<'_>, plan: &FlexPlan, out: &mut Flexes, spring: &mut [f64], damper: &mut [f64]) {
    let m = of.m;
    let (springs, dampers) = (!m.opt.disabled(disable::SPRING), !m.opt.disabled(disable::DAMPER));
    let (mut edge, mut inner) = (0, 0);
    for (f, rod) in plan.rods.iter().enumerate() {
        let Some(rod) = rod else { continue };
        let f = FlexId::new(f);
        let edges = rod.chain.as_ref().map_or(0, |c| c.twist.len());
        let (first, between) = (edge, inner);
        edge += edges;
        inner += edges.saturating_sub(1);
        let damping = if dampers { m.flex.damping[f] } else { 0.0 };
        if !springs && damping == 0.0 {
            continue;
        }
        let verts = m.flex.vertadr[f] as usize..(m.flex.vertadr[f] + m.flex.vertnum[f]) as usize;
        if damping != 0.0 {
            for v in verts.clone() {
                let (body, point) = (body_of(m, v), out.vert_xpos[v]);
                out.vert_velocity[v] = body_velocity(m, of.poses, of.vel, body, point).lin;
            }
        }
        let frames = &mut out.rods;
        let (on_spring, on_damper) = (&mut out.vert_spring[verts.clone()], &mut out.vert_damper[verts.clone()]);
        on_spring.fill(DVec3::ZERO);
        on_damper.fill(DVec3::ZERO);
        frames.spring[first..first + edges].fill(0.0);
        frames.damper[first..first + edges].fill(0.0);
        let (x, velocity) = (&out.vert_xpos[verts.clone()], &out.vert_velocity[verts.clone()]);
        for (i, (h, r)) in rod.hinges.iter().zip(m.rod_records(f)).enumerate() {
            let e = edges_of(h, x);
            let elastic = |s: &Strain| -2.0 * s.weight * s.residual;
            if h.pair {
                let strains = pair::strains(&e, &pair_of(r));
                if springs {
                    scatter(h, &strains, elastic, on_spring);
                }
                if damping != 0.0 {
                    let drag = |s: &Strain| -2.0 * damping * s.weight * rate(h, s, velocity, [0.0; 2]);
                    scatter(h, &strains, drag, on_damper);
                }
                continue;
            }
            let bend = Bend::new([e[0], e[1]]);
            if rod.chain.is_none() {
                let strains = size_of_curvature(&bend, r[4], r[6]);
                if springs {
                    scatter(h, &strains, elastic, on_spring);
                }
                if damping != 0.0 {
                    let drag = |s: &Strain| -2.0 * damping * s.weight * rate(h, s, velocity, [0.0; 2]);
                    scatter(h, &strains, drag, on_damper);
                }
                continue;
            }
            let pair = [frames.edges[first + i], frames.edges[first + i + 1]];
            let (axes, state, k) = (pair.map(|e| e.axes), frames.between[between + i], stiffness_of(r));
            let mut strains = framed(&bend, &k, &axes, state.rest, state.twist);
            // Damping is of the rate at which the material twists, whatever the frames of the last time step were.
            let torsion = strains[4];
            // The reference frames of the edges turn about them too.
            for s in &mut strains {
                for j in 0..2 {
                    let length = e[j].length();
                    if length >= mj_math::MINVAL {
                        s.edge[j] += pair[j].spin * (s.twist[j] / length);
                    }
                }
            }
            if springs {
                let [a, b] = scatter(h, &strains, elastic, on_spring);
                frames.spring[first + i] += a;
                frames.spring[first + i + 1] += b;
            }
            if damping != 0.0 {
                let turn = [0, 1].map(|j| {
                    let twist = rod.chain.as_ref().map(|c| c.twist[i + j]);
                    match twist {
                        Some(Twist::Joint { dof, .. }) => of.s.qvel[dof],
                        Some(Twist::Fixed(b)) => of.vel.cvel[b].rot.dot(pair[j].tangent),
                        None => 0.0,
                    }
                });
                let drag = |s: &Strain| -2.0 * damping * s.weight * rate(h, s, velocity, turn);
                scatter(h, &damped_bending(&bend, &k, &axes), drag, on_damper);
                let [a, b] = scatter(h, &[torsion], drag, on_damper);
                frames.damper[first + i] += a;
                frames.damper[first + i + 1] += b;
            }
        }
        project(of, out, verts, spring, damper);
        for (i, twist) in rod.chain.iter().flat_map(|c| &c.twist).enumerate() {
            let moments = [out.rods.spring[first + i], out.rods.damper[first + i]];
            match *twist {
                Twist::Joint { dof, .. } => {
                    spring[dof] += moments[0];
                    damper[dof] += moments[1];
                }
                Twist::Fixed(b) => {
                    let point = BodyPoint::new(m, of.chains, of.poses, b, of.poses.xpos[b]);
                    for run in point.chain {
                        for d in run.start as usize..(run.start + run.len) as usize {
                            let about = point.motion(d).rot.dot(out.rods.edges[first + i].tangent);
                            spring[d] += about * moments[0];
                            damper[d] += about * moments[1];
                        }
                    }
                }
            }
        }
    }
}
