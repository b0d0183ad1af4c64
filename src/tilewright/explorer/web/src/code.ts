// The linked panes: the program beside two stages; a line lights up what it came from and became.

import { choice, element } from "./dom";
import { Pane } from "./pane";
import type { Kernel, LayoutPicture, Page, Place, Stage } from "./schema";

interface Side { pane: Pane; stage: number; choice: HTMLElement; note: HTMLElement; pictures: HTMLElement; line: number }
const MOST_PICTURES = 6;

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

  /** `toPicture` leads to the picture of a layout. */
  constructor(private readonly page: Page, private readonly toPicture: (picture: LayoutPicture) => void) {
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
      this.go(place < 0 ? [] : [place], pane, line);
    });
    const note = element("p", { class: "position" });
    const pictures = element("div", { class: "pictures", role: "group", "aria-label": "Layouts of the line" });
    column.append(note, pictures);
    this.sides.push({ pane, stage: 0, choice: head, note, pictures, line: 0 });
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
    side.line = 0;
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

  /** Show a line of a stage, in the pane that shows the stage already, or in the one on the right. */
  goToLine(stage: Stage, line: number): void {
    const number = this.kernel.stages.indexOf(stage);
    const found = this.sides.findIndex((side) => side.stage === number);
    const at = found >= 0 ? found : this.sides.length - 1;
    const { pane } = this.sides[at]!;
    if (found < 0) {
      this.sides[at]!.stage = number;
      this.showStage(at);
    }
    const place = stage.places[line - 1] ?? -1;
    this.go(place < 0 ? [] : [place], pane, line);
    pane.reveal(line, true);
    pane.view.focus();
  }

  private go(places: number[], from: Pane | undefined, line = 0): void {
    for (const side of this.sides) side.line = side.pane === from ? line : 0;
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
      this.offer(at, lines);
    });
  }

  /** Buttons for the pictures of the layouts in the line of the cursor, or else in the lines that are lit. */
  private offer(at: number, lit: ReadonlyMap<number, string>): void {
    const { line, pictures } = this.sides[at]!;
    const offered = (this.stage(at)?.pictures ?? []).flatMap((picture) => {
      const value = picture.values.find((one) => (line ? one.line === line : lit.has(one.line)));
      return value ? [element("button", { type: "button", click: () => this.toPicture(picture) },
        `${value.name}: ${picture.kind === "fragment" ? picture.text : picture.kind}`)] : [];
    });
    pictures.replaceChildren(...offered.length ? ["Layouts:"] : [], ...offered.slice(0, MOST_PICTURES));
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
