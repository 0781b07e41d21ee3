//! Fields of a model by name, with the reference's names: all of them, one, and those that may be edited.

use super::compiled::{Model, for_each_table};
use super::elements::Keyframes;
use crate::storage::{Buffer, Class, Column, Field, FieldError, FieldInfo, Parameter, Rows, edit_column, set_column};
use mj_math::quat;

impl Model {
    /// Every size of the reference, by name.
    pub fn sizes(&self) -> Vec<(&'static str, usize)> {
        let ngravcomp = self.body.gravcomp.iter().filter(|&&g| g > 0.0).count();
        vec![
            ("nq", self.nq()),
            ("nv", self.nv()),
            ("nu", self.nu()),
            ("nactuator", self.actuator.len()),
            ("nout", self.nout()),
            ("na", self.na),
            ("nbody", self.body.len()),
            ("njnt", self.jnt.len()),
            ("ntree", self.tree.len()),
            ("ngeom", self.geom.len()),
            ("nsite", self.site.len()),
            ("ncam", self.cam.len()),
            ("nlight", self.light.len()),
            ("nmesh", self.mesh.len()),
            ("nmeshvert", self.mesh_data.vert.len()),
            ("nmeshnormal", self.mesh_data.normal.len()),
            ("nmeshtexcoord", self.mesh_data.texcoord.len()),
            ("nmeshface", self.mesh_data.face.len()),
            ("nmeshgraph", self.mesh_data.graph.len()),
            ("nmeshpoly", self.mesh_data.polynormal.len()),
            ("nmeshpolyvert", self.mesh_data.polyvert.len()),
            ("nmeshpolymap", self.mesh_data.polymap.len()),
            ("npolygonmax", self.mesh_data.polyvertnum.iter().max().map_or(0, |&n| n as usize)),
            ("nmeshdegmax", self.most_neighbours()),
            ("noct", self.mesh_data.oct_depth.len()),
            ("nhfield", self.hfield.len()),
            ("nhfielddata", self.hfield_data.len()),
            ("nskin", self.skin.len()),
            ("nskinvert", self.skin_data.vert.len()),
            ("nskintexvert", self.skin_data.texcoord.len()),
            ("nskinface", self.skin_data.face.len()),
            ("nskinbone", self.bone.len()),
            ("nskinbonevert", self.skin_data.bonevertid.len()),
            ("nflex", self.flex.len()),
            ("nflexnode", self.flex_data.nodebodyid.len()),
            ("nflexvert", self.flex_data.vertbodyid.len()),
            ("nflexedge", self.flexedge.len()),
            ("nflexelem", self.flex_data.elemlayer.len()),
            ("nflexelemdata", self.flex_data.elem.len()),
            ("nflexstiffness", self.flex_shape.stiffness.len()),
            ("nflexbending", self.flex_shape.bending.len()),
            ("nflexelemedge", self.flex_data.elemedge.len()),
            ("nflexshelldata", self.flex_data.shell.len()),
            ("nflextexcoord", self.flex_data.texcoord.len()),
            ("nJfe", self.flex_data.j_colind.len()),
            ("ntex", self.tex.len()),
            ("ntexdata", self.tex_data.len()),
            ("nmat", self.mat.len()),
            ("npair", self.pair.len()),
            ("nexclude", self.exclude.len()),
            ("neq", self.eq.len()),
            ("ntendon", self.tendon.len()),
            ("nwrap", self.wrap.len()),
            ("nsensor", self.sensor.len()),
            ("nnumeric", self.numeric.len()),
            ("nnumericdata", self.numeric_data.len()),
            ("ntext", self.text.len()),
            ("ntextdata", self.text_data.len()),
            ("ntuple", self.tuple.len()),
            ("ntupledata", self.tuple_item.len()),
            ("nkey", self.key.time.len()),
            ("nmocap", self.nmocap),
            ("nuser_body", self.nuser.body),
            ("nuser_jnt", self.nuser.jnt),
            ("nuser_geom", self.nuser.geom),
            ("nuser_site", self.nuser.site),
            ("nuser_cam", self.nuser.cam),
            ("nuser_tendon", self.nuser.tendon),
            ("nuser_actuator", self.nuser.actuator),
            ("nuser_sensor", self.nuser.sensor),
            ("nplastic", self.nplastic),
            ("ngravcomp", ngravcomp),
            ("nuserdata", self.nuserdata),
            ("nsensordata", self.nsensordata),
            ("nhistory", self.nhistory),
            ("nplugin", self.plugin.len()),
            ("npluginattr", self.plugin_data.attr.len()),
            ("npluginstate", self.npluginstate()),
        ]
    }

