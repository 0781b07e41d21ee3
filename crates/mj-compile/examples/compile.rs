//! Builds a pendulum, compiles it, and shows what the compiler worked out; then makes mistakes.
//! `cargo run -p mj-compile --example compile`

use mj_model::spec::{Actuator, Body, Geom, Joint, Sensor};
use mj_model::{GeomType, ObjType, SensorType, Spec, TrnType};

fn main() {
    let mut spec = Spec::default();
    spec.worldbody.bodies.push(Body {
        name: "pendulum".into(),
        joints: vec![Joint { name: "pivot".into(), springdamper: [0.5, 1.0], ..Default::default() }],
        geoms: vec![Geom {
            r#type: GeomType::Capsule,
            fromto: Some([0.0, 0.0, 0.0, 0.5, 0.0, 0.0]),
            size: [0.02, f64::NAN, f64::NAN],
            ..Default::default()
        }],
        ..Default::default()
    });
    let (model, problems) = mj_compile::compile(&spec);
    for p in &problems.list {
        println!("{}", spec.sources.render(p));
    }
    if let Some(m) = model {
        let (body, joint) = (m.body_id("pendulum").unwrap_or_default(), m.joint_id("pivot").unwrap_or_default());
        let dof = m.jnt.dofadr[joint];
        println!("mass               {:.4} kg, centre of mass at {:.3}", m.body.mass[body], m.body.ipos[body]);
        println!("principal moments  {:.6} kg m²", m.body.inertia[body]);
        println!("inertia at pivot   {:.4} kg m²", m.dof.M0[dof]);
        println!(
            "stiffness          {:.4} N m/rad, damping {:.4} N m s/rad",
            m.jnt.stiffness[joint], m.dof.damping[dof]
        );
        println!("extent             {:.3} m about {:.3}", m.stat.extent, m.stat.center);
    }

    // Every mistake is reported, not only the first.
    spec.worldbody.bodies[0].geoms[0].size[0] = -1.0;
    spec.actuators.push(Actuator { trntype: TrnType::Joint, target: "pivto".into(), ..Default::default() });
    spec.sensors.push(Sensor {
        r#type: SensorType::BallQuat,
        objtype: ObjType::Joint,
        objname: "pivot".into(),
        ..Default::default()
    });
    println!();
    for p in &mj_compile::compile(&spec).1.list {
        println!("{}", spec.sources.render(p));
    }
}
