//! How much memory the process has needed.

/// Returns the most memory that was resident at once since the process began, bytes, where the system tells (Linux).
pub fn peak() -> Option<u64> {
    peak_of(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// The high-water mark in what Linux says of a process.
fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read() {
        assert_eq!(peak_of("Name:\tmj\nVmPeak:\t   20000 kB\nVmHWM:\t    1234 kB\n"), Some(1234 * 1024));
        for other in ["", "VmHWM:\t12\n", "VmHWM: x kB", "VmHWM: 99999999999999999999 kB"] {
            assert_eq!(peak_of(other), None, "{other}");
        }
    }

    /// What has been in use stays in the mark when it is given back.
    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_was_used_is_seen() {
        let before = peak().unwrap();
        let touched = vec![1u8; 64 << 20];
        assert!(std::hint::black_box(&touched).iter().all(|&x| x == 1));
        drop(touched);
        assert!(peak().unwrap() >= before.max(64 << 20));
    }
}
