"""How compile time grows with the length of straight code: ``python -m benchmarks.growth [LENGTH ...]``.

Prints seconds of processor time from text to machine code, one row for each element type and length: what this project
does up to the text of LLVM IR, and what LLVM does.  A time for each operation that stays the same is growth in
proportion.  Each number is computed from the two before it, so nothing can be left out.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from tilewright.driver.compile import compile

LENGTHS = (1_000, 10_000, 100_000)
OPERATIONS = {
    "i32": ("addi %{}, %{}", "xori %{}, %{}", "muli %{}, %{}"),
    "f32": (
        "addf %{}, %{} rounding<nearest_even>",
        "mulf %{}, %{} rounding<nearest_even>",
        "subf %{}, %{} rounding<nearest_even>",
    ),
}


def straight(element: str, length: int) -> str:
    """A kernel of so many operations on single numbers."""
    kinds = OPERATIONS[element]
    lines = [
        f"%v0, %t = load_ptr_tko weak %x : tile<ptr<{element}>> -> tile<{element}>, token",
        f"%v1 = {kinds[0].format('v0', 'v0')} : tile<{element}>",
    ]
    for at in range(length):
        made = kinds[at % 3].format(f"v{at + 1}", f"v{at}")
        lines.append(f"%v{at + 2} = {made} : tile<{element}>")
    lines.append(
        f"%d = store_ptr_tko weak %x, %v{length + 1} token=%t : tile<ptr<{element}>>, tile<{element}> -> token"
    )
    body = "\n".join(lines)
    return f"cuda_tile.module @m {{\n entry @k(%x: tile<ptr<{element}>>) {{\n{body}\n return\n }}\n}}"


def measured(element: str, length: int) -> tuple[float, float]:
    """Seconds up to LLVM IR, and from there to an object file."""
    text = straight(element, length)
    start = time.process_time()
    artifact = compile(text, target="cpu")
    _ = artifact.asm["llvm"]
    middle = time.process_time()
    _ = artifact.asm["object"]
    return middle - start, time.process_time() - middle


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    measured("i32", 10)  # what is only done once
    print("| elements | operations | to LLVM IR, s | LLVM, s | µs for each operation |")
    print("|---|---|---|---|---|")
    for element in OPERATIONS:
        for length in map(int, arguments or LENGTHS):
            ours, theirs = measured(element, length)
            each = (ours + theirs) / length * 1e6
            print(f"| {element} | {length:,} | {ours:.2f} | {theirs:.2f} | {each:.0f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
