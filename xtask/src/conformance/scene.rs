//! Abstract scenes against those of the reference, in this process: every flag, frame and label alone.

use super::golden::Case;
use super::{Verdict, transition};
use crate::Result;
use crate::npz::Arrays;
use mj_engine::{DQuat, DVec3, Data, Model, forward, load};
use mj_model::BodyId;
use mj_scene::{
    Camera, FrameKind, LabelKind, Perturb, Scene, SceneGeom, SceneOptions, VisFlag, category, update_scene,
};
use std::path::Path;

/// Greatest error of a number, relative to 1 or its size.
pub const TOLERANCE: f64 = 1e-5;

/// Names of the numbers of a geom, in the order of the records, with their counts.
const FIELDS: [(&str, usize); 21] = [
    ("type", 1),
    ("dataid", 1),
    ("objtype", 1),
    ("objid", 1),
    ("category", 1),
    ("matid", 1),
    ("texid", 1),
    ("texuniform", 1),
    ("texcoord", 1),
    ("segid", 1),
    ("castshadow", 1),
    ("emission", 1),
    ("specular", 1),
    ("shininess", 1),
    ("reflectance", 1),
    ("modelrbound", 1),
    ("texrepeat", 2),
    ("size", 3),
    ("pos", 3),
    ("mat", 9),
    ("rgba", 4),
];

/// Compares the scenes of every recorded case.
pub fn judge(model: &Path, cases: &[Case], v: &mut Verdict) -> Result<()> {
    if cases.is_empty() {
        return Ok(());
    }
    let mut m = load(model)?;
    (m.opt.iterations, m.opt.tolerance) = (500, 1e-15);
    (m.opt.ls_iterations, m.opt.ls_tolerance) = (100, 1e-6);
    for case in cases {
        let mut d = Data::new(&m)?;
        transition::set_state(&m, &case.input, &mut d)?;
        if let Some(forces) = case.input.get("xfrc_applied") {
            for (i, row) in forces.data.as_chunks::<6>().0.iter().enumerate() {
                d.state.xfrc_applied[BodyId::new(i)] = *row;
            }
        }
        forward(&m, &mut d)?;
        judge_cases(&m, &d, &case.output, v)?;
    }
    Ok(())
}

fn judge_cases(m: &Model, d: &Data, want: &Arrays, v: &mut Verdict) -> Result<()> {
    let entries = |name: &str| want.get(name).map_or(&[][..], |a| &a.data);
    let (rows, labels) = (entries("row"), entries("label"));
    let width: usize = FIELDS.iter().map(|f| f.1).sum();
    let mut first = 0;
    for (case, count) in entries("case").chunks_exact(2).zip(entries("count")) {
        let case = [case[0] as i32, case[1] as i32];
        let (options, perturb, name) = options(m, case);
        let mut scene = Scene::default();
        update_scene(m, d, &options, Some(&perturb), &mut Camera::free(m), category::ALL, &mut scene)?;
        let count = *count as usize;
        if scene.geoms.len() != count {
            v.put("scene", false, f64::INFINITY, format!("{name}: {} geoms instead of {count}", scene.geoms.len()));
            first += count;
            continue;
        }
        for (i, geom) in scene.geoms.iter().enumerate() {
            let row = entries("geom")[first + i] as usize;
            let text = entries("text")[first + i] as usize;
            compare(&numbers(geom), &rows[row * width..(row + 1) * width], &format!("{name}: geom {i}"), v);
            let label: Vec<u8> =
                labels[text * 100..(text + 1) * 100].iter().map(|&b| b as u8).take_while(|&b| b != 0).collect();
            let same = geom.label.as_bytes() == label;
            let wanted = String::from_utf8_lossy(&label).into_owned();
            v.put("scene", same, 0.0, format!("{name}: label `{}` instead of `{wanted}`", geom.label));
        }
        if case == [0, 0] {
            judge_rest(&scene, want, v);
        }
        first += count;
    }
    Ok(())
}

/// Returns the options of a case, and its name.
fn options(m: &Model, [kind, i]: [i32; 2]) -> (SceneOptions, Perturb, String) {
    let (mut options, mut perturb) = (SceneOptions::default(), Perturb::default());
    let name = match kind {
        1 => {
            let flag = VisFlag::from_code(i).unwrap_or(VisFlag::Static);
            options.set_flag(flag, !options.flag(flag));
            format!("flag {}", flag.name())
        }
        2 => {
            options.frame = FrameKind::from_code(i).unwrap_or(FrameKind::None);
            format!("frame {}", options.frame.name())
        }
        3 => {
            options.label = LabelKind::from_code(i).unwrap_or(LabelKind::None);
            format!("label {}", options.label.name())
        }
        4 => {
            perturb.select = i32::from(m.body.len() > 1);
            (perturb.active, perturb.active2) = (3, 1);
            perturb.localpos = DVec3::new(0.02, 0.01, 0.03);
            perturb.refselpos = DVec3::new(0.1, 0.2, 0.9);
            perturb.refquat = DQuat::from_xyzw(0.6, 0.0, 0.0, 0.8);
            options.set_flag(VisFlag::Select, true);
            options.label = LabelKind::SelPnt;
            "perturbation".into()
        }
        _ => "default".into(),
    };
    (options, perturb, name)
}

