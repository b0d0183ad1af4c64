// The access maps: which tile block reads and writes which elements of an array, step by step.

import { choice, element, svg } from "./dom";
import type { ArrayMap, Kernel, Page, Touch } from "./schema";

const HUES = [210, 28, 145, 330, 265, 60, 190, 0];
const LONGEST = 512;

/** Rows and columns that an array is drawn with: its last extent is a row. */
function extents(map: ArrayMap): [number, number] {
  const size = map.shape.reduce((product, extent) => product * extent, 1);
  const columns = map.shape.at(-1) ?? 1;
  return map.shape.length < 2 ? [Math.ceil(size / 64), Math.min(size, 64)] : [size / columns, columns];
}

export class Memory {
  readonly root = element("div", { class: "memory" });
  private readonly controls = element("div", { class: "controls" });
  private readonly canvas = element("canvas", { class: "map", role: "img" });
  private readonly says = element("p", { role: "status" });
  private readonly slider = element("input", { type: "range", min: 0, value: 0, input: () => this.draw() });
  private map: ArrayMap | undefined;
  private kernel!: Kernel;

  constructor(private readonly page: Page, private readonly goTo: (place: number) => void) {
    const steps = element("label", { class: "choice" }, "Accesses shown", this.slider);
    const line = element("button", { type: "button", click: () => this.follow() }, "Show its line");
    this.root.append(this.controls, element("div", { class: "controls" }, steps, line), this.says, this.canvas, legend());
  }

  show(kernel: Kernel): void {
    this.kernel = kernel;
    this.choose(Math.max(0, kernel.arrays.findIndex((map) => map.conflicts.length > 0)));
  }

  private choose(at: number): void {
    this.map = this.kernel.arrays[at];
    const names = this.kernel.arrays.map((map) => `${map.name}: ${map.element}[${map.shape.join(", ")}]`);
    this.controls.replaceChildren(names.length ? choice("Array", names, at, (chosen) => this.choose(chosen)) : "");
    this.slider.max = String(this.map?.touches.length ?? 0);
    this.slider.value = this.slider.max;
    this.draw();
  }

  private last(): Touch | undefined {
    return this.map?.touches[Number(this.slider.value) - 1];
  }

  private follow(): void {
    const last = this.last();
    if (last && last.place >= 0) this.goTo(last.place);
  }

  private draw(): void {
    const map = this.map;
    this.canvas.hidden = !map;
    if (!map) {
      this.says.textContent = "There is no map: the page was made without a run, or the arrays are too large.";
      return;
    }
    const [rows, columns] = extents(map);
    const scale = Math.max(1, Math.floor(LONGEST / Math.max(rows, columns)));
    this.canvas.width = columns * scale;
    this.canvas.height = rows * scale;
    const context = this.canvas.getContext("2d")!;
    const paint = (at: number, colour: string) => {
      context.fillStyle = colour;
      context.fillRect((at % columns) * scale, Math.floor(at / columns) * scale, scale, scale);
    };
    for (const touch of map.touches.slice(0, Number(this.slider.value))) {
      const colour = `hsl(${HUES[touch.block % HUES.length]} 70% ${touch.kind === "load" ? 72 : 45}%)`;
      for (const [first, count, step] of touch.runs) {
        for (let at = 0; at < count; at += 1) paint(first + at * step, colour);
      }
    }
    for (const at of map.conflicts) paint(at, "#d00000");
    this.tell(map);
  }

  private tell(map: ArrayMap): void {
    const last = this.last();
    const place = this.page.places[last?.place ?? -1];
    const what = last ? `Last shown: a ${last.kind} of tile block ${last.block}${place ? ` in line ${place.line}` : ""}.` : "";
    const conflicts = map.conflicts.length
      ? `${map.conflicts.length} elements are touched by two tile blocks without order, one of them writing.` : "No conflicts.";
    const cut = map.cut ? " Later accesses are left out." : "";
    this.says.textContent = `${map.touches.length} accesses. ${conflicts} ${what}${cut}`;
    this.canvas.setAttribute("aria-label", `Elements of ${map.name}: ${conflicts}`);
  }
}

function legend(): HTMLElement {
  const box = (colour: string) => svg("svg", { width: 14, height: 14, "aria-hidden": "true" },
    svg("rect", { width: 14, height: 14, fill: colour }));
  return element("p", { class: "legend" }, box("hsl(210 70% 72%)"), " loads are light, ",
    box("hsl(210 70% 45%)"), " stores and atomic updates dark; every tile block has a colour; ",
    box("#d00000"), " conflicts.");
}
