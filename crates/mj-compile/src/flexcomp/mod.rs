//! Expands flexcomps into bodies, flexes and equality constraints (the manual's "XML reference: body/flexcomp").

mod bodies;
mod file;
mod gmsh;
mod grid;
mod hull;
mod nodes;
mod pin;
pub(crate) mod points;
mod source;
mod twist;

use crate::frames::{Pose, orientation};
use crate::messages::describe;
use bodies::Maker;
use mj_model::plugin::Registry;
use mj_model::spec::{Body, Equality, Flex, FlexEdge, Flexcomp, Joint};
use mj_model::{Diagnostics, Elastic2d, EqType, FlexDof, FlexEquality, FlexcompType, ObjType, Spec};
use pin::Pinned;
use points::Points;
use source::is_listed;

/// Returns a spec whose flexcomps are bodies, flexes and equality constraints; none if it has no flexcomp. Those that are
/// wrong are told, and left out. Files are read with the decoders of a registry.
///
/// Default classes must have been applied ([`Spec::with_defaults`]), as they are in what was read from text.
#[must_use]
pub fn expand_flexcomps(spec: &Spec, registry: &Registry, diag: &mut Diagnostics) -> Option<Spec> {
    let mut any = false;
    let mut todo = vec![&spec.worldbody];
    while let Some(b) = todo.pop() {
        any |= !b.flexcomps.is_empty();
        todo.extend(&b.bodies);
    }
    if !any {
        return None;
    }
    let mut out = spec.clone();
    let mut world = std::mem::take(&mut out.worldbody);
    world.name = "world".into();
    let joint = spec.defaults.first().map_or_else(Joint::default, |d| d.joint.clone());
    let mut made =
        Expansion { spec, registry, joint, diag, flexes: Vec::new(), equalities: Vec::new(), twists: Vec::new() };
    made.tree(&mut world, true);
    world.name.clear();
    out.worldbody = world;
    // Each goes where the text has its flexcomp.
    let Expansion { flexes, equalities, .. } = made;
    out.flexes = placed(std::mem::take(&mut out.flexes), flexes);
    out.equalities = placed(std::mem::take(&mut out.equalities), equalities);
    Some(out)
}

/// Merges new elements into a list, each before the row that it is given with.
fn placed<T>(list: Vec<T>, new: Vec<(usize, T)>) -> Vec<T> {
    let mut out = Vec::with_capacity(list.len() + new.len());
    let mut new = new.into_iter().peekable();
    for (i, x) in list.into_iter().enumerate() {
        while let Some((_, n)) = new.next_if(|(at, _)| *at <= i) {
            out.push(n);
        }
        out.push(x);
    }
    out.extend(new.map(|(_, n)| n));
    out
}

struct Expansion<'a> {
    spec: &'a Spec,
    registry: &'a Registry,
    joint: Joint,
    diag: &'a mut Diagnostics,
    flexes: Vec<(usize, Flex)>,
    equalities: Vec<(usize, Equality)>,
    /// Bodies that turn with the edges of rods; the world takes them.
    twists: Vec<Body>,
}

