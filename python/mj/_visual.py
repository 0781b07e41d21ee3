"""Options of rendering, as MJCF's element `visual` has them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ._records import Record, fields


class Global(Record):
    """Cameras, size of pictures, and what is shown."""

    FIELDS = {
        **fields("i4", "cameraid orthographic"),
        **fields("f4", "fovy ipd azimuth elevation linewidth glow realtime"),
        **fields("i4", "offwidth offheight ellipsoidinertia bvactive"),
    }
    DEFAULTS = {
        "cameraid": -1, "fovy": 45, "ipd": 0.068, "azimuth": 90, "elevation": -45, "linewidth": 1, "glow": 0.3,
        "realtime": 1, "offwidth": 640, "offheight": 480,
    }  # fmt: skip


class Quality(Record):
    """Resolution of shadows and of round shapes."""

    FIELDS = fields("i4", "shadowsize offsamples numslices numstacks numquads")
    DEFAULTS = {"shadowsize": 4096, "offsamples": 4, "numslices": 28, "numstacks": 16, "numquads": 4}


class Headlight(Record):
    """The light at the camera."""

    FIELDS = {**fields("f4", "ambient diffuse specular", (3,)), **fields("i4", "active")}
    DEFAULTS = {"ambient": 0.1, "diffuse": 0.4, "specular": 0.5, "active": 2}


class Map(Record):
    """Factors from quantities to what is seen."""

    FIELDS = fields(
        "f4",
        "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale actuatortendon",
    )
    DEFAULTS = {
        "stiffness": 100, "stiffnessrot": 500, "force": 0.005, "torque": 0.1, "alpha": 0.3, "fogstart": 3, "fogend": 10,
        "znear": 0.01, "zfar": 50, "haze": 0.3, "shadowclip": 1, "shadowscale": 0.6, "actuatortendon": 2,
    }  # fmt: skip


class Scale(Record):
    """Sizes of what is drawn beside geoms, in units of the mean size of bodies."""

    FIELDS = fields(
        "f4",
        "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth actuatorlength "
        "actuatorwidth framelength framewidth constraint slidercrank frustum",
    )
    DEFAULTS = {
        "forcewidth": 0.1, "contactwidth": 0.3, "contactheight": 0.1, "connect": 0.2, "com": 0.4, "camera": 0.3,
        "light": 0.3, "selectpoint": 0.2, "jointlength": 1, "jointwidth": 0.1, "actuatorlength": 0.7,
        "actuatorwidth": 0.2, "framelength": 1, "framewidth": 0.1, "constraint": 0.1, "slidercrank": 0.2, "frustum": 10,
    }  # fmt: skip


class Rgba(Record):
    """Colours of what is drawn beside geoms."""

    DEFAULTS = {
        "fog": (0, 0, 0, 1), "haze": (1, 1, 1, 1), "force": (1, 0.5, 0.5, 1), "inertia": (0.8, 0.2, 0.2, 0.6),
        "joint": (0.2, 0.6, 0.8, 1), "actuator": (0.2, 0.25, 0.2, 1), "actuatornegative": (0.2, 0.6, 0.9, 1),
        "actuatorpositive": (0.9, 0.4, 0.2, 1), "com": (0.9, 0.9, 0.9, 1), "camera": (0.6, 0.9, 0.6, 1),
        "light": (0.6, 0.6, 0.9, 1), "selectpoint": (0.9, 0.9, 0.1, 1), "connect": (0.2, 0.2, 0.8, 1),
        "contactpoint": (0.9, 0.6, 0.2, 1), "contactforce": (0.7, 0.9, 0.9, 1), "contactfriction": (0.9, 0.8, 0.4, 1),
        "contacttorque": (0.9, 0.7, 0.9, 1), "contactgap": (0.5, 0.8, 0.9, 1), "rangefinder": (1, 1, 0.1, 1),
        "constraint": (0.9, 0, 0, 1), "slidercrank": (0.5, 0.3, 0.8, 1), "crankbroken": (0.9, 0, 0, 1),
        "frustum": (1, 1, 0, 0.2), "bv": (0, 1, 0, 0.5), "bvactive": (1, 0, 0, 0.5),
    }  # fmt: skip
    FIELDS = fields("f4", " ".join(DEFAULTS), (4,))


class MjVisual:
    """Options of rendering."""

    _PARTS = {
        "global_": Global, "quality": Quality, "headlight": Headlight, "map": Map, "scale": Scale, "rgba": Rgba
    }  # fmt: skip
    Global, Quality, Headlight, Map, Scale, Rgba = Global, Quality, Headlight, Map, Scale, Rgba

    def __init__(self, given: list[tuple[str, str, list[float]]] | None = None):
        """Makes the default options, with the attributes of MJCF that were `given`."""
        self.__dict__["_numbers"] = numbers = np.zeros((), _NUMBERS)
        for name, kind in self._PARTS.items():
            self.__dict__[name] = part = kind._of(numbers[name].__getitem__)
            part._assign(kind())
        for element, name, value in given or []:
            part = self.__dict__.get("global_" if element == "global" else element)
            if part is not None and name in part.FIELDS:
                array = part._array(name)
                array[...] = value[0] if array.ndim == 0 else value[: array.size]
        self.__dict__["_applied"] = numbers.tobytes()

    def apply(self, model: Any) -> None:
        """Takes what was written here over into a model, unless nothing was since the last time."""
        present = self.__dict__["_numbers"].tobytes()
        if present != self.__dict__["_applied"]:
            model._set_visual(
                [
                    (element.rstrip("_"), name, np.ravel(getattr(self, element)._array(name)).tolist())
                    for element, kind in self._PARTS.items()
                    for name in kind.FIELDS
                ]
            )
            self.__dict__["_applied"] = present

    def __setattr__(self, name: str, value: Any) -> None:
        name = "global_" if name == "global" else name
        if name not in self._PARTS:
            raise AttributeError(f"MjVisual has no part {name!r}: its parts are {', '.join(self._PARTS)}")
        self.__dict__[name]._assign(value)

    def _assign(self, other: MjVisual) -> None:
        for name in self._PARTS:
            setattr(self, name, getattr(other, name))

    def __copy__(self) -> MjVisual:
        new = MjVisual()
        new._assign(self)
        return new

    def __deepcopy__(self, memo: dict) -> MjVisual:
        return copy.copy(self)

    def __getstate__(self) -> dict:
        return {name: getattr(self, name).__getstate__() for name in self._PARTS}

    def __setstate__(self, state: dict) -> None:
        self.__init__()
        for name, part in state.items():
            for field, value in part.items():
                self.__dict__[name]._array(field)[...] = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MjVisual):
            return NotImplemented
        return all(getattr(self, n) == getattr(other, n) for n in self._PARTS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<MjVisual\n" + "".join(f"  {n}: {getattr(self, n)!r}\n" for n in self._PARTS) + ">"


# All numbers side by side, so that they are compared at once.
_NUMBERS = np.dtype(
    [
        (part, [(name, dtype, shape) for name, (dtype, shape) in kind.FIELDS.items()])
        for part, kind in MjVisual._PARTS.items()
    ]
)

# A name that only getattr can spell.
setattr(MjVisual, "global", property(lambda visual: visual.global_, doc="Settings of the whole picture."))
