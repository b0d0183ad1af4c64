// The linked panes: the program beside two stages; a line lights up what it came from and became.

import { choice, element } from "./dom";
import { Pane } from "./pane";
import type { Kernel, Page, Place } from "./schema";

interface Side { pane: Pane; stage: number; choice: HTMLElement; note: HTMLElement }

export class Code {
  readonly root = element("div", { class: "code" });
  private readonly source: Pane;
  private readonly sides: Side[] = [];
  private readonly sourceChoice = element("div");
  private readonly position = element("p", { class: "position", role: "status" });
  private kernel!: Kernel;
  private file = 0;
  private active = -1;
  private withColumns = false;

  constructor(private readonly page: Page) {
    const column = element("section", { class: "pane", "aria-label": "Program" }, this.sourceChoice);
    this.root.append(column);
    this.source = new Pane(column, (line) => this.go(this.placesOfLine(line), this.source));
    column.append(this.position);
    for (const name of ["left", "right"]) this.addSide(name);
  }

  private addSide(name: string): void {
    const head = element("div");
    const column = element("section", { class: "pane", "aria-label": `Stage on the ${name}` }, head);
    this.root.append(column);
    const at = this.sides.length;
    const pane = new Pane(column, (line) => {
      const place = this.stage(at)?.places[line - 1] ?? -1;
      this.go(place < 0 ? [] : [place], pane);
    });
    const note = element("p", { class: "position" });
    column.append(note);
    this.sides.push({ pane, stage: 0, choice: head, note });
  }

  private stage(side: number) {
    return this.kernel.stages[this.sides[side]!.stage];
  }

  show(kernel: Kernel): void {
    this.kernel = kernel;
    const names = kernel.stages.map((stage) => stage.name);
    const best = ["asm", "ptx", "llvm", "tileas"].map((name) => names.indexOf(name)).find((at) => at >= 0) ?? 0;
    this.sides[0]!.stage = 0;
    this.sides[1]!.stage = kernel.stages[best]?.error ? Math.max(0, names.indexOf("llvm")) : best;
    this.sides.forEach((_, at) => this.showStage(at));
    const first = this.kernel.stages[0]?.places.find((place) => place >= 0) ?? -1;
    this.showFile(this.page.places[first]?.source ?? 0);
    this.go([first], undefined);
  }

  private showFile(file: number): void {
    this.file = file;
    const source = this.page.sources[file];
    const names = this.page.sources.map((one) => one.file.split("/").pop() ?? one.file);
    this.sourceChoice.replaceChildren(choice("Program", names, file, (at) => this.showFile(at)));
    const text = source?.text || "# The file of the program cannot be read on this machine.";
    this.source.show({ label: `Program ${names[file] ?? ""}`, text, language: names[file]?.endsWith(".py") ? "python" : "mlir" });
    this.light();
  }

  private showStage(at: number): void {
    const side = this.sides[at]!;
    const names = this.kernel.stages.map((stage) => stage.name);
    const label = at ? "and" : "Stage";
    side.choice.replaceChildren(choice(label, names, side.stage, (chosen) => {
      side.stage = chosen;
      this.showStage(at);
    }));
    const stage = this.stage(at);
    side.note.textContent = stage?.summary ?? "";
    side.pane.show({
      label: `Stage ${stage?.name ?? ""}`, text: stage?.error || stage?.text || "", language: stage?.language ?? "text",
    });
    this.light();
  }

  private placesOfLine(line: number): number[] {
    const found: number[] = [];
    this.page.places.forEach((place, at) => {
      if (place.source === this.file && place.line === line) found.push(at);
    });
    return found;
  }

  /** Make a place the active one, as a finding does. */
  goTo(place: number): void {
    const found = this.page.places[place];
    if (!found) return;
    if (found.source !== this.file) this.showFile(found.source);
    this.source.reveal(found.line, true);
    this.go([place], undefined);
    this.source.view.focus();
  }

  private go(places: number[], from: Pane | undefined): void {
    this.active = places[0] ?? -1;
    this.withColumns = from !== this.source && from !== undefined;
    const place = this.page.places[this.active];
    if (place && place.source !== this.file) this.showFile(place.source);
    this.light();
    if (!place) return;
    if (from !== this.source) this.source.reveal(place.line);
    this.sides.forEach(({ pane }, at) => {
      const first = this.stage(at)?.places.findIndex((other) => this.matches(other, place)) ?? -1;
      if (pane !== from && first >= 0) pane.reveal(first + 1);
    });
  }

  private matches(other: number, place: Place): boolean {
    const found = this.page.places[other];
    return found !== undefined && found.source === place.source && found.line === place.line;
  }

  private light(): void {
    const place = this.page.places[this.active];
    this.position.textContent = place ? `line ${place.line}, column ${place.column}` : "Choose a line to follow it.";
    this.source.mark(this.sourceMarks(place));
    this.sides.forEach(({ pane }, at) => {
      const lines = new Map<number, string>();
      if (place) this.stage(at)?.places.forEach((other, index) => {
        if (!this.matches(other, place)) return;
        const exact = this.withColumns && this.page.places[other]!.column === place.column;
        lines.set(index + 1, exact ? "lit exact" : "lit");
      });
      pane.mark(lines);
    });
  }

  private sourceMarks(place: Place | undefined): Map<number, string> {
    const lines = new Map<number, string>();
    for (const cost of this.kernel?.costs ?? []) this.add(lines, cost.place, "costly");
    for (const finding of this.kernel?.findings ?? []) this.add(lines, finding.place, finding.severity);
    if (place && place.source === this.file) lines.set(place.line, `lit ${lines.get(place.line) ?? ""}`.trim());
    return lines;
  }

  private add(lines: Map<number, string>, number: number, name: string): void {
    const place = this.page.places[number];
    if (place && place.source === this.file) lines.set(place.line, name);
  }
}
