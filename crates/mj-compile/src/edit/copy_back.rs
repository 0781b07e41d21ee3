//! From a compiled model whose parameters were changed back to its spec.

use super::{EditError, prepared};
use crate::frames::{Pose, accumulate};
use mj_math::DVec3;
use mj_model::spec::{Actuator, Body, Compiler, Geom, Inertial, Joint, Orientation, Site, Tendon};
use mj_model::*;

/// Writes to a spec what was changed in a model that was compiled from it, so that it compiles to the changed model.
///
/// Options, statistics and visual settings, and the parameters of bodies, joints, geoms, sites, cameras, lights,
/// materials, equality constraints, tendons and actuators are written. A pose is written in the frame in which its element
/// is; what lay between two points is written as position, orientation and size. A changed mass or inertia becomes the body's
/// own. Whether a range limits stays what it is in the model.
///
/// ```
/// use mj_model::Spec;
/// use mj_model::spec::{Body, Geom, Joint};
///
/// let mut spec = Spec::default();
/// let geoms = vec![Geom { size: [0.1, 0.0, 0.0], ..Default::default() }];
/// spec.worldbody.bodies.push(Body { joints: vec![Joint::default()], geoms, ..Default::default() });
/// let mut model = mj_compile::compile(&spec).0.unwrap();
/// model.dof.damping.as_mut_slice()[0] = 0.5;
/// mj_compile::edit::copy_back(&mut spec, &model).unwrap();
/// assert_eq!(spec.worldbody.bodies[0].joints[0].damping[0], 0.5);
/// ```
///
/// # Errors
/// If the spec has errors, if it has another structure than the model, or if a number was changed that the spec can't
/// express: the error names the array. Whether it can is tested by compiling what was written.
pub fn copy_back(spec: &mut Spec, model: &Model) -> Result<(), EditError> {
    let mut whole = prepared(spec)?;
    let compiled = |spec: &Spec| {
        let (model, diag) = crate::compile(spec);
        model.ok_or(EditError::Model(diag))
    };
    let before = compiled(&whole)?;
    // Static bodies and visual geoms that the compiler leaves out have no rows.
    let simplifies = whole.compiler.fusestatic || whole.compiler.discardvisual;
    if simplifies || shapes(&before) != shapes(model) || before.names != model.names {
        return Err(EditError::Structure);
    }
    Back { new: model, old: &before }.write(&mut whole);
    let after = compiled(&whole)?;
    if let Some(name) = lost(&before, model, &after) {
        return Err(EditError::Inexpressible(name));
    }
    *spec = whole;
    Ok(())
}

/// Names and shapes of all arrays.
fn shapes(m: &Model) -> Vec<(String, Vec<usize>)> {
    let mut all = Vec::new();
    m.visit(&mut |f| all.push((f.name, f.shape)));
    all
}

/// The first array with a number that was changed, but that the new spec doesn't give.
fn lost(before: &Model, changed: &Model, after: &Model) -> Option<String> {
    let arrays = |m: &Model| {
        let mut all = Vec::new();
        m.visit(&mut |f| all.push((f.name, f.data.to_f64())));
        all
    };
    let close = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * (1.0 + a.abs());
    let all = arrays(before).into_iter().zip(arrays(changed)).zip(arrays(after));
    let mut lost = all.filter(|(((_, old), (_, new)), (_, got))| {
        old.iter().zip(new).zip(got).any(|((old, new), got)| !close(*old, *new) && !close(*new, *got))
    });
    lost.next().map(|(((name, _), _), _)| name)
}

/// Writes fields that were changed, by their names in the spec and in the table.
macro_rules! write {
    ($back:ident, $e:expr, $table:ident [$id:expr]; $($field:ident = $column:ident),* $(,)?) => {$(
        if $back.new.$table.$column[$id] != $back.old.$table.$column[$id] {
            $e.$field = $back.new.$table.$column[$id];
        }
    )*};
}

