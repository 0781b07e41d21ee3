//! Geoms and lights as arrays, with the reference's names.

use crate::scene::{Scene, SceneGeom, SceneLight};
use mj_model::{Column, Field};

/// Bytes of a label.
const LABEL_BYTES: usize = 100;

impl Scene {
    /// Calls `f` with every field of the geoms, one row a geom, and of the lights, whose names begin with `light_`.
    pub fn visit(&self, f: &mut dyn FnMut(Field)) {
        self.visit_geoms(f);
        self.visit_lights(f);
    }

    fn visit_geoms(&self, f: &mut dyn FnMut(Field)) {
        let n = self.geoms.len();
        let mut ints = |name: &str, value: &dyn Fn(&SceneGeom) -> i32| {
            let data = Column::I32(self.geoms.iter().map(value).collect());
            f(Field { name: name.into(), shape: vec![n], data });
        };
        ints("type", &|g| g.r#type.code());
        ints("dataid", &|g| g.dataid);
        ints("objtype", &|g| g.objtype.code());
        ints("objid", &|g| g.objid);
        ints("category", &|g| g.category);
        ints("matid", &|g| g.matid);
        ints("texid", &|g| g.texid);
        ints("texuniform", &|g| i32::from(g.texuniform));
        ints("texcoord", &|g| i32::from(g.texcoord));
        ints("segid", &|g| g.segid);
        ints("castshadow", &|g| i32::from(g.castshadow));
        ints("transparent", &|g| i32::from(g.transparent));
        let mut reals = |name: &str, shape: &[usize], value: &dyn Fn(&SceneGeom) -> Vec<f32>| {
            let data = Column::F32(self.geoms.iter().flat_map(value).collect());
            f(Field { name: name.into(), shape: [&[n], shape].concat(), data });
        };
        reals("size", &[3], &|g| g.size.into());
        reals("pos", &[3], &|g| g.pos.into());
        reals("mat", &[3, 3], &|g| g.mat.into());
        reals("rgba", &[4], &|g| g.rgba.into());
        reals("emission", &[], &|g| vec![g.emission]);
        reals("specular", &[], &|g| vec![g.specular]);
        reals("shininess", &[], &|g| vec![g.shininess]);
        reals("reflectance", &[], &|g| vec![g.reflectance]);
        reals("texrepeat", &[2], &|g| g.texrepeat.into());
        reals("camdist", &[], &|g| vec![g.camdist]);
        reals("modelrbound", &[], &|g| vec![g.modelrbound]);
        let labels = self.geoms.iter().flat_map(|g| {
            let text = g.label.bytes().take(LABEL_BYTES);
            text.chain(std::iter::repeat(0)).take(LABEL_BYTES)
        });
        f(Field { name: "label".into(), shape: vec![n, LABEL_BYTES], data: Column::U8(labels.collect()) });
    }

    fn visit_lights(&self, f: &mut dyn FnMut(Field)) {
        let n = self.lights.len();
        let mut ints = |name: &str, value: &dyn Fn(&SceneLight) -> i32| {
            let data = Column::I32(self.lights.iter().map(value).collect());
            f(Field { name: format!("light_{name}"), shape: vec![n], data });
        };
        ints("id", &|l| l.id);
        ints("type", &|l| l.r#type.code());
        ints("texid", &|l| l.texid);
        ints("headlight", &|l| i32::from(l.headlight));
        ints("castshadow", &|l| i32::from(l.castshadow));
        let mut reals = |name: &str, shape: &[usize], value: &dyn Fn(&SceneLight) -> Vec<f32>| {
            let data = Column::F32(self.lights.iter().flat_map(value).collect());
            f(Field { name: format!("light_{name}"), shape: [&[n], shape].concat(), data });
        };
        reals("pos", &[3], &|l| l.pos.into());
        reals("dir", &[3], &|l| l.dir.into());
        reals("attenuation", &[3], &|l| l.attenuation.into());
        reals("ambient", &[3], &|l| l.ambient.into());
        reals("diffuse", &[3], &|l| l.diffuse.into());
        reals("specular", &[3], &|l| l.specular.into());
        reals("cutoff", &[], &|l| vec![l.cutoff]);
        reals("exponent", &[], &|l| vec![l.exponent]);
        reals("bulbradius", &[], &|l| vec![l.bulbradius]);
        reals("intensity", &[], &|l| vec![l.intensity]);
        reals("range", &[], &|l| vec![l.range]);
        reals("softness", &[], &|l| vec![l.softness]);
    }
}
