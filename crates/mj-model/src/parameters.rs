//! Parameters without which no simulation means anything.

use crate::Model;

/// A parameter has a value that no simulation can use.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{} is {value}: {right}", .field, .row.map(|r| format!("[{r}]")).unwrap_or_default())]
pub struct ParameterError {
    /// Table of the model: `opt` for options.
    pub table: &'static str,
    /// Field, by its name in arrays: `body_mass`, `opt_timestep`.
    pub field: &'static str,
    /// Row of the table; none for options.
    pub row: Option<usize>,
    /// Value.
    pub value: f64,
    /// Help: what a right value would be.
    pub right: &'static str,
}

impl Model {
    /// Checks the numbers that may be edited and that no simulation can do without: the time step, which
    /// must be positive, and the masses and principal moments of inertia of bodies, which must not be
    /// negative; all of them finite. It takes no allocation, and time proportional to the number of bodies.
    ///
    /// # Errors
    /// The first of them that is wrong: its table, field, row and value, and what would be right.
    pub fn check_parameters(&self) -> Result<(), ParameterError> {
        let step = self.opt.timestep;
        if !(step > 0.0 && step.is_finite()) {
            let right = "a time step is positive and finite";
            return Err(ParameterError { table: "opt", field: "opt_timestep", row: None, value: step, right });
        }
        let is_wrong = |x: f64| !(x >= 0.0 && x.is_finite());
        for b in self.body.ids() {
            let wrong =
                |field, value, right| ParameterError { table: "body", field, row: Some(b.index()), value, right };
            let mass = self.body.mass[b];
            if is_wrong(mass) {
                return Err(wrong("body_mass", mass, "a mass is finite and not negative"));
            }
            if let Some(moment) = self.body.inertia[b].to_array().into_iter().find(|x| is_wrong(*x)) {
                let right = "principal moments of inertia are finite and not negative";
                return Err(wrong("body_inertia", moment, right));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::BodyId;
    use crate::Model;
    use crate::model::BodyRow;
    use proptest::prelude::*;

    fn model() -> Model {
        let mut m = Model::default();
        for _ in 0..3 {
            m.body.push(BodyRow::default());
        }
        m
    }

    #[test]
    fn errors_say_what_where_and_what_would_be_right() {
        let mut m = model();
        assert_eq!(m.check_parameters(), Ok(()));
        m.body.inertia[BodyId::new(2)].y = f64::INFINITY;
        let told = m.check_parameters().unwrap_err().to_string();
        assert_eq!(told, "body_inertia[2] is inf: principal moments of inertia are finite and not negative");
        m.body.mass[BodyId::new(1)] = -1.0;
        let e = m.check_parameters().unwrap_err();
        assert_eq!((e.table, e.field, e.row, e.value), ("body", "body_mass", Some(1), -1.0));
        assert_eq!(e.to_string(), "body_mass[1] is -1: a mass is finite and not negative");
        m.opt.timestep = 0.0;
        assert_eq!(
            m.check_parameters().unwrap_err().to_string(),
            "opt_timestep is 0: a time step is positive and finite"
        );
    }

    proptest! {
        #[test]
        fn what_is_allowed_passes_and_nothing_else(
            step in any::<f64>(), mass in any::<f64>(), moment in any::<f64>(), row in 0..3usize,
        ) {
            let mut m = model();
            let b = BodyId::new(row);
            (m.opt.timestep, m.body.mass[b], m.body.inertia[b].z) = (step, mass, moment);
            let bounded = |x: f64| (0.0..=f64::MAX).contains(&x);
            let right = bounded(step) && step > 0.0 && bounded(mass) && bounded(moment);
            prop_assert_eq!(m.check_parameters().is_ok(), right);
        }
    }
}
