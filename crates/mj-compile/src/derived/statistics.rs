//! Statistics of the model in its reference configuration: how large, how heavy, where.

use mj_dynamics::{JointInertia, Poses};
use mj_math::DVec3;
use mj_model::spec::StatisticOverride;
use mj_model::*;

/// Statistics of a model without bodies.
pub(crate) const EMPTY: Statistics =
    Statistics { meaninertia: 1.0, meanmass: 1.0, meansize: 0.2, extent: 2.0, center: DVec3::ZERO };

/// Fills in the statistics.
pub(crate) fn set(m: &mut Model, poses: &Poses, inertia: &JointInertia) {
    m.stat = EMPTY;
    let sizes = body_sizes(m, poses);
    let moving = m.body.len() - 1;
    if moving > 0 {
        m.stat.meansize = sizes.iter().skip(1).sum::<f64>() / moving as f64;
        m.stat.meanmass = m.body.mass.iter().skip(1).sum::<f64>() / moving as f64;
    }

    let (low, high) = bounds(m, poses);
    m.stat.center = (low + high) / 2.0;
    if high.x > low.x {
        m.stat.extent = (high - low).max_element().max(1e-5);
    }
    m.stat.extent = m.stat.extent.max(2.0 * m.stat.meansize);

    let nv = m.nv();
    if nv > 0 {
        m.stat.meaninertia = (0..nv).map(|i| inertia.M[m.m_pattern.diag(i)]).sum::<f64>() / nv as f64;
    }
}

/// Length that turns the angle of each dof into a distance: that of its body. 1 for translations.
pub(crate) fn dof_lengths(m: &Model, poses: &Poses) -> IdVec<DofId, f64> {
    let sizes = body_sizes(m, poses);
    let one = |d: DofId| {
        let j = m.dof.jntid[d];
        let rotates = match m.jnt.r#type[j] {
            JointType::Slide => false,
            JointType::Ball | JointType::Hinge => true,
            JointType::Free => d.index() >= m.jnt.dofadr[j].index() + 3,
        };
        if rotates { sizes[m.dof.bodyid[d]] } else { 1.0 }
    };
    m.dof.ids().map(one).collect()
}

/// Replaces what the author gives.
pub(crate) fn replace(stat: &mut Statistics, by: &StatisticOverride) {
    let set = |x: &mut f64, by: Option<f64>| *x = by.unwrap_or(*x);
    set(&mut stat.meaninertia, by.meaninertia);
    set(&mut stat.meanmass, by.meanmass);
    set(&mut stat.meansize, by.meansize);
    set(&mut stat.extent, by.extent);
    stat.center = by.center.unwrap_or(stat.center);
}

/// Corners of the box that holds bodies, joints, sites and geoms. Planes count as a tenth of their
/// size.
fn bounds(m: &Model, p: &Poses) -> (DVec3, DVec3) {
    let (mut low, mut high) = (DVec3::splat(1e10), DVec3::splat(-1e10));
    let mut hold = |x: DVec3, r: f64| {
        low = low.min(x - DVec3::splat(r));
        high = high.max(x + DVec3::splat(r));
    };
    p.xpos.iter().skip(1).chain(p.xipos.iter().skip(1)).for_each(|&x| hold(x, 0.0));
    p.xanchor.iter().chain(p.site_xpos.iter()).for_each(|&x| hold(x, 0.0));
    for g in m.geom.ids() {
        let size = m.geom.size[g];
        let r = match m.geom.r#type[g] {
            _ if m.geom.rbound[g] > 0.0 => m.geom.rbound[g],
            GeomType::Plane if size.x != 0.0 || size.y != 0.0 => 0.1 * size.x.max(size.y),
            GeomType::Plane => 0.01,
            _ => 0.0,
        };
        hold(p.geom_xpos[g], r);
    }
    (low, high)
}

/// Length of each body: the farthest that a joint of its own or of a child lies from its centre of
/// mass, or that a geom reaches.
fn body_sizes(m: &Model, p: &Poses) -> IdVec<BodyId, f64> {
    let mut size = IdVec::filled(m.body.len(), 0.0f64);
    for j in m.jnt.ids() {
        let b = m.jnt.bodyid[j];
        for b in [b, m.body.parentid[b]] {
            size[b] = size[b].max(p.xipos[b].distance(p.xanchor[j]));
        }
    }
    for g in m.geom.ids().filter(|&g| m.geom.rbound[g] > 0.0) {
        let b = m.geom.bodyid[g];
        size[b] = size[b].max(m.geom.rbound[g] + p.xipos[b].distance(p.geom_xpos[g]));
    }
    flex_sizes(m, p, &mut size);
    size.iter_mut().for_each(|s| *s = s.max(1e-5));
    size
}

/// Lengthens bodies to the edges of flexes that they are at the ends of, and those of nodes to the farthest other node.
fn flex_sizes(m: &Model, p: &Poses, size: &mut IdVec<BodyId, f64>) {
    let d = &m.flex_data;
    for f in m.flex.ids() {
        if m.flex.interp[f] != 0 {
            let nodes = &d.nodebodyid[m.flex.nodeadr[f] as usize..][..m.flex.nodenum[f] as usize];
            for &a in nodes {
                let far = nodes.iter().map(|&b| p.xpos[a].distance(p.xpos[b])).fold(0.0, f64::max);
                size[a] = size[a].max(far);
            }
            continue;
        }
        for e in m.flex.edgeadr[f] as usize..(m.flex.edgeadr[f] + m.flex.edgenum[f]) as usize {
            for v in d.edge[e] {
                if let Some(b) = d.vertbodyid[m.flex.vertadr[f] as usize + v as usize] {
                    size[b] = size[b].max(m.flexedge.length0[FlexEdgeId::new(e)]);
                }
            }
        }
    }
}
