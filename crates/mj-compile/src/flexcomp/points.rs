//! Points and elements of a flexcomp.

use mj_math::DVec3;

/// Points and elements of a flexcomp.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Points {
    /// Dimension of the elements.
    pub dim: i32,
    pub point: Vec<DVec3>,
    /// Points of the elements, dim + 1 each.
    pub element: Vec<i32>,
    /// Texture coordinates, two each.
    pub texcoord: Vec<f32>,
    /// Texture coordinates of the elements' points; empty: those of the points.
    pub elemtexcoord: Vec<i32>,
}

impl Points {
    pub fn of_dim(dim: i32) -> Self {
        Self { dim, ..Self::default() }
    }

    /// Number of points of an element.
    pub fn corners(&self) -> usize {
        self.dim as usize + 1
    }

    /// Coordinates of the points, three each.
    pub fn coordinates(&self) -> Vec<f64> {
        self.point.iter().flat_map(|p| p.to_array()).collect()
    }

    /// Drops points that no element has; tells the new numbers of the points that stay.
    pub fn drop_unused(&mut self) -> Vec<Option<usize>> {
        let mut used = vec![false; self.point.len()];
        self.element.iter().for_each(|&e| used[e as usize] = true);
        let mut next = 0..used.len();
        let new: Vec<Option<usize>> = used.iter().map(|&used| if used { next.next() } else { None }).collect();
        if new.iter().all(Option::is_some) {
            return new;
        }
        self.element.iter_mut().for_each(|e| *e = new[*e as usize].map_or(0, |n| n as i32));
        let mut stays = used.iter();
        self.point.retain(|_| *stays.next().unwrap_or(&true));
        // Those of points alone: others have numbers of their own.
        if self.texcoord.len() == 2 * used.len() && self.elemtexcoord.is_empty() {
            let pairs = self.texcoord.as_chunks::<2>().0;
            self.texcoord = pairs.iter().zip(&used).filter(|(_, used)| **used).flat_map(|(t, _)| *t).collect();
        }
        new
    }
}
