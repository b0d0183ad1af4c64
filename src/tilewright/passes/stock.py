"""Passes that every pipeline may use."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.passes.canonicalize import Canonicalize
from tilewright.passes.cse import CSE
from tilewright.passes.inline import Inline
from tilewright.passes.loop_invariant_code_motion import LoopInvariantCodeMotion
from tilewright.passes.pass_ import Pass, PassState
from tilewright.passes.sccp import SCCP
from tilewright.passes.symbol_dce import SymbolDCE


@dataclass(frozen=True)
class StripDebugInfo(Pass):
    """Forgets where everything comes from: all locations become unknown."""

    name: ClassVar[str] = "strip-debuginfo"

    def run(self, op: Operation, state: PassState) -> None:
        for inner in op.walk():
            inner.location = UNKNOWN
            for region in inner.regions:
                for block in region.blocks:
                    block.argument_locations = None


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
    """The counts, aligned at the dots and commas."""
    names = [name.partition(".") for name in counts]
    left = max(len(dialect) for dialect, _, _ in names)
    right = max(len(mnemonic) for _, _, mnemonic in names)
    lines = ["Operations encountered:", "-----------------------"]
    for (dialect, dot, mnemonic), count in zip(names, counts.values(), strict=True):
        lines.append(f"  {dialect:>{left}}{dot}{mnemonic:<{right}} , {count}")
    return lines


@dataclass(frozen=True)
class Verify(Pass):
    """Verifies the operation and reports every broken rule; changes nothing."""

    name: ClassVar[str] = "verify"
    required: ClassVar[bool] = True
    atomic: ClassVar[bool] = True

    def run(self, op: Operation, state: PassState) -> None:
        for error in verify(op, all_errors=True):
            state.emit(error)
        state.preserve_all()


PASSES: tuple[type[Pass], ...] = (
    Canonicalize,
    CSE,
    SCCP,
    LoopInvariantCodeMotion,
    Inline,
    SymbolDCE,
    StripDebugInfo,
    PrintOpStats,
    Verify,
)
"""What start-up publishes."""
