// The schedule: the steps that the back end of the CPU planned, in their order, as bars of a timeline.

import { element, svg } from "./dom";
import { saveButton } from "./picture";
import type { Kernel, ScheduleBar } from "./schema";

/** Of a saved picture: pixels of a step and of a row, and the colours of the kinds. */
const STEP = 150, ROW = 30, LONGEST = 20;
const COLOURS = new Map([
  ["nest", "#cfe3f7"], ["product", "#fde8c8"], ["loop", "#e2e2e2"], ["check", "#f6d5de"], ["single", "#f4f1c6"],
]);
const NOTHING = "There is no schedule: only the back end of the CPU plans steps. On GPUs the assembler orders instructions; "
  + "the stage 'sass' has its stall counts.";

export class Schedule {
  readonly root = element("div", { class: "schedule" });
  private readonly line = element("div", { class: "steps", role: "group", "aria-label": "Steps in the order of execution" });
  private readonly says = element("pre", { role: "status" });
  private readonly controls = element("div", { class: "controls" });
  private bars: ScheduleBar[] = [];
  private chosen: ScheduleBar | undefined;

  constructor(private readonly goTo: (place: number) => void) {
    const scroll = element("div", { class: "timeline" }, this.line);
    const follow = element("button", { type: "button", click: () => this.follow() }, "Show its line");
    this.controls.append(follow, saveButton(() => ({ root: pictureOf(this.bars), name: "schedule" })));
    this.root.append(element("p", {}, "Steps from left to right, in the order in which a tile block executes them. "
      + "The plan knows the order and no times: every step is as wide as another one."), scroll, this.controls, this.says);
  }

  show(kernel: Kernel): void {
    this.bars = kernel.stages.flatMap((stage) => stage.schedule);
    this.controls.hidden = !this.bars.length;
    const buttons = this.bars.map((bar) => {
      const button = element("button", {
        type: "button", class: bar.kind, title: bar.title, click: () => this.choose(bar, buttons, button),
        style: `grid-column: ${bar.begin + 1} / ${bar.end + 1}; grid-row: ${bar.depth + 1}`,
      }, bar.title);
      return button;
    });
    this.line.replaceChildren(...buttons);
    if (buttons[0]) this.choose(this.bars[0]!, buttons, buttons[0]);
    else this.says.textContent = NOTHING;
  }

  private choose(bar: ScheduleBar, buttons: HTMLElement[], chosen: HTMLElement): void {
    this.chosen = bar;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button === chosen));
    this.says.textContent = bar.words;
  }

  private follow(): void {
    if (this.chosen && this.chosen.place >= 0) this.goTo(this.chosen.place);
  }
}

function pictureOf(bars: ScheduleBar[]): SVGElement {
  const width = STEP * Math.max(...bars.map((bar) => bar.end)) + 8;
  const height = ROW * (1 + Math.max(...bars.map((bar) => bar.depth))) + 8;
  const parts = bars.flatMap((bar) => {
    const place = { x: 4 + bar.begin * STEP, y: 4 + bar.depth * ROW, width: (bar.end - bar.begin) * STEP, height: ROW };
    const title = bar.title.length > LONGEST ? `${bar.title.slice(0, LONGEST - 3)}...` : bar.title;
    return [svg("rect", { ...place, fill: COLOURS.get(bar.kind) ?? "#ffffff" }),
      svg("text", { x: place.x + place.width / 2, y: place.y + ROW / 2 }, title)];
  });
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, ...parts);
}
