//! Draws a random model, and says what is in it.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

fn main() -> Result<(), proptest::test_runner::Reason> {
    let (model, state) = mj_testkit::any_model().new_tree(&mut TestRunner::deterministic())?.current();
    println!("{} bodies, {} dofs, {} tendons", model.body.len(), model.nv(), model.tendon.len());
    println!("qpos = {:.3?}", state.qpos);
    Ok(())
}
