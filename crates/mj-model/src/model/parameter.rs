//! One number of a model by name.

use crate::enums::ObjType;
use crate::ids::{BodyId, DofId};
use crate::model::compiled::Model;
use crate::model::inertia::{LogCholesky, RigidInertia};
use crate::storage::{Class, Column, FieldError};
use mj_math::{DMat3, DVec3, quat};
use std::fmt;

/// A number of a model that may be edited: a field, a row of it, and a number of the row.
///
/// Its text is the field's name with the row, by number or by the name of the element, and the number in the row where
/// a row has several: `body_mass[torso]`, `geom_friction[floor,0]`, `dof_damping[3]`, `opt.gravity[2]`. A dof goes by its
/// number, or by the name of a joint, whose first dof it is.
///
/// Beside the model's own fields there is `body_logcholesky`, the log-Cholesky coordinates of a body's inertia
/// ([`LogCholesky`]): `body_logcholesky[torso,alpha]`, `d1` to `d3`, `s12`, `s23`, `s13`, `t1` to `t3`. Whatever their
/// values, the inertia is that of a body with a positive density.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelParameter {
    /// Name of the field.
    pub field: String,
    /// Row.
    pub row: usize,
    /// Number in the row.
    pub component: usize,
    width: usize,
}

/// A text that names no parameter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterNameError {
    /// The text is not a field with a row in brackets.
    #[error("`{0}` is no parameter: write a field and a row, as `body_mass[torso]` or `geom_friction[floor,0]`")]
    Syntax(String),
    /// No field has the name.
    #[error("a model has no field `{0}`")]
    Field(String),
    /// The field can't be edited, or doesn't hold real numbers.
    #[error("`{0}` is {1}, not a parameter")]
    Kind(String, &'static str),
    /// No row has the name or number.
    #[error("`{field}` has no row `{row}`: {right}")]
    Row {
        /// Field.
        field: String,
        /// Row as it was given.
        row: String,
        /// Rows that there are.
        right: String,
    },
    /// A row has another number of numbers.
    #[error("a row of `{field}` has {width} numbers: give one of 0 to {} after the row", width - 1)]
    Component {
        /// Field.
        field: String,
        /// Numbers in a row.
        width: usize,
    },
    /// The inertia of a body has no log-Cholesky coordinates.
    #[error(
        "body `{0}` has no log-Cholesky coordinates: its mass must be positive, and each principal moment less than the sum \
         of the other two"
    )]
    Inertia(String),
}

/// Field of the log-Cholesky coordinates.
const LOG_CHOLESKY: &str = "body_logcholesky";

impl ModelParameter {
    /// Finds the parameter that a text names.
    ///
    /// # Errors
    /// If there is none: the part that is wrong, and the choice there is.
    pub fn parse(m: &Model, text: &str) -> Result<Self, ParameterNameError> {
        let (field, row, component) = parts(text)?;
        let (rows, width) = shape(m, field)?;
        let row = row_of(m, field, row, rows)?;
        let of_name = |name: &str| {
            let names = if field == LOG_CHOLESKY { &LogCholesky::NAMES[..] } else { &[] };
            names.iter().position(|n| *n == name).or_else(|| name.parse().ok())
        };
        let component = match component {
            None if width == 1 => 0,
            name => name
                .and_then(of_name)
                .filter(|n| *n < width)
                .ok_or(ParameterNameError::Component { field: field.to_string(), width })?,
        };
        Self { field: field.to_string(), row, component, width }.checked(m)
    }

    /// Finds the parameters that a text names: one as in [`Self::parse`], or all of a row where the text gives no number
    /// in it, as `body_ipos[torso]`.
    ///
    /// # Errors
    /// If there is none: the part that is wrong, and the choice there is.
    pub fn parse_row(m: &Model, text: &str) -> Result<Vec<Self>, ParameterNameError> {
        let (field, row, component) = parts(text)?;
        if component.is_some() {
            return Ok(vec![Self::parse(m, text)?]);
        }
        let (rows, width) = shape(m, field)?;
        let row = row_of(m, field, row, rows)?;
        (0..width).map(|component| Self { field: field.to_string(), row, component, width }.checked(m)).collect()
    }

