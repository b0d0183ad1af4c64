"""Divisions of layouts into tiles, and products that repeat a layout: the same elements under various groupings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.layouts import algebra
from tilewright.layouts.layout import Layout

UNIT = Layout(1, 0)
Splitting = Callable[[Layout, algebra.Tiler], Layout]
"""A function that splits a mode into two modes by a tiler."""


def logical_divide(layout: algebra.LayoutT, tiler: algebra.Tiler) -> algebra.LayoutT:
    """Return (tile, tiles): mode 0 iterates over the elements of `tiler`, mode 1 over the positions of the
    tile. A tuple divides mode by mode. Raises `DiagnosticError` if the tiler has no complement in the layout,
    or no shape and stride describe the result.
    """
    return algebra.on_coordinates(lambda plain: _divided(plain, tiler), layout)


def _divided(layout: Layout, tiler: algebra.Tiler) -> Layout:
    if isinstance(tiler, tuple):
        return algebra.by_mode(_divided, layout, tiler)
    return algebra.composition(layout, Layout.of((tiler, algebra.complement(tiler, layout.size))))


def zipped_divide(layout: algebra.LayoutT, tiler: algebra.Tiler) -> algebra.LayoutT:
    """Return ((tile of each mode), (tiles of each mode)). The tile of a mode whose tiler is None is one
    element; a mode without a tiler has no tile mode. Raises `DiagnosticError` if a tiler has no complement,
    or no shape and stride describe the result.
    """
    return algebra.on_coordinates(lambda plain: _zipped(_divided, plain, tiler), layout)


def tiled_divide(layout: algebra.LayoutT, tiler: algebra.Tiler) -> algebra.LayoutT:
    """Divide each mode of `layout` by `tiler`, and return (tile, tiles of mode 0, tiles of mode 1, ...),
    where tile has a mode for each mode. It is `zipped_divide` with other grouping, and raises
    `DiagnosticError` for the same tilers.
    """
    return algebra.on_coordinates(lambda plain: _opened(zipped_divide(plain, tiler), keep=1), layout)


def flat_divide(layout: algebra.LayoutT, tiler: algebra.Tiler) -> algebra.LayoutT:
    """Divide each mode of `layout` by `tiler`, and return (tile of mode 0, tile of mode 1, ..., tiles of mode
    0, tiles of mode 1, ...). It is `zipped_divide` with other grouping, and raises `DiagnosticError` for the
    same tilers.
    """
    return algebra.on_coordinates(lambda plain: _opened(zipped_divide(plain, tiler), keep=0), layout)


def logical_product(layout: Layout, tiler: algebra.Tiler) -> Layout:
    """Return (layout, positions): mode 1 repeats the layout at the offsets of `tiler`, in units of the
    complement of the layout. A tuple multiplies mode by mode. Raises `DiagnosticError` if the layout has no
    complement, or no shape and stride describe the result.
    """
    if isinstance(tiler, tuple):
        return algebra.by_mode(logical_product, layout, tiler)
    free = algebra.complement(layout, layout.size * tiler.cosize)
    return Layout.of((layout, algebra.composition(free, tiler)))


def zipped_product(layout: Layout, tiler: algebra.Tiler) -> Layout:
    """Return ((modes of the layout), (positions of each mode)): the modes of `logical_product`, regrouped. A
    mode whose tiler is None is kept, and has one position; a mode without a tiler is a position.
    """
    return _zipped(logical_product, layout, tiler)


def blocked_product(layout: Layout, tiler: Layout) -> Layout:
    """Return ((mode of layout, mode of tiler), ...): contiguous copies of the layout side by side, at the
    positions of `tiler`. The argument with fewer modes is padded with modes of extent 1. Raises
    `DiagnosticError` as `logical_product` does.
    """
    return Layout.of([Layout.of(pair) for pair in _product_pairs(layout, tiler)])


def raked_product(layout: Layout, tiler: Layout) -> Layout:
    """Return ((mode of tiler, mode of layout), ...): copies of the layout interleaved, element by element, at
    the positions of `tiler`. The argument with fewer modes is padded with modes of extent 1. Raises
    `DiagnosticError` as `logical_product` does.
    """
    return Layout.of([Layout.of(pair[::-1]) for pair in _product_pairs(layout, tiler)])


def _product_pairs(layout: Layout, tiler: Layout) -> list[tuple[Layout, Layout]]:
    """Return, for each mode, the mode of `layout` and the mode of `tiler` as the positions of the copies: the
    modes of `logical_product`. The layout with fewer modes is padded with modes of extent 1.
    """
    rank = max(len(layout.modes), len(tiler.modes))
    padded = [Layout.of(_padded(factor.modes, rank)) for factor in (layout, tiler)]
    first, second = logical_product(*padded).modes
    return list(zip(first.modes, second.modes, strict=True))


def _padded(modes: Sequence[Layout], rank: int) -> tuple[Layout, ...]:
    return (*modes, *[UNIT] * (rank - len(modes)))


def _zipped(split: Splitting, layout: Layout, tiler: algebra.Tiler) -> Layout:
    """Apply ``split`` to the modes of ``layout`` with the members of the tuple ``tiler``, and return a layout
    of two modes: all first halves, and all second halves. A mode whose tiler is None has the first half 1:0;
    a mode without a tiler has only a second half. A tiler that is a layout is applied to ``layout`` as a
    whole.
    """
    if not isinstance(tiler, tuple):
        return split(layout, tiler)
    modes = algebra.modes_for(layout, tiler)
    pairs = [
        (mode, UNIT) if inner is None else _zipped(split, mode, inner).modes
        for mode, inner in zip(modes, tiler, strict=False)
    ]
    rests = (*(rest for _, rest in pairs), *modes[len(tiler) :])
    return Layout.of((Layout.of([first for first, _ in pairs]), Layout.of(rests)))


def _opened(layout: Layout, keep: int) -> Layout:
    """Return `layout` with each mode after the first ``keep`` modes replaced by the modes inside it.

    ``(A, (B, C))`` becomes ``(A, B, C)`` for ``keep`` = 1.
    """
    modes = layout.modes
    return Layout.of((*modes[:keep], *(inner for mode in modes[keep:] for inner in mode.modes)))
