//! Results of a simulation: elements by name, Jacobians, inertia, rays, contacts, islands.

use super::Simulation;
use crate::errors::element::{Element, ElementError, ElementKey, find};
use crate::errors::query::QueryError;
use crate::query::islands::{ConstraintRow, IslandMap, constraint_row, islands};
use crate::query::jacobians::{self, Jacobian};
use crate::query::lengthrange::{LengthRangeError, set_length_range};
use crate::query::views::*;
use crate::{query::contacts, query::inertia, query::objects, query::rays};
use mj_collide::{Contact, FlexHit, FlexParts, RayFilter, RayHit, Witness};
use mj_compile::{SetConstError, set_const};
use mj_math::{DVec3, Spatial};
use mj_model::spec::LengthRange;
use mj_model::*;

macro_rules! views {
    ($($method:ident $view:ident $id:ident $what:literal;)*) => {
        impl Simulation {
            /// Finds the id of an element by name or number.
            ///
            /// # Errors
            /// If there is no such element; the message names those that are near.
            pub fn find<I: Element>(&self, key: impl ElementKey<I>) -> Result<I, ElementError> {
                find(&self.model, key)
            }

            $(
                #[doc = concat!("Finds a ", $what, " by id, name or number.")]
                ///
                /// # Errors
                /// If there is none; the message names those that are near.
                pub fn $method(&self, key: impl ElementKey<$id>) -> Result<$view<'_>, QueryError> {
                    $view::new(&self.model, &self.data, key)
                }
            )*
        }
    };
}

views! {
    body BodyView BodyId "body";
    joint JointView JointId "joint";
    geom GeomView GeomId "geom";
    site SiteView SiteId "site";
    camera CameraView CameraId "camera";
    light LightView LightId "light";
    tendon TendonView TendonId "tendon";
    actuator ActuatorView ActuatorId "actuator";
    sensor SensorView SensorId "sensor";
}

impl Simulation {
    /// Finds a keyframe by id, name or number.
    ///
    /// # Errors
    /// If there is none; the message names those that are near.
    pub fn key(&self, key: impl ElementKey<KeyId>) -> Result<KeyView<'_>, ElementError> {
        KeyView::new(&self.model, key)
    }
}

