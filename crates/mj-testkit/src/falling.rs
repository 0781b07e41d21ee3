//! Undamped flexes that fall from rest and swing: their energy should stay.

/// A soft beam of tetrahedra, fixed at one end.
pub const BEAM: &str = r#"<mujoco><option timestep="0.0005"><flag energy="enable"/></option><worldbody>
  <flexcomp name="beam" type="grid" dim="3" count="8 3 3" spacing="0.05 0.05 0.05" radius="0.001" mass="3.5">
    <contact selfcollide="none" contype="0" conaffinity="0"/>
    <elasticity young="1e5" poisson="0.3"/>
    <pin gridrange="0 0 0 0 2 2"/>
  </flexcomp></worldbody></mujoco>"#;

/// A cloth that stretches and bends, held at two corners.
pub const CLOTH: &str = r#"<mujoco><option timestep="0.0005"><flag energy="enable"/></option><worldbody>
  <flexcomp name="cloth" type="grid" dim="2" count="8 8 1" spacing="0.05 0.05 0.05" radius="0.001" mass="0.1">
    <contact selfcollide="none" contype="0" conaffinity="0"/>
    <elasticity young="1e5" poisson="0.3" thickness="0.002" elastic2d="both"/>
    <pin id="0 7"/>
  </flexcomp></worldbody></mujoco>"#;

/// Both scenes by name.
pub const SCENES: [(&str, &str); 2] = [("beam", BEAM), ("cloth", CLOTH)];

/// Integrators that take elastic flexes.
pub const INTEGRATORS: [&str; 3] = ["Euler", "RK4", "discrete"];

/// Steps between two records.
pub const STEPS: usize = 40;
/// Number of records after the first.
pub const RECORDS: usize = 150;
