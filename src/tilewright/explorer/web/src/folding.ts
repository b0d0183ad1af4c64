// What is folded away of a stage until a reader asks for it: directives of assemblers, data and constants.

import type { Stage } from "./schema";

const DIRECTIVE = /^\s*\.(?!L|visible\b|weak\b|extern\b|entry\b|func\b|param\b|shared\b|global\b|const\b)\w/;
const DATA = /^\s*\.(?:ascii|asciz|byte|short|value|word|hword|long|int|quad|octa|xword|zero|float|double)\b/;
const LABEL = /^[^\s#/;]\S*:/;
const CONSTANT = /^\s*%[\w$.-]+(?:, %[\w$.-]+)* = (?:[\w$]+\.)?constant\b/;
/** What stands in front of the work of a kernel in its IR. */
const PREAMBLE = /^\s*\}|\b(?:module|entry|func|constant|assume|make_token|get_tile_block_id|get_program_id)\b/;

/** The lines, from 1, of a stage that are folded away. */
export function folded(stage: Stage): Set<number> {
  const lines = stage.text.split("\n");
  if (stage.language === "mlir") return numbers(lines, (line) => CONSTANT.test(line));
  if (stage.language !== "asm" && stage.language !== "ptx") return new Set();
  const found = numbers(lines, (line) => DIRECTIVE.test(line));
  let labels: number[] = [];
  lines.forEach((line, at) => {
    if (LABEL.test(line)) labels.push(at + 1);
    else if (DATA.test(line) || /^\.Lfunc_end/.test(lines[at - 1] ?? "")) {
      for (const label of labels) found.add(label);
      labels = [];
    } else if (line.trim() && !found.has(at + 1)) labels = [];
  });
  return found;
}

function numbers(lines: string[], matches: (line: string) => boolean): Set<number> {
  return new Set(lines.flatMap((line, at) => (matches(line) ? [at + 1] : [])));
}

/** The first place of a stage at which a kernel does something; the first of all if there is none. */
export function firstWork(stage: Stage | undefined): number {
  const lines = stage?.text.split("\n") ?? [];
  const found = stage?.places.find((place, at) => place >= 0 && !PREAMBLE.test(lines[at] ?? ""));
  return found ?? stage?.places.find((place) => place >= 0) ?? -1;
}