macro_rules! jacobians {
    ($($(#[$doc:meta])* $name:ident $id:ident;)*) => {
        impl Simulation {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// If there is no such element, or data and model don't fit together.
            pub fn $name(&self, key: impl ElementKey<$id>) -> Result<Jacobian, QueryError> {
                let mut out = Jacobian::default();
                jacobians::$name(&self.model, &self.data, key, &mut out)?;
                Ok(out)
            }
        )*}
    };
}

jacobians! {
    /// Computes the Jacobian of the origin of a body's frame (`mj_jacBody`).
    jac_body BodyId;
    /// Computes the Jacobian of a body's centre of mass (`mj_jacBodyCom`).
    jac_body_com BodyId;
    /// Computes the Jacobian of a geom's centre (`mj_jacGeom`).
    jac_geom GeomId;
    /// Computes the Jacobian of a site's origin (`mj_jacSite`).
    jac_site SiteId;
}

impl Simulation {
    /// Computes the Jacobian of a point of a body, given where the point is now in the world (`mj_jac`).
    ///
    /// # Errors
    /// If there is no such body, or data and model don't fit together.
    pub fn jac_point(&self, point: DVec3, body: impl ElementKey<BodyId>) -> Result<Jacobian, QueryError> {
        let mut out = Jacobian::default();
        jacobians::jac_point(&self.model, &self.data, point, body, &mut out)?;
        Ok(out)
    }

    /// Computes the Jacobian of a point of a body, and of the direction of an axis fixed in it (`mj_jacPointAxis`).
    ///
    /// # Errors
    /// As [`Simulation::jac_point`].
    pub fn jac_point_axis(
        &self,
        point: DVec3,
        axis: DVec3,
        body: impl ElementKey<BodyId>,
    ) -> Result<Jacobian, QueryError> {
        let mut out = Jacobian::default();
        jacobians::jac_point_axis(&self.model, &self.data, point, axis, body, &mut out)?;
        Ok(out)
    }

    /// Computes the rate of change of the Jacobian of a point of a body (`mj_jacDot`).
    ///
    /// # Errors
    /// As [`Simulation::jac_point`].
    pub fn jac_dot(&self, point: DVec3, body: impl ElementKey<BodyId>) -> Result<Jacobian, QueryError> {
        let mut out = Jacobian::default();
        jacobians::jac_dot(&self.model, &self.data, point, body, &mut out)?;
        Ok(out)
    }

    /// Computes the Jacobian of the centre of mass of a body's subtree, 3×nv, row-major (`mj_jacSubtreeCom`).
    ///
    /// # Errors
    /// As [`Simulation::jac_point`].
    pub fn jac_subtree_com(&self, body: impl ElementKey<BodyId>) -> Result<Vec<f64>, QueryError> {
        let mut out = vec![0.0; 3 * self.model.nv()];
        jacobians::jac_subtree_com(&self.model, &self.data, body, &mut out)?;
        Ok(out)
    }

    /// Computes the matrix from velocities to the angular momentum of a body's subtree, 3×nv, row-major
    /// (`mj_angmomMat`).
    ///
    /// # Errors
    /// As [`Simulation::jac_point`].
    pub fn angmom_mat(&self, body: impl ElementKey<BodyId>) -> Result<Vec<f64>, QueryError> {
        let mut out = vec![0.0; 3 * self.model.nv()];
        jacobians::angmom_mat(&self.model, &self.data, body, &mut out)?;
        Ok(out)
    }

    /// Returns the joint-space inertia densely, nv×nv, row-major (`mj_fullM`).
    ///
    /// # Errors
    /// If data and model don't fit together.
    pub fn full_m(&self) -> Result<Vec<f64>, QueryError> {
        let mut out = vec![0.0; self.model.nv() * self.model.nv()];
        inertia::full_m(&self.model, &self.data, &mut out)?;
        Ok(out)
    }

    /// Returns the product of the joint-space inertia with a vector of nv numbers (`mj_mulM`).
    ///
    /// # Errors
    /// If the vector has another length, or data and model don't fit together.
    pub fn mul_m(&self, x: &[f64]) -> Result<Vec<f64>, QueryError> {
        let mut out = vec![0.0; self.model.nv()];
        inertia::mul_m(&self.model, &self.data, x, &mut out)?;
        Ok(out)
    }

    /// Returns the solution y of M y = x for a vector of nv numbers (`mj_solveM`).
    ///
    /// # Errors
    /// As [`Simulation::mul_m`].
    pub fn solve_m(&self, x: &[f64]) -> Result<Vec<f64>, QueryError> {
        let mut out = x.to_vec();
        inertia::solve_m(&self.model, &self.data, &mut out)?;
        Ok(out)
    }

    /// Finds the first geom that a ray meets (`mj_ray`).
    ///
    /// # Errors
    /// If the direction has no length or isn't finite, or data and model don't fit together.
    pub fn ray(&self, origin: DVec3, direction: DVec3, filter: &RayFilter) -> Result<Option<RayHit>, QueryError> {
        rays::ray(&self.model, &self.data, origin, direction, filter)
    }

    /// Finds where a ray meets parts of a flex (`mj_rayFlex`).
    ///
    /// # Errors
    /// Fails where [`Simulation::ray`] does, and if the flex is not there.
    pub fn ray_flex(
        &self,
        flex: impl ElementKey<FlexId>,
        origin: DVec3,
        direction: DVec3,
        parts: FlexParts,
    ) -> Result<Option<FlexHit>, QueryError> {
        rays::ray_flex(&self.model, &self.data, flex, origin, direction, parts)
    }

    /// Finds the first geoms that rays from one origin meet, of geoms within `cutoff` metres (`mj_multiRay`).
    ///
    /// # Errors
    /// As [`Simulation::ray`].
    pub fn multi_ray(
        &self,
        origin: DVec3,
        directions: &[DVec3],
        filter: &RayFilter,
        cutoff: f64,
    ) -> Result<Vec<Option<RayHit>>, QueryError> {
        let mut out = Vec::new();
        rays::multi_ray(&self.model, &self.data, origin, directions, filter, cutoff, &mut out)?;
        Ok(out)
    }

    /// Finds the signed distance of two geoms with a point of each surface; `None` where they are at least `cutoff`
    /// metres apart (`mj_geomDistance`).
    ///
    /// # Errors
    /// If a geom is not there, or data and model don't fit together.
    pub fn geom_distance(
        &mut self,
        geom1: impl ElementKey<GeomId>,
        geom2: impl ElementKey<GeomId>,
        cutoff: f64,
    ) -> Result<Option<Witness>, QueryError> {
        rays::geom_distance(&self.model, &mut self.data, geom1, geom2, cutoff)
    }

    /// Returns all contacts.
    pub fn contacts(&self) -> &[Contact] {
        &self.data.contacts.list
    }

    /// Returns the force and torque of a contact in its own frame: normal, two tangents; spin, two rolls
    /// (`mj_contactForce`).
    ///
    /// # Errors
    /// If there is no such contact, or data and model don't fit together.
    pub fn contact_force(&self, contact: usize) -> Result<[f64; 6], QueryError> {
        objects::contact_force(&self.model, &self.data, contact)
    }

    /// Returns the torque and force of a contact on the body of its second geom, world frame.
    ///
    /// # Errors
    /// As [`Simulation::contact_force`].
    pub fn contact_wrench(&self, contact: usize) -> Result<Spatial, QueryError> {
        objects::contact_wrench(&self.model, &self.data, contact)
    }

    /// Makes a contact of two geoms with their parameters, for [`Simulation::add_contact`]: midpoint, normal from the first
    /// geom to the second, distance.
    ///
    /// # Errors
    /// As [`make_contact`](crate::make_contact).
    pub fn make_contact(
        &self,
        geom1: impl ElementKey<GeomId>,
        geom2: impl ElementKey<GeomId>,
        pos: DVec3,
        normal: DVec3,
        dist: f64,
    ) -> Result<Contact, QueryError> {
        contacts::make_contact(&self.model, &self.data, geom1, geom2, pos, normal, dist)
    }

    /// Adds a contact to those that the next step finds (`mj_addContact`).
    ///
    /// # Errors
    /// As [`add_contact`](crate::add_contact).
    pub fn add_contact(&mut self, contact: &Contact) -> Result<(), QueryError> {
        contacts::add_contact(&self.model, &mut self.data, contact)
    }

    /// Adds the generalized force of a force and a torque on a body at a point (world frame) to `qfrc`, nv numbers
    /// (`mj_applyFT`).
    ///
    /// # Errors
    /// If there is no such body, `qfrc` has another length, or data and model don't fit together.
    pub fn apply_ft(
        &self,
        force: DVec3,
        torque: DVec3,
        point: DVec3,
        body: impl ElementKey<BodyId>,
        qfrc: &mut [f64],
    ) -> Result<(), QueryError> {
        objects::apply_ft(&self.model, &self.data, force, torque, point, body, qfrc)
    }

    /// Returns the angular and linear velocity of a body, geom, site or camera (`mj_objectVelocity`).
    ///
    /// # Errors
    /// If there is no such object, or data and model don't fit together.
    pub fn object_velocity(&self, kind: ObjType, id: usize, local: bool) -> Result<Spatial, QueryError> {
        objects::object_velocity(&self.model, &self.data, kind, id, local)
    }

    /// Returns the angular and linear acceleration of a body, geom, site or camera (`mj_objectAcceleration`), after
    /// computing the accelerations of bodies that it reads.
    ///
    /// # Errors
    /// As [`Simulation::object_velocity`].
    pub fn object_acceleration(&mut self, kind: ObjType, id: usize, local: bool) -> Result<Spatial, QueryError> {
        objects::rne_post_constraint(&self.model, &mut self.data)?;
        objects::object_acceleration(&self.model, &self.data, kind, id, local)
    }

    /// Finds the islands of the constraint rows, and which tree, dof and row belongs to which.
    ///
    /// # Errors
    /// If data and model don't fit together.
    pub fn islands(&self) -> Result<IslandMap, QueryError> {
        let mut out = IslandMap::default();
        islands(&self.model, &self.data, &mut out)?;
        Ok(out)
    }

    /// Returns the constraint rows with what made each.
    ///
    /// # Errors
    /// If data and model don't fit together.
    pub fn rows(&self) -> Result<Vec<ConstraintRow>, QueryError> {
        (0..self.data.rows.nefc()).map(|row| constraint_row(&self.model, &self.data, row)).collect()
    }

    /// Computes what follows from the model's masses, poses, sizes and other constants again, after they were edited by
    /// [`Simulation::model_mut`] (`mj_setConst`).
    ///
    /// # Errors
    /// If the time step, a mass or an inertia is of no use.
    pub fn set_const(&mut self) -> Result<(), SetConstError> {
        set_const(self.model_mut())
    }

    /// Finds the feasible lengths of an actuator by simulation and enters them into the model (`mj_setLengthRange`).
    ///
    /// # Errors
    /// If there is no such actuator, or its length doesn't settle.
    pub fn set_length_range(
        &mut self,
        actuator: impl ElementKey<ActuatorId>,
        settings: &LengthRange,
    ) -> Result<[f64; 2], LengthRangeError> {
        set_length_range(self.model_mut(), actuator, settings)
    }
}
