//! Global settings of an attached model that differ from its parent's.

use crate::elements::globals::FLAGS;
use crate::reader::Reader;
use crate::reader::table::Value;
use mj_math::DVec3;
use mj_model::Options;
use mj_model::spec::Conflict;
use mj_model::{Cone, IntegratorType, Jacobian, Loc, SolverType, Spec};
use std::collections::HashSet;
use std::fmt::Display;

/// Which of two settings holds when models are merged.
#[derive(Clone, Copy, PartialEq)]
enum Merge {
    /// The smaller.
    Least,
    /// The greater.
    Greatest,
    /// Neither: they must agree.
    Never,
}

/// A setting that can be compared, merged and shown.
trait Setting: PartialEq + Clone {
    fn shown(&self) -> String;
    fn below(&self, _other: &Self) -> bool {
        false
    }
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

macro_rules! settings {
    (number: $($t:ty)*) => {$(
        impl Setting for $t {
            fn shown(&self) -> String {
                self.to_string()
            }
            fn below(&self, other: &Self) -> bool {
                self < other
            }
        }
    )*};
    (keyword: $($t:ty)*) => {$(
        impl Setting for $t {
            fn shown(&self) -> String {
                self.keyword().to_string()
            }
        }
    )*};
}
settings!(number: f64 i32 usize);
settings!(keyword: IntegratorType Cone Jacobian SolverType);

impl<const N: usize> Setting for [f64; N] {
    fn shown(&self) -> String {
        list(self)
    }
}

impl Setting for DVec3 {
    fn shown(&self) -> String {
        list(&self.to_array())
    }
}

/// A pair of settings: what is shown of each, and whether each was given.
struct Case<'a> {
    name: &'a str,
    ours: String,
    theirs: String,
    given: bool,
    policy: Conflict,
    model: &'a str,
    loc: Loc,
}

/// Outcome for a setting that differs.
#[derive(PartialEq)]
enum Outcome {
    Ours,
    Theirs,
}

