"""Turns the findings of checked kernels into diagnostics."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.interp import codes
from tilewright.interp.memory import access_messages
from tilewright.interp.memory.address_space import LaunchMemory
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import DiagnosticCode, DiagnosticError, failure
from tilewright.ir.support.ignores import is_ignored
from tilewright.runtime.codes import OF_CHECKS
from tilewright.runtime.context import CheckEvent, CheckRequirements, ReportSite
from tilewright.runtime.description import KernelImage
from tilewright.runtime.reports import condition_words, hint_of

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p)
_DETAILS = {
    CheckEvent.FINDING: 4,
    CheckEvent.RACE: 4,
    CheckEvent.RELEASE: 3,
    CheckEvent.ACQUIRE: 2,
}
"""How many words of details an event has, if not three."""
_CODES = {
    CheckEvent.OUTSIDE: codes.OUT_OF_BOUNDS,
    CheckEvent.MISALIGNED: codes.MISALIGNED,
    CheckEvent.READ_ONLY: codes.READ_ONLY,
    CheckEvent.RACE: codes.DATA_RACE,
    CheckEvent.TWICE: codes.DATA_RACE,
}
"""The diagnostic code of each event; the codes of failed conditions of checks are in `codes.OF_CHECKS`."""
_NOTE = (1 << 32) - 1
"""The bits of a cell that identify the tile block and site of an access."""


@dataclass(frozen=True, slots=True)
class BlockFinding:
    """An event that a tile block reported: the number of the site, of the tile block, and the details of
    `CheckEvent`.
    """

    event: CheckEvent
    site: int
    block: int
    details: tuple[int, ...]


class BlockClocks:
    """The vector clocks of tile blocks, updated by releases and acquires.

    A clock has a number for each tile block: its last epoch that is ordered before. A tile block's own clock
    is in memory that the kernel reads; the clocks released at addresses are stored here.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._released: dict[int, Any] = {}
        self._lock = threading.Lock()

    def release(self, block: int, address: int, clock: int, epoch: int) -> None:
        """Publish the clock of tile block `block`, at the address `clock`, for tile blocks that acquire
        `address`; its own accesses count up to `epoch`.
        """
        with self._lock:
            known = self._released.setdefault(address, np.zeros(self._count, np.uint32))
            np.maximum(known, self._clock(clock), out=known)
            known[block] = max(int(known[block]), epoch)

    def acquire(self, address: int, clock: int) -> None:
        """Merge everything that was released at `address` into the clock at the address `clock`: it happens
        before the following accesses of the tile block.
        """
        with self._lock:
            known = self._released.get(address)
            if known is not None:
                mine = self._clock(clock)
                np.maximum(mine, known, out=mine)

    def _clock(self, address: int) -> Any:
        held: Any = (ctypes.c_uint32 * self._count).from_address(address)
        return np.frombuffer(held, np.uint32)


