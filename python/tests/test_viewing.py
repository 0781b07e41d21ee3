"""Views of simulations: the page is served, what users change reaches the data, and the program's view reaches the page."""

import base64
import http.client
import json
import os
import socket
import struct
import threading
import time
from urllib.parse import urlsplit

import mj
import mj.viewer
import numpy as np
import pytest

XML = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
  <body name="ball" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="x"/></actuator><keyframe><key qpos=".5"/></keyframe></mujoco>"""


@pytest.fixture
def shown():
    model = mj.MjModel.from_xml_string(XML)
    data = mj.MjData(model)
    with mj.view(model, data, open_browser=False, tell=lambda url: None) as handle:
        yield handle


class Page:
    """A page that watches: its socket, and the last state that came."""

    def __init__(self, url):
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET /stream?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self.socket.sendall(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(1 << 16)
        answer, self.rest = self.rest.split(b"\r\n\r\n", 1)
        assert b" 101 " in answer.split(b"\r\n")[0]
        # Wishes before the first picture are for nobody.
        self.state(lambda state: True)

    def send(self, wish):
        text = json.dumps(wish).encode()
        self.socket.sendall(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)

    def _take(self, count):
        while len(self.rest) < count:
            more = self.socket.recv(1 << 16)
            assert more, "the server has closed"
            self.rest += more
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def _message(self):
        first, length = self._take(2)
        if length == 126:
            (length,) = struct.unpack(">H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._take(8))
        return first & 0xF, self._take(length)

    def state(self, wanted):
        """Returns the first state that is as wanted."""
        start = time.monotonic()
        while time.monotonic() - start < 30:
            kind, body = self._message()
            if kind == 2 and body[0] == 3:
                (length,) = struct.unpack("<I", body[1:5])
                state = json.loads(body[5 : 5 + length])
                if wanted(state):
                    return state
        raise AssertionError("no state came that is as wanted")

    def overlay(self, wanted):
        """Returns the first description of what is over the picture that is as wanted, and the pixels of its images."""
        start = time.monotonic()
        while time.monotonic() - start < 30:
            kind, body = self._message()
            if kind == 2 and body[0] == 4:
                (length,) = struct.unpack("<I", body[1:5])
                head = json.loads(body[5 : 5 + length])
                if wanted(head):
                    return head, body[5 + length :]
        raise AssertionError("no overlay came that is as wanted")

    def close(self):
        self.socket.close()


def sync_until(handle, wanted):
    start = time.monotonic()
    while not wanted():
        assert time.monotonic() - start < 30
        handle.sync()
        time.sleep(0.005)


def test_the_page_needs_its_token(shown):
    parts = urlsplit(shown.url)
    for path, status in ((f"/?{parts.query}", 200), ("/", 403), ("/?token=0", 403)):
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
        connection.request("GET", path)
        assert connection.getresponse().status == status
        connection.close()


def test_users_change_the_data_and_see_it(shown):
    page = Page(shown.url)
    page.send({"control": [0, 0.25]})
    sync_until(shown, lambda: shown.d.ctrl[0] == 0.25)
    page.send({"joint": [0, -0.5]})
    sync_until(shown, lambda: shown.d.qpos[0] == -0.5)
    mj.mj_step(shown.m, shown.d)
    shown.sync()
    state = page.state(lambda state: state["time"] == shown.d.time)
    assert state["ctrl"] == [0.25]
    assert state["passive"]
    page.close()


def test_the_program_looks_where_it_wants(shown):
    page = Page(shown.url)
    shown.cam.azimuth, shown.cam.distance = 12.5, 3.5
    shown.opt.flags[mj.mjtVisFlag.mjVIS_JOINT] = 1
    shown.sync()
    state = page.state(lambda state: state["look"])
    assert (state["look"]["azimuth"], state["look"]["distance"]) == (12.5, 3.5)
    assert state["flags"] & 1 << int(mj.mjtVisFlag.mjVIS_JOINT)
    page.close()


def test_geoms_of_the_program_are_shown(shown):
    scene = shown.user_scn
    mj.mjv_initGeom(scene.geoms[0], mj.mjtGeom.mjGEOM_SPHERE, np.full(3, 0.1), np.zeros(3), np.eye(3).ravel(), np.ones(4, "f4"))
    scene.ngeom = 1
    page = Page(shown.url)
    shown.sync()
    page.state(lambda state: True)
    page.close()


def test_it_runs_until_it_is_closed(shown):
    assert shown.is_running()
    with shown.lock():
        shown.sync()
    shown.close()
    assert not shown.is_running()
    assert shown.url is None
    shown.sync()


def test_a_page_that_was_closed_ends_the_view(shown, monkeypatch):
    monkeypatch.setattr("mj._viewing.handle.ALONE", 0.2)
    page = Page(shown.url)
    start = time.monotonic()
    while not shown._native.watchers:
        assert time.monotonic() - start < 30
    assert shown.is_running()
    page.close()
    while shown.is_running():
        assert time.monotonic() - start < 30
        time.sleep(0.01)


def test_syncing_is_fast(shown):
    page = Page(shown.url)
    assert shown.d.qpos.size and shown.d.xpos.size
    times = []
    for _ in range(200):
        start = time.perf_counter()
        shown.sync()
        times.append(time.perf_counter() - start)
    # A loose limit: the median is some tens of microseconds.
    assert np.median(times) < 2e-3
    page.close()


def test_launch_runs_in_real_time_and_does_what_users_ask(monkeypatch):
    monkeypatch.setattr("mj._viewing.handle.ALONE", 0.2)
    monkeypatch.setattr("webbrowser.open", lambda url: urls.append(url))
    urls, model = [], mj.MjModel.from_xml_string(XML)
    data = mj.MjData(model)
    thread = threading.Thread(target=mj.viewer.launch, args=(model, data))
    thread.start()
    while not urls:
        time.sleep(0.005)
    page = Page(urls[0])
    page.state(lambda state: state["time"] > 0.1 and not state["passive"])
    page.send({"pause": True})
    paused = page.state(lambda state: state["paused"])
    page.send({"step": 3})
    page.state(lambda state: abs(state["time"] - paused["time"] - 3 * model.opt.timestep) < 1e-9)
    page.send({"key": 0})
    page.state(lambda state: state["joints"] == [0.5])
    page.close()
    thread.join(30)
    assert not thread.is_alive()


def test_keys_reach_the_program(shown):
    keys = []
    with mj.view(shown.m, shown.d, open_browser=False, tell=lambda url: None, key_callback=keys.append) as handle:
        page = Page(handle.url)
        for key in (32, 65, 257):
            page.send({"press": key})
        sync_until(handle, lambda: len(keys) == 3)
        assert keys == [32, 65, 257]
        page.close()


def test_texts_images_and_figures_are_shown(shown):
    page = Page(shown.url)
    shown.set_texts((None, mj.mjtGridPos.mjGRID_TOPRIGHT, "time", "1.5"))
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    shown.set_images([(mj.MjrRect(64, 72, 640, 360), image)])
    figure = mj.MjvFigure()
    figure.linepnt[0], figure.linedata[0][:4] = 2, (0, 0, 1, 1)
    shown.set_figures((mj.MjrRect(0, 0, 100, 80), figure))
    shown.sync()
    head, pixels = page.overlay(lambda head: len(head["images"]) == 2)
    assert head["texts"] == [{"big": False, "place": 1, "left": "time", "right": "1.5"}]
    assert head["images"][0]["size"] == [4, 2]
    assert np.allclose(head["images"][0]["rect"], [0.05, 0.1, 0.5, 0.5])
    assert pixels[:24] == image.tobytes()
    plot = np.frombuffer(pixels[24:], np.uint8)
    assert plot.size == 100 * 80 * 3 and len(np.unique(plot)) > 2
    shown.clear_texts()
    shown.clear_images()
    shown.clear_figures()
    shown.sync()
    assert page.overlay(lambda head: not head["texts"]) == ({"texts": [], "images": []}, b"")
    page.close()


def test_misuse_is_refused_by_name(shown):
    for texts in ([("font", "place")], [1], ("a",)):
        with pytest.raises(ValueError, match="tuple of 4"):
            shown.set_texts(texts)
    for image in (np.zeros((2, 2), np.uint8), np.zeros((2, 2, 3))):
        with pytest.raises(ValueError, match="height, width, 3"):
            shown.set_images((mj.MjrRect(0, 0, 1, 1), image))
    with pytest.raises(ValueError, match="can't be drawn"):
        shown.set_figures((mj.MjrRect(0, 0, 0, 1), mj.MjvFigure()))
    with pytest.raises(TypeError):
        shown.set_figures((mj.MjrRect(0, 0, 10, 10), None))
    with pytest.raises(ValueError, match="launch_from_path"):
        mj.viewer.launch()
