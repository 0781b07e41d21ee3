//! What must hold among the fields of a model, so that no file makes the engine reach for a row that
//! is not there.

mod actuation;
mod mesh;
mod skin;
mod tree;

use super::Stored;
use crate::enums::*;
use crate::model::Model;

/// The fields of a model contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}[{row}]: {problem}")]
pub struct Invalid {
    /// Field, by its name in dumps.
    pub field: String,
    /// Row.
    pub row: usize,
    /// What is wrong and what would be right.
    pub problem: String,
}

pub(crate) type Check = Result<(), Invalid>;

fn wrong(field: impl Into<String>, row: usize, problem: impl Into<String>) -> Check {
    Err(Invalid { field: field.into(), row, problem: problem.into() })
}

/// Fails with a problem unless a condition holds.
fn want(holds: bool, field: &str, row: usize, problem: &str) -> Check {
    if holds { Ok(()) } else { wrong(field, row, problem) }
}

/// Fails unless entries `adr .. adr + num` are among `n`.
fn within(adr: usize, num: usize, n: usize, field: &str, row: usize) -> Check {
    if adr.checked_add(num).is_some_and(|end| end <= n) {
        return Ok(());
    }
    wrong(field, row, format!("{num} entries from {adr} on, where there are {n}"))
}

/// Fails unless a row that a number names is among `n`; −1 names none, if that is allowed.
fn names_row(id: i32, n: usize, optional: bool, field: &str, row: usize) -> Check {
    let good = usize::try_from(id).map_or(optional && id == -1, |i| i < n);
    if good { Ok(()) } else { wrong(field, row, format!("{id} is no row, where there are {n}")) }
}

/// Numbers of rows of all tables.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Rows {
    pub body: usize,
    pub jnt: usize,
    pub dof: usize,
    pub tree: usize,
    pub geom: usize,
    pub site: usize,
    pub cam: usize,
    pub light: usize,
    pub mesh: usize,
    pub hfield: usize,
    pub skin: usize,
    pub bone: usize,
    pub tex: usize,
    pub mat: usize,
    pub pair: usize,
    pub exclude: usize,
    pub eq: usize,
    pub tendon: usize,
    pub wrap: usize,
    pub actuator: usize,
    pub control: usize,
    pub output: usize,
    pub sensor: usize,
    pub numeric: usize,
    pub text: usize,
    pub tuple: usize,
    pub tuple_item: usize,
    pub key: usize,
    pub mocap: usize,
}

impl Rows {
    pub(crate) fn of(m: &Model) -> Self {
        Self {
            body: m.body.len(),
            jnt: m.jnt.len(),
            dof: m.dof.len(),
            tree: m.tree.len(),
            geom: m.geom.len(),
            site: m.site.len(),
            cam: m.cam.len(),
            light: m.light.len(),
            mesh: m.mesh.len(),
            hfield: m.hfield.len(),
            skin: m.skin.len(),
            bone: m.bone.len(),
            tex: m.tex.len(),
            mat: m.mat.len(),
            pair: m.pair.len(),
            exclude: m.exclude.len(),
            eq: m.eq.len(),
            tendon: m.tendon.len(),
            wrap: m.wrap.len(),
            actuator: m.actuator.len(),
            control: m.control.len(),
            output: m.output.len(),
            sensor: m.sensor.len(),
            numeric: m.numeric.len(),
            text: m.text.len(),
            tuple: m.tuple.len(),
            tuple_item: m.tuple_item.len(),
            key: m.key.len(),
            mocap: m.nmocap,
        }
    }

    /// Rows of a kind of object.
    fn of_kind(&self, kind: ObjType) -> usize {
        match kind {
            ObjType::Body | ObjType::XBody => self.body,
            ObjType::Joint => self.jnt,
            ObjType::Dof => self.dof,
            ObjType::Geom => self.geom,
            ObjType::Site => self.site,
            ObjType::Camera => self.cam,
            ObjType::Light => self.light,
            ObjType::Mesh => self.mesh,
            ObjType::Hfield => self.hfield,
            ObjType::Skin => self.skin,
            ObjType::Texture => self.tex,
            ObjType::Material => self.mat,
            ObjType::Pair => self.pair,
            ObjType::Exclude => self.exclude,
            ObjType::Equality => self.eq,
            ObjType::Tendon => self.tendon,
            ObjType::Actuator => self.actuator,
            ObjType::Sensor => self.sensor,
            ObjType::Numeric => self.numeric,
            ObjType::Text => self.text,
            ObjType::Tuple => self.tuple,
            ObjType::Key => self.key,
            ObjType::Unknown | ObjType::Flex | ObjType::Plugin => 0,
        }
    }
}

/// Checks a column of a table: as many rows as the others, and ids of rows that there are.
pub(crate) fn check_column<T: Stored>(column: &[T], n: usize, rows: &Rows, field: impl Fn() -> String) -> Check {
    if column.len() != n {
        return wrong(field(), 0, format!("{} rows, where the table has {n}", column.len()));
    }
    let limit = T::limit(rows);
    match column.iter().position(|x| x.reach() > limit) {
        Some(i) => wrong(field(), i, format!("row {} of a table with {limit}", column[i].reach() - 1)),
        None => Ok(()),
    }
}

/// The most numbers that one array of the state may hold.
const MAX_NUMBERS: usize = 100_000_000;