class Observer:
    """Receives the findings of the tile blocks of a launch of the kernel `image` on `grid`; ``address`` is
    the function that kernels call. `space` has the memory of the launch, by which messages name addresses.
    """

    def __init__(
        self, image: KernelImage, checks: CheckRequirements, grid: tuple[int, int, int], space: LaunchMemory
    ) -> None:
        self._image = image
        self._checks = checks
        self._grid = grid
        self._space = space
        self._findings: list[BlockFinding] = []
        self._failure: BaseException | None = None
        self._ignored: dict[tuple[CheckEvent, int, int], bool] = {}
        self.first_number = 1
        self._clocks = self._new_clocks()
        self._function = _CALLBACK(self._observe)
        self.address: int = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    @property
    def count(self) -> int:
        """Return the number of tile blocks."""
        x, y, z = self._grid
        return x * y * z

    def _new_clocks(self) -> BlockClocks:
        return BlockClocks(self.count if self._checks.clocks else 0)

    def begin(self, first_number: int) -> None:
        """Remove the findings, the failure and the released clocks of an earlier launch at the begin of a
        launch, whose tile blocks are numbered from `first_number`.
        """
        self.first_number = first_number
        self._findings.clear()
        self._failure = None
        self._clocks = self._new_clocks()

    def raise_failure(self) -> None:
        """Raise the exception that occurred in the observer, if there is one: it could not pass through the
        kernel.
        """
        if self._failure is not None:
            raise self._failure

    def finding(self) -> BlockFinding | None:
        """Return the first finding of the tile block with the lowest number; None if there are no findings."""
        return min(self._findings, key=lambda found: found.block, default=None)

    def _observe(self, context: int, event: int, site: int, block: int, details: int) -> int:
        try:
            words = ctypes.cast(details, ctypes.POINTER(ctypes.c_uint64))
            kind = CheckEvent(event)
            given = tuple(int(words[at]) for at in range(_DETAILS.get(kind, 3)))
            return self._take(BlockFinding(kind, site, block, given))
        except BaseException as error:
            self._failure = error
            return 1

    def _take(self, found: BlockFinding) -> int:
        """Record a finding, or the clock that a tile block releases or acquires; return nonzero if the tile
        block has to end.
        """
        if found.event is CheckEvent.RELEASE:
            self._clocks.release(found.block, *found.details)
        elif found.event is CheckEvent.ACQUIRE:
            self._clocks.acquire(*found.details)
        elif not self._is_ignored(found):
            self._findings.append(found)
            return 1
        return 0

    def _is_ignored(self, found: BlockFinding) -> bool:
        """Return whether a comment of the program ignores a finding; the tile block then continues."""
        site, other = self._image.sites[found.site], self._other_site(found)
        key = found.event, found.site, -1 if other is None else other
        known = self._ignored.get(key)
        if known is None:
            places = [site.location] if other is None else [site.location, self._image.sites[other].location]
            code = OF_CHECKS[site.kind] if found.event is CheckEvent.FINDING else _CODES[found.event]
            known = self._ignored[key] = is_ignored(code, *places)
        return known

    def _other_site(self, found: BlockFinding) -> int | None:
        """Return the number of the site of the other access of a race.

        Return None if several tile blocks made it, or if the finding is no race.
        """
        if found.event is not CheckEvent.RACE or self._other_block(found) == self._several:
            return None
        return found.details[3] & _NOTE & ((1 << self._checks.site_bits) - 1)

    def _other_block(self, found: BlockFinding) -> int:
        """Return the number of the tile block that made the other access of a race, `_several` for more than one."""
        return ((found.details[3] & _NOTE) >> self._checks.site_bits) - self.first_number

    @property
    def _several(self) -> int:
        return self._checks.numbers(self.count) - 1

    # --- words

    def diagnosis(self, found: BlockFinding) -> DiagnosticError:
        """Return the error for a finding, at the source line of its site; the message names the kernel and
        the tile block.
        """
        site = self._image.sites[found.site]
        say = {
            CheckEvent.FINDING: self._condition,
            CheckEvent.OUTSIDE: self._outside,
            CheckEvent.MISALIGNED: self._misaligned,
            CheckEvent.READ_ONLY: self._read_only,
            CheckEvent.RACE: self._race,
            CheckEvent.TWICE: self._twice,
        }
        words = say[found.event](site, found)
        text = f"kernel '{self._image.title}' in {self._block_name(found.block)}: {words.text}"
        return failure(words.code, text, site.location, hint=words.hint, notes=words.notes)

    def _block_name(self, block: int) -> str:
        x, y, _ = self._grid
        return f"tile block ({block % x}, {block // x % y}, {block // (x * y)})"

    def _condition(self, site: ReportSite, found: BlockFinding) -> _FindingText:
        text = condition_words(
            site,
            found.details,
            lambda address: access_messages.array_words(address, self._space.allocations),
        )
        return _FindingText(OF_CHECKS[site.kind], text, hint_of(site))

    def _outside(self, site: ReportSite, found: BlockFinding) -> _FindingText:
        address = _signed(found.details[0])
        source = int(site.types[3]) if site.types[3] else None
        size, known = int(site.types[1]), self._space.allocations
        text = access_messages.outside_words(site.text, size, _lane(site, found), address, known, source)
        return _FindingText(codes.OUT_OF_BOUNDS, text, access_messages.OUTSIDE_HINT)

    def _misaligned(self, site: ReportSite, found: BlockFinding) -> _FindingText:
        text = f"{self._access(site, found)} is not aligned to {site.types[1]} bytes"
        hint = "pass an aligned array; byte offsets must be multiples of the element size"
        return _FindingText(codes.MISALIGNED, text, hint)

    def _read_only(self, site: ReportSite, found: BlockFinding) -> _FindingText:
        text = f"{site.text} by {_lane(site, found)} writes to {self._place(found)}, which is read-only"
        hint = "pass a writeable array (numpy: array.flags.writeable), or copy it first"
        return _FindingText(codes.READ_ONLY, text, hint)

    def _race(self, site: ReportSite, found: BlockFinding) -> _FindingText:
        number = self._other_site(found)
        text = f"{site.text} of {self._place(found)} races with "
        hint = "let each tile block write its own elements, use atomics, or order them by release and acquire"
        if number is None:
            return _FindingText(codes.DATA_RACE, f"{text}accesses of several tile blocks", hint)
        other = self._image.sites[number]
        text += f"the {other.text} in {self._block_name(self._other_block(found))}"
        return _FindingText(codes.DATA_RACE, text, hint, [("the other access is here", other.location)])

    def _twice(self, site: ReportSite, found: BlockFinding) -> _FindingText:
        text = f"{site.text} of {self._place(found)} races with itself: two elements share the address"
        return _FindingText(
            codes.DATA_RACE, text, "let each element have an address of its own, or use atomics"
        )

    def _access(self, site: ReportSite, found: BlockFinding) -> str:
        """Return a phrase for the access: ``load of 4 bytes at 0x7f00 by`` and the element of the tile."""
        address = found.details[0]
        return f"{site.text} of {site.types[1]} bytes at {address:#x} by {_lane(site, found)}"

    def _place(self, found: BlockFinding) -> str:
        """Return the name of the array element at the address of the finding, or the address if no array
        contains it.
        """
        address = _signed(found.details[0])
        for allocation in self._space.allocations:
            if allocation.base <= address < allocation.end:
                return access_messages.place_words(allocation, address)
        return f"{found.details[0]:#x}"


@dataclass(frozen=True, slots=True)
class _FindingText:
    """The parts of the diagnostic of a finding; ``notes`` are texts with locations."""

    code: DiagnosticCode
    text: str
    hint: str
    notes: Sequence[tuple[str, Location]] = ()


def _lane(site: ReportSite, found: BlockFinding) -> str:
    """Return a phrase for the element that an access found wrong, such as ``element [1, 2] of the tile``;
    ``the element`` for a scalar.
    """
    _, element, skipped, *_ = found.details
    (shape,) = site.shapes
    if not shape:
        return "the element"
    row = site.types[2]
    index: list[Any] = list(np.unravel_index(element, shape))
    if row:
        index[int(row)] += skipped
    return f"element [{', '.join(str(int(at)) for at in index)}] of the tile"


def _signed(word: int) -> int:
    """Return an address as the interpreter counts: a signed number."""
    return word - (1 << 64) if word >> 63 else word
