"""Wrong values, missing elements and edits in any order end in results or exceptions."""

import random
import warnings

import mj
import numpy as np
import pytest

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <frame name="f"><body name="a"><freejoint/><geom name="ga" type="box" size=".1 .1 .1"/><site name="s"/></body></frame>
    <body name="b"><joint name="h"/><geom name="gb" size=".1"/></body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="h" coef="2"/></fixed></tendon>
  <actuator><motor name="m" joint="h"/></actuator>
  <sensor><touch name="touch" site="s"/></sensor>
</mujoco>
"""


def values():
    big = np.zeros(16)
    return [
        None, 0, 1, -1, 3, 10**6, -(10**12), 1.5, float("nan"), float("inf"), "x", "", "a\0b", "\ud800", b"a", True, [], [1, 2, 3],
        [float("nan")] * 3, [1e308] * 6, big[:3], big[::2], np.zeros((3, 7)), np.zeros(3, np.float32), {"a": "b"}, ["x"],
        [["x"]], [[1, 2], [3]], object(), mj.MjsBody, mj.mjtGeom.mjGEOM_BOX,
    ]  # fmt: skip


def elements(spec):
    return [
        e
        for kind in ("body", "frame", "geom", "joint", "site", "tendon", "actuator", "sensor")
        for e in spec._all(kind)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_edits_end_in_results_or_exceptions(seed):
    rng = random.Random(seed)
    spec, other = mj.MjSpec.from_string(XML), mj.MjSpec.from_string(XML)
    pool = values()
    kept = elements(spec)
    warnings.simplefilter("ignore")
    for _ in range(1500):
        element = rng.choice(
            kept + [spec, spec.compiler, spec.default, spec.default.geom, spec.option, spec.visual.map]
        )
        names = [n for n in dir(element) if n[0].islower() and n not in ("to_file", "encode", "to_zip", "from_file")]
        arguments = [rng.choice(pool + kept + [other, spec.default]) for _ in range(rng.randrange(3))]
        name = rng.choice(names)
        try:
            match rng.randrange(5):
                case 0:
                    setattr(element, name, rng.choice(pool))
                case 1 | 2:
                    attribute = getattr(element, name)
                    if callable(attribute):
                        attribute(*arguments)
                case 3:
                    attribute = getattr(element, name)
                    attribute[rng.choice([0, 2, -1, 99])] = rng.choice(pool)
                case 4:
                    adder = rng.choice(
                        ["add_geom", "add_body", "add_site", "add_joint", "add_sensor", "add_pair", "add_mesh"]
                    )
                    kept.append(getattr(element, adder)(**{name: rng.choice(pool)}))
        except Exception as error:  # noqa: BLE001
            assert type(error).__name__ != "PanicException", error
        if len(kept) > 80:
            kept = rng.sample(kept, 60)
    for act in (spec.compile, spec.to_xml, spec.copy):
        try:
            act()
        except (ValueError, TypeError):
            pass


@pytest.mark.parametrize("value", [None, 3, 1.5, b"x", ["x"], "a\0b"])
def test_texts_are_strings(value):
    geom = mj.MjSpec().worldbody.add_geom()
    with pytest.raises(TypeError, match="`material` must be a string"):
        geom.material = value
    with pytest.raises(TypeError, match="`name` must be a string"):
        geom.name = value


@pytest.mark.parametrize("value", ["abc", None, [1, "x"], {}, b"abc"])
def test_numbers_are_numbers(value):
    body = mj.MjSpec().worldbody.add_body()
    with pytest.raises(TypeError, match="`pos` must be"):
        body.pos = value
    with pytest.raises(TypeError, match="`mass` must be a number"):
        body.mass = value


def test_wrong_counts_are_told():
    body = mj.MjSpec().worldbody.add_body()
    with pytest.raises(TypeError, match="pos should be a list/array of size 3"):
        body.pos = [1, 2]
    with pytest.raises(ValueError, match="pos should be a list/array of size 3"):
        body.add_geom(pos=[1, 2])
    with pytest.raises(TypeError, match="a geom has no argument 'vel'"):
        body.add_geom(vel=1)
    assert body.geoms == []


def test_codes_are_known():
    geom = mj.MjSpec().worldbody.add_geom()
    with pytest.raises(ValueError, match="77 is no value of mjtGeom"):
        geom.type = 77
    with pytest.raises(TypeError, match="`contype` must be an integer"):
        geom.contype = 2**40


def test_elements_have_no_other_attributes():
    spec = mj.MjSpec()
    for owner in (spec, spec.worldbody, spec.worldbody.add_geom(), spec.worldbody.alt, spec.compiler):
        with pytest.raises(AttributeError):
            owner.nothing = 1
        with pytest.raises(AttributeError):
            owner.nothing  # noqa: B018


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e308, -1e308])
def test_numbers_beyond_reason_are_refused_or_compiled(number):
    for field, value in (
        ("pos", [number, 0, 0]),
        ("size", [number, 1, 1]),
        ("quat", [number, 0, 0, 0]),
        ("density", number),
    ):
        spec = mj.MjSpec()
        body = spec.worldbody.add_body()
        body.add_joint()
        setattr(body.add_geom(size=[0.1, 0, 0]), field, value)
        try:
            spec.compile()
        except ValueError:
            pass


def test_specs_are_made_from_what_they_can_be_made_from(tmp_path):
    for act in (mj.MjSpec.from_string, mj.MjSpec.from_file, mj.MjSpec.from_zip):
        with pytest.raises(TypeError):
            act(None)
    with pytest.raises(ValueError):
        mj.MjSpec.from_string("<mujoco>")
    with pytest.raises(ValueError, match="nowhere.xml"):
        mj.MjSpec.from_file("nowhere.xml")
    with pytest.raises(TypeError, match="assets"):
        mj.MjSpec().assets = None
    (tmp_path / "no.zip").write_bytes(b"no archive")
    with pytest.raises(ValueError, match="archive"):
        mj.MjSpec.from_zip(tmp_path / "no.zip")


def test_bind_takes_elements():
    spec = mj.MjSpec.from_string(XML)
    model = spec.compile()
    for value in (None, 3, "ga", [None], [spec.geom("ga"), spec.body("a")]):
        with pytest.raises(TypeError, match="`specs` must"):
            model.bind(value)


def test_wrong_flexes_and_plugins_are_refused_by_name():
    spec = mj.MjSpec()
    flex = spec.add_flex(name="cloth")
    with pytest.raises(ValueError, match="flex `cloth`"):
        spec.compile()
    for field, value in {"order": 3, "elastic2d": 4, "elastic3d": 2}.items():
        setattr(flex, field, value)
        with pytest.raises(ValueError, match=f"flex `cloth`: `{field}`"):
            spec.compile()
        setattr(flex, field, 0)
    spec = mj.MjSpec()
    spec.add_plugin(name="p", plugin_name="their.plugin", active=True)
    with pytest.raises(ValueError, match=r"plugin `their.plugin` is not registered"):
        spec.compile()