impl Reader<'_> {
    /// Compares the settings that a model gives with this one's, and does what `conflict` says.
    pub(crate) fn settle_options(&mut self, model: &Spec, authored: &HashSet<String>, name: &str, loc: Loc) {
        let policy = self.spec.compiler.conflict;
        let mut option = self.spec.option.clone();
        let theirs = &model.option;
        macro_rules! options {
            ($($field:ident $merge:ident)*) => {$(
                if option.$field != theirs.$field && authored.contains(stringify!($field)) {
                    let (a, b) = (&option.$field, &theirs.$field);
                    let case = Case {
                        name: stringify!($field), ours: a.shown(), theirs: b.shown(),
                        given: self.authored.contains(stringify!($field)), policy, model: name, loc,
                    };
                    if self.settle(&case, Merge::$merge, a.below(b)) == Outcome::Theirs {
                        option.$field = theirs.$field.clone();
                    }
                }
            )*};
        }
        options! {
            timestep Least tolerance Least ls_tolerance Least noslip_tolerance Least ccd_tolerance Least
            sleep_tolerance Least iterations Greatest ls_iterations Greatest noslip_iterations Greatest
            ccd_iterations Greatest sdf_iterations Greatest sdf_initpoints Greatest impratio Never density Never
            viscosity Never o_margin Never integrator Never cone Never jacobian Never solver Never gravity Never
            wind Never magnetic Never o_solref Never o_solimp Never o_friction Never
        }
        self.settle_flags(&mut option, theirs, authored, name, loc);
        self.spec.option = option;
        self.settle_sizes(model, name, loc);
        self.settle_visual(model, name, loc);
    }

    /// Tells about a setting that differs, and decides it.
    fn settle(&mut self, case: &Case, merge: Merge, ours_is_below: bool) -> Outcome {
        let Case { name, ours, theirs, model, .. } = case;
        let message = format!("`{name}` of the attached model `{model}` is {theirs}, here it is {ours}");
        let (outcome, done) = match (case.policy, case.given, merge) {
            (Conflict::Warning, ..) | (Conflict::Error, false, _) => (Outcome::Ours, format!("{ours} stays")),
            (Conflict::Merge, false, _) => (Outcome::Theirs, format!("{theirs} is taken")),
            (Conflict::Error, true, _) | (Conflict::Merge, true, Merge::Never) => {
                self.error(case.loc, message)
                    .help("make them agree, or set `conflict` in `compiler` to \"warning\" to keep this model's");
                return Outcome::Ours;
            }
            (Conflict::Merge, true, _) => {
                let ours_wins = ours_is_below == (merge == Merge::Least);
                let word = if merge == Merge::Least { "least" } else { "greatest" };
                if ours_wins {
                    (Outcome::Ours, format!("the {word}, {ours}, stays"))
                } else {
                    (Outcome::Theirs, format!("the {word}, {theirs}, is taken"))
                }
            }
        };
        self.warning(case.loc, message).help(done);
        outcome
    }

    fn settle_flags(
        &mut self,
        option: &mut Options,
        theirs: &Options,
        authored: &HashSet<String>,
        model: &str,
        loc: Loc,
    ) {
        let policy = self.spec.compiler.conflict;
        for flag in FLAGS.groups.iter().copied().flatten().filter(|f| authored.contains(f.form.name)) {
            // The bit of a flag is the one that differs between its two values.
            let [mut off, mut on] = [Options::default(), Options::default()];
            (flag.put)(&mut off, Value::Keyword(0));
            (flag.put)(&mut on, Value::Keyword(1));
            let disable = off.disableflags ^ on.disableflags;
            let enable = off.enableflags ^ on.enableflags;
            let set = |o: &Options| o.disableflags & disable != 0 || o.enableflags & enable != 0;
            if set(option) == set(theirs) {
                continue;
            }
            let given = self.authored.contains(flag.form.name);
            // Without policy to merge, what this model does not say is not compared; when merging, a
            // flag that is set in either is set.
            if policy == Conflict::Merge {
                if set(theirs) {
                    option.disableflags |= disable;
                    option.enableflags |= enable;
                    let message = format!("flag `{}` of the attached model `{model}` holds here too", flag.form.name);
                    self.warning(loc, message);
                }
            } else if given {
                let word = |o: &Options| {
                    if (o.disableflags & disable != 0) || (enable != 0 && o.enableflags & enable == 0) {
                        "disable"
                    } else {
                        "enable"
                    }
                };
                let (ours, other) = (word(option).to_string(), word(theirs).to_string());
                let case = Case { name: flag.form.name, ours, theirs: other, given, policy, model, loc };
                self.settle(&case, Merge::Never, false);
            }
        }
        if authored.contains("actuatorgroupdisable") && policy == Conflict::Merge {
            option.disableactuator |= theirs.disableactuator;
        }
    }

    /// Sizes merge to the greatest; a size is given where it is not the default.
    fn settle_sizes(&mut self, model: &Spec, name: &str, loc: Loc) {
        let policy = self.spec.compiler.conflict;
        let mut size = self.spec.size.clone();
        let theirs = &model.size;
        let show = |x: &Option<usize>| x.map_or("automatic".to_string(), |x| x.to_string());
        macro_rules! optional {
            ($($field:ident)*) => {$(
                if size.$field != theirs.$field && theirs.$field.is_some() {
                    let case = Case {
                        name: stringify!($field), ours: show(&size.$field), theirs: show(&theirs.$field),
                        given: size.$field.is_some(), policy, model: name, loc,
                    };
                    if self.settle(&case, Merge::Greatest, size.$field < theirs.$field) == Outcome::Theirs {
                        size.$field = theirs.$field;
                    }
                }
            )*};
        }
        optional! { nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor }
        macro_rules! plain {
            ($($field:ident)*) => {$(
                if size.$field != theirs.$field && theirs.$field != 0 {
                    let case = Case {
                        name: stringify!($field), ours: shown(&size.$field), theirs: shown(&theirs.$field),
                        given: size.$field != 0, policy, model: name, loc,
                    };
                    if self.settle(&case, Merge::Greatest, size.$field < theirs.$field) == Outcome::Theirs {
                        size.$field = theirs.$field;
                    }
                }
            )*};
        }
        plain! { nuserdata nkey }
        self.spec.size = size;
    }

    /// The three visual settings that bear on what is seen of the other model.
    fn settle_visual(&mut self, model: &Spec, name: &str, loc: Loc) {
        let policy = self.spec.compiler.conflict;
        for (element, attribute, merge, default) in [
            ("map", "znear", Merge::Least, 0.01),
            ("global", "realtime", Merge::Least, 1.0),
            ("map", "zfar", Merge::Greatest, 50.0),
        ] {
            let find = |spec: &Spec| {
                let all = &spec.visual.attributes;
                let row = all.iter().rposition(|a| a.element == element && a.name == attribute);
                row.and_then(|i| all[i].value.first().map(|&x| (i, x)))
            };
            let Some((row, theirs)) = find(model) else { continue };
            let ours = find(&self.spec);
            let value = ours.map_or(default, |(_, x)| x);
            if theirs == value {
                continue;
            }
            let (a, b) = (shown(&value), shown(&theirs));
            let case = Case { name: attribute, ours: a, theirs: b, given: ours.is_some(), policy, model: name, loc };
            if self.settle(&case, merge, value < theirs) == Outcome::Theirs {
                self.spec.visual.attributes.push(model.visual.attributes[row].clone());
            }
        }
    }
}

fn shown(x: &impl Display) -> String {
    x.to_string()
}
