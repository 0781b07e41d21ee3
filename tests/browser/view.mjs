// Opens the page of a running server in Chromium, and uses it as people do: node view.mjs CHROMIUM PICTURE MODEL COMMAND …
// The command serves the model and prints the page's URL.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { appendFileSync, copyFileSync } from "node:fs";
import { colours, differing, launch } from "./common.mjs";

const [executablePath, picture, model, command, ...rest] = process.argv.slice(2);
// A copy, whose changes the server must see.
const file = picture.replace(/\.png$/, ".xml");
copyFileSync(model, file);
const server = spawn(command, [...rest, file], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((resolve, reject) => {
  createInterface({ input: server.stdout }).on("line", (line) => line.startsWith("http://") && resolve(line.trim()));
  server.on("exit", (code) => reject(new Error("the server ended with " + code)));
});
const browser = await launch(executablePath);

const [faults, asked] = [[], []];
const open = async () => {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  page.on("request", (r) => asked.push(r.url()));
  await page.goto(url);
  await page.waitForFunction(() => window.view && (window.view.failure || window.view.drawn > 0), null, { timeout: 60000 });
  assert.equal(await page.evaluate(() => window.view.failure), undefined);
  return page;
};
const state = (page) => page.evaluate(() => ({ ...window.view.state, control: window.view.control, watchers: window.view.watchers }));
// Waits until the state of the page is as it should be.
const until = (page, what, test, argument) =>
  page.waitForFunction(test, argument, { timeout: 20000 }).catch(() => {
    throw new Error("not seen in time: " + what);
  });
const camera = (page) =>
  page.evaluate(() => {
    const { azimuth, elevation, distance, lookat } = window.view.orbit;
    return { azimuth, elevation, distance, lookat: [...lookat] };
  });
// Colours of the picture, drawn anew.
const pixels = async (page) => page.evaluate(`window.view.draw(), (${colours})(window.view.stream.painter)`);
const drag = async (page, from, to, button = "left") => {
  await page.mouse.move(...from);
  await page.mouse.down({ button });
  await page.mouse.move(...to, { steps: 5 });
  await page.mouse.up({ button });
};
// Place of a body on the page.
const place = (page, pos) =>
  page.evaluate((p) => {
    window.view.draw();
    const v = window.view.stream.painter.view;
    const [x, y, w] = [0, 1, 3].map((r) => v[r] * p[0] + v[4 + r] * p[1] + v[8 + r] * p[2] + v[12 + r]);
    return [((x / w + 1) / 2) * innerWidth, ((1 - y / w) / 2) * innerHeight];
  }, pos);

try {
  const page = await open();
  // It runs, and the picture shows something.
  const first = await state(page);
  assert.ok(first.control && !first.paused);
  await until(page, "time goes on", (t) => window.view.state.time > t + 0.05, first.time);
  await page.locator("#view").focus();
  await page.keyboard.press("Space");
  await until(page, "a pause", () => window.view.state.paused);
  await page.locator("#reset").click();
  await until(page, "a reset", () => window.view.state.time === 0);
  const start = await pixels(page);
  assert.ok(new Set(start).size > 40, "the picture is empty");

  // Steps go on and back.
  await page.keyboard.press("ArrowRight");
  await until(page, "a step", () => window.view.state.time > 0);
  await page.keyboard.press("ArrowRight");
  const step = (await state(page)).time;
  await until(page, "another step", (t) => window.view.state.time > 1.5 * t, step);
  await page.keyboard.press("ArrowLeft");
  await until(page, "a step back", (t) => Math.abs(window.view.state.time - t) < 1e-9, step);

  // A drag turns the camera, and back again: the picture is as before, within a tolerance.
  const before = await pixels(page);
  const ahead = await camera(page);
  await drag(page, [500, 300], [600, 330]);
  const turned = await camera(page);
  assert.ok(Math.abs(turned.azimuth - ahead.azimuth) > 10);
  assert.ok(differing(before, await pixels(page)) > 300, "the picture did not turn");
  await drag(page, [600, 330], [500, 300]);
  assert.ok(Math.abs((await camera(page)).azimuth - ahead.azimuth) < 0.01);
  assert.ok(differing(before, await pixels(page)) < 0.01 * before.length, "the picture did not come back");
  await drag(page, [500, 300], [540, 320], "right");
  await page.mouse.wheel(0, -200);
  await until(page, "the wheel", (d) => window.view.orbit.distance < 0.9 * d, ahead.distance);
  assert.notDeepEqual((await camera(page)).lookat, ahead.lookat);

  // A double click selects the body that is there.
  const body = await page.evaluate(() => {
    const { scene } = window.view;
    const moving = scene.geoms.filter((g) => g.category === 2 && g.shape !== undefined);
    return [...moving[0].pos];
  });
  const at = await place(page, body);
  await page.mouse.dblclick(...at);
  await until(page, "a selection", () => window.view.state.selected);
  const selected = (await state(page)).selected;
  assert.ok(selected.body > 0);

  // A drag with Ctrl pulls it, and it moves in the state.
  await page.keyboard.press("Space");
  await until(page, "that it runs", () => !window.view.state.paused);
  await page.keyboard.down("Control");
  await page.mouse.move(...at);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(at[0] + 120, at[1] - 80, { steps: 6 });
  await until(page, "a pull", () => window.view.state.selected.pulled);
  const way = (from) => Math.hypot(...window.view.state.selected.pos.map((x, k) => x - from[k])) > 0.05;
  await until(page, "a body that moves", way, selected.pos);
  await page.mouse.up({ button: "right" });
  await page.keyboard.up("Control");
  await until(page, "the pull's end", () => !window.view.state.selected.pulled);

  // Controls, flags and plots.
  await page.locator("#pause").click();
  await until(page, "a pause", () => window.view.state.paused);
  if ((await state(page)).ctrl.length) {
    const slider = page.locator("#controls input").first();
    await slider.evaluate((input) => {
      input.value = Number(input.min) + 0.75 * (Number(input.max) - Number(input.min));
      input.dispatchEvent(new Event("input"));
    });
    const wanted = await slider.evaluate((input) => Number(input.value));
    await until(page, "a control", (x) => Math.abs(window.view.state.ctrl[0] - x) < 1e-4, wanted);
  }
  await page.locator("#show summary").click();
  const geoms = await page.evaluate(() => window.view.scene.geoms.length);
  await page.locator('#show input[name="joint"]').check();
  await until(page, "joints", (n) => window.view.scene.geoms.length > n, geoms);
  await page.locator("#plots summary").click();
  await page.locator("#back").click();
  await page.locator("#step").click();
  await until(page, "a plot", () => {
    const { canvas } = window.view.panel.energy;
    return canvas.width > 100 && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((x) => x);
  });
  await page.locator("#speed").selectOption("0.5");
  await until(page, "half the speed", () => window.view.state.speed === 0.5);

  // The model's cameras.
  if (await page.evaluate(() => window.view.model.cameras.length)) {
    const free = await pixels(page);
    await page.locator("#camera").selectOption("0");
    assert.ok(differing(free, await pixels(page)) > 300, "the camera shows the same picture");
    await page.locator("#camera").selectOption("-1");
    assert.ok(differing(free, await pixels(page)) < 0.01 * free.length, "the free camera has moved");
  }

  // A second watcher sees all and changes nothing, until it takes the control.
  const other = await open();
  assert.deepEqual(await other.evaluate(() => [window.view.control, window.view.watchers]), [false, 2]);
  await other.evaluate(() => window.view.socket.send(JSON.stringify({ speed: 5 })));
  await other.waitForTimeout(300);
  assert.equal((await state(other)).speed, 0.5);
  await other.locator("#take").click();
  await until(other, "the control", () => window.view.control);
  await until(page, "that it is gone", () => !window.view.control);
  await other.locator("#reset").click();
  await until(page, "the other's reset", () => window.view.state.time === 0);
  await other.close();
  await until(page, "the control again", () => window.view.control && window.view.watchers === 1);

  // A file that is written is loaded again; a mistake in it is told, and its end.
  const good = await page.evaluate(() => window.view.stream);
  assert.ok(good);
  await page.waitForTimeout(600);
  appendFileSync(file, "<wrong");
  await until(page, "a mistake in the file", () => /error|expected/i.test(document.getElementById("message").textContent));
  copyFileSync(model, file);
  await until(page, "a good file", () => document.getElementById("message").textContent === "");
  await page.waitForFunction(() => window.view.scene);

  await page.screenshot({ path: picture });
  assert.equal(await page.evaluate(() => window.view.stream.painter.gl.getError()), 0);
  assert.deepEqual(faults, []);
  const own = new URL(url).origin;
  assert.deepEqual(asked.filter((u) => !u.startsWith(own) && !/^(data|blob):/.test(u)), [], "the page asked others");
  const numbers = await page.evaluate(() => [window.view.frames, window.view.bytes, window.view.scene.geoms.length]);
  console.log(`view: ${numbers[0]} frames, the last one of ${numbers[1]} bytes with ${numbers[2]} geoms`);
} finally {
  server.removeAllListeners("exit");
  await browser.close();
  server.kill("SIGINT");
}
