use super::*;
use crate::conformance::golden::Golden;

fn array(data: &[f64]) -> Array {
    Array { shape: vec![data.len()], data: data.to_vec(), ..Array::default() }
}

fn arrays(of: &[(&str, &[f64])]) -> Arrays {
    of.iter().map(|(n, d)| ((*n).to_string(), array(d))).collect()
}

#[test]
fn errors_are_relative_to_the_scale() {
    assert_eq!(error(&[1.5], &[1.0]), 0.5);
    assert_eq!(error(&[200.0, 1.0], &[100.0, 1.0]), 1.0);
    assert_eq!(error(&[], &[]), 0.0);
    assert_eq!(error(&[1.0], &[1.0, 2.0]), f64::INFINITY);
    assert_eq!(error(&[f64::NAN], &[1.0]), f64::INFINITY);
    assert_eq!(error(&[f64::NAN, 2.0], &[f64::NAN, 2.0]), 0.0);
}

#[test]
fn principal_axes_may_be_named_otherwise() {
    // Turning by 90 degrees about z swaps the first two axes.
    let h = 0.5_f64.sqrt();
    let a = arrays(&[("body_iquat", &[1.0, 0.0, 0.0, 0.0]), ("body_inertia", &[1.0, 2.0, 3.0])]);
    let b = arrays(&[("body_iquat", &[h, 0.0, 0.0, h]), ("body_inertia", &[2.0, 1.0, 3.0])]);
    let c = arrays(&[("body_iquat", &[h, 0.0, 0.0, h]), ("body_inertia", &[1.0, 2.0, 3.0])]);
    let mut v = Verdict::default();
    model(&a, &b, &mut v);
    assert!(v.ok());
    model(&a, &c, &mut v);
    assert!(!v.ok());
}

#[test]
fn an_absent_field_of_the_model_fails() {
    let mut v = Verdict::default();
    model(&arrays(&[("geom_size", &[1.0])]), &Arrays::new(), &mut v);
    assert!(!v.ok());
    assert!(v.groups["model"].why.contains("geom_size"));
}

/// Two contacts of the same geoms, two decimals apart, and one of others.
fn contacts(order: [usize; 3], flip: bool) -> Arrays {
    let pos = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let geom = [[0.0, 3.0], [0.0, 3.0], [2.0, 3.0]];
    let mut out = Arrays::new();
    let mut put = |name: &str, width: usize, f: &dyn Fn(usize) -> Vec<f64>| {
        let data = order.iter().flat_map(|&i| f(i)).collect();
        out.insert(format!("contact.{name}"), Array { shape: vec![3, width], data, ..Array::default() });
    };
    put("pos", 3, &|i| pos[i].to_vec());
    put("geom", 2, &|i| if flip { vec![geom[i][1], geom[i][0]] } else { geom[i].to_vec() });
    put("dist", 1, &|i| vec![-0.01 * i as f64]);
    for (name, width) in CONTACT.iter().filter(|(n, _)| !matches!(*n, "pos" | "dist")) {
        put(name, *width, &|i| vec![i as f64; *width]);
    }
    out
}

#[test]
fn contacts_come_in_any_order() {
    let (ok, worst, _) = match_contacts(&contacts([0, 1, 2], false), &contacts([2, 1, 0], true));
    assert!(ok);
    assert_eq!(worst, 0.0);
    assert_eq!(touching(&contacts([0, 1, 2], false), &contacts([1, 0, 2], true)).0, 0.0);
}

#[test]
fn a_deeper_or_missing_contact_is_seen() {
    let want = contacts([0, 1, 2], false);
    let mut deeper = want.clone();
    deeper.get_mut("contact.dist").unwrap().data[2] -= 0.5;
    let (ok, worst, why) = match_contacts(&want, &deeper);
    assert!(ok && (worst - 0.5).abs() < 1e-12 && why.starts_with("dist"));
    assert!((touching(&want, &deeper).0 - 0.5).abs() < 1e-12);
    assert!(!match_contacts(&want, &Arrays::new()).0);
    assert!(touching(&want, &Arrays::new()).0 > TOUCH_TOLERANCE);
}

/// The recorded results agree with themselves, and any number of them that is changed is noticed.
#[test]
fn a_changed_number_is_noticed_wherever_it_is() {
    let golden = Golden::of(&crate::root().join("tests/golden"), "humanoid").unwrap();
    let case = &golden.forward[3];
    let verdict = |got: &Arrays| {
        let mut v = Verdict::default();
        forward(&golden.model, &case.output, got, &mut v);
        v
    };
    let same = verdict(&case.output);
    assert!(same.ok());
    assert_eq!(same.groups.len(), 2 + GROUPS.len());
    for (name, a) in case.output.iter().filter(|(_, a)| !a.data.is_empty()) {
        // Whole-number identities and the tangents of a contact's frame are judged by other fields.
        let mut got = case.output.clone();
        let scale = a.data.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
        got.get_mut(name).unwrap().data[0] += 1e-3 * scale;
        assert!(!verdict(&got).ok() || name == "contact.geom", "{name}");
    }
}

#[test]
fn a_failure_outweighs_a_greater_error_that_was_allowed() {
    let mut o = Outcome::default();
    o.note(true, 1e-3, "allowed".into());
    o.note(false, 1e-5, "failed".into());
    o.note(true, 1e-2, "allowed too".into());
    assert!(!o.ok);
    assert_eq!(o.why, "failed");
}
