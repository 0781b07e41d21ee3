//! Flexcomps from GMSH files, whose first bytes choose the dimension and the dofs.
#![no_main]

use mj_fuzz::{Choices, load_and_step};
use mj_mjcf::Memory;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (head, file) = bytes.split_at(bytes.len().min(2));
    let mut c = Choices::new(head);
    let (dim, dof) = (c.of(&["1", "2", "3"]), c.of(&["full", "trilinear", "quadratic", "radial", "2d"]));
    let mut files = Memory::new();
    files.insert(
        "model.xml",
        format!(
            "<mujoco><worldbody><geom type='plane' size='1 1 1'/><flexcomp name='f' type='gmsh' file='a.msh' dim='{dim}' \
             dof='{dof}' pos='0 0 1'><elasticity young='1e3' damping='.01'/></flexcomp></worldbody></mujoco>"
        ),
    );
    files.insert("a.msh", file);
    load_and_step(&files, "model.xml");
});
