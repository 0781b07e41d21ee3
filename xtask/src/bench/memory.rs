//! The memory of a simulation's data: bytes on the heap, counted where they are allocated.

use super::reference::Reference;
use crate::Result;
use crate::page::table;
use mj_engine::{Data, load, step};
use mj_model::KeyId;
use std::path::{Path, PathBuf};

/// Steps after which buffers have grown to what they need.
const STEPS: u64 = 400;

/// Bytes of data after some steps without controls, the struct itself and all that it owns, and the most contacts.
fn bytes(path: &Path) -> Result<(u64, usize, usize)> {
    let m = load(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (mut data, mut contacts) = (None, 0);
    let info = allocation_counter::measure(|| {
        data = Data::new(&m).ok().and_then(|mut d| {
            if !m.key.is_empty() {
                d.state.set_key(&m, KeyId::new(0));
            }
            for _ in 0..STEPS {
                step(&m, &mut d).ok()?;
                contacts = contacts.max(d.contacts.len());
            }
            Some(d)
        });
    });
    data.ok_or_else(|| format!("{}: unsupported", path.display()))?;
    Ok((info.bytes_current.unsigned_abs() + size_of::<Data>() as u64, contacts, m.nv()))
}

/// The part of the page.
pub fn section(mut reference: Option<&mut Reference>, models: &[(String, PathBuf)]) -> Result<String> {
    let mut head = ["model", "dofs", "contacts, most", "ours, KB"].map(String::from).to_vec();
    if reference.is_some() {
        head.extend(["reference, KB", "of it fixed", "of its arena", "ours to its"].map(String::from));
    }
    let kilobytes = |b: u64| format!("{:.0}", b as f64 / 1e3);
    let mut rows = Vec::new();
    for (name, path) in models {
        let (ours, contacts, dofs) = bytes(path)?;
        let mut row = vec![name.clone(), dofs.to_string(), contacts.to_string(), kilobytes(ours)];
        if let Some(r) = &mut reference {
            let [fixed, arena] = r.undriven(path, STEPS)?.bytes;
            row.extend([fixed + arena, fixed, arena].map(kilobytes));
            row.push(format!("{:.2}", ours as f64 / (fixed + arena) as f64));
        }
        rows.push(row);
    }
    Ok(format!(
        "Bytes of `Data` and all that it owns after {STEPS} steps without controls; the reference's are `nbuffer` and \
         `maxuse_arena` of its `mjData` then, what it used of the arena, which it allocates whole.\n\n{}",
        table(&head, &rows)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_data_owns_is_counted() {
        let model = crate::root().join("models/humanoid.xml");
        let (bytes, contacts, dofs) = bytes(&model).unwrap();
        assert_eq!(dofs, 27);
        // The inertia alone, once as it is and once factored, for every dof and its ancestors.
        assert!(contacts > 3 && bytes > 27 * 27 * 8, "{bytes} B, {contacts} contacts");
    }
}
