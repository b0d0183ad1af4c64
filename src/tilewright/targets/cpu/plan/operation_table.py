"""What the CPU back end does with each operation, as data."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa import ops_math as aa_math
from tilewright.dialects.nv_tileaa import ops_memory as aa_memory
from tilewright.dialects.nv_tileaa import ops_pointer as aa_pointer
from tilewright.dialects.nv_tileaa import ops_program as aa_program
from tilewright.dialects.nv_tileaa import ops_shape as aa_shape
from tilewright.dialects.nv_tileaa import ops_structure as aa_structure
from tilewright.dialects.nv_tileas import ops_tile as as_tile
from tilewright.dialects.nv_tileas.constraints import MEMORY
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.kernel import whole_tiles
from tilewright.targets.cpu.memory import access, atomics, gather, pointers
from tilewright.targets.cpu.memory.buffer import Coordinate
from tilewright.targets.cpu.nest import elementwise, generate, shape, transpose
from tilewright.targets.cpu.products.operands import DOTS, is_packed_transpose
from tilewright.targets.elements.types import is_tile, shape_of

MAXIMUM_ROOTS = 6
"""Nests of more roots keep too many vectors at once."""

LOADS = frozenset({*access.TILED_LOADS, *pointers.LOADS, *gather.LOADS})
TILED_STORES = frozenset(access.TILED_STORES)
WRITES = frozenset({*TILED_STORES, *pointers.STORES, *gather.STORES})
REDUCTIONS = frozenset({aa_shape.ReduceOp, as_tile.ReduceOp})
SCANS = frozenset({aa_shape.ScanOp, as_tile.ScanOp})
BODIES = REDUCTIONS | SCANS | frozenset(generate.GENERATES)
"""Operations whose region says how elements are computed."""
EACH = frozenset({*atomics.EFFECTS, aa_math.HistogramOp, aa_program.AssertOp})
"""Operations that go through tiles element by element, wherever these are."""
BARRIERS = frozenset({*atomics.EFFECTS, aa_program.AssertOp})
"""Operations that accesses stay in front of or behind; an assertion may be there to guard one."""
WHOLE = frozenset({*DOTS, *EACH, *whole_tiles.RULES, aa_program.PrintOp, aa_structure.ExtractOp})
"""Operations on tiles as a whole, most on tiles in memory."""
CHECKS = frozenset({aa_program.CheckOp})
"""Operations that only look at what is computed anyway."""
ALIASES = frozenset({aa_shape.ViewOp, aa_shape.PermuteOp, as_tile.ViewOp})
"""Operations that may show a tile in memory in another way."""
NOTHING = frozenset(
    {
        aa_memory.CreateMemTokenOp,
        aa_memory.JoinMemTokenOp,
        aa_structure.MakeMemrefOp,
        aa_structure.BlockTileOp,
        aa_program.MessageOp,
    }
)
"""Operations that make no code of their own."""
EVALUATED = frozenset(
    {*shape.EVALUATORS, *transpose.EVALUATORS, *generate.GENERATES, *elementwise.EVALUATORS, *LOADS}
)
CHEAP_OPS = frozenset(
    {
        *shape.EVALUATORS,
        *transpose.EVALUATORS,
        *(
            op
            for op in elementwise.EVALUATORS
            if op.op_kind.mnemonic in ("addi", "muli", "cmpi", "select", "andi", "ori")
        ),
        aa_pointer.AddPtrOp,
    }
)
COSTS: dict[type[Operation], int] = dict.fromkeys({**shape.EVALUATORS, **transpose.EVALUATORS}, 0)
"""What an operation costs, if it is not 1."""


def is_body(block: Block) -> bool:
    """Whether a block says how to combine elements; it has no steps of its own."""
    parent = block.parent_op
    return parent is not None and parent.__class__ in BODIES


def is_nothing(op: Any) -> bool:
    """Whether an operation makes no code where it stands."""
    return op.__class__ in NOTHING or (op.__class__ is as_tile.ViewOp and MEMORY.matches(op.result.type))


def is_write(op: Any) -> bool:
    """Whether an operation writes a tile to memory."""
    return op.__class__ in WRITES and is_tile(op.value.type) and not atomics.needs_order(op)


def is_check(op: Any) -> bool:
    """Whether an operation looks at all elements of a tile."""
    return op.__class__ in CHECKS and is_tile(op.condition.type)


def is_reduction(op: Operation) -> bool:
    """Whether an operation combines elements along an axis."""
    return op.__class__ in REDUCTIONS


def is_scan(op: Operation) -> bool:
    """Whether an operation combines each element with those before it."""
    return op.__class__ in SCANS


def is_load(op: Operation) -> bool:
    """Whether an operation reads memory of the program."""
    return op.__class__ in LOADS and not atomics.needs_order(op)


def is_row_load(op: Any) -> bool:
    """Whether rows of memory are loaded as they lie there: reading them again is as good as reading a copy."""
    return op.__class__ in access.TILED_LOADS and access.is_side_by_side(op) and is_load(op)


def is_whole(op: Operation) -> bool:
    """Whether an operation works on tiles in memory as a whole, or has regions with steps of their own."""
    if op.__class__ in LOADS or op.__class__ in WRITES:
        return atomics.needs_order(op)
    return op.__class__ in WHOLE or (bool(op.regions) and op.__class__ not in BODIES)


def is_in_memory(op: Operation) -> bool:
    """Whether the results of an operation lie in memory for every user."""
    return is_whole(op) or is_reduction(op) or is_scan(op)


def takes_each(op: Operation) -> bool:
    """Whether an operation takes the elements of its operands one by one, wherever they are."""
    return op.__class__ in EACH or op.__class__ in LOADS or op.__class__ in WRITES


def is_dot(op: Operation) -> bool:
    """Whether an operation multiplies matrices."""
    return op.__class__ in DOTS


def is_alias(op: Operation) -> bool:
    """Whether an operation may show a tile in memory in another way."""
    return op.__class__ in ALIASES


def is_evaluated(op: Any) -> bool:
    """Whether elements of the results are computed where they are needed."""
    if op.__class__ is ConstantOp or op.__class__ is aa_structure.ConstantTensorOp:
        return not isinstance(op.value, DenseElementsAttr) or op.value.is_splat
    if op.__class__ in ALIASES:
        return is_packed_transpose(op) or _shows_in_place(op)
    return op.__class__ in EVALUATED and not (op.__class__ in LOADS and atomics.needs_order(op))


def _shows_in_place(op: Any) -> bool:
    """Whether each dimension is one of the source; products of matrices take transposed tiles as they lie in memory."""
    marks = tuple(Coordinate(at + 1) for at in range(len(shape_of(op.result.type))))
    inner = shape.source_coordinates(op, marks)
    users = list(op.result.uses)
    if inner is None or not users or any(user.__class__ not in DOTS for user in users):
        return inner is not None
    return not inner or inner[-1] in (shape.ORIGIN, marks[-1])


def is_turned(op: Any) -> bool:
    """Whether an operation makes rows of what were columns."""
    if op.__class__ not in transpose.EVALUATORS or not is_evaluated(op) or is_packed_transpose(op):
        return False
    marks = tuple(Coordinate(at + 1) for at in range(len(shape_of(op.result.type))))
    inner = shape.source_coordinates(op, marks)
    return bool(inner) and inner[-1] not in (shape.ORIGIN, marks[-1])


def is_cheap(op: Operation) -> bool:
    """Whether an operation may be repeated."""
    return op.__class__ in CHEAP_OPS and is_evaluated(op)


def keeps_place(op: Operation) -> bool:
    """Whether an element of the result needs the elements at the same place only."""
    return op.__class__ in elementwise.EVALUATORS


def may_read_late(op: Operation) -> bool:
    """Whether passes may not move over an operation: it touches memory, computes factors that are loaded, or guards."""
    return touches_memory(op) or op.__class__ in DOTS or (op.__class__ in CHECKS and _may_guard(op))


def _may_guard(op: Any) -> bool:
    """Whether a check may be what keeps an access from going wrong: nobody steers an access with the kind of a float."""
    return op.check != "fpcheck" and not is_tile(op.condition.type)


def touches_memory(op: Operation) -> bool:
    """Whether passes may not move over an operation."""
    if op.__class__ in LOADS or op.__class__ in WRITES or op.__class__ in BARRIERS:
        return True
    return bool(op.regions) and op.__class__ not in BODIES
