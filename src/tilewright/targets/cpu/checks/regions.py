"""Checks of tiles of memory objects, and of gathered or scattered rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as llvm_conversion
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.nv_tileas.ops_memory import TiledStoreOp
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.lowering.access_facts import views
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.cpu.checks.state import name_of
from tilewright.targets.cpu.facts.access_operations import AnyAccess, needs_order, tile_of
from tilewright.targets.cpu.facts.checks import RACECHECK, accessed, checks_of, kind_of
from tilewright.targets.cpu.memory import buffer as memory_buffer, gather, point as memory_point
from tilewright.targets.cpu.memory.access import MemoryTile
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.nest.each import each
from tilewright.targets.cpu.plan.model import row_major
from tilewright.targets.elements.element_types import is_tile, shape_of, size_of
from tilewright.targets.llvm.code import Index, LlvmBuilder, LoopBody

if TYPE_CHECKING:
    from tilewright.targets.cpu.checks.accesses import KernelChecks

FAR = 1 << 40
"""The bound for strides with which the corners of a tile delimit its elements. Tiles with larger strides are
checked by element.
"""


def check_tile(checks: KernelChecks, emit: BlockCode, op: views.ViewAccess) -> None:
    """Emit the check of a load, store or update of a tile of a memory object."""
    _region(checks, emit, op, emit.accesses[op], 0)


def check_rows(checks: KernelChecks, emit: BlockCode, op: views.RowAccess) -> None:
    """Emit the check of gathered or scattered rows of a memory object: each row is checked as a tile."""
    rows = emit.rows[op]

    def body(point: memory_point.NestPoint, at: memory_buffer.Coordinates) -> None:
        row = gather.row_access(checks.code, rows, point.lanes_at(op.rows, at))
        base = at[0].base if at else 0
        _region(checks, emit, op, row, checks.code.multiply(base, prod(rows.shape[1:])))

    each(emit, shape_of(op.rows.type), body)


def _region(checks: KernelChecks, emit: BlockCode, op: AnyAccess, region: MemoryTile, element: Index) -> None:
    """Emit the check of a tile whose first element has the row-major number `element`; a tile without
    existing elements is not checked. Without racecheck the corners are checked first, and the rows only if a
    corner is not inside.
    """
    code = checks.code

    def rows() -> Sequence[Value]:
        _each_row(checks, emit, op, region, element)
        return ()

    def corners() -> Sequence[Value]:
        code.either(_is_inside(checks, op, region), lambda: (), rows)
        return ()

    exists = _exists(code, region)
    chosen = rows if RACECHECK in checks_of(op) else corners
    if exists is None:
        chosen()
    else:
        code.either(exists, chosen, lambda: ())


def _is_inside(checks: KernelChecks, op: AnyAccess, region: MemoryTile) -> Value:
    """Return whether one known memory holds the tile, aligned and, for writes, writeable. The result is also
    false if a stride is so large that the corners do not delimit the elements (`_is_near`).
    """
    code, size = checks.code, size_of(region.element)
    low = high = code.value(code(llvm_conversion.PtrToIntOp, region.origin, type=i64))
    for limit, stride in zip(region.limits, region.strides, strict=True):
        reach = code.multiply(code.multiply(code.subtract(limit, 1), stride), size)
        low = code.value(code.add(low, code.minimum(reach, 0)))
        high = code.value(code.add(high, code.maximum(reach, 0)))
    end = code.value(code.add(high, size))
    callee = name_of("box", kind_of(op))
    answer = code(CallOp, (), (checks.state, low, end, code.integer(size)), callee=callee, type=i64)
    near = [_is_near(code, stride) for stride in region.strides if not isinstance(stride, int)]
    return code.both([code.compare("ne", answer, 0), *near])


def _each_row(
    checks: KernelChecks, emit: BlockCode, op: AnyAccess, region: MemoryTile, element: Index
) -> None:
    """Emit the check of the tile `region` by rows, along the contiguous dimension if it is known. ``element``
    is the row-major number of its first element.
    """
    code, size = checks.code, size_of(region.element)
    shape = shape_of(tile_of(op))
    strides = known_strides(op)[len(shape) - len(region.shape) :]
    along = row_dimension(region.shape, strides)
    numbers = row_major(region.shape)
    others = [at for at, limit in enumerate(region.limits) if at != along and limit != 1]

    def rows(dimensions: Sequence[int], offset: Index, number: Index) -> None:
        if not dimensions:
            _one_row(checks, emit, op, region, along, code.multiply(offset, size), number)
            return
        first, *rest = dimensions

        def round(loop: LoopBody) -> Sequence[Value]:
            step = code.multiply(loop.index, region.strides[first])
            rows(rest, code.add(offset, step), code.add(number, code.multiply(loop.index, numbers[first])))
            return ()

        code.loop(0, region.limits[first], 1, (), round, may_be_empty=True)

    rows(others, 0, element)


def _one_row(
    checks: KernelChecks,
    emit: BlockCode,
    op: AnyAccess,
    region: MemoryTile,
    along: int | None,
    offset: Index,
    number: Index,
) -> None:
    code, size = checks.code, size_of(region.element)
    start = code.value(code.add(code(llvm_conversion.PtrToIntOp, region.origin, type=i64), offset))
    count = 1 if along is None else region.limits[along]
    distance = size if along is None else code.multiply(region.strides[along], size)
    values = [code.value(index) for index in (count, distance, size)]
    checks.call(emit, "row", op, start, *values, checks.site(op), code.value(number))


# --- facts about tiles


def known_strides(op: AnyAccess) -> tuple[Index, ...]:
    """Return the strides in elements of a tile's dimensions, as the type of its memory object has them: an
    int if it is known. Without a view, return the strides of contiguous rows.
    """
    shape = shape_of(tile_of(op))
    if not isinstance(op, views.ViewAccess):
        return tuple(row_major(shape))
    view = views.view_of(op)
    strides = views.memory_of(view).strides
    return tuple(strides[at] for at in views.tiled_dimensions(view))


def row_dimension(shape: Sequence[int], strides: Sequence[Index]) -> int | None:
    """Return the dimension of the rows of a tile: the last contiguous dimension, else the last dimension
    longer than 1; None if there is none.
    """
    long = [at for at, extent in enumerate(shape) if extent > 1]
    together = [at for at in long if isinstance(strides[at], int) and strides[at] == 1]
    return (together or long or [None])[-1]


def _exists(code: LlvmBuilder, region: MemoryTile) -> Value | None:
    """Return whether a tile has an element that exists; None if this is known to be true."""
    tests = [
        code.compare("sgt", limit, 0) for limit in region.limits if not isinstance(limit, int) or limit < 1
    ]
    if not region.limits and region.inside is not None:
        tests.append(region.inside)
    return code.both(tests) if tests else None


def _is_near(code: LlvmBuilder, stride: Value) -> Value:
    """Return whether the magnitude of a stride in elements is below `FAR`: the corners of the tile then
    delimit its elements.
    """
    return code.compare_integers("ult", code.value(code.add(stride, FAR)), code.integer(2 * FAR))


def may_write_twice(emit: BlockCode, op: AnyAccess) -> Value | bool:
    """Return whether two elements of a weak store may have one address: True, False, or a condition (i1) if
    the result depends on strides. False for scalars, ordered accesses and packed elements; True for all
    stores but tiled ones.
    """
    if needs_order(op) or is_packed(accessed(op)) or not is_tile(tile_of(op)):
        return False
    return _may_overlap(emit.code, emit.accesses[op]) if isinstance(op, TiledStoreOp) else True


def _may_overlap(code: LlvmBuilder, region: MemoryTile) -> Value | bool:
    """Return whether two elements may have one address: some stride does not exceed the extent of all inner
    dimensions.
    """
    tests: list[Value] = []
    covered: Index = 0
    dimensions = [
        (stride, limit)
        for stride, limit, extent in zip(region.strides, region.limits, region.shape, strict=True)
        if extent > 1
    ]
    for stride, limit in sorted_inside_out(dimensions):
        size = absolute(code, stride)
        if isinstance(size, int) and isinstance(covered, int):
            if size <= covered:
                return True
        else:
            tests.append(code.compare("sle", size, covered))
        covered = code.add(covered, code.multiply(code.subtract(limit, 1), size))
    return _any(code, tests) if tests else False


def sorted_inside_out(dimensions: Sequence[tuple[Index, Index]]) -> list[tuple[Index, Index]]:
    """Return `dimensions`, pairs of stride and limit in the order of a tile, with the innermost first: by the
    magnitude of their strides where these are known, then the others from last to first.
    """
    backwards = list(dimensions)[::-1]
    known = [(stride, limit) for stride, limit in backwards if isinstance(stride, int)]
    known.sort(key=lambda dimension: abs(dimension[0]))
    return [*known, *(dimension for dimension in backwards if not isinstance(dimension[0], int))]


def absolute(code: LlvmBuilder, number: Index) -> Index:
    """Return the absolute value of a signed `number`, as a Python number if it is known."""
    return abs(number) if isinstance(number, int) else code.maximum(number, code.subtract(0, number))


def _any(code: LlvmBuilder, conditions: Sequence[Value]) -> Value:
    found = conditions[0]
    for condition in conditions[1:]:
        found = code(llvm.OrOp, found, condition)
    return found
