// The linked panes: the program beside two stages; a line lights up what it came from and became.

import { choice, element } from "./dom";
import { firstWork, folded } from "./folding";
import { Pane } from "./pane";
import type { Kernel, LayoutPicture, Page, Place, Stage } from "./schema";

interface Side {
  pane: Pane; stage: number; choice: HTMLElement; note: HTMLElement; pictures: HTMLElement; line: number;
  all: boolean; folded: Set<number>;
}
/** A line of the program: the number of its file, and its own. */
export interface Line { file: number; line: number }
const MOST_PICTURES = 6;

export class Code {
  readonly root = element("div", { class: "code" });
  private readonly source: Pane;
  private readonly sides: Side[] = [];
  private readonly sourceChoice = element("div");
  private readonly position = element("p", { class: "position", role: "status" });
  private kernel: Kernel | undefined;
  private file = 0;
  private active = -1;
  private withColumns = false;
  /** The line of the program that is followed. */
  at: Line | undefined;

  /** `toPicture` leads to the picture of a layout; `moved` hears that another line is followed. */
  constructor(
    private readonly page: Page, private readonly toPicture: (picture: LayoutPicture) => void, private readonly moved: () => void,
  ) {
    const column = element("section", { class: "pane", "aria-label": "Program" }, this.sourceChoice);
    this.root.append(column);
    this.source = new Pane(column, (line) => {
      this.at = { file: this.file, line };
      this.go(this.placesOfLine(line), this.source);
      this.moved();
    });
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
      this.moved();
    });
    const note = element("p", { class: "position" });
    const pictures = element("div", { class: "pictures", role: "group", "aria-label": "Layouts of the line" });
    column.append(note, pictures);
    this.sides.push({ pane, stage: 0, choice: head, note, pictures, line: 0, all: false, folded: new Set() });
  }

  private stage(side: number) {
    return this.kernel?.stages[this.sides[side]!.stage];
  }

  show(kernel: Kernel): void {
    this.kernel = kernel;
    const names = kernel.stages.map((stage) => stage.name);
    const best = ["asm", "ptx", "llvm", "tileas"].map((name) => names.indexOf(name)).find((at) => at >= 0) ?? 0;
    this.sides[0]!.stage = 0;
    this.sides[1]!.stage = kernel.stages[best]?.error ? Math.max(0, names.indexOf("llvm")) : best;
    this.sides.forEach((_, at) => this.showStage(at));
    const finding = kernel.findings.find((one) => one.place >= 0);
    const first = finding?.place ?? firstWork(kernel.stages[0]);
    this.showFile(this.page.places[first]?.source ?? 0);
    this.go([first], undefined);
  }

  /** Show the program alone, if it launched no kernel. */
  showProgram(): void {
    for (const { pane } of this.sides) pane.view.dom.closest<HTMLElement>("section")!.hidden = true;
    this.root.classList.add("alone");
    this.root.hidden = !this.page.sources.length;
    if (this.page.sources.length) this.showFile(0);
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
    const names = this.kernel?.stages.map((stage) => stage.name) ?? [];
    const label = at ? "and" : "Stage";
    const stage = this.stage(at);
    side.folded = stage ? folded(stage) : new Set();
    side.choice.replaceChildren(choice(label, names, side.stage, (chosen) => {
      side.stage = chosen;
      this.showStage(at);
      this.reveal(undefined);
    }), ...(side.folded.size ? [this.whole(at)] : []));
    side.note.textContent = stage?.summary ?? "";
    side.pane.show({
      label: `Stage ${stage?.name ?? ""}`, text: stage?.error || stage?.text || "", language: stage?.language ?? "text",
      ...(side.all ? {} : { folded: side.folded }),
    });
    this.light();
  }

  /** A switch between all lines of a stage and those without directives and constants. */
  private whole(at: number): HTMLElement {
    const side = this.sides[at]!;
    const box = element("input", { type: "checkbox", change: () => {
      side.all = box.checked;
      this.showStage(at);
      this.reveal(undefined);
      side.choice.querySelector("input")?.focus();
    } });
    box.checked = side.all;
    return element("label", { class: "choice" }, box, `all lines (${side.folded.size} are directives and constants)`);
  }

  private placesOfLine(line: number): number[] {
    const found: number[] = [];
    this.page.places.forEach((place, at) => {
      if (place.source === this.file && place.line === line) found.push(at);
    });
    return found;
  }

  /** Make a place the active one, as a finding does, and give it the focus if `focus` says so. */
  goTo(place: number, focus = true): void {
    const found = this.page.places[place];
    if (!found) return;
    if (found.source !== this.file) this.showFile(found.source);
    this.source.reveal(found.line, true);
    this.go([place], undefined);
    if (focus) this.source.view.focus();
  }

  /** Make a line of the program the active one, as an address does. */
  goToSource({ file, line }: Line): void {
    if (!this.page.sources[file] || !(line > 0)) return;
    if (file !== this.file) this.showFile(file);
    this.source.reveal(line, true);
    this.at = { file, line };
    this.go(this.placesOfLine(line), this.source);
    this.source.reveal(line);
  }

  /** Show a line of a stage, in the pane that shows the stage already, or in the one on the right. */
  goToLine(stage: Stage, line: number): void {
    const number = this.kernel?.stages.indexOf(stage) ?? -1;
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
    if (place) this.at = { file: place.source, line: place.line };
    this.light();
    this.reveal(from);
  }

  /** Bring the lines of the active place into view, but for those of the pane that the reader is in. */
  private reveal(from: Pane | undefined): void {
    const place = this.page.places[this.active];
    if (!place) return;
    if (from !== this.source) this.source.reveal(place.line);
    this.sides.forEach(({ pane }, at) => {
      const line = this.lineOf(at, place);
      if (pane !== from && line) pane.reveal(line);
    });
  }

  /** The line of a stage for a place: one of the same column if there is one, and none that is folded away. */
  private lineOf(at: number, place: Place): number {
    const places = this.stage(at)?.places ?? [];
    const side = this.sides[at]!;
    const all = places.flatMap((other, index) => (this.matches(other, place) ? [index + 1] : []));
    const lines = side.all ? all : all.filter((line) => !side.folded.has(line));
    return lines.find((line) => this.page.places[places[line - 1]!]?.column === place.column) ?? lines[0] ?? 0;
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
