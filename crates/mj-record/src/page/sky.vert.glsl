#version 300 es
precision highp float;
uniform mat4 uBack;
out vec3 vWay;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec4 far = uBack * vec4(p, 1.0, 1.0);
  vec4 near = uBack * vec4(p, -1.0, 1.0);
  vWay = far.xyz / far.w - near.xyz / near.w;
  gl_Position = vec4(p, 0.0, 1.0);
}
