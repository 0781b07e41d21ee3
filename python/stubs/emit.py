"""Text of stubs: functions, classes and their members, from the objects themselves."""

from __future__ import annotations

import enum
import inspect
import re
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from mj import _docs, _live, _records
from mj._specs import _fields

# Methods of Python that a stub shows where a class defines them.
_SPECIAL = "__init__ __new__ __call__ __len__ __iter__ __getitem__ __setitem__ __delitem__ __contains__ __enter__ __exit__".split()
# Types of attributes that the native module computes.
_NATIVE = {"time": "float", "model": "MjModel"}

# What describes an attribute more closely than its own text: from class and name.
Describe = Callable[[str, Any], str]


def documented(lines: list[str], doc: str | None, indent: str = "    ") -> list[str]:
    """Adds a docstring below lines."""
    if not doc:
        return lines
    text = inspect.cleandoc(doc).replace("\\", "\\\\").replace('"""', "'''").split("\n")
    if len(text) == 1:
        return [*lines, f'{indent}"""{text[0]}"""']
    body = [f"{indent}{line}".rstrip() for line in text[1:]]
    return [*lines, f'{indent}"""{text[0]}', *body, f'{indent}"""']


def _default(value: Any) -> str:
    if isinstance(value, enum.Enum):
        return str(int(value))
    return repr(value) if value is None or isinstance(value, (bool, int, float, str)) else "..."


def signature(function: Any, known: tuple[dict[str, str], str] | None = None) -> str:
    """Returns the arguments and the result of a function, as a stub has them."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return "(*args: Any, **kwargs: Any) -> Any"
    arguments, result = known or ({}, "")
    out, keyword = [], False
    for p in found.parameters.values():
        annotation = p.annotation if isinstance(p.annotation, str) else arguments.get(p.name, "Any")
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        if p.kind is p.KEYWORD_ONLY and not keyword:
            out.append("*")
        keyword |= p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        if p.name == "self" or (p.name == "cls" and not out):
            out.append(p.name)
            continue
        default = "" if p.default is p.empty else f" = {_default(p.default)}"
        out.append(f"{star}{p.name}: {annotation}{default}")
        if p.kind is p.POSITIONAL_ONLY and all(q.kind is not p.kind for q in list(found.parameters.values())[len(out) :]):
            out.append("/")
    if getattr(function, "__name__", "") == "__init__":
        result = "None"
    returned = found.return_annotation if isinstance(found.return_annotation, str) else result or "Any"
    return f"({', '.join(out)}) -> {returned}"


def function(name: str, f: Any, known: tuple[dict[str, str], str] | None = None, indent: str = "") -> list[str]:
    """Returns the stub of a function."""
    return bodied(f"{indent}def {name}{signature(f, known)}:", f.__doc__, indent + "    ")


def bodied(line: str, doc: str | None, indent: str = "        ") -> list[str]:
    """Returns the stub of a function from its first line: with a docstring, or without anything."""
    return documented([line], doc, indent) if doc else [f"{line} ..."]


def type_of(value: Any) -> str:
    """Returns the type of a value, as a stub names it."""
    if isinstance(value, np.ndarray):
        return f"NDArray[np.{value.dtype.name if value.dtype != bool else 'bool_'}]"
    if isinstance(value, bool):
        return "bool"
    for kind in (int, float, str, bytes):
        if type(value) is kind:
            return kind.__name__
    return type(value).__name__ if type(value).__module__.startswith("mj") else "Any"


def _array(value: np.ndarray) -> str:
    return f"Array[np.{value.dtype.name if value.dtype != bool else 'bool_'}]" if value.dtype != object else "Any"


def _property(name: str, member: property, sample: Any) -> list[str]:
    annotation = getattr(member.fget, "__annotations__", {}).get("return")
    if annotation == "Part":
        part = type(getattr(sample, name)).__name__
        annotation = "Any" if part.startswith("_") else part
    if annotation is None:
        annotation = _NATIVE.get(name) or (type_of(getattr(sample, name)) if sample is not None else "Any")
    lines = ["    @property", *bodied(f"    def {name}(self) -> {annotation}:", member.__doc__)]
    if member.fset is not None:
        taken = list(getattr(member.fset, "__annotations__", {}).values())
        lines += [f"    @{name}.setter", f"    def {name}(self, value: {taken[0] if taken else 'Any'}) -> None: ..."]
    return lines


def _member(cls: type, name: str, sample: Any, describe: Describe) -> list[str]:
    member = inspect.getattr_static(cls, name)
    doc = describe(name, member)
    if isinstance(member, (_live.Array, _live.Absent)):
        return documented([f"    {name}: {_array(getattr(sample, name))}"], doc)
    if isinstance(member, (_live.Snapshot, _live.Asked)):
        return ["    @property", *bodied(f"    def {name}(self) -> {type_of(getattr(sample, name))}:", doc)]
    if isinstance(member, (_records._Field, _fields.Field)):
        value = getattr(sample, name)
        if isinstance(value, (bool, int, float, str)) and not isinstance(value, enum.Enum):
            return documented([f"    {name}: {type_of(value)}"], doc)
        kind = _array(value) if isinstance(value, np.ndarray) else f"Live[{type_of(value)}]"
        return documented([f"    {name}: {kind}"], doc)
    if isinstance(member, property):
        return _property(name, member, sample)
    if isinstance(member, types.GetSetDescriptorType):
        kind = _NATIVE.get(name, "int")
        if name == "time":
            return documented([f"    {name}: {kind}"], doc)
        return ["    @property", *bodied(f"    def {name}(self) -> {kind}:", doc)]
    if isinstance(member, (classmethod, staticmethod)):
        mark = "classmethod" if isinstance(member, classmethod) else "staticmethod"
        inner = member.__func__
        return [f"    @{mark}", *function(name, inner, indent="    ")]
    if isinstance(member, types.FunctionType):
        return function(name, member, indent="    ")
    if member.__class__.__name__ == "_Size":
        return ["    @property", *bodied(f"    def {name}(self) -> int:", _docs.size(name))]
    if isinstance(member, type) and member.__module__.startswith("numpy"):
        return [f"    {name}: Any"]
    if isinstance(member, type):
        return [f"    {name} = {member.__name__}"]
    if isinstance(member, types.MethodDescriptorType):
        return function(name, member, indent="    ")
    return documented([f"    {name}: {type_of(member)}"], None)


def _plain(name: str, member: Any) -> str:
    return member.__doc__ or ""


def members(cls: type) -> list[str]:
    """Returns the names of the public members of a class, and the special methods that it defines."""
    names: dict[str, None] = {}
    for base in cls.__mro__:
        if base.__module__ in ("builtins", "enum") or base is object:
            continue
        for name, member in vars(base).items():
            special = name in _SPECIAL and isinstance(member, types.FunctionType)
            if special or (not name.startswith("_") and re.fullmatch(r"\w+", name)):
                names[name] = None
    skipped = {"FIELDS", "DEFAULTS", "KIND", "NAMES", "global"}
    return sorted(names.keys() - skipped, key=lambda name: (name in _SPECIAL and -1, name))


def klass(
    cls: type, sample: Any = None, base: str = "", describe: Describe = _plain, other: dict[str, list[str]] | None = None
) -> list[str]:
    """Returns the stub of a class; ``other`` has the lines of members that are made elsewhere."""
    other = other or {}
    lines = documented([f"class {cls.__name__}{f'({base})' if base else ''}:"], cls.__doc__ or cls.__name__)
    for name in members(cls):
        if name not in other:
            lines += _member(cls, name, sample, describe)
    for text in other.values():
        lines += text
    return [*lines, ""]
