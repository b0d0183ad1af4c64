"""How offsets change from element to element of a tile, known from the operations that compute them.

Frontends compute addresses with integers of 32 bits: ``base + sign_extend(i * 1024 + range)``. Elements lie
side by side if the range counts by 1 and the narrow sum does not wrap around inside the tile. The first
follows from the operations and is found here. The second may be a condition that is tested at run time;
`narrow_parts` returns the integers that must not wrap.
"""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith.ops_conversion import ExtSIOp, ExtUIOp, IndexCastOp, IndexCastUIOp
from tilewright.dialects.arith.ops_integer import AddIOp, ConstantOp, MulIOp, SubIOp
from tilewright.dialects.nv_tileaa.constraints import element_of, is_tile, shape_of
from tilewright.dialects.nv_tileaa.ops import math as tileaa_math, pointer
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, MakeRangeOp, SplatOp
from tilewright.dialects.nv_tileas.attributes import view_dimensions
from tilewright.dialects.nv_tileas.ops_arith import also_on_tiles, of_both
from tilewright.dialects.nv_tileas.ops_tile import ExpandDimsOp, ViewOp
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts.recursion import KeyedComputation, solved

WIDENED = also_on_tiles({ExtSIOp: True, IndexCastOp: True, ExtUIOp: False, IndexCastUIOp: False})
"""For each operation that widens integers, whether it reads them as signed."""
SAME = frozenset({pointer.AssumeOp, *WIDENED})
"""Operations whose result is equal to the operand, if the result's type can hold the number."""
ADDITIONS, SUBTRACTIONS, PRODUCTS = of_both(AddIOp), of_both(SubIOp), of_both(MulIOp)
SUMS = ADDITIONS | SUBTRACTIONS | {pointer.AddPtrOp}
PARTS = SUMS | PRODUCTS | {pointer.AssumeOp}
"""Operations whose result has its minimum and maximum at elements where the operands have theirs."""
CONSTANTS = (ConstantOp, ConstantTensorOp, SplatOp)


def constant_of(value: Value) -> int | None:
    """Return the integer that `value` is known to be, or that all elements of a tile are, as a signed number.
    For a dense constant of equal floats it is their bit pattern. None if the value is unknown, and for other
    floats.
    """
    owner = value.owner
    while (type(owner) is ExpandDimsOp or type(owner) is ViewOp or type(owner) is SplatOp) and owner.source:
        owner = owner.source.owner
    attribute = owner.value if isinstance(owner, CONSTANTS) else None
    if isinstance(attribute, builtin_attributes.IntegerAttr):
        return attribute.value
    if isinstance(attribute, builtin_attributes.DenseElementsAttr) and attribute.is_splat:
        (bits,) = attribute.patterns()
        width: Any = attribute.element_type
        return bits - (1 << width.width) if bits >> (width.width - 1) else bits
    return None


def source_dimensions(value: Value) -> tuple[int | None, ...] | None:
    """Return for each dimension of the source of an `expand_dims` or `view` the dimension of the result that
    indexes it; None for a source dimension that is only used at index 0. Return None altogether if `value` is
    not the result of such an operation, or if the dimensions of a view do not match up like this.
    """
    op = value.owner
    if type(op) is ExpandDimsOp:
        return tuple(at for at in range(len(shape_of(value.type))) if at != op.axis)
    if type(op) is ViewOp and shape_of(value.type):
        return view_dimensions(op.layout, shape_of(value.type), shape_of(op.source.type))
    return None


POINTERWISE = frozenset(
    {pointer.AddPtrOp, pointer.BitcastOp, pointer.IntToPtrOp, pointer.PtrToIntOp, tileaa_math.MulhiUIOp}
)
"""Elementwise operations on pointers, whose declarations lack the trait `Elementwise`."""


def is_elementwise(op: Operation) -> bool:
    """Return whether an element of a result depends only on the elements at the same index."""
    return Elementwise in op.kind.trait_classes or op.__class__ in POINTERWISE