    fn checked(self, m: &Model) -> Result<Self, ParameterNameError> {
        if self.is_log_cholesky() && self.log_cholesky(m).is_none() {
            let name = m.names.get(ObjType::Body, self.row);
            let name = if name.is_empty() { self.row.to_string() } else { name.to_string() };
            return Err(ParameterNameError::Inertia(name));
        }
        Ok(self)
    }

    /// Returns its value in a model of the structure that it was found in; none in a model that lacks it.
    pub fn value(&self, m: &Model) -> Option<f64> {
        if self.is_log_cholesky() {
            return Some(self.log_cholesky(m)?.0[self.component]);
        }
        m.field(&self.field)?.data.to_f64().get(self.row * self.width + self.component).copied()
    }

    /// Sets its value. What is derived from it follows when `set_const` is called.
    ///
    /// # Errors
    /// If the model lacks it.
    pub fn set(&self, m: &mut Model, value: f64) -> Result<(), FieldError> {
        if self.is_log_cholesky() {
            let mut coordinates = self.log_cholesky(m).ok_or(FieldError::Unknown)?;
            coordinates.0[self.component] = value;
            coordinates.inertia().write(m, BodyId::new(self.row));
            return Ok(());
        }
        let mut numbers = m.field(&self.field).ok_or(FieldError::Unknown)?.data.to_f64();
        *numbers.get_mut(self.row * self.width + self.component).ok_or(FieldError::Unknown)? = value;
        m.set_field(&self.field, &Column::F64(numbers))
    }

    /// Whether it is a log-Cholesky coordinate.
    pub fn is_log_cholesky(&self) -> bool {
        self.field == LOG_CHOLESKY
    }

    /// Returns what happens when it is edited; none in a model that lacks it.
    pub fn class(&self, m: &Model) -> Option<Class> {
        if self.is_log_cholesky() { Some(Class::Constant) } else { m.class(&self.field) }
    }

    /// Returns a typical change of it: its absolute value, or for a log-Cholesky coordinate that of
    /// [`LogCholesky::typical_change`].
    pub fn typical_change(&self, m: &Model) -> f64 {
        match self.log_cholesky(m) {
            Some(coordinates) => coordinates.typical_change(self.component),
            None => self.value(m).unwrap_or_default().abs(),
        }
    }

    /// Returns a step for differences by it: small, but not so small that `set_const` takes a moved frame for one that did not move.
    pub fn difference(&self, m: &Model) -> f64 {
        let of_frame = ["pos", "quat", "logcholesky"].iter().any(|end| self.field.ends_with(end));
        1e-6 * self.typical_change(m).max(if of_frame { 3.0 } else { 1e-3 })
    }

