"""Models that programs edit: `MjSpec` and the elements of specs."""

from __future__ import annotations

import typing

from .._records import MjOption as MjOption
from .._records import MjStatistic as MjStatistic
from .._visual import MjVisual as MjVisual
from ..vfs import MjVfs as MjVfs
from ._authored import MjsAuthored
from ._bind import bind as bind
from ._default import MjsDefault
from ._element import MjsElement
from ._fields import MjsOrientation
from ._listed import (
    MjsActuator,
    MjsEquality,
    MjsExclude,
    MjsFlex,
    MjsHField,
    MjsKey,
    MjsMaterial,
    MjsMesh,
    MjsNumeric,
    MjsPair,
    MjsPlugin,
    MjsSensor,
    MjsSkin,
    MjsTendon,
    MjsTendonPath,
    MjsText,
    MjsTexture,
    MjsTuple,
    MjsWrap,
)
from ._spec import MjsCompiler, MjSpec
from ._tree import MjsBody, MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from ._vectors import MjByteVec, MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec

# Any element of a spec.
MjStruct = typing.Union[  # noqa: UP007
    MjsActuator, MjsBody, MjsCamera, MjsEquality, MjsExclude, MjsFlex, MjsFrame, MjsGeom, MjsHField, MjsJoint, MjsKey,
    MjsLight, MjsMaterial, MjsMesh, MjsNumeric, MjsPair, MjsPlugin, MjsSensor, MjsSite, MjsSkin, MjsTendon, MjsText,
    MjsTexture, MjsTuple,
]  # fmt: skip

__all__ = [
    "MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjSpec", "MjStringVec", "MjStruct", "MjsActuator",
    "MjsAuthored", "MjsBody", "MjsCamera", "MjsCompiler", "MjsDefault", "MjsElement", "MjsEquality", "MjsExclude", "MjsFlex",
    "MjsFrame", "MjsGeom", "MjsHField", "MjsJoint", "MjsKey", "MjsLight", "MjsMaterial", "MjsMesh", "MjsNumeric",
    "MjsOrientation", "MjsPair", "MjsPlugin", "MjsSensor", "MjsSite", "MjsSkin", "MjsTendon", "MjsTendonPath", "MjsText",
    "MjsTexture", "MjsTuple", "MjsWrap",
]  # fmt: skip
