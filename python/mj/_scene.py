"""Structs of rendering and viewing: cameras, options, perturbations, scenes, figures."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _core
from ._records import Fields, Growing, Record, RecordList, fields

GROUPS = (1, 1, 1, 0, 0, 0)


class _Drawn(Record):
    """A struct of rendering: subclasses may take other arguments."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        new = super().__new__(cls)
        Record.__init__(new)
        return new

    def __init__(self) -> None:
        pass


class MjvPerturb(_Drawn):
    """What is selected, and how it is pulled."""

    FIELDS = {
        **fields("i4", "select flexselect skinselect active active2"),
        **fields("f8", "refpos refselpos localpos", (3,)),
        **fields("f8", "refquat", (4,)),
        **fields("f8", "localmass scale"),
    }
    DEFAULTS = {"flexselect": -1, "skinselect": -1, "refquat": (1, 0, 0, 0), "scale": 1}


class MjvCamera(_Drawn):
    """A camera: free, tracking a body, or one of the model's."""

    FIELDS = {
        **fields("i4", "type fixedcamid trackbodyid orthographic"),
        **fields("f8", "lookat", (3,)),
        **fields("f8", "distance azimuth elevation"),
    }
    DEFAULTS = {"fixedcamid": -1, "trackbodyid": -1, "distance": 2, "azimuth": 90, "elevation": -45}


class MjvGLCamera(_Drawn):
    """A camera as the renderer has it: pose and frustum."""

    FIELDS = {
        **fields("f4", "pos forward up", (3,)),
        **fields("f4", "frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far"),
        **fields("i4", "orthographic"),
    }


class MjvGeom(_Drawn):
    """A shape to draw."""

    FIELDS = {
        **fields("i4", "type dataid objtype objid category matid texid texuniform texcoord segid"),
        **fields("f4", "size pos", (3,)),
        **fields("f4", "mat", (3, 3)),
        **fields("f4", "rgba", (4,)),
        **fields("f4", "emission specular shininess reflectance"),
        **fields("f4", "texrepeat", (2,)),
        **fields("i4", "castshadow transparent"),
        **fields("f4", "camdist modelrbound"),
        **fields("O", "label"),
    }
    DEFAULTS = {
        "type": 1001, "dataid": -1, "matid": -1, "texid": -1, "size": 0.1, "mat": np.eye(3), "rgba": (0.5, 0.5, 0.5, 1),
        "specular": 0.5, "shininess": 0.5, "castshadow": 1, "label": "",
    }  # fmt: skip


class MjvLight(_Drawn):
    """A light."""

    FIELDS = {
        **fields("i4", "id type texid headlight castshadow"),
        **fields("f4", "pos dir attenuation ambient diffuse specular", (3,)),
        **fields("f4", "cutoff exponent bulbradius intensity range softness"),
    }


class MjvOption(_Drawn):
    """What is drawn."""

    FIELDS = {
        **fields("i4", "label frame bvh_depth flex_layer"),
        **fields("u1", "geomgroup sitegroup jointgroup tendongroup actuatorgroup flexgroup skingroup", (6,)),
        **fields("u1", "flags", (31,)),
    }
    # The flags that are on: members of mjtVisFlag.
    DEFAULTS = {
        "bvh_depth": 1,
        "flags": [int(i in (1, 7, 8, 13, 22, 23, 25, 27)) for i in range(31)],
        **dict.fromkeys("geomgroup sitegroup jointgroup tendongroup actuatorgroup flexgroup skingroup".split(), GROUPS),
    }


def _lines(n: int) -> Fields:
    return {**fields("i4", "linepnt", (n,)), **fields("f4", "linergb", (n, 3)), **fields("f4", "linedata", (n, 2002))}


