//! Draws a slice of a built-in shape with characters: `cargo run -p mj-plugins --example slice -- mujoco.sdf.gear`.

use mj_model::plugin::SdfPlugin;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| "mujoco.sdf.gear".to_string());
    let registry = mj_plugins::builtin();
    let shape =
        registry.find(&name).and_then(|(_, t)| t.instance(&vec![String::new(); t.attributes().len()]).ok()?.sdf);
    match shape {
        Some(shape) => print!("{}", slice(&*shape)),
        None => eprintln!("`{name}` is no built-in shape"),
    }
}

/// The plane of x and y: `#` inside, and how far outside in tenths of the shape's size.
fn slice(shape: &dyn SdfPlugin) -> String {
    let half = shape.bounds();
    let mut out = String::new();
    for row in 0..36 {
        for column in 0..72 {
            let at = [f64::from(column) / 35.5 - 1.0, 1.0 - f64::from(row) / 17.5, 0.0];
            let dist = shape.distance(half * mj_math::DVec3::from_array(at)) / half.max_element();
            out.push(if dist < 0.0 { '#' } else { char::from(b'0' + (dist * 10.0).min(9.0) as u8) });
        }
        out.push('\n');
    }
    out
}
