"""Expressions over layouts, in the syntax of the command line: ``composition(8:2, 4:1)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.layouts import algebra, conversion, fragments, layout as layouts_layout, tiling, trees
from tilewright.layouts.linear import LEVELS, LinearLayout, blocked, linear_layout_of
from tilewright.layouts.linear_text import read_linear
from tilewright.layouts.parser import LayoutParser

Value = (
    layouts_layout.Layout
    | layouts_layout.ComposedLayout
    | trees.Swizzle
    | LinearLayout
    | conversion.RegisterMovement
    | trees.IntTree
    | list[algebra.Tiler | None]
)
"""The value of an expression; a list is a tiler in brackets."""
Conversion = Callable[[Value], Any]
"""A function that converts a value to an argument of an operation; it returns None for a value of another
kind.
"""


def _plain(value: Value) -> layouts_layout.Layout | None:
    """Return the value as a plain layout; a shape alone becomes its column-major layout.

    None for other values.
    """
    if isinstance(value, int | tuple):
        return layouts_layout.column_major(value)
    return value if isinstance(value, layouts_layout.Layout) else None


def _any_layout(value: Value) -> layouts_layout.AnyLayout | None:
    return value if isinstance(value, layouts_layout.ComposedLayout) else _plain(value)


def _composable(value: Value) -> layouts_layout.AnyLayout | trees.Swizzle | None:
    return value if isinstance(value, trees.Swizzle) else _any_layout(value)


def _tiler(value: Value) -> algebra.Tiler | None:
    return tuple(value) if isinstance(value, list) else _plain(value)


def _spread(value: Value) -> LinearLayout | None:
    return value if isinstance(value, LinearLayout) else None


def _number(value: Value) -> int | None:
    return value if isinstance(value, int) else None


def _extents(value: Value) -> tuple[int, ...] | None:
    return trees.integers(value) if isinstance(value, tuple) else None


WORDS: dict[Conversion, str] = {
    _plain: "a layout such as (4,8):(1,4)",
    _any_layout: "a layout such as (4,8):(1,4)",
    _composable: "a layout such as (4,8):(1,4), or a swizzle",
    _tiler: "a layout, or a tiler such as [4:1;8:2]",
    _spread: "a fragment, or a layout of registers and lanes",
    _number: "a number",
    _extents: "extents such as (16,8)",
}


def _composition(
    layout: layouts_layout.AnyLayout | trees.Swizzle, inner: algebra.Tiler
) -> layouts_layout.AnyLayout | None:
    match layout:
        case layouts_layout.Layout():
            return algebra.composition(layout, inner)
        case layouts_layout.ComposedLayout():
            return algebra.composition(layout, inner)
        case trees.Swizzle():
            return (
                layouts_layout.ComposedLayout(layout, 0, inner)
                if isinstance(inner, layouts_layout.Layout)
                else None
            )


OPERATIONS: dict[str, tuple[Callable[..., Value | None], tuple[Conversion, ...]]] = {
    "coalesce": (algebra.coalesce, (_any_layout,)),
    "filter_zeros": (algebra.filter_zeros, (_plain,)),
    "composition": (_composition, (_composable, _tiler)),
    "complement": (algebra.complement, (_plain, _number)),
    "right_inverse": (algebra.right_inverse, (_plain,)),
    "left_inverse": (algebra.left_inverse, (_plain,)),
    "max_common_vector": (algebra.max_common_vector, (_plain, _plain)),
    "logical_divide": (tiling.logical_divide, (_any_layout, _tiler)),
    "zipped_divide": (tiling.zipped_divide, (_any_layout, _tiler)),
    "tiled_divide": (tiling.tiled_divide, (_any_layout, _tiler)),
    "flat_divide": (tiling.flat_divide, (_any_layout, _tiler)),
    "logical_product": (tiling.logical_product, (_plain, _tiler)),
    "zipped_product": (tiling.zipped_product, (_plain, _tiler)),
    "blocked_product": (tiling.blocked_product, (_plain, _plain)),
    "raked_product": (tiling.raked_product, (_plain, _plain)),
    "spread": (linear_layout_of, (_any_layout, _extents)),
    "blocked": (blocked, (_extents,) * 5),
    "conversion": (conversion.movement, (_spread, _spread)),
}
"""The operations by name: the function, and the conversion of each of its arguments."""


def evaluate(text: str) -> Value:
    """Return the value of an expression such as ``composition(8:2, 4:1)``. Raises `DiagnosticError`, which
    has no position, for a text that is no expression, and for an operation that cannot be applied to its
    arguments.
    """
    parser = LayoutParser(text)
    found = _value(parser, 0)
    parser.end()
    return found


def _value(parser: LayoutParser, depth: int) -> Value:
    """Parse a layout, swizzle, tiler, fragment, shape, number, or an operation on them. ``depth`` is the
    number of operations around it. Raises `DiagnosticError` for other text, and if ``depth`` is more than
    `MAX_DEPTH`.
    """
    if depth > trees.MAX_DEPTH:
        raise parser.error(f"operations are nested more than {trees.MAX_DEPTH} deep")
    if parser.token == "S":
        return layouts_layout.read_swizzle(parser)
    if parser.accept("["):
        return _bracketed(parser, depth)
    if parser.token[:1].isalpha():
        name = parser.advance()
        return _operation(parser, name, depth) if parser.token == "(" else fragments.fragment(name)
    return _with_shape(parser)


def _with_shape(parser: LayoutParser) -> Value:
    shape = parser.tree()
    if parser.accept(":"):
        layout = layouts_layout.layout_of_trees(shape, parser.tree())
        return layouts_layout.read_composed(parser, layout) if parser.token == "o" else layout
    if parser.token in LEVELS:
        return read_linear(parser, shape)
    if not trees.is_known(shape):
        raise parser.error(f"expected plain numbers, got {trees.tree_text(shape)}")
    return shape


def _bracketed(parser: LayoutParser, depth: int) -> list[algebra.Tiler | None]:
    """Parse a tiler in brackets such as ``[4:1;_;8:2]``, and return a tiler for each mode: None for ``_``,
    which keeps the mode. The opening bracket has been read.
    """
    found: list[algebra.Tiler | None] = []
    while True:
        if parser.accept("_"):
            found.append(None)
        else:
            found.append(_argument(parser, _tiler, "a tiler", depth))
        if not parser.accept(";"):
            parser.expect("]")
            return found


def _operation(parser: LayoutParser, name: str, depth: int) -> Value:
    if name not in OPERATIONS:
        raise parser.error(f"there is no operation '{name}'; there are {', '.join(OPERATIONS)}")
    function, kinds = OPERATIONS[name]
    arguments: list[Any] = []
    parser.expect("(")
    for at, kind in enumerate(kinds):
        if at:
            parser.expect(",")
        arguments.append(_argument(parser, kind, name, depth))
    parser.expect(")")
    found = function(*arguments)
    if found is None:
        raise parser.error(f"a swizzle is composed with a layout, got {parser.text}")
    return found


def _argument(parser: LayoutParser, kind: Conversion, owner: str, depth: int) -> Any:
    found = kind(_value(parser, depth + 1))
    if found is None:
        raise parser.error(f"{owner} takes {WORDS[kind]} here, in '{parser.text}'")
    return found
