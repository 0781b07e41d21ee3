#version 300 es
precision highp float;
#define COLOURS 17
in vec3 vWay;
uniform vec3 uSky[COLOURS];
out vec4 colour;
void main() {
  float at = (asin(clamp(normalize(vWay).z, -1.0, 1.0)) / 3.14159265 + 0.5) * float(COLOURS - 1);
  int k = min(int(at), COLOURS - 2);
  colour = vec4(mix(uSky[k], uSky[k + 1], at - float(k)), 1.0);
}