    /// Returns the body whose inertia it changes, and the change for each unit of it; none of a parameter of another kind, or of
    /// `body_iquat`.
    pub fn inertia_slope(&self, m: &Model) -> Option<(BodyId, RigidInertia)> {
        let b = (self.row < m.body.len()).then(|| BodyId::new(self.row))?;
        let k = self.component;
        let change = match self.field.as_str() {
            "body_mass" => RigidInertia { mass: 1.0, ..RigidInertia::ZERO },
            "body_ipos" => RigidInertia { center: DVec3::AXES[k], ..RigidInertia::ZERO },
            "body_inertia" => {
                let axis = quat::to_mat(m.body.iquat[b]).col(k);
                RigidInertia {
                    inertia: DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z),
                    ..RigidInertia::ZERO
                }
            }
            _ => self.log_cholesky(m)?.slope(k),
        };
        Some((b, change))
    }

    /// Coordinates of its body, if it is one of them.
    fn log_cholesky(&self, m: &Model) -> Option<LogCholesky> {
        let of_body = self.is_log_cholesky() && self.row < m.body.len();
        of_body.then(|| LogCholesky::of(&RigidInertia::of(m, BodyId::new(self.row))))?
    }

    /// Returns its text, with the name of its element where that has one.
    pub fn describe(&self, m: &Model) -> String {
        let name = match kind_of(&self.field) {
            Some(kind) => m.names.get(kind, self.row),
            None if self.field.starts_with("dof_") && self.row < m.dof.len() => {
                let j = m.dof.jntid[DofId::new(self.row)];
                if m.jnt.dofadr[j].index() == self.row { m.names.get(ObjType::Joint, j.index()) } else { "" }
            }
            None => "",
        };
        let row = if name.is_empty() { self.row.to_string() } else { name.to_string() };
        format!("{}[{row}{}]", self.field, self.component_text())
    }

    /// Number in the row, after a comma; nothing where a row has one.
    fn component_text(&self) -> String {
        match self.width {
            1 => String::new(),
            _ if self.is_log_cholesky() => format!(",{}", LogCholesky::NAMES[self.component]),
            _ => format!(",{}", self.component),
        }
    }
}

impl fmt::Display for ModelParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}{}]", self.field, self.row, self.component_text())
    }
}

/// Kind of the elements whose field it is.
fn kind_of(field: &str) -> Option<ObjType> {
    Some(match field.split_once('_')?.0 {
        "body" => ObjType::Body,
        "jnt" => ObjType::Joint,
        "geom" => ObjType::Geom,
        "site" => ObjType::Site,
        "cam" => ObjType::Camera,
        "light" => ObjType::Light,
        "pair" => ObjType::Pair,
        "eq" => ObjType::Equality,
        "tendon" => ObjType::Tendon,
        "actuator" => ObjType::Actuator,
        "sensor" => ObjType::Sensor,
        "mat" => ObjType::Material,
        _ => return None,
    })
}

/// Cuts a text into field, row and the number in the row.
fn parts(text: &str) -> Result<(&str, &str, Option<&str>), ParameterNameError> {
    let syntax = || ParameterNameError::Syntax(text.to_string());
    let (field, place) = match text.split_once('[') {
        Some((field, rest)) => (field.trim(), rest.trim_end().strip_suffix(']').ok_or_else(syntax)?),
        None => (text.trim(), ""),
    };
    let mut parts = place.split(',').map(str::trim);
    let (row, component) = (parts.next().unwrap_or(""), parts.next());
    if parts.next().is_some() { Err(syntax()) } else { Ok((field, row, component)) }
}

/// Counts of a field's rows, and of the numbers in each.
fn shape(m: &Model, field: &str) -> Result<(usize, usize), ParameterNameError> {
    if field == LOG_CHOLESKY {
        return Ok((m.body.len(), LogCholesky::NAMES.len()));
    }
    let found = m.field(field).ok_or_else(|| ParameterNameError::Field(field.to_string()))?;
    if matches!(m.class(field), None | Some(Class::Structure | Class::Derived)) {
        return Err(ParameterNameError::Kind(field.to_string(), "structure, or derived from other fields"));
    }
    let Column::F64(numbers) = &found.data else {
        return Err(ParameterNameError::Kind(field.to_string(), "a field of other than real numbers"));
    };
    let rows = found.shape.first().copied().unwrap_or(1);
    Ok((rows, numbers.len() / rows.max(1)))
}

