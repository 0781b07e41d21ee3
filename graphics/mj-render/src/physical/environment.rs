//! Environments: light from all directions, by a texture or by a gradient.

use super::cube::Cube;
use super::lobe;
use crate::error::RenderError;
use crate::gpu::{Gpu, Layouts, TextureKind, pixels, texture_of, texture_view};
use glam::Vec3;
use mj_model::{LightType, Model, TextureId, TextureType};
use mj_scene::Scene;
use std::collections::HashMap;
use std::f32::consts::PI;

/// Greatest width of a side, pixels: what smooth metal shows.
const SIDE: usize = 128;
/// Width of a side of the gradient, pixels.
const GRADIENT_SIDE: usize = 32;
/// Radiance of the gradient from straight above, from the horizon, and from straight below.
const GRADIENT: [f32; 3] = [0.8, 0.5, 0.15];

/// Environments of a model's scenes; each is made when it is first needed.
pub struct Environments {
    pictures: HashMap<Option<usize>, Cube>,
    skybox: Option<usize>,
    groups: HashMap<Option<usize>, wgpu::BindGroup>,
}

/// Returns the radiances of a texture of the model.
fn picture(m: &Model, id: TextureId) -> Option<Cube> {
    let (mut sides, kind) = pixels(m, id, 1 << 14, &[1, 3, 4])?;
    if kind == TextureKind::Flat {
        let panorama = sides.pop()?;
        return Some(Cube::from_panorama(&panorama, SIDE.min(panorama.height as usize / 2).max(4)));
    }
    while sides.first()?.width as usize > SIDE {
        sides = sides.iter().map(crate::gpu::Pixels::half).collect();
    }
    let cube = Cube::from_sides(&sides)?;
    // Sizes are powers of 2, so that each mipmap has half the size.
    let side = cube.side.next_power_of_two().clamp(16, SIDE);
    Some(if side == cube.side { cube } else { Cube::of(side, |d| cube.sample(d)) })
}

/// Returns the coefficients of what a white diffuse surface reflects by its normal (Ramamoorthi and Hanrahan 2001): those of
/// 1, y, z, x, xy, yz, 3z² − 1, xz, x² − y².
fn diffuse(cube: &Cube) -> [Vec3; 9] {
    let basis = |d: Vec3| {
        let Vec3 { x, y, z } = d;
        [1.0, y, z, x, x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y]
    };
    let mut sums = [Vec3::ZERO; 9];
    cube.each(|d, angle, radiance| {
        for (sum, value) in sums.iter_mut().zip(basis(d)) {
            *sum += angle * value * radiance;
        }
    });
    // Squared norms of the functions, and the cosine lobe's share of each band.
    let norms = [1.0, 3.0, 3.0, 3.0, 15.0, 15.0, 1.25, 15.0, 3.75].map(|n| n / (4.0 * PI));
    let shares = [1.0, 2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 0.25, 0.25, 0.25, 0.25, 0.25];
    std::array::from_fn(|k| norms[k] * shares[k] * sums[k])
}

impl Environments {
    /// Takes the pictures of the sky and of image lights.
    pub fn new(m: &Model) -> Self {
        let gradient = Cube::of(GRADIENT_SIDE, |d| {
            let [up, middle, down] = GRADIENT;
            let end = if d.y > 0.0 { up } else { down };
            Vec3::splat(middle + (end - middle) * d.y.abs().sqrt())
        });
        let mut pictures = HashMap::from([(None, gradient)]);
        let mut add = |id: TextureId| {
            if let Some(cube) = picture(m, id) {
                pictures.entry(Some(id.index())).or_insert(cube);
            }
        };
        let skybox = m.tex.ids().find(|&id| m.tex.r#type[id] == TextureType::Skybox);
        let images = m.light.ids().filter(|&l| m.light.r#type[l] == LightType::Image);
        images.filter_map(|l| m.light.texid[l]).chain(skybox).for_each(&mut add);
        let skybox = skybox.map(TextureId::index).filter(|&sky| pictures.contains_key(&Some(sky)));
        Self { pictures, skybox, groups: HashMap::new() }
    }

    /// Returns which picture lights a scene, and how strongly: that of its first image light, the sky, or the gradient.
    pub fn choose(&self, scene: &Scene) -> (Option<usize>, [f32; 3]) {
        for light in scene.lights.iter().filter(|l| l.r#type == LightType::Image) {
            let named = usize::try_from(light.texid).ok().filter(|&t| self.pictures.contains_key(&Some(t)));
            if named.is_some() {
                let strength = if light.intensity > 0.0 && light.intensity.is_finite() { light.intensity } else { 1.0 };
                return (named, [strength; 3]);
            }
        }
        (self.skybox, [1.0; 3])
    }

    /// Makes what the shaders read of a picture, unless it is there.
    pub fn prepare(&mut self, gpu: &Gpu, layouts: &Layouts, which: Option<usize>) -> Result<(), RenderError> {
        let (Some(cube), Some(layout)) = (self.pictures.get(&which), &layouts.environment) else { return Ok(()) };
        if self.groups.contains_key(&which) {
            return Ok(());
        }
        let mut numbers: Vec<f32> = diffuse(cube).iter().flat_map(|c| [c.x, c.y, c.z, 0.0]).collect();
        numbers.extend(lobe::table().as_flattened());
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let buffer = gpu.buffer("light of the environment", 4 * numbers.len() as u64, usage)?;
        gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&numbers));
        let levels: Vec<Vec<_>> = lobe::blurred(cube).iter().map(|level| level.pictures().collect()).collect();
        let mut sides: Vec<Vec<_>> = (0..6).map(|_| Vec::new()).collect();
        for level in levels {
            sides.iter_mut().zip(level).for_each(|(side, picture)| side.push(picture));
        }
        let view = texture_view(&texture_of(gpu, sides), true, true);
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("environment"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let resources = [
            buffer.as_entire_binding(),
            wgpu::BindingResource::TextureView(&view),
            wgpu::BindingResource::Sampler(&sampler),
        ];
        let entries: Vec<_> =
            (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries });
        self.groups.insert(which, group);
        Ok(())
    }

    /// Returns what binds a picture that was prepared.
    pub fn group(&self, which: Option<usize>) -> Option<&wgpu::BindGroup> {
        self.groups.get(&which)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diffuse_light_is_the_mean_over_a_half_space_by_cosine() {
        // Radiance of 1 + y: its mean by cosine about n is 1 + 2/3 n_y.
        let c = diffuse(&Cube::of(32, |d| Vec3::splat(1.0 + d.y)));
        assert!((c[0].x - 1.0).abs() < 1e-3 && (c[1].x - 2.0 / 3.0).abs() < 1e-3, "{c:?}");
        assert!(c[2..].iter().all(|c| c.x.abs() < 1e-3), "{c:?}");
    }
}