    /// The most neighbours of a vertex in the graph of a mesh's hull.
    fn most_neighbours(&self) -> usize {
        let graphs =
            self.mesh.graphadr.iter().filter_map(|&adr| self.mesh_data.graph.get(usize::try_from(adr).ok()?..));
        let of_graph = |graph: &[i32]| {
            let [n, f] = [graph[0] as usize, graph[1] as usize];
            let edges = &graph[2 + 2 * n..2 + 3 * n + 3 * f];
            edges.split(|&e| e < 0).map(<[i32]>::len).max().unwrap_or(0)
        };
        graphs.map(of_graph).max().unwrap_or(0)
    }

    /// Calls `f` with the numbers of every field that may be edited, and takes on what it leaves: all but structure,
    /// assets other than elevations, keyframes and options.
    pub fn edit(&mut self, f: &mut dyn FnMut(Parameter)) {
        edit_column("qpos0", Class::Constant, &mut self.qpos0, f);
        edit_column("qpos_spring", Class::Constant, &mut self.qpos_spring, f);
        edit_column("numeric_data", Class::Live, &mut self.numeric_data, f);
        // Copies of the model go on sharing elevations that stay as they are.
        let mut heights = self.hfield_data.to_vec();
        edit_column("hfield_data", Class::Live, &mut heights, f);
        if heights != **self.hfield_data {
            *self.hfield_data = heights;
        }
        for_each_table!(mut self, |t| t.edit(f));
    }

