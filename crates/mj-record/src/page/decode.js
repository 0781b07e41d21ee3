// From the compressed block of a page to arrays: columns of whole numbers by frame, in the order of the recorder.
"use strict";

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  number() {
    let [n, factor] = [0, 1];
    for (;;) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error("the recording ends early");
      n += (byte & 127) * factor;
      factor *= 128;
      if (byte < 128) return n % 2 ? -(n + 1) / 2 : n / 2;
    }
  }
  column(count) {
    const order = this.bytes[this.at++];
    const out = new Float64Array(count);
    if (order === 3) return out.fill(this.number());
    for (let i = 0; i < count; i++) out[i] = this.number();
    for (let k = 0; k < order; k++) for (let i = 1; i < count; i++) out[i] += out[i - 1];
    return out;
  }
  // Columns beside each other, times a quantum.
  columns(width, count, quantum, type) {
    const out = new (type || Float32Array)(width * count);
    for (let k = 0; k < width; k++) this.column(count).forEach((x, i) => (out[width * i + k] = x * quantum));
    return out;
  }
  poses(count, head) {
    const start = [this.number(), this.number(), this.number()];
    const pos = this.columns(3, count, head.quantum);
    const turns = this.columns(3, Math.max(count - 1, 0), head.turn, Float64Array);
    const quat = new Float32Array(4 * count);
    let q = fromAxis(scale(start, head.turn));
    for (let i = 0; i < count; i++) {
      if (i > 0) q = normalized(multiply(q, fromAxis(turns.subarray(3 * i - 3, 3 * i))));
      quat.set(q, 4 * i);
    }
    return { pos, quat };
  }
}

// Row of each frame, -1 where there is none; and the number of rows.
function rowsOf(runs, frames) {
  const rows = new Int32Array(frames).fill(-1);
  let count = 0;
  for (let k = 0; k < runs.length; k += 2) for (let i = 0; i < runs[k + 1]; i++) rows[runs[k] + i] = count++;
  return { rows, count };
}

async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function decode(text) {
  const bytes = await unpack(text);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const reader = new Reader(bytes.subarray(4 + length));
  const n = head.frames;
  const times = reader.columns(1, n, head.tick, Float64Array);
  const camera = reader.poses(n, head);
  const lights = head.lights.map((light) => {
    const { rows, count } = rowsOf(light.runs, n);
    return { ...light, rows, ...reader.poses(count, head) };
  });
  const tracks = head.tracks.map((track) => {
    const { rows, count } = rowsOf(track.runs, n);
    const poses = track.leader === undefined ? reader.poses(count, head) : {};
    const size = reader.columns(3, count, head.quantum / head.sizes);
    const rgba = reader.columns(4, count, 1 / 255);
    return { ...track, rows, ...poses, size, rgba, labels: reader.columns(1, count, 1, Uint32Array) };
  });
  const surfaces = head.surfaces.map((surface) => {
    const { rows, count } = rowsOf(surface.runs, n);
    const index = reader.columns(1, surface.corners, 1, Uint32Array);
    const texcoords = surface.texcoords ? reader.columns(2, surface.vertices, 1 / 4096) : null;
    const places = reader.columns(3 * surface.vertices, count, head.quantum);
    return { ...surface, rows, index, texcoords, places };
  });
  const meshes = head.meshes.map((mesh) => {
    const positions = new Float32Array(3 * mesh.vertices);
    for (let k = 0; k < 3; k++) {
      reader.column(mesh.vertices).forEach((x, i) => (positions[3 * i + k] = mesh.low[k] + x * mesh.step[k]));
    }
    const normals = mesh.normals ? reader.columns(3, mesh.vertices, 1 / 127) : null;
    const texcoords = mesh.texcoords ? reader.columns(2, mesh.vertices, 1 / 4096) : null;
    return { positions, normals, texcoords, index: reader.columns(1, mesh.corners, 1, Uint32Array) };
  });
  const images = [];
  const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
  for (const image of head.images) {
    const blob = new Blob([reader.bytes.subarray(reader.at, reader.at + image.bytes)], { type: "image/png" });
    reader.at += image.bytes;
    images.push({ ...image, bitmap: await createImageBitmap(blob, options) });
  }
  return { ...head, times, camera, lights, tracks, surfaces, meshes, images };
}
