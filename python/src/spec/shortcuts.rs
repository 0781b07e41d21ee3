//! Shortcuts for the parameters of actuators.

use super::element::{AnyForm, Element};
use super::tables::ActuatorForm;
use mj_model::spec::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Damping of a servo, from a coefficient and a ratio of which negative ones are not given.
fn damping(kv: f64, ratio: f64) -> Result<ServoDamping, String> {
    match (kv >= 0.0, ratio >= 0.0) {
        (true, true) => Err("kv and dampratio cannot both be defined".into()),
        (_, true) => Ok(ServoDamping::Ratio(ratio)),
        (true, _) => Ok(ServoDamping::Kv(kv)),
        _ => Ok(ServoDamping::default()),
    }
}

/// Finds numbers by the names of parameters.
struct Numbers(Vec<(String, Vec<f64>)>);

impl Numbers {
    /// The numbers of a parameter; the usual ones where it is not given.
    fn list<const N: usize>(&self, name: &str, usual: [f64; N]) -> Result<[f64; N], String> {
        let Some((_, given)) = self.0.iter().find(|(n, _)| n == name) else { return Ok(usual) };
        given.as_slice().try_into().map_err(|_| format!("{name} should be a list/array of size {N}."))
    }

    fn one(&self, name: &str, usual: f64) -> Result<f64, String> {
        self.list(name, [usual]).map(|[x]| x)
    }

    /// A parameter of which a negative number stands for the usual one.
    fn positive<const N: usize>(&self, name: &str, usual: [f64; N]) -> Result<[f64; N], String> {
        let given = self.list(name, usual)?;
        Ok(std::array::from_fn(|i| if given[i] < 0.0 { usual[i] } else { given[i] }))
    }
}

fn servo(n: &Numbers) -> Result<PositionServo, String> {
    Ok(PositionServo {
        kp: n.one("kp", 1.0)?,
        damping: damping(n.one("kv", -1.0)?, n.one("dampratio", -1.0)?)?,
        timeconst: Some(n.one("timeconst", -1.0)?).filter(|t| *t >= 0.0),
        inheritrange: n.one("inheritrange", 0.0)?,
    })
}

fn muscle(n: &Numbers) -> Result<Muscle, String> {
    let usual = Muscle::default();
    let one = |name, usual: f64| n.positive(name, [usual]).map(|[x]| x);
    Ok(Muscle {
        timeconst: n.positive("timeconst", usual.timeconst)?,
        tausmooth: n.one("tausmooth", 0.0)?,
        range: n.positive("range", usual.range)?,
        force: n.one("force", usual.force)?,
        scale: one("scale", usual.scale)?,
        lmin: one("lmin", usual.lmin)?,
        lmax: one("lmax", usual.lmax)?,
        vmax: one("vmax", usual.vmax)?,
        fpmax: one("fpmax", usual.fpmax)?,
        fvmax: one("fvmax", usual.fvmax)?,
    })
}

fn dcmotor(n: &Numbers) -> Result<DcMotor, String> {
    Ok(DcMotor {
        motorconst: n.list("motorconst", [0.0; 2])?,
        resistance: n.one("resistance", 0.0)?,
        nominal: n.list("nominal", [0.0; 3])?,
        saturation: n.list("saturation", [0.0; 3])?,
        inductance: n.list("inductance", [0.0; 2])?,
        cogging: n.list("cogging", [0.0; 3])?,
        controller: n.list("controller", [0.0; 6])?,
        thermal: n.list("thermal", [0.0; 6])?,
        lugre: n.list("lugre", [0.0; 5])?,
        ctrlspec: n.one("ctrlspec", 0.0)? as i32,
    })
}

/// Codes of the elements that actuators are written with (`mjtActuator`).
const ELEMENTS: &[&str] = &[
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "pid",
    "orientation",
    "dcmotor",
];

