"""How products are summed, by element type and processor, as data.

A `Kind` says what the factors are packed as and which instruction adds products to the sums.  Instructions that add
the products of several neighbours along the depth work on *words*: so many elements side by side in 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.llvm.intrinsics import float as floats
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.control import CallIntrinsicOp
from tilewright.dialects.llvm.ops.conversion import BitcastOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, VectorType, f32, f64, i16, i32
from tilewright.ir.value import Value
from tilewright.targets.elements.types import register_type, size_of
from tilewright.targets.llvm.code import Code

Step = Callable[[Code, Value, Value, Value], Value]
"""From words of the left and of the right factor, and sums, the sums with the products."""


FUSED, WRAPPING = "multiplication and addition, rounded once if the processor can", "integer arithmetic"
"""Names of products and sums without an instruction of their own."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What packed factors hold (``group`` elements a word), what sums are, and how products are added.

    ``name`` is that of the instruction, or of the operations that do it.
    """

    name: str
    held: Type
    sum: Type
    step: Step
    group: int = 1

    @property
    def word(self) -> Type:
        """What is repeated over the lanes: an element, or a group of them as bits."""
        return self.held if self.group == 1 else i32


@dataclass(frozen=True, slots=True)
class MicroKernel:
    """How much of the result is kept in registers, ``rows`` of ``vectors``, and how many words of the depth make a
    round."""

    rows: int
    vectors: int
    unroll: int

    def height(self, rows: int) -> int:
        """How many rows a block of a result of so many rows has: a power of two, unless there are many."""
        return self.rows if rows >= MANY * self.rows else power_of_two_within(min(self.rows, rows))

    def width(self, height: int, vectors: int) -> int:
        """How many vectors a row of a block has, of so many in the result."""
        return power_of_two_within(min(self.rows * self.vectors // height, MAXIMUM_VECTORS, vectors))


MICRO_KERNELS: dict[int, MicroKernel] = {
    64: MicroKernel(6, 4, 2),
    32: MicroKernel(6, 2, 4),
    16: MicroKernel(4, 2, 4),
}
"""By bytes of a vector: 32, 16 and at least 16 registers have to hold the sums, a row of B and an element of A.  What
limits is how many loads there are for each product."""
MANY = 32
"""Where rows fill so many blocks it is worth it to have other blocks for those that are left over."""
MAXIMUM_VECTORS = 8
"""A row of the micro-kernel has no more vectors than this."""


def power_of_two_within(number: int) -> int:
    """The largest power of two that is not greater."""
    return 1 << number.bit_length() - 1


def fused(code: Code, left: Value, right: Value, sums: Value) -> Value:
    """A product and a sum, rounded once where the processor can."""
    return code(floats.FMulAddOp, left, right, sums, type=sums.type)


def wrapping(code: Code, left: Value, right: Value, sums: Value) -> Value:
    """A product and a sum of integers, modulo their width."""
    return code.sum(code(llvm.MulOp, left, right), sums)


def _intrinsic(name: str, held: Type) -> Step:
    """An instruction that adds products of neighbours to sums."""

    def step(code: Code, left: Value, right: Value, sums: Value) -> Value:
        factors = [_grouped(code, value, held) for value in (left, right)]
        return code(CallIntrinsicOp, name, op_bundle_sizes=(), args=(sums, *factors), type=sums.type)

    return step


def _pair_sums(name: str, held: Type) -> Step:
    """An instruction that answers sums of products of neighbours, and an addition."""

    def step(code: Code, left: Value, right: Value, sums: Value) -> Value:
        factors = tuple(_grouped(code, value, held) for value in (left, right))
        products = code(CallIntrinsicOp, name, op_bundle_sizes=(), args=factors, type=sums.type)
        return code.sum(products, sums)

    return step


def _grouped(code: Code, value: Value, held: Type) -> Value:
    """Words as the elements in them."""
    words: Any = value.type
    if words.element_type is held:
        return value
    count = words.shape[0] * size_of(words.element_type) // size_of(held)
    return code(BitcastOp, value, type=VectorType((count,), held))


@dataclass(frozen=True, slots=True)
class ProductInstruction:
    """An instruction for vectors of so many bytes, whose factors are of an element type."""

    element: Type
    bytes: int
    kind: Kind

    def fits(self, element: Type, total: Type, columns: int, depth: int) -> bool:
        """Whether it sums products of some extents: there are full vectors of full words."""
        is_for = element is self.element and total is self.kind.sum
        return is_for and columns >= self.bytes // 4 and depth >= self.kind.group


def short(name: str) -> Kind:
    """An instruction that adds sums of products of two integers of 16 bits."""
    return Kind(name, i16, i32, _intrinsic(name, i16), 2)


def short_pairs(name: str) -> Kind:
    """An instruction that answers sums of products of two integers of 16 bits."""
    return Kind(name, i16, i32, _pair_sums(name, i16), 2)


def kind_of(
    element: Type,
    total: Type,
    native: Sequence[ProductInstruction],
    columns: int,
    depth: int,
    *,
    exact: bool,
) -> Kind:
    """How products of ``element`` are added to sums of type ``total``.

    ``native`` are the instructions of the processor, ``columns`` and ``depth`` are extents.  ``exact`` asks for f64, for
    factors with scales: what is beyond f32 before it is multiplied need not be after.
    """
    if exact or element is f64:
        return Kind(FUSED, f64, f64, fused)
    for offer in native:
        if offer.fits(element, total, columns, depth):
            return offer.kind
    if isinstance(element, FloatType):
        return Kind(FUSED, f32, f32, fused)
    held = register_type(total)
    return Kind(WRAPPING, held, held, wrapping)
