//! Steps in which thin flexes never overlap: the flag `ipc`.
//!
//! Contacts of surfaces with each other, with themselves and with static geoms are no rows of the constraint problem. The step
//! is found in rounds. A round solves the problem of the integrator `discrete` with a row for each pair of features, linear
//! about places that are free of overlap; updates the pairs' multipliers; moves the free places towards the solution as far
//! as no pair comes too near; and adds the pairs that stopped it. It is the last if nothing stopped it, as a rule the first.

use crate::data::Data;
use crate::data::workspace::Continuous;
use crate::pipeline::discrete;
use crate::sensor;
use mj_collide::continuous::{Motion, PairSearch, advance, gap, resolves_flexes};
use mj_constraint::{Places, forces_at};
use mj_model::*;

/// The most rounds of a step.
const ROUNDS: usize = 1024;
/// The most rounds one after the other that get nowhere.
const STALLED: usize = 64;
/// A part of the way that counts as none.
const NOWHERE: f64 = 1e-6;

/// Returns whether steps of a model are found this way.
pub(crate) fn applies(m: &Model) -> bool {
    m.opt.enabled(enable::IPC)
        && m.opt.integrator == IntegratorType::Discrete
        && m.flex.ids().any(|f| resolves_flexes(m, [f, f]))
}

/// Finds the acceleration over the step, the forces of constraints, and reads the sensors of both. All stages up to the
/// acceleration without constraints have run.
pub(crate) fn resolve(m: &Model, d: &mut Data) {
    let mut w = std::mem::take(&mut d.ws.continuous);
    w.begin(m, d);
    let (mut done, mut stalled) = (0.0, 0);
    for _ in 0..ROUNDS {
        w.solve(m, d);
        let part = w.advance(m, d);
        done += (1.0 - done) * part;
        stalled = if part > NOWHERE { 0 } else { stalled + 1 };
        if done >= 1.0 - NOWHERE || stalled == STALLED {
            break;
        }
    }
    if done < 1.0 - NOWHERE {
        d.warn(Warning::Incomplete, 0);
    }
    for ((a, v), v0) in d.qacc.iter_mut().zip(&w.free_rate).zip(&d.state.qvel) {
        *a = (v - v0) / m.opt.timestep;
    }
    let s = &mut d.solution;
    let (force, state, qfrc) = (&mut s.efc_force, &mut s.efc_state, &mut s.qfrc_constraint);
    forces_at(&d.rows, &d.qacc, &mut d.ws.rows, force, state, qfrc);
    for (all, pairs) in qfrc.iter_mut().zip(&w.force) {
        *all += pairs;
    }
    d.ws.continuous = w;
    sensor::acceleration(m, d);
}

impl Continuous {
    /// Begins a step: finds the pairs that may touch until its end.
    fn begin(&mut self, m: &Model, d: &mut Data) {
        let (h, start) = (m.opt.timestep, &d.flexes.vert_xpos);
        let poses = &d.smooth.poses;
        self.obstacles.collect(m, &d.ws.collide, &poses.geom_xpos, &poses.geom_xmat);
        self.motion.compute(m, &d.plan.dynamics.chains, &d.smooth, start, &mut d.ws.rows);
        self.start.clone_from(&d.state.qacc_warmstart);
        self.free.clone_from(start);
        self.free_rate.clear();
        self.free_rate.resize(m.nv(), 0.0);
        self.motion.places(start, &d.state.qvel, h, &mut self.coasting);
        self.rate.clear();
        self.rate.extend(d.state.qvel.iter().zip(&d.smooth.actuation.qacc_smooth).map(|(v, a)| v + h * a));
        self.motion.places(start, &self.rate, h, &mut self.at);
        let search = self.search.get_or_insert_with(|| PairSearch::new(m));
        let way = Motion { from: start, to: &self.at };
        search.find(m, &self.obstacles, way, &self.motion.moves);
        self.contacts.begin(search.found(), &self.motion, search.radius(), &d.contact_memory);
    }

    /// Solves for the acceleration with the pairs kept apart, and places the vertices where it takes them.
    fn solve(&mut self, m: &Model, d: &mut Data) {
        let h = m.opt.timestep;
        self.contacts.linearize(&self.obstacles, &self.free);
        let places = Places { free: &self.free, coasting: &self.coasting };
        let chains = &d.plan.dynamics.chains;
        self.contacts.make_rows(m, chains, &d.smooth.poses, places, &mut d.ws.rows);
        discrete::solve_with_contacts(m, d, &self.contacts, &self.start, &mut self.force);
        self.start.clone_from(&d.qacc);
        self.rate.clear();
        self.rate.extend(d.state.qvel.iter().zip(&d.qacc).map(|(v, a)| v + h * a));
        self.motion.places(&d.flexes.vert_xpos, &self.rate, h, &mut self.at);
    }

    /// Updates the pairs, and moves the free places towards the solution; returns how far, as a part of the way.
    fn advance(&mut self, m: &Model, d: &mut Data) -> f64 {
        let Some(search) = &mut self.search else { return 1.0 };
        self.contacts.update(&self.at, &self.free, &self.motion, &mut d.contact_memory);
        let way = Motion { from: &self.free, to: &self.at };
        search.find(m, &self.obstacles, way, &self.motion.moves);
        let found = search.found();
        self.gaps.clear();
        self.gaps.extend(found.iter().map(|p| gap(p, &self.obstacles, |v| self.free[v as usize]).distance));
        let part = advance(search.flex(), &self.obstacles, way, (found, &self.gaps), &mut self.times);
        // Of the pairs that close, those which are the first of one of their vertices: a vertex meets one layer after the other.
        self.first.clear();
        self.first.resize(self.free.len(), f64::INFINITY);
        for (pair, time) in found.iter().zip(&self.times) {
            if let Some(time) = *time {
                pair.for_each_vertex(|v| self.first[v] = self.first[v].min(time));
            }
        }
        let first = &self.first;
        let taken = found.iter().zip(self.gaps.iter().zip(&self.times)).filter(|(pair, (gap, time))| {
            let mut take = **gap <= 0.0;
            if let Some(time) = time {
                pair.for_each_vertex(|v| take |= *time <= first[v] + 1e-12);
            }
            take
        });
        self.contacts.renew(taken.map(|(pair, _)| *pair), &self.motion, search.radius(), &d.contact_memory);
        // Trees without such vertices have contacts of the other kind only.
        for (i, (free, end)) in self.free_rate.iter_mut().zip(&self.rate).enumerate() {
            if !self.motion.tree[m.dof.treeid[DofId::new(i)]] {
                *free = *end;
            } else if part > NOWHERE {
                *free += part * (end - *free);
            }
        }
        self.motion.places(&d.flexes.vert_xpos, &self.free_rate, m.opt.timestep, &mut self.free);
        part
    }
}
