//! Elements of a model by id, by number or by name, checked.

use mj_model::*;

/// An id was asked for that the model doesn't have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ElementError {
    /// No element of the kind has the name.
    #[error("the model has no {kind} named `{name}`{help}")]
    Name {
        /// Kind of element, as MJCF calls it.
        kind: &'static str,
        /// Name asked for.
        name: String,
        /// Names that are near, or all of them where they are few; empty or "; …".
        help: String,
    },
    /// The number is beyond the last element of the kind.
    #[error("the model has no {kind} {index}: there are {count}, counted from 0")]
    Index {
        /// Kind of element, as MJCF calls it.
        kind: &'static str,
        /// Number asked for.
        index: usize,
        /// Number of elements of the kind.
        count: usize,
    },
}

/// A typed id of a kind of element that has names.
pub trait Element: Id {
    /// Kind of element.
    const KIND: ObjType;

    /// Counts the elements of this kind in a model.
    fn count(m: &Model) -> usize;
}

macro_rules! elements {
    ($($id:ident $kind:ident $table:ident;)*) => {$(
        impl Element for $id {
            const KIND: ObjType = ObjType::$kind;

            fn count(m: &Model) -> usize {
                m.$table.len()
            }
        }
    )*};
}

elements! {
    BodyId Body body;
    JointId Joint jnt;
    GeomId Geom geom;
    SiteId Site site;
    CameraId Camera cam;
    LightId Light light;
    MeshId Mesh mesh;
    HfieldId Hfield hfield;
    EqualityId Equality eq;
    TendonId Tendon tendon;
    ActuatorId Actuator actuator;
    SensorId Sensor sensor;
    KeyId Key key;
    FlexId Flex flex;
}

/// Anything that stands for an element of a model: its typed id, its name, or its number.
pub trait ElementKey<I: Element> {
    /// Finds the element.
    ///
    /// # Errors
    /// If the model has no such element.
    fn resolve(self, m: &Model) -> Result<I, ElementError>;
}

impl<I: Element> ElementKey<I> for I {
    fn resolve(self, m: &Model) -> Result<I, ElementError> {
        self.index().resolve(m)
    }
}

impl<I: Element> ElementKey<I> for usize {
    fn resolve(self, m: &Model) -> Result<I, ElementError> {
        let count = I::count(m);
        if self < count { Ok(I::new(self)) } else { Err(index_error(I::KIND, self, count)) }
    }
}

impl<I: Element> ElementKey<I> for &str {
    fn resolve(self, m: &Model) -> Result<I, ElementError> {
        let row = m.names.find(I::KIND, self).filter(|&row| row < I::count(m));
        row.map(I::new).ok_or_else(|| name_error(m, I::KIND, self))
    }
}

impl<I: Element> ElementKey<I> for &String {
    fn resolve(self, m: &Model) -> Result<I, ElementError> {
        self.as_str().resolve(m)
    }
}

/// Finds an element by id, name or number: `find::<BodyId>(&m, "torso")?`.
///
/// Example: [`load_str`](crate::load_str).
///
/// # Errors
/// If the model has no such element; the message names those that are near.
pub fn find<I: Element>(m: &Model, key: impl ElementKey<I>) -> Result<I, ElementError> {
    key.resolve(m)
}

/// The error for a number beyond the last element.
pub(crate) fn index_error(kind: ObjType, index: usize, count: usize) -> ElementError {
    ElementError::Index { kind: kind.keyword(), index, count }
}

fn name_error(m: &Model, kind: ObjType, name: &str) -> ElementError {
    let names = m.names.all(kind).iter().map(String::as_str).filter(|n| !n.is_empty());
    let help = suggest::help(name, names, "names of this kind:").map_or_else(String::new, |help| format!("; {help}"));
    ElementError::Name { kind: kind.keyword(), name: name.to_string(), help }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        crate::load_str(
            r#"<mujoco><worldbody><body name="upper arm"><joint name="shoulder"/><geom name="bone" size=".1"/>
              <geom size=".1"/></body></worldbody></mujoco>"#,
        )
        .unwrap()
    }

    #[test]
    fn an_element_is_found_by_any_key() {
        let m = model();
        let body = find::<BodyId>(&m, "upper arm").unwrap();
        assert_eq!(body, find(&m, 1).unwrap());
        assert_eq!(body, find(&m, body).unwrap());
        assert_eq!(find::<BodyId>(&m, "world").unwrap(), BodyId::WORLD);
        assert_eq!(find::<GeomId>(&m, 1).unwrap().index(), 1);
    }

    #[test]
    fn a_missing_element_is_an_error_with_help() {
        let m = model();
        let said = |e: ElementError| e.to_string();
        assert_eq!(
            said(find::<BodyId>(&m, "uper arm").unwrap_err()),
            "the model has no body named `uper arm`; did you mean `upper arm`? names of this kind: world, upper arm"
        );
        assert_eq!(said(find::<SensorId>(&m, "touch").unwrap_err()), "the model has no sensor named `touch`");
        assert_eq!(
            said(find::<GeomId>(&m, GeomId::new(2)).unwrap_err()),
            "the model has no geom 2: there are 2, counted from 0"
        );
        // No element goes by an empty name, unnamed ones included.
        assert!(find::<GeomId>(&m, "").is_err());
    }
}
