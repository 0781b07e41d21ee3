"""Names by which elements refer to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _enums
from .._fields import PARTS

# By kind of element: field, and kind of what it names.
_PLAIN = {
    "geom": [("material", "material"), ("meshname", "mesh"), ("hfieldname", "hfield")],
    "site": [("material", "material"), ("meshname", "mesh")],
    "camera": [("targetbody", "body")],
    "light": [("targetbody", "body"), ("texture", "texture")],
    "mesh": [("material", "material")],
    "pair": [("geomname1", "geom"), ("geomname2", "geom")],
    "exclude": [("bodyname1", "body"), ("bodyname2", "body")],
    "tendon": [("material", "material")],
    "skin": [("material", "material")],
}
_ASSETS = frozenset(("material", "mesh", "hfield", "texture", "plugin"))
_TRANSMISSIONS = {
    "mjTRN_JOINT": "joint", "mjTRN_JOINTINPARENT": "joint", "mjTRN_SO3": "joint", "mjTRN_SLIDERCRANK": "site",
    "mjTRN_SITE": "site", "mjTRN_TENDON": "tendon", "mjTRN_BODY": "body",
}  # fmt: skip

_EQUALITIES = {
    "mjEQ_JOINT": "joint", "mjEQ_TENDON": "tendon", "mjEQ_FLEX": "flex", "mjEQ_FLEXVERT": "flex",
    "mjEQ_FLEXSTRAIN": "flex",
}  # fmt: skip

# Called with the kind and the name of what is referred to; returns the new name.
Visit = Callable[[str, str], str]


def object_kind(code: Any) -> str:
    """Returns the kind of element of a code of mjtObj; empty if it is none."""
    names = {"XBODY": "body", "HFIELD": "hfield", "CAMERA": "camera"}
    try:
        name = _enums.mjtObj(int(code)).name.removeprefix("mjOBJ_")
    except ValueError:
        return ""
    return names.get(name, name.lower()) if name != "UNKNOWN" else ""


def _equality_kind(element: Any) -> str:
    kind = _EQUALITIES.get(element.type.name)
    return kind or object_kind(element.objtype) or "body"


def visit(element: Any, see: Visit) -> None:
    """Calls `see` with every reference of an element, and writes back what it returns."""

    def one(field: str, kind: str) -> None:
        name = getattr(element, field)
        if name and kind:
            new = see(kind, name)
            if new != name:
                setattr(element, field, new)

    kind = element._kind
    if (kind, "plugin.name") in PARTS and element.plugin.name:
        element.plugin.name = see("plugin", element.plugin.name)
    for field, of in _PLAIN.get(kind, ()):
        one(field, of)
    if kind == "material":
        for i, name in enumerate(element.textures):
            if name:
                element.textures[i] = see("texture", name)
    elif kind == "equality":
        one("name1", _equality_kind(element))
        one("name2", _equality_kind(element))
    elif kind == "tendon":
        for wrap in element._path._wraps:
            wrap._name = see(wrap._what, wrap._name) if wrap._name else ""
            wrap._side = see("site", wrap._side) if wrap._side else ""
    elif kind == "actuator":
        one("target", _TRANSMISSIONS.get(element.trntype.name, ""))
        one("refsite", "site")
        one("slidersite", "site")
    elif kind == "sensor":
        one("objname", object_kind(element.objtype))
        one("refname", object_kind(element.reftype))
    elif kind == "skin":
        element.bodyname = [see("body", name) if name else "" for name in element.bodyname]
    elif kind == "tuple":
        kinds = [object_kind(code) for code in element.objtype]
        names = list(element.objname)
        element.objname = [see(k, n) if k and n else n for k, n in zip(kinds, names, strict=False)]
    elif kind == "flex":
        element.nodebody = [see("body", name) for name in element.nodebody]
        element.vertbody = [see("body", name) for name in element.vertbody]
        element.material = [see("material", name) for name in element.material]


def names(element: Any, assets: bool = False) -> list[tuple[str, str]]:
    """Lists what an element refers to: kinds and names, without assets unless they are asked for."""
    out: list[tuple[str, str]] = []

    def see(kind: str, name: str) -> str:
        if assets or kind not in _ASSETS:
            out.append((kind, name))
        return name

    visit(element, see)
    return out
