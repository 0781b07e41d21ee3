//! Pictures of scenes.

use super::{M, SceneCore};
use crate::error;
use mj_model::{ObjType, TextureId};
use mj_render::{Frame, Outputs, RenderError, RenderOptions, Renderer, Shading, ToneMap};
use mj_scene::{EyeCamera, RndFlag, Scene, SceneShape, Stereo};
use numpy::{PyArray, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Red, green and blue; distance, m; element and its kind: each empty unless it was asked for.
type Pictures<'py> = [Bound<'py, PyAny>; 3];

/// A renderer of one model, with a device of its own.
#[pyclass(name = "Renderer", module = "mj._core", frozen)]
pub struct RendererCore(Mutex<Renderer>);

fn told(e: RenderError) -> PyErr {
    match e {
        RenderError::TooLarge { .. } => PyMemoryError::new_err(e.to_string()),
        RenderError::NoAdapter { .. }
        | RenderError::UnknownAdapter { .. }
        | RenderError::NoDevice { .. }
        | RenderError::Driver { .. } => PyRuntimeError::new_err(e.to_string()),
        _ => error::value(e),
    }
}

/// Returns the options of a renderer by the names that programs use.
fn options(shading: &str, exposure: f32, tone_map: &str) -> PyResult<RenderOptions> {
    let shading = match shading {
        "phong" => Shading::Phong,
        "physical" => Shading::Physical,
        _ => return Err(error::value(format!("unknown shading '{shading}'; there are 'phong', 'physical'"))),
    };
    let tone_map = match tone_map {
        "neutral" => ToneMap::Neutral,
        "aces" => ToneMap::Aces,
        "clip" => ToneMap::Clip,
        _ => return Err(error::value(format!("unknown tone map '{tone_map}'; there are 'neutral', 'aces', 'clip'"))),
    };
    if !exposure.is_finite() {
        return Err(error::value(format!("`exposure` is {exposure}; expected a finite number of stops")));
    }
    Ok(RenderOptions { shading, exposure, tone_map, ..RenderOptions::default() })
}

#[pymethods]
impl RendererCore {
    /// Opens a device, and takes the model's assets there. `textures` are pixels of textures that the model holds by
    /// reference: number, height, width, channels, pixels. `shading`: its model, exposure in stops, name of the tone map.
    #[new]
    fn new(m: M, textures: Vec<(usize, i32, i32, i32, Vec<u8>)>, shading: (String, f32, String)) -> PyResult<Self> {
        let options = options(&shading.0, shading.1, &shading.2)?;
        // With textures that users wrote.
        let mut model = m.get().change(|m| Ok(m.clone()))?;
        for (number, height, width, channels, pixels) in textures {
            let id = TextureId::new(number);
            let size: i64 = [height, width, channels].map(i64::from).iter().product();
            if number >= model.tex.len() || pixels.len() as i64 != size {
                return Err(PyValueError::new_err(format!("texture {number} has {} bytes of pixels", pixels.len())));
            }
            let t = &mut model.tex;
            t.adr.edit()[id] = i32::try_from(model.tex_data.len()).map_err(error::value)?;
            (t.height.edit()[id], t.width.edit()[id], t.nchannel.edit()[id]) = (height, width, channels);
            model.tex_data.extend(pixels);
        }
        let renderer = m.py().detach(|| Renderer::new(&model, &options)).map_err(told)?;
        Ok(Self(Mutex::new(renderer)))
    }

    /// Name of the adapter that draws.
    #[getter]
    fn adapter(&self, py: Python) -> String {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).adapter().name.clone())
    }

    /// What users should know, such as that the processor draws.
    #[getter]
    fn warnings(&self, py: Python) -> Vec<String> {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).warnings().to_vec())
    }

    /// Draws a scene, top row first.
    fn _draw<'py>(
        &self,
        py: Python<'py>,
        scene: &SceneCore,
        width: u32,
        height: u32,
        rgb: bool,
        depth_ids: bool,
    ) -> PyResult<Pictures<'py>> {
        let frame = py.detach(|| {
            // A copy: others may read the scene meanwhile.
            let scene = scene.look().clone();
            if scene.camera == [EyeCamera::default(); 2] {
                return Ok(empty(width, height, rgb, depth_ids));
            }
            let mut renderer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let plain = !scene.flag(RndFlag::Segment);
            let outputs = Outputs { rgb: rgb && plain, depth_ids };
            let mut frame = draw(&mut renderer, &scene, width, height, outputs)?;
            if rgb && !plain {
                frame.rgb = segments(&mut renderer, scene, width, height)?;
            }
            Ok(frame)
        });
        let frame = frame.map_err(told)?;
        let (height, width) = (height as usize, width as usize);
        let rows = |empty: bool| if empty { 0 } else { height };
        let ids: Vec<i32> = frame.ids.iter().flatten().copied().collect();
        Ok([
            PyArray::from_slice(py, &frame.rgb).reshape([rows(frame.rgb.is_empty()), width, 3])?.into_any(),
            PyArray::from_slice(py, &frame.depth).reshape([rows(frame.depth.is_empty()), width])?.into_any(),
            PyArray::from_slice(py, &ids).reshape([rows(ids.is_empty()), width, 2])?.into_any(),
        ])
    }
}

