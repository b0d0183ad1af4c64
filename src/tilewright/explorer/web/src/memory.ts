// The access maps: which tile block reads and writes which elements of an array, step by step.

import { choice, element, svg } from "./dom";
import { saveButton } from "./picture";
import type { ArrayMap, Kernel, Page, Touch } from "./schema";

const HUES = [210, 28, 145, 330, 265, 60, 190, 0];
/** Pixels: the longest side of a map, and of an element. */
const LONGEST = 512, LARGEST = 24;
const LIGHT = 72, DARK = 45;
const CONFLICT = "#d00000";

/** Rows and columns that an array is drawn with: its last extent is a row. */
function extents(map: ArrayMap): [number, number] {
  const size = map.shape.reduce((product, extent) => product * extent, 1);
  const columns = map.shape.at(-1) ?? 1;
  return map.shape.length < 2 ? [Math.ceil(size / 64), Math.min(size, 64)] : [size / columns, columns];
}

/** Pixels of an element. */
function scaleOf(rows: number, columns: number): number {
  return Math.min(LARGEST, Math.max(1, Math.floor(LONGEST / Math.max(rows, columns))));
}

/** A colour that every program that reads SVG knows. */
function colour(block: number, lightness: number): string {
  const hue = HUES[block % HUES.length]!;
  const channel = (shift: number) => {
    const at = (shift + hue / 30) % 12;
    const reach = 0.7 * Math.min(lightness, 100 - lightness);
    const part = lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(2.55 * part).toString(16).padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/** The colour of each element after the first `shown` accesses; none where nobody was. */
function painted(map: ArrayMap, shown: number): string[] {
  const found: string[] = [];
  for (const touch of map.touches.slice(0, shown)) {
    const fill = colour(touch.block, touch.kind === "load" ? LIGHT : DARK);
    for (const [first, count, step] of touch.runs) {
      for (let at = 0; at < count; at += 1) found[first + at * step] = fill;
    }
  }
  for (const at of map.conflicts) found[at] = CONFLICT;
  return found;
}

/** Boxes of one colour within a row: `draw` gets column, row, columns and the colour. */
function boxes(fills: string[], columns: number, draw: (x: number, y: number, width: number, fill: string) => void): void {
  for (let at = 0; at < fills.length; at += 1) {
    const fill = fills[at];
    const first = at;
    while (fill && fills[at + 1] === fill && (at + 1) % columns) at += 1;
    if (fill) draw(first % columns, Math.floor(first / columns), at - first + 1, fill);
  }
}

/** The map as SVG, with a line that says what it shows. */
function pictureOf(map: ArrayMap, shown: number): SVGElement {
  const [rows, columns] = extents(map);
  const scale = scaleOf(rows, columns);
  const title = `${map.name}: ${map.element}[${map.shape.join(", ")}] after ${shown} of ${map.touches.length} accesses`;
  const parts = [svg("text", { x: 4, y: 14, class: "title" }, title),
    svg("text", { x: 4, y: 34, class: "title" }, "a colour for each tile block; loads light, stores dark, conflicts red")];
  boxes(painted(map, shown), columns, (x, y, width, fill) => {
    parts.push(svg("rect", { x: 4 + x * scale, y: 48 + y * scale, width: width * scale, height: scale, fill, style: "stroke:none" }));
  });
  parts.push(svg("rect", { x: 4, y: 48, width: columns * scale, height: rows * scale, fill: "none", style: "stroke:#5a6b7b" }));
  const size = { width: Math.max(columns * scale, 8 * title.length, 560) + 8, height: rows * scale + 56 };
  return svg("svg", { viewBox: `0 0 ${size.width} ${size.height}`, ...size }, ...parts);
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
    const save = saveButton(() => this.map && {
      root: pictureOf(this.map, Number(this.slider.value)), name: `accesses-${this.map.name}`,
    });
    this.root.append(this.controls, element("div", { class: "controls" }, steps, line, save), this.says, this.canvas, legend());
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
    const scale = scaleOf(rows, columns);
    this.canvas.width = columns * scale;
    this.canvas.height = rows * scale;
    const context = this.canvas.getContext("2d")!;
    boxes(painted(map, Number(this.slider.value)), columns, (x, y, width, fill) => {
      context.fillStyle = fill;
      context.fillRect(x * scale, y * scale, width * scale, scale);
    });
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
  return element("p", { class: "legend" }, box(colour(0, LIGHT)), " loads are light, ",
    box(colour(0, DARK)), " stores and atomic updates dark; every tile block has a colour; ",
    box(CONFLICT), " conflicts.");
}
