// Shows a simulation as it comes from the server, and sends what the user wants. `window.view` is for scripts and tests.
"use strict";

const SPEEDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const [MODEL, PART, STILL, FRAME, OVERLAY] = [0, 1, 2, 3, 4];
const get = (id) => document.getElementById(id);

class View {
  constructor() {
    Object.assign(this, { canvas: get("view"), model: null, state: null, control: false, watchers: 0, drawn: 0, frames: 0 });
    Object.assign(this, { stream: null, orbit: null, scene: null, dirty: false, work: Promise.resolve(), bytes: 0 });
    // The pointer is first: it takes what the camera must not see.
    this.pointer = new Pointer(this.canvas, () => this.eye(), (wish) => this.send(wish));
    this.overlay = new Overlay(get("overlay"));
    this.bindBar();
    addEventListener("keydown", (e) => this.key(e));
    addEventListener("resize", () => (this.dirty = true));
    this.connect();
    const tick = () => {
      if (this.dirty && this.scene) this.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  connect() {
    const socket = new WebSocket("ws://" + location.host + "/stream" + location.search);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", (e) => {
      if (typeof e.data === "string") return this.stand(JSON.parse(e.data));
      this.bytes = e.data.byteLength;
      // Descriptions are unpacked aside, so all waits for what came before.
      this.work = this.work.then(() => this.take(new Uint8Array(e.data))).catch((error) => this.fail(error.message));
    });
    socket.addEventListener("close", () => {
      this.tell("The connection has ended. Reload the page to connect again.");
      this.stand({ control: false, watchers: 0 });
    });
    this.socket = socket;
  }

  send(wish) {
    if (this.control && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(wish));
  }

  async take(message) {
    const body = message.subarray(1);
    if (message[0] === MODEL) this.begin(JSON.parse(new TextDecoder().decode(body)));
    if (message[0] === PART) await this.stream.part(body);
    if (message[0] === STILL) this.stream.takeStill(body);
    if (message[0] === OVERLAY) this.overlay.take(body);
    if (message[0] === FRAME) this.frame(body);
  }

  // Begins with a model, which may be that of before.
  begin(model) {
    const known = this.model && JSON.stringify(this.model) === JSON.stringify(model);
    if (this.stream) this.stream.dispose();
    this.stream = new SceneStream(this.canvas);
    this.scene = null;
    if (known) return;
    this.model = model;
    document.title = (model.name || "model") + " – mj view";
    if (!this.orbit) this.orbit = new Orbit(this.canvas, model.extent, () => this.moved());
    this.orbit.extent = model.extent;
    const { lookat, distance, azimuth, elevation, camera } = model.start;
    Object.assign(this.orbit, { lookat, distance, azimuth, elevation, height: this.slope(model.fovy, model.orthographic) });
    const fill = (id, names, first) =>
      get(id).replaceChildren(...[first, ...names].map((name, k) => new Option(name, k - 1)));
    fill("camera", model.cameras.map((c) => c.name), "free camera");
    fill("keys", model.keys, "keyframe …");
    get("keys").hidden = !model.keys.length;
    this.look(camera);
    this.panel = new Panel(get("panel"), model, (wish) => this.send(wish));
    this.panel.lock(!this.control);
  }

  frame(body) {
    const length = new DataView(body.buffer, body.byteOffset).getUint32(0, true);
    this.state = JSON.parse(new TextDecoder().decode(body.subarray(4, 4 + length)));
    this.scene = this.stream.frame(body.subarray(4 + length));
    this.frames++;
    this.dirty = true;
    this.follow(this.state.look);
    this.panel.show(this.state);
    this.showBar(this.state);
    this.tell(this.state.message || "");
  }

  // Looks once as the program asks for.
  follow(look) {
    if (!look || look.number === this.followed) return;
    const { number, camera, lookat, distance, azimuth, elevation } = look;
    this.followed = number;
    Object.assign(this.orbit, { lookat, distance, azimuth, elevation });
    this.look(camera !== null && this.model.cameras[camera] ? camera : null);
  }

  // Height at distance 1, or at any distance of an orthographic camera.
  slope(fovy, orthographic) {
    return orthographic ? fovy : 2 * Math.tan((fovy * Math.PI) / 360);
  }

  // Looks through a camera of the model, or a free one.
  look(camera) {
    this.fixed = camera >= 0 && camera !== null ? camera : null;
    get("camera").value = this.fixed === null ? -1 : this.fixed;
    this.dirty = true;
  }

  moved() {
    if (this.fixed !== null) {
      // The free camera goes on from where the fixed one is.
      const { pos, quat } = this.camera();
      const { height } = this.orbit;
      this.orbit.look(pos, quat, this.model.center, height);
    }
    this.look(null);
  }

