"""Constant folding of tiles: a rule on bit patterns of elements folds splats and dense tiles.

A rule takes one unsigned bit pattern for each operand and returns the result's, whose low bits count. It
returns None if Tile IR leaves the result open; then nothing is folded.

Folds are named after operations; each takes the operation and the constants of its operands, as
`Operation.fold` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tilewright.dialects.common.constant_folding import Rule, defined_by
from tilewright.dialects.cuda_tile.ops import integer as integer_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir.arithmetic import float_format as arithmetic_float_format, twos_complement
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, element_bytes
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value

Constants = Sequence[Attribute | None]
Folded = Value | Attribute | None

MAXIMUM_ELEMENTS = 1 << 12
"""Constants with more elements are not computed unless they are splats: they would bloat the program."""


def element_type(value: Value) -> Type | None:
    """Return the element type of a tile; None for other values."""
    return value.type.element_type if isinstance(value.type, TileType) else None


def width_of(value: Value) -> int:
    """Return the width in bits of the elements of a tile of numbers; 0 for everything else."""
    return type_width(element_type(value))


def type_width(element: Type | None) -> int:
    """Return the width in bits of a type of integers or floats; 0 for other types and for None."""
    return element.width if isinstance(element, IntegerType | FloatType) else 0


def float_format(value: Value) -> arithmetic_float_format.FloatFormat | None:
    """Return the format of the elements of a tile of floats; None for other values."""
    element = element_type(value)
    return element.format if isinstance(element, FloatType) else None


def patterns_of(constant: Attribute | None) -> list[int] | None:
    """Return the bit patterns of a constant: one for a splat, else one for each element in row-major order.
    Return None if `constant` is None or not dense, or no splat and of more than `MAXIMUM_ELEMENTS` elements.
    """
    if not isinstance(constant, DenseElementsAttr):
        return None
    if not constant.is_splat and constant.count > MAXIMUM_ELEMENTS:
        return None
    mask = (1 << type_width(constant.element_type)) - 1
    return [pattern & mask for pattern in constant.patterns()]


def every_pattern(constant: Attribute | None) -> list[int] | None:
    """Return one bit pattern for each element of a constant, splats included; None if `constant` is None or
    not dense, or has more than `MAXIMUM_ELEMENTS` elements.
    """
    patterns = patterns_of(constant)
    if patterns is None or not isinstance(constant, DenseElementsAttr) or constant.count > MAXIMUM_ELEMENTS:
        return None
    return patterns * constant.count if constant.is_splat else patterns


def splat_pattern(constant: Attribute | None) -> int | None:
    """Return the bit pattern that all elements of a constant have. Return None if they differ, if `constant`
    is None or not dense, or if it is no splat and has more than `MAXIMUM_ELEMENTS` elements.
    """
    patterns = patterns_of(constant)
    if not patterns or patterns.count(patterns[0]) != len(patterns):
        return None
    return patterns[0]


def is_zero(constant: Attribute | None) -> bool:
    """Return whether every bit of every element of a constant is zero; False if `constant` is None."""
    return splat_pattern(constant) == 0


def is_integer_one(constant: Attribute | None) -> bool:
    """Return whether a constant has integer elements that all are 1; False if `constant` is None."""
    return isinstance(constant, DenseElementsAttr) and (
        isinstance(constant.element_type, IntegerType) and splat_pattern(constant) == 1
    )


def is_all_ones(constant: Attribute | None) -> bool:
    """Return whether every bit of every element of a constant is one; False if `constant` is None."""
    if not isinstance(constant, DenseElementsAttr):
        return False
    return splat_pattern(constant) == (1 << type_width(constant.element_type)) - 1


def make_constant(type: Type, patterns: Sequence[int]) -> Attribute | None:
    """Return the constant of tile type `type` from one bit pattern (all elements) or one for each element, in
    row-major order; higher bits are dropped. `patterns` must not be empty. Return None for types other than
    tiles of numbers.
    """
    element = type.element_type if isinstance(type, TileType) else None
    width = type_width(element)
    if not width or element is None:
        return None
    size, mask = element_bytes(element), (1 << width) - 1
    masked = [pattern & mask for pattern in patterns]
    kept = masked[:1] if masked.count(masked[0]) == len(masked) else masked
    return DenseElementsAttr(type, b"".join(pattern.to_bytes(size, "little") for pattern in kept))


def splat_of(type: Type, pattern: int) -> Attribute | None:
    """Return the constant of tile type `type` with `pattern` in every element; None for types other than
    tiles of numbers.
    """
    return make_constant(type, (pattern,))


def compute(op: Operation, constants: Constants, rule: Rule) -> Attribute | None:
    """Return the constant that `rule` computes element by element from the bit patterns of the operands, with
    the type of the first result of `op`. Return None if an operand is not constant or too large
    (`patterns_of`), or if `rule` returns None for an element.
    """
    columns = [patterns_of(constant) for constant in constants]
    known = [column for column in columns if column is not None]
    if len(known) < len(columns) or not known:
        return None
    length = max(map(len, known))
    rows = [column * length if len(column) == 1 else column for column in known]
    apply: Any = rule
    found: list[int] = []
    for row in zip(*rows, strict=True):
        answer: int | None = apply(*row)
        if answer is None:
            return None
        found.append(answer)
    return make_constant(op.results[0].type, found)


def compute_signed(op: Operation, constants: Constants, rule: Rule) -> Attribute | None:
    """Return the constant that `rule` computes element by element from the operands as signed numbers, with
    the type of the first result of `op`. Return None if an operand is not constant or too large
    (`patterns_of`), or if `rule` returns None for an element. All operands have the width of the first one.
    """
    width = width_of(op.operands[0])
    apply: Any = rule

    def on_signed(*row: int) -> int | None:
        return apply(*(twos_complement.to_signed(pattern, width) for pattern in row))

    return compute(op, constants, on_signed)


def constant_of(value: Value) -> Attribute | None:
    """Return the attribute ``value`` of the `cuda_tile.constant` that defines a value; None for any other
    value.
    """
    op = defined_by(value, tile_ops.ConstantOp)
    return op.held_attributes.get("value") if op is not None else None


def known_truth(value: Value) -> bool | None:
    """Return the truth value of all elements of a boolean tile that a constant defines; None if they differ,
    or for any other tile.
    """
    pattern = splat_pattern(constant_of(value))
    return None if pattern is None else bool(pattern)


def negated(value: Value) -> Value | None:
    """Return ``x`` if a boolean tile is defined as the exclusive or of ``x``, the left operand, and a
    constant that is true in every element; else None.
    """
    inner = defined_by(value, integer_ops.XOrIOp)
    if inner is None or width_of(value) != 1 or not is_all_ones(constant_of(inner.rhs)):
        return None
    return inner.lhs


def same_value(left: Value, right: Value) -> bool:
    """Return whether two values are the same SSA value, or are both defined by constants with one attribute."""
    if left is right:
        return True
    constant = constant_of(left)
    return constant is not None and constant is constant_of(right)


def definition(value: Value) -> Any:
    """Return the operation that defines a value; None for arguments of blocks."""
    return value.owner if isinstance(value, OpResult) else None


def row_major_strides(shape: Sequence[int]) -> list[int]:
    """Return the row-major strides of a shape in elements: `(8, 16)` has `[16, 1]`."""
    return [prod(shape[position + 1 :]) for position in range(len(shape))]
