"""Trees of integers: the shapes, strides and coordinates of layouts, with their text.

A leaf is a number, a fraction, a scaled basis element (``3@0``: three steps along mode 0), an unknown (``?``), or
``_``, which keeps a mode as it is.  A tree is a leaf or a tuple of trees: ``(4,(8,?))``.  `parser` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import prod
from typing import TypeGuard

from tilewright.ir.diagnostic import failure
from tilewright.layouts.codes import BAD_LAYOUT


@dataclass(frozen=True, slots=True)
class Basis:
    """A scaled basis element: ``count`` steps along the mode at ``path``, the indices from the outermost mode
    inwards.
    """

    count: int | Fraction
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A number of a certain width in bits that is known at run time only, and is a multiple of ``divisor``."""

    width: int = 32
    divisor: int = 1


class Wildcard(Enum):
    """The value `_` in a coordinate or a tiler, which selects a whole mode."""

    ANY = "_"


Leaf = int | Fraction | Basis | Unknown | Wildcard
Tree = Leaf | tuple["Tree", ...]
IntTree = int | tuple["IntTree", ...]
"""A tree whose leaves are all plain numbers."""
MAX_DEPTH = 100
"""The maximum depth of nesting of trees that are parsed."""


def tree_text(tree: Tree) -> str:
    """Return the text of a tree, without blanks, such as ``(4,(8,?))``."""
    match tree:
        case tuple():
            return f"({','.join(map(tree_text, tree))})"
        case Basis():
            return str(tree.count) + "".join(f"@{mode}" for mode in tree.path)
        case Unknown():
            words = [*(["i64"] * (tree.width == 64)), *([f"div={tree.divisor}"] * (tree.divisor != 1))]
            return "?" + (f"{{{' '.join(words)}}}" if words else "")
        case Wildcard():
            return tree.value
        case _:
            return str(tree)


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield the leaves from left to right."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from leaves(item)
    else:
        yield tree


def rank(tree: Tree) -> int:
    """Return the number of modes of a tree: the length of a tuple, 1 for a leaf."""
    return len(tree) if isinstance(tree, tuple) else 1


def depth(tree: Tree) -> int:
    """Return the number of levels of nesting: 0 for a leaf, 1 for a tuple of leaves and for ``()``."""
    return 1 + max(map(depth, tree), default=0) if isinstance(tree, tuple) else 0


def is_static(tree: Tree) -> bool:
    """Return whether no leaf is unknown."""
    return not any(isinstance(leaf, Unknown) for leaf in leaves(tree))


def congruent(first: Tree, second: Tree) -> bool:
    """Return whether two trees have the same nesting."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(congruent, first, second))
    return not isinstance(first, tuple) and not isinstance(second, tuple)


def integers(tree: Tree) -> tuple[int, ...]:
    """Return the leaves that are plain numbers, from left to right."""
    return tuple(leaf for leaf in leaves(tree) if isinstance(leaf, int))


def is_known(tree: Tree) -> TypeGuard[IntTree]:
    """Return whether all leaves are plain numbers."""
    return all(isinstance(leaf, int) for leaf in leaves(tree))


def product(tree: Tree) -> int | None:
    """Return the product of all leaves; None unless all leaves are integers."""
    return prod(integers(tree)) if is_known(tree) else None


def cosize(shape: Tree, stride: Tree) -> int | None:
    """Return the size of the range of offsets, from the smallest to the largest; 0 if an extent is 0. Return
    None unless all extents and strides are numbers.
    """
    if not is_known(shape) or not is_known(stride):
        return None
    extents = integers(shape)
    pairs = zip(extents, integers(stride), strict=True)
    return 1 + sum((extent - 1) * abs(step) for extent, step in pairs) if 0 not in extents else 0


def offset(coordinate: Tree, shape: Tree, stride: Tree) -> int | None:
    """Return the offset of a coordinate; an integer in place of a tree counts the tree's coordinates,
    leftmost fastest. Coordinates may be beyond the extents. Return None if a needed number is unknown, or if
    the coordinate does not have the form of the shape.
    """
    if isinstance(shape, tuple) and isinstance(stride, tuple):
        parts = coordinate if isinstance(coordinate, tuple) else _unfolded(coordinate, shape)
        if parts is None or len(parts) != len(shape):
            return None
        offsets = [offset(*part) for part in zip(parts, shape, stride, strict=True)]
        return None if None in offsets else sum(known for known in offsets if known is not None)
    if isinstance(coordinate, int) and isinstance(stride, int):
        return coordinate * stride
    return None


def _unfolded(coordinate: Leaf, shape: tuple[Tree, ...]) -> tuple[Tree, ...] | None:
    """Return the coordinate of a number in the modes of ``shape``, leftmost fastest; the last mode takes the
    remaining quotient. None if `coordinate` is no integer, or if the extent of a mode but the last is unknown
    or 0.
    """
    if not isinstance(coordinate, int):
        return None
    parts: list[Tree] = []
    for mode in shape[:-1]:
        extent = product(mode)
        if not extent:
            return None
        parts.append(coordinate % extent)
        coordinate //= extent
    return (*parts, coordinate) if shape else ()


MAX_BITS = 64
"""The maximum number of bits of an offset."""


@dataclass(frozen=True, slots=True)
class Swizzle:
    """``S<bits,base,shift>``: a permutation of offsets. The ``bits`` bits from bit ``base + shift`` on are
    added by xor to the bits from bit ``base`` on.

    With a negative shift the bits from ``base`` on are added to the bits from ``base - shift`` on. Raises
    `DiagnosticError` unless the two groups of bits are disjoint, which makes the permutation its own inverse,
    and are among the bits 0 to 63.
    """

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        if abs(self.shift) < self.bits:
            raise failure(BAD_LAYOUT, f"expected a shift of at least {self.bits}, got {self.shift}")
        if min(self.bits, self.base) < 0 or self.bits + self.base + abs(self.shift) > MAX_BITS:
            raise failure(BAD_LAYOUT, f"expected a swizzle of bits 0 to {MAX_BITS - 1}, got {self}")

    def __call__(self, offset: int) -> int:
        """Return the permuted offset."""
        mask = ((1 << self.bits) - 1) << (self.base + max(self.shift, 0))
        moved = offset & mask
        return offset ^ (moved >> self.shift if self.shift >= 0 else moved << -self.shift)

    def __str__(self) -> str:
        return f"S<{self.bits},{self.base},{self.shift}>"
