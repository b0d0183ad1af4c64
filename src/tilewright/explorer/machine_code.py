"""Machine code of GPUs as a page shows it: each instruction with what its control bits tell the scheduler, and its line.

The control bits and the line tables are read as by `tilewright sass` and `tilewright inspect`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from tilewright.driver.dependencies import require
from tilewright.explorer.places import NOWHERE, SourcePositions
from tilewright.explorer.texts import Linked
from tilewright.inspect.sass.model import BARRIERS, Control, SassCode, SassInstruction

_HEAD = (
    "// stall: cycles until the warp may issue its next instruction",
    "// waits: barriers that must be free before the instruction issues",
    "// frees: the barrier that is freed when results are written (w), and when operands have been read (r)",
    "// address, stall, waits, frees, instruction",
)
_NO_CONTROL = Control(0, None, None, ())


def of_machine_code(listing: str, cubin: bytes, places: SourcePositions) -> Linked:
    """Return the text of the instructions of a cubin, one a line, each with its address and control bits, and
    the number of the source position of each line (`NOWHERE` if it has none). ``listing`` is the disassembly
    of the cubin. Raises `DiagnosticError` if the packages that read cubins are not installed.
    """
    require("inspect")
    from tilewright.inspect.sass.listing import parse

    sources = _sources(cubin)
    lines: list[tuple[str, int]] = [(line, NOWHERE) for line in _HEAD]
    for code in parse(listing).codes:
        lines += [("", NOWHERE), (f"{code.name}:", NOWHERE)]
        lines += _lines(code, sources.get(code.name, []), places)
    return "\n".join(line for line, _ in lines), [place for _, place in lines]


def _sources(cubin: bytes) -> Mapping[str, list[tuple[int, str]]]:
    """Return, by the name of the kernel, pairs of an address where the code of another source line begins,
    and this line, as ``file:line``.
    """
    from tilewright.inspect.arrays import octets
    from tilewright.inspect.binary.elf import ElfFile
    from tilewright.inspect.cubin.view import read_cubin

    kernels = read_cubin(ElfFile(octets(cubin), "<cubin>")).kernels
    return {kernel.name: [(span.start, span.source) for span in kernel.lines] for kernel in kernels}


def _lines(
    code: SassCode, sources: list[tuple[int, str]], places: SourcePositions
) -> Iterator[tuple[str, int]]:
    """Yield each label and instruction as a text with its position; `NOWHERE` for labels and for instructions
    without a source line. `sources` are pairs of the address from which code belongs to a line, in ascending
    order, and ``file:line``. The padding at the end is omitted.
    """
    labels: dict[int, list[str]] = {}
    for name, address in code.labels.items():
        if name.startswith(".L"):
            labels.setdefault(address, []).append(name)
    starts = [start for start, _ in sources]
    instructions = list(code.instructions)
    while instructions and instructions[-1].opcode == "NOP":
        instructions.pop()
    for one in instructions:
        yield from ((f"{name}:", NOWHERE) for name in labels.get(one.address, ()))
        at = bisect_right(starts, one.address) - 1
        file, _, line = sources[at][1].rpartition(":") if at >= 0 else ("", "", "")
        yield _line(one), places.at(file, int(line), 0) if file else NOWHERE


def _line(one: SassInstruction) -> str:
    control = one.control or _NO_CONTROL
    waits = "".join(str(at) if at in control.waits else "-" for at in range(BARRIERS))
    barriers = (("w", control.write_barrier), ("r", control.read_barrier))
    frees = " ".join(f"{kind}{number}" if number is not None else "- " for kind, number in barriers)
    guard = f"@{one.guard} " if one.guard else ""
    spelt = f"{guard}{one.spelling} {', '.join(one.operands)}".rstrip()
    return f"  {one.address:04x} {control.stall:>2} {waits} {frees} {spelt}"
