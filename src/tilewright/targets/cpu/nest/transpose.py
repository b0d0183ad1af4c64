"""Transposes: the elements along a column of the source are along a row of the result.

A permutation that moves the last dimension turns strided elements into lanes. A nest that needs such lanes
iterates over squares: as many rows of the source as a vector has lanes are transposed in registers, and
become the lanes of as many rows of the result.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from tilewright.dialects.llvm.ops.conversion import TruncOp, ZExtOp
from tilewright.dialects.nv_tileas.ops_tile import ViewOp
from tilewright.ir.builtin_types import VectorType, i1, i8
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates, spread
from tilewright.targets.cpu.memory.point import Evaluator, NestPoint, Request
from tilewright.targets.cpu.nest import shape
from tilewright.targets.elements.element_types import shape_of
from tilewright.targets.llvm.code import LlvmBuilder

# --- transposing squares


def _evaluate(
    point: NestPoint, op: ViewOp, result: int, coordinates: Coordinates
) -> Generator[Request, Value, Value]:
    inner = shape.source_coordinates(op, coordinates)
    assert inner is not None, "the plan puts sources of other views into memory"
    apart = next((at for at, place in enumerate(inner) if place.lanes), None)
    rows = next((at for at, place in enumerate(inner) if len(place.rows) == point.lanes), None)
    if apart is None or rows is None or not _is_transposed(op, apart, rows):
        return (yield op.source, inner)
    square = yield from _square(point, op.source, inner, apart, rows)
    return _transposed_square(point, op, coordinates, square)


def _is_transposed(op: ViewOp, apart: int, rows: int) -> bool:
    """Return whether contiguous elements of the source are in different rows of the nest: `apart` is the
    dimension of the source that lanes cover, `rows` the dimension that rows cover.
    """
    extents = shape_of(op.source.type)
    return apart < rows and all(extent == 1 for extent in extents[rows + 1 :])


def _square(
    point: NestPoint, source: Value, inner: Coordinates, apart: int, rows: int
) -> Generator[Request, Value, list[Value]]:
    """Request vectors of the source along its dimension `rows`, at consecutive indices of its dimension
    `apart`.

    Return as many vectors as a vector has lanes.
    """
    found: list[Value] = []
    for lane in range(point.lanes):
        row = list(inner)
        row[apart] = Coordinate(point.code.add(inner[apart].base, lane), level=inner[apart].level)
        row[rows] = Coordinate(inner[rows].rows[0], True, inner[rows].level)
        lanes = yield source, tuple(row)
        found.append(spread(point.code, lanes, point.lanes))
    return found


def _transposed_square(point: NestPoint, op: ViewOp, coordinates: Coordinates, square: list[Value]) -> Value:
    """Set all rows of the transposed `square` as the lanes of the result at their coordinates, and return the
    row at `coordinates`.
    """
    (at,) = [number for number, place in enumerate(coordinates) if len(place.rows) == point.lanes]
    here = coordinates[at]
    transposed = transpose_square(point.code, square)
    for base, lanes in zip(here.rows, transposed, strict=True):
        row = list(coordinates)
        row[at] = replace(here, base=base)
        point.set(op.result, tuple(row), lanes)
    return transposed[here.rows.index(here.base)]


def transpose_square(code: LlvmBuilder, square: Sequence[Value]) -> list[Value]:
    """Return the columns of `square`, which has as many vectors as each of them has lanes, a power of two.
    Blocks of half the size are swapped, then the blocks inside of them.
    """
    narrow: Any = square[0].type
    if narrow.element_type is not i1:
        return _transpose_rows(code, list(square))
    wide = VectorType(narrow.shape, i8)
    transposed = _transpose_rows(code, [code(ZExtOp, row, type=wide) for row in square])
    return [code(TruncOp, row, type=narrow) for row in transposed]


def _transpose_rows(code: LlvmBuilder, rows: list[Value]) -> list[Value]:
    count = len(rows)
    half = count // 2
    while half:
        low = [lane for lane in range(count) if not lane & half]
        first = [at for lane in low if not lane % (2 * half) for at in _mask(lane, half, count, 0)]
        second = [at for lane in low if not lane % (2 * half) for at in _mask(lane, half, count, half)]
        for at in low:
            upper, lower = rows[at], rows[at + half]
            rows[at] = code.shuffle(upper, lower, first)
            rows[at + half] = code.shuffle(upper, lower, second)
        half //= 2
    return rows


def _mask(start: int, half: int, count: int, offset: int) -> list[int]:
    """Return the shuffle mask that joins half a block of the upper vector and half a block of the lower
    vector: from each of them, which have `count` lanes, the `half` lanes from ``start + offset`` on.
    """
    lanes = range(start + offset, start + offset + half)
    return [*lanes, *(lane + count for lane in lanes)]


EVALUATORS: dict[type[Any], Evaluator] = {ViewOp: _evaluate}