fn apply(form: &mut ActuatorForm, element: &str, n: &Numbers) -> Result<(), String> {
    let a = &mut form.e;
    let told = |r: Result<(), ShortcutError>| r.map_err(|e| e.to_string());
    match element {
        "motor" => a.set_to_motor(),
        "position" => told(a.set_to_position(&servo(n)?))?,
        "intvelocity" => {
            let time = n.one("timeconst", -1.0)?;
            told(a.set_to_intvelocity(&servo(n)?))?;
            // It means nothing, and is kept as the reference keeps it.
            if time >= 0.0 {
                a.dynprm[0] = time;
            }
        }
        "velocity" => a.set_to_velocity(n.one("kv", 1.0)?),
        "damper" => told(a.set_to_damper(n.one("kv", 1.0)?))?,
        "cylinder" => {
            let bias = n.one("bias", 0.0)?;
            let diameter = Some(n.one("diameter", -1.0)?).filter(|d| *d >= 0.0);
            let (timeconst, area) = (n.one("timeconst", 1.0)?, n.one("area", 1.0)?);
            a.set_to_cylinder(&Cylinder { timeconst, area, diameter, bias: [bias, 0.0, 0.0] });
        }
        "muscle" => told(a.set_to_muscle(&muscle(n)?))?,
        "adhesion" => told(a.set_to_adhesion(n.one("gain", 1.0)?))?,
        "pid" => {
            let positive = |name| n.positive(name, [0.0]).map(|[x]| x);
            told(a.set_to_pid(&Pid {
                kp: n.one("kp", 1.0)?,
                damping: damping(n.one("kv", -1.0)?, n.one("dampratio", -1.0)?)?,
                ki: positive("ki")?,
                imax: positive("imax")?,
                slewmax: positive("slewmax")?,
                inheritrange: n.one("inheritrange", 0.0)?,
                ctrlspec: n.one("ctrlspec", 0.0)? as i32,
            }))?;
        }
        "orientation" => told(a.set_to_orientation(&OrientationServo {
            kp: n.one("kp", 1.0)?,
            damping: damping(n.one("kv", -1.0)?, n.one("dampratio", -1.0)?)?,
            ctrlspec: n.one("ctrlspec", 0.0)? as i32,
        }))?,
        "dcmotor" => told(a.set_to_dcmotor(&dcmotor(n)?))?,
        _ => return Err(format!("there is no actuator element `{element}`")),
    }
    // Fields are complete: nothing more comes from a class.
    a.class_applied = true;
    form.more.r#type = ELEMENTS.iter().position(|e| *e == element).map_or(0, |i| i as i32);
    Ok(())
}

/// Makes an actuator that of a shortcut with parameters.
#[pyfunction]
pub fn _spec_set_to(
    py: Python,
    actuator: &Bound<'_, Element>,
    element: &str,
    numbers: Vec<(String, Vec<f64>)>,
) -> PyResult<()> {
    let numbers = Numbers(numbers);
    actuator.get().change(py, |form| match form {
        AnyForm::Actuator(form) => apply(form, element, &numbers),
        other => Err(format!("a {} is no actuator", other.kind())),
    })
}

/// Returns an orientation in any form as a quaternion, w first.
#[pyfunction]
pub fn _spec_quat(form: i32, numbers: Vec<f64>, degree: bool, sequence: &str) -> PyResult<[f64; 4]> {
    let wrong = || PyValueError::new_err("the numbers do not fit the form of the orientation");
    let array4 = || <[f64; 4]>::try_from(numbers.as_slice()).map_err(|_| wrong());
    let array3 = || <[f64; 3]>::try_from(numbers.as_slice()).map_err(|_| wrong());
    let orientation = match form {
        1 => Orientation::AxisAngle(array4()?),
        2 => Orientation::XyAxes(numbers.as_slice().try_into().map_err(|_| wrong())?),
        3 => Orientation::ZAxis(array3()?),
        4 => Orientation::Euler(array3()?),
        _ => Orientation::Identity,
    };
    let sequence =
        sequence.as_bytes().try_into().map_err(|_| PyValueError::new_err("the sequence has three letters"))?;
    let q = orientation.resolve(degree, sequence).map_err(PyValueError::new_err)?;
    Ok([q.w, q.x, q.y, q.z])
}
