"""Operations on constants, folded and interpreted: what the tests of folds compare."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.folds.common import constant_of
from tilewright.dialects.cuda_tile.ops.tile import ConstantOp
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.interp.numerics.element import NumpyArray, to_bits
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.interp.rules.tile import dense_elements
from tilewright.interp.values import element_format
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, element_bytes
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

RANDOM_VALUES = 6
Row = tuple[int, ...]


def edges(element: Type) -> list[int]:
    """Bit patterns worth trying: limits, special values, neighbours of those, and a few others."""
    assert isinstance(element, IntegerType | FloatType)
    source = random.Random(str(element))
    width = element.width
    chosen = [0, 1, 2, 3, (1 << width) - 1, (1 << width) - 2, 1 << (width - 1), (1 << (width - 1)) - 1]
    if isinstance(element, FloatType):
        chosen += _float_edges(element)
    chosen += [source.getrandbits(width) for _ in range(RANDOM_VALUES)]
    mask = (1 << width) - 1
    return list(dict.fromkeys(pattern & mask for pattern in chosen))


def _float_edges(element: FloatType) -> list[int]:
    format = element.format
    positive = [
        format.exponent_mask,  # infinity, NaN or a number
        format.exponent_mask | 1,  # a NaN with a payload
        format.largest_pattern,
        1 << format.mantissa_bits,  # the smallest normal number
        *(format.encode(number) for number in (1.0, 1.5, 2.0, 3.0)),
    ]
    if format.nan_pattern is not None:
        positive.append(format.nan_pattern)
    return [pattern | sign for pattern in positive for sign in (0, format.sign_mask)]


def pairs(element: Type) -> list[Row]:
    """All pairs of edges."""
    return list(product(edges(element), repeat=2))


def triples(element: Type) -> list[Row]:
    """Some triples of edges, always the same."""
    source = random.Random(f"{element} triples")
    values = edges(element)
    return [tuple(source.choice(values) for _ in range(3)) for _ in range(500)]


def constant(element: Type, patterns: Sequence[int], shape: tuple[int, ...] | None = None) -> Value:
    """A constant tile of these elements; of rank 1 unless a shape is given."""
    size = element_bytes(element)
    tile = TileType((len(patterns),) if shape is None else shape, element)
    data = b"".join(pattern.to_bytes(size, "little") for pattern in patterns)
    return ConstantOp(DenseElementsAttr(tile, data)).result


def padded(rows: Sequence[Row]) -> list[Row]:
    """The rows, the last one repeated until their number is that of a tile (at least two)."""
    count = max(2, 1 << (len(rows) - 1).bit_length())
    return [*rows, *[rows[-1]] * (count - len(rows))]


def operands_of(elements: Sequence[Type], rows: Sequence[Row]) -> list[Value]:
    """One constant for each operand."""
    columns = zip(*padded(rows), strict=True)
    return [constant(element, column) for element, column in zip(elements, columns, strict=True)]


def fold(op: Operation) -> Any:
    """What an operation folds to."""
    hook = CUDA_TILE.folds[type(op)]
    return hook(op, [constant_of(value) for value in op.operands])


def as_bits(value: Any, type: Any) -> NumpyArray:
    """The bit patterns of a folded value or attribute."""
    attribute = constant_of(value) if isinstance(value, Value) else value
    assert isinstance(attribute, DenseElementsAttr)
    assert attribute.type is type
    format = element_format(type.element_type)
    return to_bits(dense_elements(attribute, format).reshape(type.shape), format)


def interpreted(op: Operation, index: int = 0) -> NumpyArray:
    """The bit patterns that the interpreter computes for a result."""
    evaluate = ALL_RULES.rules[type(op)](op)
    found = np.asarray(evaluate(None, *(tile_value(operand) for operand in op.operands)))
    result: Any = op.results[index].type
    assert found.shape == result.shape
    return to_bits(found, element_format(result.element_type))


def tile_value(value: Value) -> NumpyArray:
    """The array of a constant in the interpreter."""
    tile: Any = value.type
    held: Any = value.owner
    return dense_elements(held.value, element_format(tile.element_type)).reshape(tile.shape)


def assert_same_bits(op: Operation) -> None:
    """The operation folds, and to what the interpreter computes."""
    folded = fold(op)
    assert folded is not None, f"{op} did not fold"
    result: Any = op.results[0].type
    found, wanted = as_bits(folded, result), interpreted(op)
    differs = np.argwhere(found != wanted)
    assert not len(differs), _difference(op, differs[0], found, wanted)


def bits_of(value: Value) -> NumpyArray:
    """The bit patterns of a constant."""
    return to_bits(tile_value(value), element_format(tile_of(value).element_type))


def _difference(op: Operation, at: NumpyArray, found: NumpyArray, wanted: NumpyArray) -> str:
    place = tuple(int(number) for number in at)
    given = [hex(int(bits_of(operand)[place])) for operand in op.operands]
    return f"{op.name} of {given}: {int(found[place]):#x}, interpreter {int(wanted[place]):#x}\n{op}"
