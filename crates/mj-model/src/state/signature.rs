//! Parts of the state as one vector of numbers: which of them, a signature says (`mjtState`).

use crate::Model;
use crate::ids::*;
use crate::state::vector::State;
use mj_math::{DVec3, quat};

/// A set of state components; several are united by `|`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signature(pub u32);

/// Error in the use of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// Bits that stand for no component.
    #[error("state signature {0:#x} has bits that stand for no component")]
    Unknown(u32),
    /// A vector of another length than the components have.
    #[error("the state components of signature {signature:#x} are {expected} numbers, the vector has {got}")]
    Length {
        /// The signature.
        signature: u32,
        /// Number of numbers of its components.
        expected: usize,
        /// Length given.
        got: usize,
    },
    /// Components asked for that the source lacks.
    #[error("signature {wanted:#x} asks for components that signature {given:#x} lacks")]
    Subset {
        /// Components that are asked for.
        wanted: u32,
        /// Components that there are.
        given: u32,
    },
}

impl Signature {
    /// Time: 1 number.
    pub const TIME: Self = Self(1);
    /// Position: nq.
    pub const QPOS: Self = Self(1 << 1);
    /// Velocity: nv.
    pub const QVEL: Self = Self(1 << 2);
    /// Activation: na.
    pub const ACT: Self = Self(1 << 3);
    /// Delay history: nhistory.
    pub const HISTORY: Self = Self(1 << 4);
    /// Acceleration from which the constraint solver starts: nv.
    pub const WARMSTART: Self = Self(1 << 5);
    /// Control: nu.
    pub const CTRL: Self = Self(1 << 6);
    /// Applied generalized force: nv.
    pub const QFRC_APPLIED: Self = Self(1 << 7);
    /// Applied forces and torques on bodies: nbody × 6.
    pub const XFRC_APPLIED: Self = Self(1 << 8);
    /// Which equality constraints are on, as 0 or 1: neq.
    pub const EQ_ACTIVE: Self = Self(1 << 9);
    /// Positions of mocap bodies: nmocap × 3.
    pub const MOCAP_POS: Self = Self(1 << 10);
    /// Orientations of mocap bodies, w first: nmocap × 4.
    pub const MOCAP_QUAT: Self = Self(1 << 11);
    /// User data: nuserdata.
    pub const USERDATA: Self = Self(1 << 12);
    /// State of plugins: npluginstate.
    pub const PLUGIN: Self = Self(1 << 13);
    /// Plastic state: nplastic.
    pub const PLASTIC: Self = Self(1 << 14);

    /// Components that are integrated over time.
    pub const PHYSICS: Self = Self(Self::QPOS.0 | Self::QVEL.0 | Self::ACT.0 | Self::HISTORY.0 | Self::PLASTIC.0);
    /// Everything that advances in time.
    pub const FULLPHYSICS: Self = Self(Self::PHYSICS.0 | Self::TIME.0 | Self::PLUGIN.0);
    /// Components that the user sets and the engine does not change.
    pub const USER: Self = Self(
        Self::CTRL.0
            | Self::QFRC_APPLIED.0
            | Self::XFRC_APPLIED.0
            | Self::EQ_ACTIVE.0
            | Self::MOCAP_POS.0
            | Self::MOCAP_QUAT.0
            | Self::USERDATA.0,
    );
    /// All inputs of forward dynamics: what makes a simulation go on bit by bit as it did.
    pub const INTEGRATION: Self = Self(Self::FULLPHYSICS.0 | Self::USER.0 | Self::WARMSTART.0);

    /// Number of components.
    const COUNT: u32 = 15;