/// Draws a scene from between both eyes, or from each in a half of the picture.
fn draw(
    renderer: &mut Renderer,
    scene: &Scene,
    width: u32,
    height: u32,
    outputs: Outputs,
) -> Result<Frame, RenderError> {
    if scene.stereo != Stereo::SideBySide || width < 2 {
        return renderer.render_frame(scene, width, height, outputs);
    }
    let half = width / 2;
    let halves = renderer.render_many(scene, &scene.camera, half, height, outputs)?;
    let mut whole = empty(width, height, outputs.rgb, outputs.depth_ids);
    let (half, width) = (half as usize, width as usize);
    for (side, part) in halves.iter().enumerate() {
        place(&mut whole.rgb, &part.rgb, [side * 3 * half, 3 * half, 3 * width]);
        place(&mut whole.depth, &part.depth, [side * half, half, width]);
        place(&mut whole.ids, &part.ids, [side * half, half, width]);
    }
    Ok(whole)
}

/// Writes rows into wider ones: `first` is where in a row, `from` and `to` are the widths.
fn place<T: Copy>(target: &mut [T], source: &[T], [first, from, to]: [usize; 3]) {
    for (row, part) in target.chunks_exact_mut(to).zip(source.chunks_exact(from)) {
        row[first..first + from].copy_from_slice(part);
    }
}

/// Returns the picture of a scene that was never filled: black, with nothing to see.
fn empty(width: u32, height: u32, rgb: bool, depth_ids: bool) -> Frame {
    let pixels = |wanted: bool| if wanted { width as usize * height as usize } else { 0 };
    Frame {
        width,
        height,
        rgb: vec![0; 3 * pixels(rgb)],
        depth: vec![0.0; pixels(depth_ids)],
        ids: vec![[-1; 2]; pixels(depth_ids)],
    }
}

/// Draws each geom in one colour, which its number for pictures of ids gives; black where none is seen.
fn segments(renderer: &mut Renderer, mut scene: Scene, width: u32, height: u32) -> Result<Vec<u8>, RenderError> {
    let mut surfaces: Vec<([i32; 2], i32)> = Vec::new();
    for geom in &mut scene.geoms {
        if matches!(geom.r#type, SceneShape::Flex | SceneShape::Skin) {
            // Their element says which surface is theirs.
            surfaces.push(([geom.objid, geom.objtype.code()], geom.segid));
        } else {
            geom.objid = geom.segid;
            geom.objtype = ObjType::Unknown;
        }
    }
    let coded = scene.flag(RndFlag::IdColor);
    let seen = draw(renderer, &scene, width, height, Outputs::DEPTH_IDS)?;
    let colour = |id: [i32; 2]| {
        let segid = match id {
            [_, -1] => return [0; 3],
            [segid, 0] => segid,
            _ => surfaces.iter().find(|(of, _)| *of == id).map_or(-1, |s| s.1),
        };
        if coded { bytes(segid) } else { distinct(segid) }
    };
    // Neighbours are mostly the same.
    let mut last = ([-1, -1], [0; 3]);
    let pixels = seen.ids.iter().flat_map(|&id| {
        if id != last.0 {
            last = (id, colour(id));
        }
        last.1
    });
    Ok(pixels.collect())
}

/// Returns the colour that is a number plus one, lowest byte first.
fn bytes(segid: i32) -> [u8; 3] {
    let [r, g, b, _] = segid.wrapping_add(1).to_le_bytes();
    [r, g, b]
}

/// Returns a colour that differs from those of other numbers.
fn distinct(segid: i32) -> [u8; 3] {
    [2, 3, 5].map(|base| (255.0 * (0.1 + 0.8 * halton(segid.saturating_add(10).max(0) as u32, base))).round() as u8)
}

/// Returns an element of the Halton sequence.
fn halton(mut index: u32, base: u32) -> f64 {
    let (mut fraction, mut sum) = (1.0, 0.0);
    while index > 0 {
        fraction /= f64::from(base);
        sum += fraction * f64::from(index % base);
        index /= base;
    }
    sum
}

/// Returns the adapters of this machine: name, kind, driver, whether it is the processor.
#[pyfunction]
pub fn _adapters(py: Python) -> Vec<String> {
    py.detach(|| mj_render::probe().into_iter().map(|a| a.name).collect())
}
