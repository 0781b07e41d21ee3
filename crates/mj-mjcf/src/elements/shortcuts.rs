//! Attributes of each actuator shortcut, with what it inherits from a default class. What that
//! means in general parameters, `mj_model::spec` knows.

use crate::elements::actuator_form::{Form, Parameters};
use crate::reader::Reader;
use crate::syntax::tree::Node;
use mj_model::DynType;
use mj_model::spec::{Cylinder, Muscle, PositionServo, ServoDamping, ShortcutError};

/// A cylinder's parameters.
pub(crate) fn cylinder(form: &Form, source: Option<Parameters>) -> Cylinder {
    let from = source.unwrap_or_default();
    Cylinder {
        timeconst: form.timeconst.unwrap_or(from.dynprm[0]),
        area: form.area.unwrap_or(from.gainprm[0]),
        diameter: form.diameter,
        bias: form.bias.unwrap_or([from.biasprm[0], from.biasprm[1], from.biasprm[2]]),
    }
}

/// A muscle's parameters. Values below 0 stand for the muscle's own defaults.
pub(crate) fn muscle(form: &Form, source: Option<Parameters>) -> Muscle {
    let own = Muscle::default();
    let mut m = own;
    if let Some(Parameters { dynprm: d, gainprm: g, .. }) = source {
        let ([_, _, force, scale, lmin, lmax, vmax, fpmax, fvmax, _], range) = (g, [g[0], g[1]]);
        let (timeconst, tausmooth) = ([d[0], d[1]], d[2]);
        m = Muscle { timeconst, tausmooth, range, force, scale, lmin, lmax, vmax, fpmax, fvmax };
    }
    let given = |x: Option<f64>, into: &mut f64, default: f64| {
        if let Some(x) = x {
            *into = if x >= 0.0 { x } else { default };
        }
    };
    let f = &form.muscle;
    given(f.force, &mut m.force, own.force);
    given(f.scale, &mut m.scale, own.scale);
    given(f.lmin, &mut m.lmin, own.lmin);
    given(f.lmax, &mut m.lmax, own.lmax);
    given(f.vmax, &mut m.vmax, own.vmax);
    given(f.fpmax, &mut m.fpmax, own.fpmax);
    given(f.fvmax, &mut m.fvmax, own.fvmax);
    for i in 0..2 {
        given(f.range.map(|r| r[i]), &mut m.range[i], own.range[i]);
        given(f.timeconst.map(|t| t[i]), &mut m.timeconst[i], own.timeconst[i]);
    }
    m.tausmooth = f.tausmooth.unwrap_or(m.tausmooth);
    m
}

impl Reader<'_> {
    /// Tells why a shortcut's parameters can't be.
    pub(crate) fn tell_shortcut(&mut self, node: &Node, problem: Result<(), ShortcutError>) {
        for p in problem.err().into_iter().flat_map(|e| e.0) {
            let loc = if p.parameter.is_empty() { node.loc } else { node.value_loc(p.parameter) };
            self.error(loc, p.problem).help = p.help.map(str::to_string);
        }
    }

    /// A position servo's parameters; with `integrated`, the control is the velocity of the setpoint.
    pub(crate) fn servo(
        &mut self,
        node: &Node,
        form: &mut Form,
        source: Option<Parameters>,
        integrated: bool,
    ) -> PositionServo {
        let from = source.unwrap_or_default();
        let filtered = (from.dyntype == DynType::FilterExact).then_some(from.dynprm[0]);
        let mut inheritrange = form.inheritrange.unwrap_or(from.inheritrange);
        let damping = self.damping(node, form, &from);
        self.one_range(node, form, &mut inheritrange, if integrated { "actrange" } else { "ctrlrange" });
        PositionServo {
            kp: form.kp.unwrap_or(from.gainprm[0]),
            damping,
            timeconst: form.timeconst.or(filtered),
            inheritrange,
        }
    }

    /// Damping of a servo: a coefficient, or a ratio.
    pub(crate) fn damping(&mut self, node: &Node, form: &Form, from: &Parameters) -> ServoDamping {
        if form.kv.is_some() && form.dampratio.is_some() {
            self.error(node.value_loc("dampratio"), format!("`{}` cannot have both `kv` and `dampratio`", node.name));
        }
        match (form.dampratio, form.kv) {
            (Some(ratio), _) => ServoDamping::Ratio(ratio),
            (None, Some(kv)) => ServoDamping::Kv(kv),
            // The sign tells them apart.
            (None, None) if from.biasprm[2] > 0.0 => ServoDamping::Ratio(from.biasprm[2]),
            (None, None) => ServoDamping::Kv(-from.biasprm[2]),
        }
    }

    /// A servo's range is given or taken from its target's, not both. What the element itself says
    /// replaces what its class says; where it says both, that is told when the parameters are set.
    pub(crate) fn one_range(&mut self, node: &Node, form: &mut Form, inheritrange: &mut f64, name: &str) {
        let range = if name == "actrange" { &mut form.a.actrange } else { &mut form.a.ctrlrange };
        if *inheritrange <= 0.0 || range.is_none_or(|r| r == [0.0; 2]) {
            return;
        }
        let own_range = node.get(name).is_some_and(|t| !t.trim().is_empty());
        match (form.inheritrange.is_some(), own_range) {
            (true, false) => *range = None,
            (false, true) => *inheritrange = 0.0,
            _ => {}
        }
    }
}
