//! Jacobians by finite differences: of a time step, and of inverse dynamics.

mod inverse;
mod moved;
mod neighbours;
mod transition;

pub(crate) use inverse::difference as inverse_difference;
pub use inverse::{InverseJacobians, inverse_fd};
pub(crate) use transition::check;
pub use transition::{Transition, TransitionError, state_transition_fd, transition_fd};

use crate::data::Data;
use rayon::prelude::*;

/// Threads that compute columns, each in a `Data` of its own; the first works in the caller's.
#[derive(Clone, Debug, Default)]
struct Workers<S> {
    list: Vec<(Option<Data>, S)>,
}

impl<S: Clone + Default + Send> Workers<S> {
    /// As many workers as the current pool has threads, but not more than so many columns are worth.
    fn recruit(&mut self, columns: usize) {
        let n = rayon::current_num_threads().min(columns.div_ceil(8)).max(1);
        self.list.resize_with(n, Default::default);
    }

    /// What the first worker has beside the data.
    fn first(&mut self) -> &mut S {
        &mut self.list[0].1
    }

    /// Gives the other workers copies of the data and of what the first worker has.
    fn equip(&mut self, d: &Data) {
        if let [(_, first), others @ ..] = &mut self.list[..] {
            others.iter_mut().for_each(|worker| *worker = (Some(d.clone()), first.clone()));
        }
    }

    /// Calls `f` with the number of each column, a `Data`, scratch, and the column, which is
    /// `height` numbers long. Consecutive columns go to one worker.
    fn share(
        &mut self,
        columns: &mut [f64],
        height: usize,
        d: &mut Data,
        f: impl Fn(usize, &mut Data, &mut S, &mut [f64]) + Sync,
    ) {
        let share = (columns.len() / height).div_ceil(self.list.len()).max(1);
        let run = |first: usize, columns: &mut [f64], d: &mut Data, scratch: &mut S| {
            for (k, column) in columns.chunks_exact_mut(height).enumerate() {
                f(first + k, d, scratch, column);
            }
        };
        if let [(_, scratch)] = &mut self.list[..] {
            return run(0, columns, d, scratch);
        }
        let mut own = Some(d);
        let jobs: Vec<_> = columns
            .chunks_mut(share * height)
            .zip(&mut self.list)
            .enumerate()
            .map(|(i, (columns, (data, scratch)))| (i * share, columns, own.take().or(data.as_mut()), scratch))
            .collect();
        jobs.into_par_iter().for_each(|(first, columns, d, scratch)| {
            if let Some(d) = d {
                run(first, columns, d, scratch);
            }
        });
    }
}
