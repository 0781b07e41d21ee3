//! Undamped flexes that fall from rest and swing: their energy should stay.

/// A soft beam of tetrahedra, fixed at one end.
pub const BEAM: &str = r#"<mujoco><option timestep="0.0005"><flag energy="enable"/></option><worldbody>
  <flexcomp name="beam" type="grid" dim="3" count="8 3 3" spacing="0.05 0.05 0.05" radius="0.001" mass="3.5">
    <contact selfcollide="none" contype="0" conaffinity="0"/>
    <elasticity young="1e5" poisson="0.3"/>
    <pin gridrange="0 0 0 0 2 2"/>
  </flexcomp></worldbody></mujoco>"#;

/// A cloth that stretches and bends, held at its four corners.
pub const CLOTH: &str = r#"<mujoco><option timestep="0.0005"><flag energy="enable"/></option><worldbody>
  <flexcomp name="cloth" type="grid" dim="2" count="8 8 1" spacing="0.05 0.05 0.05" radius="0.001" mass="0.1">
    <contact selfcollide="none" contype="0" conaffinity="0"/>
    <elasticity young="2e4" poisson="0.3" thickness="0.002" elastic2d="both"/>
    <pin id="0 7 56 63"/>
  </flexcomp></worldbody></mujoco>"#;

/// A stiffer cloth, held at two corners. Its motion is chaotic.
pub const FLAG: &str = r#"<mujoco><option timestep="0.0005"><flag energy="enable"/></option><worldbody>
  <flexcomp name="flag" type="grid" dim="2" count="8 8 1" spacing="0.05 0.05 0.05" radius="0.001" mass="0.1">
    <contact selfcollide="none" contype="0" conaffinity="0"/>
    <elasticity young="1e5" poisson="0.3" thickness="0.002" elastic2d="both"/>
    <pin id="0 7"/>
  </flexcomp></worldbody></mujoco>"#;

/// Scenes whose motion can be told for seconds, by name.
pub const SCENES: [(&str, &str); 2] = [("beam", BEAM), ("cloth", CLOTH)];

/// Integrators that take elastic flexes.
pub const INTEGRATORS: [&str; 3] = ["Euler", "RK4", "discrete"];

/// Steps between two records.
pub const STEPS: usize = 40;
/// Number of records after the first.
pub const RECORDS: usize = 150;

/// Starts of the chaotic scene.
pub const STARTS: usize = 8;

/// Moves the positions at rest to those of a start: by up to a nanometre.
pub fn start(number: usize, qpos: &mut [f64]) {
    qpos.iter_mut().enumerate().for_each(|(i, q)| *q += 1e-9 * (((i + 1) * (number + 1)) as f64).sin());
}
