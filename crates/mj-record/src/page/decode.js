// From the compressed block of a page to a recording, in the order of the recorder.
"use strict";

// Row of each frame, -1 where there is none; and the number of rows.
function rowsOf(runs, frames) {
  const rows = new Int32Array(frames).fill(-1);
  let count = 0;
  for (let k = 0; k < runs.length; k += 2) for (let i = 0; i < runs[k + 1]; i++) rows[runs[k] + i] = count++;
  return { rows, count };
}

async function decode(text) {
  const { head, reader } = await unpack(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
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
    const topology = readTopology(reader, surface);
    const places = reader.columns(3 * surface.vertices, count, head.quantum);
    return { ...topology, rows, places };
  });
  const meshes = head.meshes.map((mesh) => readMesh(reader, mesh));
  const images = await readImages(reader, head.images);
  return { ...head, times, camera, lights, tracks, surfaces, meshes, images };
}
