// Draws scenes by WebGL2: geoms with poses, surfaces with vertices, lights, a camera. It knows no recording.
"use strict";

const LIGHTS = 8;
const SHADOW = 1024;
const NAMES = {
  0: "plane", 2: "sphere", 3: "capsule", 4: "sphere", 5: "cylinder", 6: "box",
  100: "arrow", 101: "arrow", 102: "arrow", 103: "line", 104: "lineBox", 108: "triangle",
};
const MAKERS = { plane, sphere, capsule, cylinder, box, arrow, line, lineBox, triangle };
const DECOR = 4;

// Where a scene has no light at its camera: sides that its lights don't reach would be black, and its shapes not seen.
const FILL = {
  headlight: true, type: 1, pos: [0, 0, 0], dir: [0, 0, -1], attenuation: [1, 0, 0], spot: [180, 0],
  ambient: [0.12, 0.12, 0.12], diffuse: [0.25, 0.25, 0.25], specular: [0, 0, 0],
};

class Painter {
  // The scene's fixed part: meshes, images, sky (17 colours or none), extent.
  constructor(canvas, scene) {
    const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL2");
    Object.assign(this, { canvas, gl, sky: scene.sky, extent: scene.extent });
    this.surface = this.program("surface");
    this.backdrop = scene.sky.length ? this.program("sky") : null;
    this.shapes = {};
    for (const [name, make] of Object.entries(MAKERS)) {
      const shape = make();
      this.shapes[name] = this.buffers(new Float32Array(shape.vertices), shape.index, shape.lines);
    }
    [this.meshes, this.textures] = [[], []];
    this.extend(scene.meshes, scene.images);
    this.horizon = scene.sky.length ? scene.sky[8] : [0.08, 0.09, 0.11];
    this.dynamic = new Map();
    this.makeShadow();
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  extend(meshes, images) {
    for (const mesh of meshes) this.meshes.push(this.buffers(meshVertices(mesh), mesh.index));
    for (const image of images) this.textures.push(this.texture(image));
  }

  // Gives the memory back; nothing can be drawn after that.
  dispose() {
    const { gl } = this;
    for (const { array, buffer, indices } of [...Object.values(this.shapes), ...this.meshes, ...this.dynamic.values()]) {
      gl.deleteVertexArray(array);
      gl.deleteBuffer(buffer);
      gl.deleteBuffer(indices);
    }
    for (const { texture } of this.textures) gl.deleteTexture(texture);
    gl.deleteTexture(this.shadow);
    gl.deleteFramebuffer(this.shadowFrame);
    for (const part of [this.surface, this.backdrop]) if (part) gl.deleteProgram(part.program);
  }

  program(name) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, type] of [["vert", gl.VERTEX_SHADER], ["frag", gl.FRAGMENT_SHADER]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, document.getElementById(name + "." + kind).textContent.trim());
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const places = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const uniform = gl.getActiveUniform(program, i).name.replace("[0]", "");
      places[uniform] = gl.getUniformLocation(program, uniform);
    }
    return { program, places };
  }

  buffers(vertices, index, lines) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.DYNAMIC_DRAW);
    for (let k = 0; k < 3; k++) {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 36, 12 * k);
    }
    const indices = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(index), gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { array, buffer, indices, count: index.length, mode: lines ? gl.LINES : gl.TRIANGLES };
  }

  texture(image) {
    const gl = this.gl;
    const target = image.cube ? gl.TEXTURE_CUBE_MAP : gl.TEXTURE_2D;
    const texture = gl.createTexture();
    gl.bindTexture(target, texture);
    const { bitmap } = image;
    if (image.cube) {
      const side = Math.min(bitmap.width, bitmap.height);
      const cut = new OffscreenCanvas(side, side);
      const context = cut.getContext("2d", { willReadFrequently: true });
      for (let k = 0; k < 6; k++) {
        context.drawImage(bitmap, 0, image.faces === 6 ? -k * side : 0);
        const pixels = context.getImageData(0, 0, side, side);
        gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + k, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      }
    } else {
      gl.texImage2D(target, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
      const anisotropy = gl.getExtension("EXT_texture_filter_anisotropic");
      if (anisotropy) gl.texParameteri(target, anisotropy.TEXTURE_MAX_ANISOTROPY_EXT, 8);
    }
    gl.generateMipmap(target);
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    return { texture, cube: image.cube };
  }

  makeShadow() {
    const gl = this.gl;
    this.shadow = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadow);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW, SHADOW);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    this.shadowFrame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadow, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    // It has a unit of its own; on another one, it would be of the wrong kind for that sampler.
    gl.bindTexture(gl.TEXTURE_2D, null);
  }

  // Draws camera {pos, quat, height at unit distance, near, far, orthographic}, lights, geoms, surfaces.
  draw(frame) {
    const { gl, canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((n) => Math.max(1, Math.round(n * ratio)));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const { camera } = frame;
    const half = camera.height / 2;
    const projection = frustumMatrix((half * width) / height, half, camera.near, camera.far, camera.orthographic);
    this.view = product(projection, viewMatrix(camera.pos, camera.quat));
    const parts = this.parts(frame);
    const sun = frame.lights.findIndex((l) => l.castshadow && !l.headlight);
    const shadowed = sun >= 0 && sun < LIGHTS ? sun : -1;
    const shadowCamera = shadowed >= 0 ? this.drawShadow(frame.lights[sun], frame.center, parts) : new Float64Array(16);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...this.horizon, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (this.backdrop) this.drawSky();
    const { program, places } = this.surface;
    gl.useProgram(program);
    this.setLights(frame.lights, camera, places);
    gl.uniform1i(places.uShadowed, shadowed);
    gl.uniformMatrix4fv(places.uShadowCamera, false, shadowCamera);
    gl.uniformMatrix4fv(places.uCamera, false, this.view);
    gl.uniform3fv(places.uEye, camera.pos);
    // Units of textures never change: shaders may not read one that is drawn to, nor two kinds from one unit.
    gl.uniform1i(places.uImage, 0);
    gl.uniform1i(places.uCube, 1);
    gl.uniform1i(places.uShadow, 2);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow);
    const solid = parts.filter((p) => p.alpha >= 1);
    const clear = parts.filter((p) => p.alpha < 1);
    const distance = (p) => norm(sub(p.geom.pos, camera.pos));
    clear.sort((a, b) => distance(b) - distance(a));
    for (const part of solid) this.drawPart(part, places, camera);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const part of clear) this.drawPart(part, places, camera);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  // Geoms with their buffers, and surfaces with the vertices of this frame.
  parts(frame) {
    const out = [];
    for (const geom of frame.geoms) {
      const buffers = geom.mesh === undefined ? this.shapes[NAMES[geom.shape]] : this.meshes[geom.mesh];
      if (buffers) out.push({ geom, buffers, alpha: geom.rgba[3] });
    }
    for (const surface of frame.surfaces) {
      const base = { pos: [0, 0, 0], quat: [0, 0, 0, 1], size: [1, 1, 1], mesh: 0 };
      if (surface.kind === 3) {
        const mesh = { positions: surface.positions, index: surface.index, texcoords: surface.texcoords };
        const vertices = meshVertices(mesh);
        let buffers = this.dynamic.get(surface.key);
        if (!buffers) this.dynamic.set(surface.key, (buffers = this.buffers(vertices, surface.index)));
        this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffers.buffer);
        this.gl.bufferData(this.gl.ARRAY_BUFFER, vertices, this.gl.DYNAMIC_DRAW);
        out.push({ geom: { ...surface, ...base }, buffers, alpha: surface.rgba[3] });
        continue;
      }
      const point = (i) => surface.positions.subarray(3 * i, 3 * i + 3);
      for (let k = 0; k + surface.kind - 1 < surface.index.length; k += surface.kind) {
        const a = point(surface.index[k]);
        const r = surface.radius;
        const geom = { ...surface, ...base, mesh: undefined, shape: 2, pos: a, size: [r, r, r] };
        if (surface.kind === 2) {
          const b = point(surface.index[k + 1]);
          const way = sub(b, a);
          Object.assign(geom, { shape: 3, pos: scale(add(a, b), 0.5), quat: alongZ(way), size: [r, r, norm(way) / 2] });
        }
        out.push({ geom, buffers: this.shapes[NAMES[geom.shape]], alpha: surface.rgba[3] });
      }
    }
    return out;
  }

  drawShadow(light, center, parts) {
    const gl = this.gl;
    const reach = 1.5 * this.extent;
    const quat = alongZ(scale(light.dir, -1));
    // Lights without an end shine from outside of the model; spots from where they are, on all of their cone.
    const spot = light.type === 0 && light.spot[0] < 80;
    const pos = spot ? light.pos : sub(center, scale(light.dir, 2 * reach));
    const edge = 0.02 * reach * Math.tan((Math.min(light.spot[0], 80) * Math.PI) / 180);
    const projection = spot
      ? frustumMatrix(edge, edge, 0.02 * reach, norm(sub(center, pos)) + 4 * reach, false)
      : frustumMatrix(reach, reach, 0, 4 * reach, true);
    const camera = product(projection, viewMatrix(pos, quat));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.viewport(0, 0, SHADOW, SHADOW);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 4);
    const { program, places } = this.surface;
    gl.useProgram(program);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.uniform1i(places.uImage, 0);
    gl.uniform1i(places.uCube, 1);
    gl.uniform1i(places.uShadow, 2);
    gl.uniform1i(places.uCount, 0);
    gl.uniform1i(places.uShadowed, -1);
    gl.uniformMatrix4fv(places.uCamera, false, camera);
    for (const part of parts) {
      const casts = part.geom.shape !== 0 && part.geom.category !== DECOR && part.buffers.mode === gl.TRIANGLES;
      if (casts && part.alpha >= 1) this.drawPart(part, places, { pos: [0, 0, 1e9], far: 1 });
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return camera;
  }

  drawSky() {
    const { gl } = this;
    const { program, places } = this.backdrop;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.uBack, false, inverse(this.view));
    gl.uniform3fv(places.uSky, this.sky.flat());
    gl.bindVertexArray(null);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
  }

  setLights(all, camera, places) {
    const gl = this.gl;
    const lights = all.slice(0, LIGHTS);
    const forward = turn(camera.quat, [0, 0, -1]);
    const each = (name, width, value) => {
      if (lights.length) gl["uniform" + width + "fv"](places[name], lights.flatMap((l) => [...value(l)]));
    };
    gl.uniform1i(places.uCount, lights.length);
    // Kinds: 0 spot, 1 directional, 2 point, 3 image.
    const placed = (l) => !l.headlight && (l.type === 0 || l.type === 2);
    each("uLightPos", 4, (l) => [...l.pos, placed(l) ? 1 : 0]);
    each("uLightDir", 3, (l) => (l.headlight ? forward : unit(l.dir)));
    each("uAmbient", 3, (l) => l.ambient);
    each("uDiffuse", 3, (l) => l.diffuse);
    each("uSpecular", 3, (l) => l.specular);
    each("uAttenuation", 3, (l) => l.attenuation);
    const cosine = (l) => (l.type === 0 && l.spot[0] < 180 ? Math.cos((l.spot[0] * Math.PI) / 180) : -2);
    each("uSpot", 2, (l) => [cosine(l), l.spot[1]]);
  }

  drawPart({ geom, buffers }, places, camera) {
    const gl = this.gl;
    const { pos, quat, rgba } = geom;
    const name = geom.mesh === undefined ? NAMES[geom.shape] : "mesh";
    let [x, y, z] = geom.size;
    let [cap, shear, endless, alpha] = [0, 0, false, rgba[3]];
    const nearly = (n) => n || 1e-6;
    if (name === "mesh") [x, y, z] = [1, 1, 1];
    if (name === "capsule") [z, cap] = [x, z];
    if (name === "arrow") [z, cap] = [x, z];
    if (name === "line") [x, y] = [1, 1];
    if (name === "triangle") [shear, y, z] = [y, z, 1];
    if (name === "plane") {
      endless = x <= 0 || y <= 0;
      [x, y, z] = [x > 0 ? x : camera.far, y > 0 ? y : camera.far, 1];
      // From below a plane hides nothing.
      if (dot(sub(camera.pos, pos), turn(quat, [0, 0, 1])) < 0) alpha *= 0.3;
    }
    gl.uniform3fv(places.uPos, pos);
    gl.uniform4fv(places.uQuat, quat);
    gl.uniform3f(places.uScale, nearly(x), nearly(y), nearly(z));
    gl.uniform1f(places.uCap, cap);
    gl.uniform1f(places.uShear, shear);
    gl.uniform4f(places.uColour, rgba[0], rgba[1], rgba[2], alpha);
    gl.uniform4fv(places.uMaterial, geom.material);
    gl.uniform1i(places.uUnlit, buffers.mode === gl.LINES ? 1 : 0);
    gl.uniform4f(places.uHaze, ...this.horizon, endless ? camera.far : 0);
    this.setTexture(geom, [x, y], endless, places);
    gl.bindVertexArray(buffers.array);
    if (alpha < 1 && rgba[3] >= 1) gl.enable(gl.BLEND);
    gl.drawElements(buffers.mode, buffers.count, gl.UNSIGNED_INT, 0);
    if (alpha < 1 && rgba[3] >= 1) gl.disable(gl.BLEND);
  }

  setTexture(geom, size, endless, places) {
    const gl = this.gl;
    const known = geom.texture === undefined ? null : this.textures[geom.texture];
    let kind = 0;
    if (known) {
      kind = known.cube ? 3 : geom.coordinates ? 2 : 1;
      gl.activeTexture(known.cube ? gl.TEXTURE1 : gl.TEXTURE0);
      gl.bindTexture(known.cube ? gl.TEXTURE_CUBE_MAP : gl.TEXTURE_2D, known.texture);
      const fits = geom.uniform || endless;
      gl.uniform2fv(places.uRepeat, size.map((s, k) => (0.5 * geom.repeat[k]) / (fits ? 1 : s || 1)));
      gl.uniform2f(places.uShift, -0.5, -0.5);
    }
    gl.uniform1i(places.uTextured, kind);
  }

  // Writes labels of geoms onto a canvas above the picture.
  label(canvas, geoms) {
    const used = geoms.some((g) => g.label);
    if (!used && !this.labelled) return;
    this.labelled = used;
    [canvas.width, canvas.height] = [canvas.clientWidth, canvas.clientHeight];
    const context = canvas.getContext("2d");
    context.font = "12px system-ui, sans-serif";
    for (const { label, pos } of geoms) {
      if (!label) continue;
      const at = [0, 1, 3].map((r) => [0, 1, 2].reduce((s, c) => s + this.view[4 * c + r] * pos[c], this.view[12 + r]));
      if (at[2] <= 0) continue;
      const [x, y] = [(at[0] / at[2] + 1) * 0.5 * canvas.width, (1 - at[1] / at[2]) * 0.5 * canvas.height];
      context.fillStyle = "#000a";
      context.fillText(label, x + 1, y + 1);
      context.fillStyle = "#fff";
      context.fillText(label, x, y);
    }
  }
}
