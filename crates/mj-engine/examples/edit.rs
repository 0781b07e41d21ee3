//! Builds a pendulum by program, simulates it, hangs a second one on it, and goes on; saves the
//! result as MJCF.

use mj_engine::{Data, Spec, step};
use mj_model::GeomType;
use mj_model::spec::{Body, Geom, Joint, Part};

fn link(name: &str) -> Body {
    Body {
        name: name.into(),
        joints: vec![Joint { name: format!("{name}_hinge"), axis: mj_math::DVec3::Y, ..Default::default() }],
        geoms: vec![Geom {
            r#type: GeomType::Capsule,
            size: [0.02, f64::NAN, f64::NAN],
            fromto: Some([0.0, 0.0, 0.0, 0.5, 0.0, 0.0]),
            ..Default::default()
        }],
        ..Default::default()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let compile = |spec: &Spec| mj_compile::compile(spec).0.ok_or("the model has errors");
    let mut spec = Spec::default();
    spec.worldbody.bodies.push(link("upper"));
    let first = compile(&spec)?;
    let mut data = Data::new(&first)?;
    for _ in 0..200 {
        step(&first, &mut data);
    }

    let mut arm = Spec::default();
    arm.worldbody.bodies.push(link("arm"));
    spec.attach("upper", None, &arm, Part::Body("arm"), "lower_", "")?;
    let second = compile(&spec)?;
    let state = data.state.carried(&first, &second);
    println!("t = {} s: {:.4} rad, and {:.4} rad of the new joint", state.time, state.qpos[0], state.qpos[1]);
    let mut data = Data::new(&second)?;
    data.state = state;
    for _ in 0..200 {
        step(&second, &mut data);
    }
    println!("t = {:.1} s: {:.4} rad and {:.4} rad", data.state.time, data.state.qpos[0], data.state.qpos[1]);
    print!("{}", mj_mjcf::write(&spec));
    Ok(())
}
