// Opens a page of mj-record from file:// in Chromium, and uses it as people do: node recording.mjs CHROMIUM PAGE PICTURE
import { strict as assert } from "node:assert";
import { pathToFileURL } from "node:url";
import { colours, differing, launch } from "./common.mjs";

const [executablePath, page_path, picture] = process.argv.slice(2);
const browser = await launch(executablePath);

const pixels = async (page) => page.evaluate(`(${colours})(window.player.painter)`);
const state = (page) =>
  page.evaluate(() => {
    const { time, frame, frames, playing, speed, loop, recorded, drawn, geoms, camera } = window.player;
    const { azimuth, elevation, distance, lookat } = camera;
    return { time, frame, frames, playing, speed, loop, recorded, drawn, geoms, azimuth, elevation, distance, lookat };
  });
// Waits until a change was drawn.
const drawn = async (page) => {
  const before = (await state(page)).drawn;
  await page.waitForFunction((n) => window.player.drawn > n, before, { timeout: 10000 }).catch(() => {});
};

try {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  const faults = [];
  const asked = [];
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  page.on("request", (r) => asked.push(r.url()));
  await page.goto(pathToFileURL(page_path).href);
  await page.waitForFunction(() => window.player || window.failure, null, { timeout: 60000 });
  assert.equal(await page.evaluate(() => window.failure), undefined);

  // It plays by itself.
  const first = await state(page);
  assert.ok(first.playing && first.frames > 100);
  await page.waitForFunction((t) => window.player.time > t + 0.3, first.time, { timeout: 60000 });

  // Space pauses and plays on.
  await page.keyboard.press("Space");
  const paused = await state(page);
  assert.equal(paused.playing, false);
  assert.ok(paused.geoms > 10);
  const still = await pixels(page);
  assert.ok(new Set(still).size > 20, "the picture is empty");
  await page.waitForTimeout(300);
  assert.equal((await state(page)).time, paused.time);
  await page.keyboard.press("Space");
  assert.equal((await state(page)).playing, true);
  await page.keyboard.press("Space");

  // Arrows go frame by frame.
  const before = await state(page);
  await page.keyboard.press("ArrowRight");
  await drawn(page);
  assert.equal((await state(page)).frame, before.frame + 1);
  await page.keyboard.press("ArrowLeft");
  await drawn(page);
  assert.equal((await state(page)).frame, before.frame);

  // The slider goes to a time, and the picture with it: from the beginning, for a slow machine may have paused anywhere.
  await page.keyboard.press("Home");
  await drawn(page);
  assert.equal((await state(page)).frame, 0);
  const early = await pixels(page);
  const box = await page.locator("#slider").boundingBox();
  await page.mouse.click(box.x + 0.7 * box.width, box.y + box.height / 2);
  await drawn(page);
  const late = await state(page);
  assert.ok(Math.abs(late.frame / late.frames - 0.7) < 0.05, `frame ${late.frame} of ${late.frames}`);
  assert.ok(differing(early, await pixels(page)) > 50, "the picture did not change with time");

  // Dragging turns the camera, with shift it moves, the wheel zooms.
  const ahead = await pixels(page);
  await page.mouse.move(400, 250);
  await page.mouse.down();
  await page.mouse.move(520, 280, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  const turned = await state(page);
  assert.ok(Math.abs(turned.azimuth - late.azimuth) > 20 && Math.abs(turned.elevation - late.elevation) > 3);
  assert.ok(differing(ahead, await pixels(page)) > 500, "the picture did not turn");
  await page.mouse.move(400, 250);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(460, 250, { steps: 4 });
  await page.mouse.up({ button: "right" });
  await page.mouse.wheel(0, -300);
  await drawn(page);
  const moved = await state(page);
  assert.notDeepEqual(moved.lookat, turned.lookat);
  assert.ok(moved.distance < 0.9 * turned.distance);

  // The recording's own camera, and back to the first view.
  await page.locator("#view").focus();
  await page.keyboard.press("c");
  assert.equal((await state(page)).recorded, true);
  await page.keyboard.press("r");
  await drawn(page);
  assert.ok(Math.abs((await state(page)).azimuth - first.azimuth) < 0.5);
  await page.keyboard.press("-");
  assert.equal((await state(page)).speed, 0.5);
  await page.keyboard.press("l");
  assert.equal((await state(page)).loop, false);

  // Without repetition it stops at its end.
  await page.keyboard.press("End");
  await drawn(page);
  const end = await state(page);
  assert.deepEqual([end.frame, end.playing], [end.frames - 1, false]);
  await page.screenshot({ path: picture });
  assert.equal(await page.evaluate(() => window.player.painter.gl.getError()), 0);
  assert.deepEqual(faults, []);
  assert.deepEqual(asked.filter((url) => !/^(file|data|blob):/.test(url)), [], "the page asked the network");
  console.log(`recording: ${end.frames} frames, ${end.geoms} geoms, ${end.drawn} pictures drawn`);
} finally {
  await browser.close();
}