def width_of(value: Value) -> int:
    """Return the bits of an integer, or of the integers in a tile; 64 for other elements."""
    element = element_of(value.type)
    return element.width if isinstance(element, builtin_types.IntegerType) else 64


TileDimension = tuple[Value, int]
"""A tile and one of its dimensions."""


def _product_stride(op: Operation, dimension: int) -> KeyedComputation[TileDimension, int | None]:
    for factor, other in (op.operands, op.operands[::-1]):
        number, step = constant_of(factor), (yield other, dimension)
        if number is not None and step is not None:
            return number * step
    return None


class Offsets:
    """Computes along which dimensions, and by how much, neighbouring elements of tiles differ; caches the
    results.
    """

    def __init__(self) -> None:
        self._dependences: dict[Value, frozenset[int]] = {}
        self._strides: dict[TileDimension, int | None] = {}

    def dependences(self, value: Value) -> frozenset[int]:
        """Return the dimensions, longer than 1, along which the elements of a tile may differ. A scalar has
        none.
        """
        return solved(self._dependences, self._find_dependences, value)

    def _find_dependences(self, value: Value) -> KeyedComputation[Value, frozenset[int]]:
        extents = shape_of(value.type)
        long = frozenset(at for at, extent in enumerate(extents) if extent > 1)
        owner: Any = value.owner
        if not is_tile(value.type) or constant_of(value) is not None:
            return frozenset()
        if not isinstance(value, OpResult):
            return long
        if isinstance(owner, SplatOp):
            return frozenset()
        if is_elementwise(owner) or isinstance(owner, pointer.AssumeOp):
            found: list[frozenset[int]] = []
            for operand in owner.operands:
                found.append((yield operand))
            return frozenset[int]().union(*found)
        inner = source_dimensions(value)
        if inner is None:
            return long
        below = yield owner.operands[0]
        return long.intersection(at for number, at in enumerate(inner) if number in below and at is not None)

    def stride(self, value: Value, dimension: int) -> int | None:
        """Return the difference between neighbouring elements along a dimension, if no integer wraps around;
        for pointers it is in elements. Return 0 if the elements are equal, and None if the difference is
        unknown or not constant.
        """
        return solved(self._strides, self._find_stride, (value, dimension))

    def _find_stride(self, key: TileDimension) -> KeyedComputation[TileDimension, int | None]:
        value, dimension = key
        if dimension not in self.dependences(value):
            return 0
        owner: Any = value.owner
        if not isinstance(value, OpResult) or owner.regions:
            return None
        if isinstance(owner, MakeRangeOp):
            return 1
        kind = owner.__class__
        if kind in SAME:
            return (yield owner.operands[0], dimension)
        if kind in SUMS:
            left = yield owner.operands[0], dimension
            right = yield owner.operands[1], dimension
            if left is None or right is None:
                return None
            return left - right if kind in SUBTRACTIONS else left + right
        if kind in PRODUCTS:
            return (yield from _product_stride(owner, dimension))
        inner = source_dimensions(value) or ()
        places = [number for number, at in enumerate(inner) if at == dimension]
        return (yield owner.operands[0], places[0]) if places else None

    def narrow_parts(self, value: Value) -> dict[Value, bool]:
        """Return the tiles of integers below 64 bits that the tile of pointers `value` is computed from and
        that vary. A tile maps to True if it is read as signed, to False if it is read as unsigned.
        """
        found: dict[Value, bool] = {}
        pending, seen = [value], set[Value]()
        while pending:
            value = pending.pop()
            if value in seen or not isinstance(value, OpResult) or not self.dependences(value):
                continue
            seen.add(value)
            owner: Any = value.owner
            kind = owner.__class__
            if kind in WIDENED:
                found[owner.operands[0]] = WIDENED[kind]
            elif kind is pointer.AddPtrOp and width_of(owner.offset) < 64:
                found[owner.offset] = True
                pending.append(owner.base)
            elif kind in PARTS or source_dimensions(value):
                pending += owner.operands
        return found
