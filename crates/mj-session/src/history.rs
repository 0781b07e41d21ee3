//! States of the past.

use std::collections::VecDeque;

/// Most states.
const STATES: usize = 2000;
/// Most memory of all states, numbers.
const NUMBERS: usize = 8 << 20;

/// The last states of a simulation, and which of them is shown.
#[derive(Debug, Default)]
pub(crate) struct History {
    states: VecDeque<Vec<f64>>,
    back: usize,
}

impl History {
    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns how many states before the newest one the shown one is.
    pub fn back(&self) -> usize {
        self.back
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.states.clear();
        self.back = 0;
    }

    /// Forgets the states after the shown one.
    pub fn cut(&mut self) {
        self.states.truncate(self.states.len() - self.back);
        self.back = 0;
    }

    /// Appends a state after the shown one, in place of those that followed it. The oldest goes where there is no room.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<f64>)) {
        self.cut();
        let size = self.states.back().map_or(0, Vec::len).max(1);
        let full = self.states.len() >= STATES.min(NUMBERS / size).max(2);
        let mut state = if full { self.states.pop_front().unwrap_or_default() } else { Vec::new() };
        write(&mut state);
        self.states.push_back(state);
    }

    /// Replaces the shown state by a changed one, and forgets those after it.
    pub fn amend(&mut self, write: impl FnOnce(&mut Vec<f64>)) {
        self.cut();
        match self.states.back_mut() {
            Some(state) => write(state),
            None => self.push(write),
        }
    }

    /// Chooses the state so many steps before the newest one, or the oldest. Returns it.
    pub fn seek(&mut self, back: usize) -> Option<&[f64]> {
        self.back = back.min(self.states.len().saturating_sub(1));
        let at = self.states.len().checked_sub(1 + self.back)?;
        self.states.get(at).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(history: &mut History, x: f64) {
        history.push(|state| {
            state.clear();
            state.push(x);
        });
    }

    #[test]
    fn the_oldest_states_go_and_the_newest_stay() {
        let mut history = History::default();
        (0..STATES + 10).for_each(|i| push(&mut history, i as f64));
        assert_eq!(history.len(), STATES);
        assert_eq!(history.seek(0), Some(&[(STATES + 9) as f64][..]));
        assert_eq!(history.seek(usize::MAX), Some(&[10.0][..]));
        assert_eq!(history.back(), STATES - 1);
    }

    #[test]
    fn a_state_after_an_old_one_replaces_what_followed() {
        let mut history = History::default();
        (0..5).for_each(|i| push(&mut history, f64::from(i)));
        assert_eq!(history.seek(3), Some(&[1.0][..]));
        push(&mut history, 7.0);
        assert_eq!((history.len(), history.back()), (3, 0));
        assert_eq!(history.seek(1), Some(&[1.0][..]));
        history.amend(|state| state[0] = 9.0);
        assert_eq!((history.len(), history.seek(0)), (2, Some(&[9.0][..])));
    }

    #[test]
    fn nothing_is_found_in_an_empty_history() {
        assert_eq!(History::default().seek(3), None);
    }
}
