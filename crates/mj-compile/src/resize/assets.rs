//! Meshes and height fields used at several sizes, and skins.

use super::scales::{ScaleMap, Scales, scaled};
use super::survey::Survey;
use crate::mesh::builtin;
use crate::messages::describe;
use mj_math::{DMat3, DQuat, DVec3};
use mj_model::spec::{Mesh, Skin};
use mj_model::{Diagnostics, MeshInertia, ObjType, Spec};
use std::collections::HashMap;

/// The most memory, in bytes, of what instances are made from: more is taken for an attack.
const MOST: usize = 1 << 31;

/// An asset at the sizes at which it is used: at the first one it keeps its name, the others are instances of their own.
struct Sizes<S> {
    row: HashMap<String, usize>,
    /// Of each row, its sizes with their names.
    used: Vec<Vec<(S, String)>>,
    /// Rows and sizes of the instances beyond the first, in the order in which they are met.
    more: Vec<(usize, usize)>,
}

impl<S: PartialEq + Copy> Sizes<S> {
    fn of<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        let mut row = HashMap::new();
        let mut count = 0;
        for (i, name) in names.enumerate() {
            row.entry(name.clone()).or_insert(i);
            count = i + 1;
        }
        Self { row, used: (0..count).map(|_| Vec::new()).collect(), more: Vec::new() }
    }

    /// Name of the instance at a size. Unknown names stay, which the compiler tells of.
    fn at(&mut self, name: &str, size: S) -> String {
        let Some(&row) = self.row.get(name) else { return name.into() };
        let used = &mut self.used[row];
        if let Some((_, name)) = used.iter().find(|(s, _)| *s == size) {
            return name.clone();
        }
        let instance = if used.is_empty() { name.to_string() } else { format!("{name}@{}", used.len()) };
        if !used.is_empty() {
            self.more.push((row, used.len()));
        }
        used.push((size, instance.clone()));
        instance
    }

    /// Names of instances that others have already.
    fn taken(&self) -> impl Iterator<Item = (usize, &str)> {
        let names = self.more.iter().map(|&(row, i)| (row, self.used[row][i].1.as_str()));
        names.filter(|(_, name)| self.row.contains_key(*name))
    }
}

/// The instances of meshes and height fields.
pub(super) struct Instances {
    meshes: Sizes<DMat3>,
    /// Factors along the axes.
    hfields: Sizes<DVec3>,
    shells: HashMap<String, bool>,
}

impl Instances {
    pub fn of(spec: &Spec) -> Self {
        Self {
            meshes: Sizes::of(spec.meshes.iter().map(|m| &m.name)),
            hfields: Sizes::of(spec.hfields.iter().map(|h| &h.name)),
            shells: spec.meshes.iter().map(|m| (m.name.clone(), is_shell(m))).collect(),
        }
    }

    /// Whether the mass of a mesh is spread over its surface.
    pub fn is_shell(&self, mesh: &str) -> bool {
        self.shells.get(mesh).copied().unwrap_or(false)
    }

    /// Name of the mesh that is stretched like this in its own coordinates.
    pub fn mesh(&mut self, name: &str, map: ScaleMap) -> String {
        self.meshes.at(name, map.matrix())
    }

    /// Name of the height field with these factors along its axes.
    pub fn hfield(&mut self, name: &str, factors: DVec3) -> String {
        self.hfields.at(name, factors)
    }

    /// Memory of what the instances are made from, about.
    fn bytes(&self, spec: &Spec) -> usize {
        let mesh = |&(row, _): &(usize, usize)| {
            let m = &spec.meshes[row];
            m.contents.len() + 4 * (m.vertex.len() + m.normal.len() + m.texcoord.len() + m.face.len())
        };
        let field =
            |&(row, _): &(usize, usize)| spec.hfields[row].contents.len() + 4 * spec.hfields[row].elevation.len();
        let meshes = self.meshes.more.iter().map(mesh);
        meshes.chain(self.hfields.more.iter().map(field)).fold(0, usize::saturating_add)
    }

