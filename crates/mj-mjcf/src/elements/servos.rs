//! Actuators with a controller of their own: PID and orientation servos, DC motors. What their attributes say,
//! with what they inherit from a default class.

use crate::elements::actuator_form::{Form, Parameters};
use crate::reader::Reader;
use crate::syntax::number;
use crate::syntax::tree::Node;
use mj_model::spec::{Actuator, DcMotor, OrientationServo, Pid};
use mj_model::{DynType, GainType};

/// Words of `input`, in the order in which the controls lie, as bits of `ctrlspec`.
const INPUTS: [&str; 5] = ["pos", "vel", "ff", "voltage", "pressure"];
/// No controls at all, as `ctrlspec`.
const NO_INPUT: i32 = 16;

/// Returns a prototype's parameters of a DC motor.
pub(crate) fn motor_of(prototype: Option<&Actuator>) -> DcMotor {
    let Some(a) = prototype.filter(|a| a.gaintype == GainType::DcMotor) else { return DcMotor::default() };
    let (g, d, b) = (&a.gainprm, &a.dynprm, &a.biasprm);
    DcMotor {
        motorconst: [g[1], 0.0],
        resistance: g[0],
        nominal: [0.0; 3],
        saturation: [0.0, 0.0, d[1]],
        inductance: [0.0, d[0]],
        cogging: [b[0], b[1], b[2]],
        controller: [g[4], g[5], g[6], d[7], d[8], g[7]],
        thermal: [d[2], d[3], 0.0, g[2], g[3], d[4]],
        lugre: [d[5], d[6], b[3], b[4], b[5]],
        ctrlspec: a.ctrlspec,
    }
}

/// Returns the attribute `input` of an actuator, which names its controls.
pub(crate) fn input_text(a: &Actuator) -> String {
    match (a.gaintype, a.ctrlspec) {
        (GainType::So3, 1) => "expmap".into(),
        (GainType::So3, 2) => "quat".into(),
        (_, NO_INPUT) => "none".into(),
        (_, spec) => {
            let has = |i: &usize| spec & input_bit(*i) != 0;
            (0..INPUTS.len()).filter(has).map(|i| INPUTS[i]).collect::<Vec<_>>().join(" ")
        }
    }
}

/// Bit of an input in `ctrlspec`.
fn input_bit(i: usize) -> i32 {
    if i == 4 { 32 } else { 1 << i }
}

impl Reader<'_> {
    /// Reads `input`: a chart of orientations, `none`, or words in the order of the controls.
    pub(crate) fn input(&mut self, node: &Node, a: &mut Actuator) {
        let Some(text) = node.get("input") else { return };
        a.ctrlspec = match text.trim() {
            "expmap" => 1,
            "quat" => 2,
            "none" => NO_INPUT,
            words => {
                let (mut spec, mut last) = (0, 0);
                for word in number::words(words) {
                    let Some(i) = INPUTS.iter().position(|w| *w == word) else {
                        self.error(node.value_loc("input"), format!("`{word}` is not an input of an actuator"))
                            .help("inputs are pos, vel, ff, voltage, pressure; expmap or quat; or none");
                        return;
                    };
                    let bit = input_bit(i);
                    if bit <= last {
                        self.error(node.value_loc("input"), format!("`{word}` stands out of order"))
                            .help("the order of inputs is pos vel ff voltage pressure");
                        return;
                    }
                    (spec, last) = (spec | bit, bit);
                }
                spec
            }
        };
    }

    /// A PID servo's parameters.
    pub(crate) fn pid(&mut self, node: &Node, form: &mut Form, source: Option<Parameters>) -> Pid {
        let from = source.unwrap_or_else(|| {
            let mut blank = Parameters { dynprm: [0.0; 10], gainprm: [0.0; 10], ..Default::default() };
            // The gain's default.
            blank.biasprm[1] = -1.0;
            blank
        });
        // Without the states there is nothing to inherit of them.
        let inherited = |x: f64| if from.dyntype == DynType::Pid { x } else { 0.0 };
        if let Some(range) = form.posrange {
            form.a.ctrlrange = Some(range);
        }
        let mut inheritrange = form.inheritrange.unwrap_or(from.inheritrange);
        let name = if node.attribute("posrange").is_some() { "posrange" } else { "ctrlrange" };
        self.one_range(node, form, &mut inheritrange, name);
        Pid {
            kp: form.kp.unwrap_or(-from.biasprm[1]),
            damping: self.damping(node, form, &from),
            ki: form.ki.unwrap_or(inherited(from.gainprm[0])),
            imax: form.imax.unwrap_or(inherited(from.dynprm[0])),
            slewmax: form.slewmax.unwrap_or(inherited(from.dynprm[1])),
            inheritrange,
            ctrlspec: form.a.ctrlspec,
        }
    }

    /// An orientation servo's parameters.
    pub(crate) fn orientation(&mut self, node: &Node, form: &Form, source: Option<Parameters>) -> OrientationServo {
        let from = source.unwrap_or_default();
        OrientationServo {
            kp: form.kp.unwrap_or(from.gainprm[0]),
            damping: self.damping(node, form, &from),
            ctrlspec: form.a.ctrlspec,
        }
    }
}
