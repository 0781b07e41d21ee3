"""Fields of new elements have the reference's values, which `spec_defaults.json` holds (4.0.0)."""

import json
import math
import pathlib

import mj
import numpy as np
import pytest

RECORDED = json.loads((pathlib.Path(__file__).parent / "spec_defaults.json").read_text())
IN_BODY = ("body", "frame", "geom", "joint", "site", "camera", "light")


def element(kind):
    spec = mj.MjSpec()
    if kind == "spec":
        return spec
    if kind == "compiler":
        return spec.compiler
    holder = spec.worldbody.add_body() if kind in IN_BODY else spec
    return getattr(holder, f"add_{kind}")()


def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray):
        return [plain(x) for x in value.tolist()]
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value
    if isinstance(value, (int, str, dict)):
        return value
    if hasattr(value, "plugin_name"):
        return {"active": value.active}
    if isinstance(value, mj.MjsOrientation):
        return {name: plain(getattr(value, name)) for name in value.NAMES}
    return [plain(x) for x in value]


@pytest.mark.parametrize("kind", RECORDED)
def test_fields_have_the_references_values(kind):
    made = element(kind)
    ours = {name: plain(getattr(made, name)) for name in RECORDED[kind]}
    assert ours == RECORDED[kind]


@pytest.mark.parametrize("kind", RECORDED)
def test_types_of_fields_are_the_references(kind):
    made = element(kind)
    for name, value in RECORDED[kind].items():
        if isinstance(value, bool):
            assert type(getattr(made, name)) is bool, name
        elif isinstance(value, float):
            assert type(getattr(made, name)) is float, name
