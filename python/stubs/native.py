"""Types of the arguments and results of native functions, from their declarations in Rust."""

from __future__ import annotations

import re
from pathlib import Path

_FUNCTION = re.compile(r"\bfn\s+(\w+)(?:<[^>]*>)?\s*\(([^)]*)\)\s*->\s*([^{;$]+)\{")
_NAME = re.compile(r'name\s*=\s*"(\w+)"')
# Functions that a macro lists by name: of model and data, or of these and arrays. They return nothing.
_LISTED = re.compile(r"^\s+(mj\w+)(?:\([^)]*\))?\s*=\s", re.MULTILINE)

_ARRAYS = ("Vec<f64>", "Vec<f32>", "Vec<i32>", "DVec3", "DQuat", "DMat3", "[f64", "Matrix", "Vec<bool>", "Vec<u8>")
_INTEGERS = ("i64", "i32", "u64", "u32", "usize", "u8")


def _argument(rust: str) -> str:
    rust = rust.strip()
    optional = re.fullmatch(r"Option<(.*)>", rust)
    if optional:
        inner = _argument(optional[1])
        return inner if inner == "Any" else f"{inner} | None"
    if rust == "M":
        return "MjModel"
    if rust == "D":
        return "MjData"
    if rust in ("f64", "f32"):
        return "float"
    if rust in _INTEGERS:
        return "int"
    if rust == "bool":
        return "bool"
    if rust in ("String", "&str"):
        return "str"
    if rust.startswith("Out"):
        kind = "float32" if "f32" in rust else "int32" if "i32" in rust else "uint8" if "u8" in rust else "float64"
        return f"NDArray[np.{kind}]"
    return "ArrayLike" if rust.startswith(_ARRAYS) else "Any"


def _result(rust: str) -> str:
    rust = rust.strip()
    inner = re.fullmatch(r"PyResult<(.*)>", rust)
    rust = inner[1] if inner else rust
    if rust in ("()", ""):
        return "None"
    found = _argument(rust)
    return "Any" if found in ("ArrayLike", "MjModel", "MjData") else found


def declared(sources: Path) -> dict[str, tuple[dict[str, str], str]]:
    """Returns the types of arguments by name, and that of the result, for each function in a folder of sources."""
    out: dict[str, tuple[dict[str, str], str]] = {}
    for file in sorted(sources.rglob("*.rs")):
        text, end = file.read_text(encoding="utf-8"), 0
        for listed in _LISTED.findall(text):
            out[listed] = ({"m": "MjModel", "d": "MjData"}, "None")
        for found in _FUNCTION.finditer(text):
            # The name that Python sees stands between this function and the one before.
            named = _NAME.findall(text[end : found.start()])
            name, end = (named[-1] if named else found[1]), found.start()
            arguments = {}
            for argument in re.split(r",(?![^<\[(]*[>\])])", found[2]):
                key, colon, rust = argument.partition(":")
                if colon:
                    arguments[key.strip().removeprefix("r#")] = _argument(rust)
            out[name] = (arguments, _result(found[3]))
    return out
