//! Flexes: from the spec to the tables.

pub(crate) mod cells;
mod elastic;
mod elastic_cells;
mod hinges;
pub(crate) mod masses;
mod modes;
mod read;
pub(crate) mod rods;
mod stiffness;
mod topology;
mod tree;
pub(crate) mod volume;

use crate::context::Context;
use crate::messages::describe;
use cells::Cells;
use elastic::Elastic;
pub(crate) use elastic::place_plastic;
use elastic_cells::Records;
use mj_dynamics::{Chains, merge_chains};
use mj_math::{DVec3, MINVAL, quat};
use mj_model::model::{FlexEdgeRow, FlexRow};
use mj_model::spec::Flex;
use mj_model::{BodyId, DofId, Elastic2d, EqType, FlexDof, JointId, JointType, MaterialId, Model, ObjType, Section};
use read::{bodies, check, check_elements, coordinates, materials, texcoord};
use topology::{Edges, Shell};
use tree::Tree;

/// Writes the flexes. Their names are known already, since constraints refer to them.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    if spec.flexes.is_empty() {
        return;
    }
    let poses = poses(m);
    for f in &spec.flexes {
        match Build::of(cx, f, m, &poses) {
            Ok(build) => build.write(m),
            Err(e) => {
                cx.error(f.loc, format!("{}: {e}", describe("flex", &f.name)));
            }
        }
    }
    write_pattern(m);
}

/// Fills in which dofs move the edges of flexes that are neither rigid nor interpolated, where anything acts along them.
fn write_pattern(m: &mut Model) {
    let chains = Chains::new(m);
    let mut runs = Vec::new();
    let (mut nnz, mut adr, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    // Entries of the rows along which nothing acts: the reference has room for them, but no rows.
    let mut unused = 0;
    for f in m.flex.ids() {
        let t = &m.flex;
        let loose = !t.rigid[f] && t.interp[f] == 0;
        let acts =
            t.edgeequality[f] == 1 || t.edgedamping[f] != 0.0 || t.edgestiffness[f] != 0.0 || t.damping[f] != 0.0;
        let first = t.vertadr[f] as usize;
        for e in t.edgeadr[f] as usize..(t.edgeadr[f] + t.edgenum[f]) as usize {
            let [a, b] = m.flex_data.edge[e].map(|v| m.flex_data.vertbodyid[first + v as usize]);
            adr.push(columns.len() as u32);
            runs.clear();
            if let (Some(a), Some(b)) = (a, b)
                && loose
            {
                merge_chains(chains.of(a), chains.of(b), false, &mut runs);
            }
            let width: u32 = runs.iter().map(|r| r.len).sum();
            if !(loose && acts) {
                unused += width as usize;
                nnz.push(0);
                continue;
            }
            columns.extend(runs.iter().flat_map(|r| r.start..r.start + r.len));
            nnz.push(width);
        }
    }
    columns.resize(columns.len() + unused, 0);
    let d = &mut *m.flex_data.edit();
    (d.j_rownnz, d.j_rowadr, d.j_colind) = (nnz, adr, columns);
}

/// Makes the names of flexes known.
pub(crate) fn register(cx: &mut Context) {
    let spec = cx.spec;
    cx.register(ObjType::Flex, spec.flexes.iter().map(|f| (f.name.as_str(), f.loc)));
}

/// Position and orientation of bodies in the reference configuration.
fn poses(m: &Model) -> Vec<(DVec3, mj_math::DQuat)> {
    let mut out = Vec::with_capacity(m.body.len());
    for b in m.body.ids() {
        let pose = if b.index() == 0 {
            (DVec3::ZERO, mj_math::DQuat::IDENTITY)
        } else {
            let (pos, turn): (DVec3, mj_math::DQuat) = out[m.body.parentid[b].index()];
            (pos + quat::rotate(turn, m.body.pos[b]), quat::normalize(turn * m.body.quat[b]))
        };
        out.push(pose);
    }
    out
}

/// A flex on its way into the model.
struct Build<'a> {
    src: &'a Flex,
    dim: usize,
    element: Vec<i32>,
    elemtexcoord: Vec<i32>,
    /// Bodies of the vertices; none where they are interpolated.
    vertbody: Vec<Option<BodyId>>,
    nodebody: Vec<BodyId>,
    vert: Vec<DVec3>,
    node: Vec<DVec3>,
    materials: Vec<Option<MaterialId>>,
    edges: Edges,
    shell: Shell,
    rigid: bool,
    centered: bool,
    radius: f64,
    edgeequality: i32,
    elastic: Elastic,
    size: DVec3,
    vert0: Vec<DVec3>,
    node0: Vec<DVec3>,
    vertcell: Vec<i32>,
    tree: Tree,
    records: Records,
}

