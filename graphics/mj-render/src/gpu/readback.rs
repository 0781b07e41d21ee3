//! Copies of targets in memory.

use super::adapter::Gpu;
use crate::error::RenderError;

/// One target of one view among those that are read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// First byte.
    pub offset: u64,
    /// Bytes of a pixel.
    pub pixel: u32,
}

/// Buffer that targets are copied to.
pub struct Readback {
    buffer: wgpu::Buffer,
}

impl Readback {
    /// Returns the bytes of a row of pixels, with what the copy pads it by.
    pub fn row_bytes(width: u32, pixel: u32) -> u32 {
        (width * pixel).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }

    /// Makes a buffer of `size` bytes.
    pub fn new(gpu: &Gpu, size: u64) -> Result<Self, RenderError> {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        Ok(Self { buffer: gpu.buffer("pictures", size, usage)? })
    }

    /// Returns the size, bytes.
    pub fn size(&self) -> u64 {
        self.buffer.size()
    }

    /// Copies a target to its place.
    pub fn copy(&self, encoder: &mut wgpu::CommandEncoder, texture: &wgpu::Texture, plane: Plane) {
        let size = texture.size();
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: plane.offset,
                    bytes_per_row: Some(Self::row_bytes(size.width, plane.pixel)),
                    rows_per_image: Some(size.height),
                },
            },
            size,
        );
    }

    /// Waits for all copies and gives their bytes to `take`.
    pub fn read<T>(&self, gpu: &Gpu, used: u64, take: impl FnOnce(&[u8]) -> T) -> Result<T, RenderError> {
        let failed = |reason: String| RenderError::Driver { reason };
        let (sender, receiver) = std::sync::mpsc::channel();
        self.buffer.map_async(wgpu::MapMode::Read, 0..used, move |result| {
            let _ = sender.send(result);
        });
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| failed(e.to_string()))?;
        gpu.check()?;
        receiver.recv().map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
        let taken = {
            let bytes = self.buffer.get_mapped_range(0..used).map_err(|e| failed(e.to_string()))?;
            take(&bytes)
        };
        self.buffer.unmap();
        Ok(taken)
    }
}
