//! `mj info`: what is in a model.

use crate::bundled;
use crate::failure::Failure;
use mj_engine::Model;
use mj_model::*;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::io::Write as _;

/// Prints what is in a model: sizes, tree, actuators, sensors, options, total mass.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

const HELP: &str = "\
Examples:
  mj info humanoid
  mj info humanoid --json

With --json, standard output is one object: model, mass (kg), options (every option by name, enums by code), sizes,
bodies (id, name, parent, mass, joints, geoms), actuators (id, name, transmission, target, ctrlrange or null) and sensors
(id, name, type, object, dim).";

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let m = bundled::open(&args.model)?.model;
    let text = if args.json { format!("{}\n", json(&m)) } else { describe(&m) };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// Describes a model as one object.
fn json(m: &Model) -> Value {
    let mut options = Map::new();
    m.opt.visit(&mut |name, shape, data| {
        let numbers = data.to_f64();
        let value = if shape.is_empty() { numbers.first().map_or(Value::Null, |x| number(*x)) } else { list(&numbers) };
        options.insert(name.into(), value);
    });
    let sizes: Map<_, _> = m.sizes().into_iter().map(|(name, n)| (name.to_string(), json!(n))).collect();
    let bodies = m.body.ids().map(|b| {
        let joints = id_range(m.body.jntadr[b], m.body.jntnum[b])
            .map(|j| json!({ "name": m.names.get(ObjType::Joint, j.index()), "type": m.jnt.r#type[j].keyword() }));
        let geoms = id_range(m.body.geomadr[b], m.body.geomnum[b])
            .map(|g| json!({ "name": m.names.get(ObjType::Geom, g.index()), "type": m.geom.r#type[g].keyword() }));
        json!({
            "id": b.index(),
            "name": m.names.get(ObjType::Body, b.index()),
            "parent": m.body.parentid[b].index(),
            "mass": m.body.mass[b],
            "joints": joints.collect::<Vec<_>>(),
            "geoms": geoms.collect::<Vec<_>>(),
        })
    });
    let actuators = m.actuator.ids().map(|a| {
        json!({
            "id": a.index(),
            "name": m.names.get(ObjType::Actuator, a.index()),
            "transmission": m.actuator.trntype[a].keyword(),
            "target": target(m, a),
            "ctrlrange": control_range(m, a),
        })
    });
    let sensors = m.sensor.ids().map(|i| {
        json!({
            "id": i.index(),
            "name": m.names.get(ObjType::Sensor, i.index()),
            "type": m.sensor.r#type[i].keyword(),
            "object": usize::try_from(m.sensor.objid[i]).ok().map(|k| m.names.describe(m.sensor.objtype[i], k)),
            "dim": m.sensor.dim[i],
        })
    });
    json!({
        "model": m.modelname,
        "mass": m.body.subtreemass.get(BodyId::WORLD),
        "options": options,
        "sizes": sizes,
        "bodies": bodies.collect::<Vec<_>>(),
        "actuators": actuators.collect::<Vec<_>>(),
        "sensors": sensors.collect::<Vec<_>>(),
    })
}

/// Returns a JSON number, an integer where it is one.
fn number(x: f64) -> Value {
    if x.fract() == 0.0 && x.abs() < 1e15 { json!(x as i64) } else { json!(x) }
}

fn list(numbers: &[f64]) -> Value {
    numbers.iter().map(|x| number(*x)).collect()
}

fn describe(m: &Model) -> String {
    let mut s = String::new();
    let o = &m.opt;
    let name = if m.modelname.is_empty() { "(unnamed)" } else { &m.modelname };
    let mass = m.body.subtreemass.get(BodyId::WORLD).copied().unwrap_or(0.0);
    let _ = writeln!(s, "model       {name}");
    let _ = writeln!(s, "mass        {mass:.4} kg");
    let _ = writeln!(
        s,
        "options     timestep {} s, {} integrator, {} solver, {} cone",
        o.timestep,
        o.integrator.keyword(),
        o.solver.keyword(),
        o.cone.keyword()
    );
    let present: Vec<_> = m.sizes().into_iter().filter(|&(_, n)| n > 0).map(|(k, n)| format!("{k} {n}")).collect();
    for (i, line) in present.chunks(8).enumerate() {
        let _ = writeln!(s, "{:12}{}", if i == 0 { "sizes" } else { "" }, line.join(", "));
    }
    tree(m, &mut s);
    actuators(m, &mut s);
    sensors(m, &mut s);
    s
}

/// The bodies, each under its parent, with joints and geoms. Bodies come parents first, so that one
/// pass in order prints the tree.
fn tree(m: &Model, s: &mut String) {
    let _ = writeln!(s, "\ntree");
    let mut depth = vec![0; m.body.len()];
    for b in m.body.ids() {
        if b != BodyId::WORLD {
            depth[b.index()] = depth[m.body.parentid[b].index()] + 1;
        }
        let joints: Vec<_> = id_range(m.body.jntadr[b], m.body.jntnum[b])
            .map(|j| {
                format!("{} {}", m.jnt.r#type[j].keyword(), m.names.get(ObjType::Joint, j.index())).trim().to_string()
            })
            .collect();
        let geoms: Vec<_> =
            id_range(m.body.geomadr[b], m.body.geomnum[b]).map(|g| m.geom.r#type[g].keyword()).collect();
        let _ = write!(s, "  {:indent$}{}", "", body_name(m, b), indent = 2 * depth[b.index()]);
        if b != BodyId::WORLD {
            let _ = write!(s, "  {:.4} kg", m.body.mass[b]);
        }
        if !joints.is_empty() {
            let _ = write!(s, "  [{}]", joints.join(", "));
        }
        if !geoms.is_empty() {
            let _ = write!(s, "  {}", geoms.join(" "));
        }
        s.push('\n');
    }
}

fn body_name(m: &Model, b: BodyId) -> String {
    match m.names.get(ObjType::Body, b.index()) {
        "" => format!("body {}", b.index()),
        name => name.to_string(),
    }
}

fn actuators(m: &Model, s: &mut String) {
    if m.actuator.is_empty() {
        return;
    }
    let _ = writeln!(s, "\nactuators");
    for a in m.actuator.ids() {
        let target = target(m, a);
        let range = control_range(m, a).map_or(String::new(), |[lo, hi]| format!("  control {lo} … {hi}"));
        let name = m.names.describe(ObjType::Actuator, a.index());
        let _ = writeln!(s, "  {name}  {} {target}{range}", m.actuator.trntype[a].keyword());
    }
}

/// Returns the name of the element that an actuator acts on.
fn target(m: &Model, a: ActuatorId) -> &str {
    usize::try_from(m.actuator.trnid[a][0]).map_or("", |i| {
        let kind = match m.actuator.trntype[a] {
            TrnType::Tendon => ObjType::Tendon,
            TrnType::Site | TrnType::SliderCrank | TrnType::So3 => ObjType::Site,
            TrnType::Body => ObjType::Body,
            _ => ObjType::Joint,
        };
        m.names.get(kind, i)
    })
}

/// Returns the limits of an actuator's first control, if it has some.
fn control_range(m: &Model, a: ActuatorId) -> Option<[f64; 2]> {
    let control = ControlId::new(m.actuator.ctrladr[a] as usize);
    m.control.ctrlrange.get(control).copied().filter(|_| m.control.ctrllimited[control])
}

fn sensors(m: &Model, s: &mut String) {
    if m.sensor.is_empty() {
        return;
    }
    let _ = writeln!(s, "\nsensors");
    for i in m.sensor.ids() {
        let object =
            usize::try_from(m.sensor.objid[i]).map_or(String::new(), |k| m.names.describe(m.sensor.objtype[i], k));
        let name = m.names.describe(ObjType::Sensor, i.index());
        let _ = writeln!(s, "  {name}  {} {object}  dim {}", m.sensor.r#type[i].keyword(), m.sensor.dim[i]);
    }
}
