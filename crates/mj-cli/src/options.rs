//! Options of a model that the command line sets.

use crate::failure::Failure;
use crate::suggest;
use mj_engine::Model;
use mj_model::OptionError;
use mj_model::{Cone, IntegratorType, Jacobian, Options, SolverType};

/// Applies settings of the form `opt.<field>=<value>` to a model.
pub fn set(m: &mut Model, settings: &[String]) -> Result<(), Failure> {
    for s in settings {
        set_one(m, s).map_err(|problem| Failure::Usage(format!("--set {s}: {problem}")))?;
    }
    Ok(())
}

fn set_one(m: &mut Model, setting: &str) -> Result<(), String> {
    let (key, value) = setting.split_once('=').ok_or("expected opt.<field>=<value>")?;
    let field = key.strip_prefix("opt.").ok_or_else(|| {
        let known = Options::NAMES.contains(&key).then(|| format!(": opt.{key}={value}"));
        format!("only options can be set; expected opt.<field>=<value>{}", known.unwrap_or_default())
    })?;
    m.opt.set(field, value).map_err(|e| match e {
        OptionError::Unknown(..) => {
            let hint = suggest::hint(field, Options::NAMES.iter().copied());
            format!("unknown option `{field}`{hint}; the options are {}", Options::NAMES.join(", "))
        }
        OptionError::Value { .. } if !keywords(field).is_empty() => {
            let hint = suggest::hint(value, keywords(field).iter().map(|(word, _)| *word));
            let list: Vec<_> = keywords(field).iter().map(|(word, code)| format!("{word} ({code})")).collect();
            format!("option `{field}` is {}, not `{value}`{hint}", list.join(", "))
        }
        other => other.to_string(),
    })?;
    match m.check_parameters() {
        Err(e) if e.field == "opt_timestep" => Err(format!("{}, in seconds, e.g. opt.timestep=0.002", e.right)),
        _ => Ok(()),
    }
}

/// Keywords of an enumerated option with their codes; none for options that are numbers.
fn keywords(field: &str) -> Vec<(&'static str, i32)> {
    macro_rules! list {
        ($t:ty) => {
            <$t>::KEYWORDS.iter().map(|&(word, value)| (word, value.code())).collect()
        };
    }
    match field {
        "integrator" => list!(IntegratorType),
        "cone" => list!(Cone),
        "jacobian" => list!(Jacobian),
        "solver" => list!(SolverType),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(setting: &str) -> String {
        set(&mut Model::default(), &[setting.into()]).unwrap_err().to_string()
    }

    #[test]
    fn settings_are_applied() {
        let mut m = Model::default();
        set(&mut m, &["opt.solver=CG".into(), "opt.cone=1".into(), "opt.timestep=0.004".into()]).unwrap();
        assert_eq!((m.opt.solver, m.opt.cone, m.opt.timestep), (SolverType::Cg, Cone::Elliptic, 0.004));
    }

    #[test]
    fn problems_name_the_cause_and_what_would_be_right() {
        for (setting, message) in [
            ("opt.solver=foo", "option `solver` is PGS (0), CG (1), Newton (2), not `foo`"),
            ("opt.solver=newton", "not `newton`; did you mean `Newton`?"),
            ("opt.timestp=1", "unknown option `timestp`; did you mean `timestep`?; the options are timestep, "),
            ("opt.timestep=0", "--set opt.timestep=0: a time step is positive and finite, in seconds"),
            ("opt.timestep=-0.1", "a time step is positive"),
            ("opt.timestep=nan", "takes a finite number, not `nan`"),
            ("timestep=1", "expected opt.<field>=<value>: opt.timestep=1"),
            ("opt.timestep", "expected opt.<field>=<value>"),
        ] {
            let e = problem(setting);
            assert!(e.contains(message), "{setting}: {e}");
        }
    }
}
