// Plots of numbers over the time of the simulation.
"use strict";

const COLOURS = ["#6cb6ff", "#f69d50", "#6bc46d", "#dcbdfb", "#f47067", "#daaa3f", "#76e3ea", "#ff8fc7"];
const POINTS = 600;

class Plot {
  constructor(parent, title, names) {
    this.names = names;
    this.points = [];
    this.canvas = document.createElement("canvas");
    this.canvas.title = title + ": " + names.join(", ");
    parent.append(this.canvas);
  }

  // Appends values at a time; a time before the last one begins anew.
  push(time, values) {
    const last = this.points[this.points.length - 1];
    if (last && time < last.time) this.points = [];
    if (last && time === last.time) this.points.pop();
    this.points.push({ time, values: values.slice(0, COLOURS.length) });
    if (this.points.length > POINTS) this.points.shift();
  }

  draw() {
    const { canvas, points } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width || !points.length) return;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    let [low, high] = [Infinity, -Infinity];
    for (const { values } of points) {
      for (const x of values) if (Number.isFinite(x)) [low, high] = [Math.min(low, x), Math.max(high, x)];
    }
    if (!(high > low)) [low, high] = [low - 0.5, low + 0.5];
    const [start, end] = [points[0].time, points[points.length - 1].time];
    const x = (time) => ((time - start) / (end - start || 1)) * width;
    const y = (value) => height - 3 - ((value - low) / (high - low)) * (height - 6);
    const count = points[points.length - 1].values.length;
    for (let k = 0; k < count; k++) {
      context.strokeStyle = COLOURS[k];
      context.beginPath();
      for (const { time, values } of points) if (Number.isFinite(values[k])) context.lineTo(x(time), y(values[k]));
      context.stroke();
    }
    context.fillStyle = "#9aa4ae";
    context.font = "11px system-ui, sans-serif";
    context.fillText(high.toPrecision(4), 2, 11);
    context.fillText(low.toPrecision(4), 2, height - 3);
  }
}
