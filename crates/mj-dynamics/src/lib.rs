//! Smooth multi-joint dynamics: kinematics, inertia, bias, passive and actuator forces.
#![forbid(unsafe_code)]
