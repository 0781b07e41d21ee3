// Plays a recording: time, buttons, keys. `window.player` is for scripts and tests.
"use strict";

class Player {
  constructor(recording) {
    const get = (id) => document.getElementById(id);
    const [canvas, slider, speed] = [get("view"), get("slider"), get("speed")];
    Object.assign(this, { recording, canvas, slider, time: 0, frame: 0, playing: false, loop: true, recorded: false });
    Object.assign(this, { speed: 1, drawn: 0, dirty: true, play: get("play"), clock: get("clock"), labels: get("labels") });
    this.frames = recording.frames;
    this.duration = recording.times[this.frames - 1];
    this.painter = new Painter(canvas, recording);
    this.camera = new Orbit(canvas, recording.extent, () => {
      this.follow(false);
      this.dirty = true;
    });
    this.home();
    slider.max = this.duration;
    slider.addEventListener("input", () => this.seek(Number(slider.value)));
    this.play.addEventListener("click", () => this.toggle());
    speed.addEventListener("change", () => (this.speed = Number(speed.value)));
    get("loop").addEventListener("click", () => this.repeat(!this.loop));
    get("camera").addEventListener("click", () => this.follow(!this.recorded));
    addEventListener("resize", () => (this.dirty = true));
    addEventListener("keydown", (e) => this.key(e));
    // A button that has the focus would take the space key for itself.
    for (const id of ["play", "loop", "camera"]) get(id).addEventListener("click", () => canvas.focus());
    if (recording.autoplay) this.toggle();
    let last = performance.now();
    const tick = (now) => {
      this.advance(Math.max(0, now - last) / 1000);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  key(e) {
    const { times } = this.recording;
    const select = document.getElementById("speed");
    const faster = (by) => {
      select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by));
      this.speed = Number(select.value);
    };
    const step = (by) => {
      this.toggle(false);
      this.seek(times[Math.max(0, Math.min(this.frames - 1, this.frame + by))]);
    };
    const actions = {
      " ": () => this.toggle(),
      ArrowRight: () => step(1),
      ArrowLeft: () => step(-1),
      Home: () => this.seek(0),
      End: () => this.seek(this.duration),
      "+": () => faster(1),
      "-": () => faster(-1),
      l: () => this.repeat(!this.loop),
      c: () => this.follow(!this.recorded),
      r: () => this.home(),
    };
    const action = actions[e.key];
    if (!action || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    action();
  }

  toggle(on = !this.playing) {
    if (on && this.time >= this.duration) this.time = 0;
    this.playing = on;
    this.play.textContent = on ? "Pause" : "Play";
  }

  repeat(on) {
    this.loop = on;
    document.getElementById("loop").setAttribute("aria-pressed", on);
  }

  follow(on) {
    this.recorded = on;
    this.dirty = true;
    document.getElementById("camera").setAttribute("aria-pressed", on);
  }

  // Puts the camera where the recording's is.
  home() {
    const { center, frustum } = this.recording;
    const { pos, quat } = this.recordedCamera();
    const slope = frustum[3] ? 0.83 : frustum[0] / (frustum[1] || 1) || 0.83;
    this.camera.look(pos, quat, center, slope);
    this.follow(false);
  }

  seek(time) {
    this.time = Math.max(0, Math.min(this.duration, time));
    this.dirty = true;
  }

  advance(seconds) {
    if (this.playing) {
      this.dirty = true;
      this.time += seconds * this.speed;
      if (this.time >= this.duration && this.loop && this.duration > 0) this.time %= this.duration;
      if (this.time >= this.duration) {
        this.time = this.duration;
        this.toggle(false);
      }
    }
    if (this.dirty) this.draw();
    this.dirty = false;
  }

  recordedCamera() {
    const { pos, quat } = this.recording.camera;
    const f = this.frame;
    return { pos: [...pos.subarray(3 * f, 3 * f + 3)], quat: [...quat.subarray(4 * f, 4 * f + 4)] };
  }

  // The last frame at or before the time, and how far it is to the next.
  locate() {
    const { times } = this.recording;
    let [low, high] = [0, this.frames - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= this.time + 1e-9) low = middle;
      else high = middle - 1;
    }
    this.frame = low;
    const gap = low + 1 < this.frames ? times[low + 1] - times[low] : 0;
    return gap > 0 ? Math.max(0, Math.min(1, (this.time - times[low]) / gap)) : 0;
  }

  draw() {
    const share = this.locate();
    const { recording, frame } = this;
    const [height, near, far, orthographic] = recording.frustum;
    const free = this.camera.pose();
    const slope = height / (near || 1);
    const clip = { near: Math.max(near, 1e-3 * recording.extent), far: Math.max(far, 10 * recording.extent) };
    const camera = this.recorded && orthographic
      ? { ...this.recordedCamera(), ...clip, height, orthographic: true }
      : { ...(this.recorded ? this.recordedCamera() : free), ...clip };
    if (!camera.orthographic) camera.height = (orthographic ? 0.83 : slope) * camera.near;
    const geoms = [];
    for (const track of recording.tracks) {
      track.now = this.placed(track, share, track.category !== DECOR);
      if (track.now) geoms.push({ ...track, ...track.now });
    }
    const lights = recording.lights.flatMap((light) => {
      const now = this.placed(light, share, true);
      return now ? [{ ...light, pos: now.pos, dir: turn(now.quat, [0, 0, 1]) }] : [];
    });
    if (!lights.some((l) => l.headlight)) lights.push(FILL);
    const surfaces = recording.surfaces.flatMap((surface, key) => {
      const row = surface.rows[frame];
      if (row < 0) return [];
      const width = 3 * surface.vertices;
      return [{ ...surface, key, positions: surface.places.subarray(width * row, width * (row + 1)) }];
    });
    this.geoms = geoms.length;
    this.painter.draw({ camera, lights, geoms, surfaces, center: recording.center });
    this.painter.label(this.labels, geoms);
    if (document.activeElement !== this.slider || this.playing) this.slider.value = this.time;
    this.clock.textContent = (recording.start + this.time).toFixed(2) + " / " + (recording.start + this.duration).toFixed(2) + " s";
    this.drawn++;
  }

  // Pose, sizes, colour and label of a track at the present time; nothing where it isn't there.
  placed(track, share, smooth) {
    const row = track.rows[this.frame];
    if (row < 0) return null;
    const next = smooth && share > 0 && track.rows[this.frame + 1] === row + 1 ? row + 1 : row;
    const at = (list, width) => {
      const out = [];
      for (let k = 0; k < width; k++) out.push(mix(list[width * row + k], list[width * next + k], share));
      return out;
    };
    const now = {};
    if (track.size) Object.assign(now, { size: at(track.size, 3), rgba: at(track.rgba, 4) });
    if (track.labels) now.label = this.recording.labels[track.labels[row]];
    if (track.leader !== undefined) {
      const { pos, quat } = this.recording.tracks[track.leader].now;
      const offset = track.offset;
      return { ...now, pos: add(pos, turn(quat, offset.slice(0, 3))), quat: multiply(quat, offset.slice(3)) };
    }
    const [a, b] = [row, next].map((r) => track.quat.subarray(4 * r, 4 * r + 4));
    return { ...now, pos: at(track.pos, 3), quat: between(a, b, share) };
  }
}

const message = document.getElementById("message");
window.player = null;
decode(document.getElementById("recording").textContent)
  .then((recording) => {
    message.remove();
    window.player = new Player(recording);
  })
  .catch((error) => {
    message.textContent = "This recording can't be played: " + error.message;
    window.failure = error.message;
  });
