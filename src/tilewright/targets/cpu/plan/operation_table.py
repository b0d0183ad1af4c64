"""What the CPU back end does with each operation, as data.

Planning asks these questions of each operation many times.  So they compare classes, of which there are no subclasses:
that takes a quarter of the time of `isinstance`.
"""

from __future__ import annotations

from typing import TypeGuard

from tilewright.dialects.arith.ops_integer import AddIOp, AndIOp, CmpIOp, ConstantOp, MulIOp, OrIOp, SelectOp
from tilewright.dialects.nv_tileaa.ops.math import HistogramOp
from tilewright.dialects.nv_tileaa.ops.memory import CreateMemTokenOp, JoinMemTokenOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp
from tilewright.dialects.nv_tileaa.ops.program import AssertOp, CheckOp, MessageOp, PrintOp
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, ExtractOp, MakeMemrefOp
from tilewright.dialects.nv_tileas.attributes import view_dimensions
from tilewright.dialects.nv_tileas.constraints import MEMORY
from tilewright.dialects.nv_tileas.ops_arith import of_both
from tilewright.dialects.nv_tileas.ops_memory import TiledLoadOp
from tilewright.dialects.nv_tileas.ops_tile import (
    AllocTensorOp,
    DotOp,
    GenerateOp,
    InsertSliceOp,
    ReduceOp,
    ScanOp,
    ViewOp,
)
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.operation import Operation
from tilewright.lowering.access_facts.views import memory_of, tiled_dimensions, view_of
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.cpu.memory.operations import LOADS, STORES, UPDATES, Store, needs_order
from tilewright.targets.cpu.nest import elementwise, shape, transpose
from tilewright.targets.cpu.products.operands import is_packed_transpose
from tilewright.targets.elements.types import is_tile, shape_of

MAXIMUM_ROOTS = 6
"""Nests of more roots keep too many vectors at once."""

BODIES = frozenset({ReduceOp, ScanOp, GenerateOp})
"""Operations whose region says how elements are computed."""
EACH = frozenset({*UPDATES, HistogramOp, AssertOp})
"""Operations that go through tiles element by element, wherever these are."""
BARRIERS = frozenset({*UPDATES, AssertOp})
"""Operations that accesses stay in front of or behind; an assertion may be there to guard one."""
BUFFERIZED = frozenset({DotOp, *EACH, AllocTensorOp, InsertSliceOp, PrintOp, ExtractOp})
"""Operations that read or write tiles in memory."""
CHECKS = frozenset({CheckOp})
"""Operations that only look at what is computed anyway."""
NOTHING = frozenset(
    {
        CreateMemTokenOp,
        JoinMemTokenOp,
        MakeMemrefOp,
        MessageOp,
    }
)
"""Operations that make no code of their own."""
EVALUATED = frozenset({*shape.EVALUATORS, *transpose.EVALUATORS, GenerateOp, *elementwise.EVALUATORS, *LOADS})
CHEAP_OPS = frozenset(
    {
        *shape.EVALUATORS,
        *transpose.EVALUATORS,
        *of_both(AddIOp, MulIOp, CmpIOp, SelectOp, AndIOp, OrIOp),
        AddPtrOp,
    }
)
COSTS: dict[type[Operation], int] = dict.fromkeys({**shape.EVALUATORS, **transpose.EVALUATORS}, 0)
"""What an operation costs, if it is not 1."""


def is_body(block: Block) -> bool:
    """Whether a block says how to combine elements; it has no steps of its own."""
    parent = block.parent_op
    return parent is not None and parent.__class__ in BODIES


def is_nothing(op: Operation) -> bool:
    """Whether an operation makes no code where it stands."""
    return op.__class__ in NOTHING or (type(op) is ViewOp and MEMORY.matches(op.result.type))


def is_write(op: Operation) -> TypeGuard[Store]:
    """Whether an operation writes a tile to memory."""
    return op.__class__ in STORES and isinstance(op, Store) and is_tile(op.value.type) and not needs_order(op)


def is_check(op: Operation) -> bool:
    """Whether an operation looks at all elements of a tile."""
    return type(op) is CheckOp and is_tile(op.condition.type)


def is_reduction(op: Operation) -> bool:
    """Whether an operation combines elements along an axis."""
    return type(op) is ReduceOp


def is_scan(op: Operation) -> bool:
    """Whether an operation combines each element with those before it."""
    return type(op) is ScanOp


