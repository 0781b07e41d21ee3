// From compressed blocks to arrays: columns of whole numbers, meshes, pictures.
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

// Head and reader of a compressed block.
async function unpack(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { head, reader: new Reader(bytes.subarray(4 + length)) };
}

function readTopology(reader, surface) {
  const index = reader.columns(1, surface.corners, 1, Uint32Array);
  const texcoords = surface.texcoords ? reader.columns(2, surface.vertices, 1 / 4096) : null;
  return { ...surface, index, texcoords };
}

function readMesh(reader, mesh) {
  const positions = new Float32Array(3 * mesh.vertices);
  for (let k = 0; k < 3; k++) {
    reader.column(mesh.vertices).forEach((x, i) => (positions[3 * i + k] = mesh.low[k] + x * mesh.step[k]));
  }
  const normals = mesh.normals ? reader.columns(3, mesh.vertices, 1 / 127) : null;
  const texcoords = mesh.texcoords ? reader.columns(2, mesh.vertices, 1 / 4096) : null;
  return { positions, normals, texcoords, index: reader.columns(1, mesh.corners, 1, Uint32Array) };
}

async function readImages(reader, list) {
  const images = [];
  const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
  for (const image of list) {
    const blob = new Blob([reader.bytes.subarray(reader.at, reader.at + image.bytes)], { type: "image/png" });
    reader.at += image.bytes;
    images.push({ ...image, bitmap: await createImageBitmap(blob, options) });
  }
  return images;
}
