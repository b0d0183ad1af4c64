// Figures: what the simulator counted line by line, and where the time of compiling went.

import { element } from "./dom";
import type { Kernel, Page } from "./schema";

export class Figures {
  readonly root = element("div", { class: "figures", tabindex: 0, role: "region", "aria-label": "Figures" });

  constructor(private readonly page: Page, private readonly goTo: (place: number) => void) {}

  show(kernel: Kernel): void {
    this.root.replaceChildren(this.costs(kernel), this.work(kernel), times(kernel), given(kernel));
  }

  private where(place: number): HTMLElement {
    return element("button", { type: "button", click: () => this.goTo(place) }, `line ${this.page.places[place]?.line ?? "?"}`);
  }

  private work(kernel: Kernel): HTMLElement {
    const lines = [...kernel.work].sort((one, other) => other.instructions - one.instructions);
    const rows = lines.map((line) => [
      this.where(line.place), line.instructions.toLocaleString("en"), String(line.waits), String(line.waited)]);
    const heads = ["where", "instructions times threads", "waits of warps", "instructions of others meanwhile"];
    return table("Work of the lines in the simulator", heads, rows, "Lines are counted where the target is simulated.");
  }

  private costs(kernel: Kernel): HTMLElement {
    const rows = kernel.costs.map((cost) => {
      const what = cost.space === "shared" ? "bank conflicts" : `sectors (${cost.least} would do)`;
      return [this.where(cost.place), cost.space, String(cost.requests), `${cost.cost} ${what}`];
    });
    const empty = "The simulator counts them: choose a target such as sim:sm_80.";
    return table("Accesses in the simulator", ["where", "memory", "requests", "cost"], rows, empty);
  }
}

function times(kernel: Kernel): HTMLElement {
  const longest = Math.max(...Object.values(kernel.milliseconds), 0.001);
  const rows = Object.entries(kernel.milliseconds).map(([name, took]) => [
    name, took.toFixed(1), element("meter", { min: 0, max: longest, value: took, "aria-label": `${name}: ${took} ms` }),
  ]);
  return table("Times", ["step", "ms", ""], rows, "Nothing was timed.");
}

function given(kernel: Kernel): HTMLElement {
  const rows = kernel.arguments.map((argument) => [argument.name, argument.value]);
  return table("Arguments", ["name", "value"], rows, "The page was made without a run.");
}

function table(title: string, heads: string[], rows: (string | Node)[][], empty: string): HTMLElement {
  if (!rows.length) return element("section", {}, element("h2", {}, title), element("p", {}, empty));
  const head = element("tr", {}, ...heads.map((text) => element(text ? "th" : "td", text ? { scope: "col" } : {}, text)));
  const body = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
  return element("section", {}, element("h2", {}, title),
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}
