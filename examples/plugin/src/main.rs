//! Plugins of one's own, one of each kind: a shape, an actuator, a sensor, passive forces.
#![forbid(unsafe_code)]

use mj_engine::model::plugin::{
    ActuatorPlugin, ActuatorView, Instance, PassivePlugin, PassiveView, PluginType, Registry, SdfPlugin, SensorPlugin,
    SensorView,
};
use mj_engine::model::{BodyId, IdVec, SensorId, SiteId, Stage};
use mj_engine::{DVec3, Data, Loaded, Memory, Model, State, builtin_plugins, load_with_plugins, step};
use std::path::Path;

const MODEL: &str = r#"
<mujoco>
  <extension>
    <plugin plugin="example.arc"><instance name="hook"><config key="radius" value=".2"/></instance></plugin>
    <plugin plugin="example.tiring_motor"/>
    <plugin plugin="example.wind_gauge"/>
    <plugin plugin="example.wind"/>
  </extension>
  <asset><mesh name="hook"><plugin instance="hook"/></mesh></asset>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <geom type="sphere" size=".1" pos="0 .15 .2"/>
    <body pos="0 0 .5">
      <plugin plugin="example.wind"><config key="speed" value="3"/></plugin>
      <freejoint/>
      <geom type="sdf" mesh="hook" density="200"><plugin instance="hook"/></geom>
      <site name="vane"/>
    </body>
    <body pos="1 0 .5"><joint name="hinge" axis="0 1 0"/><geom size=".05" fromto="0 0 0 0 0 -.3" type="capsule"/></body>
  </worldbody>
  <actuator>
    <plugin plugin="example.tiring_motor" joint="hinge"><config key="force" value="2"/></plugin>
  </actuator>
  <sensor>
    <plugin name="wind" plugin="example.wind_gauge" objtype="site" objname="vane"><config key="speed" value="3"/></plugin>
  </sensor>
</mujoco>"#;

/// Half a ring in the plane of x and y, as thick as a finger.
#[derive(Debug)]
struct Arc {
    radius: f64,
}

impl SdfPlugin for Arc {
    fn distance(&self, p: DVec3) -> f64 {
        // From the half circle with y > 0, or from the nearer of its ends.
        let ring = if p.y > 0.0 { p.truncate().length() - self.radius } else { 0.0 };
        let end = DVec3::new(p.x.abs() - self.radius, p.y, p.z);
        let from_arc = if p.y > 0.0 { ring.hypot(p.z) } else { end.length() };
        from_arc - 0.2 * self.radius
    }

    fn bounds(&self) -> DVec3 {
        DVec3::new(1.3, 1.3, 0.3) * self.radius
    }
}

/// A motor whose force falls as it works: its state is the work done.
#[derive(Debug)]
struct TiringMotor {
    force: f64,
}

impl ActuatorPlugin for TiringMotor {
    fn forces(&self, view: &ActuatorView, _act_dot: &[f64], force: &mut [f64]) {
        for &a in view.actuators {
            let m = view.model;
            let control = view.state.ctrl[m.actuator.ctrladr[a] as usize];
            force[m.actuator.outadr[a] as usize] = control * self.force * (-view.plugin_state[0]).exp();
        }
    }

    fn advance(&self, m: &Model, s: &State, state: &mut [f64]) {
        state[0] += m.opt.timestep * s.ctrl.iter().map(|u| u.abs()).sum::<f64>();
    }
}

/// Wind along x, stronger with height.
fn wind(speed: f64, at: DVec3) -> DVec3 {
    DVec3::X * speed * at.z.max(0.0)
}

/// Wind as it is felt at a site, in the site's frame.
#[derive(Debug)]
struct WindGauge {
    speed: f64,
}

impl SensorPlugin for WindGauge {
    fn dim(&self) -> usize {
        3
    }

    fn stage(&self) -> Stage {
        Stage::Pos
    }

