//! Buffers that grow with what is written to them.

use super::adapter::Gpu;
use crate::error::RenderError;

/// Buffer that is replaced by a larger one where its contents don't fit.
pub struct GrowingBuffer {
    what: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
    version: u64,
}

impl GrowingBuffer {
    /// Makes a small buffer for `what`.
    pub fn new(gpu: &Gpu, what: &'static str, usage: wgpu::BufferUsages) -> Result<Self, RenderError> {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Ok(Self { what, usage, buffer: gpu.buffer(what, 1 << 15, usage)?, version: 0 })
    }

    /// Writes the contents, in a larger buffer if need be.
    pub fn write(&mut self, gpu: &Gpu, bytes: &[u8]) -> Result<(), RenderError> {
        let needed = bytes.len() as u64;
        if needed > self.buffer.size() {
            // Room to grow, so that a scene that gains a geom in each frame doesn't need a new buffer in each.
            let roomy = needed.next_power_of_two();
            self.buffer = match gpu.buffer(self.what, roomy, self.usage) {
                Err(_) => gpu.buffer(self.what, needed, self.usage)?,
                made => made?,
            };
            self.version += 1;
        }
        if !bytes.is_empty() {
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
        Ok(())
    }

    /// Returns the buffer.
    pub fn get(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Returns a number that changes with the buffer: what is bound to an old one must be bound again.
    pub fn version(&self) -> u64 {
        self.version
    }
}
