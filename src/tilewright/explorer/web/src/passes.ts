// The passes that changed something: the difference of each, and what its patterns did.

import { element } from "./dom";
import { Pane } from "./pane";
import type { Kernel, PassRun, PatternRun } from "./schema";

export class Passes {
  readonly root = element("div", { class: "passes" });
  private readonly list = element("ol", { class: "list", "aria-label": "Passes that changed something" });
  private readonly patterns = element("div", { class: "patterns", tabindex: 0, role: "region", "aria-label": "Patterns" });
  private readonly pane: Pane;

  constructor() {
    const column = element("section", { class: "pane", "aria-label": "What the pass changed" });
    this.root.append(this.list, column, this.patterns);
    this.pane = new Pane(column, () => {});
  }

  show(kernel: Kernel): void {
    const buttons = kernel.passes.map((pass) => {
      const button = element("button", { type: "button", click: () => choose(button, pass) },
        pass.name, element("small", {}, `${pass.milliseconds.toFixed(1)} ms`));
      return button;
    });
    const choose = (button: HTMLElement, pass: PassRun) => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      this.choose(pass);
    };
    this.list.replaceChildren(...buttons.map((button) => element("li", {}, button)));
    if (buttons[0]) choose(buttons[0], kernel.passes[0]!);
    else this.choose({ name: "", milliseconds: 0, diff: "No pass changed the module.", patterns: [] });
  }

  private choose(pass: PassRun): void {
    this.pane.show({ label: `Difference of ${pass.name}`, text: pass.diff, language: "text" });
    const lines = new Map<number, string>();
    pass.diff.split("\n").forEach((line, at) => {
      if (line.startsWith("+")) lines.set(at + 1, "added");
      else if (line.startsWith("-")) lines.set(at + 1, "removed");
      else if (line.startsWith("@@")) lines.set(at + 1, "hunk");
    });
    this.pane.mark(lines);
    this.patterns.replaceChildren(pass.patterns.length ? table(pass.patterns) : "This pass has no patterns.");
  }
}

function table(patterns: PatternRun[]): HTMLElement {
  const head = element("tr", {}, ...["pattern", "tried", "applied", "declined because"].map(
    (text) => element("th", { scope: "col" }, text)));
  const rows = patterns.map((pattern) => element("tr", {},
    element("th", { scope: "row" }, pattern.name),
    element("td", {}, String(pattern.tries)),
    element("td", {}, String(pattern.matches)),
    element("td", {}, ...pattern.refusals.map(([reason, count]) => element("div", {}, `${count} x ${reason}`)))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}
