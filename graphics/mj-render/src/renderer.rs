//! The renderer.

use crate::error::RenderError;
use crate::frame::{self, Bound, Draw, ShadowMaps, Style, ViewDraws, ViewSlots};
use crate::geometry::{self, MeshRange};
use crate::gpu::{
    AdapterDescription, Gpu, GrowingBuffer, LIGHT_BYTES, Layouts, MAX_LIGHTS, Pipelines, Plane, Readback, Targets,
    Textures, VIEW_BYTES,
};
use crate::options::{Outputs, RenderOptions, Shading};
use crate::physical::Physical;
use crate::picture::{DepthIds, Frame, Image};
use crate::scene::{
    Assets, Eye, Fog, InstanceData, LightData, Lights, Order, Parts, ShadowLight, ShadowSettings, Triangles, ViewData,
    encode, encode_shadow, haze, sky,
};
use mj_model::Model;
use mj_scene::{EyeCamera, RndFlag, Scene, VisualSettings};

/// Greatest size of a shadow map on a software driver, texels.
const SOFTWARE_SHADOWS: u32 = 1024;
/// Greatest memory of the pictures that are read back at once, bytes.
const READBACK: u64 = 1 << 27;
/// Bytes between the lights of two views.
const LIGHTS_STRIDE: usize = (LIGHT_BYTES * MAX_LIGHTS).next_multiple_of(256);

/// Offscreen renderer of scenes of one model.
///
/// Meshes, height fields and textures go to the GPU once. A renderer has a device of its own: several work side by
/// side, on any threads.
pub struct Renderer {
    gpu: Gpu,
    layouts: Layouts,
    pipelines: Pipelines,
    textures: Textures,
    assets: Assets,
    vis: VisualSettings,
    extent: f32,
    samples: u32,
    shadowsize: u32,
    warnings: Vec<String>,
    fixed: (wgpu::Buffer, wgpu::Buffer),
    instances: GrowingBuffer,
    views: GrowingBuffer,
    lights: GrowingBuffer,
    moving: GrowingBuffer,
    shadows: ShadowMaps,
    groups: Option<Groups>,
    targets: Option<Targets>,
    readback: Option<Readback>,
    parts: Parts,
    physical: Option<Physical>,
}

// Renderers may be made in one thread and used in another.
const _: () = {
    const fn assert_send<T: Send>() {}
    assert_send::<Renderer>();
};

/// Groups of resources, with the versions of the buffers that they bind.
struct Groups {
    scene: wgpu::BindGroup,
    lights: wgpu::BindGroup,
    versions: [u64; 3],
}

/// Everything that is known of a view before it is drawn.
struct ViewPlan {
    far: f64,
    draws: ViewDraws,
    /// Shadow maps that must be drawn before this view: none if those of the view before are the same.
    shadows: Vec<Vec<Draw>>,
}

fn upload(gpu: &Gpu, what: &'static str, bytes: &[u8], usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, RenderError> {
    let buffer = gpu.buffer(what, bytes.len() as u64, usage | wgpu::BufferUsages::COPY_DST)?;
    if !bytes.is_empty() {
        gpu.queue.write_buffer(&buffer, 0, bytes);
    }
    Ok(buffer)
}

