"""Checks the promises of operations in the bodies of reductions and scans.

Such an operation runs for pairs of elements and has no place in the program, so it cannot be followed by a check.  A copy
of the reduction carries a flag for each promise beside its elements: whether it was broken in what an element is made of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.dialects.cuda_tile.operation_phrases import operation_words
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.instrument.views import refused
from tilewright.instrument.writer import SCALAR, CheckInserter, Guard
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import ArrayAttr, IntegerAttr
from tilewright.ir.builtin_types import i1
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Flag = tuple[Operation, Value, str]
"""An operation of a body, the condition under which its assumption holds, and the message if it does not."""


def insert_folded(fold: Any, guard_of: Callable[[Operation], Guard | None], name: str) -> int:
    """Insert the checks of operations in the body of the reduction or scan `fold`; return their number. A
    copy of the reduction before it computes a flag for each condition. `guard_of` returns the guard of an
    operation or None, `name` is the name of the check. Raises `DiagnosticError` for an operation with a guard
    that is in a nested region or whose operands are not scalars.
    """
    promising = [op for op in list(fold.walk())[1:] if guard_of(op) is not None]
    for op in promising:
        if op.parent_op is not fold or not _is_on_elements(op):
            raise refused(op, "in the body of a reduction, compiled code checks promises about elements only")
    if not promising:
        return 0
    copy: Any = InsertionPoint.before(fold).insert(fold.clone())
    flags = [flag for op in list(copy.body.block) for flag in _flags(op, guard_of(op))]
    made = _with_flags(copy, [holds for _, holds, _ in flags])
    write = CheckInserter(InsertionPoint.before(fold), fold.lazy_location)
    for (op, _, message), broken in zip(flags, made.results[len(fold.results) :], strict=True):
        write.location = op.lazy_location
        write.check(name, write.negated(broken), f"{operation_words(op)}: {message}")
    return len(flags)


def _is_on_elements(op: Operation) -> bool:
    return all(isinstance(value.type, TileType) and not value.type.shape for value in op.operands)


def _flags(op: Operation, guard: Guard | None) -> list[Flag]:
    """Emit the conditions of an operation's promises before it, and return them as flags: the operation, a
    condition and its message. Empty if `guard` is None.
    """
    if guard is None:
        return []
    return [(op, holds, message) for holds, message in guard(CheckInserter.before(op))]


def _with_flags(fold: Any, promises: list[Value]) -> Operation:
    """Replace the reduction or scan `fold` with one that has a further result for each of `promises`,
    conditions in its body: whether the condition was false for any of the elements that were combined. Return
    the new operation.
    """
    block: Block = fold.body.block
    end = block.last
    assert end is not None, "bodies end in a yield"
    write = CheckInserter.before(end)
    pairs = [(block.add_argument(SCALAR), block.add_argument(SCALAR)) for _ in promises]
    broken = [
        write.either([*pair, write.negated(holds)]) for pair, holds in zip(pairs, promises, strict=True)
    ]
    end.set_operands([*end.operands, *broken])
    return _replaced(fold, len(promises))


def _replaced(fold: Any, flags: int) -> Operation:
    write = CheckInserter.before(fold)
    unbroken = [write.truth(tile_of(fold.operands[0]).shape, False)] * flags
    types = [*fold.result_types, *[tile_of(fold.results[0]).with_element_type(i1)] * flags]
    identities = ArrayAttr((*fold.identities, *[IntegerAttr(i1, 0)] * flags))
    attributes: dict[str, Attribute] = {**fold.held_attributes, "identities": identities}
    made = Operation.from_parts(
        fold.kind, (*fold.operands, *unbroken), types, attributes, [Region()], location=fold.lazy_location
    )
    write.point.insert(made).regions[0].take_blocks(fold.body)
    fold.erase()
    return made
