//! Rotation and strain in the middle of a unit cell that is turned and stretched.
//!
//! `cargo run -p mj-deformable --example strain`

use mj_deformable::{rotation_of, shape_functions, shape_slopes};
use mj_math::{DMat3, DQuat, DVec3};

fn main() {
    let turn = DQuat::from_axis_angle(DVec3::Z, 0.6);
    let stretch = DVec3::new(1.2, 1.0, 0.9);

    // Deformation gradient: the sum over the corners of position times gradient of the corner's function.
    let (value, slope) = (shape_functions(1, 0.5), shape_slopes(1, 0.5));
    let mut gradient = DMat3::ZERO;
    for corner in 0..8 {
        let [x, y, z] = [corner & 1, corner >> 1 & 1, corner >> 2];
        let rest = DVec3::new(x as f64, y as f64, z as f64);
        let position = turn * (rest * stretch);
        let by_x = slope[x] * value[y] * value[z];
        let by_y = value[x] * slope[y] * value[z];
        let by_z = value[x] * value[y] * slope[z];
        gradient += DMat3::from_cols(position * by_x, position * by_y, position * by_z);
    }

    let rotation = rotation_of(gradient);
    let strain = DMat3::from_quat(rotation).transpose() * gradient - DMat3::IDENTITY;
    println!("turned by  {:.6} rad", rotation.angle_between(DQuat::IDENTITY));
    println!("stretch    {:.6} {:.6} {:.6}", strain.x_axis.x, strain.y_axis.y, strain.z_axis.z);
}