impl Renderer {
    /// Opens the graphics driver and uploads the model's assets.
    ///
    /// # Errors
    /// If there is no driver, or the assets are larger than its memory.
    pub fn new(m: &Model, options: &RenderOptions) -> Result<Self, RenderError> {
        let gpu = Gpu::open(options.adapter.as_deref())?;
        let vis = VisualSettings::new(&m.vis);
        let (shapes, builder) = geometry::build(m, &vis.quality, vis.map.haze);
        let vertices = bytemuck::cast_slice(&builder.vertices);
        let indices = bytemuck::cast_slice(&builder.indices);
        let fixed = (
            upload(&gpu, "vertices of meshes", vertices, wgpu::BufferUsages::VERTEX)?,
            upload(&gpu, "indices of meshes", indices, wgpu::BufferUsages::INDEX)?,
        );
        let physical = Physical::new(&gpu, m, options)?;
        let shaded = physical.is_some();
        let layouts = Layouts::new(&gpu.device, shaded);
        let textures = Textures::new(&gpu, &layouts, m);
        let extent = m.stat.extent as f32;
        let assets = Assets::new(m, shapes, vis.map.zfar * extent, vis.global.linewidth, shaded);
        let mut warnings = Vec::new();
        let shadowsize = options.shadowsize.unwrap_or_else(|| {
            let wanted = u32::try_from(vis.quality.shadowsize).unwrap_or(0);
            if gpu.adapter.is_software() { wanted.min(SOFTWARE_SHADOWS) } else { wanted }
        });
        if gpu.adapter.is_software() {
            let name = &gpu.adapter.name;
            warnings.push(format!(
                "pictures are drawn by the processor ({name}); shadow maps have {shadowsize} texels a side"
            ));
        }
        let samples = options.samples.unwrap_or(u32::try_from(vis.quality.offsamples).unwrap_or(0));
        let storage = wgpu::BufferUsages::STORAGE;
        let mut renderer = Self {
            instances: GrowingBuffer::new(&gpu, "geoms", storage)?,
            views: GrowingBuffer::new(&gpu, "cameras", wgpu::BufferUsages::UNIFORM)?,
            lights: GrowingBuffer::new(&gpu, "lights", storage)?,
            moving: GrowingBuffer::new(&gpu, "vertices of flexes and skins", wgpu::BufferUsages::VERTEX)?,
            shadows: ShadowMaps::new(&gpu, 1, 0),
            pipelines: Pipelines::new(&gpu.device, shaded),
            samples: if samples > 1 { 4 } else { 1 },
            groups: None,
            targets: None,
            readback: None,
            parts: Parts::default(),
            physical,
            gpu,
            layouts,
            textures,
            assets,
            vis,
            extent,
            shadowsize,
            warnings,
            fixed,
        };
        renderer.lights.write(&renderer.gpu, &[0; LIGHTS_STRIDE])?;
        renderer.gpu.check()?;
        Ok(renderer)
    }

    /// Returns the adapter that draws.
    pub fn adapter(&self) -> &AdapterDescription {
        &self.gpu.adapter
    }

    /// Returns the model of how surfaces reflect light.
    pub fn shading(&self) -> Shading {
        if self.physical.is_some() { Shading::Physical } else { Shading::Phong }
    }

    /// Sets the exposure of physical shading, stops.
    pub fn set_exposure(&mut self, stops: f32) {
        if let Some(physical) = &self.physical {
            physical.tone.set_exposure(&self.gpu, stops);
        }
    }

    /// Returns what the user should know, such as that the processor draws.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Draws the colours of a scene as its camera sees it.
    ///
    /// # Errors
    /// If the size is 0 or beyond the adapter's limit, the camera is not valid, or the driver fails.
    pub fn render(&mut self, scene: &Scene, width: u32, height: u32) -> Result<Image, RenderError> {
        Ok(self.render_frame(scene, width, height, Outputs::RGB)?.into_image())
    }

    /// Draws depth and ids of a scene as its camera sees it.
    ///
    /// # Errors
    /// Those of [`render`](Self::render).
    pub fn render_depth_ids(&mut self, scene: &Scene, width: u32, height: u32) -> Result<DepthIds, RenderError> {
        Ok(self.render_frame(scene, width, height, Outputs::DEPTH_IDS)?.into_depth_ids())
    }

    /// Draws any of colours, depth and ids of a scene as its camera sees it.
    ///
    /// # Errors
    /// Those of [`render`](Self::render).
    pub fn render_frame(
        &mut self,
        scene: &Scene,
        width: u32,
        height: u32,
        outputs: Outputs,
    ) -> Result<Frame, RenderError> {
        let frames = self.draw(scene, &[scene.middle_camera()], true, (width, height), outputs)?;
        Ok(frames.into_iter().next().unwrap_or_default())
    }

