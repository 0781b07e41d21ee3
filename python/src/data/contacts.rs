//! `MjData.contact`: the contacts of the last call, one array a field.

use crate::kind::{HasKind, Kind};
use crate::memory::{self, Block, Shareable};
use mj_collide::Contact;
use mj_engine::Data;
use mj_math::DVec3;
use mj_model::Cell;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A field of contacts.
struct Part {
    name: &'static str,
    kind: Kind,
    width: usize,
    write: fn(&Data, &Block),
    read: fn(&mut Data, &Block),
}

/// A field that the engine keeps in its contacts.
macro_rules! part {
    ($name:ident: $t:ty) => {
        part!($name: $t, |c: &Contact| c.$name, |c: &mut Contact, x: $t| c.$name = x)
    };
    ($name:ident: $t:ty, $get:expr, $set:expr) => {
        Part {
            name: stringify!($name),
            kind: <<$t as Cell>::Number as HasKind>::KIND,
            width: <$t as Cell>::WIDTH,
            write: |d, block| {
                let get: fn(&Contact) -> $t = $get;
                block.write(&d.contacts.list.iter().map(get).collect::<Vec<_>>());
            },
            read: |d, block| {
                let (get, set): (fn(&Contact) -> $t, fn(&mut Contact, $t)) = ($get, $set);
                let mut cells: Vec<$t> = d.contacts.list.iter().map(get).collect();
                block.read(&mut cells);
                d.contacts.list.iter_mut().zip(cells).for_each(|(c, x)| set(c, x));
            },
        }
    };
}

/// A field that is only shown.
macro_rules! shown {
    ($name:ident: $t:ty = $f:expr) => {
        Part {
            name: stringify!($name),
            kind: <<$t as Cell>::Number as HasKind>::KIND,
            width: <$t as Cell>::WIDTH,
            write: |d, block| {
                let f: fn(&Data, usize) -> $t = $f;
                block.write(&(0..d.contacts.len()).map(|i| f(d, i)).collect::<Vec<_>>());
            },
            read: |_, _| {},
        }
    };
}

static PARTS: &[Part] = &[
    part!(dist: f64),
    part!(pos: DVec3),
    part!(frame: [DVec3; 3]),
    part!(includemargin: f64),
    part!(friction: [f64; 5]),
    part!(solref: [f64; 2]),
    part!(solreffriction: [f64; 2]),
    part!(solimp: [f64; 5]),
    part!(adhesion: f64),
    part!(surfacevel: [f64; 3]),
    shown!(mu: f64 = |d, i| d.rows.contacts.get(i).map_or(0.0, |c| c.mu)),
    shown!(H: [[f64; 6]; 6] = |_, _| [[0.0; 6]; 6]),
    // Rows were made for it, and for the geoms.
    shown!(dim: u32 = |d, i| d.contacts[i].dim),
    shown!(geom: [i32; 2] = |d, i| d.contacts[i].geom.map(|g| g.map_or(-1, |g| g.index() as i32))),
    shown!(flex: [i32; 2] = |d, i| d.contacts[i].flex.map(|f| f.map_or(-1, |f| f.index() as i32))),
    shown!(elem: [i32; 2] = |d, i| d.contacts[i].elem),
    shown!(vert: [i32; 2] = |d, i| d.contacts[i].vert),
    shown!(exclude: i32 = |d, i| d.rows.contacts.get(i).map_or(d.contacts[i].in_gap.into(), |c| c.exclude.into())),
    shown!(efc_address: i32 = |d, i| {
        d.rows.contacts.get(i).and_then(|c| c.efc_address).map_or(-1, |row| row as i32)
    }),
];

/// Arrays of the contacts of one call.
#[derive(Default)]
pub struct Contacts {
    blocks: Vec<Arc<Block>>,
}

impl Contacts {
    /// Makes arrays of so many contacts, by the names of their fields.
    ///
    /// # Errors
    /// If Python has no memory.
    pub fn new(py: Python<'_>, n: usize) -> PyResult<(Self, Bound<'_, PyDict>)> {
        let arrays = PyDict::new(py);
        let mut contacts = Self::default();
        for part in PARTS {
            let shape: &[usize] = if part.width == 1 { &[n] } else { &[n, part.width] };
            let (block, array) = part.kind.array(py, shape)?;
            arrays.set_item(part.name, array)?;
            contacts.blocks.push(block);
        }
        Ok((contacts, arrays))
    }

    /// Copies the engine's contacts to the arrays.
    pub fn write(&self, d: &Data) {
        for (part, block) in PARTS.iter().zip(&self.blocks) {
            (part.write)(d, block);
        }
    }

    /// Copies what users wrote back to the engine's contacts.
    pub fn read(&self, d: &mut Data) {
        for (part, block) in PARTS.iter().zip(&self.blocks) {
            (part.read)(d, block);
        }
    }
}

impl Kind {
    /// Makes an array of zeros with memory of its own.
    fn array<'py>(self, py: Python<'py>, shape: &[usize]) -> PyResult<(Arc<Block>, Bound<'py, PyAny>)> {
        fn of<'py, T: Shareable>(py: Python<'py>, shape: &[usize]) -> PyResult<(Arc<Block>, Bound<'py, PyAny>)> {
            let (block, array) = memory::array::<T>(py, shape)?;
            Ok((block, array.into_any()))
        }
        crate::kind::with_kind!(self, T => of::<T>(py, shape))
    }
}
