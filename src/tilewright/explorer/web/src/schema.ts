// The data of a page; `schema.py` declares and explains the same records.

export const VERSION = 3;

export interface Source { file: string; text: string }
export interface Place { source: number; line: number; column: number }
export interface LayoutTable {
  title: string; rows: string[]; columns: string[]; cells: string[]; shades: string[]; colors: string[];
}
export interface TileValue { name: string; type: string; place: number; line: number }
export interface LayoutPicture {
  kind: string; text: string; words: string; values: TileValue[]; tables: LayoutTable[]; left_out: string;
}
export interface ScheduleBar {
  kind: string; title: string; words: string; depth: number; begin: number; end: number; place: number;
}
export interface Stage {
  name: string; summary: string; language: string; text: string; places: number[]; error: string;
  pictures: LayoutPicture[]; schedule: ScheduleBar[];
}
export interface PatternRun { name: string; tries: number; matches: number; refusals: [string, number][] }
export interface PassRun { name: string; milliseconds: number; diff: string; patterns: PatternRun[] }
export interface Finding { code: string; severity: string; message: string; text: string; place: number; hints: string[] }
export interface Argument { name: string; value: string }
export interface Touch {
  block: number; order: number; kind: string; place: number; runs: [number, number, number][];
}
export interface ArrayMap {
  name: string; element: string; shape: number[]; touches: Touch[]; conflicts: number[]; cut: boolean;
}
export interface Cost { place: number; space: string; requests: number; cost: number; least: number }
export interface LineWork { place: number; instructions: number; waits: number; waited: number }
/** A bar: lane, begin, end, tile block, place. */
export type Bar = [number, number, number, number, number];
export interface Timeline { unit: string; about: string; lanes: string[]; bars: Bar[]; cut: boolean }
export interface Roof { name: string; unit: string; rate: number }
export interface Roofline {
  operations: number; bytes: number; seconds: number; threads: number; roofs: Roof[]; about: string;
}
export interface Kernel {
  name: string; target: string; grid: number[]; arguments: Argument[]; stages: Stage[]; passes: PassRun[];
  findings: Finding[]; arrays: ArrayMap[]; costs: Cost[]; milliseconds: Record<string, number>;
  work: LineWork[]; timeline: Timeline; roofline: Roofline; reproducer: string;
}
export interface Page {
  title: string; command: string; version: number; sources: Source[]; places: Place[]; kernels: Kernel[];
  problems: Finding[];
}

/** The data of the page that this script stands in: JSON, compressed by gzip, in base 64. */
export async function readPage(): Promise<Page> {
  const text = document.getElementById("data")!.textContent!.trim();
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = (await new Response(plain).json()) as Page;
  if (page.version !== VERSION) throw new Error(`data of version ${page.version}, not ${VERSION}`);
  return page;
}