    fn read(&self, view: &SensorView, sensor: SensorId, out: &mut [f64]) {
        let site = SiteId::new(view.model.sensor.objid[sensor] as usize);
        let felt = view.site_xmat[site].transpose() * wind(self.speed, view.site_xpos[site]);
        felt.write_to_slice(out);
    }
}

/// Drag of the wind on bodies.
#[derive(Debug)]
struct Wind {
    speed: f64,
}

impl PassivePlugin for Wind {
    fn forces(&self, view: &PassiveView, _qfrc: &mut [f64], wrenches: &mut IdVec<BodyId, [f64; 6]>) {
        for &b in view.bodies {
            wind(self.speed, view.xipos[b]).write_to_slice(&mut wrenches[b][..3]);
        }
    }
}

/// The built-in plugins, and those above.
fn registry() -> Registry {
    let mut plugins = builtin_plugins();
    plugins.add(PluginType::new("example.arc", &["radius"], |config| {
        Ok(Instance::sdf(Arc { radius: config.number("radius")?.unwrap_or(0.1) }))
    }));
    plugins.add(PluginType::new("example.tiring_motor", &["force"], |config| {
        Ok(Instance::actuator(TiringMotor { force: config.number("force")?.unwrap_or(1.0) }).with_state(1))
    }));
    plugins.add(PluginType::new("example.wind_gauge", &["speed"], |config| {
        Ok(Instance::sensor(WindGauge { speed: config.number("speed")?.unwrap_or(1.0) }))
    }));
    plugins.add(PluginType::new("example.wind", &["speed"], |config| {
        Ok(Instance::passive(Wind { speed: config.number("speed")?.unwrap_or(1.0) }))
    }));
    plugins
}

fn load() -> Result<Loaded, mj_engine::LoadError> {
    let mut files = Memory::new();
    files.insert("model.xml", MODEL);
    load_with_plugins(Path::new("model.xml"), &files, &registry())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let m = load()?.model;
    let mut d = Data::new(&m)?;
    d.state.ctrl[0] = 1.0;
    for i in 0..=1000 {
        step(&m, &mut d)?;
        if i % 250 == 0 {
            let motor = d.smooth.actuation.actuator_force.as_slice()[0];
            println!(
                "{:.2} s: {} contacts, hook at {:.3} m, motor {motor:.3} N m, wind {:.3} m/s",
                d.state.time,
                d.contacts.len(),
                d.smooth.poses.xpos[BodyId::new(1)],
                DVec3::from_slice(&d.sensordata).length(),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_four_act() {
        let m = load().unwrap().model;
        let mut d = Data::new(&m).unwrap();
        d.state.ctrl[0] = 1.0;
        (0..400).for_each(|_| step(&m, &mut d).unwrap());
        // The motor is tired, the hook lies on something.
        let (h, force) = (m.opt.timestep, d.smooth.actuation.actuator_force.as_slice()[0]);
        assert!(
            (force - 2.0 * (-399.0 * h).exp()).abs() < 1e-12 && (d.state.plugin_state[0] - 400.0 * h).abs() < 1e-12
        );
        assert!(d.sensordata[0].abs() > 0.0 && !d.contacts.is_empty());
    }

    /// A wrench that a plugin gives acts on the body: before the hook meets anything, it is pushed along x alone.
    #[test]
    fn the_wind_pushes() {
        let m = load().unwrap().model;
        let mut d = Data::new(&m).unwrap();
        step(&m, &mut d).unwrap();
        let (drag, mass) = (3.0 * 0.5, m.body.mass[BodyId::new(1)]);
        assert!(
            (d.qacc[0] - drag / mass).abs() < 1e-9 * drag && (d.smooth.velocities.qfrc_passive[0] - drag).abs() < 1e-12
        );
    }

    #[test]
    fn without_them_the_loader_names_them_and_their_places() {
        let problem = mj_engine::load_str(MODEL).unwrap_err().to_string();
        assert!(
            problem.contains("plugin `example.arc` is not registered") && problem.contains("model.xml:4:"),
            "{problem}"
        );
        assert!(problem.contains("`mujoco.pid`"), "{problem}");
    }
}
