// Reads scenes as they come: descriptions once, geoms of static bodies when they change, and what moves.
"use strict";

class Block {
  constructor(bytes) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }
  count() {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }
  reals(n) {
    const out = new Float32Array(n);
    for (let k = 0; k < n; k++) out[k] = this.view.getFloat32(this.at + 4 * k, true);
    this.at += 4 * n;
    return out;
  }
  turn() {
    const quat = [0, 2, 4, 6].map((k) => this.view.getInt16(this.at + k, true));
    this.at += 8;
    return normalized(quat);
  }
  colour() {
    const rgba = [0, 1, 2, 3].map((k) => this.view.getUint8(this.at + k) / 255);
    this.at += 4;
    return rgba;
  }
  text() {
    const length = this.view.getUint16(this.at, true);
    const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset + this.at + 2, length);
    this.at += 2 + length;
    return new TextDecoder().decode(bytes);
  }
}

class SceneStream {
  constructor(canvas) {
    Object.assign(this, { canvas, painter: null, looks: [], lights: [], surfaces: [], still: [] });
  }

  // Takes descriptions; the first ones make the painter.
  async part(bytes) {
    const { head, reader } = await unpack(bytes);
    if (!this.painter) {
      this.center = head.center;
      this.painter = new Painter(this.canvas, { ...head, meshes: [], images: [] });
      return;
    }
    this.looks.push(...head.looks);
    this.lights.push(...head.lights);
    this.surfaces.push(...head.surfaces.map((surface) => readTopology(reader, surface)));
    const meshes = head.meshes.map((mesh) => readMesh(reader, mesh));
    this.painter.extend(meshes, await readImages(reader, head.images));
  }

  takeStill(bytes) {
    this.still = this.geoms(new Block(bytes));
  }

  // Returns lights, geoms and surfaces of a frame, for the painter.
  frame(bytes) {
    const block = new Block(bytes);
    const geoms = this.still.concat(this.geoms(block));
    const lights = Array.from({ length: block.count() }, () => {
      const light = this.lights[block.count()];
      return { ...light, pos: block.reals(3), dir: block.reals(3) };
    });
    if (!lights.some((l) => l.headlight)) lights.push(FILL);
    const surfaces = Array.from({ length: block.count() }, () => {
      const key = block.count();
      return { ...this.surfaces[key], key, positions: block.reals(3 * this.surfaces[key].vertices) };
    });
    return { lights, geoms, surfaces, center: this.center };
  }

  geoms(block) {
    const geoms = Array.from({ length: block.count() }, () => {
      const look = this.looks[block.count()];
      const [pos, quat] = [block.reals(3), block.turn()];
      return { ...look, pos, quat, size: block.reals(3), rgba: block.colour(), label: "" };
    });
    for (let n = block.count(); n > 0; n--) geoms[block.count()].label = block.text();
    return geoms;
  }

  dispose() {
    if (this.painter) this.painter.dispose();
  }
}
