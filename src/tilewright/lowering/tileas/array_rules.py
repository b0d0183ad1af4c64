"""The invariants after `nv-tileas-slice-tiles`: large tiles are in arrays (memory of the threads), and no
array is read after it was overwritten.

An `insert_slice` into an array writes in place, and so does a loop that carries it: to later passes their
results are the same memory. So at most one operation overwrites an array, all other uses come before it, and
a loop passes on the memory that it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_tile as tileas_tile
from tilewright.dialects.scf.ops_loop import ForOp, YieldOp
from tilewright.ir import block as ir_block, location as ir_location
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering import codes
from tilewright.lowering.tileas.encodings import values_in
from tilewright.lowering.tileas.layout_rules import is_in_arrays, is_tile

SlicedPredicate = Callable[[Operation], bool]
"""A function that returns whether an operation is computed slice by slice, so that no large tile of it is in
registers.
"""


def broken_rules(
    kernel: FuncOp, threads: int, limit: int, is_sliced: SlicedPredicate
) -> Iterator[Diagnostic]:
    """Yield an error for each broken invariant of a kernel of ``threads`` threads, where tiles of more than
    ``limit`` elements are large. ``is_sliced`` tells the operations that must not have large tiles in
    registers.
    """
    for op in kernel.walk():
        if is_sliced(op) and any(_elements(value) > limit for value in (*op.operands, *op.results)):
            yield _broken(op, f"'{op.name}' has a tile of more than {limit} elements in registers")
        if isinstance(op, YieldOp) and isinstance(op.parent_op, ForOp):
            yield from _not_handed_on(op, op.parent_op)
    for value in values_in(kernel):
        if is_in_arrays(value.type):
            yield from _misused(value, threads)


def _elements(value: Value) -> int:
    """Return the number of elements of a tile in registers; 0 for other values."""
    return prod(value.type.shape) if is_tile(value) and isinstance(value.type, RankedTensorType) else 0


def _misused(array: Value, threads: int) -> Iterator[Diagnostic]:
    """Yield the errors about an array: it is distributed to another number of threads than the kernel has, an
    operation of another block than its own overwrites it, or another use is not before the operation that
    overwrites it. Uses of views count, too.
    """
    assert isinstance(array.type, RankedTensorType), "arrays are tiles"
    encoding, home = array.type.encoding, array.owner
    if isinstance(encoding, tileas_attributes.ThreadArraysAttr) and encoding.threads != threads:
        yield _broken(
            home, f"an array is distributed to {encoding.threads} threads, and the kernel has {threads}"
        )
    users = [(user, at) for value in _same_memory(array) for user, at in value.operand_uses()]
    for user, at in users:
        if not _overwrites(user, at):
            continue
        if user.parent is not (home if isinstance(home, ir_block.Block) else home.parent):
            yield _broken(user, f"'{user.name}' overwrites an array that is from another block")
            continue
        late = next((one for one, _ in users if one is not user and not _comes_before(one, user)), None)
        if late is not None:
            message = f"'{user.name}' overwrites an array that is still used"
            yield _broken(user, message).note("the array is used here", late.location)


def _same_memory(array: Value) -> Iterator[Value]:
    """Yield an array, its views, and views of these."""
    yield array
    for user in array.uses:
        if isinstance(user, tileas_tile.ViewOp):
            yield from _same_memory(user.result)


def _overwrites(op: Operation, at: int) -> bool:
    """Return whether `op` overwrites the array that is its operand with index `at`: the destination of an
    `insert_slice`, or the initial value of an iteration argument of a loop.
    """
    if isinstance(op, tileas_tile.InsertSliceOp):
        return op.operands[at] is op.destination and is_in_arrays(op.destination.type)
    return isinstance(op, ForOp) and at >= len(op.operands) - len(op.initArgs)


def _comes_before(one: Operation, other: Operation) -> bool:
    """Return whether `one`, or the operation that contains it in the block of `other`, is before `other` in
    this block. False if `other` itself contains `one`, or if they share no block.
    """
    at: Operation | None = one
    while at is not None and at.parent is not other.parent:
        at = at.parent_op
    return at is not None and at is not other and at.is_before_in_block(other)


def _not_handed_on(end: YieldOp, loop: ForOp) -> Iterator[Diagnostic]:
    """Yield an error for each array that `end`, the terminator of `loop`, yields, unless it shares memory
    with the iteration argument of the same index.
    """
    carried = loop.region.blocks[0].arguments[1:]
    for value, argument in zip(end.operands, carried, strict=True):
        if is_in_arrays(value.type) and _memory(value) is not argument:
            yield _broken(end, "a loop passes on another array than its own")


def _memory(value: Value) -> Value:
    """Return the array that `value` shares memory with: the start of its chain of views, insertions and
    results of loops, which share memory with their initial values. A block argument is the start of its
    chain.
    """
    while isinstance(value, OpResult):
        op = value.owner
        if isinstance(op, tileas_tile.InsertSliceOp):
            value = op.destination
        elif isinstance(op, ForOp):
            value = op.initArgs[value.index]
        elif isinstance(op, tileas_tile.ViewOp):
            value = op.source
        else:
            break
    return value


def _broken(place: Operation | ir_block.Block, message: str) -> Diagnostic:
    location = place.location if isinstance(place, Operation) else ir_location.UNKNOWN
    return Diagnostic(Severity.ERROR, message, location, codes.BROKEN_SLICES)
