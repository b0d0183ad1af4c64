// Layouts as pictures: who holds which element of a tile, where it lies in shared memory, fragments of products.

import { choice, element } from "./dom";
import { draw, saveButton } from "./picture";
import type { Picture } from "./picture";
import type { Kernel, LayoutPicture, Stage } from "./schema";

const MOST_NAMED = 4;
const MOST_HELD = 16;
const HEADS = new Map([
  ["registers", "Tiles in registers"], ["shared memory", "Tiles in shared memory"],
  ["fragment", "Fragments of matrix instructions"],
]);
const NOTHING = "There are no layouts: tiles are spread over threads on GPUs only. Choose a target such as sm_80.";

/** The names of the values that have a layout; of many the first ones. */
export function named(picture: LayoutPicture): string {
  const names = picture.values.map((value) => value.name);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return `${names.slice(0, MOST_NAMED).join(", ")}${more}`;
}

export class Layouts {
  readonly root = element("div", { class: "layouts" });
  private readonly list = element("div", { class: "list", role: "group", "aria-label": "List of layouts" });
  private readonly about = element("div", { class: "about" });
  private readonly says = element("p", { role: "status" });
  private readonly sheet = element("div", { class: "sheet", tabindex: 0, role: "region", "aria-label": "Picture" });
  private readonly controls = element("div", { class: "controls" });
  private readonly thread = element("input", { type: "number", min: 0, value: 0, input: () => this.mark(this.thread.valueAsNumber) });
  private stage: Stage | undefined;
  private picture: LayoutPicture | undefined;
  private drawn: Picture | undefined;
  private table = 0;
  private buttons: HTMLButtonElement[] = [];

  /** `toLine` leads to a line of a stage. */
  constructor(private readonly toLine: (stage: Stage, line: number) => void) {
    this.root.append(this.list, element("div", { class: "shown" }, this.about, this.controls, this.says, this.sheet));
  }

  show(kernel: Kernel): void {
    this.stage = kernel.stages.find((stage) => stage.pictures.length > 0);
    const pictures = this.stage?.pictures ?? [];
    this.buttons = pictures.map((picture, at) => element("button", { type: "button", click: () => this.choose(at) },
      picture.text, element("small", {}, named(picture))));
    this.list.replaceChildren(...[...HEADS].flatMap(([kind, title]) => {
      const some = this.buttons.filter((_, at) => pictures[at]!.kind === kind);
      return some.length ? [element("h2", {}, title), ...some] : [];
    }));
    this.list.hidden = !pictures.length;
    if (pictures.length) this.choose(0);
    else this.clear();
  }

  /** Show a picture, and give the focus to its entry. */
  open(picture: LayoutPicture): void {
    const at = this.stage?.pictures.indexOf(picture) ?? -1;
    if (at < 0) return;
    this.choose(at);
    this.buttons[at]?.focus();
  }

  private clear(): void {
    this.picture = this.drawn = undefined;
    for (const part of [this.about, this.controls, this.sheet]) part.replaceChildren();
    this.says.textContent = NOTHING;
  }

  private choose(chosen: number): void {
    this.picture = this.stage!.pictures[chosen]!;
    this.buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === chosen)));
    const lines = this.picture.values.map((value) => element("button", {
      type: "button", disabled: !value.line, click: () => this.toLine(this.stage!, value.line),
    }, `line ${value.line}: ${value.name} : ${value.type}`));
    this.about.replaceChildren(element("h2", {}, this.picture.text), element("p", {}, this.picture.words),
      element("details", { open: lines.length <= MOST_NAMED }, element("summary", {}, `in the stage '${this.stage!.name}'`), ...lines));
    this.chooseTable(Math.min(this.table, Math.max(0, this.picture.tables.length - 1)));
  }

  private chooseTable(at: number): void {
    const { tables, kind, text, left_out } = this.picture!;
    this.table = at;
    const table = tables[at];
    this.controls.hidden = !table;
    this.drawn = table && draw(table, (shade) => {
      if (kind !== "shared memory") this.mark(shade);
    });
    this.sheet.replaceChildren(...(this.drawn ? [this.drawn.root] : []));
    this.says.textContent = left_out;
    if (!table) return;
    const views = choice("View", tables.map((one) => one.title.split(":")[0]!), at, (other) => this.chooseTable(other));
    const threads = kind === "shared memory" ? [] : [element("label", { class: "choice" }, "Thread", this.thread)];
    const name = `${table.title.split(":")[0]} ${text}`;
    this.controls.replaceChildren(views, ...threads, saveButton(() => this.drawn && { root: this.drawn.root, name }));
    if (kind === "shared memory") this.says.textContent = "Elements of neighbouring banks, or of one row, have one colour.";
    else this.mark(this.thread.valueAsNumber || 0);
  }

  private mark(thread: number): void {
    if (!this.drawn || !(thread >= 0)) return;
    this.thread.value = String(thread);
    this.drawn.mark(thread);
    const held = this.picture!.tables.at(-1)?.cells[thread]?.split(" ");
    const more = held && held.length > MOST_HELD ? ` and ${held.length - MOST_HELD} more` : "";
    this.says.textContent = held ? `Thread ${thread} holds ${held.slice(0, MOST_HELD).join(" ")}${more}` : `There is no thread ${thread}.`;
  }
}
