//! One number of a model by name.

use crate::enums::ObjType;
use crate::ids::DofId;
use crate::model::compiled::Model;
use crate::storage::{Class, Column, FieldError};
use std::fmt;

/// A number of a model that may be edited: a field, a row of it, and a number of the row.
///
/// Its text is the field's name with the row, by number or by the name of the element, and the number in the row where
/// a row has several: `body_mass[torso]`, `geom_friction[floor,0]`, `dof_damping[3]`, `opt.gravity[2]`. A dof goes by its
/// number, or by the name of a joint, whose first dof it is.
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
}

impl ModelParameter {
    /// Finds the parameter that a text names.
    ///
    /// # Errors
    /// If there is none: the part that is wrong, and the choice there is.
    pub fn parse(m: &Model, text: &str) -> Result<Self, ParameterNameError> {
        let syntax = || ParameterNameError::Syntax(text.to_string());
        let (field, place) = match text.split_once('[') {
            Some((field, rest)) => (field.trim(), rest.trim_end().strip_suffix(']').ok_or_else(syntax)?),
            None => (text.trim(), ""),
        };
        let found = m.field(field).ok_or_else(|| ParameterNameError::Field(field.to_string()))?;
        if matches!(m.class(field), None | Some(Class::Structure | Class::Derived)) {
            return Err(ParameterNameError::Kind(field.to_string(), "structure, or derived from other fields"));
        }
        let Column::F64(numbers) = &found.data else {
            return Err(ParameterNameError::Kind(field.to_string(), "a field of other than real numbers"));
        };
        let rows = found.shape.first().copied().unwrap_or(1);
        let width = numbers.len() / rows.max(1);
        let mut parts = place.split(',').map(str::trim);
        let row = match parts.next().unwrap_or("") {
            "" if rows == 1 => 0,
            row => row_of(m, field, row).filter(|r| *r < rows).ok_or_else(|| ParameterNameError::Row {
                field: field.to_string(),
                row: row.to_string(),
                right: if rows == 0 { "it has none".into() } else { format!("give a name, or 0 to {}", rows - 1) },
            })?,
        };
        let component = match parts.next() {
            None if width == 1 => 0,
            number => number
                .and_then(|n| n.parse().ok())
                .filter(|n| *n < width)
                .ok_or(ParameterNameError::Component { field: field.to_string(), width })?,
        };
        if parts.next().is_some() {
            return Err(syntax());
        }
        Ok(Self { field: field.to_string(), row, component, width })
    }

    /// Returns its value in a model of the structure that it was found in; none in a model that lacks it.
    pub fn value(&self, m: &Model) -> Option<f64> {
        m.field(&self.field)?.data.to_f64().get(self.row * self.width + self.component).copied()
    }

    /// Sets its value. What is derived from it follows when `set_const` is called.
    ///
    /// # Errors
    /// If the model lacks it.
    pub fn set(&self, m: &mut Model, value: f64) -> Result<(), FieldError> {
        let mut numbers = m.field(&self.field).ok_or(FieldError::Unknown)?.data.to_f64();
        *numbers.get_mut(self.row * self.width + self.component).ok_or(FieldError::Unknown)? = value;
        m.set_field(&self.field, &Column::F64(numbers))
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
        let component = if self.width > 1 { format!(",{}", self.component) } else { String::new() };
        format!("{}[{row}{component}]", self.field)
    }
}

impl fmt::Display for ModelParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}", self.field, self.row)?;
        if self.width > 1 { write!(f, ",{}]", self.component) } else { write!(f, "]") }
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

fn row_of(m: &Model, field: &str, row: &str) -> Option<usize> {
    if let Ok(number) = row.parse() {
        return Some(number);
    }
    if field.starts_with("dof_") {
        return m.joint_id(row).map(|j| m.jnt.dofadr[j].index());
    }
    m.names.find(kind_of(field)?, row)
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
        assert!(told("body_mass[1").contains("is no parameter"));
    }
}
