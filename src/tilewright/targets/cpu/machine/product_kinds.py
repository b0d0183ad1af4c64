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
    products, for words of ``group`` elements; None for an instruction of matrix tiles.
    """

    name: str
    held: Type
    sum: Type
    step: Step | None
    group: int = 1

    @property
    def is_tiled(self) -> bool:
        """Return whether products are computed by matrix tiles."""
        return self.step is None

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
    """Return the largest power of two that is at most `number`, which is at least 1."""
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


TILE_ROWS, TILES_OF_SUMS = 16, 4
"""The maximum number of rows of a matrix tile, and the number of tiles with sums."""
LEAST_ROWS, LEAST_WORDS = 4, 4
"""Products with fewer rows, or with fewer words of the depth, are computed by vectors."""


@dataclass(frozen=True, slots=True)
class ProductFacts:
    """The facts by which the instruction of a product is chosen: the types of ``element`` and sums
    (``total``), the extents of the result (`rows`, `columns`) and of the dimension that is summed (`depth`),
    and in ``signs`` whether the left and the right factor are signed integers.
    """

    element: Type
    total: Type
    rows: int
    columns: int
    depth: int
    signs: tuple[bool, bool] = (True, True)


@dataclass(frozen=True, slots=True)
class ProductInstruction:
    """An instruction for vectors of ``bytes`` bytes, with factors of the type ``element``; ``kind`` says how
    it adds products to sums. ``signs`` says which factors are signed; None: any. Matrix tiles are for
    products of at least `LEAST_ROWS` rows and `LEAST_WORDS` words.
    """

    element: Type
    bytes: int
    kind: ProductKind
    signs: tuple[bool, bool] | None = None

    def fits(self, product: ProductFacts) -> bool:
        """Return whether the instruction can compute a product: the types of elements and sums and the signs
        match, and the columns fill at least one vector. Matrix tiles also need `LEAST_ROWS` rows and
        `LEAST_WORDS` words, other instructions a row and a word.
        """
        is_for = product.element is self.element and product.total is self.kind.sum
        is_for = is_for and self.signs in (None, product.signs)
        rows, words = (LEAST_ROWS, LEAST_WORDS) if self.kind.is_tiled else (1, 1)
        is_large = product.rows >= rows and product.depth >= words * self.kind.group
        return is_for and is_large and product.columns >= self.bytes // 4


def short(name: str) -> ProductKind:
    """Return the kind of product of i16 whose instruction `name` adds two products to each i32 sum."""
    return ProductKind(name, builtin_types.i16, builtin_types.i32, _intrinsic(name, builtin_types.i16), 2)


def pairs_of_i16(name: str) -> ProductKind:
    """Return the kind of product of i16 whose instruction `name` only returns sums of two products, without
    adding.
    """
    return ProductKind(name, builtin_types.i16, builtin_types.i32, _pair_sums(name, builtin_types.i16), 2)


def tiled(name: str, held: Type, total: Type, group: int) -> ProductKind:
    """Return the kind of product whose instruction `name` multiplies matrix tiles of words of `group`
    elements. `held` is the type of the packed factors, `total` the type of the sums.
    """
    return ProductKind(f"llvm.x86.{name}", held, total, None, group)


def kind_of(product: ProductFacts, native: Sequence[ProductInstruction], *, exact: bool) -> ProductKind:
    """Return how products are added to sums: in f64 if `exact` or for elements of f64, else by the first
    instruction of ``native`` that fits the product, else in f32 for floats and in the type of sums for
    integers.

    ``exact`` is for factors with scales: an unscaled element may exceed the range of f32 although its product
    does not.
    """
    if exact or product.element is builtin_types.f64:
        return ProductKind(FUSED, builtin_types.f64, builtin_types.f64, fused)
    for offer in native:
        if offer.fits(product):
            return offer.kind
    if isinstance(product.element, builtin_types.FloatType):
        return ProductKind(FUSED, builtin_types.f32, builtin_types.f32, fused)
    held = register_type(product.total)
    return ProductKind(WRAPPING, held, held, wrapping)


def tile_block(rows: int, columns: int, words: int) -> tuple[int, int, int, int]:
    """Return the block of the result whose sums are in matrix tiles, for a product with `rows` rows,
    `columns` columns and `words` words along the depth: the rows of the block, its vectors in a row, the
    lanes of a vector, and the words of an iteration.
    """
    height, lanes = min(2 * TILE_ROWS, rows), min(TILE_ROWS, columns)
    tiles = TILES_OF_SUMS // -(-height // TILE_ROWS)
    return height, power_of_two_within(min(tiles, columns // lanes)), lanes, min(TILE_ROWS, words)


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
