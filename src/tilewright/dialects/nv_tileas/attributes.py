"""The attributes of ``nv_tileas``: instructions (atoms), layouts, and properties of TMA descriptors."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.dialects.common.parametrised import checked
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import TensorEncoding
from tilewright.ir.declaration.enum_attribute import SpelledEnum, SpelledEnumAttribute
from tilewright.ir.uniquer import InvalidParameters
from tilewright.layouts import trees

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer
    from tilewright.layouts.linear import LinearLayout


ARRAY_VECTOR_WIDTH = 4
"""The number of consecutive elements that each thread has in turn, for a tile in arrays in the memory of
threads.
"""


class SwizzleMode(SpelledEnum):
    """The swizzle of bytes in shared memory, by the width of the repeating pattern."""

    NONE = 0
    BYTES_32 = 1, "32B"
    BYTES_64 = 2, "64B"
    BYTES_128 = 3, "128B"


class OobMode(SpelledEnum):
    """The value of elements outside of the tensor that a TMA descriptor describes: zero, NaN, or a constant."""

    ZERO = 0
    NAN = 1
    CONSTANT = 2


class Transfer(SpelledEnum):
    """How a layout conversion moves the elements of a tile: between the registers of each thread, between the
    lanes of each warp by shuffles, or between all threads of the block through shared memory.
    """

    REGISTERS = 0
    """Every thread already holds its elements: only registers are renamed."""
    SHUFFLES = 1
    """Every warp already holds its elements: lanes exchange them by shuffles."""
    SHARED = 2
    """All threads write the elements to shared memory, wait at a barrier, and read them."""


class SwizzleModeAttr(SpelledEnumAttribute):
    """The attribute form of `SwizzleMode`, such as ``#nv_tileas.swizzle_mode<"128B">``."""

    name: ClassVar[str] = "nv_tileas.swizzle_mode"
    enumeration: ClassVar[type[Enum]] = SwizzleMode


class OobModeAttr(SpelledEnumAttribute):
    """The attribute form of `OobMode`, such as ``#nv_tileas.oob_mode<zero>``."""

    name: ClassVar[str] = "nv_tileas.oob_mode"
    enumeration: ClassVar[type[Enum]] = OobMode


class TransferAttr(SpelledEnumAttribute):
    """The attribute form of `Transfer`, such as ``#nv_tileas.transfer<shuffles>``."""

    name: ClassVar[str] = "nv_tileas.transfer"
    enumeration: ClassVar[type[Enum]] = Transfer


class AtomAttr(Attribute):
    """The instruction that an operation is compiled to, by name: ``#nv_tileas<atom tma_load>``. The name is an
    ASCII identifier.
    """

    name: ClassVar[str] = "nv_tileas.atom"
    instruction: str

    def verify_parameters(self) -> None:
        if not self.instruction.isidentifier() or not self.instruction.isascii():
            raise InvalidParameters(f"expected the name of an atom, got '{self.instruction}'")

    def print_parameters(self, printer: Printer) -> None:
        printer.write(self.instruction)

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        bracketed = parser.accept("<")
        instruction = parser.expect_keyword("the name of an atom")
        if bracketed:
            parser.expect(">")
        return cls(instruction)


