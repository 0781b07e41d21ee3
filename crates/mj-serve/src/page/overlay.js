// Texts and images of the program over the picture, and codes of keys for it.
"use strict";

const PLACES = ["top-left", "top-right", "bottom-left", "bottom-right", "top", "bottom", "left", "right"];

class Overlay {
  constructor(parent) {
    this.parent = parent;
  }

  // Shows what came: the length of a description, the description, and the pixels of its images.
  take(body) {
    const length = new DataView(body.buffer, body.byteOffset).getUint32(0, true);
    const { texts, images } = JSON.parse(new TextDecoder().decode(body.subarray(4, 4 + length)));
    let pixels = body.subarray(4 + length);
    this.parent.replaceChildren();
    for (const { rect, size } of images) {
      this.parent.append(this.image(rect, size, pixels));
      pixels = pixels.subarray(3 * size[0] * size[1]);
    }
    const boxes = PLACES.map(() => null);
    for (const { big, place, left, right } of texts) {
      boxes[place] = boxes[place] || element("div", { className: "text " + PLACES[place] });
      const columns = [left, right].map((text) => element("pre", { textContent: text }));
      boxes[place].append(element("div", { className: big ? "big" : "" }, ...columns));
    }
    this.parent.append(...boxes.filter((box) => box));
  }

  image([left, bottom, width, height], [columns, rows], pixels) {
    const canvas = element("canvas", { width: columns, height: rows });
    const share = (x) => 100 * x + "%";
    Object.assign(canvas.style, { left: share(left), bottom: share(bottom), width: share(width), height: share(height) });
    const context = canvas.getContext("2d");
    const data = context.createImageData(columns, rows);
    for (let k = 0; k < columns * rows; k++) {
      for (let c = 0; c < 3; c++) data.data[4 * k + c] = pixels[3 * k + c];
      data.data[4 * k + 3] = 255;
    }
    context.putImageData(data, 0, 0);
    return canvas;
  }
}

// Codes of GLFW by the names that browsers give to keys.
const KEYS = new Map([
  ...Array.from({ length: 26 }, (_, k) => ["Key" + String.fromCharCode(65 + k), 65 + k]),
  ...Array.from({ length: 10 }, (_, k) => ["Digit" + k, 48 + k]),
  ...Array.from({ length: 10 }, (_, k) => ["Numpad" + k, 320 + k]),
  ...Array.from({ length: 24 }, (_, k) => ["F" + (k + 1), 290 + k]),
  ...Object.entries({
    Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61,
    BracketLeft: 91, Backslash: 92, BracketRight: 93, Backquote: 96, Escape: 256, Enter: 257, Tab: 258,
    Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265,
    PageUp: 266, PageDown: 267, Home: 268, End: 269, CapsLock: 280, ScrollLock: 281, NumLock: 282,
    PrintScreen: 283, Pause: 284, NumpadDecimal: 330, NumpadDivide: 331, NumpadMultiply: 332,
    NumpadSubtract: 333, NumpadAdd: 334, NumpadEnter: 335, NumpadEqual: 336, ShiftLeft: 340, ControlLeft: 341,
    AltLeft: 342, MetaLeft: 343, ShiftRight: 344, ControlRight: 345, AltRight: 346, MetaRight: 347, ContextMenu: 348,
  }),
]);
