// Controls beside the picture: sliders, check boxes, choices, plots. They show the state and send wishes.
"use strict";

// An element with properties and children.
function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

class Panel {
  constructor(parent, model, send) {
    Object.assign(this, { parent, model, send });
    parent.replaceChildren();
    this.facts = element("pre", {});
    this.section("State", true).append(this.facts);
    this.controls = this.sliders("Controls", model.controls, "control", true);
    this.joints = this.sliders("Joints", model.joints, "joint", false);
    this.equalities = this.boxes("Equalities", model.equalities, (k, on) => send({ equality: [k, on] }));
    this.flags = this.boxes("Show", model.flags, (k, on) => send({ flag: [model.flags[k], on] }));
    const kinds = this.section("Labels and frames", false);
    this.label = this.choice(kinds, "Labels", model.labels, (name) => send({ label: name }));
    this.frame = this.choice(kinds, "Frames", model.frames, (name) => send({ frame: name }));
    this.groups = this.groupBoxes(this.section("Groups", false));
    const plots = this.section("Plots", false);
    this.energy = new Plot(plots, "Energy, J", ["potential", "kinetic"]);
    this.solver = new Plot(plots, "Solver", ["iterations"]);
    this.readings = model.readings.length ? new Plot(plots, "Sensors", model.readings) : null;
  }

  section(title, open) {
    const made = element("details", { open }, element("summary", { textContent: title }));
    made.id = title.toLowerCase().replaceAll(" ", "-");
    this.parent.append(made);
    return made;
  }

  sliders(title, list, wish, open) {
    if (!list.length) return [];
    const section = this.section(title, open);
    return list.map(({ id, name, range: [min, max] }) => {
      const input = element("input", { type: "range", min, max, step: "any", value: 0, ariaLabel: name });
      const output = element("output", {});
      input.addEventListener("input", () => this.send({ [wish]: [id, Number(input.value)] }));
      input.addEventListener("pointerdown", () => (input.held = true));
      for (const end of ["pointerup", "pointercancel", "blur"]) input.addEventListener(end, () => (input.held = false));
      // Back to the middle, or to zero where the range has it.
      input.addEventListener("dblclick", () => this.send({ [wish]: [id, min <= 0 && max >= 0 ? 0 : (min + max) / 2] }));
      section.append(element("label", { title: name }, element("span", { textContent: name }), input, output));
      return { input, output };
    });
  }

  boxes(title, names, changed) {
    if (!names.length) return [];
    const section = this.section(title, false);
    return names.map((name, k) => {
      const input = element("input", { type: "checkbox", name });
      input.addEventListener("change", () => changed(k, input.checked));
      section.append(element("label", {}, input, name));
      return input;
    });
  }

  choice(section, title, names, changed) {
    const select = element("select", { title, ariaLabel: title }, ...names.map((name) => new Option(title + ": " + name, name)));
    select.addEventListener("change", () => changed(select.value));
    section.append(select);
    return select;
  }

  groupBoxes(section) {
    return this.model.groups.map((kind) => {
      const row = element("label", { className: "groups" }, element("span", { textContent: kind }));
      const inputs = Array.from({ length: 6 }, (_, k) => {
        const input = element("input", { type: "checkbox", title: kind + " group " + k });
        input.addEventListener("change", () => this.send({ group: [kind, k, input.checked] }));
        return input;
      });
      row.append(...inputs);
      section.append(row);
      return inputs;
    });
  }

  show(state) {
    const set = ({ input, output }, value) => {
      if (!input.held) input.value = value;
      output.textContent = Number(value).toFixed(3);
    };
    this.controls.forEach((slider, k) => set(slider, state.ctrl[k]));
    this.joints.forEach((slider, k) => set(slider, state.joints[k]));
    this.equalities.forEach((box, k) => (box.checked = state.equalities[k]));
    this.flags.forEach((box, k) => (box.checked = Boolean((state.flags >> k) & 1)));
    this.groups.forEach((row, i) => row.forEach((box, k) => (box.checked = Boolean((state.groups[i] >> k) & 1))));
    if (document.activeElement !== this.label) this.label.selectedIndex = state.label;
    if (document.activeElement !== this.frame) this.frame.selectedIndex = state.frame;
    const { selected } = state;
    const name = selected ? selected.name || "body " + selected.body : "none";
    this.facts.textContent =
      `contacts   ${state.ncon}\nrows       ${state.nefc}\niterations ${state.niter}\nselected   ${name}\n${state.warnings.join("\n")}`;
    this.energy.push(state.time, state.energy);
    this.solver.push(state.time, [state.niter]);
    if (this.readings) this.readings.push(state.time, state.readings);
    for (const plot of [this.energy, this.solver, this.readings]) if (plot) plot.draw();
  }

  lock(on) {
    for (const input of this.parent.querySelectorAll("input, select")) input.disabled = on;
  }
}