impl<'a> Build<'a> {
    fn of(cx: &mut Context, f: &'a Flex, m: &Model, poses: &[(DVec3, mj_math::DQuat)]) -> Result<Self, String> {
        let interpolated = !f.node.is_empty();
        let dim = check(f, interpolated, cx.spec.option.integrator)?;
        let nvert = if f.vertex.is_empty() { f.body.len() } else { f.vertex.len() / 3 };
        let vertbody = bodies(cx, &f.body, nvert, "body", f)?;
        let nodebody = bodies(cx, &f.node, f.node.len(), "node", f)?;
        let mut element = f.element.clone();
        check_elements(&element, dim, nvert)?;
        let rigid = !interpolated && vertbody.iter().all(|b| *b == vertbody[0]);
        let vert = coordinates(&f.vertex, nvert, "vertex")?;
        let node = coordinates(&f.nodecoord, nodebody.len(), "nodecoord")?;
        let centered = if interpolated { &node } else { &vert }.iter().all(|p| *p == DVec3::ZERO);

        // Positions in the world.
        let place = |(b, p): (&BodyId, &DVec3)| {
            let (pos, turn) = poses[b.index()];
            pos + quat::rotate(turn, *p)
        };
        let at: Vec<DVec3> = vertbody.iter().zip(&vert).map(place).collect();
        let node_at: Vec<DVec3> = nodebody.iter().zip(&node).map(place).collect();
        if dim == 3 {
            topology::orient(&mut element, &at);
        }
        let elemtexcoord = texcoord(f, &element, nvert)?;
        let mut out = Self {
            src: f,
            dim,
            edges: Edges::of(dim, &element),
            shell: Shell::of(dim, &element),
            materials: materials(cx, f, element.len() / (dim + 1))?,
            element,
            elemtexcoord,
            vertbody: vertbody.iter().map(|b| Some(*b).filter(|_| !interpolated)).collect(),
            nodebody,
            vert,
            node,
            rigid,
            centered,
            radius: radius(f, dim, rigid)?,
            edgeequality: edge_equality(cx, f),
            elastic: Elastic::default(),
            size: DVec3::ZERO,
            vert0: Vec::new(),
            node0: Vec::new(),
            vertcell: vec![-1; nvert],
            tree: Tree::default(),
            records: Records::default(),
        };
        out.tree = Tree::over(&out.boxes(&at));
        if interpolated {
            out.interpolate(&at, &node_at)?
        } else {
            out.normalize(&at);
            out.elastic = Elastic::of(&f.elasticity, dim, rigid, &out.element, &out.edges, &at)?;
        }
        if dim == 1 && !rigid && !interpolated {
            out.elastic.bending = out.rods(cx, m, &at)?;
        }
        out.check_bodies(m)?;
        out.check_elasticity(cx, m)?;
        let force = f.edge.stiffness != 0.0 || f.edge.damping != 0.0 || f.elasticity.damping != 0.0;
        let bends = f.elasticity.young > 0.0;
        if !out.rigid && out.edgeequality == 0 && !force && !bends {
            let what = describe("flex", &f.name);
            cx.warning(f.loc, format!("{what} is not rigid, and nothing holds its shape"))
                .help("give its edges an equality constraint, stiffness or damping, or give it elasticity");
        }
        Ok(out)
    }

