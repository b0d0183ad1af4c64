"""`nvvm-spread-copies`: moves asynchronous copies between the products of their block.

A copy of the next iteration takes an address, a mask and an instruction. Behind one another, before the first product,
these keep the matrix unit waiting; between products they take cycles that are free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar, NamedTuple

from tilewright.dialects.llvm.ops.memory import LoadOp
from tilewright.dialects.nvvm.ops.copy import CpAsyncCommitGroupOp, CpAsyncOp
from tilewright.dialects.nvvm.ops.mma import LdMatrixOp, MmaOp
from tilewright.ir.block import Block
from tilewright.ir.interfaces.effects import has_no_memory_effect
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx.shared_memory.model import defined_functions

FIRST = 4
"""The maximum number of products before the first copies. With fewer products than this, none comes before."""
PASSED = (LoadOp, LdMatrixOp, MmaOp)
"""Operations with memory effects that a copy may follow as well as precede: they read, but not from the slot that the copies
of this iteration fill.
"""


class CopyGroup(NamedTuple):
    """The copies of a group in a block, the operation that ends the group, and the products that the copies
    may be moved to.
    """

    copies: Sequence[CpAsyncOp]
    end: CpAsyncCommitGroupOp
    products: Sequence[MmaOp]


@dataclass(frozen=True)
class SpreadCopies(Pass):
    """Moves asynchronous copies down, between the matrix instructions of their block.

    The copies of a group are moved before products, `together` copies before one product. They are spread
    evenly over the first `share` percent of the products that follow in the block, but a quarter of the products, and at
    most 4, come first: their fragments are read while addresses and masks are computed. The copies keep their order, and
    stay before the next barrier, wait, write or call.
    """

    name: ClassVar[str] = "nvvm-spread-copies"
    share: int = 90
    """The percentage of the products that copies may precede."""
    together: int = 4
    """The number of copies that stay together: the assembler fills each step from reading to writing shared memory."""

    def run(self, op: Operation, state: PassState) -> None:
        groups = [
            group
            for function in defined_functions(op)
            for block in function.body.blocks
            for group in groups_of(block)
        ]
        for group in groups:
            spread(group, self.share, self.together)
        state.report("num-moved", sum(len(group.copies) for group in groups))


def groups_of(block: Block) -> Iterator[CopyGroup]:
    """Yield each group of copies of a block that is followed by products which it may be moved to: the
    products up to the first operation that a copy may not pass. Groups without such products are left out.
    """
    ops, copies = list(block), list[CpAsyncOp]()
    for at, op in enumerate(ops):
        if isinstance(op, CpAsyncOp):
            copies.append(op)
        elif isinstance(op, CpAsyncCommitGroupOp):
            products = [one for one in takewhile(may_be_passed, ops[at + 1 :]) if isinstance(one, MmaOp)]
            if copies and products:
                yield CopyGroup(copies, op, products)
            copies = []


def may_be_passed(op: Operation) -> bool:
    """Return whether an asynchronous copy may move behind `op`: it has no effect on memory, or its class is
    in `PASSED`.
    """
    return isinstance(op, PASSED) or has_no_memory_effect(op)


def spread(group: CopyGroup, share: int, together: int) -> None:
    """Move the copies of a group down before its products, `together` copies before one product, at equal
    distances over the first `share` percent of the products behind those that come first. The operation that ends the
    group moves behind the last copy.
    """
    gaps = -(-len(group.copies) // together)
    first = min(FIRST, len(group.products) // FIRST)
    spread_over = (len(group.products) - first) * share // 100
    places = [first + number // together * spread_over // gaps for number in range(len(group.copies))]
    for copy, place in zip(group.copies, places, strict=True):
        copy.move_before(group.products[place])
    group.end.move_before(group.products[places[-1]])
