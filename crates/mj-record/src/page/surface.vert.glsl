#version 300 es
precision highp float;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
// Texture coordinates, and how far along z a half length moves the vertex.
layout(location = 2) in vec3 extra;
uniform mat4 uCamera;
uniform vec3 uPos;
uniform vec4 uQuat;
uniform vec3 uScale;
uniform float uCap;
uniform float uShear;
out vec3 vLocal;
out vec3 vUnit;
out vec3 vWorld;
out vec3 vNormal;
out vec2 vTexture;
vec3 turn(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
void main() {
  vec3 local = position * uScale + vec3(position.y * uShear, 0.0, extra.z * uCap);
  vLocal = local;
  vUnit = position;
  vTexture = extra.xy;
  vNormal = turn(uQuat, normal / max(uScale, vec3(1e-9)));
  vWorld = uPos + turn(uQuat, local);
  gl_Position = uCamera * vec4(vWorld, 1.0);
}
