//! Chooses some of many contacts, spread out.

use crate::Contact;

/// Keeps at most `most` of the contacts from `first` on: the deepest, then again and again the one that is farthest from
/// those that were chosen. What is kept goes in the order of vertices and elements.
pub(super) fn reduce(
    found: &mut Vec<(u32, Contact)>,
    first: usize,
    most: usize,
    selected: &mut Vec<bool>,
    nearest: &mut Vec<f64>,
) {
    let n = found.len() - first;
    if n <= most {
        return;
    }
    let contacts = &mut found[first..];
    selected.clear();
    selected.resize(n, false);
    nearest.clear();
    nearest.resize(n, f64::INFINITY);
    let mut best = 0;
    for i in 1..n {
        if contacts[i].1.dist < contacts[best].1.dist {
            best = i;
        }
    }
    for _ in 0..most {
        selected[best] = true;
        let at = contacts[best].1.pos;
        let mut next = (best, -1.0);
        for i in (0..n).filter(|&i| !selected[i]) {
            nearest[i] = nearest[i].min(contacts[i].1.pos.distance_squared(at));
            if nearest[i] > next.1 {
                next = (i, nearest[i]);
            }
        }
        best = next.0;
    }
    let mut kept = 0;
    for i in 0..n {
        if selected[i] {
            contacts.swap(kept, i);
            kept += 1;
        }
    }
    found.truncate(first + kept);
}
