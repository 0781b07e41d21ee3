//! Structure of a flex's elastic lines.

use mj_model::{BodyId, FlexId, JointId, Model};

/// Vertices of a flex that bend, and the chain of edges that twist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rod {
    /// Vertices of each record, in their flex: three, or four of a pair.
    pub hinges: Vec<Hinge>,
    /// Edges with twist angles; those of hinge i are i and i + 1.
    pub chain: Option<Chain>,
}

/// Vertices of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Vertices in the order of the line; the last counts in a pair only.
    pub vertex: [usize; 4],
    /// Whether it is a pair of vertices that bend.
    pub pair: bool,
}

/// An open chain of edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// Vertices from end to end, in their flex.
    pub vertices: Vec<usize>,
    /// How each edge turns about itself.
    pub twist: Vec<Twist>,
    /// Edge of each element of the flex.
    pub of_element: Vec<usize>,
    /// Place of each vertex of the flex in the chain.
    pub place: Vec<usize>,
}

/// How an edge turns about itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Twist {
    /// By a hinge joint: its position and its degree of freedom.
    Joint { qpos: usize, dof: usize },
    /// With the body that both of its vertices are fixed to.
    Fixed(BodyId),
}

impl Rod {
    /// The structure of a flex; none where it isn't an elastic line.
    pub fn of(m: &Model, f: FlexId) -> Option<Self> {
        let records = m.rod_records(f);
        if m.flex.rigid[f] || m.flex.interp[f] != 0 || records.is_empty() {
            return None;
        }
        let vertices = m.flex.vertnum[f] as usize;
        let place = |x: f64| (x >= 0.0).then_some(x as usize).filter(|v| *v < vertices);
        let mut out = Self::default();
        for r in records {
            let pair = r[3] >= 0.0;
            let last = if pair { r[3] } else { r[2] };
            out.hinges.push(Hinge { vertex: [place(r[0])?, place(r[1])?, place(r[2])?, place(last)?], pair });
        }
        if m.rod_twists(f) {
            out.chain = Some(out.chain(m, f)?);
        }
        Some(out)
    }

    /// Dofs by which edges twist.
    pub fn twist_dofs(&self) -> impl Iterator<Item = usize> {
        self.chain.iter().flat_map(|c| &c.twist).filter_map(|t| match t {
            Twist::Joint { dof, .. } => Some(*dof),
            Twist::Fixed(_) => None,
        })
    }

    fn chain(&self, m: &Model, f: FlexId) -> Option<Chain> {
        let records = m.rod_records(f);
        let first = self.hinges[0].vertex;
        let mut out = Chain { vertices: vec![first[0], first[1]], ..Chain::default() };
        for h in &self.hinges {
            let n = out.vertices.len();
            if h.pair || h.vertex[..2] != out.vertices[n - 2..] {
                return None;
            }
            out.vertices.push(h.vertex[2]);
        }
        let body = |v: usize| m.flex_data.vertbodyid[m.flex.vertadr[f] as usize + v].unwrap_or(BodyId::WORLD);
        let fixed = |edge: usize| {
            let ends = [out.vertices[edge], out.vertices[edge + 1]].map(body);
            (m.body.weldid[ends[0]] == m.body.weldid[ends[1]]).then_some(Twist::Fixed(ends[0]))
        };
        let joint = |row: f64| {
            let j = (row >= 0.0).then_some(row as usize).filter(|j| *j < m.jnt.len()).map(JointId::new)?;
            Some(Twist::Joint { qpos: m.jnt.qposadr[j] as usize, dof: m.jnt.dofadr[j].index() })
        };
        let start = fixed(0).or_else(|| joint(records[0][7] - 1.0))?;
        let mut twist = vec![start];
        for (i, r) in records.iter().enumerate() {
            twist.push(joint(r[7]).or_else(|| fixed(i + 1))?);
        }
        out.twist = twist;
        out.place = vec![0; m.flex.vertnum[f] as usize];
        out.vertices.iter().enumerate().for_each(|(i, &v)| out.place[v] = i);
        let elements = m.flex_data.elem[m.flex.elemdataadr[f] as usize..].as_chunks::<2>().0;
        let edge = |e: &[i32; 2]| e.map(|v| out.place[v as usize]).into_iter().min().unwrap_or(0);
        out.of_element = elements[..m.flex.elemnum[f] as usize].iter().map(edge).collect();
        Some(out)
    }
}
