"""How products are summed, by element type and processor, as data.

A `ProductKind` holds the element type of packed factors, and the instruction that adds products to the sums.
Instructions that add the products of several neighbours along the depth work on *words*: a group of
contiguous elements in 32 bits. For example, a word of i16 has two elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.llvm.intrinsics import float as floats
from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as llvm_conversion
from tilewright.dialects.llvm.ops.control import CallIntrinsicOp
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.value import Value
from tilewright.targets.elements.element_types import register_type, size_of
from tilewright.targets.llvm.code import LlvmBuilder

Step = Callable[[LlvmBuilder, Value, Value, Value], Value]
"""A function that emits the addition of products to sums, from words of the left factor, words of the right
factor, and the sums; it returns the new sums.
"""


FUSED, WRAPPING = "multiply-add, fused if the processor supports it", "integer arithmetic"
"""The names of the kinds that use no instruction for products: a multiply-add, or a product and a sum."""


@dataclass(frozen=True, slots=True)
class ProductKind:
    """How products are computed and added: by an instruction, or by the operations that replace it
    (``name``).

    ``held`` is the element type of packed factors, ``sum`` the type of sums. ``step`` emits the addition of
    products, for words of ``group`` elements.
    """

    name: str
    held: Type
    sum: Type
    step: Step
    group: int = 1

    @property
    def word(self) -> Type:
        """Return the type of a word: an element, or ``group`` elements as the bits of an i32."""
        return self.held if self.group == 1 else builtin_types.i32


@dataclass(frozen=True, slots=True)
class MicroKernel:
    """The block of the result that is kept in registers: ``rows`` rows of ``vectors`` vectors.

    An iteration along the depth (the dimension that is summed) handles ``unroll`` words.
    """

    rows: int
    vectors: int
    unroll: int

    def height(self, rows: int) -> int:
        """Return the number of rows of a block, if the result has `rows` rows.

        It is the largest power of two within both, or ``self.rows`` if there are at least `MANY` such blocks.
        """
        return self.rows if rows >= MANY * self.rows else power_of_two_within(min(self.rows, rows))

    def width(self, height: int, vectors: int) -> int:
        """Return the number of vectors in a row of a block of `height` rows, if the result has `vectors` in a
        row. It is a power of two, at most `MAXIMUM_VECTORS`, and the block has at most as many vectors as the
        micro-kernel.
        """
        return power_of_two_within(min(self.rows * self.vectors // height, MAXIMUM_VECTORS, vectors))


MICRO_KERNELS: dict[int, MicroKernel] = {
    64: MicroKernel(6, 4, 2),
    32: MicroKernel(6, 2, 4),
    16: MicroKernel(4, 2, 4),
}
"""The micro-kernel by the size of a vector in bytes.

The 32, 16 and at least 16 registers hold the sums, a row of B and an element of A. The number of loads for
each product is the bottleneck.
"""
MANY = 32
"""The number of blocks from which on the height of a block need not be a power of two.