    /// Elements that can collide with their boxes: corners, with the radius.
    fn boxes(&self, at: &[DVec3]) -> Vec<(usize, [DVec3; 2])> {
        let active = |i: &usize| self.dim < 3 || self.shell.layers[*i] < self.src.contact.activelayers;
        let elements = self.element.chunks_exact(self.dim + 1).enumerate().filter(|(i, _)| active(i));
        let around = |e: &[i32]| {
            let corners = e.iter().map(|&v| at[v as usize]);
            let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
            [low - self.radius, high + self.radius]
        };
        elements.map(|(i, e)| (i, around(e))).collect()
    }

    /// Records of an elastic rod.
    fn rods(&self, cx: &Context, m: &Model, at: &[DVec3]) -> Result<Vec<f64>, String> {
        let body = |v: usize| m.body.weldid[self.vertbody[v].unwrap_or(BodyId::WORLD)];
        let joint = |name: &str| match cx.names.find(ObjType::Joint, name) {
            Some(j) if m.jnt.r#type[JointId::new(j)] != JointType::Hinge => {
                Err(format!("the joint `{name}` of an edge's twist is no hinge"))
            }
            found => Ok(found),
        };
        let lines = rods::Lines {
            name: &self.src.name,
            elasticity: &self.src.elasticity,
            radius: self.radius,
            element: &self.element,
            edges: &self.edges,
            at,
            fixed: &|a, b| body(a) == body(b),
            joint: &joint,
        };
        lines.records()
    }

    /// Vertices as parts of the box around the active elements.
    fn normalize(&mut self, at: &[DVec3]) {
        let active = |i: &usize| self.dim < 3 || self.shell.layers[*i] < self.src.contact.activelayers;
        let elements = self.element.chunks_exact(self.dim + 1).enumerate().filter(|(i, _)| active(i));
        let corners = elements.flat_map(|(_, e)| e).map(|&v| at[v as usize]);
        let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)));
        let centre = 0.5 * (low + high);
        self.size = 0.5 * (high - low);
        let part = |p: &DVec3| share(*p - centre, 2.0 * self.size) + 0.5;
        self.vert0 = at.iter().map(part).collect();
    }

    /// Vertices in the cells of the grid of nodes.
    fn interpolate(&mut self, at: &[DVec3], node_at: &[DVec3]) -> Result<(), String> {
        let order = self.order();
        let turn = grid_axes(node_at, self.src.cellcount, order)?;
        let local = |p: &DVec3| turn.transpose() * *p;
        self.node0 = node_at.iter().map(local).collect();
        let box_of = self.node0.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(*p), b.max(*p)));
        let (low, high) = box_of;
        self.size = 0.5 * (high - low);
        let at: Vec<DVec3> = at.iter().map(local).collect();
        self.vert0 = at.iter().map(|p| share(*p - low, high - low)).collect();
        let cells = Cells::of(self.src.cellcount, order, self.dim as i32, &at, &self.element)?;
        self.vertcell = self.vert0.iter().map(|p| cells.cell(cells.cell_at(*p)) as i32).collect();
        let e = &self.src.elasticity;
        if self.edgeequality != 0 && e.young > 0.0 && e.elastic2d != Elastic2d::Bend {
            return Err("it has an equality constraint and elasticity: give either the one or `young`".into());
        }
        let strain = self.edgeequality == 3;
        self.elastic = Elastic::of_cells(e, self.rigid, strain);
        self.records = elastic_cells::records(self.src, &cells, &at, &self.element, &self.node0, strain)?;
        Ok(())
    }

    fn order(&self) -> usize {
        if self.src.dof == Some(FlexDof::Quadratic) { 2 } else { 1 }
    }

    fn check_bodies(&self, m: &Model) -> Result<(), String> {
        if self.rigid {
            return Ok(());
        }
        let all = self.vertbody.iter().flatten().chain(&self.nodebody);
        // A body with geoms is more than a vertex.
        for &b in all.filter(|&&b| m.body.geomnum[b] == 0) {
            let first = m.body.dofadr[b].map_or(0, |d| d.index());
            let mut dofs = (first..first + m.body.dofnum[b] as usize).map(DofId::new);
            if dofs.any(|d| m.dof.damping[d] != 0.0) {
                let help = "damping belongs into `elasticity` or `edge`";
                return Err(format!("a joint of the body of a vertex or node has damping: {help}"));
            }
        }
        Ok(())
    }

    /// Checks that elasticity goes with the constraints and the bodies.
    fn check_elasticity(&self, cx: &Context, m: &Model) -> Result<(), String> {
        let e = &self.src.elasticity;
        if self.rigid {
            return Ok(());
        }
        if self.edgeequality != 0 && self.dim == 1 && self.src.edge.stiffness != 0.0 {
            return Err("its edges have both an equality constraint and stiffness: choose one".into());
        }
        if e.young <= 0.0 || self.dim == 1 && e.damping == 0.0 {
            return Ok(());
        }
        if self.dim > 1 && self.edgeequality != 0 && e.elastic2d != Elastic2d::Bend {
            let help = "choose one, or let it only bend (elastic2d=\"bend\")";
            return Err(format!("it has both an equality constraint and elasticity (`young`): {help}"));
        }
        elastic::check_mocap(cx, m, self.vertbody.iter().flatten().chain(&self.nodebody).copied())
    }

    fn write(self, m: &mut Model) {
        let f = self.src;
        // Elements of one kind have records.
        let stiffness = [&self.elastic.stiffness[..], &self.records.stiffness].concat();
        let bending = [&self.elastic.bending[..], &self.records.bending].concat();
        let d = &mut *m.flex_data.edit();
        let s = &mut *m.flex_shape;
        let count = |n: usize| n as u32;
        let (nedge, nelem) = (self.edges.ends.len(), self.shell.layers.len());
        let shell_mode = f.elasticity.elastic2d != Elastic2d::None;
        let order = if self.nodebody.is_empty() { 0 } else { self.order() as i32 };
        m.flex.push(FlexRow {
            contype: f.contact.contype,
            conaffinity: f.contact.conaffinity,
            condim: f.contact.condim,
            priority: f.contact.priority,
            solmix: f.contact.solmix,
            solref: f.contact.solref,
            solimp: f.contact.solimp,
            friction: f.contact.friction,
            margin: f.contact.margin,
            gap: f.contact.gap,
            selfcollide: f.contact.selfcollide,
            activelayers: f.contact.activelayers,
            passive: f.contact.passive.into(),
            dim: count(self.dim),
            group: f.group,
            interp: if shell_mode { -order } else { order },
            cellnum: f.cellcount,
            nodeadr: count(d.nodebodyid.len()),
            nodenum: count(self.nodebody.len()),
            vertadr: count(d.vertbodyid.len()),
            vertnum: count(self.vertbody.len()),
            edgeadr: count(m.flexedge.len()),
            edgenum: count(nedge),
            elemadr: count(d.elemlayer.len()),
            elemnum: count(nelem),
            elemdataadr: count(d.elem.len()),
            stiffnessadr: address(&stiffness, &s.stiffness),
            elemedgeadr: count(d.elemedge.len()),
            bendingadr: address(&bending, &s.bending),
            plasticadr: -1,
            plasticmode: self.elastic.plasticmode,
            shellnum: count(self.shell.fragments.len() / self.dim),
            shelldataadr: if self.shell.fragments.is_empty() { -1 } else { d.shell.len() as i32 },
            texcoordadr: if f.texcoord.is_empty() { -1 } else { d.texcoord.len() as i32 },
            bvhadr: count(d.bvh_child.len()),
            bvhnum: count(self.tree.child.len()),
            radius: self.radius,
            size: self.size,
            damping: f.elasticity.damping,
            r#yield: self.elastic.yields,
            edgestiffness: f.edge.stiffness,
            edgedamping: f.edge.damping,
            edgeequality: self.edgeequality,
            rigid: self.rigid,
            centered: self.centered,
            flatskin: f.flatskin,
            rgba: f.rgba,
        });
        for &[a, b] in &self.edges.ends {
            let weld = |v: i32| self.vertbody[v as usize].map(|b| m.body.weldid[b]);
            let rigid = self.rigid || order == 0 && weld(a) == weld(b);
            m.flexedge.push(FlexEdgeRow { rigid, ..FlexEdgeRow::default() });
        }
        let bends = elastic::bends(&f.elasticity) && self.dim == 2;
        d.edgeflap.extend(self.edges.flaps.iter().map(|f| if bends { *f } else { [-1, -1] }));
        d.edge.extend(self.edges.ends);
        d.elemedge.extend(self.edges.of_elements);
        d.elem.extend(self.element);
        d.elemtexcoord.extend(self.elemtexcoord);
        d.elemlayer.extend(self.shell.layers);
        d.shell.extend(self.shell.fragments);
        d.matid.extend(self.materials);
        d.texcoord.extend(f.texcoord.as_chunks::<2>().0);
        d.nodebodyid.extend(self.nodebody);
        d.vertbodyid.extend(self.vertbody);
        d.vertcell.extend(self.vertcell);
        d.vert0.extend(self.vert0);
        d.node0.extend(self.node0);
        d.bvh_child.extend(self.tree.child);
        d.bvh_nodeid.extend(self.tree.leaf);
        s.stiffness.extend(stiffness);
        s.bending.extend(bending);
        s.vert.extend(self.vert);
        s.node.extend(self.node);
    }
}

