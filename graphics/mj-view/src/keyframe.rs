//! States as MJCF.

use mj_engine::Data;
use mj_model::Model;
use std::fmt::Write;

/// Returns the present state as an element `key`, with all that is not empty.
pub(crate) fn text(m: &Model, d: &Data) -> String {
    let state = &d.state;
    let mut out = format!("<key time=\"{}\"", state.time);
    let mut write = |name: &str, values: &[f64]| {
        if !values.is_empty() {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            let _ = write!(out, " {name}=\"{}\"", values.join(" "));
        }
    };
    write("qpos", &state.qpos);
    write("qvel", &state.qvel);
    write("act", &state.act);
    write("ctrl", &state.ctrl);
    let positions: Vec<f64> = state.mocap_pos.iter().flat_map(|p| p.to_array()).collect();
    write("mpos", &positions);
    let turns: Vec<f64> = state.mocap_quat.iter().flat_map(|q| [q.w, q.x, q.y, q.z]).collect();
    write("mquat", &turns);
    debug_assert_eq!(state.qpos.len(), m.nq());
    out + "/>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_engine::Simulation;

    const BODIES: &str = "<worldbody><body><joint/><geom size='.1'/></body>
        <body mocap='true' pos='1 2 3'><geom size='.1'/></body></worldbody><actuator><motor joint='j'/></actuator>";

    #[test]
    fn a_copied_state_loads_as_a_keyframe() {
        let bodies = BODIES.replace("<joint/>", "<joint name='j'/>");
        let mut sim = Simulation::from_xml(&format!("<mujoco>{bodies}</mujoco>")).expect("compiles");
        sim.set_ctrl(0, 0.1).expect("is there");
        sim.steps(10).expect("runs");
        let key = text(sim.model(), sim.data());
        let xml = format!("<mujoco>{bodies}<keyframe>{key}</keyframe></mujoco>");
        let mut again = Simulation::from_xml(&xml).expect("compiles");
        again.reset_to_key(0).expect("is there");
        assert_eq!(again.qpos(), sim.qpos());
        assert_eq!(again.qvel(), sim.qvel());
        assert_eq!(again.ctrl(), sim.ctrl());
        assert_eq!(again.time(), sim.time());
    }
}
