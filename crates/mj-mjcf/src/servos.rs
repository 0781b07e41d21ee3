//! Actuators with a controller of their own: PID and orientation servos, DC motors. Their
//! attributes become general parameters.

use crate::actuators::Form;
use crate::number;
use crate::reader::Reader;
use crate::shortcuts::Parameters;
use crate::tree::Node;
use mj_model::enums::*;
use mj_model::spec::Actuator;

/// Words of `input`, in the order in which the controls lie, as bits of `ctrlspec`.
const INPUTS: [&str; 5] = ["pos", "vel", "ff", "voltage", "pressure"];
/// No controls at all, as `ctrlspec`.
const NO_INPUT: i32 = 16;
/// A motor's default: its terminal voltage.
const VOLTAGE: i32 = 8;

/// A DC motor's own attributes, starting from those of its default class.
#[derive(Default)]
pub(crate) struct DcMotor {
    pub motorconst: [f64; 2],
    pub resistance: f64,
    /// Voltage, stall torque, speed without load.
    pub nominal: [f64; 3],
    /// Torque, current, rate of current.
    pub saturation: [f64; 3],
    /// Inductance, electrical time constant.
    pub inductance: [f64; 2],
    /// Amplitude, poles, phase.
    pub cogging: [f64; 3],
    /// kp, ki, kd, greatest rate of the setpoint, greatest integral, greatest voltage.
    pub controller: [f64; 6],
    /// Resistance, capacitance, time constant, coefficient, reference and ambient temperature.
    pub thermal: [f64; 6],
    /// Stiffness, damping, Coulomb and static friction, Stribeck velocity.
    pub lugre: [f64; 5],
}

impl DcMotor {
    /// What a prototype says, as attributes.
    pub fn of(prototype: Option<&Actuator>) -> Self {
        let Some(a) = prototype.filter(|a| a.gaintype == GainType::DcMotor) else { return Self::default() };
        let (g, d, b) = (&a.gainprm, &a.dynprm, &a.biasprm);
        Self {
            motorconst: [g[1], 0.0],
            resistance: g[0],
            nominal: [0.0; 3],
            saturation: [0.0, 0.0, d[1]],
            inductance: [0.0, d[0]],
            cogging: [b[0], b[1], b[2]],
            controller: [g[4], g[5], g[6], d[7], d[8], g[7]],
            thermal: [d[2], d[3], 0.0, g[2], g[3], d[4]],
            lugre: [d[5], d[6], b[3], b[4], b[5]],
        }
    }
}

