"""Specs from text, files and archives, and to them."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import _core
from .._errors import FatalError

if TYPE_CHECKING:
    from ._spec import MjSpec


def _bytes(name: str, content: Any) -> bytes:
    if isinstance(content, str):
        return content.encode()
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content)
    raise TypeError(f"the content of {name!r} must be bytes or a string, not {type(content).__name__}")


def gathered(*sets: Mapping[str, Any] | None) -> dict[str, bytes]:
    """Collects files in memory, by name; of two with one name and different directories, the first."""
    out: dict[str, bytes] = {}
    known: set[str] = set()
    for files in sets:
        if files is not None and not isinstance(files, Mapping):
            raise TypeError(f"files must be a dictionary of bytes, not {type(files).__name__}")
        for name, content in (files or {}).items():
            if not isinstance(name, str):
                raise TypeError(f"names of files must be strings, not {type(name).__name__}")
            base = name.rsplit("/", 1)[-1]
            if base not in known:
                known.add(base)
                out[name] = _bytes(name, content)
    return out


def _vfs(vfs: Any) -> dict[str, bytes]:
    if vfs is None:
        return {}
    if not hasattr(vfs, "files"):
        raise TypeError(f"`vfs` must be an MjVfs, not {type(vfs).__name__}")
    return vfs.files()


def from_string(xml: str, include: Any = None, assets: dict | None = None, vfs: Any = None) -> MjSpec:
    """Makes a spec of MJCF or URDF text. ``include`` holds files that it includes, ``assets`` those of assets."""
    from ._spec import MjSpec

    if not isinstance(xml, str):
        raise TypeError(f"`xml` must be a string, not {type(xml).__name__}")
    core = _core.SpecCore._text(xml, gathered(include, _vfs(vfs)))
    return _with(MjSpec(core), assets)


def from_file(filename: Any, include: Any = None, assets: dict | None = None, vfs: Any = None) -> MjSpec:
    """Makes a spec of an MJCF or URDF file. ``include`` holds files that it includes, ``assets`` those of assets."""
    from ._spec import MjSpec

    path = os.fspath(filename)
    files = gathered(include, _vfs(vfs))
    if path.lower().endswith((".stl", ".obj", ".msh")):
        return _of_mesh(path, files, assets)
    spec = MjSpec(_core.SpecCore._path(path, files))
    spec.modelfiledir = os.path.join(os.path.dirname(path), "") if os.path.dirname(path) else ""
    return _with(spec, assets)


def _of_mesh(path: str, files: dict[str, bytes], assets: dict | None) -> Any:
    """Makes a spec of one mesh, which is read at once."""
    from ._spec import MjSpec

    spec = MjSpec()
    spec.add_mesh(name=os.path.splitext(os.path.basename(path))[0], file=os.path.basename(path))
    spec.modelfiledir = os.path.join(os.path.dirname(path), "") if os.path.dirname(path) else ""
    _with(spec, {**files, **(assets or {})})
    spec.compile()
    return spec


def _with(spec: Any, assets: dict | None) -> Any:
    if assets is not None:
        spec.assets = assets
    return spec


def from_zip(file: Any) -> MjSpec:
    """Makes a spec of an archive of an MJCF file with its assets: a path, or an open file."""
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            return from_zip(opened)
    if not hasattr(file, "read"):
        raise TypeError(f"`file` must be a path or an open file, not {type(file).__name__}")
    text, assets = None, {}
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile as error:
        raise ValueError(f"the file is no archive: {error}") from None
    with archive:
        names = [info.filename for info in archive.infolist() if not info.is_dir()]
        models = sorted((n for n in names if n.endswith(".xml")), key=lambda n: (n.count("/"), n))
        if not models:
            raise ValueError("XML file not found in zip file.")
        root = models[0].rpartition("/")[0]
        text = archive.read(models[0]).decode()
        for name in names:
            if name != models[0]:
                assets[name.removeprefix(f"{root}/") if root else name] = archive.read(name)
    include = {name: content for name, content in assets.items() if name.endswith(".xml")}
    return from_string(text, include=include, assets=assets)


def to_zip(spec: Any, file: Any) -> None:
    """Writes an archive of the model with its assets: to a path, or to an open file."""
    if isinstance(file, (str, os.PathLike)):
        with open(file, "wb") as opened:
            return to_zip(spec, opened)
    if not hasattr(file, "write"):
        raise TypeError(f"`file` must be a path or an open file, not {type(file).__name__}")
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{spec.modelname or 'model'}.xml", to_xml(spec))
        for name, content in spec.assets.items():
            archive.writestr(name, _bytes(name, content))
    return None


def to_xml(spec: Any) -> str:
    """Returns a spec as MJCF text."""
    from ._assemble import build

    if spec._attached:
        raise ValueError("Error: cannot compile child spec if attached by reference to a parent spec")
    core, _ = build(spec)
    text = core._write()
    if spec.comment:
        text = f"<!-- {spec.comment.replace('--', '- -')} -->\n{text}"
    return text


def encode(spec: Any, filename: Any, model: Any, content_type: str | None) -> int:
    """Writes a spec to a file, and returns how many bytes."""
    path = os.fspath(filename)
    ending = os.path.splitext(path)[1].lower()
    kind = content_type or {
        ".xml": "text/xml",
        ".mjcf": "text/xml",
        ".mjz": "application/zip",
        ".zip": "application/zip",
    }.get(ending)
    if kind == "text/xml":
        data = to_xml(spec).encode()
    elif kind == "application/zip":
        buffer = io.BytesIO()
        to_zip(spec, buffer)
        data = buffer.getvalue()
    else:
        raise FatalError(f"could not find an encoder for {path!r}")
    with open(os.fspath(path), "wb") as file:
        return file.write(data)


def resolve_orientation(degree: bool, sequence: Any = None, orientation: Any = None) -> list[float]:
    """Returns an orientation in any form as a quaternion."""
    from ._fields import MjsOrientation

    if not isinstance(orientation, MjsOrientation):
        raise TypeError(f"`orientation` must be an MjsOrientation, not {type(orientation).__name__}")
    form = int(orientation.type)
    names = {1: "axisangle", 2: "xyaxes", 3: "zaxis", 4: "euler"}
    numbers = getattr(orientation, names[form]).tolist() if form in names else []
    return list(_core._spec_quat(form, numbers, bool(degree), "".join(sequence or "xyz")))
