// Parts of both scripts: Chromium without a GPU, and colours of a picture.
import { chromium } from "playwright-core";

const ARGUMENTS = [
  "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
  "--disable-background-networking",
];

export const launch = (executablePath) => chromium.launch({ executablePath, args: ARGUMENTS });

// Colours of a coarse grid of the picture that a painter has drawn; for `page.evaluate`.
export const colours = (painter) => {
  const { gl } = painter;
  const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const all = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, all);
  const out = [];
  for (let y = 4; y < height; y += 8) for (let x = 4; x < width; x += 8) out.push(...all.subarray(4 * (y * width + x), 4 * (y * width + x) + 3));
  return out;
};

export const differing = (a, b) => a.filter((x, i) => Math.abs(x - b[i]) > 8).length;
