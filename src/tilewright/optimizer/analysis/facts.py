"""The facts about one value: a lattice from everything (a value that never exists) down to nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from tilewright.dialects.cuda_tile.types import PointerType, TensorViewType, TileType, TileViewType
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.optimizer.analysis.intervals import Interval, signed_range
from tilewright.optimizer.analysis.pointer_origins import ANYWHERE, PointerOrigin
from tilewright.optimizer.analysis.runs import MAXIMUM_DIVISOR, AxisFacts, power_of_two_in

_BYTES: dict[Type, int] = {builtin_types.tf32: 4}
"""The size in bytes of element types whose size does not follow from their width."""


def stored_bytes(element: Type) -> int | None:
    """Return the number of bytes from an element to the next one in memory, at least 1; 4 for tf32. None for
    f4 (two elements share a byte), and for types other than integers and floats, such as pointers and
    `index`.
    """
    if element is builtin_types.f4E2M1FN or not isinstance(
        element, builtin_types.IntegerType | builtin_types.FloatType
    ):
        return None
    return _BYTES.get(element) or max(1, element.width // 8)


def step_of(element: Type) -> int:
    """Return the difference of consecutive elements in a contiguous run of elements of the type `element`:
    the pointee's size in bytes for pointers (1 if it has none, see `stored_bytes`), 1 for other elements.
    """
    return (stored_bytes(element.pointee) or 1) if isinstance(element, PointerType | PtrType) else 1


class Extent(NamedTuple):
    """The facts about one extent of a tensor view: its (unsigned) bounds, and a power of two that divides it."""

    bounds: Interval
    divisor: int

    def join(self, other: Extent) -> Extent:
        """Return the facts of an extent if the facts `self` or the facts `other` hold: the hull of the
        bounds, and the smaller divisor.
        """
        return Extent(self.bounds.hull(other.bounds), min(self.divisor, other.divisor))

    def __str__(self) -> str:
        return str(self.bounds if self.bounds.constant is None else self.bounds.constant)


LONGEST = (1 << 63) - 1
ANY_EXTENT = Extent(Interval(1, LONGEST), 1)
"""Extents are positive, and linear offsets have 63 bits."""


@dataclass(frozen=True, slots=True)
class ValueFacts:
    """Facts about a value; each holds by itself.

    - ``bounds``: an interval that contains every element of an integer tile, read as signed; None for other
      values.
    - ``divisor``: a power of two that divides every element of an integer tile, every address of a pointer
      tile, and the base address of a tensor view; 1 if none is known.
    - ``runs``: contiguity, divisibility and constancy along each dimension of a tile; empty for other values.
    - ``place``: the memory that pointers and views point to; None for other values.
    - ``extents``: the facts about the extent of each dimension of a view's tensor; empty for other values.
    """

    bounds: Interval | None = None
    divisor: int = 1
    runs: tuple[AxisFacts, ...] = ()
    place: PointerOrigin | None = None
    extents: tuple[Extent, ...] = ()

    @property
    def constant(self) -> int | None:
        """Return the number that every element is equal to, read as signed; None if there is no such number."""
        return None if self.bounds is None else self.bounds.constant

    def changed(self, **facts: Any) -> Self:
        """Return these facts with the fields that are named in `facts` replaced."""
        return replace(self, **facts)

    def __str__(self) -> str:
        return ", ".join(_words(self)) or "nothing"


def _words(facts: ValueFacts) -> list[str]:
    words: list[str] = []
    if facts.bounds is not None:
        constant = facts.constant
        words.append(f"bounds {facts.bounds}" if constant is None else f"= {constant}")
    if facts.divisor > 1 and facts.constant is None:
        words.append(f"divisor {facts.divisor}")
    for axis, run in enumerate(facts.runs):
        if run != AxisFacts(1, facts.divisor, 1):
            words.append(
                f"axis {axis}: contiguity {run.contiguity} divisibility {run.divisibility} constancy {run.constancy}"
            )
    if facts.extents:
        words.append(f"extents {' x '.join(map(str, facts.extents))}")
    if facts.place is not None:
        words.append(f"in {facts.place}")
    return words


INDEX_BITS = 64
"""The width of ``index``."""


TILES = (builtin_types.RankedTensorType, TileType)
SCALARS = (builtin_types.IntegerType, builtin_types.IndexType, PtrType)
"""The scalar types with facts: a tuple of classes, because a union would be created for each of thousands of
tests.
"""


def element_of(type: Type) -> Type | None:
    """Return the element type of a tile of Tile IR or TileAS. The scalar types of TileAS that have facts
    (integers, `index`, pointers) are their own element type. None for other types.
    """
    if isinstance(type, TILES):
        return type.element_type
    return type if isinstance(type, SCALARS) else None


def shape_of(type: Type) -> tuple[int, ...]:
    """Return the extents of a tile; `()` for other types."""
    return type.shape if isinstance(type, TILES) else ()


def width_of(type: Type) -> int | None:
    """Return the width in bits of the elements of an integer tile, or of an integer; 64 for `index`. None for
    other types.
    """
    element = element_of(type)
    if isinstance(element, builtin_types.IndexType):
        return INDEX_BITS
    return element.width if isinstance(element, builtin_types.IntegerType) else None


def points(type: Type) -> bool:
    """True for the types of Tile IR that refer to memory: pointer tiles, tensor views, views of tiles."""
    return isinstance(element_of(type), PointerType) or isinstance(type, TensorViewType | TileViewType)


def step(type: Type) -> int:
    """Return the difference of consecutive elements in a contiguous run of a tile of this type (see
    `step_of`); 1 for types without elements.
    """
    element = element_of(type)
    return 1 if element is None else step_of(element)


def unknown(type: Type) -> ValueFacts:
    """Return the facts that hold for every value of a type: the bounds of its integers, divisor 1, runs of
    one element, and any place in memory if it is a pointer or a view. A view has its extents, too.
    """
    if element_of(type) is None:
        return ValueFacts(place=ANYWHERE if points(type) else None, extents=_extents(type))
    width = width_of(type)
    bounds = None if width is None else signed_range(width)
    return ValueFacts(bounds, 1, (AxisFacts(),) * len(shape_of(type)), ANYWHERE if points(type) else None)


def _extents(type: Type) -> tuple[Extent, ...]:
    tensor = type.tensor if isinstance(type, TileViewType) else type
    if not isinstance(tensor, TensorViewType):
        return ()
    return tuple(
        [ANY_EXTENT if extent == builtin_types.DYNAMIC else known_extent(extent) for extent in tensor.shape]
    )


def known_extent(extent: int) -> Extent:
    """Return the facts about an extent that is the constant ``extent``."""
    return Extent(Interval(extent, extent), power_of_two_in(extent))


def join(a: ValueFacts, b: ValueFacts, type: Type) -> ValueFacts:
    """Return the facts of a value of `type` that is either the value of `a` or the value of `b`: the join of
    the lattice.
    """
    if a == b:
        return a
    stride = step(type)
    return refined(
        ValueFacts(
            None if a.bounds is None or b.bounds is None else a.bounds.hull(b.bounds),
            min(a.divisor, b.divisor),
            tuple([one.join(other, stride) for one, other in zip(a.runs, b.runs, strict=True)]),
            None if a.place is None or b.place is None else a.place.join(b.place),
            tuple([one.join(other) for one, other in zip(a.extents, b.extents, strict=True)]),
        ),
        type,
    )


def meet(a: ValueFacts, b: ValueFacts, type: Type) -> ValueFacts:
    """Return the facts of a value of `type` if both `a` and `b` hold for it. `place` and `extents` are taken
    from `a`; so are the bounds, if the two intervals have no number in common.
    """
    stride = step(type)
    bounds = a.bounds if a.bounds is None or b.bounds is None else a.bounds.clipped(b.bounds)
    runs = tuple([one.meet(other, stride) for one, other in zip(a.runs, b.runs, strict=True)])
    return refined(ValueFacts(bounds, max(a.divisor, b.divisor), runs, a.place, a.extents), type)


def refined(facts: ValueFacts, type: Type) -> ValueFacts:
    """Return the facts about a value of `type` with each fact strengthened by the others: bounds are rounded
    inwards to multiples of the divisor, and facts that leave one number become the facts of this constant.
    """
    stride = step(type)
    divisor = min(MAXIMUM_DIVISOR, max([facts.divisor, *[run.every(stride) for run in facts.runs]]))
    bounds = facts.bounds
    if bounds is not None:
        bounds = _multiples(bounds, divisor)
        if bounds.constant is not None:
            return constant(bounds.low, type, facts.place)
    runs = tuple([run.with_divisor(divisor) for run in facts.runs])
    if bounds == facts.bounds and divisor == facts.divisor and runs == facts.runs:
        return facts
    return ValueFacts(bounds, divisor, runs, facts.place, facts.extents)


def _multiples(bounds: Interval, divisor: int) -> Interval:
    """Return the interval from the smallest to the largest multiple of ``divisor`` in ``bounds``. If there is
    none, which a false assumption can cause, return ``bounds``.
    """
    low, high = -(-bounds.low // divisor) * divisor, bounds.high // divisor * divisor
    return Interval(low, high) if low <= high else bounds


def constant(value: int, type: Type, place: PointerOrigin | None = None) -> ValueFacts:
    """Return the facts of an integer tile of `type` whose elements are all `value`, read as signed. `place`
    is copied into the facts.
    """
    divisor = power_of_two_in(value)
    runs = tuple([AxisFacts(1, divisor, extent) for extent in shape_of(type)])
    return ValueFacts(Interval(value, value), divisor, runs, place)


def widened(old: ValueFacts, new: ValueFacts, type: Type) -> ValueFacts:
    """Return ``new``, which is weaker than ``old``, with the bounds that changed moved to the limits of
    `type`, and a pointer offset that changed made unknown, so that the analysis terminates soon. A lower
    bound that is not negative becomes 0. Divisors and runs are kept: they can shrink only a few times.
    """
    bounds, place = new.bounds, new.place
    width = width_of(type)
    if bounds is not None and old.bounds is not None and width is not None:
        limits = signed_range(width)
        low = bounds.low if bounds.low == old.bounds.low else 0 if bounds.low >= 0 else limits.low
        bounds = Interval(low, bounds.high if bounds.high == old.bounds.high else limits.high)
    if place is not None and old.place is not None and place.offset != old.place.offset:
        place = PointerOrigin(place.roots)
    return ValueFacts(bounds, new.divisor, new.runs, place, new.extents)
