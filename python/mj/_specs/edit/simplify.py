"""Simplifying specs: static bodies, visual elements, duplicate assets, inertias."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _enums
from .._assemble import _values
from .._listed import LISTED
from . import references
from .delete import _drop


def _compiled(spec: Any, vfs: Any) -> Any:
    if vfs is not None:
        vfs.files()
    return spec.compile(vfs)


def _from_geoms(spec: Any) -> bool:
    return spec.compiler.inertiafromgeom == _enums.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE


def _adopt(body: Any, model: Any) -> None:
    """Writes the inertia of a compiled body to its element."""
    row = body._id
    body.mass = float(model.body_mass[row])
    body.ipos, body.inertia = model.body_ipos[row], model.body_inertia[row]
    body.iquat = model.body_iquat[row]
    body.ialt.type = _enums.mjtOrientation.mjORIENTATION_QUAT
    body.fullinertia = [np.nan, 0, 0, 0, 0, 0]
    body.explicitinertial = True


def adopt_inertial(spec: Any, body: Any, vfs: Any) -> None:
    """Makes the inertia that follows from geoms a body's own."""
    from .._tree import MjsBody

    if not isinstance(body, MjsBody):
        raise TypeError(f"`body` must be an MjsBody, not {type(body).__name__}")
    body._alive()
    if _from_geoms(spec):
        raise ValueError("Error: inertiafromgeom of the compiler is 'true': an inertia of a body's own has no effect")
    model = _compiled(spec, vfs)
    if body._id <= 0:
        raise ValueError(f"Error: body '{body.name}' has no inertia in the compiled model")
    _adopt(body, model)


def fuse_static(spec: Any, vfs: Any) -> int:
    """Turns bodies without joints into frames of their parents, and returns how many."""
    if vfs is not None:
        vfs.files()
    used = {name for kind in LISTED for e in spec._lists[kind] for of, name in references.names(e) if of == "body"}
    for kind in ("camera", "light"):
        used |= {e.targetbody for e in spec._all(kind) if e.targetbody}
    fused = 0
    for body in spec._all("body")[1:]:
        if body._children["joint"] or body.mocap or not body.fuse or (body.name and body.name in used):
            continue
        if body.explicitinertial or body.plugin.active:
            continue
        body.to_frame()
        fused += 1
    return fused


def discard_visual(spec: Any, vfs: Any) -> int:
    """Deletes materials, textures, geoms that touch nothing, and meshes that are then not used; returns how many."""
    if vfs is not None:
        vfs.files()
    referred = {name for kind in LISTED for e in spec._lists[kind] for of, name in references.names(e) if of == "geom"}
    visual = [
        geom
        for geom in spec._all("geom")
        if not geom.contype and not geom.conaffinity and not (geom.name and geom.name in referred)
    ]
    groups = spec.compiler.inertiagrouprange
    heavy = {
        id(geom._body): geom._body
        for geom in visual
        if geom._body is not spec._world and groups[0] <= geom.group <= groups[1]
        if not geom._body.explicitinertial and (geom.mass != 0 and (geom.density != 0 or geom.mass > 0))
    }
    if heavy and _from_geoms(spec):
        raise ValueError("Error: inertiafromgeom is 'true': the inertia of visual geoms cannot be kept")
    if heavy:
        model = _compiled(spec, vfs)
        for body in heavy.values():
            _adopt(body, model)
    gone = list(visual)
    for element in gone:
        _drop(element)
    for kind in ("material", "texture"):
        gone += spec._lists[kind]
        for element in list(spec._lists[kind]):
            _drop(element)
    users = [e for kind in ("geom", "site") for e in spec._all(kind)] + spec._lists["tendon"] + spec._lists["skin"]
    for element in [*users, *spec._lists["mesh"]]:
        if element.material:
            element.material = ""
    meshes = {e.meshname for kind in ("geom", "site") for e in spec._all(kind)}
    for mesh in list(spec._lists["mesh"]):
        if mesh.name not in meshes:
            gone.append(mesh)
            _drop(mesh)
    spec._changed()
    return len(gone)


def dedup_assets(spec: Any) -> int:
    """Merges textures and meshes that would compile to the same, and returns how many are gone."""
    if spec._attached:
        raise ValueError("Cannot merge the assets of an attached mjSpec.")
    new: dict[tuple[str, str], str] = {}
    gone = []
    for kind in ("texture", "mesh"):
        known: dict[str, Any] = {}
        for element in spec._lists[kind]:
            values = {n: _plain(v) for n, v in _values(element).items() if n not in ("name", "info")}
            place = "" if element._origin is spec else str(id(element._origin))
            first = known.setdefault(repr((place, sorted(values.items()))), element)
            if first is not element and element.name and first.name:
                new[kind, element.name] = first.name
                gone.append(element)
    for element in gone:
        _drop(element)

    def see(kind: str, name: str) -> str:
        return new.get((kind, name), name)

    for kind in ("geom", "site", "light"):
        for element in spec._all(kind):
            references.visit(element, see)
    for kind in ("material", "skin", "tendon", "sensor", "tuple"):
        for element in spec._lists[kind]:
            references.visit(element, see)
    for default in spec._defaults:
        for element in default._elements.values():
            references.visit(element, see)
    spec._changed()
    return len(gone)


def _plain(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) else value
