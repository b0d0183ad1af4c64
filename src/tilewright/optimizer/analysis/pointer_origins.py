"""The targets of pointers: the memory that a pointer may refer to, and its distance from the start of this
memory.

Tile IR does not promise that two parameters of a kernel point to different memory, so they may be the same. A
global or an alloca is separate memory; an access that starts from one object and ends in another is
undefined.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from tilewright.ir.value import Value
from tilewright.optimizer.analysis.intervals import Interval

FARTHEST = 1 << 61
"""The distance in bytes beyond which offsets are unknown, so that sums of two cannot wrap around at 64 bits."""


class RootKind(Enum):
    """The kinds of memory that a pointer may come from."""

    ARGUMENT = "parameter"
    GLOBAL = "global"
    ALLOCA = "alloca"


class MemoryRoot(NamedTuple):
    """An object in memory that pointers come from: the memory of a parameter, a global, or an alloca.
    ``name`` distinguishes roots of a kind: the number of the parameter, the name of the global, the result of
    the alloca.
    """

    kind: RootKind
    name: int | str | Value

    def __str__(self) -> str:
        if isinstance(self.name, Value):
            return "alloca"
        return f"@{self.name}" if self.kind is RootKind.GLOBAL else f"{self.kind.value} #{self.name}"


class PointerOrigin(NamedTuple):
    """The memory that a pointer (or each pointer of a tile) may come from.

    ``roots`` is None if it may be any memory. ``offset`` bounds the distance from the start of the root in
    bytes; None if it is unknown.
    """

    roots: frozenset[MemoryRoot] | None = None
    offset: Interval | None = None

    def join(self, other: PointerOrigin) -> PointerOrigin:
        """Return the origin of a pointer that has one of the two origins: all roots of both, and the hull of
        the offsets. `ANYWHERE` if one of the two may be any memory; the offset is unknown if one offset is.
        """
        if self.roots is None or other.roots is None:
            return ANYWHERE
        if self.offset is None or other.offset is None:
            return PointerOrigin(self.roots | other.roots)
        return PointerOrigin(self.roots | other.roots, self.offset.hull(other.offset))

    def moved(self, distance: Interval | None) -> PointerOrigin:
        """Return the origin advanced by `distance` bytes. The offset becomes unknown if `distance` is None,
        or if the sum may be `FARTHEST` or more from the root.
        """
        if self.offset is None or distance is None:
            return PointerOrigin(self.roots)
        low, high = self.offset.low + distance.low, self.offset.high + distance.high
        return PointerOrigin(self.roots, Interval(low, high) if low > -FARTHEST and high < FARTHEST else None)

    def __str__(self) -> str:
        if self.roots is None:
            return "anywhere"
        where = " or ".join(sorted(map(str, self.roots)))
        if self.offset is None:
            return where
        distance = self.offset.constant
        return f"{where} + {self.offset if distance is None else distance}"


ANYWHERE = PointerOrigin()


class AccessOverlap(Enum):
    """Whether two accesses touch the same memory: never, always exactly the same bytes, or possibly."""

    DISJOINT = "disjoint"
    SAME = "same"
    MAY = "may"


def parameters(roots: Iterable[MemoryRoot]) -> frozenset[int]:
    """Return the indices of the kernel parameters among `roots`."""
    return frozenset(
        root.name for root in roots if root.kind is RootKind.ARGUMENT and isinstance(root.name, int)
    )


def start_of(root: MemoryRoot) -> PointerOrigin:
    """Return the origin of a pointer to the first byte of `root`."""
    return PointerOrigin(frozenset((root,)), Interval(0, 0))


def overlap(
    a: PointerOrigin, b: PointerOrigin, bytes_a: int | None, bytes_b: int | None
) -> tuple[AccessOverlap, str]:
    """Return whether two accesses overlap, and the reason in words. The first access is at the origin `a`, of
    ``bytes_a`` bytes (None: unknown), the second at `b`, of ``bytes_b`` bytes. `SAME` is returned only if
    both have the same constant address in one root, and the same size.
    """
    if a.roots is None or b.roots is None:
        return AccessOverlap.MAY, "a pointer was made from an integer, or comes from where nothing is known"
    if not roots_may_overlap(a.roots, b.roots):
        return AccessOverlap.DISJOINT, f"{_listed(a.roots)} and {_listed(b.roots)} are different memory"
    if len(a.roots | b.roots) > 1:
        return AccessOverlap.MAY, f"{_listed(a.roots | b.roots)} may be the same memory"
    if a.offset is None or b.offset is None or bytes_a is None or bytes_b is None:
        return AccessOverlap.MAY, f"both are in {_listed(a.roots)}, at an unknown distance"
    if a.offset.high + bytes_a <= b.offset.low or b.offset.high + bytes_b <= a.offset.low:
        return AccessOverlap.DISJOINT, f"bytes {a.offset} and {b.offset} of {_listed(a.roots)} do not overlap"
    if a.offset == b.offset and a.offset.constant is not None and bytes_a == bytes_b:
        return AccessOverlap.SAME, f"both are byte {a.offset.low} of {_listed(a.roots)}"
    return AccessOverlap.MAY, f"bytes {a.offset} and {b.offset} of {_listed(a.roots)} may overlap"


def roots_may_overlap(a: frozenset[MemoryRoot] | None, b: frozenset[MemoryRoot] | None) -> bool:
    """Return whether two sets of memory roots may share memory; None means any memory."""
    if a is None or b is None:
        return True
    return not all(_apart(first, second) for first in a for second in b)


def _apart(first: MemoryRoot, second: MemoryRoot) -> bool:
    """True if two roots are certainly different memory: different globals and allocas are, and a parameter
    never points to an alloca. A parameter may point to a global, because the host can find its address.
    """
    if first == second:
        return False
    kinds = {first.kind, second.kind}
    return RootKind.ARGUMENT not in kinds or RootKind.ALLOCA in kinds


def _listed(roots: frozenset[MemoryRoot]) -> str:
    return " or ".join(sorted(map(str, roots)))