    /// Puts the instances into a spec; how the mesh of each row is stretched.
    pub fn write(self, spec: &mut Spec, diag: &mut Diagnostics) -> Vec<Option<DMat3>> {
        if self.bytes(spec) > MOST {
            let message = "too many sizes of meshes and height fields: each takes the memory of another one";
            diag.error(mj_model::Loc::NONE, message).help("use fewer different scales, or smaller files");
            return Vec::new();
        }
        for (row, name) in self.meshes.taken() {
            let m = &spec.meshes[row];
            clash(diag, m.loc, "mesh", &m.name, name);
        }
        for (row, name) in self.hfields.taken() {
            let h = &spec.hfields[row];
            clash(diag, h.loc, "hfield", &h.name, name);
        }
        let unless_one = |m: DMat3| (m != DMat3::IDENTITY).then_some(m);
        let first = |used: &Vec<(DMat3, String)>| used.first().and_then(|(m, _)| unless_one(*m));
        let mut maps: Vec<Option<DMat3>> = self.meshes.used.iter().map(first).collect();
        for (row, i) in self.meshes.more {
            let (map, name) = &self.meshes.used[row][i];
            spec.meshes.push(Mesh { name: name.clone(), ..spec.meshes[row].clone() });
            maps.push(unless_one(*map));
        }
        for (row, i) in self.hfields.more {
            let (factors, name) = &self.hfields.used[row][i];
            let mut h = spec.hfields[row].clone();
            h.name.clone_from(name);
            stretch_field(&mut h.size, *factors);
            spec.hfields.push(h);
        }
        for (h, used) in spec.hfields.iter_mut().zip(&self.hfields.used) {
            if let Some((factors, _)) = used.first() {
                stretch_field(&mut h.size, *factors);
            }
        }
        maps
    }
}

fn stretch_field(size: &mut [f64; 4], f: DVec3) {
    size.iter_mut().zip([f.x, f.y, f.z, f.z]).for_each(|(x, f)| *x *= f);
}

fn clash(diag: &mut Diagnostics, loc: mj_model::Loc, kind: &str, name: &str, instance: &str) {
    let what = describe(kind, name);
    diag.error(loc, format!("{what} is used at several sizes, but the name `{instance}` of one of them is taken"))
        .help("give the other one another name");
}

/// Whether the mass of a mesh is spread over its surface.
fn is_shell(m: &Mesh) -> bool {
    let surface = || builtin::make(&m.builtin, &m.params).is_ok_and(|made| made.surface);
    m.inertia == MeshInertia::Shell || (!m.builtin.is_empty() && surface())
}

/// A skin, stretched as its bones are: each of them in the pose in which it was bound.
pub(super) fn skin(s: &mut Skin, survey: &Survey, diag: &mut Diagnostics) {
    let scales = |b: &mj_model::spec::Bone| -> Scales {
        let [w, x, y, z] = b.bindquat.map(f64::from);
        let bound = crate::frames::unit_quat(DQuat::from_xyzw(x, y, z, w)).unwrap_or(DQuat::IDENTITY);
        survey.at(ObjType::Body, &b.body).turned(bound.conjugate())
    };
    let Some(first) = s.bones.first() else { return };
    let all = scales(first);
    let matrix = all.map.matrix();
    if let Some(other) = s.bones.iter().find(|b| {
        let off = scales(b).map.matrix() - matrix;
        off.x_axis.length() + off.y_axis.length() + off.z_axis.length() > SAME * all.length()
    }) {
        let message = format!(
            "{}: bones `{}` and `{}` are scaled differently",
            describe("skin", &s.name),
            first.body,
            other.body
        );
        diag.error(other.loc, message).help("a skin is one surface: put its bones into one frame, or split it");
        return;
    }
    if all == Scales::ONE {
        return;
    }
    let single = |v: &mut [f32]| {
        let p = DVec3::new(v[0].into(), v[1].into(), v[2].into());
        v.copy_from_slice(&all.map.apply(p).to_array().map(|x| x as f32));
    };
    s.vertex.chunks_exact_mut(3).for_each(single);
    s.bones.iter_mut().for_each(|b| single(&mut b.bindpos));
    s.inflate = scaled(s.inflate, all.length());
}

/// Maps of bones that differ by less, relatively, count as one: rounding of their poses.
const SAME: f64 = 1e-6;