    /// Draws a scene as several cameras see it; the headlight is at each camera in turn.
    ///
    /// # Errors
    /// Those of [`render`](Self::render).
    pub fn render_many(
        &mut self,
        scene: &Scene,
        cameras: &[EyeCamera],
        width: u32,
        height: u32,
        outputs: Outputs,
    ) -> Result<Vec<Frame>, RenderError> {
        self.draw(scene, cameras, false, (width, height), outputs)
    }

    fn draw(
        &mut self,
        scene: &Scene,
        cameras: &[EyeCamera],
        own: bool,
        size: (u32, u32),
        outputs: Outputs,
    ) -> Result<Vec<Frame>, RenderError> {
        let (width, height) = size;
        let limit = self.gpu.adapter.max_size;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(RenderError::Size { width, height, limit });
        }
        let plans = self.plan(scene, cameras, own, size)?;
        if self.targets.as_ref().is_none_or(|t| t.size != size) {
            self.targets = Some(Targets::new(&self.gpu, size, self.samples, self.physical.is_some()));
        }
        self.bind();
        self.gpu.check()?;
        let planes = planes(size, outputs);
        let view_bytes = planes.size.max(1);
        let chunk = (READBACK / view_bytes).max(1) as usize;
        let mut frames = Vec::with_capacity(plans.len());
        for (number, plans) in plans.chunks(chunk).enumerate() {
            let used = planes.size * plans.len() as u64;
            if self.readback.as_ref().is_none_or(|r| r.size() < used) {
                self.readback = Some(Readback::new(&self.gpu, used)?);
            }
            self.encode(plans, number * chunk, outputs, &planes);
            let Some(readback) = self.readback.as_ref().filter(|_| used > 0) else { continue };
            let read = readback.read(&self.gpu, used, |bytes| {
                bytes.chunks_exact(view_bytes as usize).map(|view| frame_of(view, size, &planes)).collect::<Vec<_>>()
            })?;
            frames.extend(read);
        }
        Ok(frames)
    }

    /// Sorts the scene for each camera, and writes all that the shaders read.
    fn plan(
        &mut self,
        scene: &Scene,
        cameras: &[EyeCamera],
        own: bool,
        size: (u32, u32),
    ) -> Result<Vec<ViewPlan>, RenderError> {
        self.parts.fill(scene, &self.assets, &self.textures);
        let mut instances: Vec<InstanceData> = std::mem::take(&mut self.parts.instances);
        let (mut views, mut lights): (Vec<ViewData>, Vec<u8>) = (Vec::new(), Vec::new());
        let mut plans = Vec::with_capacity(cameras.len());
        let mut known: (Vec<ShadowLight>, Vec<Vec<Draw>>) = Default::default();
        let mut layers = 0;
        let settings = ShadowSettings {
            clip: f64::from(self.vis.map.shadowclip * self.extent),
            scale: self.vis.map.shadowscale.into(),
            on: self.shadowsize > 0,
        };
        let fog = self.fog(scene);
        let mut surroundings = [0.0; 3];
        if let Some(physical) = &mut self.physical {
            (physical.environment, surroundings) = physical.environments.choose(scene);
            physical.environments.prepare(&self.gpu, &self.layouts, physical.environment)?;
        }
        let shapes = &self.assets.shapes;
        for (index, camera) in cameras.iter().enumerate() {
            let eye = Eye::new(camera, scene, size, index)?;
            let order = Order::new(scene, &self.parts, eye.position);
            let lit = Lights::new(scene, (!own).then_some(camera), &eye, settings);
            let mut add = |mesh: &MeshRange, instance: Option<InstanceData>| {
                instance.map(|data| {
                    instances.push(data);
                    ((instances.len() - 1) as u32, Triangles::Fixed(mesh.clone()))
                })
            };
            let mut slots = ViewSlots { skybox: self.textures.skybox(), ..ViewSlots::default() };
            if slots.skybox.is_some() && scene.flag(RndFlag::Skybox) {
                slots.sky = add(&shapes.cylinder, sky(eye.position, camera.frustum_far, scene));
                slots.haze = add(&shapes.haze, haze(eye.position, camera.frustum_far, scene, self.vis.rgba.haze));
            }
            let mut view = |data: ViewData| {
                views.push(data);
                (views.len() - 1) as u32
            };
            let count = lit.data.len();
            slots.main = view(encode(&eye, size, count, lit.ambient, fog, None, surroundings));
            if let Some(mirror) = &order.mirror {
                let seen = eye.mirrored(mirror.centre, mirror.axes[2]);
                slots.mirror = view(encode(&seen, size, count, lit.ambient, fog, Some(mirror), surroundings));
            }
            let cast = |light| frame::plan_shadows(scene, &self.parts, light, eye.position);
            let mut shadows: Vec<Vec<Draw>> = lit.shadows.iter().map(cast).collect();
            let with_shadows = !shadows.is_empty();
            if (&lit.shadows, &shadows) == (&known.0, &known.1) {
                shadows.clear();
            } else {
                layers = layers.max(shadows.len());
                known = (lit.shadows, shadows.clone());
                for (light, draws) in known.0.iter().zip(&mut shadows) {
                    let slot = view(encode_shadow(&light.camera));
                    draws.iter_mut().for_each(|d| d.view = slot);
                }
            }
            let style = Style {
                shadows: with_shadows,
                cull: scene.flag(RndFlag::CullFace),
                wireframe: self.gpu.wireframe && scene.flag(RndFlag::Wireframe),
                samples: self.samples,
            };
            let draws = frame::plan_view(scene, &self.parts, &order, slots, style);
            for draw in draws.colour.iter().chain(&draws.ids).chain(shadows.iter().flatten()) {
                self.pipelines.prepare(&self.gpu.device, &self.layouts, draw.key);
                self.textures.prepare(&self.gpu, draw.textures);
            }
            lights.extend_from_slice(bytemuck::cast_slice::<LightData, u8>(&lit.data));
            lights.resize(LIGHTS_STRIDE * (index + 1), 0);
            plans.push(ViewPlan { far: eye.far, draws, shadows });
        }
        self.instances.write(&self.gpu, bytemuck::cast_slice(&instances))?;
        self.views.write(&self.gpu, bytemuck::cast_slice(&views))?;
        self.lights.write(&self.gpu, &lights)?;
        self.moving.write(&self.gpu, bytemuck::cast_slice(&self.parts.vertices))?;
        instances.clear();
        self.parts.instances = instances;
        if layers > self.shadows.layers.len() {
            self.shadows = ShadowMaps::new(&self.gpu, self.shadowsize, layers as u32);
            self.groups = None;
        }
        Ok(plans)
    }

    fn fog(&self, scene: &Scene) -> Option<Fog> {
        let [r, g, b, _] = self.vis.rgba.fog;
        let map = &self.vis.map;
        scene.flag(RndFlag::Fog).then_some(Fog {
            rgb: [r, g, b],
            start: map.fogstart * self.extent,
            end: map.fogend * self.extent,
        })
    }

    /// Binds the buffers again, if one of them is new.
    fn bind(&mut self) {
        let versions = [self.instances.version(), self.views.version(), self.lights.version()];
        if self.groups.as_ref().is_some_and(|g| g.versions == versions) {
            return;
        }
        let part = |buffer, size: u64| {
            wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer,
                offset: 0,
                size: std::num::NonZeroU64::new(size),
            })
        };
        let group = |layout, resources: Vec<wgpu::BindingResource>| {
            let entries: Vec<_> =
                (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
            self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
        };
        let scene = group(
            &self.layouts.scene,
            vec![part(self.views.get(), VIEW_BYTES), self.instances.get().as_entire_binding()],
        );
        let lights = group(
            &self.layouts.lights,
            vec![
                part(self.lights.get(), (LIGHT_BYTES * MAX_LIGHTS) as u64),
                wgpu::BindingResource::TextureView(&self.shadows.array),
                wgpu::BindingResource::Sampler(&self.shadows.sampler),
            ],
        );
        self.groups = Some(Groups { scene, lights, versions });
    }

    /// Draws views, the first of which has number `first` in the call, and copies them to memory.
    fn encode(&self, plans: &[ViewPlan], first: usize, outputs: Outputs, planes: &Planes) {
        let (Some(groups), Some(targets), Some(readback)) = (&self.groups, &self.targets, &self.readback) else {
            return;
        };
        let bound = Bound {
            pipelines: &self.pipelines,
            textures: &self.textures,
            scene: &groups.scene,
            lights: &groups.lights,
            environment: self.physical.as_ref().and_then(|p| p.environments.group(p.environment)),
            fixed: (&self.fixed.0, &self.fixed.1),
            moving: self.moving.get(),
        };
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (number, plan) in plans.iter().enumerate() {
            let moved = |plane: Plane| Plane { offset: plane.offset + number as u64 * planes.size, ..plane };
            if outputs.rgb {
                for (layer, draws) in plan.shadows.iter().enumerate() {
                    frame::encode_shadows(&bound, &mut encoder, &self.shadows, layer, draws);
                }
                let offset = ((first + number) * LIGHTS_STRIDE) as u32;
                frame::encode_colour(&bound, &mut encoder, targets, offset, &plan.draws.colour);
                if let Some(physical) = &self.physical {
                    physical.tone.encode(&self.gpu, &mut encoder, targets);
                }
                readback.copy(&mut encoder, &targets.colour, moved(planes.colour));
            }
            if outputs.depth_ids {
                frame::encode_ids(&bound, &mut encoder, targets, plan.far, &plan.draws.ids);
                readback.copy(&mut encoder, &targets.distance, moved(planes.distance));
                readback.copy(&mut encoder, &targets.ids, moved(planes.ids));
            }
        }
        self.gpu.queue.submit([encoder.finish()]);
    }
}

