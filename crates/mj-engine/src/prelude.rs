//! All that an application needs: `use mj_engine::prelude::*;`.
//!
//! Types and functions of the engine, typed ids and enums of models, the parts of a [`Spec`] in the module `spec`, vectors
//! and matrices of `glam`, and [`solve_dense`] for small systems of equations.

pub use crate::Jacobian;
pub use crate::*;
pub use mj_model::{
    ActuatorId, BiasType, BodyId, BoneId, Builtin, CamLight, CameraId, ColorSpace, Cone, ConstraintType, ControlId,
    DataType, DofId, DynType, Elastic2d, Elastic3d, EqType, EqualityId, ExcludeId, FlexDof, FlexEquality, FlexSelf,
    FlexcompType, GainType, GeomId, GeomType, HfieldId, Id, IdVec, InertiaFromGeom, IntegratorType, JointId, JointType,
    KeyId, LengthRangeMode, LightId, LightType, Mark, MaterialId, MeshId, MeshInertia, MocapId, NumericId, ObjType,
    OutputId, PairId, Projection, SameFrame, Scaling, Section, SensorId, SensorType, SiteId, SkinId, SleepPolicy,
    SleepState, SolverType, Stage, TendonId, TendonType, TextId, TextureId, TextureType, TreeId, Tri, TrnType, TupleId,
    TupleItemId, Warning, WrapId, WrapType, disable, enable,
};