/// What the controls of an actuator are, as `input` says it.
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

    /// PID servo: force kp·(position − length) + kv·(velocity − its rate) + ki·∫ + feedforward.
    pub(crate) fn pid(&mut self, node: &Node, form: &mut Form, source: Option<Parameters>) {
        let from = source.unwrap_or_else(|| {
            let mut blank = Parameters { dynprm: [0.0; 10], gainprm: [0.0; 10], ..Default::default() };
            // The gain's default.
            blank.biasprm[1] = -1.0;
            blank
        });
        let a = &mut form.a;
        a.biasprm[1] = form.kp.map_or(from.biasprm[1], |kp| -kp);
        a.biastype = BiasType::Affine;
        // Without the states there is nothing to inherit of them.
        let inherited = |x: f64| if from.dyntype == DynType::Pid { x } else { 0.0 };
        a.dynprm = [0.0; 10];
        a.gainprm[0] = form.ki.unwrap_or(inherited(from.gainprm[0]));
        a.dynprm[1] = form.slewmax.unwrap_or(inherited(from.dynprm[1]));
        if a.gainprm[0] != 0.0 {
            a.dynprm[0] = form.imax.unwrap_or(inherited(from.dynprm[0]));
        }
        let states = a.gainprm[0] != 0.0 || a.dynprm[1] != 0.0;
        a.dyntype = if states { DynType::Pid } else { DynType::None };
        a.inheritrange = form.inheritrange.unwrap_or(from.inheritrange);
        if let Some(range) = form.posrange {
            a.ctrlrange = Some(range);
        }
        self.input(node, a);
        self.damping(node, form, &from);
        self.negative(node, "slewmax", form.slewmax);
        let name = if node.attribute("posrange").is_some() { "posrange" } else { "ctrlrange" };
        self.one_range(node, form, name);
    }

    /// Orientation servo: torque kp·log(q⁻¹ target) − kv·ω.
    pub(crate) fn orientation(&mut self, node: &Node, form: &mut Form, source: Option<Parameters>) {
        let from = source.unwrap_or_default();
        let kp = form.kp.unwrap_or(from.gainprm[0]);
        form.a.gainprm[0] = kp;
        form.a.biasprm[1] = -kp;
        form.a.biastype = BiasType::So3;
        self.input(node, &mut form.a);
        self.damping(node, form, &from);
    }

    /// DC motor: resistance and motor constant, from what of them is given.
    pub(crate) fn dcmotor(&mut self, node: &Node, form: &mut Form) {
        self.input(node, &mut form.a);
        let Form { a, dc, .. } = form;
        if dc.motorconst.iter().any(|k| *k < 0.0) {
            self.error(node.value_loc("motorconst"), "the constants of a motor cannot be negative");
        }
        if dc.inductance.iter().any(|x| *x < 0.0) {
            self.error(node.value_loc("inductance"), "the inductance of a motor cannot be negative");
        }
        let [torque_const, emf_const] = dc.motorconst;
        let k = match (torque_const, emf_const_or_nominal(dc, emf_const, a.damping[0])) {
            (t, e) if t > 0.0 && e > 0.0 => (t * e).sqrt(),
            (t, _) if t > 0.0 => t,
            (_, e) => e,
        };
        let [voltage, stall, _] = dc.nominal;
        let mut resistance = dc.resistance;
        if resistance == 0.0 && voltage > 0.0 && stall > 0.0 && k > 0.0 {
            resistance = k * voltage / stall;
        }
        if k <= 0.0 && a.ctrlspec != NO_INPUT {
            self.error(node.loc, "the constant of a motor must be positive")
                .help("give `motorconst`, or `nominal` with voltage, stall torque and speed without load");
        }
        if resistance <= 0.0 {
            self.error(node.loc, "the resistance of a motor must be positive")
                .help("give `resistance`, or `nominal` with voltage, stall torque and speed without load");
        }
        let [rt, c, time, coefficient, reference, ambient] = dc.thermal;
        let (mut thermal_resistance, mut capacitance) = (rt, c);
        let heats = rt > 0.0 || c > 0.0 || time > 0.0;
        if heats {
            if time > 0.0 && rt > 0.0 {
                capacitance = time / rt;
            } else if time > 0.0 && c > 0.0 {
                thermal_resistance = time / c;
            }
            if thermal_resistance <= 0.0 || capacitance <= 0.0 {
                self.error(node.value_loc("thermal"), "a motor's thermal model needs two of its first three numbers")
                    .help("they are thermal resistance, capacitance and time constant");
            }
        }

        a.dyntype = DynType::DcMotor;
        a.biastype = BiasType::DcMotor;
        a.dynprm = [0.0; 10];
        (a.actlimited, a.actearly) = (Tri::False, true);
        if a.ctrlspec == 0 {
            a.ctrlspec = VOLTAGE;
        }
        let [kp, ki, kd, slewmax, imax, vmax] = dc.controller;
        (a.gainprm[0], a.gainprm[1]) = (resistance, k);
        a.gainprm[4..7].copy_from_slice(&[kp, ki, kd]);
        if vmax > 0.0 {
            a.gainprm[7] = vmax;
        }
        a.dynprm[7..9].copy_from_slice(&[slewmax, imax]);
        let [inductance, time] = dc.inductance;
        a.dynprm[0] = if inductance > 0.0 { inductance / resistance } else { time };
        if dc.saturation[2] > 0.0 {
            a.dynprm[1] = dc.saturation[2];
        }
        if heats {
            a.dynprm[2..5].copy_from_slice(&[thermal_resistance, capacitance, ambient]);
            a.gainprm[2..4].copy_from_slice(&[coefficient, reference]);
        }
        a.biasprm[..3].copy_from_slice(&dc.cogging);
        if dc.lugre[0] > 0.0 {
            a.dynprm[5..7].copy_from_slice(&dc.lugre[..2]);
            a.biasprm[3..6].copy_from_slice(&dc.lugre[2..]);
        }
        if node.attribute("saturation").is_some() {
            (a.forcelimited, a.forcerange) = (Tri::Auto, None);
        }
        let [torque, current, _] = dc.saturation;
        if torque > 0.0 || current > 0.0 {
            let most = if torque == 0.0 { k * current } else { torque };
            (a.forcelimited, a.forcerange) = (Tri::True, Some([-most, most]));
        }
    }
}

/// The back-EMF constant: given, or from the nominal operating point, at whose speed without load
/// the motor works against its linear damping B alone, ω = V K / (K² + R B).
fn emf_const_or_nominal(dc: &DcMotor, given: f64, damping: f64) -> f64 {
    let [voltage, stall, speed] = dc.nominal;
    if given > 0.0 || voltage <= 0.0 || speed <= 0.0 {
        return given;
    }
    let undamped = voltage / speed;
    if damping > 0.0 && dc.resistance > 0.0 {
        let discriminant = voltage * voltage - 4.0 * dc.resistance * damping * speed * speed;
        if discriminant > 0.0 { (voltage + discriminant.sqrt()) / (2.0 * speed) } else { undamped }
    } else if damping > 0.0 && stall > 0.0 {
        // The resistance follows from the stall torque: R = K V / τ.
        let exact = undamped - voltage * damping / stall;
        if exact > 0.0 { exact } else { undamped }
    } else {
        undamped
    }
}
