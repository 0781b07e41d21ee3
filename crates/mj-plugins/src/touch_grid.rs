//! Touch grids: forces of contacts as images over the directions in which they lie from a site.

use mj_math::{DMat3, DVec3, real};
use mj_model::plugin::{Config, ConfigError, Instance, PluginType, SensorPlugin, SensorView};
use mj_model::{Model, ObjType, SensorId, SiteId};

/// Most channels: force and torque.
const CHANNELS: usize = 6;

/// Borders of the cells, along the azimuth and the elevation, in radians.
#[derive(Debug)]
struct TouchGrid {
    channels: usize,
    azimuths: Vec<f64>,
    elevations: Vec<f64>,
}

pub(crate) fn plugin() -> PluginType {
    PluginType::new("mujoco.sensor.touch_grid", &["nchannel", "size", "fov", "gamma"], |config: &Config| {
        let count = |key: &'static str, x: f64, most: f64| {
            let whole = x.trunc();
            let range = format!("{x} is not between 1 and {most}");
            if (1.0..=most).contains(&whole) { Ok(whole as usize) } else { Err(ConfigError::new(key, range)) }
        };
        let pair = |key: &'static str| match config.numbers(key)?[..] {
            [a, b] => Ok([a, b]),
            ref other => Err(ConfigError::new(
                key,
                format!("it has {} numbers, where one horizontal and one vertical are needed", other.len()),
            )),
        };
        let channels = config.number("nchannel")?.filter(|&n| n != 0.0).unwrap_or(1.0);
        let channels = count("nchannel", channels, CHANNELS as f64)?;
        let [columns, rows] = pair("size")?;
        let (columns, rows) = (count("size", columns, 4096.0)?, count("size", rows, 4096.0)?);
        let fov = pair("fov")?;
        for (angle, most) in fov.into_iter().zip([180.0, 90.0]) {
            if !(angle > 0.0 && angle <= most) {
                return Err(ConfigError::new("fov", format!("{angle} degrees are not between 0 and {most}")));
            }
        }
        let gamma = config.number("gamma")?.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&gamma) {
            return Err(ConfigError::new("gamma", format!("{gamma} is not between 0 and 1")));
        }
        let [azimuths, elevations] = [(columns, fov[0]), (rows, fov[1])].map(|(n, fov)| borders(n, fov, gamma));
        Ok(Instance::sensor(TouchGrid { channels, azimuths, elevations }))
    })
}

/// Borders of cells over a field of view in degrees, denser in the middle by a deformation between 0 and 1.
fn borders(cells: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let step = 2.0 / cells as f64;
    let unit = std::iter::successors(Some(-1.0), |x: &f64| Some(x + step)).take(cells + 1);
    let deformed = unit.map(|x| if gamma == 0.0 { x } else { gamma * real::pow(x, 5.0) + (1.0 - gamma) * x });
    deformed.map(|x| x * (fov * std::f64::consts::PI / 180.0)).collect()
}

/// Cell between whose borders a number lies, the upper one included.
fn cell(borders: &[f64], x: f64) -> Option<usize> {
    let above = borders.partition_point(|&border| border < x);
    (above > 0 && above < borders.len()).then(|| above - 1)
}

impl SensorPlugin for TouchGrid {
    fn dim(&self) -> usize {
        self.channels * (self.azimuths.len() - 1) * (self.elevations.len() - 1)
    }

    fn check(&self, m: &Model, sensor: SensorId) -> Result<(), String> {
        if m.sensor.objtype[sensor] == ObjType::Site { Ok(()) } else { Err("a touch grid is at a site".into()) }
    }

    fn read(&self, view: &SensorView, sensor: SensorId, out: &mut [f64]) {
        let m = view.model;
        let site = SiteId::new(m.sensor.objid[sensor] as usize);
        let body = m.body.weldid[m.site.bodyid[site]];
        let (origin, axes): (DVec3, DMat3) = (view.site_xpos[site], view.site_xmat[site]);
        let (columns, image) = (self.azimuths.len() - 1, out.len() / self.channels);
        for contact in view.contacts {
            let sides = contact.geom.map(|g| g.map(|g| m.geom.bodyid[g]));
            if !sides.iter().flatten().any(|&b| m.body.weldid[b] == body) {
                continue;
            }
            // Directions from the site: it looks along its negative z axis.
            let p = axes.transpose() * (contact.pos - origin);
            let (azimuth, elevation) = (real::atan2(p.x, -p.z), real::atan2(p.y, (p.x * p.x + p.z * p.z).sqrt()));
            let Some(column) = cell(&self.azimuths, azimuth) else { continue };
            let Some(row) = cell(&self.elevations, elevation) else { continue };
            // The force is that on the body of the greater number.
            let sign = if Some(body) < sides[0].max(sides[1]) { -1.0 } else { 1.0 };
            let [force, torque] = [0, 3].map(|k| {
                let [n, t1, t2] = [0, 1, 2].map(|i| contact.wrench[k + i]);
                axes.transpose() * (contact.frame[0] * n + contact.frame[1] * t1 + contact.frame[2] * t2) * sign
            });
            // Along the site's z axis first, then x and y.
            let channels = [force.z, force.x, force.y, torque.z, torque.x, torque.y];
            for (channel, x) in channels.into_iter().take(self.channels).enumerate() {
                out[channel * image + row * columns + column] += x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_lie_between_their_borders() {
        let even = borders(4, 180.0, 0.0);
        assert_eq!(cell(&even, -0.1), Some(1));
        assert_eq!((cell(&even, -4.0), cell(&even, 4.0)), (None, None));
        assert_eq!(cell(&even, even[2]), Some(1));
        // A fovea has smaller cells in the middle.
        let fovea = borders(4, 180.0, 0.5);
        assert!(fovea[3] < even[3] && fovea[4] == even[4]);
    }

    #[test]
    fn settings_are_checked() {
        let plugin = plugin();
        let make = |values: [&str; 4]| plugin.instance(&values.map(String::from)).map(|i| i.sensor.unwrap().dim());
        assert_eq!(make(["3", "7 5", "45 45", "0"]), Ok(105));
        assert_eq!(make(["", "7 5", "45 45", ""]), Ok(35));
        for wrong in [["7", "7 5", "45 45", ""], ["", "7", "45 45", ""], ["", "7 5", "45 91", ""], ["", "7 5", "", "2"]]
        {
            assert!(make(wrong).is_err(), "{wrong:?}");
        }
    }
}
