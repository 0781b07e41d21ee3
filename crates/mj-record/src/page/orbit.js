// A camera that turns around a point, and how pointers move it.
"use strict";

class Orbit {
  constructor(canvas, extent, changed) {
    Object.assign(this, { canvas, extent, changed, lookat: [0, 0, 0], distance: 1, azimuth: 90, elevation: -20, height: 1 });
    const pointers = new Map();
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      pointers.set(e.pointerId, [e.clientX, e.clientY]);
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (e) => pointers.delete(e.pointerId));
    canvas.addEventListener("pointermove", (e) => {
      const last = pointers.get(e.pointerId);
      if (!last) return;
      const [dx, dy] = [e.clientX - last[0], e.clientY - last[1]];
      pointers.set(e.pointerId, [e.clientX, e.clientY]);
      if (pointers.size > 1) {
        const others = [...pointers].filter(([id]) => id !== e.pointerId);
        const apart = (p) => Math.hypot(p[0] - others[0][1][0], p[1] - others[0][1][1]) || 1;
        this.zoom(apart(last) / apart([e.clientX, e.clientY]));
        this.pan(dx / 2, dy / 2);
      } else if (e.buttons & 6 || e.shiftKey) {
        this.pan(dx, dy);
      } else {
        this.orbit(dx, dy);
      }
    });
    const wheel = (e) => {
      e.preventDefault();
      this.zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY * 0.0015))));
    };
    canvas.addEventListener("wheel", wheel, { passive: false });
  }
  // Takes over a pose; the point looked at is as far as the middle of the model.
  look(pos, quat, center, height) {
    const forward = turn(quat, [0, 0, -1]);
    this.distance = Math.max(dot(sub(center, pos), forward), 0.05 * this.extent);
    this.lookat = add(pos, scale(forward, this.distance));
    this.azimuth = (Math.atan2(forward[1], forward[0]) * 180) / Math.PI;
    this.elevation = (Math.asin(Math.max(-1, Math.min(1, forward[2]))) * 180) / Math.PI;
    this.height = height;
  }
  pose() {
    const [a, e] = [(this.azimuth * Math.PI) / 180, (this.elevation * Math.PI) / 180];
    const forward = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    const right = [Math.sin(a), -Math.cos(a), 0];
    const quat = fromColumns(right, cross(right, forward), scale(forward, -1));
    return { pos: sub(this.lookat, scale(forward, this.distance)), quat };
  }
  orbit(dx, dy) {
    this.azimuth -= dx * 0.35;
    this.elevation = Math.max(-89.9, Math.min(89.9, this.elevation - dy * 0.35));
    this.changed();
  }
  pan(dx, dy) {
    const { quat } = this.pose();
    const pixel = (this.height * this.distance) / this.canvas.clientHeight;
    this.lookat = add(this.lookat, turn(quat, [-dx * pixel, dy * pixel, 0]));
    this.changed();
  }
  zoom(factor) {
    this.distance = Math.max(0.01 * this.extent, Math.min(100 * this.extent, this.distance * factor));
    this.changed();
  }
}
