//! Draws of each pass, in order; neighbours that differ by their instance alone are one draw.

use crate::gpu::{Blend, Cull, PipelineKey, Program, TextureKind, TextureSet};
use crate::scene::{Order, Part, Parts, ShadowLight, Triangles, casts_nothing};
use glam::DVec3;
use mj_scene::{RndFlag, Scene};
use std::ops::Range;

/// Draw of one or several instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// View, by its place in memory.
    pub view: u32,
    /// Pipeline.
    pub key: PipelineKey,
    /// Textures.
    pub textures: TextureSet,
    /// Triangles.
    pub triangles: Triangles,
    /// Instances.
    pub instances: Range<u32>,
}

/// Places of a view's data in memory.
#[derive(Clone, Debug, Default)]
pub struct ViewSlots {
    /// View.
    pub main: u32,
    /// View in the mirror.
    pub mirror: u32,
    /// Instance of the sky, with its triangles.
    pub sky: Option<(u32, Triangles)>,
    /// Instance of the haze, with its triangles.
    pub haze: Option<(u32, Triangles)>,
    /// Texture of the sky.
    pub skybox: Option<usize>,
}

/// Draws of one view.
#[derive(Default)]
pub struct ViewDraws {
    /// Draws of the colours.
    pub colour: Vec<Draw>,
    /// Draws of depth and ids.
    pub ids: Vec<Draw>,
}

/// Settings that all draws of a view share.
#[derive(Clone, Copy)]
pub struct Style {
    /// Whether lights have shadow maps.
    pub shadows: bool,
    /// Whether back faces are left out.
    pub cull: bool,
    /// Whether edges are drawn alone.
    pub wireframe: bool,
    /// Samples a pixel.
    pub samples: u32,
}

/// Pass that parts are drawn in.
#[derive(Clone, Copy)]
struct Pass {
    view: u32,
    surface: Program,
    line: Program,
    blend: Blend,
    writes_depth: bool,
    mirrored: bool,
}

impl Style {
    fn key(&self, part: &Part, pass: &Pass) -> PipelineKey {
        let identifies = pass.surface == Program::Ids;
        let cull = match self.cull && !part.two_sided {
            false => Cull::None,
            // A mirror turns triangles round.
            true if pass.mirrored => Cull::Front,
            true => Cull::Back,
        };
        PipelineKey {
            program: if part.line { pass.line } else { pass.surface },
            texture: if identifies || part.line { TextureKind::None } else { part.kind },
            layers: if identifies || part.line { 0 } else { part.layers },
            cull,
            blend: pass.blend,
            writes_depth: pass.writes_depth,
            wireframe: self.wireframe && !identifies && !part.line,
            samples: self.samples,
        }
    }

    fn push<'a>(&self, draws: &mut Vec<Draw>, pass: Pass, parts: impl Iterator<Item = &'a Part>) {
        for part in parts {
            let key = self.key(part, &pass);
            let textures = TextureSet {
                colour: part.texture.filter(|_| key.texture != TextureKind::None),
                material: part.material.filter(|_| key.layers != 0),
            };
            append(draws, pass.view, key, textures, part);
        }
    }
}

fn append(draws: &mut Vec<Draw>, view: u32, key: PipelineKey, textures: TextureSet, part: &Part) {
    if let Some(last) = draws.last_mut() {
        let joins = last.view == view
            && last.key == key
            && last.textures == textures
            && last.triangles == part.triangles
            && last.instances.end == part.instance;
        if joins {
            last.instances.end += 1;
            return;
        }
    }
    let instances = part.instance..part.instance + 1;
    draws.push(Draw { view, key, textures, triangles: part.triangles.clone(), instances });
}

/// Plans the draws of a view.
pub fn plan_view(scene: &Scene, parts: &Parts, order: &Order, slots: ViewSlots, style: Style) -> ViewDraws {
    let at = |&number: &usize| &parts.list[number];
    let additive = scene.flag(RndFlag::Additive);
    let cover = if additive { Blend::Glow } else { Blend::Cover };
    let lit = if style.shadows { Program::Surface } else { Program::Unshadowed };
    let pass = Pass {
        view: slots.main,
        surface: lit,
        line: Program::Line,
        blend: Blend::Replace,
        writes_depth: true,
        mirrored: false,
    };
    let mut draws = ViewDraws::default();
    let colour = &mut draws.colour;
    if let Some(mirror) = order.mirror.filter(|m| m.seen && scene.flag(RndFlag::Reflection)) {
        let mirrored = Pass {
            view: slots.mirror,
            surface: Program::Mirrored,
            line: Program::MirroredLine,
            mirrored: true,
            ..pass
        };
        style.push(colour, mirrored, order.opaque.iter().map(at));
        let faint = Pass { blend: cover, writes_depth: false, ..mirrored };
        let others = || order.transparent.iter().map(at).filter(|p| p.geom != mirror.geom);
        style.push(colour, faint, others());
        if !additive {
            style.push(colour, faint, others().rev());
        }
    }
    style.push(colour, Pass { blend: Blend::Sum, ..pass }, order.mirror_parts.iter().map(at));
    style.push(colour, pass, order.opaque.iter().map(at));
    for (slot, program) in [(slots.sky, Program::Sky), (slots.haze, Program::Haze)] {
        if let Some((instance, triangles)) = slot {
            let key = PipelineKey {
                program,
                texture: TextureKind::None,
                layers: 0,
                cull: Cull::None,
                blend: if program == Program::Sky { Blend::Replace } else { Blend::Cover },
                writes_depth: true,
                wireframe: false,
                samples: style.samples,
            };
            let instances = instance..instance + 1;
            let textures = TextureSet { colour: slots.skybox, material: None };
            colour.push(Draw { view: slots.main, key, textures, triangles, instances });
        }
    }
    // The reference draws transparent geoms from front to back, then from back to front.
    let faint = Pass { surface: Program::Unshadowed, blend: cover, writes_depth: false, ..pass };
    style.push(colour, faint, order.transparent.iter().map(at));
    if !additive {
        style.push(colour, faint, order.transparent.iter().rev().map(at));
    }
    let single = Style { samples: 1, ..style };
    let identify = Pass { surface: Program::Ids, line: Program::LineIds, ..pass };
    single.push(&mut draws.ids, identify, parts.list.iter().filter(|p| p.identified));
    draws
}

/// Plans the draws of a light's shadow map, for what is seen from `eye`; their view is set later.
pub fn plan_shadows(scene: &Scene, parts: &Parts, light: &ShadowLight, eye: DVec3) -> Vec<Draw> {
    let key = PipelineKey {
        program: Program::Shadow,
        texture: TextureKind::None,
        layers: 0,
        cull: Cull::None,
        blend: Blend::Replace,
        writes_depth: true,
        wireframe: false,
        samples: 1,
    };
    let mut draws = Vec::new();
    let needed =
        |part: &&Part| part.casts && scene.geoms.get(part.geom).is_some_and(|g| !casts_nothing(g, eye, light.position));
    for part in parts.list.iter().filter(needed) {
        append(&mut draws, 0, key, TextureSet::default(), part);
    }
    draws
}
