use mj_math::DVec3;
use mj_model::plugin::SdfPlugin;
use proptest::prelude::*;
use std::sync::Arc;

fn shapes() -> Vec<Arc<dyn SdfPlugin>> {
    let make = |t: mj_model::plugin::PluginType| t.instance(&vec![String::new(); t.attributes().len()]);
    super::plugins().into_iter().map(|t| make(t).unwrap().sdf.unwrap()).collect()
}

proptest! {
    /// Where a function is smooth, its gradient is the slope of central differences.
    #[test]
    fn gradients_are_slopes(x in -1.0..1.0f64, y in -1.0..1.0f64, z in -1.0..1.0f64) {
        for shape in shapes() {
            let p = DVec3::new(x, y, z) * shape.bounds();
            let slope = |h: f64| DVec3::from_array([0, 1, 2].map(|k| {
                let step = DVec3::AXES[k] * h;
                (shape.distance(p + step) - shape.distance(p - step)) / (2.0 * h)
            }));
            let (d, gradient) = shape.distance_gradient(p);
            prop_assert_eq!(d, shape.distance(p));
            // Two steps agree but at edges.
            if (slope(1e-5) - slope(1e-6)).length() < 1e-6 && (slope(1e-6) - slope(1e-7)).length() < 1e-6 {
                prop_assert!((gradient - slope(1e-6)).length() < 1e-4, "{shape:?} {p} {gradient} {}", slope(1e-6));
            }
        }
    }

    /// Outside of its bounds there is nothing of a shape.
    #[test]
    fn bounds_hold_the_shape(x in -1.5..1.5f64, y in -1.5..1.5f64, z in -1.5..1.5f64) {
        for shape in shapes() {
            let p = DVec3::new(x, y, z) * shape.bounds();
            if p.abs().cmpgt(shape.bounds()).any() {
                prop_assert!(shape.distance(p) >= -1e-12, "{shape:?} {p}");
            }
        }
    }
}

#[test]
fn a_torus_is_exact() {
    let torus = shapes().pop().unwrap();
    assert!((torus.distance(DVec3::new(0.0, 0.35, 0.0)) + 0.15).abs() < 1e-15);
    assert!((torus.distance(DVec3::ZERO) - 0.2).abs() < 1e-15);
}

#[test]
fn wrong_settings_are_told() {
    let [.., nut, torus] = super::plugins();
    let wrong = torus.instance(&["1".into(), "a".into()]).unwrap_err();
    assert_eq!((wrong.key.as_str(), wrong.problem.as_str()), ("radius2", "`a` is not a number"));
    assert!(nut.instance(&["0".into()]).is_err() && nut.instance(&["0.3 0.4".into()]).is_err());
}
