//! Files that the command writes.

use crate::failure::Failure;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

/// Checks that a file can be written, before the work whose results it will hold.
///
/// A file that is there keeps its contents; one that isn't is not left behind.
pub fn check(path: &Path) -> Result<(), Failure> {
    let opened = match std::fs::metadata(path) {
        Ok(m) if m.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(m) if m.is_file() => OpenOptions::new().append(true).open(path).map(drop),
        // A pipe or a device: opening it may wait for its reader.
        Ok(_) => Ok(()),
        Err(_) => {
            let created = OpenOptions::new().write(true).create_new(true).open(path);
            created.and_then(|_| std::fs::remove_file(path))
        }
    };
    opened.map_err(|source| Failure::Write { path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checking_changes_nothing() {
        let dir = std::env::temp_dir().join(format!("mj-output-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let (new, old) = (dir.join("new.npz"), dir.join("old.npz"));
        std::fs::write(&old, "kept").unwrap();
        assert!(check(&new).is_ok() && !new.exists());
        assert!(check(&old).is_ok());
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "kept");
        assert!(check(&dir).is_err() && check(&dir.join("none/x.npz")).is_err());
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