/// Writes the changed parts of a number with the coefficients of its polynomial.
macro_rules! write_poly {
    ($back:ident, $e:expr, $table:ident [$id:expr]; $($field:ident = $one:ident $poly:ident),*) => {$(
        let parts = |m: &Model| {
            let [a, b] = m.$table.$poly[$id];
            [m.$table.$one[$id], a, b]
        };
        if parts($back.new) != parts($back.old) {
            $e.$field = parts($back.new);
        }
    )*};
}

/// Writes a range that was changed, and whether it limits where that would follow from it.
macro_rules! write_range {
    ($back:ident, $e:expr, $table:ident [$id:expr], $unit:expr; $($range:ident $limited:ident),*) => {$(
        if $back.new.$table.$range[$id] != $back.old.$table.$range[$id] {
            $e.$range = Some($back.new.$table.$range[$id].map(|x| x / $unit));
            if $e.$limited == Tri::Auto {
                $e.$limited = if $back.new.$table.$limited[$id] { Tri::True } else { Tri::False };
            }
        }
    )*};
}

/// The changed model, and the one that the spec compiles to.
struct Back<'a> {
    new: &'a Model,
    old: &'a Model,
}

/// Rows of the elements of bodies, counted depth first.
#[derive(Default)]
struct Next {
    body: usize,
    joint: usize,
    geom: usize,
    site: usize,
    camera: usize,
    light: usize,
}

fn next<I: Id>(count: &mut usize) -> I {
    *count += 1;
    I::new(*count - 1)
}

