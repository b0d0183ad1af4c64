"""Transposed tiles of a nest: where elements along a column of a tile are along a row of the nest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.dialects.nv_tileas.ops_tile import ExpandDimsOp, ExtractSliceOp, ViewOp
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu.facts import operation_table
from tilewright.targets.elements.element_types import element_of, is_tile, shape_of, size_of

Dimensions = tuple[int | None, ...]
"""For each dimension of a tile, the dimension of the nest whose index it follows; None: the index is
constant.
"""


def transposed_dimension(
    values: Sequence[Value], extents: Sequence[int], vector: int, is_leaf: Callable[[Value], bool]
) -> tuple[int, int] | None:
    """Return the dimension of a nest along which a transposed operand has its rows, and the size in bytes of
    the elements of the tile that reads it; None if no operand is transposed.

    ``values`` are the tiles that the nest computes, ``extents`` its shape, ``vector`` the dimension that
    vectors cover. Operands of an ``is_leaf`` value are not searched.
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
    """Return the nest's dimension for the last dimension of `value` that is longer than 1; None if there is
    none.
    """
    long = [at for at, extent in zip(dimensions, shape_of(value.type), strict=True) if extent > 1]
    return long[-1] if long else None


def _operands(op: Operation, dimensions: Dimensions) -> list[tuple[Value, Dimensions]]:
    """Return the tiles whose elements an operation reads, each with its dimensions in the nest.

    ``dimensions`` are the dimensions of the operation's result in the nest. The result is empty for
    operations that are neither element-wise, views, slices, nor expansions of dimensions.
    """
    if operation_table.keeps_place(op):
        return [(operand, dimensions) for operand in op.operands if is_tile(operand.type)]
    if type(op) is ViewOp:
        shown = operation_table.shown_dimensions(op)
        if shown is None:
            return []
        return [(op.source, tuple(None if at is None else dimensions[at] for at in shown))]
    if type(op) is ExpandDimsOp:
        return [(op.source, dimensions[: op.axis] + dimensions[op.axis + 1 :])]
    if type(op) is ExtractSliceOp:
        pairs = zip(dimensions, op.sizes, strict=True)
        return [(op.source, tuple(at if size > 1 else None for at, size in pairs))]
    return []
