//! From scenes, one at a time, to blocks of bytes.

use super::block::{Geoms, count, reals};
use crate::error::RecordError;
use crate::html::images::{Images, sky};
use crate::html::json::{Object, list};
use crate::html::look::Look;
use crate::html::meshes::Meshes;
use crate::html::page;
use crate::html::topology::{Topology, visit};
use crate::html::tracks::describe_light;
use mj_engine::Model;
use mj_scene::{RndFlag, Scene, SceneLight, SceneShape, category};
use std::collections::HashMap;
use std::sync::Arc;

/// Most pixels along a side of a texture.
const TEXTURE: u32 = 512;
/// Descriptions beyond those of the present scene after which it is better to begin anew.
const SPARE: usize = 20_000;

/// Encoder of scenes for a page that draws them as they come.
///
/// A page needs all [`parts`](Self::parts) in their order, once, then the [`still`](Self::still) block of its version, then the
/// [`moving`](Self::moving) block of any frame after that. `stream.js` reads all three.
pub struct SceneStream {
    m: Arc<Model>,
    meshes: Meshes,
    images: Images,
    looks: HashMap<Look, usize>,
    lights: Vec<SceneLight>,
    topologies: Vec<Topology>,
    parts: Vec<Arc<[u8]>>,
    still: Arc<[u8]>,
    version: u64,
    moving: Arc<[u8]>,
    /// Descriptions that the last scene needed.
    needed: usize,
}

impl std::fmt::Debug for SceneStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SceneStream").field("parts", &self.parts.len()).finish_non_exhaustive()
    }
}

/// Descriptions that a scene needs and no scene before it had.
#[derive(Default)]
struct News {
    looks: Vec<String>,
    lights: Vec<String>,
}

impl SceneStream {
    /// Returns an encoder for scenes of a model.
    ///
    /// # Errors
    /// If the first part can't be compressed.
    pub fn new(m: Arc<Model>) -> Result<Self, RecordError> {
        let head = Object::default()
            .text("name", &m.modelname)
            .real("extent", if m.stat.extent > 0.0 { m.stat.extent } else { 1.0 })
            .reals("center", &m.stat.center.to_array().map(|x| x as f32))
            .raw("sky", &if Scene::default().flag(RndFlag::Skybox) { sky(&m) } else { "[]".into() });
        let first = part(head, &[])?;
        Ok(Self {
            m,
            meshes: Meshes::default(),
            images: Images::new(TEXTURE),
            looks: HashMap::new(),
            lights: Vec::new(),
            topologies: Vec::new(),
            parts: vec![first],
            still: Arc::new([]),
            version: 0,
            moving: Arc::new([]),
            needed: 0,
        })
    }

    /// Returns the descriptions so far: meshes, textures, materials. They only grow.
    pub fn parts(&self) -> &[Arc<[u8]>] {
        &self.parts
    }

    /// Returns the geoms of static bodies, and a number that changes with them.
    pub fn still(&self) -> (u64, &Arc<[u8]>) {
        (self.version, &self.still)
    }

    /// Returns all else of the last scene.
    pub fn moving(&self) -> &Arc<[u8]> {
        &self.moving
    }

    /// Returns whether so many descriptions are no longer needed that a new encoder is better.
    pub fn is_full(&self) -> bool {
        self.looks.len() + self.lights.len() + 64 * self.topologies.len() > SPARE + 4 * self.needed
    }

    /// Encodes a scene.
    ///
    /// # Errors
    /// If a texture can't be encoded.
    pub fn encode(&mut self, scene: &Scene) -> Result<(), RecordError> {
        let (mut news, m) = (News::default(), self.m.clone());
        let (meshes, images, surfaces) = (self.meshes.len(), self.images.len(), self.topologies.len());
        let (mut still, mut moving) = (Geoms::default(), Geoms::default());
        for geom in &scene.geoms {
            if matches!(geom.r#type, SceneShape::Flex | SceneShape::Skin | SceneShape::None) {
                continue;
            }
            let look = self.look(Look::of_any(geom), &mut news);
            let block = if geom.category == category::STATIC { &mut still } else { &mut moving };
            block.push(look, geom);
        }
        let mut out = Vec::with_capacity(self.moving.len());
        moving.write(&mut out);
        count(&mut out, scene.lights.len());
        for light in &scene.lights {
            count(&mut out, self.light(light, &mut news));
            reals(&mut out, &light.pos);
            reals(&mut out, &light.dir);
        }
        let shown = self.surfaces(&m, scene, &mut out);

        self.needed = scene.geoms.len() + scene.lights.len() + 64 * shown;
        self.moving = out.into();
        let mut bytes = Vec::with_capacity(self.still.len());
        still.write(&mut bytes);
        if bytes != *self.still {
            self.version += 1;
            self.still = bytes.into();
        }

        let mut columns = Vec::new();
        let surfaces = list(self.topologies.iter().skip(surfaces).map(|topology| {
            topology.write(&mut columns);
            topology.describe(self.images.number(&m, topology.look.texid)).finish()
        }));
        if news.looks.len() + news.lights.len() > 0 || surfaces != "[]" {
            let new_meshes = self.meshes.describe(&m, meshes, &mut columns);
            let (new_images, pictures) = self.images.describe(&m, images)?;
            columns.extend(pictures);
            let head = Object::default()
                .raw("looks", &list(news.looks.into_iter()))
                .raw("lights", &list(news.lights.into_iter()))
                .raw("surfaces", &surfaces)
                .raw("meshes", &new_meshes)
                .raw("images", &new_images);
            self.parts.push(part(head, &columns)?);
        }
        Ok(())
    }

    /// Returns the number of a look.
    fn look(&mut self, look: Look, news: &mut News) -> usize {
        let next = self.looks.len();
        if let Some(&known) = self.looks.get(&look) {
            return known;
        }
        let (mesh, texture) = (self.meshes.number(&self.m, &look), self.images.number(&self.m, look.texid));
        news.looks.push(look.describe(mesh, texture).finish());
        self.looks.insert(look, next);
        next
    }

    /// Returns the number of a light.
    fn light(&mut self, light: &SceneLight, news: &mut News) -> usize {
        let fixed = SceneLight { id: 0, pos: [0.0; 3], dir: [0.0; 3], ..light.clone() };
        self.lights.iter().position(|known| *known == fixed).unwrap_or_else(|| {
            news.lights.push(describe_light(&fixed).finish());
            self.lights.push(fixed);
            self.lights.len() - 1
        })
    }

    /// Appends the surfaces of a scene. Returns their number.
    fn surfaces(&mut self, m: &Model, scene: &Scene, out: &mut Vec<u8>) -> usize {
        let (mut number, mut block) = (0, Vec::new());
        visit(m, scene, &mut |geom, kind, corners, texcoords| {
            let known = self.topologies.iter().rposition(|t| t.fits(geom, kind, corners));
            let k = known.unwrap_or_else(|| {
                self.topologies.push(Topology::new(geom, kind, corners, texcoords));
                self.topologies.len() - 1
            });
            count(&mut block, k);
            self.topologies[k].places(corners).for_each(|place| reals(&mut block, &place));
            number += 1;
        });
        count(out, number);
        out.extend(block);
        number
    }
}

/// Returns a compressed part: the length of a description, the description, columns of numbers, pictures.
fn part(head: Object, rest: &[u8]) -> Result<Arc<[u8]>, RecordError> {
    let head = head.finish();
    let mut block = (head.len() as u32).to_le_bytes().to_vec();
    block.extend_from_slice(head.as_bytes());
    block.extend_from_slice(rest);
    Ok(page::compressed(&block)?.into())
}
