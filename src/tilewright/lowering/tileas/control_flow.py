"""The flow of tiles through loops and branches: the values that receive each operand, by the edges that
operations declare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.ir.block import Region
from tilewright.ir.interfaces.control_flow import RegionBranchOpInterface
from tilewright.ir.interfaces.interface import concept
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Operand = tuple[Operation, int]
"""An operand, by its operation and its number."""


@dataclass(frozen=True)
class Flows:
    """The values that receive an operand, for each operand that control flow passes on: arguments of blocks,
    and results.
    """

    targets: dict[Operand, list[Value]]

    @classmethod
    def of(cls, root: Operation) -> Flows:
        """Return the flows below an operation."""
        found: dict[Operand, list[Value]] = {}
        for op in root.walk():
            edges = concept(op, RegionBranchOpInterface)
            if edges is not None:
                for operand, value in _edges(op, edges):
                    found.setdefault(operand, []).append(value)
        return cls(found)


def _edges(op: Operation, edges: RegionBranchOpInterface) -> Iterator[tuple[Operand, Value]]:
    origins: list[Region | None] = [None, *op.regions]
    for origin in origins:
        source = op if origin is None else origin.blocks[0].last if origin.blocks else None
        if source is None:
            continue
        for successor in edges.successors(op, origin):
            given, taken = edges.forwarded(op, origin, successor), edges.inputs(op, successor)
            first = len(source.operands) - len(given)  # the passed values follow the condition
            for at, (_, value) in enumerate(zip(given, taken, strict=True)):
                yield (source, first + at), value
