//! How inverse weights, which soften constraints, follow parameters of the inertia. They are constants at `qpos0`, so that
//! their slopes are found once, by centered differences of `set_const`.

use mj_compile::set_const;
use mj_constraint::derivative::InverseWeights;
use mj_math::DVec3;
use mj_model::model::ModelParameter;
use mj_model::*;

/// Slopes of the inverse weights by some parameters of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct WeightSlopes {
    slopes: Vec<Option<InverseWeights>>,
    /// Where they were found: the parameters, and the numbers of the model that inverse weights depend on.
    list: Vec<ModelParameter>,
    inputs: Vec<f64>,
    present: Vec<f64>,
}

impl WeightSlopes {
    /// Whether inverse weights follow a parameter that has a closed form beside them.
    pub fn has(m: &Model, p: &ModelParameter) -> bool {
        p.field == "dof_armature" || p.inertia_slope(m).is_some()
    }

    /// Slopes by a parameter.
    pub fn of(&self, i: usize) -> Option<&InverseWeights> {
        self.slopes.get(i)?.as_ref()
    }

    /// Finds the slopes, unless they are those of the last call.
    pub fn find(&mut self, m: &Model, list: &[ModelParameter]) {
        inputs(m, &mut self.present);
        if self.list == list && self.inputs == self.present {
            return;
        }
        std::mem::swap(&mut self.inputs, &mut self.present);
        self.list = list.to_vec();
        self.slopes.clear();
        self.slopes.extend(list.iter().map(|p| Self::has(m, p).then(|| slope(p, m))));
    }
}

/// The slope by one parameter.
fn slope(p: &ModelParameter, m: &Model) -> InverseWeights {
    let value = p.value(m).unwrap_or_default();
    let h = p.difference(m);
    let at = |x: f64| {
        let mut nudged = m.clone();
        // It was found in this model, so that it can be set; an error of a constant leaves the rest as it is.
        let _ = p.set(&mut nudged, x);
        let _ = set_const(&mut nudged);
        InverseWeights::of(&nudged)
    };
    let (mut slope, minus) = (at(value + h), at(value - h));
    let width = (value + h) - (value - h);
    for (a, b) in slope.body.as_mut_slice().iter_mut().zip(minus.body.as_slice()) {
        *a = [(a[0] - b[0]) / width, (a[1] - b[1]) / width];
    }
    for (list, minus) in
        [(slope.dof.as_mut_slice(), minus.dof.as_slice()), (slope.tendon.as_mut_slice(), minus.tendon.as_slice())]
    {
        list.iter_mut().zip(minus).for_each(|(a, b)| *a = (*a - b) / width);
    }
    slope
}

/// Copies the numbers of a model that decide its inertia at `qpos0`, and where tendons run there.
fn inputs(m: &Model, out: &mut Vec<f64>) {
    out.clear();
    let mut points = |list: &[DVec3]| list.iter().for_each(|p| out.extend(p.to_array()));
    points(m.body.pos.as_slice());
    points(m.body.ipos.as_slice());
    points(m.body.inertia.as_slice());
    points(m.jnt.pos.as_slice());
    points(m.jnt.axis.as_slice());
    let mut turns = vec![m.body.quat.as_slice(), m.body.iquat.as_slice()];
    if !m.tendon.is_empty() {
        points(m.site.pos.as_slice());
        points(m.geom.pos.as_slice());
        points(m.geom.size.as_slice());
        turns.push(m.geom.quat.as_slice());
    }
    turns.into_iter().flatten().for_each(|q| out.extend(q.to_array()));
    out.extend(m.body.parentid.as_slice().iter().map(|b| b.index() as f64));
    for list in [m.body.mass.as_slice(), m.dof.armature.as_slice(), m.tendon.armature.as_slice(), &m.qpos0] {
        out.extend(list);
    }
}
