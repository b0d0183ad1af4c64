"""The pass that counts operations."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class PrintOpStats(Pass):
    """Counts operations by name and prints the table to stderr; ``json`` makes it a JSON object."""

    name: ClassVar[str] = "print-op-stats"
    required: ClassVar[bool] = True
    atomic: ClassVar[bool] = True
    json: bool = False

    def run(self, op: Operation, state: PassState) -> None:
        counts = dict(sorted(Counter(inner.name for inner in op.walk()).items()))
        text = json.dumps(counts, indent=2) if self.json else "\n".join(_table(counts))
        print(text, file=sys.stderr)
        state.preserve_all()


def _table(counts: dict[str, int]) -> list[str]:
    """Return the lines of the table, with names aligned at their dots, and counts at their commas."""
    names = [name.partition(".") for name in counts]
    left = max(len(dialect) for dialect, _, _ in names)
    right = max(len(mnemonic) for _, _, mnemonic in names)
    lines = ["Operations encountered:", "-----------------------"]
    for (dialect, dot, mnemonic), count in zip(names, counts.values(), strict=True):
        lines.append(f"  {dialect:>{left}}{dot}{mnemonic:<{right}} , {count}")
    return lines
