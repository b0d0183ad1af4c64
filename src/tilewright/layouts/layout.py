"""CuTe's layouts: a shape and a stride, and for composed layouts a permutation that is applied to the
offsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.ir.diagnostic import failure
from tilewright.layouts import parser as layouts_parser, trees
from tilewright.layouts.codes import BAD_LAYOUT
from tilewright.layouts.trees import cosize, offset

Mode = tuple[int, int]
"""An extent and its stride."""


@dataclass(frozen=True, slots=True)
class Layout:
    """``(4,(8,2)):(1,(4,32))``: maps coordinates in a shape to offsets; the leftmost coordinate is the fastest.

    Raises `DiagnosticError` unless shape and stride are congruent and all extents are positive.
    """

    shape: trees.IntTree
    stride: trees.IntTree

    def __post_init__(self) -> None:
        if not trees.congruent(self.shape, self.stride):
            raise failure(BAD_LAYOUT, f"expected a stride for each extent, got {self}")
        if any(extent < 1 for extent in trees.integers(self.shape)):
            raise failure(BAD_LAYOUT, f"expected positive extents, got {trees.tree_text(self.shape)}")

    @classmethod
    def of(cls, modes: Sequence[Layout]) -> Layout:
        """Return the layout with ``modes`` as its top-level modes."""
        return cls(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))

    @classmethod
    def flat(cls, modes: Sequence[Mode]) -> Layout:
        """Return the layout with these pairs of extent and stride as modes. A single pair gives a leaf, and
        none ``1:0``.
        """
        if len(modes) == 1:
            return cls(*modes[0])
        return cls.of([cls(*mode) for mode in modes]) if modes else cls(1, 0)

    @property
    def modes(self) -> tuple[Layout, ...]:
        """Return the top-level modes; a leaf is its own only mode."""
        if isinstance(self.shape, tuple) and isinstance(self.stride, tuple):
            return tuple(Layout(*pair) for pair in zip(self.shape, self.stride, strict=True))
        return (self,)

    @property
    def leaves(self) -> tuple[Mode, ...]:
        """Return the pairs (extent, stride) of all leaves, from left to right."""
        return tuple(zip(trees.integers(self.shape), trees.integers(self.stride), strict=True))

    @property
    def size(self) -> int:
        """The number of coordinates: the product of the shape."""
        return trees.product(self.shape) or 0

    @property
    def cosize(self) -> int:
        """Return the size of the range of offsets: the largest minus the smallest, plus 1."""
        return cosize(self.shape, self.stride) or 0

    def __call__(self, coordinate: trees.IntTree) -> int:
        """Return the offset of a coordinate. A number in place of a subtree counts the coordinates of the
        subtree, leftmost fastest; the last mode accepts any number. Raises `DiagnosticError` for a coordinate
        that does not fit the shape.
        """
        found = offset(coordinate, self.shape, self.stride)
        if found is None:
            shape = trees.tree_text(self.shape)
            raise failure(
                BAD_LAYOUT, f"coordinate {trees.tree_text(coordinate)} does not fit the shape {shape}"
            )
        return found

    def offsets(self) -> list[int]:
        """Return the offsets of all coordinates, the leftmost coordinate fastest."""
        found = [0]
        for extent, step in self.leaves:
            found = [start + step * at for at in range(extent) for start in found]
        return found

    def __str__(self) -> str:
        return f"{trees.tree_text(self.shape)}:{trees.tree_text(self.stride)}"


@dataclass(frozen=True, slots=True)
class ComposedLayout:
    """``S<3,4,3> o 0 o (8,64):(64,1)``: the offset of a coordinate in ``layout``, plus ``offset``, is given
    to ``inner``, a swizzle or another layout, whose result is the offset.
    """

    inner: trees.Swizzle | Layout
    offset: int
    layout: Layout

    @property
    def size(self) -> int:
        """The number of coordinates: the product of the shape."""
        return self.layout.size

    def __call__(self, coordinate: trees.IntTree) -> int:
        """Return the offset of a coordinate: the offset in ``layout``, plus ``offset``, mapped by ``inner``.
        Raises `DiagnosticError` for a coordinate that does not fit the shape.
        """
        return self.inner(self.offset + self.layout(coordinate))

    def offsets(self) -> list[int]:
        """Return the offsets of all coordinates, the leftmost coordinate fastest."""
        return [self.inner(self.offset + start) for start in self.layout.offsets()]

    def __str__(self) -> str:
        return f"{self.inner} o {self.offset} o {self.layout}"


AnyLayout = Layout | ComposedLayout


def column_major(shape: trees.IntTree) -> Layout:
    """Return the compact layout of a shape with the leftmost coordinate fastest: ``(4,8):(1,4)``."""
    return Layout(shape, _counted(shape, 1)[0])


def _counted(shape: trees.IntTree, step: int) -> tuple[trees.IntTree, int]:
    """Return the compact strides of a shape, leftmost fastest from stride ``step`` on, and the stride after
    the last.
    """
    if not isinstance(shape, tuple):
        return step, step * shape
    strides: list[trees.IntTree] = []
    for mode in shape:
        stride, step = _counted(mode, step)
        strides.append(stride)
    return tuple(strides), step


def layout_of_trees(shape: trees.Tree, stride: trees.Tree) -> Layout:
    """Return the layout of a parsed shape and stride. Raises `DiagnosticError` unless all their leaves are
    numbers, the trees are congruent, and extents are positive.
    """
    if not trees.is_known(shape) or not trees.is_known(stride):
        text = f"{trees.tree_text(shape)}:{trees.tree_text(stride)}"
        raise failure(
            BAD_LAYOUT, f"expected plain numbers, got {text}", hint="put numbers for the unknown values"
        )
    return Layout(shape, stride)


def parse_layout(text: str) -> AnyLayout:
    """Parse a layout, composed or not. Raises `DiagnosticError`, which points into the text."""
    parser = layouts_parser.LayoutParser(text)
    found = read_layout(parser)
    parser.end()
    return found


def read_layout(parser: layouts_parser.LayoutParser) -> AnyLayout:
    """Parse a layout at the current position, composed or not; the text may go on after it. Raises
    `DiagnosticError` for other text.
    """
    if parser.token == "S":
        found = read_swizzle(parser)
        return found if isinstance(found, ComposedLayout) else read_composed(parser, found)
    layout = layout_of_trees(*parser.shape_and_stride())
    return read_composed(parser, layout) if parser.token == "o" else layout


def read_swizzle(parser: layouts_parser.LayoutParser) -> trees.Swizzle | ComposedLayout:
    """Parse a swizzle, or a swizzle composed with a layout: ``S<3,4,3> o 0 o (8,64):(64,1)``. Raises
    `DiagnosticError` for other text.
    """
    swizzle = trees.Swizzle(*parser.swizzle())
    return read_composed(parser, swizzle) if parser.token == "o" else swizzle


def read_composed(parser: layouts_parser.LayoutParser, inner: trees.Swizzle | Layout) -> ComposedLayout:
    """Parse ``o OFFSET o LAYOUT`` after `inner`, a swizzle or layout that is applied to the offsets of
    LAYOUT, and return the composed layout. Raises `DiagnosticError` for other text.
    """
    parser.expect("o")
    offset = parser.number()
    parser.expect("o")
    return ComposedLayout(inner, offset, layout_of_trees(*parser.shape_and_stride()))
