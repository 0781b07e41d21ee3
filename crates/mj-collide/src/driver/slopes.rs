//! How parameters of contacts follow those of geoms and pairs.

use super::params::{MIN_FRICTION, explicit_pair, mix};
use mj_math::real::slope_of_greater;
use mj_model::model::ModelParameter;
use mj_model::{GeomId, Model, enable};

/// Derivatives of a contact's parameters by one number of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSlopes {
    /// Slopes of the friction coefficients.
    pub friction: [f64; 5],
    /// Slopes of the reference along the normal.
    pub solref: [f64; 2],
    /// Slopes of the reference of the friction dimensions.
    pub solreffriction: [f64; 2],
    /// Slopes of the impedance.
    pub solimp: [f64; 5],
}

/// Finds how the parameters of contacts of two geoms follow one number of the model: friction, `solref` or `solimp` of a geom
/// or a pair. Zeros where they don't. Where two geoms have equal friction, of which the greater counts, each counts half.
///
/// ```
/// use mj_collide::contact_slopes;
/// use mj_model::model::ModelParameter;
/// use mj_model::{GeomId, Model, model::GeomRow};
///
/// let mut m = Model::default();
/// for friction in [0.5, 1.0] {
///     m.geom.push(GeomRow { friction: [friction, 0.01, 0.01], solmix: 1.0, ..GeomRow::default() });
/// }
/// let geoms = [GeomId::new(0), GeomId::new(1)];
/// let of = |text| contact_slopes(&m, geoms, &ModelParameter::parse(&m, text).unwrap());
/// assert_eq!(of("geom_friction[0,0]").friction, [0.0; 5]);
/// assert_eq!(of("geom_friction[1,0]").friction, [1.0, 1.0, 0.0, 0.0, 0.0]);
/// assert_eq!(of("geom_solimp[0,1]").solimp, [0.0, 0.5, 0.0, 0.0, 0.0]);
/// ```
pub fn contact_slopes(m: &Model, geoms: [GeomId; 2], p: &ModelParameter) -> ContactSlopes {
    let mut out = ContactSlopes::default();
    let pair = explicit_pair(m, geoms);
    let Some((owner, what)) = p.field.split_once('_').filter(|_| !m.opt.enabled(enable::OVERRIDE)) else { return out };
    let k = p.component;
    match (owner, pair) {
        ("pair", Some(pair)) if pair.index() == p.row => match what {
            "friction" => out.friction[k] = slope_of_greater(m.pair.friction[pair][k], MIN_FRICTION),
            "solref" => out.solref[k] = 1.0,
            "solreffriction" => out.solreffriction[k] = 1.0,
            "solimp" => out.solimp[k] = 1.0,
            _ => {}
        },
        ("geom", None) => {
            let Some(own) = geoms.iter().position(|g| g.index() == p.row) else { return out };
            of_geom(m, [geoms[own], geoms[1 - own]], what, k, &mut out);
        }
        _ => {}
    }
    out
}

/// By a number of the first geom.
fn of_geom(m: &Model, [own, other]: [GeomId; 2], what: &str, k: usize, out: &mut ContactSlopes) {
    let g = &m.geom;
    let equal = match g.priority[own].cmp(&g.priority[other]) {
        std::cmp::Ordering::Less => return,
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Greater => false,
    };
    let share = if equal { mix(g.solmix[own], g.solmix[other]) } else { 1.0 };
    match what {
        "friction" => {
            let (a, b) = (g.friction[own][k], g.friction[other][k]);
            let least = if equal { b.max(MIN_FRICTION) } else { MIN_FRICTION };
            let numbers = [0..2, 2..3, 3..5][k].clone();
            out.friction[numbers].fill(slope_of_greater(a, least));
        }
        "solref" => {
            let [a, b] = [g.solref[own], g.solref[other]];
            let lesser = equal && (a[0] <= 0.0 || b[0] <= 0.0);
            out.solref[k] = if lesser { slope_of_greater(b[k], a[k]) } else { share };
        }
        "solimp" => out.solimp[k] = share,
        _ => {}
    }
}
