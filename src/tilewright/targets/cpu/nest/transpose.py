"""Transposes: the elements along a column of the source are along a row of the result.

A permutation that moves the last dimension turns strided elements into lanes. A nest that needs such lanes
iterates over squares: as many rows of the source as a vector has lanes are transposed in registers, and
become the lanes of as many rows of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any

from tilewright.dialects.llvm.ops.conversion import TruncOp, ZExtOp
from tilewright.dialects.nv_tileas.ops_tile import ExpandDimsOp, ExtractSliceOp, ViewOp
from tilewright.ir.builtin_types import VectorType, i1, i8
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates, spread
from tilewright.targets.cpu.nest import elementwise, shape
from tilewright.targets.cpu.nest.point import Evaluator, Point, Request
from tilewright.targets.elements.element_types import element_of, is_tile, shape_of, size_of
from tilewright.targets.llvm.code import LlvmBuilder

WORD = 4
"""The element size in bytes that determines the number of lanes of a vector."""
Dimensions = tuple[int | None, ...]
"""The dimension of the nest for each dimension of a tile; None: the index is constant."""


# --- which nests transpose tiles


def transposed_dimension(
    values: Sequence[Value], extents: Sequence[int], vector: int, is_leaf: Callable[[Value], bool]
) -> tuple[int, int] | None:
    """Return the dimension of a nest along which the rows of transposed tiles lie, and the size of their
    elements in bytes.
    """
    identity: Dimensions = tuple(range(len(extents)))
    pending: list[tuple[Value, Dimensions]] = []
    pending += [(value, identity) for value in values]
    seen: set[tuple[Value, Dimensions]] = set()
    while pending:
        value, dimensions = pending.pop()
        if (value, dimensions) in seen or is_leaf(value) or not isinstance(value, OpResult):
            continue
        seen.add((value, dimensions))
        for operand, inner in _operands(value.owner, dimensions):
            along = _last(inner, operand)
            if _last(dimensions, value) == vector and vector in inner and along not in (None, vector):
                assert along is not None
                return along, size_of(element_of(value.type))
            pending.append((operand, inner))
    return None


def _last(dimensions: Dimensions, value: Value) -> int | None:
    """Return the dimension of the nest along which the rows of a tile run."""
    long = [at for at, extent in zip(dimensions, shape_of(value.type), strict=True) if extent > 1]
    return long[-1] if long else None


def _operands(op: Operation, dimensions: Dimensions) -> list[tuple[Value, Dimensions]]:
    """Return the tiles that an operation reads, and their dimensions in the nest."""
    if op.__class__ in elementwise.EVALUATORS:
        return [(operand, dimensions) for operand in op.operands if is_tile(operand.type)]
    if type(op) is ViewOp:
        marked = [shape.ORIGIN if at is None else Coordinate(at + 1) for at in dimensions]
        inner = shape.source_coordinates(op, tuple(marked))
        return [(op.source, tuple(_unmarked(at) for at in inner))] if inner is not None else []
    if type(op) is ExpandDimsOp:
        return [(op.source, dimensions[: op.axis] + dimensions[op.axis + 1 :])]
    if type(op) is ExtractSliceOp:
        pairs = zip(dimensions, op.sizes, strict=True)
        return [(op.source, tuple(at if size > 1 else None for at, size in pairs))]
    return []


def _unmarked(at: Coordinate) -> int | None:
    assert isinstance(at.base, int), "a number of a dimension, plus 1"
    return at.base - 1 if at.base else None


def square_extent(lanes: int, size: int) -> int:
    """Return how many rows and lanes a square of elements of `size` bytes has: as many as fit into a vector."""
    return max(2, lanes * WORD // max(size, WORD))


# --- transposing squares


def _evaluate(
    point: Point, op: ViewOp, result: int, coordinates: Coordinates
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
    """Return whether contiguous elements of the source are in different rows of the nest."""
    extents = shape_of(op.source.type)
    return apart < rows and all(extent == 1 for extent in extents[rows + 1 :])


def _square(
    point: Point, source: Value, inner: Coordinates, apart: int, rows: int
) -> Generator[Request, Value, list[Value]]:
    """Return as many rows of the source as a vector has lanes."""
    found: list[Value] = []
    for lane in range(point.lanes):
        row = list(inner)
        row[apart] = Coordinate(point.code.add(inner[apart].base, lane), level=inner[apart].level)
        row[rows] = Coordinate(inner[rows].rows[0], True, inner[rows].level)
        lanes = yield source, tuple(row)
        found.append(spread(point.code, lanes, point.lanes))
    return found


def _transposed_square(point: Point, op: ViewOp, coordinates: Coordinates, square: list[Value]) -> Value:
    """Store all rows of the transposed square as known lanes, and return the requested row."""
    (at,) = [number for number, place in enumerate(coordinates) if len(place.rows) == point.lanes]
    here = coordinates[at]
    transposed = transpose_square(point.code, square)
    for base, lanes in zip(here.rows, transposed, strict=True):
        row = list(coordinates)
        row[at] = replace(here, base=base)
        point.set(op.result, tuple(row), lanes)
    return transposed[here.rows.index(here.base)]


def transpose_square(code: LlvmBuilder, square: Sequence[Value]) -> list[Value]:
    """Return the columns of a square of vectors: blocks of half the size are swapped, then the blocks inside
    of them.
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
    """Return the shuffle mask of half a block of the upper vector and half a block of the lower vector."""
    lanes = range(start + offset, start + offset + half)
    return [*lanes, *(lane + count for lane in lanes)]


EVALUATORS: dict[type[Any], Evaluator] = {ViewOp: _evaluate}
