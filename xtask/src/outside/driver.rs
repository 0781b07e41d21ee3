//! A software driver for what draws, on machines that have none.

use super::steps::Steps;
use crate::Result;
use std::process::Command;

/// Debian's packages of Mesa's software driver for Vulkan.
const DRIVER: &[&str] = &["mesa-vulkan-drivers", "libvulkan1"];

/// Folders where Vulkan finds descriptions of drivers.
const DRIVERS: &[&str] = &["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];

/// Installs the driver where Linux has none.
pub fn install(steps: &Steps) -> Result<()> {
    let there = |folder: &&str| std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
    if !DRIVERS.iter().any(there) && cfg!(target_os = "linux") {
        steps.run("package lists", Command::new("apt-get").args(["update", "-qq"]))?;
        let install = ["install", "-y", "-qq", "--no-install-recommends"];
        steps.run("driver", Command::new("apt-get").args(install).args(DRIVER))?;
    }
    Ok(())
}
