// Vectors, quaternions (x, y, z, w) and matrices (column by column).
"use strict";

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => scale(a, 1 / (norm(a) || 1));
const mix = (a, b, t) => a + (b - a) * t;

function multiply(a, b) {
  const v = add(add(scale(b, a[3]), scale(a, b[3])), cross(a, b));
  return [v[0], v[1], v[2], a[3] * b[3] - dot(a, b)];
}

function turn(q, v) {
  const t = add(cross(q, v), scale(v, q[3]));
  return add(v, scale(cross(q, t), 2));
}

function normalized(q) {
  const s = 1 / (Math.hypot(q[0], q[1], q[2], q[3]) || 1);
  return [q[0] * s, q[1] * s, q[2] * s, q[3] * s];
}

// Quaternion of a rotation vector.
function fromAxis(v) {
  const angle = norm(v);
  const s = angle < 1e-12 ? 0.5 : Math.sin(angle / 2) / angle;
  return [v[0] * s, v[1] * s, v[2] * s, Math.cos(angle / 2)];
}

// Orientation between two, near enough to linear.
function between(a, b, t) {
  const side = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  return normalized([0, 1, 2, 3].map((k) => mix(a[k], side * b[k], t)));
}

// Orientation whose columns are given.
function fromColumns(x, y, z) {
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) {
    return normalized([y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace]);
  }
  if (x[0] >= y[1] && x[0] >= z[2]) {
    return normalized([1 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2], y[2] - z[1]]);
  }
  if (y[1] >= z[2]) {
    return normalized([y[0] + x[1], 1 + y[1] - x[0] - z[2], z[1] + y[2], z[0] - x[2]]);
  }
  return normalized([z[0] + x[2], z[1] + y[2], 1 + z[2] - x[0] - y[1], x[1] - y[0]]);
}

// Orientation whose z axis is a direction.
function alongZ(v) {
  const z = unit(v);
  const x = unit(cross(Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], z));
  return fromColumns(x, cross(z, x), z);
}

function product(a, b) {
  const out = new Float64Array(16);
  for (let c = 0; c < 4; c++)
    for (let r = 0; r < 4; r++)
      for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
}

// From the world to a camera that looks along its negative z axis.
function viewMatrix(pos, quat) {
  const [x, y, z] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => turn(quat, axis));
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, pos), -dot(y, pos), -dot(z, pos), 1];
}

// From a view to the picture: half sizes on the near plane.
function frustumMatrix(width, height, near, far, orthographic) {
  if (orthographic) {
    return [1 / width, 0, 0, 0, 0, 1 / height, 0, 0, 0, 0, -2 / (far - near), 0, 0, 0, -(far + near) / (far - near), 1];
  }
  const depth = -(far + near) / (far - near);
  return [near / width, 0, 0, 0, 0, near / height, 0, 0, 0, 0, depth, -1, 0, 0, (-2 * far * near) / (far - near), 0];
}

function inverse(m) {
  // Gauss and Jordan, on rows of the matrix beside the identity.
  const a = [0, 1, 2, 3].map((r) => [0, 1, 2, 3].map((c) => m[4 * c + r]).concat([0, 1, 2, 3].map((c) => +(c === r))));
  for (let i = 0; i < 4; i++) {
    let best = i;
    for (let r = i; r < 4; r++) if (Math.abs(a[r][i]) > Math.abs(a[best][i])) best = r;
    [a[i], a[best]] = [a[best], a[i]];
    const pivot = a[i][i] || 1e-30;
    a[i] = a[i].map((x) => x / pivot);
    for (let r = 0; r < 4; r++) {
      const factor = a[r][i];
      if (r !== i) a[r] = a[r].map((x, k) => x - a[i][k] * factor);
    }
  }
  return Float64Array.from({ length: 16 }, (_, k) => a[k % 4][4 + (k >> 2)]);
}