    /// Whether all components of `other` are among these.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The components one by one, in the order in which they stand in a vector.
    fn components(self) -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(|k| Self(1 << k)).filter(move |c| self.contains(*c))
    }

    fn check(self) -> Result<(), SignatureError> {
        if self.0 >> Self::COUNT == 0 { Ok(()) } else { Err(SignatureError::Unknown(self.0)) }
    }

    /// Number of numbers of one component.
    fn len(self, m: &Model) -> usize {
        match self {
            Self::TIME => 1,
            Self::QPOS => m.nq(),
            Self::QVEL | Self::WARMSTART | Self::QFRC_APPLIED => m.nv(),
            Self::ACT => m.na,
            Self::HISTORY => m.nhistory,
            Self::CTRL => m.nu(),
            Self::XFRC_APPLIED => 6 * m.body.len(),
            Self::EQ_ACTIVE => m.eq.len(),
            Self::MOCAP_POS => 3 * m.nmocap,
            Self::MOCAP_QUAT => 4 * m.nmocap,
            Self::USERDATA => m.nuserdata,
            Self::PLUGIN => m.npluginstate(),
            Self::PLASTIC => m.nplastic,
            _ => 0,
        }
    }
}

impl std::ops::BitOr for Signature {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Number of numbers of a signature's components (`mj_stateSize`).
///
/// ```
/// use mj_model::build::{JointDef, ModelBuilder};
/// use mj_model::{BodyId, Signature, model::BodyRow, state_size};
///
/// let mut builder = ModelBuilder::new();
/// let inertia = [1.0; 3].into();
/// builder.add_body(BodyId::WORLD, BodyRow { mass: 1.0, inertia, ..BodyRow::default() }, &[JointDef::free()])?;
/// let m = builder.finish()?;
/// assert_eq!(state_size(&m, Signature::QPOS | Signature::QVEL)?, 7 + 6);
/// assert_eq!(state_size(&m, Signature::FULLPHYSICS)?, 7 + 6 + 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the signature has bits that stand for no component.
pub fn state_size(m: &Model, signature: Signature) -> Result<usize, SignatureError> {
    signature.check()?;
    Ok(signature.components().map(|c| c.len(m)).sum())
}

/// The size of a vector, checked.
fn check_len(m: &Model, signature: Signature, got: usize) -> Result<(), SignatureError> {
    let expected = state_size(m, signature)?;
    if got == expected { Ok(()) } else { Err(SignatureError::Length { signature: signature.0, expected, got }) }
}

impl State {
    /// Writes the components of a signature into `out`, one after the other (`mj_getState`).
    ///
    /// # Errors
    /// If the signature is not valid or `out` is not [`state_size`] long.
    pub fn get(&self, m: &Model, signature: Signature, out: &mut [f64]) -> Result<(), SignatureError> {
        check_len(m, signature, out.len())?;
        let mut at = 0;
        for c in signature.components() {
            let end = at + c.len(m);
            self.read(c, &mut out[at..end]);
            at = end;
        }
        Ok(())
    }

    /// Sets the components of a signature from a vector (`mj_setState`).
    ///
    /// # Errors
    /// If the signature is not valid or `from` is not [`state_size`] long.
    pub fn set(&mut self, m: &Model, signature: Signature, from: &[f64]) -> Result<(), SignatureError> {
        check_len(m, signature, from.len())?;
        let mut at = 0;
        for c in signature.components() {
            let end = at + c.len(m);
            self.write(c, &from[at..end]);
            at = end;
        }
        Ok(())
    }

    /// Copies the components of a signature from another state of the same model (`mj_copyState`).
    ///
    /// # Errors
    /// If the signature is not valid.
    pub fn copy(&mut self, from: &Self, signature: Signature) -> Result<(), SignatureError> {
        signature.check()?;
        for c in signature.components() {
            match c {
                Signature::TIME => self.time = from.time,
                Signature::QPOS => self.qpos.clone_from(&from.qpos),
                Signature::QVEL => self.qvel.clone_from(&from.qvel),
                Signature::ACT => self.act.clone_from(&from.act),
                Signature::HISTORY => self.history.clone_from(&from.history),
                Signature::WARMSTART => self.qacc_warmstart.clone_from(&from.qacc_warmstart),
                Signature::CTRL => self.ctrl.clone_from(&from.ctrl),
                Signature::QFRC_APPLIED => self.qfrc_applied.clone_from(&from.qfrc_applied),
                Signature::XFRC_APPLIED => self.xfrc_applied.clone_from(&from.xfrc_applied),
                Signature::EQ_ACTIVE => self.eq_active.clone_from(&from.eq_active),
                Signature::MOCAP_POS => self.mocap_pos.clone_from(&from.mocap_pos),
                Signature::MOCAP_QUAT => self.mocap_quat.clone_from(&from.mocap_quat),
                Signature::USERDATA => self.userdata.clone_from(&from.userdata),
                Signature::PLUGIN => self.plugin_state.clone_from(&from.plugin_state),
                Signature::PLASTIC => self.plastic.clone_from(&from.plastic),
                _ => {}
            }
        }
        Ok(())
    }

