//! Names and ranges of all that a viewer can set or plot.

use mj_model::{ControlId, JointId, JointType, Model, ObjType};
use std::f64::consts::PI;

/// Number that a user sets by a slider.
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    /// Number of the control or joint.
    pub id: usize,
    /// Name, or kind and number.
    pub name: String,
    /// Least and greatest value.
    pub range: [f64; 2],
}

/// Returns a range that a slider can have.
fn range(limited: bool, range: [f64; 2], reach: f64) -> [f64; 2] {
    let usable = limited && range.iter().all(|x| x.is_finite()) && range[0] < range[1];
    if usable { range } else { [-reach, reach] }
}

/// Returns the controls, by the names of their actuators, with a number where one has several.
pub fn controls(m: &Model) -> Vec<Slider> {
    let mut all = Vec::with_capacity(m.nu());
    for a in m.actuator.ids() {
        let (first, count) = (m.actuator.ctrladr[a] as usize, m.actuator.ctrlnum[a] as usize);
        let name = m.names.display(ObjType::Actuator, a.index());
        for id in first..first + count {
            let c = ControlId::new(id);
            let name = if count == 1 { name.clone() } else { format!("{name} {}", id - first) };
            all.push(Slider { id, name, range: range(m.control.ctrllimited[c], m.control.ctrlrange[c], 1.0) });
        }
    }
    all.sort_by_key(|slider| slider.id);
    all
}

/// Returns the place of a joint's coordinate in `qpos`, if it has one alone.
pub fn coordinate(m: &Model, j: JointId) -> Option<usize> {
    matches!(m.jnt.r#type[j], JointType::Hinge | JointType::Slide).then(|| m.jnt.qposadr[j] as usize)
}

/// Returns the joints that have one coordinate.
pub fn joints(m: &Model) -> impl Iterator<Item = Slider> + '_ {
    m.jnt.ids().filter(|&j| coordinate(m, j).is_some()).map(|j| {
        let reach = if m.jnt.r#type[j] == JointType::Hinge { PI } else { m.stat.extent };
        let name = m.names.display(ObjType::Joint, j.index());
        Slider { id: j.index(), name, range: range(m.jnt.limited[j], m.jnt.range[j], reach) }
    })
}

/// Returns the names of the first numbers of `sensordata`.
pub fn readings(m: &Model, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    for s in m.sensor.ids() {
        let name = m.names.display(ObjType::Sensor, s.index());
        match (m.sensor.dim[s] as usize).min(count) {
            1 => names.push(name),
            dim => names.extend((0..dim).map(|k| format!("{name} {k}"))),
        }
        if names.len() >= count {
            break;
        }
    }
    names.truncate(count);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_engine::Simulation;

    #[test]
    fn ranges_are_those_of_the_model_where_it_has_some() {
        let xml = "<mujoco><statistic extent='3'/><worldbody><body><joint name='a' range='-1 2' limited='true'/><joint type='slide'/>
            <geom size='.1'/><body><joint name='ball' type='ball'/><geom size='.1'/></body></body></worldbody>
            <actuator><motor name='m' joint='a' ctrllimited='true' ctrlrange='-5 5'/><motor joint='a'/></actuator>
            <sensor><clock name='t'/><ballquat joint='ball'/></sensor></mujoco>";
        let sim = Simulation::from_xml(xml).expect("compiles");
        let m = sim.model();
        let slider = |id, name: &str, range| Slider { id, name: name.into(), range };
        let rad = std::f64::consts::PI / 180.0;
        assert_eq!(controls(m), [slider(0, "m", [-5.0, 5.0]), slider(1, "actuator 1", [-1.0, 1.0])]);
        assert_eq!(
            joints(m).collect::<Vec<_>>(),
            [slider(0, "a", [-rad, 2.0 * rad]), slider(1, "joint 1", [-3.0, 3.0])]
        );
        assert_eq!(readings(m, 64), ["t", "sensor 1 0", "sensor 1 1", "sensor 1 2", "sensor 1 3"]);
        assert_eq!(readings(m, 2), ["t", "sensor 1 0"]);
    }
}
