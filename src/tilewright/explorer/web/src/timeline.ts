// The run: which thread ran which tile block from when to when, and where the launch stands under the limits of the machine.

import { element, svg } from "./dom";
import { saveButton, saveFile } from "./picture";
import { drawRoofline } from "./roofline";
import type { Kernel, Page, Timeline } from "./schema";

const HUES = [210, 28, 145, 330, 265, 60, 190, 0];
/** Lengths in pixels: a lane's height, what its name takes, the margin, and the axis. */
const LANE = 22, NAMES = 190, MARGIN = 8, AXIS = 22;

/** A length of time in words. */
export function inWords(timeline: Timeline, length: number): string {
  if (timeline.unit !== "ns") return `${length} instructions`;
  return length < 10_000 ? `${length} ns` : `${(length / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} µs`;
}

export class Run {
  readonly root = element("div", { class: "run" });
  private readonly about = element("p", { class: "legend" });
  private readonly sheet = element("div", { class: "sheet", tabindex: 0, role: "region", "aria-label": "Time bars" });
  private readonly says = element("p", { role: "status" });
  private readonly controls = element("div", { class: "controls" });
  private readonly slider = element("input", { type: "range", min: 0, value: 0, input: () => this.choose(Number(this.slider.value)) });
  private readonly zoom = element("input", { type: "range", min: 1, max: 20, value: 1, input: () => this.draw() });
  private readonly line = element("button", { type: "button", click: () => this.follow() }, "Show its line");
  private readonly lanes = element("div");
  private readonly roofline = element("section", { "aria-label": "Roofline" });
  private kernel!: Kernel;
  private drawn: SVGElement | undefined;
  private bars: SVGElement[] = [];

  constructor(private readonly page: Page, private readonly goTo: (place: number) => void) {
    this.controls.append(
      element("label", { class: "choice" }, "Bar", this.slider), element("label", { class: "choice" }, "Zoom", this.zoom), this.line,
      saveButton(() => this.drawn && { root: this.drawn, name: `time-${this.kernel.name}` }),
      element("button", { type: "button", click: () => this.savePerfetto() }, "Save for Perfetto"));
    this.root.append(element("h2", {}, "Time"), this.about, this.controls, this.says, this.sheet, this.lanes, this.roofline);
  }

  show(kernel: Kernel): void {
    this.kernel = kernel;
    const { bars, about, cut } = kernel.timeline;
    this.about.textContent = cut ? `${about} Only the first ${bars.length} are shown.` : about;
    for (const part of [this.controls, this.says, this.sheet, this.lanes]) part.hidden = !bars.length;
    this.slider.max = String(Math.max(0, bars.length - 1));
    this.zoom.value = "1";
    this.lanes.replaceChildren(busy(kernel.timeline));
    this.draw();
    this.roofline.replaceChildren(...drawRoofline(kernel));
  }

  private draw(): void {
    const { timeline } = this.kernel;
    this.drawn = undefined;
    this.bars = [];
    if (!timeline.bars.length) return this.sheet.replaceChildren();
    this.drawn = this.picture(timeline, NAMES + 700 * Number(this.zoom.value));
    this.sheet.replaceChildren(this.drawn);
    this.choose(Number(this.slider.value));
  }

  private picture(timeline: Timeline, width: number): SVGElement {
    const end = timeline.bars.reduce((most, bar) => Math.max(most, bar[2]), 1);
    const scale = (width - NAMES - 2 * MARGIN) / end;
    const height = 2 * MARGIN + LANE * timeline.lanes.length + AXIS;
    const label = (x: number, y: number, words: string, anchor: string) =>
      svg("text", { x, y, class: "label", style: `text-anchor:${anchor}` }, words);
    const parts: SVGElement[] = timeline.lanes.map((name, at) => label(MARGIN, MARGIN + LANE * (at + 0.5), name, "start"));
    timeline.bars.forEach(([lane, from, to, block], at) => {
      const bar = svg("rect", {
        x: NAMES + from * scale, y: MARGIN + lane * LANE + 2, width: Math.max(0.5, (to - from) * scale), height: LANE - 4,
        fill: `hsl(${HUES[block % HUES.length]} 65% 55%)`, "data-bar": at,
      });
      this.bars.push(bar);
      parts.push(bar);
    });
    const y = MARGIN + LANE * timeline.lanes.length + AXIS / 2;
    parts.push(label(NAMES, y, "0", "start"), label(width - MARGIN, y, inWords(timeline, end), "end"));
    return svg("svg", {
      class: "picture bars", role: "img", "aria-label": `Time bars of ${timeline.lanes.length} lanes`, width, height,
      viewBox: `0 0 ${width} ${height}`, click: (event) => {
        const at = (event.target as Element).getAttribute("data-bar");
        if (at !== null) this.choose(Number(at));
      },
    }, ...parts);
  }

  private choose(at: number): void {
    const { timeline } = this.kernel;
    const bar = timeline.bars[at];
    if (!bar) return;
    this.slider.value = String(at);
    this.bars.forEach((one, number) => one.setAttribute("class", number === at ? "chosen" : ""));
    const [lane, from, to, block, place] = bar;
    const where = this.page.places[place] ? `, line ${this.page.places[place]!.line}` : "";
    this.line.hidden = place < 0;
    this.says.textContent = `Tile block ${block} on ${timeline.lanes[lane]}: from ${inWords(timeline, from)} on, for ${inWords(timeline, to - from)}${where}.`;
    this.bars[at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  private follow(): void {
    const place = this.kernel.timeline.bars[Number(this.slider.value)]?.[4] ?? -1;
    if (place >= 0) this.goTo(place);
  }

  private savePerfetto(): void {
    saveFile(this.kernel.name, "json", "application/json", JSON.stringify(perfetto(this.kernel)));
  }
}

/** The events of a timeline as https://ui.perfetto.dev has them; `explore --trace` writes the same. */
export function perfetto(kernel: Kernel): object {
  const scale = kernel.timeline.unit === "ns" ? 1000 : 1;
  const named = kernel.timeline.lanes.flatMap((lane, tid) => [["process", kernel.name], ["thread", lane]].map(([kind, name]) => (
    { name: `${kind}_name`, ph: "M", pid: 0, tid, args: { name } })));
  const spans = kernel.timeline.bars.map(([tid, from, to, block]) => (
    { name: `tile block ${block}`, ph: "X", ts: from / scale, dur: (to - from) / scale, pid: 0, tid, args: {} }));
  return { traceEvents: [...named, ...spans], displayTimeUnit: "ns" };
}

/** What each lane did in sum: for those who do not look at pictures. */
function busy(timeline: Timeline): HTMLElement {
  const end = timeline.bars.reduce((most, bar) => Math.max(most, bar[2]), 1);
  const rows = timeline.lanes.slice(0, 64).map((name, lane) => {
    const own = timeline.bars.filter((bar) => bar[0] === lane);
    const sum = own.reduce((time, [, from, to]) => time + to - from, 0);
    const cells = [String(own.length), inWords(timeline, sum), `${Math.round((100 * sum) / end)} %`];
    return element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", {}, cell)));
  });
  const heads = ["lane", "bars", "at work", "of all time"].map((text) => element("th", { scope: "col" }, text));
  return element("details", {}, element("summary", {}, "Sums of the lanes"),
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)));
}