/// Finds a row by name or number.
fn row_of(m: &Model, field: &str, row: &str, rows: usize) -> Result<usize, ParameterNameError> {
    let found = if row.is_empty() && rows == 1 {
        Some(0)
    } else if let Ok(number) = row.parse() {
        Some(number)
    } else if field.starts_with("dof_") {
        m.joint_id(row).map(|j| m.jnt.dofadr[j].index())
    } else {
        kind_of(field).and_then(|kind| m.names.find(kind, row))
    };
    found.filter(|r| *r < rows).ok_or_else(|| ParameterNameError::Row {
        field: field.to_string(),
        row: row.to_string(),
        right: if rows == 0 { "it has none".into() } else { format!("give a name, or 0 to {}", rows - 1) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::BodyRow;

    fn model() -> Model {
        let mut m = Model::default();
        (0..3).for_each(|_| _ = m.body.push(BodyRow::default()));
        m.names.edit().set(ObjType::Body, vec!["world".into(), "torso".into(), String::new()]);
        m
    }

    #[test]
    fn texts_name_numbers() {
        let mut m = model();
        let mass = ModelParameter::parse(&m, "body_mass[torso]").unwrap();
        assert_eq!((mass.row, mass.component, mass.describe(&m).as_str()), (1, 0, "body_mass[torso]"));
        mass.set(&mut m, 2.5).unwrap();
        assert_eq!(mass.value(&m), Some(2.5));
        let y = ModelParameter::parse(&m, "body_ipos[ 2 , 1 ]").unwrap();
        y.set(&mut m, -1.0).unwrap();
        assert_eq!((m.body.ipos[crate::BodyId::new(2)].y, y.to_string().as_str()), (-1.0, "body_ipos[2,1]"));
        assert_eq!(ModelParameter::parse(&m, "opt.gravity[2]").unwrap().value(&m), Some(-9.81));
    }

    #[test]
    fn errors_say_which_part_is_wrong() {
        let m = model();
        let told = |text| ModelParameter::parse(&m, text).unwrap_err().to_string();
        assert_eq!(told("body_weight[1]"), "a model has no field `body_weight`");
        assert_eq!(told("body_mass[leg]"), "`body_mass` has no row `leg`: give a name, or 0 to 2");
        assert_eq!(told("body_ipos[1]"), "a row of `body_ipos` has 3 numbers: give one of 0 to 2 after the row");
        assert!(told("body_parentid[1]").contains("not a parameter"));
        assert!(told("body_logcholesky[torso,d1]").starts_with("body `torso` has no log-Cholesky coordinates"));
        assert!(told("body_mass[1").contains("is no parameter"));
    }

    #[test]
    fn a_row_is_all_its_numbers() {
        let mut m = model();
        let b = crate::BodyId::new(1);
        (m.body.mass[b], m.body.inertia[b]) = (2.0, DVec3::new(0.3, 0.2, 0.2));
        let texts =
            |text| ModelParameter::parse_row(&m, text).unwrap().iter().map(|p| p.describe(&m)).collect::<Vec<_>>();
        assert_eq!(texts("body_ipos[torso]"), ["body_ipos[torso,0]", "body_ipos[torso,1]", "body_ipos[torso,2]"]);
        assert_eq!(texts("body_mass[torso]"), ["body_mass[torso]"]);
        assert_eq!(texts("body_ipos[torso,2]"), ["body_ipos[torso,2]"]);
        assert_eq!(texts("body_logcholesky[torso]")[5], "body_logcholesky[torso,s23]");
        // Setting one coordinate leaves the others.
        let all = ModelParameter::parse_row(&m, "body_logcholesky[torso]").unwrap();
        let before: Vec<f64> = all.iter().map(|p| p.value(&m).unwrap()).collect();
        all[4].set(&mut m, 0.05).unwrap();
        let after: Vec<f64> = all.iter().map(|p| p.value(&m).unwrap()).collect();
        for k in 0..10 {
            assert!((after[k] - if k == 4 { 0.05 } else { before[k] }).abs() < 1e-12, "{k}");
        }
        assert_eq!(ModelParameter::parse(&m, &all[4].to_string()).unwrap(), all[4]);
    }
}
