"""Type checkers know all names of the package: fields, functions, arguments."""

import re
import subprocess
import sys
from pathlib import Path

import mj
import pytest
from mj import _docs, _structs

MODEL = """
<mujoco>
  <size nuser_geom="2" nuserdata="3"/>
  <asset>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="3" ncol="4" size="1 1 1 1"/>
    <texture type="2d" name="t" builtin="flat" width="4" height="5" rgb1="1 0 0"/><material name="a" texture="t"/>
  </asset>
  <worldbody>
    <light/><camera/>
    <geom type="plane" size="1 1 1"/>
    <body name="free" pos="0 0 .1"><freejoint/><geom size=".2"/><site name="s"/><site name="s2" pos="0 0 1"/><geom type="mesh" mesh="m"/></body>
    <body name="ball"><joint type="ball"/><geom size=".1"/><body><joint name="j"/><geom size=".1"/></body></body>
    <body name="mocap" mocap="true"><geom size=".1"/></body>
  </worldbody>
  <tendon><spatial name="s"><site site="s"/><site site="s2"/></spatial><fixed><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><motor joint="j"/><general joint="j" dyntype="integrator"/></actuator>
  <sensor><framepos objtype="site" objname="s"/></sensor>
  <equality><joint joint1="j"/></equality>
  <custom><numeric name="n" data="1 2 3"/><text name="t" data="abc"/><tuple name="u"><element objtype="body" objname="free"/></tuple></custom>
  <contact><exclude body1="free" body2="ball"/></contact>
  <keyframe><key time="1"/><key time="2"/></keyframe>
</mujoco>
"""

SCRIPT = """
import mj
import numpy as np

model = mj.MjModel.from_xml_path("a.xml")
data = mj.MjData(model)
n: int = model.nq
data.qpos[0] = 1.0
data.qpos = [1, 2, 3]
data.time = 0.5
model.opt.timestep = 0.001
model.opt.gravity = (0, 0, -9.8)
mj.mj_step(model, data, nstep=10)
x = data.body("a").xpos + model.geom(3).size
mass: float = model.body_mass.sum()
for contact in data.contact:
    print(contact.dist, contact.geom1)
print(data.contact.dist.min(), data.warning[0].number)
A, B = mj.step_derivative(model, data)
spec = mj.MjSpec.from_file("a.xml")
body = spec.worldbody.add_body(name="b", pos=[0, 0, 1])
geom = body.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[0.1, 0.1, 0.1])
geom.rgba = [1, 0, 0, 1]
spec.body("b").pos = [0, 0, 2]
masses = [g.mass for g in spec.geoms] + [j.damping for j in body.joints]
model = spec.compile()
batch = mj.Batch(model, 10)
batch.qpos[:, 0] = np.arange(10)
batch.step(nstep=2)
try:
    mj.MjModel.from_xml_string("")
except mj.LoadError as error:
    print(error.diagnostics[0].line)
print(mj.explain(data), mj.solvers.record(data).solve("newton").cost)
state, sensordata = mj.rollout.rollout(model, data, np.zeros((1, 9)), nstep=3)
model.nqq  # nqq
data.qops  # qops
data.body("a").xpso  # xpso
data.ctr = 0  # ctr
mj.mj_stepp(model, data)  # mj_stepp
mj.mj_step(data, model)  # incompatible type "MjData"; expected "MjModel"
model.opt.timstep = 1  # timstep
model.nq = 4  # read-only
mj.mjtGeom.mjGEOM_BOXX  # mjGEOM_BOXX
body.add_geom(sze=[1])  # sze
spec.worldbdy  # worldbdy
spec.body("b").pso  # pso
[g.mas for g in spec.geoms]  # mas
batch.qops  # qops
data.contact.dst  # dst
mj.solvers.record(data).solve("newton").costs  # costs
mj.decompose("a.stl", voxel=3)  # voxel
data.qpos = None  # None
"""


def model():
    return mj.MjModel.from_xml_string(MODEL)


def test_shapes_that_docstrings_tell_are_those_of_the_arrays():
    m = model()
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    checked = 0
    for owner, names in ((m, sorted(_structs.MODEL_ARRAYS)), (d, sorted(_structs.DATA_ARRAYS))):
        for name in names:
            array = getattr(owner, name)
            if not hasattr(array, "shape"):
                continue
            sizes = _docs.shape(name, array.shape[1:])
            told = tuple(eval(size, {}, {n: getattr(m, n) for n in _structs.SIZES}) for size in sizes)
            assert told == array.shape, (name, sizes)
            checked += 1
    assert checked > 300


def test_every_field_has_a_docstring_with_shape_and_type():
    for cls, names in ((mj.MjModel, _structs.MODEL_ARRAYS), (mj.MjData, _structs.DATA_ARRAYS)):
        for name in names:
            assert re.match(r"\w.*\. Shape \(.+\), \w+(; .+)?\.$", getattr(cls, name).__doc__), name


def test_every_name_of_the_package_is_in_its_stubs():
    text = (Path(mj.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    stubs = set(re.findall(r" as (\w+)$", text, re.MULTILINE))
    # Modules that other tests import.
    modules = "autodiff cgl cluster control egl glfw gymnasium identify minimize msh2obj osmesa renderer rendering sysid viewer".split()
    assert {name for name in dir(mj) if not name.startswith("_")} <= stubs.union(modules)
    for name in ("MjModel", "mj_step", "mjtGeom", "step_derivative", "LoadError"):
        assert name in stubs


def test_misspelt_names_and_wrong_types_are_found(tmp_path):
    pytest.importorskip("mypy", reason="the type checker is installed by `cargo xtask python`")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    where = str(Path(mj.__file__).parent.parent)
    installed = where in [path for path in sys.path if path.endswith("site-packages")]
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache"), str(script)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env={} if installed else {"MYPYPATH": where}, timeout=600
    )
    found: dict[int, str] = {}
    for line, text in re.findall(r"^script\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE):
        found[int(line)] = found.get(int(line), "") + text
    expected = {
        i: line.split("# ")[1] for i, line in enumerate(SCRIPT.split("\n"), 1) if "# " in line
    }
    assert found.keys() == expected.keys(), done.stdout + done.stderr
    for line, name in expected.items():
        assert name in found[line]
