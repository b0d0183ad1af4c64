"""The properties of each operation for the CPU back end, as data.

Planning tests these properties many times for each operation. The tests compare classes, which have no
subclasses: that takes a quarter of the time of `isinstance`.
"""

from __future__ import annotations

from typing import TypeGuard

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.nv_tileaa.ops import program as tileaa_program, structure as tileaa_structure
from tilewright.dialects.nv_tileaa.ops.math import HistogramOp
from tilewright.dialects.nv_tileaa.ops.memory import CreateMemTokenOp, JoinMemTokenOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp, AssumeOp
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_tile as tileas_tile
from tilewright.dialects.nv_tileas.base import MEMORY
from tilewright.dialects.nv_tileas.ops_arith import of_both
from tilewright.dialects.nv_tileas.ops_memory import TiledLoadOp
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.operation import Operation
from tilewright.lowering.access_facts.views import memory_of, tiled_dimensions, view_of
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.cpu.facts.access_operations import LOADS, STORES, UPDATES, Store, needs_order
from tilewright.targets.cpu.facts.product_operands import is_packed_transpose
from tilewright.targets.elements.element_types import is_tile, shape_of
from tilewright.targets.elements.rules import RULES

BODIES = frozenset({tileas_tile.ReduceOp, tileas_tile.ScanOp, tileas_tile.GenerateOp})
"""Operations whose region computes or combines elements."""
EACH = frozenset({*UPDATES, HistogramOp, tileaa_program.AssertOp})
"""Operations that process tiles element by element, whether or not the tiles are in memory."""
BARRIERS = frozenset({*UPDATES, tileaa_program.AssertOp})
"""Operations that accesses must not pass; an assertion may guard an access."""
BUFFERIZED = frozenset(
    {
        tileas_tile.DotOp,
        *EACH,
        tileas_tile.AllocTensorOp,
        tileas_tile.InsertSliceOp,
        tileaa_program.PrintOp,
        tileaa_structure.ExtractOp,
    }
)
"""Operations that read or write tiles in memory."""
CHECKS = frozenset({tileaa_program.CheckOp})
"""Operations that only test elements of tiles, and store nothing."""
NOTHING = frozenset(
    {
        CreateMemTokenOp,
        JoinMemTokenOp,
        tileaa_structure.MakeMemrefOp,
        tileaa_program.MessageOp,
    }
)
"""Operations that emit no code of their own."""
REARRANGING = frozenset(
    {
        PoisonOp,
        AssumeOp,
        tileas_tile.PragmaOp,
        tileas_tile.ConvertLayoutOp,
        tileas_tile.ExpandDimsOp,
        tileas_tile.ExtractSliceOp,
        tileas_tile.ViewOp,
        tileaa_structure.SplatOp,
        tileaa_structure.ConstantTensorOp,
        tileaa_structure.MakeRangeOp,
        arith.ConstantOp,
    }
)
"""Operations that rearrange elements of other tiles, or whose elements follow from their coordinates."""
EVALUATED = frozenset({*REARRANGING, tileas_tile.GenerateOp, *RULES, *LOADS})
"""Operations whose results can be computed element by element, at each use."""
CHEAP_OPS = frozenset(
    {
        *REARRANGING,
        *of_both(arith.AddIOp, arith.MulIOp, arith.CmpIOp, arith.SelectOp, arith.AndIOp, arith.OrIOp),
        AddPtrOp,
    }
)
COSTS: dict[type[Operation], int] = dict.fromkeys(REARRANGING, 0)
"""How many operations an element of a result counts as, by class; 1 for other classes."""


def is_body(block: ir_block.Block) -> bool:
    """Return whether a block is the body of a reduction, a scan or a generator; the plan has no steps for it."""
    parent = block.parent_op
    return parent is not None and parent.__class__ in BODIES


def is_nothing(op: Operation) -> bool:
    """Return whether an operation emits no code of its own: it is in `NOTHING`, or views a memory object."""
    return op.__class__ in NOTHING or (type(op) is tileas_tile.ViewOp and MEMORY.matches(op.result.type))


def is_write(op: Operation) -> TypeGuard[Store]:
    """Return whether an operation stores a tile to memory of the program, without an order with other
    threads.
    """
    return op.__class__ in STORES and isinstance(op, Store) and is_tile(op.value.type) and not needs_order(op)


def is_check(op: Operation) -> bool:
    """Return whether an operation is a check whose condition is a tile."""
    return type(op) is tileaa_program.CheckOp and is_tile(op.condition.type)


def is_reduction(op: Operation) -> bool:
    """Return whether an operation combines elements along an axis (`nv_tileas.reduce`)."""
    return type(op) is tileas_tile.ReduceOp


def is_scan(op: Operation) -> bool:
    """Return whether an operation combines each element with the elements before it (`nv_tileas.scan`)."""
    return type(op) is tileas_tile.ScanOp


def is_load(op: Operation) -> bool:
    """Return whether an operation loads from memory of the program, not from tiles in memory of the tile
    block, without an order with other threads.
    """
    return op.__class__ in LOADS and not needs_order(op)


def is_row_load(op: Operation) -> bool:
    """Return whether an operation is a tiled load without an order whose rows are known to be contiguous:
    loading them again is as fast as reading a copy.
    """
    return type(op) is TiledLoadOp and _is_side_by_side(op) and is_load(op)