impl Model {
    /// Checks that every id is a row, every address lies in its array, and the redundant fields
    /// agree, so that the engine can run on it, and that [parameters](Model::check_parameters) are of
    /// use. Other numbers may be any: a wrong stiffness makes a wrong simulation, not a broken one.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn validate(&self) -> Check {
        let rows = Rows::of(self);
        self.check_tables(&rows)?;
        tree::check(self)?;
        self.check_contact()?;
        mesh::check(self)?;
        skin::check(self)?;
        actuation::check(self, &rows)?;
        self.check_custom(&rows)?;
        self.check_keys()?;
        for &(keyword, kind) in ObjType::KEYWORDS {
            let n = self.names.all(kind).len();
            want(n <= rows.of_kind(kind), &format!("names of {keyword}"), n, "more names than rows")?;
        }
        self.check_parameters().or_else(|e| wrong(e.field, e.row.unwrap_or(0), format!("{}: {}", e.value, e.right)))
    }

    fn check_tables(&self, n: &Rows) -> Check {
        self.body.check(n)?;
        self.jnt.check(n)?;
        self.dof.check(n)?;
        self.tree.check(n)?;
        self.geom.check(n)?;
        self.site.check(n)?;
        self.cam.check(n)?;
        self.light.check(n)?;
        self.mesh.check(n)?;
        self.hfield.check(n)?;
        self.skin.check(n)?;
        self.bone.check(n)?;
        self.tex.check(n)?;
        self.mat.check(n)?;
        self.pair.check(n)?;
        self.exclude.check(n)?;
        self.eq.check(n)?;
        self.tendon.check(n)?;
        self.wrap.check(n)?;
        self.actuator.check(n)?;
        self.control.check(n)?;
        self.output.check(n)?;
        self.sensor.check(n)?;
        self.numeric.check(n)?;
        self.text.check(n)?;
        self.tuple.check(n)?;
        self.tuple_item.check(n)
    }

    fn check_contact(&self) -> Check {
        let dim = |d: i32, field: &str, row: usize| {
            want([1, 3, 4, 6].contains(&d), field, row, &format!("{d} is none of 1, 3, 4, 6"))
        };
        for g in self.geom.ids() {
            dim(self.geom.condim[g], "geom_condim", g.index())?;
        }
        for p in self.pair.ids() {
            dim(self.pair.dim[p], "pair_dim", p.index())?;
        }
        Ok(())
    }

    fn check_custom(&self, rows: &Rows) -> Check {
        for i in self.numeric.ids() {
            let (adr, size) = (self.numeric.adr[i] as usize, self.numeric.size[i] as usize);
            within(adr, size, self.numeric_data.len(), "numeric_adr", i.index())?;
        }
        for i in self.text.ids() {
            let (adr, size) = (self.text.adr[i] as usize, self.text.size[i] as usize);
            within(adr, size, self.text_data.len(), "text_adr", i.index())?;
        }
        for i in self.tuple.ids() {
            let (adr, size) = (self.tuple.adr[i] as usize, self.tuple.size[i] as usize);
            within(adr, size, self.tuple_item.len(), "tuple_adr", i.index())?;
        }
        for i in self.tuple_item.ids() {
            let n = rows.of_kind(self.tuple_item.objtype[i]);
            names_row(self.tuple_item.objid[i], n, true, "tuple_objid", i.index())?;
        }
        for i in self.tex.ids() {
            let pixels = [self.tex.height[i], self.tex.width[i], self.tex.nchannel[i]];
            let bytes = pixels.iter().try_fold(1usize, |n, &x| usize::try_from(x).ok().and_then(|x| n.checked_mul(x)));
            let Some(bytes) = bytes else { return wrong("tex_height", i.index(), "no size of a texture") };
            within(self.tex.adr[i] as usize, bytes, self.tex_data.len(), "tex_adr", i.index())?;
        }
        Ok(())
    }

    fn check_keys(&self) -> Check {
        let (k, n) = (&self.key, self.key.len());
        let parts = [
            ("qpos", k.qpos.len(), self.nq()),
            ("qvel", k.qvel.len(), self.nv()),
            ("act", k.act.len(), self.na),
            ("mpos", k.mpos.len(), self.nmocap),
            ("mquat", k.mquat.len(), self.nmocap),
            ("ctrl", k.ctrl.len(), self.nu()),
            ("plastic", k.plastic.len(), self.nplastic),
        ];
        for (name, len, width) in parts {
            if n.checked_mul(width) != Some(len) {
                return wrong(format!("key_{name}"), 0, format!("{len} numbers for {n} keyframes of {width} each"));
            }
        }
        Ok(())
    }
}

/// Sums numbers that the state will hold.
fn total(numbers: impl Iterator<Item = usize>) -> usize {
    numbers.fold(0, usize::saturating_add)
}

/// Fails if a size of the state is not the sum of its parts, or is absurd.
fn is_total(size: usize, parts: impl Iterator<Item = usize>, field: &str) -> Check {
    let sum = total(parts);
    if size != sum {
        return wrong(field, 0, format!("it is {size}, but the parts add up to {sum}"));
    }
    is_bounded(size, field)
}

fn is_bounded(size: usize, field: &str) -> Check {
    want(size <= MAX_NUMBERS, field, 0, &format!("{size} is more than {MAX_NUMBERS}"))
}
