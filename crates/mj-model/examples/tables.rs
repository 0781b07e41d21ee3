//! Builds a model's tables by hand and lists what a dump of them holds.

use mj_math::DVec3;
use mj_model::Model;
use mj_model::model::BodyRow;

fn main() {
    let mut m = Model::default();
    m.body.push(BodyRow::default());
    m.body.push(BodyRow { mass: 2.0, ipos: DVec3::new(0.0, 0.0, 0.1), ..Default::default() });
    m.visit(&mut |field| {
        if field.data.len() > 1 {
            println!("{:24} {:?} {:?}", field.name, field.shape, field.data.to_f64());
        }
    });
}
