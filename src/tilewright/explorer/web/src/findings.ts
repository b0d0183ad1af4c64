// What the run found and why the program ended: each in a box that leads to its line.

import { element } from "./dom";
import type { Finding, Page } from "./schema";

export function box(page: Page, finding: Finding, goTo: (place: number) => void): HTMLElement {
  const place = page.places[finding.place];
  const where = place ? `line ${place.line}: ` : "";
  const lines = [element("span", {}, `${finding.code ? `${finding.code} ` : ""}${where}${finding.message}`),
    ...finding.hints.map((hint) => element("span", { class: "hint" }, `hint: ${hint}`))];
  const made = place
    ? element("button", { type: "button", class: `box ${finding.severity}`, click: () => goTo(finding.place) }, ...lines)
    : element("div", { class: `box ${finding.severity}` }, ...lines);
  const whole = element("details", {}, element("summary", {}, "whole text"), element("pre", { tabindex: 0 }, finding.text));
  return element("li", {}, made, ...(finding.text === finding.message ? [] : [whole]));
}
