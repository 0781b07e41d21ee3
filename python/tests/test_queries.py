"""Questions to a model that need no state."""

import mj
import pytest

ACTUATORS = """
<mujoco>
  <worldbody><body>
    <joint name="ball" type="ball"/><geom size=".1"/>
    <body><joint name="hinge"/><geom name="box" type="box" size=".1 .1 .1" pos="1 0 0"/></body>
  </body><geom name="floor" type="plane" size="1 1 1"/></worldbody>
  <actuator>
    <motor joint="hinge"/><position joint="hinge" kp="1"/><cylinder joint="hinge"/>
    <orientation joint="ball" kp="1"/><orientation joint="ball" kp="1" input="quat"/>
    <pid joint="hinge" kp="1" input="pos ff"/><dcmotor joint="hinge" motorconst="1 1" resistance="1"/>
  </actuator>
</mujoco>
"""


def test_controls_have_the_names_of_their_inputs():
    model = mj.MjModel.from_xml_string(ACTUATORS)
    names = [[mj.mj_actuatorInputName(model, i, k) for k in range(5)] for i in range(7)]
    wanted = [[], ["pos"], ["pressure"], ["rx", "ry", "rz"], ["qw", "qx", "qy", "qz"], ["pos", "ff"], ["voltage"]]
    assert [[n for n in row if n] for row in names] == wanted
    assert mj.mj_actuatorInputName(model, -1, 0) is mj.mj_actuatorInputName(model, 99, 0) is None


def test_two_geoms_have_so_many_contacts_at_most():
    model = mj.MjModel.from_xml_string(ACTUATORS)
    box, floor = (mj.mj_name2id(model, mj.mjtObj.mjOBJ_GEOM, name) for name in ("box", "floor"))
    assert [mj.mj_maxContact(model, a, b, -1) for a, b in ((box, box), (floor, box), (floor, floor))] == [8, 4, 0]
    with pytest.raises(IndexError):
        mj.mj_maxContact(model, 0, 99, -1)
