"""The algebra of layouts: functions that restrict, compose, complement or invert the maps of layouts.

Each function returns a layout whose map its docstring states; the tests check that statement coordinate by
coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import mul
from typing import TypeVar

from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.layouts.codes import BAD_LAYOUT, DIFFERENT_TILES, NOT_COMPOSABLE, NOT_INVERTIBLE
from tilewright.layouts.layout import ComposedLayout, Layout, Mode

LayoutT = TypeVar("LayoutT", Layout, ComposedLayout)
Tiler = Layout | tuple["Tiler | None", ...]
"""A layout, or one tiler for each of the first modes; None keeps a mode as it is."""


def on_coordinates(change: Callable[[Layout], Layout], layout: LayoutT) -> LayoutT:
    """Return `layout` with `change` applied to the layout that takes the coordinates: to `layout` itself, or,
    in a composed layout, to its field ``layout``. The swizzle or layout that is applied to the offsets of a
    composed layout is kept.
    """
    if isinstance(layout, ComposedLayout):
        return ComposedLayout(layout.inner, layout.offset, change(layout.layout))
    return change(layout)


def modes_for(layout: Layout, tilers: Sequence[Tiler | None]) -> tuple[Layout, ...]:
    """Return all top-level modes of a layout; the first modes are to be paired with ``tilers``. Raises
    `DiagnosticError` if there are more tilers than modes.
    """
    if len(tilers) > len(layout.modes):
        count = len(layout.modes)
        raise failure(BAD_LAYOUT, f"expected at most {count} tilers for {layout}, got {len(tilers)}")
    return layout.modes


def by_mode(
    change: Callable[[Layout, Tiler], Layout], layout: Layout, tilers: Sequence[Tiler | None]
) -> Layout:
    """Return a layout with `change` applied to its first modes, each with its own tiler. Modes without a
    tiler, or whose tiler is None, are kept. Raises `DiagnosticError` if there are more tilers than modes.
    """
    modes = modes_for(layout, tilers)
    tiled = [
        mode if tiler is None else change(mode, tiler) for mode, tiler in zip(modes, tilers, strict=False)
    ]
    return Layout.of((*tiled, *modes[len(tilers) :]))


def coalesce(layout: LayoutT) -> LayoutT:
    """Return the flat layout with the fewest modes that maps every number to the same offset: modes of extent
    1 are left out, and modes that continue the one before are merged with it.
    """
    return on_coordinates(lambda plain: Layout.flat(_coalesced(plain.leaves)), layout)


def _coalesced(modes: Sequence[Mode]) -> list[Mode]:
    found: list[Mode] = []
    for extent, step in modes:
        if extent == 1:
            continue
        if found and step == found[-1][0] * found[-1][1]:
            found[-1] = (found[-1][0] * extent, found[-1][1])
        else:
            found.append((extent, step))
    return found


def filter_zeros(layout: Layout) -> Layout:
    """Return the layout with every extent of stride 0, which repeats elements, replaced by 1."""
    if isinstance(layout.shape, tuple):
        return Layout.of([filter_zeros(mode) for mode in layout.modes])
    return layout if layout.stride else Layout(1, 0)


def composition(layout: LayoutT, inner: Tiler) -> LayoutT:
    """Return the layout that maps a coordinate c to ``layout(inner(c))``; it has the shape of ``inner``, with
    modes nested in it. Beyond its last element ``layout`` continues with its last stride. A tuple is composed
    mode by mode. Raises `DiagnosticError` if no shape and stride describe the result.
    """
    return on_coordinates(lambda plain: _composed(plain, inner), layout)


def _composed(layout: Layout, inner: Tiler) -> Layout:
    if isinstance(inner, tuple):
        return by_mode(_composed, layout, inner)
    walk = _Walk(_coalesced(layout.leaves) or [(1, 0)], f"{layout} and {inner}")
    found = walk.tree(inner)
    walk.check_carries()
    return found


class _Walk:
    """Composes a layout, given by its coalesced ``modes``, with an inner layout, leaf by leaf of the inner
    layout. ``words`` is the text of both layouts, for messages.
    """

    def __init__(self, modes: Sequence[Mode], words: str) -> None:
        self.modes = modes
        self.words = words
        self.reached = [0] * len(modes)
        """The largest coordinate that is reached in each of ``modes``, summed over the leaves of the inner
        layout.
        """

    def tree(self, inner: Layout) -> Layout:
        """Return the composition with `inner`: its shape, with a mode for each of its modes. Raises
        `DiagnosticError` if no shape and stride describe it; `check_carries` is to be called afterwards.
        """
        if isinstance(inner.shape, tuple):
            return Layout.of([self.tree(mode) for mode in inner.modes])
        return Layout.flat(self._leaf(*inner.leaves[0]))

    def _leaf(self, count: int, step: int) -> list[Mode]:
        """Return the extents and strides of the composition with a leaf, ``count:step`` in CuTe's notation.
        Raises `DiagnosticError` for a negative stride, and for a leaf that takes no whole parts of the modes.
        """
        if count == 1 or step == 0:
            return [(count, 0)]
        if step < 0:
            raise failure(NOT_COMPOSABLE, f"the second of {self.words} has a negative stride")
        found: list[Mode] = []
        for at, (extent, _) in enumerate(self.modes[:-1]):
            if (count - 1) * step < extent:
                return [*found, self._part(at, count, step)]
            if step >= extent:
                step = self._quotient(step, extent)
                continue
            taken = self._quotient(extent, step)
            found.append(self._part(at, taken, step))
            count, step = self._quotient(count, taken), 1
        return [*found, self._part(len(self.modes) - 1, count, step)]

    def _part(self, at: int, count: int, step: int) -> Mode:
        """Return the extent and stride that select `count` elements, every `step`-th one, of mode number
        `at`. Adds the largest coordinate to `reached`.
        """
        self.reached[at] += (count - 1) * step
        return count, step * self.modes[at][1]

    def _quotient(self, number: int, divisor: int) -> int:
        if number % divisor:
            raise self._refused(f"{divisor} does not divide {number}")
        return number // divisor

    def check_carries(self) -> None:
        """Raise `DiagnosticError` if coordinates of several leaves can add up to the extent of a mode or
        more, and so carry into the next mode.
        """
        for (extent, _), reached in zip(self.modes[:-1], self.reached, strict=False):
            if reached >= extent:
                raise self._refused(f"modes of the second add up to element {reached} of {extent}")

    def _refused(self, reason: str) -> DiagnosticError:
        hint = "choose extents and strides of the second that divide, or are multiples of, the extents of the first"
        return failure(NOT_COMPOSABLE, f"{self.words} are not composable: {reason}", hint=hint)


def complement(layout: Layout, extent: int) -> Layout:
    """Return the complement of ``layout``: together they reach every offset below ``extent`` exactly once.
    They may reach further, to the next multiple of extent times stride of the mode with the largest stride.
    Modes of stride 0 are ignored. Raises `DiagnosticError` if strides overlap: ``(2, 2):(1, 3)`` has no
    complement.
    """
    found: list[Mode] = []
    covered = 1
    for size, step in sorted(_spread(layout), key=lambda mode: mode[1]):
        if step < covered or step % covered:
            hint = "each stride must be a multiple of what smaller strides cover"
            message = f"{layout} has no complement: stride {step} follows {covered} covered offsets"
            raise failure(NOT_INVERTIBLE, message, hint=hint)
        found.append((step // covered, covered))
        covered = size * step
    found.append((-(-extent // covered), covered))
    return Layout.flat(_coalesced(found))


def _spread(layout: Layout) -> list[Mode]:
    """Return (extent, stride) of the leaves with an extent above 1 and a stride other than 0."""
    return [(extent, step) for extent, step in layout.leaves if extent > 1 and step]


def right_inverse(layout: Layout) -> Layout:
    """Return the largest layout R with ``layout(R(i)) == i`` for every i below its size."""
    extents = [extent for extent, _ in layout.leaves]
    before = accumulate(extents, mul, initial=1)
    numbered = [(step, extent, place) for (extent, step), place in zip(layout.leaves, before, strict=False)]
    found: list[Mode] = []
    reached = 1
    for step, extent, place in sorted(numbered):
        if extent > 1 and step == reached:
            found.append((extent, place))
            reached *= extent
    return Layout.flat(_coalesced(found))


def left_inverse(layout: Layout) -> Layout:
    """Return a layout L with ``L(layout(i)) == i`` for every i below the size of ``layout``.

    Raises `DiagnosticError` if an extent above 1 has stride 0, or strides overlap, so that ``layout`` has no
    complement.
    """
    if any(extent > 1 and not step for extent, step in layout.leaves):
        raise failure(NOT_INVERTIBLE, f"{layout} has no left inverse: a stride is 0")
    return right_inverse(Layout.of((layout, complement(layout, layout.cosize))))


def max_common_vector(first: Layout, second: Layout) -> int:
    """Return the number of elements, from the first on, that are consecutive in both layouts: the vector
    width of a copy between them. Raises `DiagnosticError` if the layouts have different sizes, or cannot be
    composed.
    """
    if first.size != second.size:
        raise failure(DIFFERENT_TILES, f"{first} has {first.size} elements, and {second} has {second.size}")
    extent, step = coalesce(composition(first, right_inverse(second))).leaves[0]
    return extent if step == 1 else 1