impl Expansion<'_> {
    /// Expands the flexcomps of a body and of all below it, in the order of the text.
    fn tree(&mut self, b: &mut Body, is_world: bool) {
        let mut comps = std::mem::take(&mut b.flexcomps).into_iter().peekable();
        let mut children = Vec::new();
        let (parent, frames) = (b.name.clone(), b.frames.clone());
        let told = std::mem::take(&mut b.bodies);
        for (i, mut child) in told.into_iter().enumerate() {
            while let Some(f) = comps.next_if(|f| f.after.bodies <= i) {
                children.extend(self.flexcomp(&f, &parent, &frames));
                if is_world {
                    children.append(&mut self.twists);
                }
            }
            self.tree(&mut child, false);
            children.push(child);
            if is_world {
                children.append(&mut self.twists);
            }
        }
        for f in comps {
            children.extend(self.flexcomp(&f, &parent, &frames));
            if is_world {
                children.append(&mut self.twists);
            }
        }
        b.bodies = children;
    }

    fn flexcomp(&mut self, f: &Flexcomp, parent: &str, frames: &[mj_model::spec::Frame]) -> Vec<Body> {
        let made = if parent.is_empty() {
            Err("the body that it is in needs a name".into())
        } else {
            self.expand(f, parent, frames)
        };
        made.unwrap_or_else(|e| {
            self.diag.error(f.loc, format!("{}: {e}", describe("flexcomp", &f.name)));
            Vec::new()
        })
    }

    fn expand(&mut self, f: &Flexcomp, parent: &str, frames: &[mj_model::spec::Frame]) -> Result<Vec<Body>, String> {
        let compiler = &self.spec.compiler;
        let turn = orientation(&f.orientation, compiler)?;
        let mut pose = Pose { pos: f.pos, quat: turn };
        let mut wrong = None;
        if let Some(frame) = f.frame {
            let poses = crate::frames::accumulate(frames, compiler, |_, e| wrong = Some(e));
            if let Some(outer) = poses.get(frame) {
                pose = outer.then(pose);
            }
        }
        let f = &Flexcomp { frame: None, ..f.clone() };
        let mut points = source::points(f, self.spec, self.registry, pose)?;
        let interpolated = matches!(f.dof, FlexDof::Trilinear | FlexDof::Quadratic);
        let maker = Maker { f, joint: self.joint.clone() };
        let mut flex = flex_of(f, &points);
        let mut bodies = Vec::new();
        let mut cells = None;
        if f.rigid {
            drop_unused(f, &mut points);
            flex.body = vec![parent.into()];
            flex.vertex = points.coordinates();
        } else if interpolated {
            drop_unused(f, &mut points);
            cells = Some(nodes::expand(&maker, &points, parent, &mut flex, &mut bodies)?);
        } else {
            let pinned = vertices(&maker, &mut points, parent, &mut flex, &mut bodies)?;
            self.twists.extend(twist::bodies(&maker, &points, &pinned));
        }
        (flex.element, flex.texcoord, flex.elemtexcoord) = (points.element, points.texcoord, points.elemtexcoord);
        self.flexes.push((f.after.flexes, flex));
        self.constrain(f, cells.as_ref());
        Ok(bodies)
    }

    /// Adds the equality constraints of edges or cells.
    fn constrain(&mut self, f: &Flexcomp, cells: Option<&nodes::Cells>) {
        let FlexEdge { solref, solimp, .. } = f.edge;
        let base = Equality {
            name1: f.name.clone(),
            objtype: ObjType::Flex,
            active: true,
            solref,
            solimp,
            loc: f.loc,
            ..Equality::default()
        };
        let mut add = |r#type, data: [f64; 3]| {
            let mut e = Equality { r#type, ..base.clone() };
            e.data[..3].copy_from_slice(&data);
            self.equalities.push((f.after.equalities, e));
        };
        match f.edge.equality {
            FlexEquality::False => {}
            FlexEquality::True => {
                let data = Equality::default().data;
                add(EqType::Flex, [data[0], data[1], data[2]]);
            }
            FlexEquality::Strain => {
                let shell = f.elasticity.elastic2d != Elastic2d::None;
                for cell in cells.map_or(vec![[0; 3]], |c| c.constrained(shell)) {
                    add(EqType::FlexStrain, cell.map(f64::from));
                }
            }
        }
    }
}

fn drop_unused(f: &Flexcomp, points: &mut Points) -> Vec<Option<usize>> {
    if is_listed(f) { points.drop_unused() } else { (0..points.point.len()).map(Some).collect() }
}

/// The flex without its bodies and vertices.
fn flex_of(f: &Flexcomp, points: &Points) -> Flex {
    let block = f.r#type == FlexcompType::Grid && points.dim == 3;
    Flex {
        name: f.name.clone(),
        group: f.group,
        dim: points.dim,
        radius: f.radius,
        material: f.material.clone(),
        rgba: f.rgba,
        flatskin: f.flatskin || block || matches!(f.r#type, FlexcompType::Box | FlexcompType::Cylinder),
        contact: f.contact.clone(),
        edge: FlexEdge { equality: f.edge.equality, ..f.edge.clone() },
        elasticity: f.elasticity.clone(),
        loc: f.loc,
        ..Flex::default()
    }
}

/// Gives each point a body of its own, but those that are pinned. Returns which are.
fn vertices(
    maker: &Maker,
    points: &mut Points,
    parent: &str,
    flex: &mut Flex,
    bodies: &mut Vec<Body>,
) -> Result<Vec<bool>, String> {
    let f = maker.f;
    let all = points.point.len();
    let grid = (f.r#type == FlexcompType::Grid).then(|| grid::counts(f));
    let mut pinned = vec![false; all];
    Pinned { number: all, dim: points.dim as usize, grid }.mark(&f.pins, &mut pinned)?;
    if f.dof == FlexDof::Radial {
        // The centre stays.
        pinned[0] = true;
    }
    let numbers = drop_unused(f, points);
    let pinned: Vec<bool> = pinned.iter().zip(&numbers).filter(|(_, n)| n.is_some()).map(|(p, _)| *p).collect();
    if pinned.iter().all(|&p| p) {
        flex.body = vec![parent.into()];
        flex.vertex = points.coordinates();
        return Ok(pinned);
    }
    let mass = f.mass / points.point.len() as f64;
    let centred = !pinned.contains(&true);
    for (i, (&p, &is_pinned)) in points.point.iter().zip(&pinned).enumerate() {
        if is_pinned {
            flex.body.push(parent.into());
            flex.vertex.extend(p.to_array());
            continue;
        }
        let body = maker.body(format!("{}_{i}", f.name), p, mass);
        flex.body.push(body.name.clone());
        if !centred {
            flex.vertex.extend([0.0; 3]);
        }
        bodies.push(body);
    }
    Ok(pinned)
}
