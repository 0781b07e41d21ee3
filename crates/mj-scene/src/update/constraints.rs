//! Equality constraints that hold points together.

use super::painter::{Painter, decoration, place};
use crate::codes::{LabelKind, SceneShape, VisFlag};
use mj_math::DVec3;
use mj_model::{BodyId, EqType, ObjType, SiteId};

/// Appends both points of connect and weld constraints that are active.
pub(super) fn equalities(p: &mut Painter) {
    if !p.flag(VisFlag::Constraint) {
        return;
    }
    let m = p.m;
    let size = DVec3::splat(p.scaled(p.vis.scale.constraint));
    for e in m.eq.ids() {
        let weld = m.eq.r#type[e] == EqType::Weld;
        if !p.d.state.eq_active[e] || !(weld || m.eq.r#type[e] == EqType::Connect) {
            continue;
        }
        let poses = &p.d.smooth.poses;
        let objects = [m.eq.obj1id[e], m.eq.obj2id[e]].map(|id| id.max(0) as usize);
        let points = if m.eq.objtype[e] == ObjType::Site {
            objects.map(|id| (poses.site_xpos[SiteId::new(id)], poses.site_xmat[SiteId::new(id)]))
        } else {
            let data = m.eq.data[e];
            // A connection has the first body's anchor first, a weld the second's.
            let (first, second) = (DVec3::from_slice(&data), DVec3::from_slice(&data[3..]));
            let anchors = if weld { [second, first] } else { [first, second] };
            [0, 1].map(|i| {
                let body = BodyId::new(objects[i]);
                (poses.xpos[body] + poses.xmat[body] * anchors[i], poses.xmat[body])
            })
        };
        for ((pos, mat), rgba) in points.into_iter().zip([p.vis.rgba.connect, p.vis.rgba.constraint]) {
            let mut geom = decoration((ObjType::Equality, e.index()));
            place(&mut geom, SceneShape::Sphere, size, pos, mat);
            geom.rgba = rgba;
            if p.opt.label == LabelKind::Constraint {
                geom.label = p.label(ObjType::Equality, e.index());
            }
            p.push(geom);
        }
    }
}
