//! Neo-Hookean flexes against numbers of the reference, version 4.0.0, whose `mjsFlex.elastic3d` was 1.

use mj_engine::{Data, Spec, forward, step};
use mj_mjcf::Memory;
use mj_model::{Diagnostics, Elastic3d, IntegratorType, Model};

const TETRAHEDRON: &str = r#"<mujoco><option integrator="discrete" gravity="0 0 0"/><worldbody>
    <flexcomp name="f" type="direct" dim="3" mass="1" radius=".001" point="0 0 0  .13 .02 .01  .01 .11 -.02  .03 .02 .12"
        element="0 1 2 3"><elasticity young="1e4" poisson="0.3" damping="0.01"/><contact selfcollide="none"/></flexcomp>
  </worldbody></mujoco>"#;

/// A neo-Hookean spec with these yield strains.
fn spec(yields: &[f64]) -> Spec {
    let (spec, report) = mj_mjcf::read_str(TETRAHEDRON, &Memory::new());
    let spec = spec.unwrap_or_else(|| panic!("{report}"));
    let mut spec =
        mj_compile::expand_flexcomps(&spec, &mj_engine::builtin_plugins(), &mut Diagnostics::default()).unwrap();
    spec.flexes[0].elasticity.elastic3d = Elastic3d::NeoHookean;
    spec.flexes[0].elasticity.yields = yields.to_vec();
    spec
}

fn model(spec: &Spec) -> Result<Model, String> {
    let (model, problems) = mj_compile::compile(spec);
    model.ok_or_else(|| problems.list.iter().map(|d| d.message.as_str()).collect::<Vec<_>>().join("; "))
}

fn deformed(m: &Model) -> Data {
    let mut d = Data::new(m).unwrap();
    d.state.qpos.copy_from_slice(&[0.01, -0.02, 0.03, 0.05, -0.01, 0.02, -0.02, 0.01, -0.06, 0.02, 0.03, -0.13]);
    d.state.qvel.copy_from_slice(&[0.1, 0.2, -0.3, -0.1, 0.5, 0.2, 0.3, -0.4, 0.1, 0.0, 0.2, -0.1]);
    d
}

/// Compares numbers, by the largest. The reference solves each step to a tolerance, so that positions differ by more.
fn assert_close(name: &str, found: &[f64], expected: &[f64]) {
    let by = if name == "qpos" { 1e-7 } else { 1e-9 };
    let scale = expected.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < by * scale, "{name}: {found:?}, expected {expected:?}");
    }
}

#[test]
fn an_inverted_element_is_that_of_the_reference() {
    let m = model(&spec(&[])).unwrap();
    assert_close(
        "flex_stiffness",
        &m.flex_shape.stiffness[20..],
        &[3.278_614_389_725_503e3, -1.884_261_143_520_402_8e5, 1.908_173_076_923_077, -5.878_894_767_783_656e2],
    );
    let mut d = deformed(&m);
    forward(&m, &mut d).unwrap();
    assert_close(
        "qfrc_spring",
        &d.smooth.velocities.qfrc_spring,
        &[
            5.7502374169040555,
            2.2016460905349806,
            -24.737371681816107,
            -7.705497520312314,
            -8.394458764829128,
            -17.544129395981248,
            7.332639925232516,
            -26.638892657411176,
            -11.66244592170518,
            -5.377379821824257,
            32.83170533170532,
            53.94394699950253,
        ],
    );
    assert_close(
        "qfrc_damper",
        &d.smooth.velocities.qfrc_damper,
        &[
            -0.1825023850206363,
            0.23772052279040495,
            2.3311417636607175,
            0.9416387014271741,
            -0.1985547514021001,
            -0.12222485093016533,
            0.09794767992886982,
            1.5584444719088228,
            0.11724271682605675,
            -0.8570839963354078,
            -1.5976102432971278,
            -2.3261596295566087,
        ],
    );
    assert_close(
        "qacc",
        &d.qacc,
        &[
            13.297054259651395,
            6.6261420967340685,
            -73.32268816060221,
            -18.35889660336088,
            -28.28618034897016,
            -62.98851442774293,
            27.207288214438776,
            -85.65386690341852,
            -42.36158884433378,
            -22.145445852525086,
            107.31390522553248,
            178.67279153097965,
        ],
    );
    for _ in 0..100 {
        step(&m, &mut d).unwrap();
    }
    assert_close(
        "qpos",
        &d.state.qpos,
        &[
            0.04103203346862171,
            0.014400703337001542,
            0.006518960304702315,
            0.033000370035610675,
            0.04974084770713137,
            0.009490801831016563,
            0.04754865718844539,
            -0.05925865936785345,
            -0.07982708975375659,
            -0.001581060090108615,
            0.10511710881422992,
            -0.09618267085914811,
        ],
    );
}

#[test]
fn an_element_that_yields_is_that_of_the_reference() {
    let m = model(&spec(&[0.001])).unwrap();
    let mut d = deformed(&m);
    d.state.plastic.copy_from_slice(&[0.002, -0.001, 0.003, -0.002, 0.001, 0.0015]);
    forward(&m, &mut d).unwrap();
    assert_close(
        "qfrc_spring",
        &d.smooth.velocities.qfrc_spring,
        &[
            5.203377726525854,
            2.563471336619486,
            -24.950952682434142,
            -8.201859012044178,
            -8.05072242572242,
            -17.65878668656446,
            6.546055110869923,
            -26.186575769909098,
            -11.990684212906435,
            -3.5475738253515976,
            31.67382685901203,
            54.60042358190504,
        ],
    );
    assert_close(
        "qfrc_damper",
        &d.smooth.velocities.qfrc_damper,
        &[
            -0.14646353231388334,
            0.3329053045995509,
            2.382166004002813,
            0.9349259265119925,
            -0.2280340836847886,
            -0.17780438789557187,
            0.1320559653843053,
            1.5427099643182567,
            0.11848708963033994,
            -0.9205183595824146,
            -1.6475811852330189,
            -2.322848705737581,
        ],
    );
    for _ in 0..100 {
        step(&m, &mut d).unwrap();
    }
    assert_close(
        "qpos",
        &d.state.qpos,
        &[
            0.05462880846019899,
            0.010020203398060725,
            0.00023116379743709178,
            0.020131393337425214,
            0.048957893486479484,
            0.013180106430826517,
            0.045806949916973795,
            -0.06737666656523297,
            -0.09423445144151571,
            -0.0005671518179624021,
            0.11839856957273637,
            -0.0791768186148633,
        ],
    );
}

#[test]
fn what_a_neo_hookean_flex_needs_is_told() {
    let mut s = spec(&[]);
    s.option.integrator = IntegratorType::Euler;
    assert!(model(&s).unwrap_err().contains("`elastic3d` is neo-Hookean, which needs integrator=\"discrete\""));
    let mut s = spec(&[]);
    (s.flexes[0].dim, s.flexes[0].element) = (2, vec![0, 1, 2]);
    assert!(model(&s).unwrap_err().contains("`elastic3d` is neo-Hookean, which needs dim=\"3\""));
    let problem = mj_compile::to_save(&spec(&[])).unwrap_err().to_string();
    assert!(problem.starts_with("flex `f` is neo-Hookean (`elastic3d`), which has no attribute in MJCF"), "{problem}");
}
