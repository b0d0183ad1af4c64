// Sharing: the command that made the page, and a program that launches the kernel again.

import { hasAddress } from "./address";
import { element } from "./dom";
import { saveFile } from "./picture";
import type { Kernel, Page } from "./schema";

export class Share {
  readonly root = element("span", { class: "share" });
  private readonly said = element("span", { role: "status" });
  private readonly again = element("button", { type: "button", click: () => void this.copy(this.kernel.reproducer) }, "Copy as a reproducer");
  private readonly file = element("button", { type: "button", click: () => saveFile(`again-${this.kernel.name}`, "py", "text/x-python", this.kernel.reproducer) }, "Save it");
  private kernel!: Kernel;

  constructor(page: Page) {
    const command = element("button", { type: "button", click: () => void this.copy(page.command) }, "Copy the command");
    const link = element("button", { type: "button", click: () => void this.copy(location.href) }, "Copy the link");
    link.hidden = !hasAddress;
    this.again.hidden = this.file.hidden = true;  // until there is a kernel
    this.root.append(link, command, this.again, this.file, this.said);
  }

  show(kernel: Kernel): void {
    this.kernel = kernel;
    this.again.hidden = this.file.hidden = !kernel.reproducer;
    this.said.replaceChildren();
  }

  /** Copy a text; where a browser does not let us, show it to be copied by hand. */
  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.said.replaceChildren("copied");
    } catch {
      this.said.replaceChildren(element("pre", { tabindex: 0 }, text));
    }
  }
}
