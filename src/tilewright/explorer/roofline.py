"""The operations of a launch for each byte that it moves, under the limits of this machine.

Operations are counted where the interpreter executes them, so loops and branches count as often as tile blocks
enter them.  Bytes are the minimum that a launch must move: every element of its arrays that it reads counts once, and
every element that it writes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops import float as floats, tile as tiles
from tilewright.explorer.schema import Roof, Roofline, Timeline
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.runtime.workers.threads import available_processors, thread_count
from tilewright.targets.cpu.machine.ceilings import FMA, READ, ceilings

_REPEATS = 5
_ABOUT = (
    "Operations: each operation on a number with a point counts one, functions such as exp and comparisons, too, a "
    "multiply-add two, a matrix product two for each product of elements (integers, too). Bytes: each "
    "element that the launch reads counts once, and each that it writes. Limits were measured on this machine just now, "
    "on as many threads as a launch may use: multiply-adds of f32 in registers, reading 64 MiB of memory, and reading "
    "256 KiB that stay in the second cache. What else runs on the machine lowers them. Gop/s: 10^9 operations in a second."
)
_ROOFS = {FMA: "operations", READ: "bytes", "L2, read": "bytes"}
"""The limits that are shown, each with what its rate counts."""

Weigh = Callable[[Any], int]


def _elements(op: Operation) -> int:
    """Return the number of elements of an operation's results."""
    return sum(prod(_shape(result)) for result in op.results)


def _shape(value: Value) -> tuple[int, ...]:
    """Return the shape of a tile, or ``()`` for other values."""
    return tuple(getattr(value.type, "shape", ()))


def _products(op: tiles.MmaFOp | tiles.MmaIOp | tiles.MmaFScaledOp) -> int:
    """Return the operations of a matrix product: a multiplication and an addition for each element of the
    result and each column of the left operand.
    """
    return 2 * _elements(op) * _shape(op.lhs)[-1]


def _in_body(op: Operation) -> int:
    """Return the number of operations on floats in the first region of `op`, executed once."""
    return sum(weight(inner) for inner in op.regions[0].block)


def _folded(op: tiles.ReduceOp) -> int:
    """Return the operations of a reduction: each element except the remaining ones is combined once."""
    return _in_body(op) * (prod(_shape(op.operands[0])) - prod(_shape(op.results[0])))


def _scanned(op: tiles.ScanOp) -> int:
    return _in_body(op) * prod(_shape(op.operands[0]))


def _computed(op: Operation) -> int:
    """Return the operations of an element-wise operation: one for each element, two for a multiply-add, which
    has three operands.
    """
    return max(len(op.operands) - 1, 1) * _elements(op)


_WEIGHTS: dict[type[Operation], Weigh] = {
    **{kind: _computed for kind in CUDA_TILE.operations if kind.__module__ == floats.__name__},
    **dict.fromkeys((tiles.MmaFOp, tiles.MmaIOp, tiles.MmaFScaledOp), _products),
    tiles.ReduceOp: _folded,
    tiles.ScanOp: _scanned,
}


def weight(op: Operation) -> int:
    """Return the number of arithmetic operations that an operation of Tile IR performs. It is 0 except for
    operations on floats, for products of matrices, integers included, and for reductions and scans; the
    weight of these counts the operations on floats in their bodies.
    """
    weigh = _WEIGHTS.get(type(op))
    return 0 if weigh is None else weigh(op)


def operations(entered: Counter[Block]) -> int:
    """Return the number of arithmetic operations of a launch. `entered` has the number of times that each
    block was entered. Bodies of reductions and scans count with their operation, not as blocks.
    """
    return sum(
        times * sum(weight(op) for op in block)
        for block, times in entered.items()
        if not isinstance(block.parent_op, tiles.ReduceOp | tiles.ScanOp)
    )


def of_launch(operations: int, bytes: int, timeline: Timeline) -> Roofline:
    """Return the position of a launch under the limits of the CPU: `operations` is the number of its
    arithmetic operations, `bytes` the number of bytes that it moves, and its time is the end of the last bar
    of `timeline`. For a launch on another target, whose timeline is not in nanoseconds, the result has no
    time and no limits, and its ``about`` says so.
    """
    if timeline.unit != "ns":
        about = f"{_ABOUT.partition(' Limits')[0]} Only launches on the CPU have a time and limits."
        return Roofline(operations, bytes, about=about)
    seconds = max((end for _, _, end, _, _ in timeline.bars), default=0) / 1e9
    return Roofline(operations, bytes, seconds, len(timeline.lanes), list(roofs()), _ABOUT)


@cache
def roofs() -> tuple[Roof, ...]:
    """Return the limits of this machine, on as many threads as a launch may use. They are measured at the
    first call in a process.
    """
    count = min(thread_count(), available_processors())
    chosen = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(count))
    found = ceilings([chosen[:count]], _REPEATS, _ROOFS)
    return tuple(Roof(one.name, _ROOFS[one.name], round(one.rates[count], 1)) for one in found)