/// Where the targets of a view lie in what is read back.
struct Planes {
    colour: Plane,
    distance: Plane,
    ids: Plane,
    size: u64,
    outputs: Outputs,
}

fn planes((width, height): (u32, u32), outputs: Outputs) -> Planes {
    let mut size = 0;
    let mut plane = |pixel: u32, on: bool| {
        let plane = Plane { offset: size, pixel };
        if on {
            size += u64::from(Readback::row_bytes(width, pixel)) * u64::from(height);
        }
        plane
    };
    let (colour, distance, ids) = (plane(4, outputs.rgb), plane(4, outputs.depth_ids), plane(8, outputs.depth_ids));
    Planes { colour, distance, ids, size, outputs }
}

/// Takes the pictures of a view out of what was read back.
fn frame_of(bytes: &[u8], (width, height): (u32, u32), planes: &Planes) -> Frame {
    let rows = |plane: Plane| {
        let stride = Readback::row_bytes(width, plane.pixel) as usize;
        let used = (width * plane.pixel) as usize;
        bytes[plane.offset as usize..].chunks_exact(stride).take(height as usize).map(move |row| &row[..used])
    };
    let pixels = (width as usize) * (height as usize);
    let mut frame = Frame { width, height, ..Frame::default() };
    if planes.outputs.rgb {
        frame.rgb.reserve_exact(3 * pixels);
        for row in rows(planes.colour) {
            frame.rgb.extend(row.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]));
        }
    }
    if planes.outputs.depth_ids {
        frame.depth.reserve_exact(pixels);
        frame.ids.reserve_exact(pixels);
        for row in rows(planes.distance) {
            frame.depth.extend(row.as_chunks::<4>().0.iter().map(|&b| f32::from_le_bytes(b)));
        }
        for row in rows(planes.ids) {
            let id = |b: &[u8]| i32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            frame.ids.extend(row.as_chunks::<8>().0.iter().map(|b| [id(&b[..4]), id(&b[4..])]));
        }
    }
    frame
}
