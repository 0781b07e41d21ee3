"""Elements outside the tree: assets, relations, actuators, sensors, custom fields, keyframes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core, _enums
from ._element import CLASSES, Classed, MjsElement
from ._fields import TABLE

# Kinds with the names of their lists.
LISTED = {
    "mesh": "meshes", "hfield": "hfields", "texture": "textures", "material": "materials", "skin": "skins",
    "flex": "flexes", "pair": "pairs", "exclude": "excludes", "equality": "equalities", "tendon": "tendons",
    "actuator": "actuators", "sensor": "sensors", "numeric": "numerics", "text": "texts", "tuple": "tuples",
    "key": "keys", "plugin": "plugins",
}  # fmt: skip


class MjsMesh(Classed):
    """A mesh."""

    __slots__ = ()
    KIND = "mesh"

    def _make(self, shape: str, *parameters: Any) -> None:
        numbers = np.concatenate([np.asarray(p, float).reshape(-1) for p in parameters])
        self._set(TABLE["mesh"]["_builtin"][0], shape)
        self._set(TABLE["mesh"]["_params"][0], numbers)
        for field in ("uservert", "usernormal", "usertexcoord"):
            setattr(self, field, [])
        self.userface = []

    def make_sphere(self, subdivision: int) -> None:
        """Makes the mesh a sphere of an icosahedron that is divided so many times."""
        self._make("sphere", int(subdivision))

    def make_hemisphere(self, resolution: int) -> None:
        """Makes the mesh half a sphere."""
        self._make("hemisphere", int(resolution))

    def make_cone(self, nedge: int, radius: float) -> None:
        """Makes the mesh a cone, or a prism if the upper radius is not zero."""
        self._make("cone", int(nedge), float(radius))

    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        """Makes the mesh a supertorus."""
        self._make("supertorus", int(resolution), radius, s, t)

    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        """Makes the mesh a supersphere."""
        self._make("supersphere", int(resolution), e, n)

    def make_wedge(self, resolution: Any = (0, 0), fov: Any = (0.0, 0.0), gamma: float = 0) -> None:
        """Makes the mesh a part of a sphere, as a camera sees it."""
        self._make("wedge", _sized("resolution", resolution, 2), _sized("fov", fov, 2), float(gamma))

    def make_plate(self, resolution: Any = (0, 0)) -> None:
        """Makes the mesh a flat rectangle."""
        self._make("plate", _sized("resolution", resolution, 2))

    def _grid(self, shape: str, count: Any, spacing: Any, dim: int | None) -> None:
        more = [] if dim is None else [int(dim)]
        self._make(shape, _sized("count", count, 3), _sized("spacing", spacing, 3), more)

    def make_grid(self, count: Any, spacing: Any, dim: int = 3) -> None:
        """Makes the mesh a grid of points."""
        self._grid("grid", count, spacing, dim)

    def make_box(self, count: Any, spacing: Any, dim: int = 3) -> None:
        """Makes the mesh the surface of a box of points."""
        self._grid("box", count, spacing, dim)

    def make_cylinder(self, count: Any, spacing: Any, dim: int = 3) -> None:
        """Makes the mesh the surface of a cylinder of points."""
        self._grid("cylinder", count, spacing, dim)

    def make_ellipsoid(self, count: Any, spacing: Any, dim: int = 3) -> None:
        """Makes the mesh the surface of an ellipsoid of points."""
        self._grid("ellipsoid", count, spacing, dim)

    def make_square(self, count: Any, spacing: Any) -> None:
        """Makes the mesh a square of points."""
        self._grid("square", count, spacing, None)

    def make_disc(self, count: Any, spacing: Any) -> None:
        """Makes the mesh a disc of points."""
        self._grid("disc", count, spacing, None)


def _sized(name: str, value: Any, count: int) -> np.ndarray:
    numbers = np.asarray(value, float)
    if numbers.shape != (count,):
        raise ValueError(f"{name} should be a list/array of size {count}.")
    return numbers


class MjsActuator(Classed):
    """An actuator."""

    __slots__ = ()
    KIND = "actuator"

    def _set_to(self, element: str, **numbers: Any) -> None:
        given = [(name, np.asarray(value, float).reshape(-1).tolist()) for name, value in numbers.items()]
        _core._spec_set_to(self, element, given)

    def set_to_motor(self) -> None:
        """Makes the actuator a motor: the force is the control."""
        self._set_to("motor")

    def set_to_position(
        self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = False
    ) -> None:
        """Makes the actuator a position servo."""
        self._set_to("position", kp=kp, kv=kv, dampratio=dampratio, timeconst=timeconst, inheritrange=inheritrange)

    def set_to_intvelocity(
        self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = False
    ) -> None:
        """Makes the actuator a position servo whose control is the velocity of the setpoint."""
        self._set_to("intvelocity", kp=kp, kv=kv, dampratio=dampratio, timeconst=timeconst, inheritrange=inheritrange)

    def set_to_velocity(self, kv: float) -> None:
        """Makes the actuator a velocity servo."""
        self._set_to("velocity", kv=kv)

    def set_to_orientation(self, kp: float, kv: float = -1, dampratio: float = -1, ctrlspec: int = 0) -> None:
        """Makes the actuator a servo of an orientation."""
        self._set_to("orientation", kp=kp, kv=kv, dampratio=dampratio, ctrlspec=ctrlspec)

    def set_to_pid(
        self,
        kp: float,
        kv: float = -1,
        dampratio: float = -1,
        ki: float = -1,
        imax: float = -1,
        slewmax: float = -1,
        inheritrange: float = 0,
        ctrlspec: int = 0,
    ) -> None:
        """Makes the actuator a servo with proportional, derivative and integral terms."""
        gains = {"kp": kp, "kv": kv, "dampratio": dampratio, "ki": ki, "imax": imax, "slewmax": slewmax}
        self._set_to("pid", **gains, inheritrange=inheritrange, ctrlspec=ctrlspec)

    def set_to_damper(self, kv: float) -> None:
        """Makes the actuator a damper whose coefficient is the control."""
        self._set_to("damper", kv=kv)

    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = -1) -> None:
        """Makes the actuator a cylinder."""
        self._set_to("cylinder", timeconst=timeconst, bias=bias, area=area, diameter=diameter)

    def set_to_muscle(
        self,
        timeconst: Any = (-1.0, -1.0),
        tausmooth: float = 0,
        range: Any = (-1.0, -1.0),  # noqa: A002
        force: float = -1,
        scale: float = -1,
        lmin: float = -1,
        lmax: float = -1,
        vmax: float = -1,
        fpmax: float = -1,
        fvmax: float = -1,
    ) -> None:
        """Makes the actuator a muscle; negative numbers stand for the usual ones."""
        times = np.broadcast_to(np.asarray(timeconst, float), (2,))
        lengths = {"lmin": lmin, "lmax": lmax, "vmax": vmax, "fpmax": fpmax, "fvmax": fvmax}
        self._set_to("muscle", timeconst=times, tausmooth=tausmooth, range=range, force=force, scale=scale, **lengths)

    def set_to_adhesion(self, gain: float) -> None:
        """Makes the actuator an adhesive one."""
        self._set_to("adhesion", gain=gain)

    def set_to_dcmotor(
        self,
        motorconst: Any,
        resistance: float,
        nominal: Any = (0.0, 0.0, 0.0),
        saturation: Any = (0.0, 0.0, 0.0),
        inductance: Any = (0.0, 0.0),
        cogging: Any = (0.0, 0.0, 0.0),
        controller: Any = (0.0,) * 6,
        thermal: Any = (0.0,) * 6,
        lugre: Any = (0.0,) * 5,
        ctrlspec: int = 0,
    ) -> None:
        """Makes the actuator a DC motor."""
        given = {"motorconst": motorconst, "resistance": resistance, "nominal": nominal, "saturation": saturation}
        given |= {"inductance": inductance, "cogging": cogging, "controller": controller, "thermal": thermal}
        self._set_to("dcmotor", **given, lugre=lugre, ctrlspec=ctrlspec)


# Numbers of outputs of sensors that have one size; others are looked up below.
_SIZES = {
    3: "ACCELEROMETER VELOCIMETER GYRO FORCE TORQUE MAGNETOMETER BALLANGVEL FRAMEPOS FRAMEXAXIS FRAMEYAXIS FRAMEZAXIS "
    "FRAMELINVEL FRAMEANGVEL FRAMELINACC FRAMEANGACC SUBTREECOM SUBTREELINVEL SUBTREEANGMOM GEOMNORMAL",
    4: "BALLQUAT FRAMEQUAT",
    6: "GEOMFROMTO",
    2: "CAMPROJECTION",
}
_CONTACT = (1, 3, 3, 1, 3, 3, 3)
_RAY = (1, 3, 3, 3, 3, 1)


class MjsSensor(MjsElement):
    """A sensor."""

    __slots__ = ()
    KIND = "sensor"

    def get_data_size(self) -> int:
        """Returns the number of outputs."""
        kind, (spec, _, num) = int(self.type), (int(x) for x in self.intprm)
        name = getattr(self.type, "name", "").removeprefix("mjSENS_")
        if name == "USER":
            return self.dim
        if name == "CONTACT":
            return num * sum(size for bit, size in enumerate(_CONTACT) if spec >> bit & 1)
        if name == "RANGEFINDER":
            rays = 1
            if self.objtype == _enums.mjtObj.mjOBJ_CAMERA:
                camera = self._spec.camera(self.objname)
                rays = 1 if camera is None else int(camera.resolution[0]) * int(camera.resolution[1])
            return rays * sum(size for bit, size in enumerate(_RAY) if spec >> bit & 1)
        return next((size for size, names in _SIZES.items() if name in names.split()), 1 if kind >= 0 else 0)


def _simple(kind: str, name: str, doc: str, base: type) -> None:
    cls = type(name, (base,), {"__slots__": (), "KIND": kind, "__doc__": doc, "__module__": "mj"})
    globals()[name] = cls
    __all__.append(name)


__all__ = ["LISTED", "MjsActuator", "MjsMesh", "MjsSensor"]
_simple("hfield", "MjsHField", "A height field.", MjsElement)
_simple("texture", "MjsTexture", "A texture.", Classed)
_simple("material", "MjsMaterial", "A material.", Classed)
_simple("skin", "MjsSkin", "A skin.", MjsElement)
_simple("flex", "MjsFlex", "A flex.", MjsElement)
_simple("pair", "MjsPair", "A pair of geoms that may touch.", Classed)
_simple("exclude", "MjsExclude", "A pair of bodies that may not touch.", MjsElement)
_simple("equality", "MjsEquality", "An equality constraint.", Classed)
_simple("numeric", "MjsNumeric", "A custom field of numbers.", MjsElement)
_simple("text", "MjsText", "A custom text.", MjsElement)
_simple("tuple", "MjsTuple", "A custom list of objects.", MjsElement)


class MjsKey(MjsElement):
    """A keyframe."""

    __slots__ = ("_saved",)
    KIND = "key"

    def __init__(self, source: Any, spec: Any = None):
        super().__init__(source, spec)
        # Numbers by element, while the tree changes.
        self._saved: dict[Any, Any] | None = None


class MjsPlugin(MjsElement):
    """An instance of a plugin, which elements use by its name."""

    __slots__ = ()
    KIND = "plugin"


class MjsWrap:
    """An object in the path of a tendon."""

    __module__ = "mj"
    __slots__ = ("__weakref__", "_name", "_number", "_side", "_tendon", "_what", "info")

    def __init__(self, tendon: Any, what: str, name: str, side: str, number: float):
        self._tendon, self._what, self._name, self._side, self._number = tendon, what, name, side, number
        self.info = ""

    @property
    def type(self) -> Any:
        """Type of the object; that of a geom follows from its shape."""
        wrap = _enums.mjtWrap
        if self._what == "geom":
            target = self.target
            is_cylinder = target is not None and target.type == _enums.mjtGeom.mjGEOM_CYLINDER
            return wrap.mjWRAP_CYLINDER if is_cylinder else wrap.mjWRAP_SPHERE
        return {"joint": wrap.mjWRAP_JOINT, "site": wrap.mjWRAP_SITE, "pulley": wrap.mjWRAP_PULLEY}[self._what]

    @property
    def target(self) -> Any:
        """Element of the path; none of a pulley."""
        return getattr(self._tendon._spec, self._what)(self._name) if self._name else None

    @property
    def sidesite(self) -> Any:
        """Site that chooses the side; none if there is none."""
        return self._tendon._spec.site(self._side) if self._side else None

    @property
    def coef(self) -> float:
        """Coefficient of a joint."""
        return self._number if self._what == "joint" else 0.0

    @property
    def divisor(self) -> float:
        """Divisor of a pulley."""
        return self._number if self._what == "pulley" else 0.0

    def __repr__(self) -> str:
        return f"<MjsWrap {self._what} {self._name!r}>"


class MjsTendonPath:
    """The path of a tendon."""

    __module__ = "mj"
    __slots__ = ("__weakref__", "_wraps")

    def __init__(self) -> None:
        self._wraps: list[MjsWrap] = []

    def __len__(self) -> int:
        return len(self._wraps)

    def __getitem__(self, index: Any) -> Any:
        return self._wraps[index]

    def __iter__(self) -> Any:
        return iter(list(self._wraps))


class MjsTendon(Classed):
    """A tendon."""

    __slots__ = ("_path",)
    KIND = "tendon"

    def __init__(self, source: Any, spec: Any = None):
        super().__init__(source, spec)
        self._path = MjsTendonPath()

    @property
    def path(self) -> MjsTendonPath:
        """Objects that the tendon passes."""
        return self._path

    def default(self) -> Any:
        """Returns the default class."""
        return self._class or self._spec.default

    def _wrap(self, what: str, name: str, side: str = "", number: float = 0.0) -> MjsWrap:
        self._alive()
        for text in (name, side):
            if not isinstance(text, str):
                raise TypeError(f"names in a path must be strings, not {type(text).__name__}")
        wrap = MjsWrap(self, what, name, side, float(number))
        self._path._wraps.append(wrap)
        return wrap

    def wrap_site(self, name: str) -> MjsWrap:
        """Adds a site that the tendon passes."""
        return self._wrap("site", name)

    def wrap_geom(self, name: str, sidesite: str = "") -> MjsWrap:
        """Adds a geom that the tendon wraps around, and the site that chooses the side."""
        return self._wrap("geom", name, sidesite)

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """Adds a joint with its coefficient."""
        return self._wrap("joint", name, number=coef)

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Adds a pulley."""
        return self._wrap("pulley", "", number=divisor)


__all__ += ["MjsKey", "MjsPlugin", "MjsTendon", "MjsTendonPath", "MjsWrap"]
assert set(LISTED) <= set(CLASSES)
