//! What each actuator shortcut means in general parameters.

use crate::actuators::Form;
use crate::reader::Reader;
use crate::tree::Node;
use mj_model::enums::*;
use mj_model::spec::Actuator;
use std::f64::consts::PI;

/// What a shortcut takes from a prototype; by default, from the general one.
pub(crate) struct Parameters {
    pub dyntype: DynType,
    pub dynprm: [f64; 10],
    pub gainprm: [f64; 10],
    pub biasprm: [f64; 10],
    pub inheritrange: f64,
}

impl Parameters {
    pub fn of(a: &Actuator) -> Self {
        Self {
            dyntype: a.dyntype,
            dynprm: a.dynprm,
            gainprm: a.gainprm,
            biasprm: a.biasprm,
            inheritrange: a.inheritrange,
        }
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self::of(&Actuator::default())
    }
}

/// Velocity servo: force kv·(ctrl − velocity).
pub(crate) fn velocity(form: &mut Form, source: Option<Parameters>) {
    let kv = form.kv.unwrap_or(source.unwrap_or_default().gainprm[0]);
    form.a.gainprm[0] = kv;
    form.a.biasprm[2] = -kv;
    form.a.biastype = BiasType::Affine;
}

/// Pneumatic or hydraulic cylinder: force area·pressure + bias, the pressure filtering the control.
pub(crate) fn cylinder(form: &mut Form, source: Option<Parameters>) {
    let from = source.unwrap_or_default();
    let a = &mut form.a;
    a.dynprm[0] = form.timeconst.unwrap_or(from.dynprm[0]);
    a.dyntype = DynType::Filter;
    a.gainprm[0] = form.area.unwrap_or(from.gainprm[0]);
    if let Some(d) = form.diameter.filter(|d| *d >= 0.0) {
        a.gainprm[0] = PI / 4.0 * d * d;
    }
    let bias = [from.biasprm[0], from.biasprm[1], from.biasprm[2]];
    a.biasprm[..3].copy_from_slice(&form.bias.unwrap_or(bias));
    a.biastype = BiasType::Affine;
}

