//! Sensors that plugins read.

use crate::data::Data;
use mj_model::plugin::{ContactForce, SensorView};
use mj_model::*;

/// Reads a sensor at its plugin's stage.
pub(super) fn read(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    out.fill(0.0);
    let Some((plugin, reader)) = m.sensor.plugin[s].and_then(|p| Some((p, m.plugin_instance(p)?.sensor.as_deref()?)))
    else {
        return;
    };
    let mut contacts = std::mem::take(&mut d.ws.contact_forces);
    contacts.clear();
    if m.sensor.needstage[s] == Stage::Acc {
        let forces = d.contacts.iter().enumerate().map(|(i, c)| {
            let wrench = mj_constraint::contact_force(&d.rows, &d.contacts.list, i, &d.solution.efc_force);
            ContactForce { geom: c.geom, pos: c.pos, frame: c.frame, wrench }
        });
        contacts.extend(forces);
    }
    let (p, v) = (&d.smooth.poses, &d.smooth.velocities);
    let bodies = (&p.xpos, &p.xmat);
    let (geoms, sites) = ((&p.geom_xpos, &p.geom_xmat), (&p.site_xpos, &p.site_xmat));
    reader.read(&SensorView::new(m, &d.state, plugin, bodies, &v.cvel, geoms, sites, &contacts), s, out);
    d.ws.contact_forces = contacts;
}
