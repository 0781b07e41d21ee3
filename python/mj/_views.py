"""Named access: `model.geom("hand").size`, `data.body(3).xpos`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

# mjtObj code of each kind of element with views, and the names of the methods that give them.
KINDS: dict[str, tuple[int, str]] = {
    "Body": (1, "body"),
    "Joint": (3, "joint jnt"),
    "Geom": (5, "geom"),
    "Site": (6, "site"),
    "Camera": (7, "camera cam"),
    "Light": (8, "light"),
    "Mesh": (10, "mesh"),
    "Skin": (11, "skin"),
    "Hfield": (12, "hfield"),
    "Texture": (13, "texture tex"),
    "Material": (14, "material mat"),
    "Pair": (15, "pair"),
    "Exclude": (16, "exclude"),
    "Equality": (17, "equality eq"),
    "Tendon": (18, "tendon ten"),
    "Actuator": (19, "actuator"),
    "Sensor": (20, "sensor"),
    "Numeric": (21, "numeric"),
    "Text": (22, "text"),
    "Tuple": (23, "tuple"),
    "Keyframe": (24, "key keyframe"),
}

# Where the rows of an element lie in an array: from the model and the number of the element.
Rows = Callable[[Any, int], slice]


def _own(model: Any, i: int) -> slice:
    return slice(i, i + 1)


def _dofs(model: Any, i: int) -> slice:
    adr = int(model.jnt_dofadr[i])
    return slice(adr, adr + (6, 3, 1, 1)[model.jnt_type[i]])


def _coordinates(model: Any, i: int) -> slice:
    adr = int(model.jnt_qposadr[i])
    return slice(adr, adr + (7, 4, 1, 1)[model.jnt_type[i]])


def _counted(adr: str, num: str) -> Rows:
    def rows(model: Any, i: int) -> slice:
        start, n = int(getattr(model, adr)[i]), int(getattr(model, num)[i])
        return slice(start, start + n) if start >= 0 else slice(0, 0)

    return rows


def _joint_plastic(model: Any, i: int) -> slice:
    adr = int(model.jnt_plasticadr[i])
    return slice(adr, adr + (0, 4, 1, 1)[model.jnt_type[i]]) if adr >= 0 else slice(0, 0)


def _tendon_plastic(model: Any, i: int) -> slice:
    adr = int(model.tendon_plasticadr[i])
    return slice(adr, adr + 2) if adr >= 0 else slice(0, 0)


_controls = _counted("actuator_ctrladr", "actuator_ctrlnum")
_outputs = _counted("actuator_outadr", "actuator_outnum")
_readings = _counted("sensor_adr", "sensor_dim")

# Fields of one kind of element: attribute, array, rows.
Fields = dict[str, tuple[str, Rows]]


def _prefixed(names: list[str], prefix: str, rows: Rows = _own) -> Fields:
    return {n.removeprefix(prefix): (n, rows) for n in names if n.startswith(prefix)}


def model_fields(kind: str, names: list[str]) -> Fields:
    """Lists the fields of a kind of element in a model whose arrays have these names."""
    prefix = {"Joint": "jnt_", "Camera": "cam_", "Texture": "tex_", "Material": "mat_", "Equality": "eq_", "Keyframe": "key_"}
    out = _prefixed(names, prefix.get(kind, kind.lower() + "_"))
    if kind == "Joint":
        out |= _prefixed(names, "dof_", _dofs)
        out |= {"qpos0": ("qpos0", _coordinates), "qpos_spring": ("qpos_spring", _coordinates)}
    elif kind == "Actuator":
        out |= {n: (f"actuator_{n}", _controls) for n in ("ctrllimited", "ctrlrange")}
        out |= {n: (f"actuator_{n}", _outputs) for n in ("gear", "acc0", "length0", "lengthrange")}
    elif kind == "Tendon":
        out |= {"_" + n: field for n, field in list(out.items())}
        out |= {n: (f"ten_{n}", _own) for n in ("J_rownnz", "J_rowadr")}
        out["J_colind"] = ("ten_J_colind", _counted("ten_J_rowadr", "ten_J_rownnz"))
    elif kind == "Numeric":
        out["data"] = ("numeric_data", _counted("numeric_adr", "numeric_size"))
    elif kind == "Text":
        out["data"] = ("_text_data", _counted("text_adr", "text_size"))
    elif kind == "Tuple":
        out |= {n: (f"tuple_{n}", _counted("tuple_adr", "tuple_size")) for n in ("objid", "objprm", "objtype")}
    elif kind == "Hfield":
        out["data"] = ("hfield_data", lambda m, i: slice(int(m.hfield_adr[i]), int(m.hfield_adr[i] + m.hfield_nrow[i] * m.hfield_ncol[i])))  # fmt: skip
    elif kind == "Texture":
        out["data"] = ("tex_data", lambda m, i: slice(int(m.tex_adr[i]), int(m.tex_adr[i] + m.tex_height[i] * m.tex_width[i] * m.tex_nchannel[i])))  # fmt: skip
    elif kind in ("Mesh", "Skin"):
        # Vertices and faces lie in arrays of their own length.
        out = {n: f for n, f in out.items() if n in ("matid", "group", "rgba", "inflate") or n.endswith(("adr", "num", "scale", "pos", "quat"))}  # fmt: skip
    return out


def data_fields(kind: str) -> Fields:
    """Lists the fields of a kind of element in data."""

    def each(rows: Rows, prefix: str, names: str) -> Fields:
        return {n: (prefix + n, rows) for n in names.split()}

    match kind:
        case "Body":
            return each(_own, "", "xpos xquat xmat xipos xiquat ximat subtree_com cinert crb cvel subtree_linvel subtree_angmom") | each(_own, "", "cacc cfrc_int cfrc_ext xfrc_applied")  # fmt: skip
        case "Joint":
            own = each(_own, "", "xanchor xaxis")
            dofs = "qvel qacc qacc_warmstart qfrc_applied cdof cdof_dot qLDiagInv qfrc_bias qfrc_passive qfrc_actuator"
            more = "qfrc_smooth qacc_smooth qfrc_constraint qfrc_inverse"
            return own | each(_dofs, "", f"{dofs} {more}") | each(_coordinates, "", "qpos") | each(_joint_plastic, "", "plastic")  # fmt: skip
        case "Geom" | "Site":
            return each(_own, kind.lower() + "_", "xpos xquat xmat")
        case "Camera":
            return each(_own, "cam_", "xpos xmat")
        case "Light":
            return each(_own, "light_", "xpos xdir")
        case "Tendon":
            return each(_own, "ten_", "length velocity wrapadr wrapnum") | each(_tendon_plastic, "", "plastic")
        case "Actuator":
            return each(_controls, "", "ctrl") | each(_outputs, "actuator_", "length velocity force")
        case "Sensor":
            return {"data": ("sensordata", _readings)}
    return {}


class Views:
    """Fields of one element, as parts of the arrays of a model or data."""

    _fields: Fields = {}

    def __init__(self, owner: Any, model: Any, number: int, name: str):
        self.__dict__.update(_owner=owner, _model=model, id=number, name=name)

    def __getattr__(self, attribute: str) -> np.ndarray:
        found = self._fields.get(attribute)
        if found is None:
            raise AttributeError(f"{type(self).__name__} has no field {attribute!r}; it has {', '.join(self._fields)}")
        array, rows = found
        part = getattr(self._owner, array)[rows(self._model, self.id)]
        if part.ndim > 1 and part.shape[0] == 1 and rows is not _dofs:
            part = part[0]
        if attribute == "data" and type(self).__name__ == "_MjModelHfieldViews":
            part = part.reshape(int(self.nrow[0]), int(self.ncol[0]))
        elif attribute == "data" and type(self).__name__ == "_MjModelTextureViews":
            part = part.reshape(int(self.height[0]), int(self.width[0]), int(self.nchannel[0]))
        self.__dict__[attribute] = part
        return part

    def __setattr__(self, attribute: str, value: Any) -> None:
        getattr(self, attribute)[...] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields, "id", "name"]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._owner is self._owner and other.id == self.id

    def __hash__(self) -> int:
        return hash((id(self._owner), type(self).__name__, self.id))

    def __repr__(self) -> str:
        lines = [f"  id: {self.id}\n", f"  name: {self.name!r}\n"]
        lines += [f"  {n}: {getattr(self, n)!r}\n" for n in sorted(self._fields)]
        return f"<{type(self).__name__}\n{''.join(lines)}>"


class DataActuatorViews(Views):
    """Fields of an actuator in data; its moment arms are a copy."""

    def __getattr__(self, attribute: str) -> np.ndarray:
        if attribute != "moment":
            return super().__getattr__(attribute)
        d, m = self._owner, self._model
        rows = _outputs(m, self.id)
        dense = np.zeros((rows.stop - rows.start, m.nv))
        for k, row in enumerate(range(rows.start, rows.stop)):
            adr, n = d.moment_rowadr[row], d.moment_rownnz[row]
            dense[k, d.moment_colind[adr : adr + n]] = d.actuator_moment[adr : adr + n]
        dense.setflags(write=False)
        return dense[0] if len(dense) == 1 else dense


def accessors(struct: str, of: dict[str, Fields]) -> dict[str, Callable]:
    """Makes the methods that give views, of fields by kind of element."""
    methods: dict[str, Callable] = {}
    for kind, (code, names) in KINDS.items():
        if not of.get(kind):
            continue
        base = DataActuatorViews if (struct, kind) == ("MjData", "Actuator") else Views
        cls = type(f"_{struct}{kind}Views", (base,), {"_fields": of[kind], "__module__": "mj._structs"})
        method = _accessor(code, kind, cls)
        methods |= dict.fromkeys(names.split(), method)
    return methods


def _accessor(code: int, kind: str, cls: type[Views]) -> Callable:
    def views(self: Any, key: int | str = "") -> Views:
        model = getattr(self, "model", self)
        cache = self.__dict__.setdefault("_views", {})
        found = cache.get((cls, key))
        if found is not None:
            return found
        names = model._all_names(code)
        if isinstance(key, str):
            number = model._find(code, key) if key else None
            if number is None:
                valid = sorted(n for n in names if n)
                raise KeyError(f"Invalid name '{key}'. Valid names: {valid}")
        else:
            number = operator.index(key)
            if not 0 <= number < len(names):
                raise IndexError(f"Invalid index {number}. Valid indices from 0 to {len(names) - 1}")
        views = cache.setdefault((cls, number), cls(self, model, number, names[number]))
        cache[(cls, key)] = views
        return views

    views.__name__ = kind.lower()
    views.__doc__ = f"Returns the fields of a {kind.lower()}, by name or number."
    return views
