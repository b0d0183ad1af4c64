"""The loads of a loop that may be issued in earlier iterations: their addresses are known then, and they wait for no
access of the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.common.constant_folding import is_zero
from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AccessOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.scf.ops_loop import ForOp, IfOp, WhileOp
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import IndexType, IntegerType
from tilewright.ir.interfaces.effects import accesses_nothing, has_no_memory_effect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.memory_order.tokens import TokenAnalysis

COPIES_SINCE = 80
"""The first architecture with asynchronous copies of elements (`cp.async`)."""
Loop = ForOp | WhileOp


def early_loads(kernel: Operation, chip: Chip) -> list[LoadOp]:
    """Return the loads of a kernel that may be issued in earlier iterations of their loops, those without an
    obstacle by `obstacle_of_loop` and `obstacle_of_load`, in the order of the text. There are none on a chip
    without asynchronous copies.
    """
    order = TokenAnalysis()
    loops = [op for op in kernel.walk() if isinstance(op, ForOp) and not obstacle_of_loop(op, chip)]
    loads = [(op, loop) for loop in loops for op in loop.walk() if isinstance(op, LoadOp)]
    return [load for load, loop in loads if not obstacle_of_load(load, loop, order)]


def obstacle_of_loop(loop: Loop, chip: Chip) -> str:
    """Return why no load of a loop can be issued ahead, as far as that follows from the loop alone: a clause
    such as ``another loop is in the loop``. Empty if the loop is no obstacle.
    """
    if chip.number < COPIES_SINCE:
        return f"{chip.name} has no asynchronous copies"
    if not isinstance(loop, ForOp):
        return "the loop has no counter that says which iterations follow"
    for op in loop.walk():
        if op is not loop and isinstance(op, ForOp | WhileOp):
            return "another loop is in the loop"
        if op is not loop and not isinstance(op, AccessOp) and not accesses_nothing(op.kind):
            return f"'{op.name}' may write memory that loads of later iterations read"
    return ""


def obstacle_of_load(load: LoadOp, loop: ForOp, order: TokenAnalysis) -> str:
    """Return why a load in `loop` cannot be copied ahead, as far as `obstacle_of_loop` does not say it: a
    clause such as ``a load waits for 'nv_tileas.store' of an earlier iteration, or of its own``. Empty if it
    can be copied. ``order`` has the order of accesses.
    """
    if (
        load.mem_semantic is not MemSemantic.WEAK
        or load.indices
        or load.multicast
        or load.reduction is not None
    ):
        return "a load has an order, or reads several copies of its memory"
    for op in loop.walk():
        if isinstance(op, AccessOp) and op is not load and order.must_stay_in_order(load, op):
            return f"a load waits for '{op.name}' of an earlier iteration, or of its own"
    return (
        ""
        if is_known_ahead(load, loop.region.block)
        else "addresses of a load depend on values of earlier iterations"
    )


def computed_ahead(load: LoadOp) -> list[Value]:
    """Return the values that the copy of a load needs: its address, its mask, its values for masked elements
    if they are zeros (copies make no others), and the conditions of the branches around it. The token is left
    out.
    """
    needed = [load.base, load.mask, load.other if load.other is None or has_zeros(load.other) else None]
    conditions = [branch.condition for branch, _ in branches_around(load)]
    return [*(value for value in needed if value is not None), *conditions]


def branches_around(op: Operation) -> Iterator[tuple[IfOp, bool]]:
    """Yield the branches in a loop that an operation is in, the innermost first, each with whether the operation runs if
    the condition is true.
    """
    around = op.parent_op
    while isinstance(around, IfOp):
        region = op.parent.parent if op.parent is not None else None
        yield around, region is around.regions[0]
        op, around = around, around.parent_op


def has_zeros(tile: Value) -> bool:
    """Return whether a tile is a constant splat of zero; -0 does not count as zero."""
    owner = tile.owner
    return isinstance(owner, SplatOp) and isinstance(owner.value, Attribute) and is_zero(owner.value)


def is_known_ahead(load: LoadOp, block: Block) -> bool:
    """Return whether operations without memory effects compute the address and the mask of a load from the counter of
    its loop, from values that no iteration changes, and from scalars that can be computed ahead (`scalars_ahead`).
    """
    return scalars_ahead(computed_ahead(load), block) is not None


def scalars_ahead(values: Sequence[Value], block: Block) -> list[int] | None:
    """Return the indices, in ascending order, of the arguments of a loop's body that some values depend on,
    except the counter, which has index 0. Their next values are computed from them, the counter, and values
    that no iteration changes. None if one of them is no integer, its next value is an argument as it is, or
    an operation on the way has memory effects.
    """
    end, found = block.last, list[int]()
    assert end is not None, "loops end with their results"
    pending = list(values)
    while pending:
        operations = slice_of(pending, block)
        read = [*pending, *(value for op in operations for inner in op.walk() for value in inner.operands)]
        arguments = {value.index: value for value in read if value.owner is block and value.index > 0}
        pending = [end.operands[number - 1] for number in arguments if number not in found]
        found += [number for number in arguments if number not in found]
        if not all(map(has_no_memory_effect, operations)) or any(value.owner is block for value in pending):
            return None
        if not all(isinstance(one.type, IntegerType | IndexType) for one in arguments.values()):
            return None
    return sorted(found)


def slice_of(values: Sequence[Value], block: Block) -> list[Operation]:
    """Return the operations of a block, and of the branches in it, that some values depend on, in the order of the
    text.
    """
    found: set[Operation] = set()
    pending = list(values)
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, Operation) and owner not in found and _is_in(owner, block):
            found.add(owner)
            pending += [value for inner in owner.walk() for value in inner.operands]
    return [op for outer in block for op in outer.walk() if op in found]


def _is_in(op: Operation, block: Block) -> bool:
    """Return whether an operation stands in a block, or in a branch in it."""
    *_, outermost = op, *(branch for branch, _ in branches_around(op))
    return outermost.parent is block
