//! Errors of rendering.

/// Error of making a renderer or a picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// No graphics driver.
    #[error(
        "no graphics driver was found ({reason}); {}",
        if cfg!(target_os = "linux") {
            "on a machine without a GPU, install a software driver: `apt-get install mesa-vulkan-drivers libvulkan1` \
             (Debian, Ubuntu) or `dnf install mesa-vulkan-drivers vulkan-loader` (Fedora); if one is installed, \
             VK_ICD_FILENAMES or VK_DRIVER_FILES may name its file, such as /usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
        } else {
            "install the driver of the graphics card"
        }
    )]
    NoAdapter {
        /// Complaint of the graphics library.
        reason: String,
    },
    /// No driver of the name that was asked for.
    #[error("no graphics adapter has `{name}` in its name; there are: {available}")]
    UnknownAdapter {
        /// Name that was asked for.
        name: String,
        /// Names of the adapters.
        available: String,
    },
    /// A driver that doesn't give a device.
    #[error("adapter `{adapter}` gives no device: {reason}")]
    NoDevice {
        /// Adapter.
        adapter: String,
        /// Complaint of the graphics library.
        reason: String,
    },
    /// A picture without pixels, or with too many.
    #[error(
        "a picture of {width} x {height} pixels can't be drawn; width and height lie between 1 and {limit} on this adapter"
    )]
    Size {
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
        /// Greatest width and height, pixels.
        limit: u32,
    },
    /// A camera that sees nothing.
    #[error("camera {index} is not valid: {reason}")]
    Camera {
        /// Camera, by its place in the call.
        index: usize,
        /// Reason.
        reason: &'static str,
    },
    /// Assets or a scene larger than the adapter's buffers.
    #[error("{what} need {bytes} bytes; this adapter's buffers hold {limit}")]
    TooLarge {
        /// Items that need the memory.
        what: &'static str,
        /// Their size, bytes.
        bytes: u64,
        /// Limit, bytes.
        limit: u64,
    },
    /// Failure of the driver.
    #[error("the graphics driver failed: {reason}")]
    Driver {
        /// Complaint of the graphics library.
        reason: String,
    },
    /// A scene that can't be made of the simulation.
    #[error(transparent)]
    Scene(#[from] mj_scene::SceneError),
}
