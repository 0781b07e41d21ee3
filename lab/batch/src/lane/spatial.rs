//! Vectors, rotations, spatial vectors and inertias of lanes. Rotation comes before translation.

use super::Lane;
use super::trig::sin_cos;

/// Three numbers.
pub type Vec3<L> = [L; 3];
/// Quaternion, w first.
pub type Quat<L> = [L; 4];
/// Matrix by rows.
pub type Mat3<L> = [[L; 3]; 3];
/// Spatial motion or force.
pub type Spatial<L> = [L; 6];
/// Inertia about a point: xx, yy, zz, xy, xz, yz, mass times offset, mass.
pub type Inertia<L> = [L; 10];

/// Returns the vector in every lane.
#[inline(always)]
pub fn splat3<L: Lane>(isa: L::Isa, v: [f64; 3]) -> Vec3<L> {
    [L::splat(isa, v[0]), L::splat(isa, v[1]), L::splat(isa, v[2])]
}

/// Returns the quaternion in every lane.
#[inline(always)]
pub fn splat4<L: Lane>(isa: L::Isa, v: [f64; 4]) -> Quat<L> {
    [L::splat(isa, v[0]), L::splat(isa, v[1]), L::splat(isa, v[2]), L::splat(isa, v[3])]
}

/// Returns a + b.
#[inline(always)]
pub fn add<L: Lane, const N: usize>(a: [L; N], b: [L; N]) -> [L; N] {
    let mut out = a;
    for i in 0..N {
        out[i] = a[i] + b[i];
    }
    out
}

/// Returns a + b·s.
#[inline(always)]
pub fn add_scaled<L: Lane, const N: usize>(a: [L; N], b: [L; N], s: L) -> [L; N] {
    let mut out = a;
    for i in 0..N {
        out[i] = a[i].plus(b[i], s);
    }
    out
}

/// Returns a − b.
#[inline(always)]
pub fn sub<L: Lane>(a: Vec3<L>, b: Vec3<L>) -> Vec3<L> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns a·s.
#[inline(always)]
pub fn scale<L: Lane, const N: usize>(a: [L; N], s: L) -> [L; N] {
    let mut out = a;
    for i in 0..N {
        out[i] = a[i] * s;
    }
    out
}

/// Returns the scalar product.
#[inline(always)]
pub fn dot<L: Lane, const N: usize>(a: [L; N], b: [L; N]) -> L {
    let mut sum = a[0] * b[0];
    for i in 1..N {
        sum = sum.plus(a[i], b[i]);
    }
    sum
}

/// Returns a × b.
#[inline(always)]
pub fn cross<L: Lane>(a: Vec3<L>, b: Vec3<L>) -> Vec3<L> {
    [(a[1] * b[2]).minus(a[2], b[1]), (a[2] * b[0]).minus(a[0], b[2]), (a[0] * b[1]).minus(a[1], b[0])]
}

/// Returns R v.
#[inline(always)]
pub fn turn<L: Lane>(r: Mat3<L>, v: Vec3<L>) -> Vec3<L> {
    [dot(r[0], v), dot(r[1], v), dot(r[2], v)]
}

/// Returns the product of two quaternions.
#[inline(always)]
pub fn quat_mul<L: Lane>(a: Quat<L>, b: Quat<L>) -> Quat<L> {
    [
        (a[0] * b[0]).minus(a[1], b[1]).minus(a[2], b[2]).minus(a[3], b[3]),
        (a[0] * b[1]).plus(a[1], b[0]).plus(a[2], b[3]).minus(a[3], b[2]),
        (a[0] * b[2]).minus(a[1], b[3]).plus(a[2], b[0]).plus(a[3], b[1]),
        (a[0] * b[3]).plus(a[1], b[2]).minus(a[2], b[1]).plus(a[3], b[0]),
    ]
}

/// Returns the vector turned by a unit quaternion.
#[inline(always)]
pub fn quat_turn<L: Lane>(q: Quat<L>, v: Vec3<L>) -> Vec3<L> {
    let u = [q[1], q[2], q[3]];
    let t = add_scaled(cross(u, v), v, q[0]);
    let c = cross(u, t);
    add(v, add(c, c))
}

