"""Changes of specifications by parameters: gains of actuators, and inertia of bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mj import MjModel, MjSpec, mjtGeom, mjtInertiaFromGeom
from mj.sysid._src._gains import (
    apply_dgain,
    apply_pdgain,
    apply_pgain,
    find,
    get_actuator_pd_gains,
    is_position_actuator,
    number,
)
from mj.sysid._src._inertia import (
    cholesky_decompose_upper,
    inertia_to_fullinertia,
    pi_from_theta,
    principal,
    pseudoinertia_from_pi,
    skew,
    theta_from_pseudoinertia,
)
from mj.sysid._src.parameter import InertiaType, ModifierFn, Parameter, ParameterDict

__all__ = [
    "InertiaType",
    "ModifierFn",
    "Parameter",
    "ParameterDict",
    "apply_body_inertia",
    "apply_body_mass_ipos",
    "apply_body_theta_inertia",
    "apply_dgain",
    "apply_param_modifiers",
    "apply_param_modifiers_spec",
    "apply_pdgain",
    "apply_pgain",
    "body_inertia_param",
    "cholesky_decompose_upper",
    "get_actuator_pd_gains",
    "inertia_to_fullinertia",
    "is_position_actuator",
    "pi_from_body",
    "pi_from_theta",
    "pseudoinertia_from_pi",
    "remove_visuals",
    "scale_body_inertia",
    "skew",
    "theta_from_pseudoinertia",
    "theta_inertia_from_body",
]


def remove_visuals(in_spec: MjSpec) -> MjSpec:
    """Return a copy without geoms that collide with nothing, their meshes, materials and textures.

    Meshes that other geoms use stay.
    """
    spec = in_spec.copy()
    geoms = spec.worldbody.find_all("geom")
    visual = [geom for geom in geoms if geom.contype == 0 and geom.conaffinity == 0]
    meshes = {geom.meshname for geom in visual if geom.type == mjtGeom.mjGEOM_MESH and geom.meshname}
    meshes -= {geom.meshname for geom in geoms if geom.contype or geom.conaffinity}
    shown: Any
    for shown in [*spec.geoms, *spec.sites, *spec.tendons, *spec.skins, *spec.flexes]:
        shown.material = ""
    for element in [*visual, *filter(None, map(spec.mesh, sorted(meshes))), *spec.materials, *spec.textures]:
        spec.delete(element)
    return spec


def apply_param_modifiers_spec(params: ParameterDict, spec: MjSpec) -> MjSpec:
    """Write all parameters that are not frozen to a specification, and return it."""
    for param in params.values():
        if not param.frozen:
            param.apply_modifier(spec)
    return spec


def apply_param_modifiers(params: ParameterDict, spec: MjSpec) -> MjModel:
    """Write all parameters that are not frozen to a specification, and compile it."""
    return apply_param_modifiers_spec(params, spec).compile()


def _infer_inertial(spec: MjSpec, body_name: str) -> Any:
    """Return a body of a specification, with the inertia that compiling gives it written to it explicitly."""
    body = find(spec, "body", body_name)
    spec.compiler.inertiafromgeom = mjtInertiaFromGeom.mjINERTIAFROMGEOM_AUTO
    compiled = spec.compile().body(body_name)
    body.explicitinertial = True
    body.fullinertia = np.full(6, np.nan)
    body.mass = float(compiled.mass[0])
    body.ipos, body.iquat, body.inertia = compiled.ipos.copy(), compiled.iquat.copy(), compiled.inertia.copy()
    return body


def apply_body_mass_ipos(
    spec: MjSpec,
    body_name: str,
    mass: ArrayLike | None = None,
    ipos: ArrayLike | None = None,
    rot_inertia_scale: bool = False,
) -> MjSpec:
    """Set mass and centre of mass of a body, and return the specification.

    Args:
        spec: the specification.
        body_name: name of the body.
        mass: mass, kg.
        ipos: centre of mass (3) in the frame of the body, m.
        rot_inertia_scale: whether the moments of inertia scale with the mass; otherwise they stay.
    """
    body = _infer_inertial(spec, body_name)
    if mass is not None:
        mass = number(mass, f"mass of body `{body_name}`")
        if rot_inertia_scale:
            body.inertia = np.array(body.inertia) * (mass / body.mass)
        body.mass = mass
    if ipos is not None:
        body.ipos = np.asarray(ipos, dtype=np.float64)
    return spec


def scale_body_inertia(spec: MjSpec, body_name: str, value: ArrayLike) -> MjSpec:
    """Multiply the moments of inertia of a body by a number, and return the specification."""
    body = _infer_inertial(spec, body_name)
    body.inertia = np.array(body.inertia) * number(value, f"scale of the inertia of body `{body_name}`")
    return spec


def pi_from_body(spec: MjSpec, body_name: str) -> np.ndarray:
    """Return mass, first moment and inertia matrix about the origin of a body, row by row (13)."""
    body = _infer_inertial(spec, body_name)
    mass, ipos = body.mass, np.array(body.ipos)
    about_centre = inertia_to_fullinertia(np.array(body.iquat), np.array(body.inertia))
    about_origin = about_centre - mass * skew(ipos) @ skew(ipos)
    return np.concatenate([[mass], mass * ipos, about_origin.ravel()])


def theta_inertia_from_body(spec: MjSpec, body_name: str) -> np.ndarray:
    """Return the ten free parameters of the pseudo-inertia of a body: alpha, d (3), s (3), t (3)."""
    return theta_from_pseudoinertia(pseudoinertia_from_pi(pi_from_body(spec, body_name)))


def apply_body_theta_inertia(spec: MjSpec, body_name: str, theta: np.ndarray) -> MjSpec:
    """Set the inertia of a body from the ten free parameters of its pseudo-inertia, and return the specification."""
    theta = np.ravel(theta)
    if theta.size != 10:
        raise ValueError(f"theta of body `{body_name}` has {theta.size} elements; expected 10")
    pi = pi_from_theta(theta)
    mass, ipos = pi[0], pi[1:4] / pi[0]
    body = _infer_inertial(spec, body_name)
    body.mass, body.ipos = float(mass), ipos
    body.inertia, body.iquat = principal(pi[4:].reshape(3, 3) + mass * skew(ipos) @ skew(ipos))
    return spec


def apply_body_inertia(spec: MjSpec, name: str, param: Parameter) -> None:
    """Set the inertia of a body from a parameter of :func:`body_inertia_param`."""
    kind = getattr(param, "inertia_type", None)
    if kind is None:
        raise ValueError(f"parameter `{param.name}` has no inertia_type; make it by body_inertia_param")
    if kind is InertiaType.Pseudo:
        apply_body_theta_inertia(spec, name, param.value)
        return
    ipos = param.value[1:4] if kind is InertiaType.MassIpos else None
    apply_body_mass_ipos(spec, name, param.value[0], ipos, param.scale_rot_inertia)


def body_inertia_param(
    spec: MjSpec,
    model: MjModel,
    body_name: str,
    inertia_type: InertiaType = InertiaType.MassIpos,
    scale_rot_inertia: bool = False,
    mass_bound_mult: np.ndarray | None = None,
    ipos_bound_off: np.ndarray | None = None,
    stretch_bound_mult: np.ndarray | None = None,
    shear_bound_off: np.ndarray | None = None,
    param_name: str | None = None,
    modifier: ModifierFn | None = None,
) -> Parameter:
    """Make a parameter of the inertia of a body, with its present value as the nominal one.

    Args:
        spec: the specification that has the body.
        model: its model.
        body_name: name of the body.
        inertia_type: mass; mass and centre of mass (4); or pseudo-inertia (10).
        scale_rot_inertia: whether the moments of inertia scale with the mass; not for pseudo-inertia.
        mass_bound_mult: bounds (2) of the mass, as factors.
        ipos_bound_off: bounds (2) of the centre of mass, as offsets, m.
        stretch_bound_mult: bounds (2) of the stretch along axes, as factors; for pseudo-inertia.
        shear_bound_off: bounds (2) of the shear, as offsets; for pseudo-inertia.
        param_name: name of the parameter; by default that of the body and ``_inertia``.
        modifier: writes the parameter to a specification, in place of :func:`apply_body_inertia`.
    """
    mass_factors, offsets, stretches, shears = (
        np.asarray(default if given is None else given, dtype=np.float64)
        for given, default in (
            (mass_bound_mult, (0.1, 10.0)),
            (ipos_bound_off, (-0.5, 0.5)),
            (stretch_bound_mult, (0.5, 2.0)),
            (shear_bound_off, (-0.5, 0.5)),
        )
    )
    if inertia_type is InertiaType.Pseudo:
        nominal = theta_inertia_from_body(spec, body_name)
        # Masses and stretches are squares of exponentials.
        added = np.repeat([0.5 * np.log(mass_factors), 0.5 * np.log(stretches), shears, offsets], (1, 3, 3, 3), axis=0)
        bounds = nominal[:, None] + added
    else:
        body = model.body(body_name)
        mass, ipos = body.mass[:1], body.ipos
        nominal, bounds = mass.copy(), mass[:, None] * mass_factors
        if inertia_type is InertiaType.MassIpos:
            nominal = np.concatenate([mass, ipos])
            bounds = np.concatenate([bounds, ipos[:, None] + offsets])
        elif inertia_type is not InertiaType.Mass:
            raise ValueError(f"inertia_type is {inertia_type!r}; expected one of {list(InertiaType)}")

    def apply(spec: MjSpec, param: Parameter) -> None:
        apply_body_inertia(spec, body_name, param)

    name = f"{body_name}_inertia" if param_name is None else param_name
    param = Parameter(name, nominal, bounds[:, 0], bounds[:, 1], modifier=modifier or apply)
    param.inertia_type = inertia_type
    param.scale_rot_inertia = scale_rot_inertia
    return param
