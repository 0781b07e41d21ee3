//! MJCF, read, compiled, stepped, and saved.
#![no_main]

use mj_mjcf::Memory;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut files = Memory::new();
    files.insert("model.xml", bytes);
    files.insert(
        "part.xml",
        "<mujoco><worldbody><body name='part'><joint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    mj_fuzz::load_and_step(&files, "model.xml");
    if let (Some(spec), _) = mj_mjcf::read("model.xml", &files) {
        let text = mj_mjcf::write(&spec);
        let mut saved = Memory::new();
        saved.insert("model.xml", text.clone());
        let (again, report) = mj_mjcf::read("model.xml", &saved);
        let names_files =
            spec.meshes.iter().any(|m| !m.file.is_empty()) || spec.hfields.iter().any(|h| !h.file.is_empty());
        assert!(again.is_some() || names_files, "{report}\n{text}");
    }
});