    fn read(&self, component: Signature, out: &mut [f64]) {
        match component {
            Signature::TIME => out[0] = self.time,
            Signature::QPOS => out.copy_from_slice(&self.qpos),
            Signature::QVEL => out.copy_from_slice(&self.qvel),
            Signature::ACT => out.copy_from_slice(&self.act),
            Signature::HISTORY => out.copy_from_slice(&self.history),
            Signature::WARMSTART => out.copy_from_slice(&self.qacc_warmstart),
            Signature::CTRL => out.copy_from_slice(&self.ctrl),
            Signature::QFRC_APPLIED => out.copy_from_slice(&self.qfrc_applied),
            Signature::XFRC_APPLIED => {
                for (out, x) in out.chunks_exact_mut(6).zip(self.xfrc_applied.iter()) {
                    out.copy_from_slice(x);
                }
            }
            Signature::EQ_ACTIVE => {
                for (out, &on) in out.iter_mut().zip(self.eq_active.iter()) {
                    *out = f64::from(u8::from(on));
                }
            }
            Signature::MOCAP_POS => {
                for (out, x) in out.chunks_exact_mut(3).zip(self.mocap_pos.iter()) {
                    x.write_to_slice(out);
                }
            }
            Signature::MOCAP_QUAT => {
                for (out, &q) in out.chunks_exact_mut(4).zip(self.mocap_quat.iter()) {
                    quat::write(q, out);
                }
            }
            Signature::USERDATA => out.copy_from_slice(&self.userdata),
            Signature::PLUGIN => out.copy_from_slice(&self.plugin_state),
            Signature::PLASTIC => out.copy_from_slice(&self.plastic),
            _ => {}
        }
    }