class MjvFigure(_Drawn):
    """A plot of lines."""

    FIELDS = {
        **fields("i4", "flg_legend flg_extend flg_barplot flg_selection flg_symmetric legendoffset subplot highlightid"),
        **fields("i4", "flg_ticklabel gridsize highlight xaxispixel yaxispixel", (2,)),
        **fields("f4", "linewidth gridwidth selection"),
        **fields("f4", "gridrgb textrgb", (3,)),
        **fields("f4", "figurergba panergba legendrgba", (4,)),
        **fields("f4", "range", (2, 2)),
        **fields("f4", "xaxisdata yaxisdata", (2,)),
        **fields("O", "xformat yformat minwidth title xlabel"),
        **fields("O", "linename", (100,)),
        **_lines(100),
    }
    DEFAULTS = {
        **dict.fromkeys(("xformat", "yformat", "minwidth", "title", "xlabel", "linename"), ""),
        "flg_legend": 1, "flg_extend": 1, "linewidth": 3, "gridwidth": 1, "gridsize": 2, "gridrgb": 0.4, "textrgb": 1,
        "figurergba": (0.1, 0.1, 0.1, 0.5), "legendrgba": (0, 0, 0, 0.3), "highlightid": -1,
    }  # fmt: skip


# First entries, and the counts from which they follow.
ADDRESSES = {
    "flexvertadr": "flexvertnum",
    "flexedgeadr": "flexedgenum",
    "flexfaceadr": "flexfaceused",
    "skinvertadr": "skinvertnum",
}


