//! Labels of a scene, written over its picture.

use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect};
use mj_engine::DVec3;
use mj_scene::Scene;

/// Height of the letters, points.
const SIZE: f32 = 12.0;
/// Most labels.
const COUNT: usize = 2000;

/// Writes the labels where their geoms are.
pub(crate) fn write(painter: &Painter, picture: Rect, scene: &Scene) {
    let labelled = scene.geoms.iter().filter(|geom| !geom.label.is_empty());
    for geom in labelled.take(COUNT) {
        let Some(at) = project(scene, DVec3::from_array(geom.pos.map(f64::from)), picture) else { continue };
        let font = FontId::proportional(SIZE);
        painter.text(at + eframe::egui::vec2(1.0, 1.0), Align2::LEFT_BOTTOM, &geom.label, font.clone(), Color32::BLACK);
        painter.text(at, Align2::LEFT_BOTTOM, &geom.label, font, Color32::WHITE);
    }
}

/// Returns where a point is in the picture; None outside.
pub(crate) fn project(scene: &Scene, point: DVec3, picture: Rect) -> Option<Pos2> {
    let eye = scene.middle_camera();
    let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let (forward, up) = (vector(eye.forward), vector(eye.up));
    let away = point - vector(eye.pos);
    let (depth, near) = (away.dot(forward), f64::from(eye.frustum_near));
    if depth < near {
        return None;
    }
    let shrink = if eye.orthographic { 1.0 } else { near / depth };
    let (bottom, top) = (f64::from(eye.frustum_bottom), f64::from(eye.frustum_top));
    let height = top - bottom;
    let y = (top - away.dot(up) * shrink) / height;
    let aside = away.dot(forward.cross(up)) * shrink - f64::from(eye.frustum_center);
    let x = 0.5 * f64::from(picture.width()) + aside / height * f64::from(picture.height());
    let at = picture.min + eframe::egui::vec2(x as f32, y as f32 * picture.height());
    picture.contains(at).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;
    use mj_engine::Simulation;
    use mj_session::{Host, Replica};

    #[test]
    fn a_projected_point_selects_its_own_body() {
        let xml = "<mujoco><worldbody><body pos='.3 .2 .4'><geom size='.01'/></body><geom pos='-1 0 0' size='.2'/></worldbody></mujoco>";
        let mut host = Host::new(Simulation::from_xml(xml).expect("compiles"));
        let snapshot = host.snapshot();
        let mut replica = Replica::new(&snapshot).expect("fits");
        replica.take(&snapshot).expect("fits");
        replica.update_scene().expect("sees");
        let picture = Rect::from_min_max(pos2(10.0, 20.0), pos2(810.0, 520.0));
        let at = project(replica.scene(), DVec3::new(0.3, 0.2, 0.4), picture).expect("is seen");
        let place = [(at.x - 10.0) / 800.0, 1.0 - (at.y - 20.0) / 500.0].map(f64::from);
        let found = replica.select(1.6, place).expect("sees").expect("is hit");
        assert_eq!(found.body.index(), 1);
    }
}
