// Unit shapes: vertices of nine numbers (position, normal, texture coordinates, share of a half length along z), indices.
"use strict";

const SLICES = 28;
const STACKS = 14;

class Shape {
  constructor(lines) {
    this.vertices = [];
    this.index = [];
    this.lines = Boolean(lines);
  }
  vertex(position, normal, cap) {
    this.vertices.push(...position, ...normal, 0, 0, cap || 0);
    return this.vertices.length / 9 - 1;
  }
  // A surface of revolution from rings: radius, z, normal's radial part and z, share of a half length.
  rings(rings) {
    const first = this.vertices.length / 9;
    for (const [radius, z, out, up, cap] of rings) {
      for (let i = 0; i <= SLICES; i++) {
        const angle = (2 * Math.PI * i) / SLICES;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        this.vertex([radius * c, radius * s, z], [out * c, out * s, up], cap);
      }
    }
    for (let r = 0; r + 1 < rings.length; r++) {
      for (let i = 0; i < SLICES; i++) {
        const a = first + r * (SLICES + 1) + i;
        const b = a + SLICES + 1;
        this.index.push(a, a + 1, b + 1, a, b + 1, b);
      }
    }
    return this;
  }
}

// Rings of a sphere between two angles from the lowest point.
function arc(from, to, cap, count) {
  return Array.from({ length: count + 1 }, (_, k) => {
    const angle = mix(from, to, k / count);
    const [r, z] = [Math.sin(angle), -Math.cos(angle)];
    return [r, z, r, z, cap];
  });
}

function sphere() {
  return new Shape().rings(arc(0, Math.PI, 0, STACKS));
}

function capsule() {
  const half = STACKS / 2;
  return new Shape().rings(arc(0, Math.PI / 2, -1, half).concat(arc(Math.PI / 2, Math.PI, 1, half)));
}

function cylinder() {
  const shape = new Shape().rings([[1, -1, 1, 0, 0], [1, 1, 1, 0, 0]]);
  return shape.rings([[0, -1, 0, -1, 0], [1, -1, 0, -1, 0]]).rings([[1, 1, 0, 1, 0], [0, 1, 0, 1, 0]]);
}

// An arrow from the origin along z, with a tip of fixed length.
function arrow() {
  const shape = new Shape().rings([[0, 0, 0, -1, 0], [1, 0, 0, -1, 0]]).rings([[1, 0, 1, 0, 0], [1, -4, 1, 0, 1]]);
  return shape.rings([[1, -4, 0, -1, 1], [2, -4, 0, -1, 1]]).rings([[2, -4, 0.9, 0.45, 1], [0, 0, 0.9, 0.45, 1]]);
}

function box() {
  const shape = new Shape();
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const corner = (u, v) => {
        const p = [0, 0, 0];
        const n = [0, 0, 0];
        p[axis] = n[axis] = side;
        p[(axis + 1) % 3] = u;
        p[(axis + 2) % 3] = v;
        return shape.vertex(p, n);
      };
      const [a, b, c, d] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      shape.index.push(...(side > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
    }
  }
  return shape;
}

function plane() {
  const shape = new Shape();
  const [a, b, c, d] = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => shape.vertex([x, y, 0], [0, 0, 1]));
  shape.index.push(a, b, c, a, c, d);
  return shape;
}

function triangle() {
  const shape = new Shape();
  shape.index.push(...[[0, 0, 0], [1, 0, 0], [0, 1, 0]].map((p) => shape.vertex(p, [0, 0, 1])));
  return shape;
}

function line() {
  const shape = new Shape(true);
  shape.index.push(shape.vertex([0, 0, 0], [0, 0, 1]), shape.vertex([0, 0, 1], [0, 0, 1]));
  return shape;
}

function lineBox() {
  const shape = new Shape(true);
  const sign = (k, bit) => (k & bit ? 1 : -1);
  for (let k = 0; k < 8; k++) shape.vertex([sign(k, 1), sign(k, 2), sign(k, 4)], [0, 0, 1]);
  for (let k = 0; k < 8; k++) for (const bit of [1, 2, 4]) if (!(k & bit)) shape.index.push(k, k | bit);
  return shape;
}

// Fills nine numbers a vertex from arrays of a mesh; normals that lack are the means of the faces around.
function meshVertices(mesh) {
  const count = mesh.positions.length / 3;
  const normals = mesh.normals || meanNormals(mesh.positions, mesh.index);
  const out = new Float32Array(9 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      out[9 * i + k] = mesh.positions[3 * i + k];
      out[9 * i + 3 + k] = normals[3 * i + k];
    }
    if (mesh.texcoords) {
      out[9 * i + 6] = mesh.texcoords[2 * i];
      out[9 * i + 7] = mesh.texcoords[2 * i + 1];
    }
  }
  return out;
}

function meanNormals(p, index) {
  const out = new Float32Array(p.length);
  for (let t = 0; t + 2 < index.length; t += 3) {
    const [a, b, c] = [3 * index[t], 3 * index[t + 1], 3 * index[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const i of [a, b, c]) for (let k = 0; k < 3; k++) out[i + k] += n[k];
  }
  return out;
}
