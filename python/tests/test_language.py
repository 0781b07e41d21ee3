"""MJCF itself: its schema, the files of a model, saving what was edited, messages of compilation."""

import ctypes

import mj
import numpy as np
import pytest

XML = """
<mujoco>
  <worldbody>
    <body name="a" pos="1 2 3"><joint name="j" range="-30 30"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 1" size=".1"/><geom name="ball" size=".2" pos="0 0 1"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_the_schema_has_every_element_with_its_attributes():
    lines = mj.mj_printSchema(False, False).splitlines()
    assert lines[0] == "mujoco (!)                    model "
    names = [line[:30].split() for line in lines if line[:30].strip()]
    assert ["default", "(R)"] in names and ["body", "(R)"] in names and ["flag", "(?)"] in names
    flag = names.index(["flag", "(?)"])
    assert flag > names.index(["option", "(*)"])
    assert "contype" in " ".join(lines) and not any(len(line) > 90 for line in lines)


@pytest.mark.parametrize(("pad", "indent"), [(False, "&nbsp;&nbsp;&nbsp;&nbsp;compiler"), (True, 'padding-left:20"')])
def test_the_schema_as_html_is_a_table(pad, indent):
    html = mj.mj_printSchema(True, pad)
    assert html.startswith('<table border="1">') and html.endswith("</table>\n") and indent in html
    assert html.count("<tr>") == html.count("</tr>") == html.count('class="el"')


def test_the_schema_fits_the_buffers_of_older_programs(tmp_path):
    text = mj.mj_printSchema(False, False)
    buffer = ctypes.create_string_buffer(100_000)
    assert mj.mj_printSchema(None, buffer, len(buffer), 0, 0) == len(text) and buffer.value.decode() == text
    mj.mj_printSchema(str(tmp_path / "schema.txt"), None, 0, 0, 0)
    assert (tmp_path / "schema.txt").read_text() == text
    with pytest.raises(ValueError, match="bytes"):
        mj.mj_printSchema(None, ctypes.create_string_buffer(10), 10, 0, 0)
    with pytest.raises(TypeError, match="2 arguments"):
        mj.mj_printSchema(True)


def test_a_model_names_the_files_that_it_consists_of(tmp_path):
    (tmp_path / "part.xml").write_text('<mujoco><asset><texture file="t.png" type="2d" name="t"/></asset></mujoco>')
    path = tmp_path / "model.xml"
    path.write_text('<mujoco><compiler meshdir="m"/><include file="part.xml"/><asset><mesh file="x.obj"/></asset></mujoco>')
    names = mj.mju_getXMLDependencies(str(path))
    assert names[0] == str(path)
    assert sorted(names[1:]) == [str(tmp_path / "m/x.obj"), str(tmp_path / "part.xml"), str(tmp_path / "t.png")]
    with pytest.raises(mj.FatalError, match="nowhere"):
        mj.mju_getXMLDependencies("nowhere.xml")


def test_what_was_edited_is_saved(tmp_path):
    model = mj.MjModel.from_xml_string(XML)
    # The defaults of options are no model that was loaded.
    mj.MjOption()
    path = tmp_path / "saved.xml"
    mj.mj_saveLastXML(path, model)
    saved = mj.MjModel.from_xml_path(path)
    np.testing.assert_array_equal(saved.geom_size, model.geom_size)
    model = mj.MjModel.from_xml_string(XML)
    model.geom("ball").size[0] = 0.3
    model.geom("rod").pos[:] = [1, 1, 1]
    model.body("a").pos[:] = [3, 2, 1]
    model.joint("j").range[:] = [-1, 2]
    model.opt.timestep = 0.004
    model.opt.gravity[2] = -1
    mj.mj_saveLastXML(path, model)
    saved = mj.MjModel.from_xml_path(path)
    for field in ("geom_size", "geom_pos", "geom_quat", "body_pos", "jnt_range"):
        np.testing.assert_allclose(getattr(saved, field), getattr(model, field), atol=1e-12, err_msg=field)
    assert saved.opt.timestep == 0.004 and saved.opt.gravity[2] == -1
    with pytest.raises(ValueError, match="loaded last"):
        mj.mj_saveLastXML(path, mj.MjSpec().compile())


def test_the_time_of_compilation_is_logged(tmp_path, capsys):
    before = mj.MjLogConfig.get()
    try:
        config = mj.MjLogConfig.get()
        config.topics |= 1 << (mj.mjtLogTopic.mjTOPIC_TIME_CMP - 1)
        config.logfile, config.logto_file, config.logto_console = str(tmp_path / "log"), True, False
        mj.MjModel.from_xml_string(XML)
        assert not (tmp_path / "log").exists()
        config.set()
        mj.MjModel.from_xml_string(XML)
        mj.MjSpec.from_string(XML).compile()
        assert (tmp_path / "log").read_text().count("compile time") == 2
        assert capsys.readouterr().out == ""
        config.logto_console, config.logto_file = True, False
        config.set()
        mj.MjModel.from_xml_string(XML)
        assert "compile time" in capsys.readouterr().out
    finally:
        before.set()


def test_sizes_can_be_asked_for():
    model = mj.MjModel.from_xml_string(XML)
    data = mj.MjData(model)
    mj._functions._realloc_con_efc(data, 3, 5, 7)
    assert (len(data.contact), data.ncon, data.nefc, data.nJ) == (3, 3, 5, 7)
    assert data.efc_KBIP.shape == (5, 4) and data.efc_J.shape == (7,)
    data.efc_D[:] = 2
    assert data.efc_D.tolist() == [2] * 5
    mj._functions._realloc_island(data, 2, 4)
    assert (data.nisland, data.nidof, data.nefc) == (2, 4, 5) and data.iacc.shape == (4,)
    with pytest.raises(mj.FatalError, match="Insufficient arena memory"):
        mj._functions._realloc_con_efc(data, 10**9, 10**9)
    assert (data.ncon, data.nefc, data.nisland) == (0, 0, 0)
    with pytest.raises(ValueError, match="ncon"):
        mj._functions._realloc_con_efc(data, -1, 0)
    mj.mj_step(model, data)
    assert data.nefc == 0 and data.efc_D.size == 0


def test_all_controls_of_an_actuator_are_delayed():
    model = mj.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator>'
        '<pid joint="j" kp="10" kv="2" input="pos vel ff" delay="0.01" nsample="6"/></actuator></mujoco>'
    )
    data = mj.MjData(model)
    assert model.nhistory == 2 + 6 * 4
    data.ctrl[:] = [0, 0, 1]
    force = []
    for _ in range(8):
        mj.mj_step(model, data)
        force.append(data.actuator_force[0])
    assert force[:5] == [0] * 5 and force[6] != 0
    with pytest.raises(TypeError, match="result"):
        mj.mj_readCtrl(model, data, 0, 0.0, np.zeros(2), 0)
