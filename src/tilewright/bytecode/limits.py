"""Limits that keep time and memory in proportion to the input, for any contents."""

from __future__ import annotations

from tilewright.bytecode.codes import INVALID_TABLE, LIMIT
from tilewright.bytecode.cursor import ErrorFrame, ReadError


class Budget:
    """Bounds the work of decoding tables whose entries may share bytes: the sum of the sizes of decoded
    entries may be eight times the ``size`` of the table plus 4096, in bytes. ``what`` names the entries in
    the error.
    """

    __slots__ = ("_what", "left")

    def __init__(self, size: int, what: str) -> None:
        self.left = 8 * size + 4096
        """The number of bytes of work that may still be done."""
        self._what = what

    def spend(self, amount: int, offset: int) -> None:
        """Subtract ``amount`` bytes from the budget, for work on the entry at ``offset`` in the file. Raises
        `ReadError` at this offset if the budget is exceeded.
        """
        self.left -= amount
        if self.left < 0:
            raise ReadError(LIMIT, ErrorFrame(f"too many {self._what} share the same bytes", offset))


class Nesting:
    """Limits the depth and size that table entries reach by referring to each other. ``depth`` bounds the
    levels of an entry, ``weight`` the number of entries in it, shared ones counted each time (as printing
    would visit them). ``what`` names an entry in errors.
    """

    __slots__ = ("_active", "_depth", "_weight", "_what", "sizes")

    def __init__(self, what: str, depth: int, weight: int) -> None:
        self._what = what
        self._depth = depth
        self._weight = weight
        self.sizes: dict[int, tuple[int, int]] = {}
        """The depth and the weight of each entry that was decoded, by index."""
        self._active: dict[int, tuple[int, int]] = {}

    def enter(self, index: int, offset: int | None) -> None:
        """Start decoding the entry ``index``. Raises `ReadError` at ``offset`` in the file (None: unknown) if
        the entry contains itself, or is nested too deep.
        """
        if index in self._active:
            raise ReadError(INVALID_TABLE, offset=offset, detail=f"{self._what} {index} contains itself")
        if len(self._active) >= self._depth:
            raise self._too_deep(offset)
        self._active[index] = (1, 1)

    def leave(self, index: int, *, done: bool) -> None:
        """Stop decoding an entry; if it is ``done``, record its depth and weight in ``sizes``."""
        size = self._active.pop(index)
        if done:
            self.sizes[index] = size

    def allows(self, depth: int, weight: int) -> bool:
        """Return whether an entry may have this depth and this weight."""
        return depth <= self._depth and weight <= self._weight

    def use(self, index: int, offset: int | None, *, deeper: bool = True) -> None:
        """Record that the entry being decoded refers to the decoded entry ``index``, which adds its weight,
        and one level unless ``deeper`` is false. Raises `ReadError` at ``offset`` if the depth or the weight
        exceeds its limit. Does nothing if no entry is being decoded.
        """
        if not self._active:
            return
        user = next(reversed(self._active))
        depth, weight = self._active[user]
        used_depth, used_weight = self.sizes[index]
        depth, weight = max(depth, used_depth + deeper), weight + used_weight
        if depth > self._depth:
            raise self._too_deep(offset)
        if weight > self._weight:
            detail = f"{self._what} {user} is made of more than {self._weight} others"
            raise ReadError(LIMIT, offset=offset, detail=detail)
        self._active[user] = depth, weight

    def _too_deep(self, offset: int | None) -> ReadError:
        return ReadError(LIMIT, offset=offset, detail=f"{self._what}s nest deeper than {self._depth} levels")
