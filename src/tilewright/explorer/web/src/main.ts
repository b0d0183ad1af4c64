// The page: a kernel is chosen at the top, findings stand below, and tabs show its views.

import { Code } from "./code";
import { element } from "./dom";
import { Figures } from "./figures";
import { Layouts } from "./layouts";
import { Memory } from "./memory";
import { Passes } from "./passes";
import { Schedule } from "./schedule";
import { Share } from "./share";
import { Run } from "./timeline";
import { readPage } from "./schema";
import type { Kernel, Page } from "./schema";

class Tabs {
  readonly bar = element("div", { role: "tablist", "aria-label": "Views", class: "tabs" });
  private readonly tabs: HTMLButtonElement[] = [];
  private readonly views: HTMLElement[] = [];

  /** Add a view; answers how to show it. */
  add(title: string, view: HTMLElement): () => void {
    const at = this.tabs.length;
    const tab = element("button", {
      type: "button", role: "tab", id: `tab-${at}`, "aria-controls": `view-${at}`,
      click: () => this.choose(at), keydown: (event) => this.move(event as KeyboardEvent),
    }, title);
    const panel = element("div", { role: "tabpanel", id: `view-${at}`, "aria-labelledby": `tab-${at}`, class: "view" }, view);
    this.tabs.push(tab);
    this.views.push(panel);
    this.bar.append(tab);
    document.querySelector("main")!.append(panel);
    return () => this.choose(at);
  }

  choose(chosen: number): void {
    this.tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === chosen));
      tab.tabIndex = at === chosen ? 0 : -1;
      this.views[at]!.hidden = at !== chosen;
    });
  }

  private move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = this.tabs.indexOf(event.currentTarget as HTMLButtonElement);
    const next = (at + step + this.tabs.length) % this.tabs.length;
    this.choose(next);
    this.tabs[next]!.focus();
  }
}

function start(page: Page): void {
  const tabs = new Tabs();
  const layouts = new Layouts((stage, line) => {
    tabs.choose(0);
    code.goToLine(stage, line);
  });
  const code = new Code(page, (picture) => {
    showLayouts();
    layouts.open(picture);
  });
  const goTo = (place: number) => {
    tabs.choose(0);
    code.goTo(place);
  };
  const passes = new Passes();
  const schedule = new Schedule(goTo);
  const memory = new Memory(page, goTo);
  const figures = new Figures(page, goTo);
  const run = new Run(page, goTo);
  const share = new Share(page);
  tabs.add("Code", code.root);
  tabs.add("Passes", passes.root);
  const showLayouts = tabs.add("Layouts", layouts.root);
  tabs.add("Schedule", schedule.root);
  tabs.add("Memory", memory.root);
  tabs.add("Run", run.root);
  tabs.add("Figures", figures.root);
  tabs.choose(0);
  const facts = element("span", { class: "facts" });
  const chosen = element("select", { change: () => show(chosen.selectedIndex) },
    ...page.kernels.map((kernel) => element("option", {}, title(kernel, page))));
  const findings = element("ul", { class: "findings", "aria-label": "Findings" }, ...page.kernels.flatMap((_, at) => listed(page, at, (place) => {
    show(at);
    goTo(place);
  })));
  const show = (at: number) => {
    const kernel = page.kernels[at];
    if (!kernel) return;
    facts.textContent = inWords(kernel);
    chosen.selectedIndex = at;
    for (const view of [code, passes, layouts, schedule, memory, run, figures, share]) view.show(kernel);
  };
  document.querySelector("header")!.append(
    element("h1", {}, page.title), element("label", { class: "choice" }, "Kernel", chosen), facts, share.root);
  document.querySelector("nav")!.append(tabs.bar);
  document.querySelector("main")!.prepend(findings);
  if (page.kernels.length) show(0);
  else if (!page.failure) document.querySelector("main")!.prepend(element("p", {}, "The program launched no kernel."));
  if (page.failure) document.querySelector("main")!.prepend(element("pre", { class: "failure", role: "alert", tabindex: 0 }, page.failure));
}

function inWords(kernel: Kernel): string {
  const grid = kernel.grid.length ? `, ${kernel.grid.join(" x ")} tile blocks` : "";
  return `for ${kernel.target}${grid}`;
}

function listed(page: Page, at: number, goTo: (place: number) => void): HTMLElement[] {
  const kernel = page.kernels[at]!;
  return kernel.findings.map((finding) => {
    const place = page.places[finding.place];
    const where = place ? `line ${place.line}: ` : "";
    const text = `${finding.code ? `${finding.code} ` : ""}${where}${finding.message}`;
    const button = element("button", { type: "button", class: finding.severity, click: () => goTo(finding.place) }, text);
    const whole = element("details", {}, element("summary", {}, "whole text"), element("pre", { tabindex: 0 }, finding.text));
    return element("li", {}, place ? button : element("span", { class: finding.severity }, text), whole);
  });
}

/** The name of a kernel; of several with one name, with the first array that each got. */
function title(kernel: Kernel, page: Page): string {
  const isAlone = page.kernels.every((one) => one === kernel || one.name !== kernel.name);
  return isAlone ? kernel.name : `${kernel.name}: ${kernel.arguments[0]?.value ?? ""}`;
}

/** A served page asks whether it was made anew, and then shows the new one. */
async function follow(): Promise<void> {
  if (!location.protocol.startsWith("http")) return;
  const version = async () => (await fetch("/version")).text();
  const first = await version();
  setInterval(() => void version().then((now) => { if (now !== first) location.reload(); }, () => {}), 1000);
}

follow().catch(() => {});  // a page on some other server stays as it is
readPage().then(start, (error: unknown) => {
  document.querySelector("main")!.append(element("p", { role: "alert" }, `The page cannot be read: ${error}`));
});