impl Back<'_> {
    fn write(&self, spec: &mut Spec) {
        if self.new.opt != self.old.opt {
            spec.option = self.new.opt.clone();
        }
        if self.new.vis != self.old.vis {
            spec.visual = self.new.vis.clone();
        }
        let (new, old, stat) = (&self.new.stat, &self.old.stat, &mut spec.statistic);
        for (given, new, old) in [
            (&mut stat.meaninertia, new.meaninertia, old.meaninertia),
            (&mut stat.meanmass, new.meanmass, old.meanmass),
            (&mut stat.meansize, new.meansize, old.meansize),
            (&mut stat.extent, new.extent, old.extent),
        ] {
            if new != old {
                *given = Some(new);
            }
        }
        if new.center != old.center {
            stat.center = Some(new.center);
        }
        let compiler = spec.compiler.clone();
        self.body(&mut spec.worldbody, Pose::IDENTITY, &mut Next::default(), &compiler);
        for (i, x) in spec.materials.iter_mut().enumerate() {
            write!(self, x, mat[MaterialId::new(i)]; texuniform = texuniform, texrepeat = texrepeat, emission = emission,
                specular = specular, shininess = shininess, reflectance = reflectance, metallic = metallic,
                roughness = roughness, rgba = rgba);
        }
        for (i, x) in spec.equalities.iter_mut().enumerate() {
            write!(self, x, eq[EqualityId::new(i)]; active = active0, solref = solref, solimp = solimp, data = data);
        }
        for (i, x) in spec.tendons.iter_mut().enumerate() {
            self.tendon(x, TendonId::new(i));
        }
        for (i, x) in spec.actuators.iter_mut().enumerate() {
            self.actuator(x, ActuatorId::new(i));
        }
    }

    /// Writes a body, which is in a frame, and all that is in it.
    fn body(&self, b: &mut Body, frame: Pose, at: &mut Next, compiler: &Compiler) {
        let id: BodyId = next(&mut at.body);
        if id.index() > 0 {
            write!(self, b, body[id]; gravcomp = gravcomp);
            self.pose(|m| (m.body.pos[id], m.body.quat[id]), frame, (&mut b.pos, &mut b.orientation));
            self.mass(b, id);
        }
        let frames = accumulate(&b.frames, compiler, |_, _| {});
        let frame = |i: Option<usize>| i.and_then(|i| frames.get(i)).copied().unwrap_or(Pose::IDENTITY);
        for x in &mut b.joints {
            self.joint(x, next(&mut at.joint), frame(x.frame), compiler.degree);
        }
        for x in &mut b.geoms {
            self.geom(x, next(&mut at.geom), frame(x.frame));
        }
        for x in &mut b.sites {
            self.site(x, next(&mut at.site), frame(x.frame));
        }
        for x in &mut b.cameras {
            let id: CameraId = next(&mut at.camera);
            write!(self, x, cam[id]; fovy = fovy, ipd = ipd);
            self.pose(|m| (m.cam.pos[id], m.cam.quat[id]), frame(x.frame), (&mut x.pos, &mut x.orientation));
        }
        for x in &mut b.lights {
            let id: LightId = next(&mut at.light);
            write!(self, x, light[id]; active = active, castshadow = castshadow, bulbradius = bulbradius,
                intensity = intensity, range = range, attenuation = attenuation, cutoff = cutoff, softness = softness,
                exponent = exponent, ambient = ambient, diffuse = diffuse, specular = specular);
            let into = frame(x.frame).inverse();
            if self.new.light.pos[id] != self.old.light.pos[id] {
                x.pos = into.point(self.new.light.pos[id]);
            }
            if self.new.light.dir[id] != self.old.light.dir[id] {
                x.dir = mj_math::quat::rotate(into.quat, self.new.light.dir[id]);
            }
        }
        for child in &mut b.bodies {
            self.body(child, frame(child.frame), at, compiler);
        }
    }

    /// Writes the parts of a pose that were changed, in a frame.
    fn pose(
        &self,
        of: impl Fn(&Model) -> (DVec3, mj_math::DQuat),
        frame: Pose,
        (pos, orientation): (&mut DVec3, &mut Orientation),
    ) {
        let (new, old) = (of(self.new), of(self.old));
        let own = frame.inverse().then(Pose { pos: new.0, quat: new.1 });
        if new.0 != old.0 {
            *pos = own.pos;
        }
        if new.1 != old.1 {
            *orientation = Orientation::Quat(own.quat);
        }
    }

    fn mass(&self, b: &mut Body, id: BodyId) {
        let of = |m: &Model| (m.body.mass[id], m.body.inertia[id], m.body.ipos[id], m.body.iquat[id]);
        let (mass, inertia, pos, quat) = of(self.new);
        if of(self.new) != of(self.old) {
            let (orientation, diaginertia) = (Orientation::Quat(quat), Some(inertia.to_array()));
            b.inertial = Some(Inertial { pos, orientation, mass, diaginertia, loc: b.loc, ..Default::default() });
        }
    }

    fn joint(&self, j: &mut Joint, id: JointId, frame: Pose, degree: bool) {
        let turns = matches!(j.r#type, JointType::Hinge | JointType::Ball);
        let unit = if turns && degree { std::f64::consts::PI / 180.0 } else { 1.0 };
        write!(self, j, jnt[id]; margin = margin, group = group, solref_limit = solref, solimp_limit = solimp,
            actgravcomp = actgravcomp);
        write_poly!(self, j, jnt[id]; stiffness = stiffness stiffnesspoly);
        write_range!(self, j, jnt[id], unit; range limited);
        write_range!(self, j, jnt[id], 1.0; actfrcrange actfrclimited);
        let into = frame.inverse();
        if self.new.jnt.pos[id] != self.old.jnt.pos[id] {
            j.pos = into.point(self.new.jnt.pos[id]);
        }
        if self.new.jnt.axis[id] != self.old.jnt.axis[id] {
            j.axis = mj_math::quat::rotate(into.quat, self.new.jnt.axis[id]);
        }
        let dof = self.new.jnt.dofadr[id];
        write!(self, j, dof[dof]; armature = armature, frictionloss = frictionloss, solref_friction = solref,
            solimp_friction = solimp);
        write_poly!(self, j, dof[dof]; damping = damping dampingpoly);
        let adr = self.new.jnt.qposadr[id] as usize;
        if matches!(j.r#type, JointType::Hinge | JointType::Slide) {
            for (given, new, old) in [
                (&mut j.r#ref, &self.new.qpos0, &self.old.qpos0),
                (&mut j.springref, &self.new.qpos_spring, &self.old.qpos_spring),
            ] {
                if new[adr] != old[adr] {
                    *given = new[adr] / unit;
                }
            }
        }
    }

    fn geom(&self, g: &mut Geom, id: GeomId, frame: Pose) {
        write!(self, g, geom[id]; contype = contype, conaffinity = conaffinity, condim = condim, priority = priority,
            friction = friction, solmix = solmix, solref = solref, solimp = solimp, margin = margin, gap = gap,
            adhesion = adhesion, group = group, rgba = rgba);
        let of = |m: &Model| (Pose { pos: m.geom.pos[id], quat: m.geom.quat[id] }, m.geom.size[id]);
        self.shape(of, frame, (&mut g.pos, &mut g.orientation, &mut g.size, &mut g.fromto));
    }

    fn site(&self, s: &mut Site, id: SiteId, frame: Pose) {
        write!(self, s, site[id]; group = group, rgba = rgba);
        let of = |m: &Model| (Pose { pos: m.site.pos[id], quat: m.site.quat[id] }, m.site.size[id]);
        self.shape(of, frame, (&mut s.pos, &mut s.orientation, &mut s.size, &mut s.fromto));
    }

    /// Writes the parts of a pose and a size that were changed, in a frame; all of them where they lay between two points.
    fn shape(
        &self,
        of: impl Fn(&Model) -> (Pose, DVec3),
        frame: Pose,
        (pos, orientation, size, fromto): (&mut DVec3, &mut Orientation, &mut [f64; 3], &mut Option<[f64; 6]>),
    ) {
        let ((new, new_size), (old, old_size)) = (of(self.new), of(self.old));
        let own = frame.inverse().then(new);
        let changed = [new.pos != old.pos, new.quat != old.quat, new_size != old_size];
        let all = changed.contains(&true) && fromto.take().is_some();
        if changed[0] || all {
            *pos = own.pos;
        }
        if changed[1] || all {
            *orientation = Orientation::Quat(own.quat);
        }
        if changed[2] || all {
            *size = new_size.to_array();
        }
    }

    fn tendon(&self, t: &mut Tendon, id: TendonId) {
        write!(self, t, tendon[id]; group = group, width = width, margin = margin, armature = armature,
            frictionloss = frictionloss, springlength = lengthspring, rgba = rgba, solref_limit = solref_lim,
            solimp_limit = solimp_lim, solref_friction = solref_fri, solimp_friction = solimp_fri);
        write_poly!(self, t, tendon[id]; stiffness = stiffness stiffnesspoly, damping = damping dampingpoly);
        write_range!(self, t, tendon[id], 1.0; range limited, actfrcrange actfrclimited);
    }

    fn actuator(&self, a: &mut Actuator, id: ActuatorId) {
        write!(self, a, actuator[id]; dynprm = dynprm, gainprm = gainprm, biasprm = biasprm, cranklength = cranklength,
            armature = armature, group = group);
        write_poly!(self, a, actuator[id]; damping = damping dampingpoly);
        write_range!(self, a, actuator[id], 1.0; forcerange forcelimited, actrange actlimited);
        let m = self.new;
        if m.actuator.ctrlnum[id] == 1 {
            let control = ControlId::new(m.actuator.ctrladr[id] as usize);
            write_range!(self, a, control[control], 1.0; ctrlrange ctrllimited);
        }
        if m.actuator.outnum[id] == 1 {
            let output = OutputId::new(m.actuator.outadr[id] as usize);
            write!(self, a, output[output]; gear = gear, lengthrange = lengthrange);
        }
    }
}
