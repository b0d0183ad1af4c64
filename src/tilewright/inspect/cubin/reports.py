"""Cubins as text, JSON and HTML."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from tilewright.inspect.cubin.view import Cubin, CubinKernel, InstructionRange
from tilewright.pages.markup import Child, Markup, element, markup, table
from tilewright.pages.report import Report, RowGroup, code, folded, lines_of

SCHEMA = "tilewright-cubin-1"


def to_json(cubin: Cubin) -> str:
    """Return a cubin as JSON, embedded texts included."""
    return json.dumps(as_data(cubin), indent=1) + "\n"


def as_data(cubin: Cubin) -> dict[str, Any]:
    """Return the facts, the kernels, the sections and the embedded texts of a cubin as dictionaries and
    lists, which `to_json` writes.
    """
    return {
        "schema": SCHEMA,
        "file": cubin.name,
        "size": cubin.size,
        "architecture": cubin.architecture,
        "cuda_version": cubin.cuda_version,
        "tool": list(cubin.tool),
        "notes": [str(note) for note in cubin.notes],
        "kernels": [_kernel(kernel) for kernel in cubin.kernels],
        "sections": [
            {"name": s.name, "offset": s.offset, "size": s.size, "kind": s.kind} for s in cubin.sections
        ],
        "ptx": list(cubin.ptx),
        "tile_ir": {name: list(lines) for name, lines in cubin.tile_ir.items()},
    }


def _kernel(kernel: CubinKernel) -> dict[str, Any]:
    return {
        "name": kernel.name,
        **dict(_facts(kernel)),
        "parameters": [{"ordinal": p.ordinal, "offset": p.offset, "size": p.size} for p in kernel.parameters],
        "attributes": [
            {"number": a.number, "name": a.name, "value": a.value.hex(), "offset": a.offset}
            for a in kernel.attributes
        ],
        "lines": [
            {
                "start": s.start,
                "end": s.end,
                "tile_ir": s.tile_ir,
                "text": s.text,
                "ptx": s.ptx,
                "source": s.source,
            }
            for s in kernel.lines
        ],
    }


def _facts(kernel: CubinKernel) -> list[tuple[str, Any]]:
    return [
        ("code_bytes", kernel.code_size),
        ("registers", kernel.registers),
        ("shared_bytes", kernel.shared),
        ("frame_bytes", kernel.frame),
        ("minimum_stack_bytes", kernel.minimum_stack),
        ("constant_bytes", dict(kernel.constants)),
        ("barriers", kernel.barriers),
        ("required_threads", list(kernel.required_threads)),
        ("maximum_threads", list(kernel.maximum_threads)),
        ("cluster", list(kernel.cluster)),
        ("parameter_bytes", kernel.parameter_bytes),
        ("parameter_offset", kernel.parameter_offset),
        ("cuda_version", kernel.cuda_version),
        ("from_tile_ir", kernel.from_tile_ir),
    ]


def to_table(cubin: Cubin, *, everything: bool = False) -> str:
    """Return a report as text: each kernel with its resources, its parameters, and its first eight code
    ranges with their source lines. With `everything`, all ranges are listed, and the embedded PTX and Tile IR
    texts follow.
    """
    lines = [
        f"{cubin.name}: cubin, {cubin.architecture}, CUDA {cubin.cuda_version or '?'}, {cubin.size} bytes"
    ]
    if cubin.tool:
        lines.append(f"  made by      {'; '.join(cubin.tool)}")
    texts = [f"PTX, {len(cubin.ptx)} lines"] if cubin.ptx else []
    texts += [f"Tile IR {name}, {len(text)} lines" for name, text in cubin.tile_ir.items()]
    lines.append(f"  text inside  {'; '.join(texts) or 'none'}")
    for kernel in cubin.kernels:
        lines += ["", f"kernel {kernel.name}", *_kernel_lines(kernel)]
        lines += _correlation(cubin, kernel.lines if everything else kernel.lines[:8])
        left = 0 if everything else max(len(kernel.lines) - 8, 0)
        lines += [f"    ... {left} more (--all)"] if left else []
    if everything:
        lines += _texts(cubin)
    return "\n".join(lines) + "\n"


def _kernel_lines(kernel: CubinKernel) -> Iterator[str]:
    for name, value in _shown_facts(kernel):
        yield f"  {name:20} {value}"
    for p in kernel.parameters:
        yield f"  parameter {p.ordinal:<10} offset {p.offset:#x}, {p.size} bytes"


def _shown_facts(kernel: CubinKernel) -> Iterator[tuple[str, str]]:
    """Yield the resources of a kernel as pairs of a label and a text. Unknown and empty values are left out,
    and ``from tile ir`` unless it is true.
    """
    for name, value in _facts(kernel):
        if value not in (None, [], {}, "") and not (name == "from_tile_ir" and not value):
            yield name.replace("_", " "), _in_words(value)


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        banks = cast("dict[str, int]", value)  # bytes by bank
        return ", ".join(f"bank {bank}: {size}" for bank, size in banks.items())
    if isinstance(value, list):
        return " x ".join(map(str, cast("list[object]", value)))
    return str(value)


def _correlation(cubin: Cubin, spans: tuple[InstructionRange, ...]) -> Iterator[str]:
    if spans:
        yield "  code offsets    source, Tile IR line, PTX line"
    for span in spans:
        yield f"    {span.start:#06x}-{span.end:#06x}  {span.source or '-'}"
        for name, number, text in _quoted(cubin, span):
            yield f"      {name} {number}: {text}"


def _quoted(cubin: Cubin, span: InstructionRange) -> Iterator[tuple[str, int, str]]:
    """Yield (name of the level, line number, text of the line, stripped) for the Tile IR line and the PTX
    line of a range, if the text is embedded and has such a line.
    """
    tile_ir = cubin.tile_ir.get(span.text, ())
    for name, number, text in (("Tile IR", span.tile_ir, tile_ir), ("PTX", span.ptx, cubin.ptx)):
        if 0 < number <= len(text):
            yield name, number, text[number - 1].strip()


def _texts(cubin: Cubin) -> Iterator[str]:
    for title, text in (("PTX", cubin.ptx), *((f"Tile IR {n}", t) for n, t in cubin.tile_ir.items())):
        if text:
            yield ""
            yield f"{title}:"
            yield from (f"{number:5}  {line}" for number, line in enumerate(text, 1))


def to_html(cubin: Cubin) -> str:
    """Return a report as one page: resources, source lines beside the code, and the texts."""
    facts = f"cubin, {cubin.architecture}, CUDA {cubin.cuda_version or '?'}, {cubin.size:,} bytes"
    groups = [_group(cubin, kernel, at) for at, kernel in enumerate(cubin.kernels)]
    groups += [_listing(title, text, at) for at, (title, text) in enumerate(_all_texts(cubin)) if text]
    return Report(cubin.name, facts, groups, [str(note) for note in cubin.notes]).to_html()


def _all_texts(cubin: Cubin) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "PTX", cubin.ptx
    for name, text in cubin.tile_ir.items():
        yield f"Tile IR {name}", text


def _group(cubin: Cubin, kernel: CubinKernel, at: int) -> RowGroup:
    parameters = [(str(p.ordinal), f"{p.offset:#x}", str(p.size)) for p in kernel.parameters]
    content = [table(("what", "value"), _shown_facts(kernel))]
    content += [table(("parameter", "offset", "bytes"), parameters)] if parameters else []
    return RowGroup(f"kernel-{at}", f"Kernel {kernel.name}", markup(content, _side_by_side(cubin, kernel)))


def _side_by_side(cubin: Cubin, kernel: CubinKernel) -> Markup:
    """Return a table with one row for each pair of a source line and a Tile IR line, with the code ranges and
    PTX lines made from it. Return empty markup if the kernel has no line ranges.
    """
    groups: dict[tuple[str, int, str], list[InstructionRange]] = {}
    for span in kernel.lines:
        groups.setdefault((span.source, span.tile_ir, span.text), []).append(span)
    rows = [_row(cubin, spans) for spans in groups.values()]
    return table(("source", "Tile IR", "code offsets", "PTX"), rows) if rows else Markup()


def _row(cubin: Cubin, spans: list[InstructionRange]) -> tuple[Child, ...]:
    quoted: dict[str, dict[Markup, None]] = {"Tile IR": {}, "PTX": {}}
    for span in spans:
        for name, number, text in _quoted(cubin, span):
            quoted[name][markup(f"{number} ", code(text))] = None
    offsets = [code(f"{start:#x}-{end:#x}") for start, end in _joined(spans)]
    return spans[0].source, *map(_folded, (list(quoted["Tile IR"]), offsets, list(quoted["PTX"])))


def _joined(spans: list[InstructionRange]) -> list[tuple[int, int]]:
    """Return the code offsets of ranges in order, as pairs of start and end; adjacent and overlapping ranges
    are joined.
    """
    found: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda span: span.start):
        if found and span.start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], span.end)
        else:
            found.append((span.start, span.end))
    return found


def _folded(lines: list[Markup]) -> Markup:
    """Return HTML with the lines; if there are more than four, the lines after the third are folded."""
    shown = 3 if len(lines) > 4 else len(lines)
    return folded(markup(lines_of(lines[:shown])), lines[shown:], f"{len(lines) - shown} more")


def _listing(title: str, text: tuple[str, ...], at: int) -> RowGroup:
    lines = "\n".join(f"{number:5}  {line}" for number, line in enumerate(text, 1))
    return RowGroup(f"text-{at}", f"Lines of {title}", element("pre", lines), len(text))