/// Radius of a flex: of a rod of rectangular section, its lesser half size.
fn radius(f: &Flex, dim: usize, rigid: bool) -> Result<f64, String> {
    let e = &f.elasticity;
    if dim != 1 || rigid || e.young <= 0.0 || e.section != Section::Box {
        return Ok(f.radius);
    }
    let least = e.sectionsize[0].min(e.sectionsize[1]);
    if f.radius != Flex::default().radius && f.radius != least {
        let given = f.radius;
        return Err(format!(
            "`radius` is {given}, but that of a rod of section=\"box\" is the lesser of its half sizes, {least}: leave it out"
        ));
    }
    Ok(least)
}

/// Where numbers go behind others; −1 if there are none.
fn address(numbers: &[f64], behind: &[f64]) -> i32 {
    if numbers.is_empty() { -1 } else { behind.len() as i32 }
}

/// Parts of a size along each axis; 0 where there is no size.
fn share(p: DVec3, size: DVec3) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|k| if size[k] > MINVAL { p[k] / size[k] } else { 0.0 }))
}

/// Kind of equality constraint of a flex: 1 of its edges, 3 of its strain, 0 none.
fn edge_equality(cx: &Context, f: &Flex) -> i32 {
    let kind = cx.spec.equalities.iter().filter(|e| e.name1 == f.name).find_map(|e| match e.r#type {
        EqType::Flex => Some(1),
        EqType::FlexStrain => Some(3),
        _ => None,
    });
    kind.unwrap_or(0)
}

/// Axes of the grid of nodes, as columns; they must be at right angles.
fn grid_axes(node: &[DVec3], count: [i32; 3], order: usize) -> Result<mj_math::DMat3, String> {
    let n = count.map(|n| usize::try_from(n).unwrap_or(0) * order + 1);
    if count.iter().any(|&n| n < 1) || n.iter().product::<usize>() != node.len() {
        let [x, y, z] = n;
        return Err(format!("it has {} nodes, where a grid of {x} x {y} x {z} is expected", node.len()));
    }
    let axis = |step: usize| (node[order * step] - node[0]).try_normalize().ok_or("its grid of nodes is flat");
    let axes = mj_math::DMat3::from_cols(axis(n[1] * n[2])?, axis(n[2])?, axis(1)?);
    let error = axes.transpose() * axes - mj_math::DMat3::IDENTITY;
    if error.to_cols_array().iter().any(|e| e.abs() > 1e-8) {
        return Err("the axes of its grid of nodes are not at right angles".into());
    }
    Ok(axes)
}
