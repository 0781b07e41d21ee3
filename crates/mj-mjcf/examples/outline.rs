//! Prints the outline of a model: its tree, and how much there is of everything else.
//!
//! ```text
//! cargo run -p mj-mjcf --example outline -- model.xml
//! ```

use mj_mjcf::{FileSystem, read};
use mj_model::spec::Body;
use std::process::ExitCode;

fn names<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    let list: Vec<&str> = names.map(|n| if n.is_empty() { "·" } else { n.as_str() }).collect();
    (!list.is_empty()).then(|| format!("{what}: {}", list.join(" ")))
}

fn outline(body: &Body, depth: usize) {
    let name = if body.name.is_empty() { "·" } else { &body.name };
    let parts: Vec<String> = [
        names("joints", body.joints.iter().map(|j| &j.name)),
        names("geoms", body.geoms.iter().map(|g| &g.name)),
        names("sites", body.sites.iter().map(|s| &s.name)),
        names("cameras", body.cameras.iter().map(|c| &c.name)),
        names("lights", body.lights.iter().map(|l| &l.name)),
    ]
    .into_iter()
    .flatten()
    .collect();
    println!("{}{name}  {}", "  ".repeat(depth), parts.join("; "));
    for child in &body.bodies {
        outline(child, depth + 1);
    }
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: outline MODEL.xml");
        return ExitCode::from(2);
    };
    let (spec, report) = read(&path, &FileSystem::default());
    eprint!("{report}");
    let Some(spec) = spec else {
        return ExitCode::FAILURE;
    };
    println!("{} (timestep {} s)", spec.modelname, spec.option.timestep);
    outline(&spec.worldbody, 0);
    for (what, n) in [
        ("default classes", spec.defaults.len()),
        ("textures", spec.textures.len()),
        ("materials", spec.materials.len()),
        ("contact pairs", spec.pairs.len()),
        ("contact exclusions", spec.excludes.len()),
        ("equality constraints", spec.equalities.len()),
        ("tendons", spec.tendons.len()),
        ("actuators", spec.actuators.len()),
        ("sensors", spec.sensors.len()),
        ("keyframes", spec.keys.len()),
    ] {
        if n > 0 {
            println!("{what}: {n}");
        }
    }
    ExitCode::SUCCESS
}
