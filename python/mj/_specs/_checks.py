"""Checks before compilation, with the messages that programs look for."""

from __future__ import annotations

import re
from typing import Any

from .. import _enums

# How many sizes of a geom must be positive.
_SIZES = {"SPHERE": 1, "CAPSULE": 2, "ELLIPSOID": 3, "CYLINDER": 2, "BOX": 3}


# Parts of messages of the engine, with what programs look for.
_ATTRIBUTE = re.compile("plugin `[^`]*` has no attribute `([^`]*)`")
_TOLD = (("an STL file starts with 84 bytes", "stl_decoder: invalid header"),)


def told(message: str) -> str:
    """Adds to a message of the engine what programs look for in it."""
    found = [text for part, text in _TOLD if part in message]
    found += [f"Error: unrecognized attribute 'plugin:{name}'" for name in _ATTRIBUTE.findall(message)]
    return f"{found[0]}: {message}" if found else message


def _error(element: Any, row: int, message: str) -> ValueError:
    info = f", {element.info}" if element.info else ""
    return ValueError(f"Error: {message}\nElement name '{element.name}', id {row}{info}")


def check(spec: Any) -> None:
    """Raises the first error that is found in geoms, height fields and sensors."""
    for row, geom in enumerate(spec._all("geom")):
        _check_geom(geom, row)
    for row, field in enumerate(spec._lists["hfield"]):
        if len(field.userdata) not in (0, field.nrow * field.ncol):
            raise _error(field, row, "elevation data length must match nrow*ncol")
    for row, sensor in enumerate(spec._lists["sensor"]):
        if sensor.type == _enums.mjtSensor.mjSENS_CONTACT:
            _check_contact(sensor, row)
        elif sensor.type == _enums.mjtSensor.mjSENS_RANGEFINDER:
            _check_spec(sensor, row, 6, "mjNRAYDATA")


def _check_geom(geom: Any, row: int) -> None:
    if geom.meshname or geom.hfieldname:
        return
    count = _SIZES.get(getattr(geom.type, "name", "").removeprefix("mjGEOM_"), 0)
    if geom.fromto[0] == geom.fromto[0]:
        count = 1
    for i, size in enumerate(geom.size[:count]):
        if size <= 0:
            raise _error(geom, row, f"size {i} must be positive in geom")


def _check_spec(sensor: Any, row: int, bits: int, name: str) -> None:
    spec = int(sensor.intprm[0])
    if spec <= 0:
        raise _error(sensor, row, f"data spec (intprm[0]) must be positive, got {spec}")
    if not spec & ((1 << bits) - 1):
        raise _error(sensor, row, f"data spec intprm[0]={spec} must have at least one bit set of the first {name} bits")
    if spec >> bits:
        raise _error(sensor, row, f"data spec intprm[0]={spec} has bits set beyond the first {name} bits")


def _check_contact(sensor: Any, row: int) -> None:
    kinds = _enums.mjtObj
    bodies = (kinds.mjOBJ_UNKNOWN, kinds.mjOBJ_BODY, kinds.mjOBJ_XBODY, kinds.mjOBJ_GEOM)
    if sensor.objtype not in (*bodies, kinds.mjOBJ_SITE):
        raise _error(sensor, row, "first matching criterion: if set, must be (x)body, geom or site")
    if sensor.reftype not in bodies:
        raise _error(sensor, row, "second matching criterion: if set, must be (x)body or geom")
    _check_spec(sensor, row, 7, "mjNCONDATA")
    reduce, count = int(sensor.intprm[1]), int(sensor.intprm[2])
    if not 0 <= reduce <= 3:
        raise _error(sensor, row, f"unknown reduction criterion. got {reduce}, expected 0 to 3")
    if count <= 0:
        raise _error(sensor, row, "num (intprm[2]) must be positive in sensor")
