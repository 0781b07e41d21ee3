//! Rays against the geoms of a simulation, and distances of geoms.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::element::{ElementKey, find};
use crate::errors::query::QueryError;
use mj_collide::{FlexHit, FlexParts, RayFilter, RayHit, Witness, cast_ray, cast_ray_at, cast_ray_at_flex, cast_rays};
use mj_math::{DVec3, MINVAL};
use mj_model::*;

/// Finds the first geom that a ray meets, with the distance in units of the length of `direction` and the surface's
/// outward normal (`mj_ray`). `None` where it meets nothing.
///
/// ```
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/><geom name="ball" size=".25" pos="0 0 1"/>
///     <site name="zone" type="box" size=".5 .5 .5"/>
///     <flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="2 0 1" radius=".01"/>
///     </worldbody></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// forward(&m, &mut d)?;
/// let (filter, above) = (RayFilter::default(), DVec3::new(0.0, 0.0, 3.0));
/// let hit = ray(&m, &d, DVec3::new(1.0, 0.0, 3.0), DVec3::NEG_Z, &filter)?.unwrap();
/// assert!((hit.dist - 3.0).abs() < 1e-12 && hit.normal == DVec3::Z);
/// let hit = ray_geom(&m, &d, "ball", above, DVec3::NEG_Z)?.unwrap();
/// assert!((hit.dist - 1.75).abs() < 1e-12);
/// let mut hits = Vec::new();
/// multi_ray(&m, &d, above, &[DVec3::NEG_Z, DVec3::Z], &filter, 10.0, &mut hits)?;
/// assert!((hits[0].unwrap().dist - 1.75).abs() < 1e-12 && hits[1].is_none());
/// let hit = ray_flex(&m, &d, "cloth", DVec3::new(2.03, 0.02, 3.0), DVec3::NEG_Z, FlexParts::ALL)?.unwrap();
/// assert!((hit.dist - 2.0).abs() < 0.011);
///
/// // Distances: between the surfaces of two geoms, and whether a point is in a site.
/// let apart = geom_distance(&m, &mut d, "floor", "ball", 10.0)?.unwrap();
/// assert!((apart.dist - 0.75).abs() < 1e-9);
/// assert!(inside_site(&m, &d, "zone", DVec3::splat(0.4))? && !inside_site(&m, &d, "zone", above)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the direction has no length or isn't finite, or data and model don't fit together.
pub fn ray(
    m: &Model,
    d: &Data,
    origin: DVec3,
    direction: DVec3,
    filter: &RayFilter,
) -> Result<Option<RayHit>, QueryError> {
    check_data(m, d)?;
    check_direction(direction)?;
    Ok(cast_ray(m, &d.smooth.poses.geom_xpos, &d.smooth.poses.geom_xmat, origin, direction, filter, &d.ws.collide))
}

/// Finds where a ray meets one geom, whatever its group or colour (`mj_rayMesh`, `mj_rayHfield`). `None` where it misses.
///
/// Example: [`ray`].
///
/// # Errors
/// As [`ray`], and if the geom is not there.
pub fn ray_geom(
    m: &Model,
    d: &Data,
    geom: impl ElementKey<GeomId>,
    origin: DVec3,
    direction: DVec3,
) -> Result<Option<RayHit>, QueryError> {
    check_data(m, d)?;
    check_direction(direction)?;
    let (geom, p) = (find(m, geom)?, &d.smooth.poses);
    Ok(cast_ray_at(m, &p.geom_xpos, &p.geom_xmat, origin, direction, geom, &d.ws.collide))
}

/// Finds where a ray meets parts of a flex, with the vertex that is nearest to the place (`mj_rayFlex`). `None` where it
/// misses. Rays of [`ray`], [`multi_ray`] and rangefinders pass through flexes.
///
/// Example: [`ray`].
///
/// # Errors
/// Fails where [`ray`] does, and if the flex is not there.
pub fn ray_flex(
    m: &Model,
    d: &Data,
    flex: impl ElementKey<FlexId>,
    origin: DVec3,
    direction: DVec3,
    parts: FlexParts,
) -> Result<Option<FlexHit>, QueryError> {
    check_data(m, d)?;
    check_direction(direction)?;
    Ok(cast_ray_at_flex(m, &d.flexes.vert_xpos, find(m, flex)?, origin, direction, parts))
}

/// Tells whether a point lies in the volume of a site (`mj_insideSite`).
///
/// Example: [`ray`].
///
/// # Errors
/// If the site is not there, or data and model don't fit together.
pub fn inside_site(m: &Model, d: &Data, site: impl ElementKey<SiteId>, point: DVec3) -> Result<bool, QueryError> {
    check_data(m, d)?;
    Ok(crate::sensor::inside_site(m, d, find(m, site)?, point))
}

/// Finds the first geoms that rays from one origin meet, one entry of `out` a ray (`mj_multiRay`). Geoms whose bounding
/// sphere is farther than `cutoff` (metres) from the origin are left out.
///
/// For many rays against meshes call [`Data::prepare_rays`] once before; a model with rangefinders needs no call.
///
/// Example: [`ray`].
///
/// # Errors
/// As [`ray`].
pub fn multi_ray(
    m: &Model,
    d: &Data,
    origin: DVec3,
    directions: &[DVec3],
    filter: &RayFilter,
    cutoff: f64,
    out: &mut Vec<Option<RayHit>>,
) -> Result<(), QueryError> {
    check_data(m, d)?;
    directions.iter().try_for_each(|&v| check_direction(v))?;
    let p = &d.smooth.poses;
    cast_rays(m, &p.geom_xpos, &p.geom_xmat, origin, directions, cutoff, filter, &d.ws.collide, out);
    Ok(())
}

fn check_direction(v: DVec3) -> Result<(), QueryError> {
    if v.is_finite() && v.length() >= MINVAL { Ok(()) } else { Err(QueryError::Direction(v.to_array())) }
}

/// Finds the signed distance of two geoms with a point of each surface and the direction between them
/// (`mj_geomDistance`), whether or not the geoms may collide. `None` where they are at least `cutoff` (metres) apart, or
/// have no distance, as two planes.
///
/// Example: [`ray`].
///
/// # Errors
/// If a geom is not there, or data and model don't fit together.
pub fn geom_distance(
    m: &Model,
    d: &mut Data,
    geom1: impl ElementKey<GeomId>,
    geom2: impl ElementKey<GeomId>,
    cutoff: f64,
) -> Result<Option<Witness>, QueryError> {
    check_data(m, d)?;
    let geoms = [find(m, geom1)?, find(m, geom2)?];
    Ok(mj_collide::geom_distance(
        m,
        &d.smooth.poses.geom_xpos,
        &d.smooth.poses.geom_xmat,
        geoms,
        cutoff,
        &mut d.ws.collide,
    ))
}

impl Data {
    /// Prepares for many rays against the meshes of the model that this data was made for. Takes time and memory once,
    /// about in proportion to the triangles.
    pub fn prepare_rays(&mut self, m: &Model) {
        self.ws.collide.prepare_rays(m);
    }
}