  camera() {
    const { model, state, orbit, fixed } = this;
    const lens = fixed === null ? model : model.cameras[fixed];
    const place = fixed === null ? orbit.pose() : null;
    const own = fixed === null ? [] : state.cameras.slice(7 * fixed, 7 * fixed + 7);
    const { pos, quat } = place || { pos: own.slice(0, 3), quat: own.slice(3) };
    const { near, far } = model;
    const slope = this.slope(lens.fovy, lens.orthographic);
    return { pos, quat, near, far, orthographic: lens.orthographic, height: lens.orthographic ? slope : slope * near };
  }

  // Camera for the server, which finds bodies.
  eye() {
    const aspect = this.canvas.clientWidth / this.canvas.clientHeight;
    const { lookat, distance, azimuth, elevation } = this.orbit;
    return { camera: this.fixed, lookat: [...lookat], distance, azimuth, elevation, aspect };
  }

  draw() {
    this.dirty = false;
    const { painter } = this.stream;
    painter.draw({ camera: this.camera(), ...this.scene });
    painter.label(get("labels"), this.scene.geoms);
    this.drawn++;
  }

  stand({ control, watchers }) {
    Object.assign(this, { control, watchers });
    get("take").hidden = control;
    for (const id of ["pause", "back", "step", "reset", "reload", "keys", "speed", "history"]) get(id).disabled = !control;
    if (this.panel) this.panel.lock(!control);
  }

  bindBar() {
    get("speed").replaceChildren(...SPEEDS.map((speed) => new Option(speed + "×", speed, speed === 1, speed === 1)));
    const click = (id, act) =>
      get(id).addEventListener("click", () => {
        act();
        // A button that has the focus would take the space key for itself.
        this.canvas.focus();
      });
    click("pause", () => this.send({ pause: !this.state.paused }));
    click("back", () => this.send({ step: -1 }));
    click("step", () => this.send({ step: 1 }));
    click("reset", () => this.send("reset"));
    click("reload", () => this.send("reload"));
    click("take", () => this.socket.send(JSON.stringify("take")));
    const change = (id, act) =>
      get(id).addEventListener("change", (e) => {
        act(Number(e.target.value));
        this.canvas.focus();
      });
    change("speed", (speed) => this.send({ speed }));
    change("camera", (camera) => this.look(camera));
    change("keys", (key) => {
      if (key >= 0) this.send({ key });
      get("keys").value = -1;
    });
    const history = get("history");
    history.addEventListener("input", () => this.send({ seek: Number(history.max) - Number(history.value) }));
    for (const kind of ["pointerdown", "pointerup"]) history.addEventListener(kind, () => (history.held = kind === "pointerdown"));
  }

  showBar(state) {
    const history = get("history");
    history.max = Math.max(0, state.history - 1);
    if (!history.held) history.value = history.max - state.back;
    get("pause").textContent = state.paused ? "Run" : "Pause";
    const rate = state.paused || state.passive ? "" : ` (${state.reached.toFixed(2)}×)`;
    get("clock").textContent = state.time.toFixed(3) + " s" + rate;
    const speed = get("speed");
    const nearest = SPEEDS.findIndex((s) => Math.abs(s - state.speed) < 1e-9);
    if (document.activeElement !== speed) speed.selectedIndex = nearest;
  }

  key(e) {
    // The program has keys of its own, beside those of the page.
    const typing = e.target.matches("input, select");
    if (!typing && !e.repeat && KEYS.has(e.code) && this.state && this.state.passive) this.send({ press: KEYS.get(e.code) });
    const count = this.model ? this.model.cameras.length : 0;
    const actions = {
      " ": () => this.send({ pause: !this.state.paused }),
      ArrowRight: () => this.send({ step: 1 }),
      ArrowLeft: () => this.send({ step: -1 }),
      Backspace: () => this.send("reset"),
      l: () => this.send("reload"),
      Escape: () => this.look(null),
      "[": () => this.look(this.fixed === null ? count - 1 : this.fixed - 1),
      "]": () => this.look(count ? (this.fixed === null ? 0 : (this.fixed + 1) % count) : null),
    };
    const act = actions[e.key];
    const other = e.ctrlKey || e.altKey || e.metaKey || e.target.matches("input[type=range], select");
    if (!act || other || !this.state) return;
    e.preventDefault();
    act();
  }

  tell(text) {
    if (get("message").textContent !== text) get("message").textContent = text;
  }

  fail(text) {
    this.failure = text;
    this.tell("This simulation can't be shown: " + text);
  }
}

window.view = null;
try {
  window.view = new View();
} catch (error) {
  get("message").textContent = "This page can't work: " + error.message;
}
