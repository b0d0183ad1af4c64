"""Checks of tiles of pointers, with many elements in each call where they are known to be contiguous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.dialects.llvm.ops.conversion import BitcastOp, PtrToIntOp
from tilewright.ir.builtin_types import IntegerType, VectorType, i64
from tilewright.ir.value import Value
from tilewright.targets.cpu.checks.state import WORD
from tilewright.targets.cpu.facts.access_operations import PointerAccess, tile_of
from tilewright.targets.cpu.facts.checks import accessed
from tilewright.targets.cpu.machine.target import LINE
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates, element_number, spread
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.nest.each import BodyRoot
from tilewright.targets.cpu.nest.nest import Nest, NestEmitter
from tilewright.targets.cpu.plan import form as plan_form, model as plan_model
from tilewright.targets.elements.element_types import shape_of, size_of
from tilewright.targets.llvm.code import LlvmBuilder

if TYPE_CHECKING:
    from tilewright.targets.cpu.checks.accesses import KernelChecks

LANES = 64
"""The maximum number of contiguous elements that one call checks: their mask is a 64-bit word."""


def check_pointers(
    checks: KernelChecks, emit: BlockCode, op: PointerAccess, root: plan_model.PlanRoot, *, is_masked: bool
) -> None:
    """Emit the check of an access through a tile of pointers, as the root of a nest: up to `LANES` elements
    at once where they are contiguous, else by vectors of addresses. `is_masked` says that there is a version
    for pointers that are not contiguous.
    """

    def write(masked: bool) -> Sequence[Value]:
        _vectors(checks, emit, op, masked=masked)
        return ()

    emit.masked_at_edges([root], write, is_masked=is_masked)


def _vectors(checks: KernelChecks, emit: BlockCode, op: PointerAccess, *, masked: bool) -> None:
    shape = shape_of(tile_of(op))
    lies_together = _lies_together(checks, emit, op, plan_form.vector_dimension(shape), masked=masked)
    form = plan_form.rows_form(shape, LANES if lies_together else emit.target.lanes)
    nest = Nest(shape, form, [BodyRoot(lambda point, at: _vector(checks, emit, point, op, at))])
    NestEmitter(checks.code, nest, form.masked, lambda lanes: emit.point(lanes, masked=masked)).emit()


def _lies_together(
    checks: KernelChecks, emit: BlockCode, op: PointerAccess, along: int, *, masked: bool
) -> bool:
    marks = tuple(Coordinate(0, at == along) for at in range(len(shape_of(tile_of(op)))))
    return emit.pointers.distance(emit.point(LANES, masked=masked), op, marks) == 1


def _vector(
    checks: KernelChecks, emit: BlockCode, point: NestPoint, op: PointerAccess, at: Coordinates
) -> None:
    """Emit the check of the lanes at the coordinates `at`: one call for all lanes of the vector."""
    code, lanes = checks.code, point.lanes
    mask = point.lanes_at(op.mask, at) if op.mask is not None else None
    together = emit.pointers.distance(point, op, at) == 1
    base = point.lanes_at(op.base, tuple(replace(where, lanes=False) for where in at) if together else at)
    number = code.value(element_number(code, shape_of(tile_of(op)), at))
    rest = (_bits(code, mask, lanes), code.integer(size_of(accessed(op))), checks.site(op), number)
    if together:
        checks.call(emit, "some", op, code(PtrToIntOp, base, type=i64), *rest)
        return
    memory = code.stack(lanes, i64, LINE)
    places = spread(code, base, lanes)
    words = VectorType((lanes,), i64) if isinstance(places.type, VectorType) else i64
    code.store(code(PtrToIntOp, places, type=words), memory, WORD)
    checks.call(emit, "lanes", op, memory, *rest)


def _bits(code: LlvmBuilder, mask: Value | None, lanes: int) -> Value:
    """Return the lanes of a mask as the low bits of a 64-bit word; all `lanes` bits are set if there is no
    mask, or 64.
    """
    if mask is None:
        return code.integer((1 << lanes) - 1 if lanes < LANES else -1)
    bits = code(BitcastOp, spread(code, mask, lanes), type=IntegerType(lanes)) if lanes > 1 else mask
    return code.index(bits, signed=False)
