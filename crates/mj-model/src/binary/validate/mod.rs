//! Conditions that must hold among the fields of a model, so that no file makes the engine reach for a row that
//! is not there.

mod actuation;
mod fail;
mod mesh;
mod skin;
mod tree;

use crate::Model;
use crate::enums::ObjType;
use crate::storage::{Check, Rows};
use fail::{names_row, rows_of, want, within, wrong};

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
        self.check_plugins()?;
        for &(keyword, kind) in ObjType::KEYWORDS {
            let n = self.names.all(kind).len();
            want(n <= rows_of(&rows, kind), &format!("names of {keyword}"), n, "more names than rows")?;
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
        self.tuple_item.check(n)?;
        self.plugin.check(n)
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
            let n = rows_of(rows, self.tuple_item.objtype[i]);
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

    fn check_plugins(&self) -> Check {
        let (mut next, data) = (0u64, &self.plugin_data);
        want(data.slot.len() == self.plugin.len(), "plugin", 0, "not as many as plugins")?;
        want(data.names.matches('\0').count() == self.plugin.len(), "plugin", 0, "not as many names as plugins")?;
        for p in self.plugin.ids() {
            let row = p.index();
            want(
                u64::from(self.plugin.stateadr[p]) == next,
                "plugin_stateadr",
                row,
                "the states don't follow each other",
            )?;
            next += u64::from(self.plugin.statenum[p]);
            within(self.plugin.attradr[p] as usize, 0, data.attr.len(), "plugin_attradr", row)?;
        }
        want(next <= fail::MAX_NUMBERS as u64, "plugin_statenum", 0, "the states are too many numbers")
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