    fn write(&mut self, component: Signature, from: &[f64]) {
        match component {
            Signature::TIME => self.time = from[0],
            Signature::QPOS => self.qpos.copy_from_slice(from),
            Signature::QVEL => self.qvel.copy_from_slice(from),
            Signature::ACT => self.act.copy_from_slice(from),
            Signature::HISTORY => self.history.copy_from_slice(from),
            Signature::WARMSTART => self.qacc_warmstart.copy_from_slice(from),
            Signature::CTRL => self.ctrl.copy_from_slice(from),
            Signature::QFRC_APPLIED => self.qfrc_applied.copy_from_slice(from),
            Signature::XFRC_APPLIED => {
                for (x, from) in self.xfrc_applied.as_mut_slice().iter_mut().zip(from.chunks_exact(6)) {
                    x.copy_from_slice(from);
                }
            }
            Signature::EQ_ACTIVE => {
                for (on, &from) in self.eq_active.as_mut_slice().iter_mut().zip(from) {
                    *on = from != 0.0;
                }
            }
            Signature::MOCAP_POS => {
                for (x, from) in self.mocap_pos.as_mut_slice().iter_mut().zip(from.chunks_exact(3)) {
                    *x = DVec3::from_slice(from);
                }
            }
            Signature::MOCAP_QUAT => {
                for (q, from) in self.mocap_quat.as_mut_slice().iter_mut().zip(from.chunks_exact(4)) {
                    *q = quat::read(from);
                }
            }
            Signature::USERDATA => self.userdata.copy_from_slice(from),
            Signature::PLUGIN => self.plugin_state.copy_from_slice(from),
            Signature::PLASTIC => self.plastic.copy_from_slice(from),
            _ => {}
        }
    }
}

/// Takes the components of `wanted` out of a vector with those of `given` (`mj_extractState`).
///
/// # Errors
/// If a signature is not valid, `wanted` has components that `given` lacks, or a vector has not the
/// length of its signature's components.
pub fn extract_state(
    m: &Model,
    from: &[f64],
    given: Signature,
    out: &mut [f64],
    wanted: Signature,
) -> Result<(), SignatureError> {
    check_len(m, given, from.len())?;
    check_len(m, wanted, out.len())?;
    if !given.contains(wanted) {
        return Err(SignatureError::Subset { wanted: wanted.0, given: given.0 });
    }
    let (mut at, mut to) = (0, 0);
    for c in given.components() {
        let n = c.len(m);
        if wanted.contains(c) {
            out[to..to + n].copy_from_slice(&from[at..at + n]);
            to += n;
        }
        at += n;
    }
    Ok(())
}

impl Model {
    /// Saves a state as keyframe `k`: time, position, velocity, activation, control, plastic state
    /// and mocap poses (`mj_setKeyframe`).
    pub fn set_keyframe(&mut self, s: &State, k: KeyId) {
        let key = &mut self.key;
        let put = |to: &mut [f64], from: &[f64]| {
            let at = k.index() * from.len();
            to[at..at + from.len()].copy_from_slice(from);
        };
        key.time[k] = s.time;
        put(&mut key.qpos, &s.qpos);
        put(&mut key.qvel, &s.qvel);
        put(&mut key.act, &s.act);
        put(&mut key.ctrl, &s.ctrl);
        put(&mut key.plastic, &s.plastic);
        let at = k.index() * self.nmocap;
        for i in 0..self.nmocap {
            key.mpos[at + i] = s.mocap_pos[MocapId::new(i)];
            key.mquat[at + i] = s.mocap_quat[MocapId::new(i)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_references() {
        assert_eq!(Signature::PHYSICS.0, 16414);
        assert_eq!(Signature::FULLPHYSICS.0, 24607);
        assert_eq!(Signature::USER.0, 8128);
        assert_eq!(Signature::INTEGRATION.0, 32767);
    }

    #[test]
    fn what_was_taken_out_goes_back_in() {
        let mut m = Model { nuserdata: 3, na: 2, nplastic: 2, nhistory: 4, nmocap: 1, ..Model::default() };
        m.eq.push(crate::model::EqualityRow { active0: true, ..Default::default() });
        let mut s = State::new(&m);
        s.mocap_pos.resize(1, DVec3::ZERO);
        s.mocap_quat.resize(1, mj_math::DQuat::IDENTITY);
        let n = state_size(&m, Signature::INTEGRATION).unwrap();
        assert_eq!(n, 1 + 2 + 4 + 2 + 6 * m.body.len() + 1 + 3 + 4 + 3);
        let numbers: Vec<f64> = (0..n).map(|i| 0.5 + i as f64).collect();
        s.set(&m, Signature::INTEGRATION, &numbers).unwrap();
        let mut back = vec![0.0; n];
        s.get(&m, Signature::INTEGRATION, &mut back).unwrap();
        // A switch is on or off.
        let switch = n - 2 - 3 - 4 - 3 - 1;
        for (i, (a, b)) in numbers.iter().zip(&back).enumerate() {
            assert_eq!(if i == switch { 1.0 } else { *a }, *b, "{i}");
        }
        let mut copy = State::new(&m);
        copy.copy(&s, Signature::INTEGRATION).unwrap();
        assert_eq!(copy, s);

        let wanted = Signature::USERDATA | Signature::ACT;
        let (mut direct, mut extracted) = (vec![0.0; 5], vec![0.0; 5]);
        s.get(&m, wanted, &mut direct).unwrap();
        extract_state(&m, &back, Signature::INTEGRATION, &mut extracted, wanted).unwrap();
        assert_eq!(direct, extracted);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let m = Model::default();
        let mut s = State::new(&m);
        assert_eq!(state_size(&m, Signature(1 << 15)), Err(SignatureError::Unknown(1 << 15)));
        let error = SignatureError::Length { signature: 1, expected: 1, got: 2 };
        assert_eq!(s.set(&m, Signature::TIME, &[0.0, 0.0]), Err(error));
        let subset = extract_state(&m, &[0.0], Signature::TIME, &mut [], Signature::QPOS);
        assert_eq!(subset, Err(SignatureError::Subset { wanted: 2, given: 1 }));
    }
}
