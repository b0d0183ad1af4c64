// Elements, made without HTML text: whatever stands in a kernel stays text.

type Child = Node | string;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

function fill(made: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  fill(made, attributes, children);
  return made;
}

export function svg(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(made, attributes, children);
  return made;
}

export function choice(
  label: string, options: string[], chosen: number, changed: (at: number) => void
): HTMLElement {
  const list = element("select", { change: () => changed(list.selectedIndex) },
    ...options.map((text) => element("option", {}, text)));
  list.selectedIndex = chosen;
  return element("label", { class: "choice" }, label, list);
}
