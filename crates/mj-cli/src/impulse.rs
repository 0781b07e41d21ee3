//! Options of velocity stepping from the command line.

use crate::failure::Failure;
use crate::suggest;
use mj_impulse::{Equality, Integrator, Options, PostHoc, Stabilization};

const NAMES: [&str; 12] = [
    "integrator",
    "equality",
    "lambda",
    "stabilization",
    "time",
    "epsilon",
    "kappa",
    "r_min",
    "iterations",
    "tolerance",
    "penetration",
    "post-hoc",
];

const EQUALITIES: [(&str, Equality); 2] = [("soft", Equality::Soft), ("hard", Equality::Hard)];

/// Reads options as `NAME=VALUE`; the others have their usual values.
pub fn options(settings: &[String]) -> Result<Options, Failure> {
    let mut o = Options::default();
    let mut time = o.kappa;
    for setting in settings {
        let wrong = |problem: String| Failure::Usage(format!("--impulse {setting}: {problem}"));
        let Some((name, value)) = setting.split_once('=') else {
            return Err(wrong("expected NAME=VALUE".into()));
        };
        let number = |least: f64, what: &str| match value.parse::<f64>() {
            Ok(x) if x.is_finite() && x >= least => Ok(x),
            _ => Err(wrong(format!("expected {what}"))),
        };
        let positive = || number(f64::MIN_POSITIVE, "a positive number");
        match name {
            "integrator" => o.integrator = word(value, &Integrator::BY_NAME).map_err(wrong)?,
            "equality" => o.equality = word(value, &EQUALITIES).map_err(wrong)?,
            "lambda" if value == "none" => o.lambda = None,
            "lambda" => o.lambda = Some(number(f64::MIN_POSITIVE, "a positive number or `none`")?),
            "stabilization" => {
                let critical = Stabilization::Critical { equality: time, inequality: time };
                let known = [
                    ("pd", Stabilization::ProportionalDerivative),
                    ("coupled", Stabilization::Coupled),
                    ("critical", critical),
                ];
                o.stabilization = word(value, &known).map_err(wrong)?;
            }
            "time" => {
                time = number(0.0, "a number of seconds, 0 or more")?;
                if let Stabilization::Critical { equality, inequality } = &mut o.stabilization {
                    (*equality, *inequality) = (time, time);
                }
            }
            "epsilon" => o.epsilon = positive()?,
            "kappa" => o.kappa = positive()?,
            "r_min" => o.r_min = positive()?,
            "iterations" => {
                o.iterations = value.parse().map_err(|_| wrong("expected a number of sweeps".into()))?;
            }
            "tolerance" => o.tolerance = number(0.0, "a number, 0 or more")?,
            "penetration" => o.penetration = number(0.0, "a number, 0 or more")?,
            "post-hoc" => {
                let weight = number(0.0, "a number, 0 or more")?;
                o.post_hoc = Some(PostHoc { equality: weight, contact: weight });
            }
            _ => {
                let hint = suggest::hint(name, NAMES);
                return Err(wrong(format!("no such option{hint}; there are {}", NAMES.join(", "))));
            }
        }
    }
    Ok(o)
}

/// The meaning of a word, or those that have one.
fn word<T: Copy>(value: &str, known: &[(&str, T)]) -> Result<T, String> {
    let words: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let found = known.iter().find(|(name, _)| *name == value).map(|(_, meaning)| *meaning);
    found.ok_or_else(|| format!("expected {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &[&str]) -> Result<Options, String> {
        let settings: Vec<String> = settings.iter().map(|s| s.to_string()).collect();
        options(&settings).map_err(|e| e.to_string())
    }

    #[test]
    fn every_option_can_be_set() {
        let o =
            read(&["integrator=rk4", "equality=hard", "lambda=5", "epsilon=0.1", "kappa=.05", "iterations=7"]).unwrap();
        assert_eq!((o.integrator, o.equality, o.lambda), (Integrator::Rk4, Equality::Hard, Some(5.0)));
        assert_eq!((o.epsilon, o.kappa, o.iterations), (0.1, 0.05, 7));
        let o = read(&["lambda=5", "lambda=none", "penetration=2", "post-hoc=3", "stabilization=coupled"]).unwrap();
        assert_eq!((o.lambda, o.penetration, o.stabilization), (None, 2.0, Stabilization::Coupled));
        assert_eq!(o.post_hoc, Some(PostHoc { equality: 3.0, contact: 3.0 }));
        // In any order.
        for settings in [["time=.3", "stabilization=critical"], ["stabilization=critical", "time=.3"]] {
            let stabilization = read(&settings).unwrap().stabilization;
            assert_eq!(stabilization, Stabilization::Critical { equality: 0.3, inequality: 0.3 });
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (setting, told) in [
            ("integrator", "expected NAME=VALUE"),
            ("integrator=euler", "expected explicit, midpoint, semi-implicit, rk4, interleaved"),
            ("lambda=-1", "expected a positive number or `none`"),
            ("epsilon=0", "expected a positive number"),
            ("kapa=1", "no such option; did you mean `kappa`?"),
        ] {
            let e = read(&[setting]).unwrap_err();
            assert!(e.contains(setting) && e.contains(told), "{e}");
        }
    }
}
