// The address of what a page shows: kernel, view and line stand behind the # of the page's own address.

import type { Line } from "./code";

export interface Shown { kernel: number; view: string; at: Line | undefined }

function textOf({ kernel, view, at }: Shown): string {
  const words = new URLSearchParams({ kernel: String(kernel), view });
  for (const [name, value] of Object.entries(at ?? {})) words.set(name, String(value));
  return `#${words}`;
}

/** What the address of the page names; undefined if it names nothing. */
export function addressed(): Shown | undefined {
  const found = new URLSearchParams(location.hash.slice(1));
  const number = (name: string) => Number(found.get(name) ?? NaN);
  if (!found.has("kernel")) return undefined;
  const at = found.has("line") ? { file: number("file"), line: number("line") } : undefined;
  return { kernel: number("kernel"), view: found.get("view") ?? "", at };
}

/** Whether the page has an address: outputs of notebooks have none. */
export const hasAddress = location.protocol !== "about:";

/** Write into the address what is shown; a `jump` is something that the browser's back button undoes. */
export function remember(shown: Shown, jump: boolean): void {
  const text = textOf(shown);
  if (!hasAddress || text === location.hash) return;
  if (jump) history.pushState(null, "", text);
  else history.replaceState(null, "", text);
}