class LayoutAttr(Attribute):
    """``#nv_tileas.layout<(16,16),(1,16),swizzle<2,5,2>,elem=f16>``: the placement of a tile's elements.
    ``shape`` and ``stride`` are trees of one form, whose numbers are not negative. For a distributed tile,
    the first mode counts threads and the second the elements of each thread; offsets are the numbers of
    elements in row-major order. ``swizzle`` is (bits, base, shift) or None, ``element`` the name of the
    element type if the layout depends on it, else empty.
    """

    name: ClassVar[str] = "nv_tileas.layout"
    shape: trees.Tree
    stride: trees.Tree
    swizzle: tuple[int, int, int] | None = None
    element: str = ""

    def verify_parameters(self) -> None:
        if not trees.congruent(self.shape, self.stride):
            raise InvalidParameters(
                f"expected shape and stride of one form, got {trees.tree_text(self.shape)} and {trees.tree_text(self.stride)}"
            )
        if not all(
            isinstance(leaf, int) and leaf >= 0
            for leaf in (*trees.leaves(self.shape), *trees.leaves(self.stride))
        ):
            raise InvalidParameters("expected unsigned numbers in a layout")

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<{trees.tree_text(self.shape)},{trees.tree_text(self.stride)}")
        if self.swizzle is not None:
            printer.write(f",swizzle<{','.join(map(str, self.swizzle))}>")
        printer.write(f",elem={self.element}>" if self.element else ">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        shape = _parse_tree(parser)
        parser.expect(",")
        stride = _parse_tree(parser)
        swizzle: tuple[int, int, int] | None = None
        element = ""
        while parser.accept(","):
            if parser.accept_keyword("swizzle"):
                swizzle = _parse_swizzle(parser)
            else:
                element = _parse_element(parser)
        parser.expect(">")
        return cls(shape, stride, swizzle, element)


class LinearLayoutAttr(TensorEncoding):
    """``#nv_tileas.linear_layout<"(16,8) register=(2,2):(1@1,8@0) lane=(4,8):(2@1,1@0)">``: a distribution.

    The encoding of a tile that is spread over registers, lanes, warps and blocks (`tilewright.layouts.linear_text`); the
    text is canonical.  The layout holds every element of the tile.
    """

    name: ClassVar[str] = "nv_tileas.linear_layout"
    text: str

    @classmethod
    def of(cls, layout: LinearLayout) -> Self:
        """Return the encoding with the canonical text of `layout`. Raises `InvalidParameters` if the layout
        does not hold every element of the tile.
        """
        from tilewright.layouts.linear_text import linear_text

        return cls(linear_text(layout))

    @property
    def layout(self) -> LinearLayout:
        """The layout that the text describes."""
        return _linear_layout(self.text)

    def verify_parameters(self) -> None:
        if not checked(_linear_layout, self.text).is_onto:
            raise InvalidParameters(f"expected a layout that holds every element, got {self.text}")

    def check_tensor(self, shape: tuple[int, ...]) -> None:
        if self.layout.shape != shape:
            words = trees.tree_text(self.layout.shape)
            raise InvalidParameters(
                f"expected a layout of {trees.tree_text(shape)} elements, got one of {words}"
            )

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_string(self.text)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        text = parser.parse_string()
        parser.expect(">")
        return cls.of(checked(_linear_layout, text))


class ThreadArraysAttr(TensorEncoding):
    """``#nv_tileas.thread_arrays<128>``: each thread holds its part of a tile in an array.

    The encoding of tiles that are too large for registers. Elements are distributed to threads in row-major
    order, four at a time; the first thread follows the last one. The number of threads must be a power of
    two, and the number of elements a multiple of four times the number of threads.
    """

    name: ClassVar[str] = "nv_tileas.thread_arrays"
    threads: int

    def verify_parameters(self) -> None:
        if self.threads < 1 or self.threads & (self.threads - 1):
            raise InvalidParameters(f"expected a power of two of threads, got {self.threads}")

    def check_tensor(self, shape: tuple[int, ...]) -> None:
        if prod(shape) % (ARRAY_VECTOR_WIDTH * self.threads):
            words = trees.tree_text(shape)
            raise InvalidParameters(
                f"expected {ARRAY_VECTOR_WIDTH} elements for each of {self.threads} threads, got {words}"
            )

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<{self.threads}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        threads = parser.parse_integer()
        parser.expect(">")
        return checked(cls, threads)


@lru_cache(maxsize=1 << 10)
def _linear_layout(text: str) -> LinearLayout:
    from tilewright.layouts.linear_text import parse_linear  # compilations for the CPU need none

    return parse_linear(text)


def _parse_tree(parser: AttributeParser, depth: int = 0) -> trees.Tree:
    if depth > trees.MAX_DEPTH:
        raise parser.error(f"trees are nested more than {trees.MAX_DEPTH} deep")
    if not parser.accept("("):
        return parser.parse_integer()
    items: list[trees.Tree] = []
    while not parser.accept(")"):
        if items:
            parser.expect(",")
        items.append(_parse_tree(parser, depth + 1))
    return tuple(items)


def _parse_swizzle(parser: AttributeParser) -> tuple[int, int, int]:
    parser.expect("<")
    bits = parser.parse_integer()
    parser.expect(",")
    base = parser.parse_integer()
    parser.expect(",")
    shift = parser.parse_integer()
    parser.expect(">")
    return bits, base, shift


def _parse_element(parser: AttributeParser) -> str:
    if not parser.accept_keyword("elem"):
        raise parser.error("expected 'swizzle' or 'elem'")
    parser.expect("=")
    return parser.expect_keyword("the name of an element type")


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the row-major strides of a shape in elements: `(8, 16)` has `(16, 1)`."""
    strides: list[int] = []
    step = 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return tuple(strides)


def whole_tile(shape: Sequence[int]) -> LayoutAttr:
    """Return the layout in which one thread owns a whole tile, element by element in row-major order."""
    return LayoutAttr((1, tuple(shape)), (0, row_major(shape)))


def view_layout(shape: Sequence[int], strides: Sequence[int]) -> LayoutAttr:
    """Return the layout of a view of a tile from the extents of the view and its strides in elements of the
    source. The stride of an extent of 1 is irrelevant; it is set to 0, so that equal views have equal
    layouts.
    """
    steps = tuple(step if extent > 1 else 0 for extent, step in zip(shape, strides, strict=True))
    return LayoutAttr(tuple(shape), steps)


def view_strides(layout: LayoutAttr) -> tuple[int, ...]:
    """Return the strides of the layout of a view, in elements of the source, one for each dimension of the
    view.
    """
    return trees.integers(layout.stride)


@lru_cache(maxsize=1 << 12)
def view_dimensions(
    layout: LayoutAttr | None, shape: tuple[int, ...], source: tuple[int, ...]
) -> tuple[int | None, ...] | None:
    """Return for each dimension of the source the dimension of the view that indexes it; None for a dimension
    that the view only reads at index 0. `layout` is the layout of the view, None for a reshape; ``shape`` and
    ``source`` are the extents of the view and of its source. Return None altogether unless each dimension of
    the view indexes one dimension of the source, or repeats elements.
    """
    if layout is not None:
        return _laid_out_dimensions(view_strides(layout), shape, source)
    if [extent for extent in source if extent > 1] != [extent for extent in shape if extent > 1]:
        return None
    kept = iter([at for at, extent in enumerate(shape) if extent > 1])
    return tuple(next(kept) if extent > 1 else None for extent in source)


def _laid_out_dimensions(
    strides: Sequence[int], shape: Sequence[int], source: Sequence[int]
) -> tuple[int | None, ...] | None:
    """Return for each dimension of the source the dimension of the view that indexes it, or None if there is
    none. Return None altogether if a stride is not the stride of a source dimension, or an extent exceeds the
    dimension's. Strides count elements of the source in row-major order; 0 repeats an element.
    """
    dimension: dict[int, int] = {}
    stride = 1
    for at in range(len(source) - 1, -1, -1):
        if source[at] > 1:
            dimension[stride] = at
        stride *= source[at]
    inner: list[int | None] = [None] * len(source)
    for at, (extent, step) in enumerate(zip(shape, strides, strict=True)):
        if step == 0 or extent == 1:
            continue
        found = dimension.pop(step, None)
        if found is None or extent > source[found]:
            return None
        inner[found] = at
    return tuple(inner)


ATTRIBUTES: tuple[type[Attribute], ...] = (
    AtomAttr,
    SwizzleModeAttr,
    TransferAttr,
    OobModeAttr,
    LayoutAttr,
    LinearLayoutAttr,
    ThreadArraysAttr,
)
