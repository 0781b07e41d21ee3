#version 300 es
precision highp float;
precision highp sampler2DShadow;
#define LIGHTS 8
in vec3 vLocal;
in vec3 vUnit;
in vec3 vWorld;
in vec3 vNormal;
in vec2 vTexture;
uniform vec3 uEye;
uniform vec4 uColour;
// Emission, specularity, shininess, reflectance.
uniform vec4 uMaterial;
// 0: none, 1: from x and y, 2: from coordinates, 3: cube.
uniform int uTextured;
uniform vec2 uRepeat;
uniform vec2 uShift;
uniform sampler2D uImage;
uniform samplerCube uCube;
uniform bool uUnlit;
uniform int uCount;
// Position, and 1 for lights that have one.
uniform vec4 uLightPos[LIGHTS];
uniform vec3 uLightDir[LIGHTS];
uniform vec3 uAmbient[LIGHTS];
uniform vec3 uDiffuse[LIGHTS];
uniform vec3 uSpecular[LIGHTS];
uniform vec3 uAttenuation[LIGHTS];
// Cosine of the cutoff (-2: no spot), exponent.
uniform vec2 uSpot[LIGHTS];
uniform int uShadowed;
uniform mat4 uShadowCamera;
uniform sampler2DShadow uShadow;
uniform vec4 uHaze;
out vec4 colour;
float lit() {
  vec4 at = uShadowCamera * vec4(vWorld, 1.0);
  vec3 p = at.xyz / at.w * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  vec2 texel = 1.0 / vec2(textureSize(uShadow, 0));
  float sum = 0.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      sum += texture(uShadow, vec3(p.xy + vec2(i, j) * texel, p.z));
  return sum / 9.0;
}
void main() {
  vec4 base = uColour;
  if (uTextured == 1) base.rgb *= texture(uImage, vLocal.xy * uRepeat + uShift).rgb;
  if (uTextured == 2) base.rgb *= texture(uImage, vTexture).rgb;
  if (uTextured == 3) base.rgb *= texture(uCube, vUnit).rgb;
  if (uUnlit) {
    colour = base;
    return;
  }
  vec3 n = normalize(vNormal);
  vec3 toEye = normalize(uEye - vWorld);
  if (dot(n, toEye) < 0.0) n = -n;
  vec3 sum = base.rgb * uMaterial.x;
  for (int i = 0; i < uCount; i++) {
    vec3 way = uLightPos[i].xyz - vWorld;
    bool placed = uLightPos[i].w > 0.5;
    vec3 l = placed ? normalize(way) : -uLightDir[i];
    float strength = 1.0;
    if (placed) {
      float d = length(way);
      strength /= max(dot(uAttenuation[i], vec3(1.0, d, d * d)), 1e-4);
      if (uSpot[i].x > -1.5) {
        float c = dot(-l, uLightDir[i]);
        strength *= c < uSpot[i].x ? 0.0 : pow(max(c, 0.0), uSpot[i].y);
      }
    }
    float direct = i == uShadowed ? strength * lit() : strength;
    float facing = max(dot(n, l), 0.0);
    sum += base.rgb * (uAmbient[i] * strength + uDiffuse[i] * facing * direct);
    if (facing > 0.0) {
      float shine = pow(max(dot(n, normalize(l + toEye)), 0.0), max(uMaterial.z * 128.0, 1.0));
      sum += uSpecular[i] * uMaterial.y * shine * direct;
    }
  }
  // Planes without end fade into the horizon.
  float haze = uHaze.w > 0.0 ? smoothstep(0.2, 0.95, distance(vWorld, uEye) / uHaze.w) : 0.0;
  colour = vec4(mix(sum, uHaze.rgb, haze), base.a);
}