/// Returns the numbers of a geom, in the order of the records.
fn numbers(g: &SceneGeom) -> Vec<f64> {
    let ints = [g.r#type.code(), g.dataid, g.objtype.code(), g.objid, g.category, g.matid, g.texid];
    let truths = [g.texuniform, g.texcoord].map(|t| f64::from(u8::from(t)));
    let mut out: Vec<f64> = ints.map(f64::from).into();
    out.extend(truths);
    out.extend([f64::from(g.segid), f64::from(u8::from(g.castshadow))]);
    let reals = [g.emission, g.specular, g.shininess, g.reflectance, g.modelrbound];
    let all = [&reals[..], &g.texrepeat, &g.size, &g.pos, &g.mat, &g.rgba].concat();
    out.extend(all.into_iter().map(f64::from));
    out
}

/// Compares numbers one by one.
fn compare(got: &[f64], want: &[f64], what: &str, v: &mut Verdict) {
    let mut field = FIELDS.iter().flat_map(|&(name, n)| std::iter::repeat_n(name, n));
    for (got, want) in got.iter().zip(want) {
        let name = field.next().unwrap_or_default();
        let error = (got - want).abs() / want.abs().max(1.0);
        v.put("scene", error < TOLERANCE, error, format!("{what}: {name} {got} instead of {want}"));
    }
    v.put("scene", got.len() == want.len(), 0.0, format!("{what}: {} numbers instead of {}", got.len(), want.len()));
}

/// Compares lights, cameras, skins and flexes.
fn judge_rest(scene: &Scene, want: &Arrays, v: &mut Verdict) {
    let entries = |name: &str| want.get(name).map_or(&[][..], |a| &a.data);
    let lights: Vec<f64> = scene
        .lights
        .iter()
        .flat_map(|l| {
            let ints = [l.id, l.r#type.code(), l.texid, i32::from(l.headlight), i32::from(l.castshadow)].map(f64::from);
            let reals =
                [&l.pos[..], &l.dir, &l.attenuation, &[l.cutoff, l.exponent], &l.ambient, &l.diffuse, &l.specular];
            ints.into_iter().chain(reals.concat().into_iter().map(f64::from)).collect::<Vec<_>>()
        })
        .collect();
    all(&lights, entries("light"), "lights", v);
    let cameras: Vec<f64> = scene
        .camera
        .iter()
        .flat_map(|c| {
            let planes =
                [c.frustum_center, c.frustum_width, c.frustum_bottom, c.frustum_top, c.frustum_near, c.frustum_far];
            let orthographic = f32::from(u8::from(c.orthographic));
            [&c.pos[..], &c.forward, &c.up, &planes, &[orthographic]].concat()
        })
        .map(f64::from)
        .collect();
    all(&cameras, entries("camera"), "cameras", v);
    let flat = |list: Vec<[f32; 3]>| list.into_iter().flatten().map(f64::from).collect::<Vec<_>>();
    let skins =
        |of: fn(&mj_scene::SkinSurface) -> &Vec<[f32; 3]>| flat(scene.skins.iter().flat_map(of).copied().collect());
    all(&skins(|s| &s.vertices), entries("skinvert"), "vertices of skins", v);
    all(&skins(|s| &s.normals), entries("skinnormal"), "normals of skins", v);
    let flexes = |of: fn(&mj_scene::Surface) -> &Vec<[f32; 3]>| {
        flat(scene.flexes.iter().flat_map(|f| of(&f.faces)).copied().collect())
    };
    all(&flexes(|s| &s.positions), entries("flexface"), "faces of flexes", v);
    all(&flexes(|s| &s.normals), entries("flexnormal"), "normals of flexes", v);
}

/// Compares two lists of numbers.
fn all(got: &[f64], want: &[f64], what: &str, v: &mut Verdict) {
    let error = got.iter().zip(want).map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max);
    let same = got.len() == want.len() && error < TOLERANCE;
    v.put("scene", same, error, format!("{what}: {} numbers, {} wanted", got.len(), want.len()));
}