class MjvScene(_Drawn):
    """What is to be drawn of a state: shapes, lights, cameras.

    The first ``ngeom`` of ``geoms`` are drawn. Where a state shows more than ``maxgeom``, the list grows, and ``maxgeom`` with it.
    """

    FIELDS = {
        **fields("i4", "ngeom nflex nskin nlight enabletransform stereo framewidth status"),
        **fields("i4", "flexvertopt flexedgeopt flexfaceopt flexskinopt"),
        **fields("f4", "translate framergb", (3,)),
        **fields("f4", "rotate", (4,)),
        **fields("f4", "scale"),
        **fields("u1", "flags", (12,)),
    }
    DEFAULTS = {"rotate": (1, 0, 0, 0), "scale": 1, "flags": [1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1]}

    def __init__(self, model: Any = None, maxgeom: int = 0) -> None:
        if model is not None and not isinstance(model, _core.MjModel):
            raise TypeError(f"`model` must be an MjModel, not {type(model).__name__}")
        maxgeom = operator.index(maxgeom)
        if maxgeom < 0:
            raise ValueError(f"`maxgeom` must not be negative: it is {maxgeom}")
        # Not by assignment: a subclass may have properties of these names.
        self.__dict__.update(
            _native=_core.Scene(),
            _geoms=Growing(MjvGeom, maxgeom),
            _lights=Growing(MjvLight, 100),
            _cameras=Growing(MjvGLCamera, 2),
            _skinfacenum=np.zeros(0, np.int32) if model is None else np.array(model.skin_facenum, np.int32),
        )

    @property
    def maxgeom(self) -> int:
        """Number of geoms that there is room for."""
        return len(self.__dict__["_geoms"])

    @property
    def geoms(self) -> RecordList:
        """Geoms; the first ``ngeom`` are drawn."""
        return self.__dict__["_geoms"]

    @property
    def lights(self) -> RecordList:
        """Lights; the first ``nlight`` shine."""
        return self.__dict__["_lights"]

    @property
    def camera(self) -> RecordList:
        """Cameras of the left and the right eye."""
        return self.__dict__["_cameras"]

    def _surface(self, name: str) -> np.ndarray:
        """Returns a field of the surfaces of flexes and skins, as a copy."""
        surfaces = self.__dict__["_native"]._surfaces()
        if name in surfaces:
            return surfaces[name]
        counts = surfaces[ADDRESSES[name]]
        return (np.cumsum(counts) - counts).astype(np.int32)

    @property
    def flexvertadr(self) -> np.ndarray:
        """First vertex of each flex."""
        return self._surface("flexvertadr")

    @property
    def flexvertnum(self) -> np.ndarray:
        """Number of vertices of each flex."""
        return self._surface("flexvertnum")

    @property
    def flexedgeadr(self) -> np.ndarray:
        """First edge of each flex."""
        return self._surface("flexedgeadr")

    @property
    def flexedgenum(self) -> np.ndarray:
        """Number of edges of each flex."""
        return self._surface("flexedgenum")

    @property
    def flexfaceadr(self) -> np.ndarray:
        """First face of each flex."""
        return self._surface("flexfaceadr")

    @property
    def flexfacenum(self) -> np.ndarray:
        """Number of faces of each flex that there is room for: as many as are shown."""
        return self._surface("flexfaceused")

    @property
    def flexfaceused(self) -> np.ndarray:
        """Number of faces of each flex that are shown."""
        return self._surface("flexfaceused")

    @property
    def flexvert(self) -> np.ndarray:
        """Vertices of flexes, three numbers each."""
        return self._surface("flexvert")

    @property
    def flexedge(self) -> np.ndarray:
        """Edges of flexes, two vertices each."""
        return self._surface("flexedge")

    @property
    def flexface(self) -> np.ndarray:
        """Corners of the shown faces of flexes, nine numbers each."""
        return self._surface("flexface")

    @property
    def flexnormal(self) -> np.ndarray:
        """Normals at the corners of the shown faces of flexes, nine numbers each."""
        return self._surface("flexnormal")

    @property
    def flextexcoord(self) -> np.ndarray:
        """Texture coordinates at the corners of the shown faces of flexes, six numbers each; empty where there are none."""
        return self._surface("flextexcoord")

    @property
    def skinfacenum(self) -> np.ndarray:
        """Number of faces of each skin."""
        return self.__dict__["_skinfacenum"].copy()

    @property
    def skinvertadr(self) -> np.ndarray:
        """First vertex of each skin."""
        return self._surface("skinvertadr")

    @property
    def skinvertnum(self) -> np.ndarray:
        """Number of vertices of each skin."""
        return self._surface("skinvertnum")

    @property
    def skinvert(self) -> np.ndarray:
        """Vertices of skins, three numbers each."""
        return self._surface("skinvert")

    @property
    def skinnormal(self) -> np.ndarray:
        """Normals at the vertices of skins, three numbers each."""
        return self._surface("skinnormal")

    def _push(self, geoms: bool = True) -> Any:
        """Takes over what users wrote, and returns the engine's scene."""
        of = self.__dict__
        parts = [("_lights", MjvScene.nlight, "nlight")] + [("_geoms", MjvScene.ngeom, "ngeom")] * geoms
        columns = []
        for part, count, name in parts:
            n, room = count.__get__(self), len(of[part])
            if not 0 <= n <= room:
                raise ValueError(f"`{name}` of the scene is {n}: there is room for 0 to {room}")
            columns.append(of[part].first(n))
        of["_native"]._set(self, of["_cameras"].first(2), columns[0], columns[1] if geoms else None)
        return of["_native"]

    def _pull(self) -> None:
        """Shows the engine's scene in all fields and columns."""
        of = self.__dict__
        cameras, lights, geoms = of["_native"]._get(self)
        of["_cameras"].fill(cameras)
        MjvScene.nlight.__set__(self, of["_lights"].fill(lights))
        MjvScene.ngeom.__set__(self, of["_geoms"].fill(geoms))

    def __copy__(self) -> Any:
        copy = super().__copy__()
        MjvScene.__init__(copy, None, self.maxgeom)
        for part in ("_cameras", "_lights", "_geoms"):
            copy.__dict__[part].fill(self.__dict__[part].first(len(self.__dict__[part])))
        copy.__dict__["_native"] = self._push()._copy()
        copy.__dict__["_skinfacenum"] = self.skinfacenum
        return copy

    def __reduce__(self) -> Any:
        raise TypeError("a scene can't be pickled: fill another one from model and data")


class MjrRect(_Drawn):
    """A rectangle in pixels."""

    FIELDS = fields("i4", "left bottom width height")

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        self.left, self.bottom, self.width, self.height = left, bottom, width, height
