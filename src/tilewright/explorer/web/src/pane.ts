// One text with its lines linked to places of the program: what a pane shows.

import { standardKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { gas } from "@codemirror/legacy-modes/mode/gas";
import { Compartment, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import type { Extension, Text } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export type Lines = ReadonlyMap<number, string>;
/** Numbers of lines, from 1, with the class that each gets. */

const mark = StateEffect.define<Lines>();

function decorations(text: Text, lines: Lines): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const number of [...lines.keys()].sort((a, b) => a - b)) {
    if (number < 1 || number > text.lines) continue;
    const from = text.line(number).from;
    builder.add(from, from, Decoration.line({ class: lines.get(number)! }));
  }
  return builder.finish();
}

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(mark)) return decorations(transaction.state.doc, effect.value);
    }
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const ir = StreamLanguage.define({
  name: "ir",
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match("//") || stream.match(/^;/)) { stream.skipToEnd(); return "comment"; }
    if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(/^[%@^][\w$.#-]+/)) return "variableName";
    if (stream.match(/^[!#][\w$.]+/)) return "typeName";
    if (stream.match(/^(?:i\d+|u?f\d+\w*|bf16|index|tile|tensor|vector|ptr|token|memref)\b/)) return "typeName";
    if (stream.match(/^-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/)) return "number";
    if (stream.match(/^[\w$.]+/)) return "keyword";
    stream.next();
    return null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, class: "t-comment" },
  { tag: tags.string, class: "t-string" },
  { tag: [tags.typeName, tags.className], class: "t-type" },
  { tag: tags.number, class: "t-number" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword], class: "t-keyword" },
  { tag: [tags.variableName, tags.definition(tags.variableName)], class: "t-name" },
]);

function languageOf(name: string): Extension {
  if (name === "python") return python();
  if (name === "asm" || name === "ptx") return StreamLanguage.define(gas);
  return name === "text" ? [] : ir;
}

export interface Shown {
  label: string; text: string; language: string;
  /** The lines, from 1, that are folded away. */
  folded?: ReadonlySet<number>;
}

export class Pane {
  readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly label = new Compartment();
  private quiet = false;
  /** The number, from 1, of each line that is shown. */
  private kept: number[] = [];

  /** `moved` hears of the line, from 1, that the reader goes to. */
  constructor(parent: Element, moved: (line: number) => void) {
    const state = EditorState.create({
      extensions: [
        lineNumbers({ formatNumber: (at) => String(this.kept[at - 1] ?? at) }), drawSelection(), highlightActiveLine(), marks,
        EditorState.readOnly.of(true),
        this.language.of([]), this.label.of([]), syntaxHighlighting(colours),
        keymap.of(standardKeymap),
        EditorView.updateListener.of((update) => {
          if (!update.selectionSet || this.quiet) return;
          const at = update.state.doc.lineAt(update.state.selection.main.head).number;
          moved(this.kept[at - 1] ?? at);
        }),
      ],
    });
    this.view = new EditorView({ state, parent });
  }

  show(shown: Shown): void {
    const attributes = { "aria-label": shown.label, "aria-readonly": "true", tabindex: "0" };
    const lines = shown.text.split("\n");
    this.kept = lines.map((_, at) => at + 1).filter((number) => !shown.folded?.has(number));
    this.quietly(() => this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: this.kept.map((number) => lines[number - 1]).join("\n") },
      selection: { anchor: 0 },
      effects: [
        this.language.reconfigure(languageOf(shown.language)),
        this.label.reconfigure(EditorView.contentAttributes.of(attributes)),
        mark.of(new Map()),
      ],
    }));
  }

  mark(lines: Lines): void {
    const shown = new Map<number, string>();
    this.kept.forEach((number, at) => {
      const name = lines.get(number);
      if (name) shown.set(at + 1, name);
    });
    this.quietly(() => this.view.dispatch({ effects: mark.of(shown) }));
  }

  /** Bring a line into view, and make it the line of the cursor if `select` says so. */
  reveal(line: number, select = false): void {
    const text = this.view.state.doc;
    const at = this.kept.findIndex((number) => number >= line) + 1 || text.lines;
    const { from } = text.line(Math.min(Math.max(at, 1), text.lines));
    const effects = EditorView.scrollIntoView(from, { y: "center" });
    this.quietly(() => this.view.dispatch(select ? { effects, selection: { anchor: from } } : { effects }));
  }

  private quietly(act: () => void): void {
    this.quiet = true;
    try { act(); } finally { this.quiet = false; }
  }
}