def _is_side_by_side(op: TiledLoadOp) -> bool:
    """Return whether the rows of a loaded tile are known to be contiguous."""
    view = view_of(op)
    made = memory_of(view)
    return made.strides[tiled_dimensions(view)[-1]] == 1 and not is_packed(made.element_type)


def is_bufferized(op: Operation) -> bool:
    """Return whether an operation reads or writes tiles in memory, or has regions with steps of their own. A
    load or store does only if it is ordered.
    """
    if op.__class__ in LOADS or op.__class__ in STORES:
        return needs_order(op)
    return op.__class__ in BUFFERIZED or (bool(op.regions) and op.__class__ not in BODIES)


def is_in_memory(op: Operation) -> bool:
    """Return whether an operation always stores its results in memory, whatever their users: a reduction, a
    scan, or an operation that reads or writes tiles in memory (`is_bufferized`).
    """
    return is_bufferized(op) or is_reduction(op) or is_scan(op)


def takes_each(op: Operation) -> bool:
    """Return whether an operation reads the elements of its operands individually, whether or not these are
    in memory: a load, a store, an atomic update, a histogram or an assertion.
    """
    return op.__class__ in EACH or op.__class__ in LOADS or op.__class__ in STORES


def is_dot(op: Operation) -> bool:
    """Return whether an operation is a matrix product (`nv_tileas.dot`)."""
    return type(op) is tileas_tile.DotOp


def is_alias(op: Operation) -> bool:
    """Return whether an operation is a view, whose result may use the memory of its operand."""
    return type(op) is tileas_tile.ViewOp


def is_evaluated(op: Operation) -> bool:
    """Return whether elements of the results are computed at their uses. True for constants whose elements
    are equal, for views that transpose or repeat elements of their source, and for operations in `EVALUATED`;
    but not for loads that are ordered.
    """
    if type(op) is arith.ConstantOp or type(op) is tileaa_structure.ConstantTensorOp:
        return not isinstance(op.value, builtin_attributes.DenseElementsAttr) or op.value.is_splat
    if type(op) is tileas_tile.ViewOp:
        return is_packed_transpose(op) or _shows_in_place(op)
    return op.__class__ in EVALUATED and not (op.__class__ in LOADS and needs_order(op))


def _shows_in_place(op: tileas_tile.ViewOp) -> bool:
    """Return whether the elements of a view are computed at its uses: each dimension of the view is a
    dimension of its source, or repeats elements. False for a view that changes the rows and is read by matrix
    products only, which read it in place.
    """
    shown = shown_dimensions(op)
    users = list(op.result.uses)
    if shown is None or not users or any(type(user) is not tileas_tile.DotOp for user in users):
        return shown is not None
    return not _changes_rows(op, shown)


def shown_dimensions(op: tileas_tile.ViewOp) -> tuple[int | None, ...] | None:
    """Return for each dimension of the source of a view the dimension of the view that indexes it; None for a
    dimension that is read at index 0 only. None altogether unless each dimension of the view is a dimension
    of the source, or repeats elements.
    """
    return tileas_attributes.view_dimensions(op.layout, shape_of(op.result.type), shape_of(op.source.type))


def _changes_rows(op: tileas_tile.ViewOp, shown: tuple[int | None, ...]) -> bool:
    """Return whether the rows of a view differ from the rows of its source."""
    return bool(shown) and shown[-1] not in (None, len(shape_of(op.result.type)) - 1)


def is_transpose(op: Operation) -> bool:
    """Return whether an operation is a view whose elements are computed at its uses, and whose rows are
    columns (or other dimensions) of its source. False for a transposed factor that a product packs from its
    source.
    """
    if type(op) is not tileas_tile.ViewOp or not is_evaluated(op) or is_packed_transpose(op):
        return False
    shown = shown_dimensions(op)
    return shown is not None and _changes_rows(op, shown)


def is_cheap(op: Operation) -> bool:
    """Return whether an operation is so cheap that it may be computed again instead of storing its result."""
    return op.__class__ in CHEAP_OPS and is_evaluated(op)


def keeps_place(op: Operation) -> bool:
    """Return whether an operation is element-wise: each element of the result depends only on the operand
    elements with the same coordinates.
    """
    return op.__class__ in RULES


def may_read_late(op: Operation) -> bool:
    """Return whether a nest must not be moved over an operation.

    The operation touches memory, may guard an access, or is a product, which loads its factors itself.
    """
    return touches_memory(op) or type(op) is tileas_tile.DotOp or _may_guard(op)


def _may_guard(op: Operation) -> bool:
    """Return whether an operation is a check of a scalar that may guard an access. A check of floating-point
    values guards none.
    """
    return type(op) is tileaa_program.CheckOp and op.check != "fpcheck" and not is_tile(op.condition.type)


def touches_memory(op: Operation) -> bool:
    """Return whether an operation is a load, a store, an atomic update or an assertion, or has regions with
    operations that may be one.
    """
    if op.__class__ in LOADS or op.__class__ in STORES or op.__class__ in BARRIERS:
        return True
    return bool(op.regions) and op.__class__ not in BODIES
