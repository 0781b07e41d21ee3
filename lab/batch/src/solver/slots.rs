//! Places of rows in lanes: rows of different worlds share a place only where they have equal columns.
//!
//! Places are visited in the order of their columns, then of their number, whoever is in them. So the order of a world's
//! sums is its own: its neighbours add places in which it has zeros.

use super::Bits;
use super::factor::Columns;

/// Rows with equal columns.
#[derive(Clone, Debug)]
pub struct Class {
    /// Columns, as bits.
    pub bits: Bits,
    /// Columns, as runs.
    pub columns: Columns,
    /// Places.
    slots: Vec<usize>,
    /// Rows of each world.
    counts: Vec<usize>,
}

/// Places of the rows of a group of worlds.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    width: usize,
    classes: Vec<Class>,
    /// Classes in the order of their bits.
    sorted: Vec<usize>,
    /// Class of each place.
    class_of: Vec<usize>,
    /// Places of each world's rows.
    rows: Vec<Vec<usize>>,
}

impl Slots {
    /// Makes places for a number of worlds.
    pub fn new(width: usize) -> Self {
        Self { width, rows: vec![Vec::new(); width], ..Self::default() }
    }

    /// Returns the number of places.
    pub fn len(&self) -> usize {
        self.class_of.len()
    }

    /// Returns the places of the rows of world `i`.
    #[inline(always)]
    pub fn of(&self, i: usize) -> &[usize] {
        &self.rows[i]
    }

    /// Returns the columns of a place, as bits.
    #[inline(always)]
    pub fn bits(&self, slot: usize) -> Bits {
        self.classes[self.class_of[slot]].bits
    }

    /// Forgets the rows of world `i`.
    pub fn clear(&mut self, i: usize) {
        self.rows[i].clear();
        self.classes.iter_mut().for_each(|c| c.counts[i] = 0);
    }

    /// Returns the place of the next row of world `i`.
    pub fn push(&mut self, i: usize, bits: Bits) -> usize {
        // Rows of one contact follow each other.
        let last = self.rows[i].last().map(|s| self.class_of[*s]).filter(|c| self.classes[*c].bits == bits);
        let known = last.or_else(|| self.classes.iter().position(|c| c.bits == bits));
        let class = known.unwrap_or_else(|| {
            let at = self.sorted.partition_point(|c| self.classes[*c].bits < bits);
            self.sorted.insert(at, self.classes.len());
            self.classes.push(Class {
                bits,
                columns: Columns::of(bits),
                slots: Vec::new(),
                counts: vec![0; self.width],
            });
            self.classes.len() - 1
        });
        let c = &mut self.classes[class];
        let k = c.counts[i];
        c.counts[i] += 1;
        if k == c.slots.len() {
            c.slots.push(self.class_of.len());
            self.class_of.push(class);
        }
        self.rows[i].push(c.slots[k]);
        c.slots[k]
    }

    /// Calls `f` with each class that any world has rows of, and its places in use.
    pub fn for_each(&self, mut f: impl FnMut(&Class, &[usize])) {
        for &c in &self.sorted {
            let class = &self.classes[c];
            let most = class.counts.iter().copied().max().unwrap_or(0);
            if most > 0 {
                f(class, &class.slots[..most]);
            }
        }
    }
}
