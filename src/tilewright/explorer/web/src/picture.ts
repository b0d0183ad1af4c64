// Pictures: tables of cells drawn as SVG, and any SVG saved as a file that looks right on paper.

import { element, svg } from "./dom";
import type { LayoutTable } from "./schema";

/** Lengths in pixels: a cell's height, a title's, the margin, and the width of a character. */
const CELL = 26, TITLE = 30, MARGIN = 12, CHARACTER = 7;
/** Of saved files: dark text on white, with the fonts that every machine has. */
const PAPER = "text{font:11px ui-monospace,monospace;fill:#1c2b39;text-anchor:middle;dominant-baseline:central}"
  + ".title{font-size:13px;text-anchor:start}.label{fill:#5a6b7b}rect{stroke:#ffffff}";

export interface Picture {
  root: SVGElement;
  /** Mark the cells of one shade, and no others. */
  mark(shade: number): void;
}

function text(x: number, y: number, words: string, kind: string): SVGElement {
  return svg("text", { x, y, class: kind }, words);
}

function longest(words: string[]): number {
  return words.reduce((most, word) => Math.max(most, word.length), 1);
}

/** A table with a box for each cell; `chosen` hears of the shade of a cell that is clicked. */
export function draw(table: LayoutTable, chosen: (shade: number) => void): Picture {
  const rows = table.cells.map((row) => row.split(" "));
  const shades = table.shades.map((row) => row.split(" ").map(Number));
  const step = CHARACTER * longest([...table.columns, ...rows.flat()]) + 10;
  const left = MARGIN + CHARACTER * longest(table.rows) + 10;
  const top = MARGIN + TITLE + CELL;
  const parts: SVGElement[] = [text(MARGIN, MARGIN + TITLE / 2, table.title, "title")];
  const boxes = new Map<number, SVGElement[]>();
  table.columns.forEach((name, at) => parts.push(text(left + at * step + step / 2, top - CELL / 2, name, "label")));
  rows.forEach((row, down) => {
    const y = top + down * CELL;
    parts.push(text((MARGIN + left) / 2, y + CELL / 2, table.rows[down] ?? "", "label"));
    row.forEach((words, at) => {
      const shade = shades[down]?.[at] ?? 0;
      const fill = table.colors[shade % table.colors.length] ?? "#ffffff";
      const box = svg("rect", { x: left + at * step, y, width: step, height: CELL, fill, "data-shade": shade });
      if (!boxes.has(shade)) boxes.set(shade, []);
      boxes.get(shade)!.push(box);
      parts.push(box, text(left + at * step + step / 2, y + CELL / 2, words, "cell"));
    });
  });
  const width = Math.max(left + step * table.columns.length, MARGIN + CHARACTER * 1.2 * table.title.length) + MARGIN;
  const height = top + CELL * rows.length + MARGIN;
  const root = svg("svg", {
    class: "picture", role: "img", "aria-label": table.title, viewBox: `0 0 ${width} ${height}`, width, height,
    click: (event) => {
      const shade = (event.target as Element).getAttribute("data-shade");
      if (shade !== null) chosen(Number(shade));
    },
  }, ...parts);
  let marked: SVGElement[] = [];
  return {
    root,
    mark(shade) {
      for (const box of marked) box.removeAttribute("class");
      marked = boxes.get(shade) ?? [];
      for (const box of marked) box.setAttribute("class", "chosen");
    },
  };
}

/** The text of a file with a picture as it is shown, on white. */
export function fileOf(root: SVGElement): string {
  const copy = root.cloneNode(true) as SVGElement;
  for (const part of [copy, ...copy.querySelectorAll(".chosen")]) part.removeAttribute("class");
  copy.prepend(svg("style", {}, PAPER), svg("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/** Let the browser save a text as a file; `name` is made fit to be one's name. */
export function saveFile(name: string, ending: string, type: string, text: string): void {
  const fit = name.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "picture";
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: `${fit}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A button that saves what `shown` answers as a file. */
export function saveButton(shown: () => { root: SVGElement; name: string } | undefined): HTMLButtonElement {
  const save = () => {
    const found = shown();
    if (!found) return;
    saveFile(found.name, "svg", "image/svg+xml", fileOf(found.root));
  };
  return element("button", { type: "button", click: save }, "Save as SVG");
}