    /// Writes every field of the compiled model as a line of text: name, shape, numbers.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.visit(&mut |f| {
            let numbers: Vec<_> = f.data.to_f64().iter().map(f64::to_string).collect();
            text += &format!("{} {:?} {}\n", f.name, f.shape, numbers.join(" "));
        });
        text
    }

    /// Calls `f` with every field of the compiled model, as `mj dump --stage model` writes them.
    pub fn visit(&self, f: &mut dyn FnMut(Field)) {
        let scalar = |name: &str, n: usize| Field {
            name: name.to_string(),
            shape: vec![],
            data: Column::I32(vec![i32::try_from(n).unwrap_or(i32::MAX)]),
        };
        for (name, n) in self.sizes() {
            f(scalar(name, n));
        }
        f(scalar("flg_gravcomp", self.body.gravcomp.iter().any(|&g| g > 0.0).into()));
        f(scalar("flg_surfacevel", self.geom.surfacevel.iter().any(|v| *v != [0.0; 6]).into()));
        let adhesion = self.geom.adhesion.iter().chain(self.pair.adhesion.iter()).any(|&a| a != 0.0);
        f(scalar("flg_adhesion", adhesion.into()));
        for (name, buffer) in self.columns() {
            let (shape, data) = buffer.array();
            f(Field { name: name.to_string(), shape, data });
        }
        for (name, rows, width, numbers) in self.user_data() {
            f(Field { name: name.to_string(), shape: vec![rows, width], data: Column::F64(numbers.to_vec()) });
        }
        for_each_table!(self, |t| t.visit(f));
        self.key.visit(self, f);
        self.opt.visit(&mut |name, shape, data| f(Field { name: format!("opt.{name}"), shape, data }));
        self.stat.visit(&mut |name, shape, data| f(Field { name: format!("stat.{name}"), shape, data }));
    }

    /// User data of elements: name, number of elements, numbers of each, all numbers.
    pub(crate) fn user_data(&self) -> [(&'static str, usize, usize, &[f64]); 8] {
        let (n, u) = (&self.nuser, &self.user);
        [
            ("body_user", self.body.len(), n.body, &u.body),
            ("jnt_user", self.jnt.len(), n.jnt, &u.jnt),
            ("geom_user", self.geom.len(), n.geom, &u.geom),
            ("site_user", self.site.len(), n.site, &u.site),
            ("cam_user", self.cam.len(), n.cam, &u.cam),
            ("tendon_user", self.tendon.len(), n.tendon, &u.tendon),
            ("actuator_user", self.actuator.len(), n.actuator, &u.actuator),
            ("sensor_user", self.sensor.len(), n.sensor, &u.sensor),
        ]
    }

    /// Columns that stand in no table.
    fn columns(&self) -> [(&'static str, &dyn Buffer); 52] {
        [
            ("qpos0", &self.qpos0),
            ("qpos_spring", &self.qpos_spring),
            ("numeric_data", &self.numeric_data),
            ("text_data", &self.text_data),
            ("tex_data", &*self.tex_data),
            ("mesh_vert", &self.mesh_data.vert),
            ("mesh_face", &self.mesh_data.face),
            ("mesh_normal", &self.mesh_data.normal),
            ("mesh_texcoord", &self.mesh_data.texcoord),
            ("mesh_facenormal", &self.mesh_data.facenormal),
            ("mesh_facetexcoord", &self.mesh_data.facetexcoord),
            ("mesh_graph", &self.mesh_data.graph),
            ("mesh_polynormal", &self.mesh_data.polynormal),
            ("mesh_polyvertadr", &self.mesh_data.polyvertadr),
            ("mesh_polyvertnum", &self.mesh_data.polyvertnum),
            ("mesh_polyvert", &self.mesh_data.polyvert),
            ("mesh_polymapadr", &self.mesh_data.polymapadr),
            ("mesh_polymapnum", &self.mesh_data.polymapnum),
            ("mesh_polymap", &self.mesh_data.polymap),
            ("oct_depth", &self.mesh_data.oct_depth),
            ("oct_child", &self.mesh_data.oct_child),
            ("oct_aabb", &self.mesh_data.oct_aabb),
            ("oct_coeff", &self.mesh_data.oct_coeff),
            ("hfield_data", &*self.hfield_data),
            ("plugin", &self.plugin_data.slot),
            ("plugin_attr", &self.plugin_data.attr),
            ("skin_vert", &self.skin_data.vert),
            ("skin_texcoord", &self.skin_data.texcoord),
            ("skin_face", &self.skin_data.face),
            ("skin_bonevertid", &self.skin_data.bonevertid),
            ("skin_bonevertweight", &self.skin_data.bonevertweight),
            ("flex_nodebodyid", &self.flex_data.nodebodyid),
            ("flex_vertbodyid", &self.flex_data.vertbodyid),
            ("flex_vertcell", &self.flex_data.vertcell),
            ("flex_edge", &self.flex_data.edge),
            ("flex_edgeflap", &self.flex_data.edgeflap),
            ("flex_elem", &self.flex_data.elem),
            ("flex_elemtexcoord", &self.flex_data.elemtexcoord),
            ("flex_elemedge", &self.flex_data.elemedge),
            ("flex_elemlayer", &self.flex_data.elemlayer),
            ("flex_matid", &self.flex_data.matid),
            ("flex_shell", &self.flex_data.shell),
            ("flex_vert0", &self.flex_data.vert0),
            ("flex_node0", &self.flex_data.node0),
            ("flex_texcoord", &self.flex_data.texcoord),
            ("flexedge_J_rownnz", &self.flex_data.j_rownnz),
            ("flexedge_J_rowadr", &self.flex_data.j_rowadr),
            ("flexedge_J_colind", &self.flex_data.j_colind),
            ("flex_vert", &self.flex_shape.vert),
            ("flex_node", &self.flex_shape.node),
            ("flex_stiffness", &self.flex_shape.stiffness),
            ("flex_bending", &self.flex_shape.bending),
        ]
    }

    /// Returns all columns of tables by name, with what is known of each.
    pub fn field_infos() -> Vec<(String, FieldInfo)> {
        let mut out = Vec::new();
        let none = Self::default();
        for_each_table!(none, |t| out.extend(t.fields().iter().map(|f| (format!("{}_{}", t.prefix(), f.name), *f))));
        out
    }

    /// Returns the field of a name: a column, a keyframe's vectors (`key_qpos`), an option (`opt.timestep`), or a
    /// statistic (`stat.extent`).
    pub fn field(&self, name: &str) -> Option<Field> {
        let mut found = None;
        let mut take = |name: &str, buffer: &dyn Buffer| {
            let (shape, data) = buffer.array();
            found = Some(Field { name: name.to_string(), shape, data });
        };
        if let Some((_, buffer)) = self.columns().into_iter().find(|c| c.0 == name) {
            take(name, buffer);
        } else if name.starts_with("key_") {
            self.key.visit(self, &mut |f| found = (f.name == name).then_some(f).or(found.take()));
        } else if let Some(&(_, rows, width, numbers)) = self.user_data().iter().find(|u| u.0 == name) {
            let (shape, data) = (vec![rows, width], Column::F64(numbers.to_vec()));
            found = Some(Field { name: name.to_string(), shape, data });
        } else if let Some(option) = name.strip_prefix("opt.") {
            self.opt.buffer(option).into_iter().for_each(|b| take(name, b));
        } else if let Some(statistic) = name.strip_prefix("stat.") {
            self.stat.buffer(statistic).into_iter().for_each(|b| take(name, b));
        } else {
            for_each_table!(self, |t| if let Some(buffer) = within(t.prefix(), name).and_then(|n| t.buffer(n)) {
                take(name, buffer);
            });
        }
        found
    }

    /// Returns what happens when the field of a name is edited; none if there is no such field. Assets count as structure,
    /// but elevations and pixels.
    pub fn class(&self, name: &str) -> Option<Class> {
        if name.starts_with("opt.") || name.starts_with("stat.") {
            return Some(Class::Live);
        }
        let mut found = None;
        for_each_table!(self, |t| if let Some(field) = within(t.prefix(), name) {
            found = found.or(t.fields().iter().find(|f| f.name == field).map(|f| f.class));
        });
        found.or_else(|| match name {
            "qpos0" | "qpos_spring" => Some(Class::Constant),
            "numeric_data" | "text_data" | "hfield_data" | "tex_data" => Some(Class::Live),
            "flex_vert" | "flex_node" | "flex_stiffness" | "flex_bending" => Some(Class::Live),
            _ if name.starts_with("key_") || name.ends_with("_user") => Some(Class::Live),
            _ => self.columns().iter().any(|c| c.0 == name).then_some(Class::Structure),
        })
    }

    /// Sets a field that may be edited, by its name, from as many numbers of its type as it has. What is derived from
    /// it follows when `set_const` is called.
    ///
    /// # Errors
    /// If there is no such field, it is structure, the numbers have another type or count, or one is not among the codes
    /// of an enum. Nothing is changed then.
    pub fn set_field(&mut self, name: &str, column: &Column) -> Result<(), FieldError> {
        let rows = &Rows::of(self);
        match name {
            "qpos0" => return set_column(&mut self.qpos0, column, rows),
            "qpos_spring" => return set_column(&mut self.qpos_spring, column, rows),
            "numeric_data" => return set_column(&mut self.numeric_data, column, rows),
            "text_data" => return set_column(&mut self.text_data, column, rows),
            "hfield_data" => return set_column(&mut self.hfield_data, column, rows),
            "tex_data" => return set_column(&mut self.tex_data, column, rows),
            "flex_vert" => return set_column(&mut self.flex_shape.vert, column, rows),
            "flex_node" => return set_column(&mut self.flex_shape.node, column, rows),
            "flex_stiffness" => return set_column(&mut self.flex_shape.stiffness, column, rows),
            "flex_bending" => return set_column(&mut self.flex_shape.bending, column, rows),
            "key_time" => return set_column(self.key.time.as_mut_slice(), column, rows),
            "key_qpos" => return set_column(&mut self.key.qpos, column, rows),
            "key_qvel" => return set_column(&mut self.key.qvel, column, rows),
            "key_act" => return set_column(&mut self.key.act, column, rows),
            "key_mpos" => return set_column(&mut self.key.mpos, column, rows),
            "key_mquat" => return set_column(&mut self.key.mquat, column, rows),
            "key_ctrl" => return set_column(&mut self.key.ctrl, column, rows),
            "key_plastic" => return set_column(&mut self.key.plastic, column, rows),
            "body_user" => return set_column(&mut self.user.body, column, rows),
            "jnt_user" => return set_column(&mut self.user.jnt, column, rows),
            "geom_user" => return set_column(&mut self.user.geom, column, rows),
            "site_user" => return set_column(&mut self.user.site, column, rows),
            "cam_user" => return set_column(&mut self.user.cam, column, rows),
            "tendon_user" => return set_column(&mut self.user.tendon, column, rows),
            "actuator_user" => return set_column(&mut self.user.actuator, column, rows),
            "sensor_user" => return set_column(&mut self.user.sensor, column, rows),
            _ => {}
        }
        if let Some(option) = name.strip_prefix("opt.") {
            return self.opt.set_numbers(option, &column.to_f64());
        }
        if let Some(statistic) = name.strip_prefix("stat.") {
            return self.stat.set_numbers(statistic, column, rows);
        }
        if self.columns().iter().any(|c| c.0 == name) {
            return Err(FieldError::Structure);
        }
        for_each_table!(mut self, |t| if let Some(name) = within(t.prefix(), name) {
            match t.set(name, column, rows) {
                Err(FieldError::Unknown) => {}
                result => return result,
            }
        });
        Err(FieldError::Unknown)
    }
}

/// Name without a table's prefix.
fn within<'a>(prefix: &str, name: &'a str) -> Option<&'a str> {
    name.strip_prefix(prefix)?.strip_prefix('_')
}

