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

export interface Shown { label: string; text: string; language: string }

export class Pane {
  readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly label = new Compartment();
  private quiet = false;

  /** `moved` hears of the line, from 1, that the reader goes to. */
  constructor(parent: Element, moved: (line: number) => void) {
    const state = EditorState.create({
      extensions: [
        lineNumbers(), drawSelection(), highlightActiveLine(), marks,
        EditorState.readOnly.of(true),
        this.language.of([]), this.label.of([]), syntaxHighlighting(colours),
        keymap.of(standardKeymap),
        EditorView.updateListener.of((update) => {
          if (!update.selectionSet || this.quiet) return;
          moved(update.state.doc.lineAt(update.state.selection.main.head).number);
        }),
      ],
    });
    this.view = new EditorView({ state, parent });
  }

  show(shown: Shown): void {
    const attributes = { "aria-label": shown.label, "aria-readonly": "true", tabindex: "0" };
    this.quietly(() => this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: shown.text },
      selection: { anchor: 0 },
      effects: [
        this.language.reconfigure(languageOf(shown.language)),
        this.label.reconfigure(EditorView.contentAttributes.of(attributes)),
        mark.of(new Map()),
      ],
    }));
  }

  mark(lines: Lines): void {
    this.quietly(() => this.view.dispatch({ effects: mark.of(lines) }));
  }

  /** Bring a line into view, and make it the line of the cursor if `select` says so. */
  reveal(line: number, select = false): void {
    const text = this.view.state.doc;
    const { from } = text.line(Math.min(Math.max(line, 1), text.lines));
    const effects = EditorView.scrollIntoView(from, { y: "center" });
    this.quietly(() => this.view.dispatch(select ? { effects, selection: { anchor: from } } : { effects }));
  }

  private quietly(act: () => void): void {
    this.quiet = true;
    try { act(); } finally { this.quiet = false; }
  }
}