impl Reader<'_> {
    /// Tells if a given value is negative; true if it is.
    pub(crate) fn negative(&mut self, node: &Node, name: &str, value: Option<f64>) -> bool {
        let wrong = value.is_some_and(|x| x < 0.0);
        if wrong {
            self.error(node.value_loc(name), format!("`{name}` of `{}` cannot be negative", node.name));
        }
        wrong
    }

    /// Position servo: force kp·(ctrl − length) − kv·velocity, the control filtered where there is a
    /// time constant; with `integrated`, the control is the velocity of the set point.
    pub(crate) fn servo(&mut self, node: &Node, form: &mut Form, source: Option<Parameters>, integrated: bool) {
        let from = source.unwrap_or_default();
        let a = &mut form.a;
        let kp = form.kp.unwrap_or(from.gainprm[0]);
        a.gainprm[0] = kp;
        a.biastype = BiasType::Affine;
        a.biasprm[1] = -kp;
        let filtered = (from.dyntype == DynType::FilterExact).then_some(from.dynprm[0]);
        if let Some(t) = form.timeconst.or(filtered) {
            a.dynprm[0] = t;
            a.dyntype = if t == 0.0 { DynType::None } else { DynType::FilterExact };
        }
        if integrated {
            a.dyntype = DynType::Integrator;
        }
        a.inheritrange = form.inheritrange.unwrap_or(from.inheritrange);

        self.damping(node, form, &from);
        self.negative(node, "timeconst", form.timeconst);
        self.one_range(node, form, if integrated { "actrange" } else { "ctrlrange" });
    }

    /// Damping of a servo: −kv, or a damping ratio, told apart by the sign.
    pub(crate) fn damping(&mut self, node: &Node, form: &mut Form, from: &Parameters) {
        form.a.biasprm[2] = form.dampratio.or(form.kv.map(|kv| -kv)).unwrap_or(from.biasprm[2]);
        if form.kv.is_some() && form.dampratio.is_some() {
            self.error(node.value_loc("dampratio"), format!("`{}` cannot have both `kv` and `dampratio`", node.name));
        }
        self.negative(node, "kv", form.kv);
        self.negative(node, "dampratio", form.dampratio);
    }

    /// A servo's range is given or taken from its target's, not both. What the element itself says
    /// replaces what its class says.
    pub(crate) fn one_range(&mut self, node: &Node, form: &mut Form, name: &str) {
        let a = &mut form.a;
        let range = if name == "actrange" { &mut a.actrange } else { &mut a.ctrlrange };
        if a.inheritrange <= 0.0 || range.is_none_or(|r| r == [0.0; 2]) {
            return;
        }
        let own_range = node.get(name).is_some_and(|t| !t.trim().is_empty());
        match (form.inheritrange.is_some(), own_range) {
            (true, false) => *range = None,
            (false, true) => a.inheritrange = 0.0,
            _ => {
                let message = format!("`inheritrange` and `{name}` cannot both be given");
                self.error(node.value_loc("inheritrange"), message);
            }
        }
    }

    /// Damper: force −kv·velocity·ctrl, the control limited to positive values.
    pub(crate) fn damper(&mut self, node: &Node, form: &mut Form, source: Option<Parameters>) {
        let kv = form.kv.or(source.map(|s| -s.gainprm[2])).unwrap_or(0.0);
        form.a.gainprm[2] = -kv;
        form.a.ctrllimited = Tri::True;
        self.negative(node, "kv", Some(kv));
        self.positive_control(node, form);
    }

    /// Adhesion: force gain·ctrl on a body's contacts, the control limited to positive values.
    pub(crate) fn adhesion(&mut self, node: &Node, form: &mut Form, source: Option<Parameters>) {
        let gain = form.gain.unwrap_or(source.unwrap_or_default().gainprm[0]);
        form.a.gainprm[0] = gain;
        form.a.ctrllimited = Tri::True;
        self.negative(node, "gain", Some(gain));
        self.positive_control(node, form);
    }

    fn positive_control(&mut self, node: &Node, form: &Form) {
        if form.a.ctrlrange.is_some_and(|r| r[0] < 0.0 || r[1] < 0.0) {
            self.error(node.value_loc("ctrlrange"), format!("the control of `{}` cannot be negative", node.name));
        }
    }

    /// Muscle: see the manual's "Muscles". Values below 0 stand for the muscle's own defaults.
    pub(crate) fn muscle(&mut self, node: &Node, form: &mut Form, source: Option<Parameters>) {
        /// Operating range, peak force and its scale, length range, shortening velocity, passive and
        /// eccentric force.
        const GAIN: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
        /// Time constants of activation and deactivation, width of the smooth switch between them.
        const DYNAMICS: [f64; 3] = [0.01, 0.04, 0.0];
        let Form { a, muscle: m, .. } = form;
        let (gain, dynamics) = match &source {
            Some(from) => (&from.gainprm[..GAIN.len()], &from.dynprm[..DYNAMICS.len()]),
            None => (&GAIN[..], &DYNAMICS[..]),
        };
        a.gainprm[..GAIN.len()].copy_from_slice(gain);
        a.dynprm[..DYNAMICS.len()].copy_from_slice(dynamics);

        let given = |x: Option<f64>, into: &mut f64, default: f64| {
            if let Some(x) = x {
                *into = if x >= 0.0 { x } else { default };
            }
        };
        let scalars = [m.force, m.scale, m.lmin, m.lmax, m.vmax, m.fpmax, m.fvmax];
        for (i, x) in scalars.into_iter().enumerate() {
            given(x, &mut a.gainprm[2 + i], GAIN[2 + i]);
        }
        for i in 0..2 {
            given(m.range.map(|r| r[i]), &mut a.gainprm[i], GAIN[i]);
            given(m.timeconst.map(|t| t[i]), &mut a.dynprm[i], DYNAMICS[i]);
        }
        if let Some(smooth) = m.tausmooth {
            a.dynprm[2] = smooth;
        }
        a.biasprm = a.gainprm;
        a.dyntype = DynType::Muscle;
        a.biastype = BiasType::Muscle;
        let smooth = a.dynprm[2];
        self.negative(node, "tausmooth", Some(smooth));
    }
}
