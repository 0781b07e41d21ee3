//! Which trees sleep, put back from numbers.

use super::{carrier, publish};
use crate::data::Data;
use mj_model::*;

/// Puts trees to sleep and wakes the others, as `tree_asleep` of other data of the model says, at the present state.
/// `kept` (nq) are the coordinates with which the sleeping trees fell asleep. Returns false, and changes nothing, if the
/// numbers are no such data's: sleeping trees must form rings.
///
/// ```
/// use mj_engine::model::TreeId;
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 1"/>
///     <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// for _ in 0..2000 {
///     step(&m, &mut d)?;
/// }
/// assert_eq!(d.sleep.count(), 1);
/// // Other data gets the state, and then the sleep.
/// let mut other = Data::new(&m)?;
/// restore_state(&m, &mut other, &d.state)?;
/// assert!(set_asleep(&m, &mut other, d.sleep.tree_asleep.as_slice(), d.sleep.kept()));
/// assert!(other.sleep.is_asleep(TreeId::new(0)));
/// assert!(!set_asleep(&m, &mut other, &[], d.sleep.kept()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn set_asleep(m: &Model, d: &mut Data, tree_asleep: &[i32], kept: &[f64]) -> bool {
    let n = m.tree.len();
    let next = |t: usize| usize::try_from(tree_asleep[t]).ok();
    if tree_asleep.len() != n || kept.len() != d.sleep.kept.len() {
        return false;
    }
    // Each is the next of one at most, and of as many as there are: so they form rings.
    let mut follows = vec![false; n];
    for k in (0..n).filter_map(next) {
        if k >= n || tree_asleep[k] < 0 || std::mem::replace(&mut follows[k], true) {
            return false;
        }
    }
    d.sleep.tree_asleep.iter_mut().zip(tree_asleep).for_each(|(to, &from)| *to = from);
    d.sleep.kept.copy_from_slice(kept);
    for t in m.tree.ids() {
        d.sleep.carrier[t] = carrier(m, &d.state, t).filter(|_| d.sleep.is_asleep(t));
    }
    publish(m, d);
    true
}