The rows that remain after the last whole block then get a block of another height.
"""
MAXIMUM_VECTORS = 8
"""The maximum number of vectors in a row of the micro-kernel."""


def power_of_two_within(number: int) -> int:
    """Return the largest power of two that is at most `number`."""
    return 1 << number.bit_length() - 1


def fused(code: LlvmBuilder, left: Value, right: Value, sums: Value) -> Value:
    """Return ``sums + left * right`` of floats, as one fused multiply-add if the processor has it."""
    return code(floats.FMulAddOp, left, right, sums, type=sums.type)


def wrapping(code: LlvmBuilder, left: Value, right: Value, sums: Value) -> Value:
    """Return ``sums + left * right`` of integers, modulo ``2**width``."""
    return code.sum(code(llvm.MulOp, left, right), sums)


def _intrinsic(name: str, held: Type) -> Step:
    """Return the step that calls the intrinsic `name`, which adds the products of neighbours to the sums.

    ``held`` is the element type of the factors.
    """

    def step(code: LlvmBuilder, left: Value, right: Value, sums: Value) -> Value:
        factors = [_grouped(code, value, held) for value in (left, right)]
        return code(CallIntrinsicOp, name, op_bundle_sizes=(), args=(sums, *factors), type=sums.type)

    return step


def _pair_sums(name: str, held: Type) -> Step:
    """Return the step that calls the intrinsic `name` for the sums of two neighbouring products, and then
    adds these to the sums. ``held`` is the element type of the factors.
    """

    def step(code: LlvmBuilder, left: Value, right: Value, sums: Value) -> Value:
        factors = tuple(_grouped(code, value, held) for value in (left, right))
        products = code(CallIntrinsicOp, name, op_bundle_sizes=(), args=factors, type=sums.type)
        return code.sum(products, sums)

    return step


def _grouped(code: LlvmBuilder, value: Value, held: Type) -> Value:
    """Return a vector of words as a vector of their elements, of type `held`."""
    words: Any = value.type
    if words.element_type is held:
        return value
    count = words.shape[0] * size_of(words.element_type) // size_of(held)
    return code(llvm_conversion.BitcastOp, value, type=builtin_types.VectorType((count,), held))


@dataclass(frozen=True, slots=True)
class ProductInstruction:
    """An instruction for vectors of ``bytes`` bytes, with factors of one element type."""

    element: Type
    bytes: int
    kind: ProductKind

    def fits(self, element: Type, total: Type, columns: int, depth: int) -> bool:
        """Return whether the instruction can compute a product with the extents `columns` and `depth`.

        The types of elements and sums match, and both extents fill at least one vector of words.
        """
        is_for = element is self.element and total is self.kind.sum
        return is_for and columns >= self.bytes // 4 and depth >= self.kind.group


def short(name: str) -> ProductKind:
    """Return the kind of product of i16 whose instruction `name` adds two products to each i32 sum."""
    return ProductKind(name, builtin_types.i16, builtin_types.i32, _intrinsic(name, builtin_types.i16), 2)


def pairs_of_i16(name: str) -> ProductKind:
    """Return the kind of product of i16 whose instruction `name` only returns sums of two products, without
    adding.
    """
    return ProductKind(name, builtin_types.i16, builtin_types.i32, _pair_sums(name, builtin_types.i16), 2)


def kind_of(
    element: Type,
    total: Type,
    native: Sequence[ProductInstruction],
    columns: int,
    depth: int,
    *,
    exact: bool,
) -> ProductKind:
    """Return how products of ``element`` are added to sums of type ``total``: in f64 if `exact` or for
    elements of f64, else by the first instruction of ``native`` that fits the types and the extents `columns`
    and `depth`, else in f32 for floats and in the type of sums for integers.

    ``exact`` is for factors with scales: an unscaled element may exceed the range of f32 although its product
    does not.
    """
    if exact or element is builtin_types.f64:
        return ProductKind(FUSED, builtin_types.f64, builtin_types.f64, fused)
    for offer in native:
        if offer.fits(element, total, columns, depth):
            return offer.kind
    if isinstance(element, builtin_types.FloatType):
        return ProductKind(FUSED, builtin_types.f32, builtin_types.f32, fused)
    held = register_type(total)
    return ProductKind(WRAPPING, held, held, wrapping)


def kind_named(name: str, held: Type, total: Type, native: Sequence[ProductInstruction]) -> ProductKind:
    """Return the `ProductKind` called `name`: `FUSED` or `WRAPPING` for packed factors of type `held` and
    sums of type `total`, or the kind of the instruction of that name in ``native``, the instructions of the
    processor. Raises `ValueError` if there is no such kind.
    """
    steps = {FUSED: fused, WRAPPING: wrapping}
    if name in steps:
        return ProductKind(name, held, total, steps[name])
    for offer in native:
        if offer.kind.name == name:
            return offer.kind
    raise ValueError(f"no instruction '{name}'")
