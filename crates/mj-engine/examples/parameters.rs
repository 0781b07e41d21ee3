//! Times the Jacobian of a step by thirty parameters of some models in motion: in closed form, and by centered differences of the
//! step.
//!
//!     RAYON_NUM_THREADS=1 cargo run --release -p mj-engine --example parameters -- models/humanoid.xml

use mj_engine::model::model::ModelParameter;
use mj_engine::{Data, Model, StepDerivative, load, parameter_derivative, set_const, step};
use std::time::Instant;

/// Fields whose numbers are parameters, one of each in turn.
const FIELDS: [&str; 9] = [
    "body_mass",
    "body_ipos",
    "body_inertia",
    "dof_armature",
    "dof_damping",
    "actuator_gainprm",
    "geom_friction",
    "geom_solref",
    "geom_solimp",
];
const COUNT: usize = 30;
const STEPS: usize = 30;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "{:28} {:>4} {:>9} {:>5} {:>12} {:>12} {:>6}",
        "model", "nv", "contacts", "np", "closed, µs", "differences", "times"
    );
    for path in std::env::args().skip(1) {
        let m = load(&path)?;
        let list = parameters(&m);
        let mut d = Data::new(&m)?;
        for (i, v) in d.state.qvel.iter_mut().enumerate() {
            *v += 0.3 * (i as f64 + 1.0).sin();
        }
        for _ in 0..STEPS {
            step(&m, &mut d)?;
        }
        let mut out = StepDerivative::default();
        let alone = least(|| parameter_derivative(&m, &mut d, &[], &mut out))?;
        let with = least(|| parameter_derivative(&m, &mut d, &list, &mut out))?;
        let by_differences = out.by_differences.iter().filter(|x| **x).count();
        let each = (with - alone) / list.len() as f64;
        let start = d.state.clone();
        let differences = least(|| -> Result<(), Box<dyn std::error::Error>> {
            for p in &list {
                let value = p.value(&m).ok_or("a parameter of no model")?;
                let h = 1e-6 * value.abs().max(1e-3);
                for x in [value + h, value - h] {
                    let mut nudged = m.clone();
                    p.set(&mut nudged, x)?;
                    set_const(&mut nudged)?;
                    step(&nudged, &mut d)?;
                    d.state.clone_from(&start);
                }
            }
            Ok(())
        })?;
        let differences = differences / list.len() as f64;
        println!(
            "{path:28} {:4} {:9} {:5} {each:12.2} {differences:12.2} {:6.1}",
            m.nv(),
            d.contacts.list.len(),
            list.len(),
            differences / each
        );
        if by_differences > 0 {
            println!("    {by_differences} columns by differences");
        }
    }
    Ok(())
}

/// Thirty numbers of the model, where it has as many.
fn parameters(m: &Model) -> Vec<ModelParameter> {
    let mut list = Vec::new();
    for row in 1..=COUNT {
        for field in FIELDS {
            let width = m.field(field).map_or(1, |f| f.shape.iter().skip(1).product::<usize>());
            let text = if width > 1 { format!("{field}[{row},0]") } else { format!("{field}[{row}]") };
            list.extend(ModelParameter::parse(m, &text));
        }
    }
    list.truncate(COUNT);
    list
}

/// Least time of a call in some fifty, µs.
fn least<E>(mut call: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut best = f64::INFINITY;
    for _ in 0..50 {
        let start = Instant::now();
        call()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(best)
}
