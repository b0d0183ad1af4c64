"""`nvvm-chain-addresses`: addresses of a block that are apart by the same distance are computed from one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.ir.block import Block
from tilewright.ir.interfaces.effects import erase_dead
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import PointInserter
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx.loops.chains import LinearAddress, emitted, follow, followers
from tilewright.targets.nvptx.shared_memory.model import defined_functions


@dataclass(frozen=True)
class ChainAddresses(Pass):
    """Computes addresses of a block from each other where their distance repeats.

    The rows of a tile that a thread reads have equal distances in bytes. Computing an address from the base
    takes a product and two 64-bit sums; computing it from the previous row takes one sum.

    Before, for rows that are ``%stride`` bytes apart:

        %a = llvm.getelementptr %base[%row * %stride]
        %b = llvm.getelementptr %base[(%row + 4) * %stride]
        %c = llvm.getelementptr %base[(%row + 8) * %stride]

    After:

        %a = llvm.getelementptr %base[%row * %stride]
        %distance = llvm.mul %stride, 4
        %b = llvm.getelementptr %a[%distance]
        %c = llvm.getelementptr %b[%distance]

    Addresses at a constant distance are not changed: accesses add constants at no cost.
    """

    name: ClassVar[str] = "nvvm-chain-addresses"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: Operation, state: PassState) -> None:
        for function in defined_functions(op):
            state.count("num-chained", sum(map(chain, function.body.blocks)))


def chain(block: Block) -> int:
    """Compute addresses of a block from the previous address where their distance repeats and is not a
    constant; return the number of replaced addresses.
    """
    found = [LinearAddress(op.res, op.res) for op in block.ops if isinstance(op, GEPOp)]
    pairs = {value: pair for value, pair in followers(found).items() if any(pair.distance)}
    made: dict[Value, Value] = {}
    distances: dict[frozenset[tuple[tuple[Value, ...], int]], Value] = {}
    for value, pair in pairs.items():
        key = frozenset(pair.distance.items())
        if key not in distances:
            distances[key] = emitted(PointInserter.before(value.owner), pair.distance)
        before = made.get(pair.before, pair.before)
        made[value] = follow(value, before, distances[key])
        erase_dead([value])
    return len(pairs)