impl Rows {
    /// Counts the rows of the tables of a model.
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
            flex: m.flex.len(),
            flexedge: m.flexedge.len(),
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
            plugin: m.plugin.len(),
        }
    }
}

impl Keyframes {
    /// Calls `f` with every field.
    pub fn visit(&self, m: &Model, f: &mut dyn FnMut(Field)) {
        let n = self.len();
        let (shape, data) = self.time.array();
        f(Field { name: "key_time".into(), shape, data });
        let mut rows = |name: &str, width: usize, data: Vec<f64>| {
            f(Field { name: format!("key_{name}"), shape: vec![n, width], data: Column::F64(data) });
        };
        rows("qpos", m.nq(), self.qpos.clone());
        rows("qvel", m.nv(), self.qvel.clone());
        rows("act", m.na, self.act.clone());
        rows("mpos", 3 * m.nmocap, self.mpos.iter().flat_map(|v| v.to_array()).collect());
        rows("mquat", 4 * m.nmocap, self.mquat.iter().flat_map(|&q| quat::to_wxyz(q)).collect());
        rows("ctrl", m.nu(), self.ctrl.clone());
        rows("plastic", m.nplastic, self.plastic.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enums::SleepPolicy;
    use crate::model::{BodyRow, CameraRow, GeomRow, MaterialRow, TreeRow};

    fn model() -> Model {
        let mut m = Model::default();
        m.body.push(BodyRow::default());
        m.geom.push(GeomRow::default());
        m.cam.push(CameraRow::default());
        m.mat.push(MaterialRow::default());
        m.tree.push(TreeRow::default());
        m
    }

    #[test]
    fn every_field_is_found_and_its_class_tells_whether_it_can_be_set() {
        let m = model();
        let (mut names, sizes) = (Vec::new(), m.sizes());
        m.visit(&mut |f| names.push(f));
        for field in names.iter().filter(|f| !f.shape.is_empty() || f.name.contains('.')) {
            let name = field.name.as_str();
            assert_eq!(m.field(name).as_ref(), Some(field), "{name}");
            let result = m.clone().set_field(name, &field.data);
            let structure = m.class(name) == Some(Class::Structure);
            assert_eq!(result == Err(FieldError::Structure), structure, "{name}: {result:?}");
            assert!(m.class(name).is_some() && result != Err(FieldError::Unknown), "{name}");
        }
        assert!(sizes.iter().all(|(name, _)| m.class(name).is_none()));
    }

    #[test]
    fn codes_and_ids_are_set_where_they_mean_something() {
        let mut m = model();
        let one = |x| Column::I32(vec![x]);
        m.set_field("tree_sleep_policy", &one(3)).unwrap();
        assert_eq!(m.tree.sleep_policy.as_slice(), [SleepPolicy::Never]);
        assert_eq!(m.set_field("tree_sleep_policy", &one(77)), Err(FieldError::Value));
        for (id, right) in [(0, true), (-1, true), (1, false), (-2, false)] {
            assert_eq!(m.set_field("geom_matid", &one(id)).is_ok(), right, "{id}");
        }
        assert_eq!(m.set_field("geom_matid", &Column::F64(vec![0.0])), Err(FieldError::Type));
        assert_eq!(m.set_field("geom_matid", &Column::I32(vec![])), Err(FieldError::Length { expected: 1, got: 0 }));
        assert_eq!(m.set_field("geom_matter", &one(0)), Err(FieldError::Unknown));
    }
}
