// What the pointer does to a body: a double click selects, a drag with Ctrl pulls or turns. Other drags move the camera.
"use strict";

class Pointer {
  // `eye` gives the camera for the server; it is called with each wish.
  constructor(canvas, eye, send) {
    let last = null;
    canvas.addEventListener("dblclick", (e) => {
      const [x, y] = [e.offsetX / canvas.clientWidth, 1 - e.offsetY / canvas.clientHeight];
      send({ select: [eye(), [x, y]] });
    });
    const taking = { capture: true };
    const take = (e) => {
      // The camera doesn't see it.
      e.stopImmediatePropagation();
      e.preventDefault();
    };
    canvas.addEventListener("pointerdown", (e) => {
      if (!e.ctrlKey) return;
      take(e);
      canvas.focus();
      canvas.setPointerCapture(e.pointerId);
      last = [e.clientX, e.clientY];
    }, taking);
    canvas.addEventListener("pointermove", (e) => {
      if (!last) return;
      take(e);
      const height = canvas.clientHeight;
      const way = [(e.clientX - last[0]) / height, (e.clientY - last[1]) / height];
      last = [e.clientX, e.clientY];
      const mode = e.buttons & 2 ? "move" : "turn";
      send({ pull: [eye(), e.shiftKey ? mode + "h" : mode, way] });
    }, taking);
    const release = (e) => {
      if (!last) return;
      take(e);
      last = null;
      send("release");
    };
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, release, taking);
  }
}
