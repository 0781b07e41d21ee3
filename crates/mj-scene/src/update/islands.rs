//! Constraint islands, and their colours.

use crate::codes::{LabelKind, VisFlag};
use crate::options::SceneOptions;
use crate::scene::SceneGeom;
use mj_engine::{Data, IslandMap, Model, SortedIslands};
use mj_model::{BodyId, SleepState, TreeId, enable};

/// Islands of the state, found where they are shown.
pub(super) struct Islands {
    coloured: bool,
    map: Option<IslandMap>,
}

impl Islands {
    /// Finds the islands if colours or labels need them.
    pub fn new(m: &Model, d: &Data, options: &SceneOptions) -> Self {
        let coloured = options.flag(VisFlag::Island);
        let wanted = coloured || options.label == LabelKind::Island;
        Self { coloured, map: wanted.then(|| SortedIslands::new(m, d).map).filter(|map| map.nisland > 0) }
    }

    /// Returns whether islands are told apart by colours.
    pub fn coloured(&self) -> bool {
        self.coloured
    }

    /// Returns the first dof of the island of a row.
    pub fn first_dof_of_row(&self, row: usize) -> Option<usize> {
        let map = self.map.as_ref()?;
        first_dof(map, (*map.efc_island.get(row)?)?)
    }

    /// Returns the island of a body, and its first dof.
    pub fn of_body(&self, m: &Model, body: BodyId) -> Option<(usize, usize)> {
        let map = self.map.as_ref()?;
        let island = map.dof_island[m.body.dofadr[m.body.weldid[body]]?]?;
        first_dof(map, island).map(|dof| (island, dof))
    }

    /// Gives a geom of a body that moves the colour of its island, or of its tree where trees may sleep.
    pub fn colour(&self, m: &Model, d: &Data, geom: &mut SceneGeom, body: BodyId) {
        let weld = m.body.weldid[body];
        if !self.coloured || m.body.dofnum[weld] == 0 {
            return;
        }
        geom.matid = -1;
        let awake = d.state.awake.body(body) != SleepState::Asleep;
        let mut dof = self.of_body(m, body).map(|(_, dof)| dof);
        if dof.is_none() && m.opt.enabled(enable::SLEEP) {
            dof = m.body.treeid[weld].map(|t| {
                let first = if awake { t } else { first_of_ring(d, t) };
                m.tree.dofadr[first].index()
            });
        }
        geom.rgba = colour(dof, awake);
    }
}

/// Returns the first dof of an island.
fn first_dof(map: &IslandMap, island: usize) -> Option<usize> {
    map.dofs(island).next().map(|dof| dof.index())
}

/// Returns the first tree of those with which one sleeps.
fn first_of_ring(d: &Data, tree: TreeId) -> TreeId {
    let next = &d.sleep.tree_asleep;
    let mut first = tree;
    let mut at = tree;
    for _ in 0..next.len() {
        match usize::try_from(next[at]) {
            Ok(i) if i < next.len() => at = TreeId::new(i),
            _ => break,
        }
        if at == tree {
            break;
        }
        first = first.min(at);
    }
    first
}

/// Returns a colour for a number: grey for none; paler and darker for what sleeps.
pub(super) fn colour(number: Option<usize>, awake: bool) -> [f32; 4] {
    let (hue, mut saturation, mut value) = match number {
        Some(n) => {
            (radical_inverse(n + 1, 7), 0.5 + 0.5 * radical_inverse(n + 1, 3), 0.6 + 0.4 * radical_inverse(n + 1, 5))
        }
        None => (1.0, 0.0, 0.7),
    };
    if !awake {
        value *= 0.6;
        saturation *= 0.7;
    }
    let channel = |offset: f64| {
        // Distance of the hue from the channel's own, in sixths of the circle.
        let k = (offset + 6.0 * hue).rem_euclid(6.0);
        (value - value * saturation * k.min(4.0 - k).clamp(0.0, 1.0)) as f32
    };
    [channel(5.0), channel(3.0), channel(1.0), 1.0]
}

/// Returns term `n` of the Halton sequence in a base: its digits mirrored at the point.
fn radical_inverse(mut n: usize, base: usize) -> f64 {
    let (mut sum, mut digit) = (0.0, 1.0 / base as f64);
    while n > 0 {
        sum += digit * (n % base) as f64;
        n /= base;
        digit /= base as f64;
    }
    sum
}
