// The roofline: how much a launch computes for each byte that it moves, under the limits of the machine.

import { element, svg } from "./dom";
import { saveButton } from "./picture";
import type { Kernel, Roofline } from "./schema";

/** Lengths in pixels. */
const WIDTH = 560, HEIGHT = 320, LEFT = 70, BOTTOM = 40, TOP = 14, RIGHT = 14;

function rounded(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}

/** The elements of the section. */
export function drawRoofline(kernel: Kernel): Element[] {
  const found = kernel.roofline;
  const title = element("h2", {}, "Roofline");
  const about = element("p", { class: "legend" }, found.about);
  if (!found.bytes) return [title, about];
  if (!found.seconds || !found.operations) return [title, table(found), about];
  const picture = draw(found);
  const sheet = element("div", { class: "sheet", tabindex: 0, role: "region", "aria-label": "Picture of the roofline" }, picture);
  const save = saveButton(() => ({ root: picture, name: `roofline-${kernel.name}` }));
  return [title, element("div", { class: "beside" }, table(found), sheet), element("div", { class: "controls" }, save), about];
}

function table(found: Roofline): HTMLElement {
  const rows: [string, string][] = [
    ["operations", found.operations.toLocaleString("en")],
    ["bytes", found.bytes.toLocaleString("en")],
    ["operations for each byte", rounded(found.operations / found.bytes)],
  ];
  if (found.seconds) {
    rows.push(
      ["time", `${rounded(found.seconds * 1e6)} µs on ${found.threads} ${found.threads === 1 ? "thread" : "threads"}`],
      ["reached", `${rounded(found.operations / found.seconds / 1e9)} Gop/s`],
      ["moved", `${rounded(found.bytes / found.seconds / 1e9)} GB/s`]);
  }
  for (const roof of found.roofs) {
    const unit = roof.unit === "bytes" ? "GB/s" : "Gop/s";
    rows.push([`limit: ${roof.name}`, `${rounded(roof.rate)} ${unit}`]);
  }
  return element("table", {}, element("tbody", {}, ...rows.map(([name, value]) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))));
}

function draw(found: Roofline): SVGElement {
  const at = { x: found.operations / found.bytes, y: found.operations / found.seconds / 1e9 };
  const peak = Math.max(...found.roofs.filter((roof) => roof.unit !== "bytes").map((roof) => roof.rate), at.y);
  const memory = found.roofs.filter((roof) => roof.unit === "bytes");
  const ends = { x: decades([at.x, ...memory.map((roof) => peak / roof.rate)]), y: decades([at.y, peak]) };
  const x = (value: number) => LEFT + ((Math.log10(value) - ends.x[0]) / (ends.x[1] - ends.x[0])) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - ((Math.log10(value) - ends.y[0]) / (ends.y[1] - ends.y[0])) * (HEIGHT - BOTTOM - TOP);
  const label = (px: number, py: number, words: string, anchor: string) =>
    svg("text", { x: px, y: py, class: "label", style: `text-anchor:${anchor}` }, words);
  const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, width: number) =>
    svg("line", { x1: x(x1), y1: y(y1), x2: x(x2), y2: y(y2), stroke, "stroke-width": width });
  const low = { x: 10 ** ends.x[0], y: 10 ** ends.y[0] }, high = { x: 10 ** ends.x[1], y: 10 ** ends.y[1] };
  const isRight = x(at.x) > (LEFT + WIDTH) / 2;
  const parts: SVGElement[] = [];
  for (let power = ends.x[0]; power <= ends.x[1]; power += 1) {
    parts.push(line(10 ** power, low.y, 10 ** power, high.y, "#8884", 1), label(x(10 ** power), HEIGHT - BOTTOM + 12, rounded(10 ** power), "middle"));
  }
  for (let power = ends.y[0]; power <= ends.y[1]; power += 1) {
    parts.push(line(low.x, 10 ** power, high.x, 10 ** power, "#8884", 1), label(LEFT - 6, y(10 ** power), rounded(10 ** power), "end"));
  }
  for (const roof of memory) {
    const begin = Math.max(low.x, low.y / roof.rate), end = Math.min(high.x, peak / roof.rate);
    parts.push(line(begin, begin * roof.rate, end, end * roof.rate, "#2f7fd0", 2), label(x(begin) + 6, y(begin * roof.rate) - 10, roof.name, "start"));
  }
  const flat = Math.min(...memory.map((roof) => peak / roof.rate), high.x);
  for (const roof of found.roofs.filter((one) => one.unit !== "bytes")) {
    parts.push(line(Math.max(flat, low.x), roof.rate, high.x, roof.rate, "#c25a10", 2), label(WIDTH - RIGHT, y(roof.rate) - 9, roof.name, "end"));
  }
  parts.push(svg("circle", { cx: x(at.x), cy: y(at.y), r: 6, fill: "#d00000", stroke: "#ffffff" }), label(x(at.x) + (isRight ? -10 : 10), y(at.y), "this launch", isRight ? "end" : "start"),
    label((LEFT + WIDTH) / 2, HEIGHT - 8, "operations for each byte", "middle"), label(4, 7, "Gop/s", "start"));
  return svg("svg", { class: "picture", role: "img", "aria-label": "The launch under the limits of the machine", width: WIDTH, height: HEIGHT,
    viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, ...parts);
}

/** Powers of ten around positive values. */
function decades(values: number[]): [number, number] {
  const logs = values.map(Math.log10);
  const low = Math.floor(Math.min(...logs) - 0.3);
  return [low, Math.max(low + 2, Math.ceil(Math.max(...logs) + 0.3))];
}
