//! The machine that measures, as measurements tell of it.

use std::process::Command;

/// Engine, compiler, processor, cores, and what else these had to do, given the load before.
pub fn conditions(busy: Option<f64>) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut text =
        format!("mj {}, {} (release), {}, {cores} cores", env!("CARGO_PKG_VERSION"), compiler(), processor());
    if let Some(busy) = busy {
        let other = if busy < 0.5 { "nothing else to do" } else { "other work to do" };
        text += &format!(" with {other} (load {busy:.1} before)");
    }
    text
}

/// Processes that wanted a core in the last minute, where the system tells.
pub fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string())
}

fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(rustc).arg("--version").output().map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    said.unwrap_or_default().split(' ').take(2).collect::<Vec<_>>().join(" ")
}