/// Returns the quaternion of unit length.
#[inline(always)]
pub fn normalize<L: Lane>(q: Quat<L>) -> Quat<L> {
    let one = q[0].like(1.0);
    scale(q, one / dot(q, q).sqrt())
}

/// Returns the rotation by an angle about a unit axis.
#[inline(always)]
pub fn axis_angle<L: Lane>(axis: Vec3<L>, angle: L) -> Quat<L> {
    let (s, c) = sin_cos(angle * angle.like(0.5));
    [c, axis[0] * s, axis[1] * s, axis[2] * s]
}

/// Returns the orientation after turning at the local angular velocity `w` for the time `h`.
#[inline(always)]
pub fn integrate<L: Lane>(q: Quat<L>, w: Vec3<L>, h: L) -> Quat<L> {
    let speed = dot(w, w).sqrt();
    let tiny = h.like(1e-15);
    let moving = tiny.lt(speed);
    let one = h.like(1.0);
    let inverse = one / speed.select(moving, one);
    let zero = h.like(0.0);
    let axis = [
        (w[0] * inverse).select(moving, one),
        (w[1] * inverse).select(moving, zero),
        (w[2] * inverse).select(moving, zero),
    ];
    quat_mul(normalize(q), axis_angle(axis, speed * h))
}

/// Returns the matrix of a unit quaternion.
#[inline(always)]
pub fn matrix<L: Lane>(q: Quat<L>) -> Mat3<L> {
    let [w, x, y, z] = q;
    let two = w.like(2.0);
    let one = w.like(1.0);
    let (x2, y2, z2) = (x * two, y * two, z * two);
    [
        [one.minus(y, y2).minus(z, z2), (x * y2).minus(w, z2), (x * z2).plus(w, y2)],
        [(x * y2).plus(w, z2), one.minus(x, x2).minus(z, z2), (y * z2).minus(w, x2)],
        [(x * z2).minus(w, y2), (y * z2).plus(w, x2), one.minus(x, x2).minus(y, y2)],
    ]
}

/// Returns the rotational part of a spatial vector.
#[inline(always)]
pub fn rot<L: Lane>(a: Spatial<L>) -> Vec3<L> {
    [a[0], a[1], a[2]]
}

/// Returns the translational part of a spatial vector.
#[inline(always)]
pub fn lin<L: Lane>(a: Spatial<L>) -> Vec3<L> {
    [a[3], a[4], a[5]]
}

/// Returns the spatial vector of both parts.
#[inline(always)]
pub fn join<L: Lane>(r: Vec3<L>, l: Vec3<L>) -> Spatial<L> {
    [r[0], r[1], r[2], l[0], l[1], l[2]]
}

/// Returns the rate of the motion `m` that is carried by the motion `v`.
#[inline(always)]
pub fn cross_motion<L: Lane>(v: Spatial<L>, m: Spatial<L>) -> Spatial<L> {
    join(cross(rot(v), rot(m)), add(cross(rot(v), lin(m)), cross(lin(v), rot(m))))
}

/// Returns the rate of the force `f` that is carried by the motion `v`.
#[inline(always)]
pub fn cross_force<L: Lane>(v: Spatial<L>, f: Spatial<L>) -> Spatial<L> {
    join(add(cross(rot(v), rot(f)), cross(lin(v), lin(f))), cross(rot(v), lin(f)))
}

/// Returns the momentum I v.
#[inline(always)]
pub fn momentum<L: Lane>(i: Inertia<L>, v: Spatial<L>) -> Spatial<L> {
    let (w, l, h) = (rot(v), lin(v), [i[6], i[7], i[8]]);
    let iw = [
        (i[0] * w[0]).plus(i[3], w[1]).plus(i[4], w[2]),
        (i[3] * w[0]).plus(i[1], w[1]).plus(i[5], w[2]),
        (i[4] * w[0]).plus(i[5], w[1]).plus(i[2], w[2]),
    ];
    join(add(iw, cross(h, l)), sub(scale(l, i[9]), cross(h, w)))
}
