//! Choice of the adapter, and descriptions of those that there are.

use crate::error::RenderError;
use pollster::block_on;
use std::sync::{Arc, Mutex};

/// Graphics adapter: a GPU, or a software driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterDescription {
    /// Name.
    pub name: String,
    /// Programming interface: `vulkan`, `metal`, `dx12`.
    pub backend: String,
    /// Driver and its version.
    pub driver: String,
    /// Kind: `discrete GPU`, `integrated GPU`, `virtual GPU`, `software`, `other`.
    pub kind: &'static str,
    /// Greatest width and height of pictures, pixels.
    pub max_size: u32,
    /// Greatest size of a buffer, bytes.
    pub max_buffer: u64,
}

impl AdapterDescription {
    fn new(info: &wgpu::AdapterInfo, limits: &wgpu::Limits) -> Self {
        Self {
            name: info.name.clone(),
            backend: info.backend.to_string(),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => "discrete GPU",
                wgpu::DeviceType::IntegratedGpu => "integrated GPU",
                wgpu::DeviceType::VirtualGpu => "virtual GPU",
                wgpu::DeviceType::Cpu => "software",
                wgpu::DeviceType::Other => "other",
            },
            max_size: limits.max_texture_dimension_2d,
            max_buffer: limits.max_buffer_size,
        }
    }

    /// Returns whether pictures are made by the processor.
    pub fn is_software(&self) -> bool {
        self.kind == "software"
    }
}

impl std::fmt::Display for AdapterDescription {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self { name, backend, driver, kind, max_size, .. } = self;
        write!(f, "{name} ({kind}, {backend}, {driver}), pictures up to {max_size} x {max_size}")
    }
}

fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::PRIMARY,
        // Validation layers of the driver are for those who write renderers.
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
}

/// Lists the adapters of this machine, the one that renderers take first.
pub fn probe() -> Vec<AdapterDescription> {
    list().iter().map(|a| AdapterDescription::new(&a.get_info(), &a.limits())).collect()
}

/// Returns all adapters, fastest kind first.
fn list() -> Vec<wgpu::Adapter> {
    let mut adapters = block_on(instance().enumerate_adapters(wgpu::Backends::PRIMARY));
    adapters.sort_by_key(|a| match a.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

/// Device with its queue, and the first complaint of the driver.
pub struct Gpu {
    /// Device.
    pub device: wgpu::Device,
    /// Queue.
    pub queue: wgpu::Queue,
    /// Adapter.
    pub adapter: AdapterDescription,
    /// Whether surfaces can be drawn as lines.
    pub wireframe: bool,
    complaint: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Opens the fastest adapter, or the one with `name` in its name.
    pub fn open(name: Option<&str>) -> Result<Self, RenderError> {
        let adapters = list();
        if adapters.is_empty() {
            return Err(RenderError::NoAdapter { reason: "no Vulkan, Metal or Direct3D 12 driver answers".into() });
        }
        let chosen = match name {
            None => &adapters[0],
            Some(name) => {
                let matches = |a: &&wgpu::Adapter| a.get_info().name.to_lowercase().contains(&name.to_lowercase());
                adapters.iter().find(matches).ok_or_else(|| RenderError::UnknownAdapter {
                    name: name.to_owned(),
                    available: adapters.iter().map(|a| a.get_info().name).collect::<Vec<_>>().join(", "),
                })?
            }
        };
        let adapter = AdapterDescription::new(&chosen.get_info(), &chosen.limits());
        let features = chosen.features() & wgpu::Features::POLYGON_MODE_LINE;
        let request = chosen.request_device(&wgpu::DeviceDescriptor {
            label: Some("mj-render"),
            required_features: features,
            required_limits: chosen.limits(),
            ..Default::default()
        });
        let (device, queue) = block_on(request)
            .map_err(|e| RenderError::NoDevice { adapter: adapter.name.clone(), reason: e.to_string() })?;
        let complaint = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&complaint);
        // Without a handler the library panics.
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Ok(mut slot) = kept.lock() {
                slot.get_or_insert_with(|| error.to_string());
            }
        }));
        Ok(Self { device, queue, adapter, wireframe: !features.is_empty(), complaint })
    }

    /// Returns the driver's complaint since the last call, if there is one.
    pub fn check(&self) -> Result<(), RenderError> {
        match self.complaint.lock().ok().and_then(|mut slot| slot.take()) {
            None => Ok(()),
            Some(reason) => Err(RenderError::Driver { reason }),
        }
    }

    /// Makes a buffer of `size` bytes, if the adapter has room for it.
    pub fn buffer(
        &self,
        what: &'static str,
        size: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, RenderError> {
        let mut limit = self.adapter.max_buffer;
        if usage.contains(wgpu::BufferUsages::STORAGE) {
            limit = limit.min(self.device.limits().max_storage_buffer_binding_size);
        }
        if size > limit {
            return Err(RenderError::TooLarge { what, bytes: size, limit });
        }
        let size = size.max(256).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        Ok(self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(what),
            size,
            usage,
            mapped_at_creation: false,
        }))
    }
}
