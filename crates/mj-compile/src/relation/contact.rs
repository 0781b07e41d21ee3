//! Explicit contact pairs and exclusions.

use crate::context::Context;
use crate::messages::describe;
use mj_model::Model;
use mj_model::model::{ExcludeRow, PairRow};
use mj_model::spec::{PAIR_FRICTION, Pair, SOLIMP, SOLREF};
use mj_model::{BodyId, GeomId, ObjType};

/// Writes pairs and exclusions, each sorted by their bodies, and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    let mut pairs: Vec<(&Pair, PairRow)> = spec.pairs.iter().filter_map(|p| Some((p, pair(cx, p, m)?))).collect();
    pairs.sort_by_key(|(_, row)| row.signature);
    cx.register(ObjType::Pair, pairs.iter().map(|(p, _)| (p.name.as_str(), p.loc)));
    for (_, row) in pairs {
        m.pair.push(row);
    }

    let mut excludes = Vec::new();
    for e in &spec.excludes {
        let what = describe("exclude", &e.name);
        let mut body = |name: &str| cx.find(ObjType::Body, name, e.loc, &what).map(BodyId::new);
        if let (Some(a), Some(b)) = (body(&e.body1), body(&e.body2)) {
            excludes.push((e, signature(a, b)));
        }
    }
    excludes.sort_by_key(|(_, s)| *s);
    cx.register(ObjType::Exclude, excludes.iter().map(|(e, _)| (e.name.as_str(), e.loc)));
    for (_, signature) in excludes {
        m.exclude.push(ExcludeRow { signature });
    }
}

/// Two bodies as one number, the lower one first.
fn signature(a: BodyId, b: BodyId) -> i32 {
    let (a, b) = (a.min(b).index(), a.max(b).index());
    // Bodies number fewer than 2¹⁶; the sign bit is the reference's too.
    ((a << 16) + b) as u32 as i32
}

/// Compiles a pair. Values that it does not give are the defaults of pairs; none comes from its geoms.
fn pair(cx: &mut Context, p: &Pair, m: &Model) -> Option<PairRow> {
    let what = describe("pair", &p.name);
    let dim = p.condim.unwrap_or(3);
    if !matches!(dim, 1 | 3 | 4 | 6) {
        cx.error(p.loc, format!("{what}: `condim` is {dim}")).help("it must be 1, 3, 4 or 6");
    }
    let mut geom = |name: &str| cx.find(ObjType::Geom, name, p.loc, &what).map(GeomId::new);
    let (mut a, mut b) = (geom(&p.geom1)?, geom(&p.geom2)?);
    if m.geom.bodyid[a] > m.geom.bodyid[b] {
        (a, b) = (b, a);
    }
    let mut friction = PAIR_FRICTION;
    for (f, given) in friction.iter_mut().zip(&p.friction) {
        *f = *given;
    }
    Some(PairRow {
        dim,
        geom1: a,
        geom2: b,
        signature: signature(m.geom.bodyid[a], m.geom.bodyid[b]),
        solref: p.solref.unwrap_or(SOLREF),
        solreffriction: p.solreffriction.unwrap_or_default(),
        solimp: p.solimp.unwrap_or(SOLIMP),
        margin: p.margin.unwrap_or(0.0),
        gap: p.gap.unwrap_or(0.0),
        adhesion: p.adhesion.unwrap_or(0.0),
        friction,
    })
}
