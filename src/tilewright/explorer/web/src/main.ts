// The page: a kernel is chosen at the top, findings stand below, and tabs show its views.

import { addressed, remember } from "./address";
import { Code } from "./code";
import { element } from "./dom";
import { Figures } from "./figures";
import { box } from "./findings";
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
  private readonly titles: string[] = [];
  /** The title of the view that is shown. */
  chosen = "";

  /** `turned` hears that a reader chose another view. */
  constructor(private readonly turned: () => void) {}

  /** Add a view; answers how to show it. */
  add(title: string, view: HTMLElement): () => void {
    const at = this.tabs.length;
    const tab = element("button", {
      type: "button", role: "tab", id: `tab-${at}`, "aria-controls": `view-${at}`,
      click: () => this.turn(at), keydown: (event) => this.move(event as KeyboardEvent),
    }, title);
    const panel = element("div", { role: "tabpanel", id: `view-${at}`, "aria-labelledby": `tab-${at}`, class: "view" }, view);
    this.tabs.push(tab);
    this.titles.push(title);
    this.views.push(panel);
    this.bar.append(tab);
    document.querySelector("main")!.append(panel);
    return () => this.choose(at);
  }

  /** Show the view of a title, or the first one. */
  open(title: string): void {
    this.choose(Math.max(0, this.titles.indexOf(title)));
  }

  private turn(at: number): void {
    this.choose(at);
    this.turned();
  }

  choose(chosen: number): void {
    this.chosen = this.titles[chosen]!;
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
    this.turn(next);
    this.tabs[next]!.focus();
  }
}

function start(page: Page): void {
  let kernel = 0;
  const note = (jump: boolean) => remember({ kernel, view: tabs.chosen, at: code.at }, jump);
  const tabs = new Tabs(() => note(true));
  const layouts = new Layouts((stage, line) => {
    tabs.choose(0);
    code.goToLine(stage, line);
    note(true);
  });
  const code = new Code(page, (picture) => {
    showLayouts();
    layouts.open(picture);
    note(true);
  }, () => note(false));
  const goTo = (place: number) => {
    tabs.choose(0);
    code.goTo(place);
    note(true);
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
  const chosen = element("select", { change: () => {
    show(chosen.selectedIndex);
    note(true);
  } }, ...page.kernels.map((one) => element("option", {}, title(one, page))));
  const show = (at: number) => {
    const shown = page.kernels[at];
    if (!shown) return;
    kernel = at;
    facts.textContent = inWords(shown);
    chosen.selectedIndex = at;
    for (const view of [code, passes, layouts, schedule, memory, run, figures, share]) view.show(shown);
  };
  const findings = element("ul", { class: "findings", "aria-label": "Findings" },
    ...page.problems.map((problem) => box(page, problem, goTo)),
    ...page.kernels.flatMap((one, at) => one.findings.map((finding) => box(page, finding, (place) => {
      show(at);
      goTo(place);
    }))));
  document.querySelector("header")!.append(
    element("h1", {}, page.title), element("label", { class: "choice" }, "Kernel", chosen), facts, share.root);
  document.querySelector("nav")!.append(tabs.bar);
  document.querySelector("main")!.prepend(findings);
  if (!page.kernels.length) {
    code.showProgram();
    document.querySelector("nav")!.hidden = chosen.parentElement!.hidden = true;
    document.querySelector("main")!.prepend(element("p", { class: "none" }, "The program launched no kernel."));
  }
  const open = () => {
    const named = addressed();
    show(page.kernels[named?.kernel ?? -1] ? named!.kernel : Math.max(0, page.kernels.findIndex((one) => one.findings.length)));
    tabs.open(named?.view ?? "");
    if (named?.at) code.goToSource(named.at);
    else code.goTo(first(page, kernel), false);
  };
  addEventListener("popstate", open);
  open();
}

/** The place that a page opens at: of what ended the program, or of the first finding of a kernel. */
function first(page: Page, kernel: number): number {
  const all = [...page.problems, ...page.kernels[kernel]?.findings ?? []];
  return all.find((one) => one.place >= 0)?.place ?? -1;
}

function inWords(kernel: Kernel): string {
  const grid = kernel.grid.length ? `, ${kernel.grid.join(" x ")} tile blocks` : "";
  return `for ${kernel.target}${grid}`;
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