def is_load(op: Operation) -> bool:
    """Whether an operation reads memory of the program."""
    return op.__class__ in LOADS and not needs_order(op)


def is_row_load(op: Operation) -> bool:
    """Whether rows of memory are loaded as they lie there: reading them again is as good as reading a copy."""
    return type(op) is TiledLoadOp and _is_side_by_side(op) and is_load(op)


def _is_side_by_side(op: TiledLoadOp) -> bool:
    """Whether the elements of a row of a tile are known to lie one after the other in memory."""
    view = view_of(op)
    made = memory_of(view)
    return made.strides[tiled_dimensions(view)[-1]] == 1 and not is_packed(made.element_type)


def is_bufferized(op: Operation) -> bool:
    """Whether an operation reads or writes tiles in memory, or has regions with steps of their own."""
    if op.__class__ in LOADS or op.__class__ in STORES:
        return needs_order(op)
    return op.__class__ in BUFFERIZED or (bool(op.regions) and op.__class__ not in BODIES)


def is_in_memory(op: Operation) -> bool:
    """Whether the results of an operation lie in memory for every user."""
    return is_bufferized(op) or is_reduction(op) or is_scan(op)


def takes_each(op: Operation) -> bool:
    """Whether an operation takes the elements of its operands one by one, wherever they are."""
    return op.__class__ in EACH or op.__class__ in LOADS or op.__class__ in STORES


def is_dot(op: Operation) -> bool:
    """Whether an operation multiplies matrices."""
    return type(op) is DotOp


def is_alias(op: Operation) -> bool:
    """Whether an operation may show a tile in memory in another way."""
    return type(op) is ViewOp


def is_evaluated(op: Operation) -> bool:
    """Whether elements of the results are computed where they are needed."""
    if type(op) is ConstantOp or type(op) is ConstantTensorOp:
        return not isinstance(op.value, DenseElementsAttr) or op.value.is_splat
    if type(op) is ViewOp:
        return is_packed_transpose(op) or _shows_in_place(op)
    return op.__class__ in EVALUATED and not (op.__class__ in LOADS and needs_order(op))


def _shows_in_place(op: ViewOp) -> bool:
    """Whether each dimension is one of the source; products of matrices take transposed tiles as they lie in memory."""
    shown = _shown_dimensions(op)
    users = list(op.result.uses)
    if shown is None or not users or any(type(user) is not DotOp for user in users):
        return shown is not None
    return not _changes_rows(op, shown)


def _shown_dimensions(op: ViewOp) -> tuple[int | None, ...] | None:
    """Which dimension of a view walks each one of its source; None unless each is one of the source."""
    return view_dimensions(op.layout, shape_of(op.result.type), shape_of(op.source.type))


def _changes_rows(op: ViewOp, shown: tuple[int | None, ...]) -> bool:
    """Whether the rows of a view are not those of its source."""
    return bool(shown) and shown[-1] not in (None, len(shape_of(op.result.type)) - 1)


def is_transpose(op: Operation) -> bool:
    """Whether an operation makes rows of what were columns."""
    if type(op) is not ViewOp or not is_evaluated(op) or is_packed_transpose(op):
        return False
    shown = _shown_dimensions(op)
    return shown is not None and _changes_rows(op, shown)


def is_cheap(op: Operation) -> bool:
    """Whether an operation may be repeated."""
    return op.__class__ in CHEAP_OPS and is_evaluated(op)


def keeps_place(op: Operation) -> bool:
    """Whether an element of the result needs the elements at the same place only."""
    return op.__class__ in elementwise.EVALUATORS


def may_read_late(op: Operation) -> bool:
    """Whether passes may not move over an operation: it touches memory, computes factors that are loaded, or guards."""
    return touches_memory(op) or type(op) is DotOp or _may_guard(op)


def _may_guard(op: Operation) -> bool:
    """Whether a check may be what keeps an access from going wrong: nobody steers an access with the kind of a float."""
    return type(op) is CheckOp and op.check != "fpcheck" and not is_tile(op.condition.type)


def touches_memory(op: Operation) -> bool:
    """Whether passes may not move over an operation."""
    if op.__class__ in LOADS or op.__class__ in STORES or op.__class__ in BARRIERS:
        return True
    return bool(op.regions) and op.__class__ not in BODIES
