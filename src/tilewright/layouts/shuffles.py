"""Schedules of shuffles: a conversion within warps as rounds, in each of which every lane sends one register.

A lane of the result finds the element of its register f in register R(f, l) of lane L(f, l) of the source, both linear.
In round t lane l fills register t + F l.  F is chosen such that lanes that read from one lane want the same register of
it, where that is possible; so there are as many rounds as registers.  Where several lanes want different registers of
one lane, whatever F is, rounds are repeated, once for each of them, and a lane takes part in one of the repetitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tilewright.ir.diagnostic import failure
from tilewright.layouts.bits import BitMatrix, Span, independent
from tilewright.layouts.codes import DIFFERENT_TILES
from tilewright.layouts.conversion import Kind, Movement


@dataclass(frozen=True, slots=True)
class Round:
    """One shuffle: what each lane does, lane 0 first."""

    sends: tuple[int, ...]
    """The register that each lane sends."""
    reads: tuple[int, ...]
    """The lane that each lane reads from."""
    fills: tuple[int | None, ...]
    """The register of the result that each lane fills; None where it ignores what it read."""

    @property
    def is_local(self) -> bool:
        """Whether every lane reads from itself: no shuffle is needed."""
        return self.reads == tuple(range(len(self.reads)))

    @property
    def xor(self) -> int | None:
        """The mask of a butterfly: every lane reads from the one that differs in these bits; None if it is none."""
        masks = {lane ^ other for lane, other in enumerate(self.reads)}
        return masks.pop() if len(masks) == 1 else None


def rounds(movement: Movement, warp: int = 0) -> Iterator[Round]:
    """The rounds of a conversion in a warp.

    Raises `DiagnosticError` if elements move between warps.
    """
    if movement.kind in (Kind.SHARED, Kind.BLOCKS):
        hint = "go through shared memory"
        raise failure(DIFFERENT_TILES, "elements of the conversion move between warps", hint=hint)
    return _Schedule(movement).rounds(warp)


class _Schedule:
    """The linear maps of a schedule: ``*_t`` take a round, ``*_l`` take a lane of the result, ``*_w`` a warp."""

    def __init__(self, movement: Movement) -> None:
        destination = movement.destination
        self.registers = len(destination.register)
        self.lanes = len(destination.lane)
        register_t, register_l, self.register_w = self._split(movement.part("register"))
        lane_t, lane_l, self.lane_w = self._split(movement.part("lane"))
        self.register_t, self.lane_t = register_t, lane_t
        self.fill_l = self._filling(register_l, lane_l)
        self.lane_l = _sum(lane_l, lane_t @ self.fill_l)
        self.register_l = _sum(register_l, register_t @ self.fill_l)
        self.reader = self.lane_l.pseudo_inverse()
        """From a lane of the source to one of the lanes that read from it in round 0."""
        conflicts = map(self.register_l, self.lane_l.kernel())
        self.repeats = BitMatrix(tuple(independent(conflicts, Span())), self.register_l.rows)

    def _split(self, matrix: BitMatrix) -> tuple[BitMatrix, BitMatrix, BitMatrix]:
        """The parts of a matrix that take the register, the lane and the warp."""
        ends = (0, self.registers, self.registers + self.lanes, len(matrix.columns))
        first, second, third = (
            BitMatrix(matrix.columns[start:end], matrix.rows) for start, end in pairwise(ends)
        )
        return first, second, third

    def _filling(self, register_l: BitMatrix, lane_l: BitMatrix) -> BitMatrix:
        """F: which register each lane fills in round 0, so that lanes that read from one lane want one register of it."""
        columns = [0] * self.lanes
        reached = Span(lane_l.columns)
        left: list[int] = []
        for lanes in lane_l.kernel():  # lanes that are so far apart read from one lane
            bit = lanes.bit_length() - 1
            apart = next((t for t, image in enumerate(self.lane_t.columns) if image not in reached), None)
            if apart is None:
                left.append(lanes)
            else:
                columns[bit] = 1 << apart
                reached.add(self.lane_t.columns[apart])
        self._settle(columns, left, register_l, lane_l)
        return BitMatrix(tuple(columns), self.registers)

    def _settle(self, columns: list[int], left: list[int], register_l: BitMatrix, lane_l: BitMatrix) -> None:
        """Let lanes that must read from one lane fill registers for which they want the same register of it."""
        filled = BitMatrix(tuple(columns), self.registers)
        reader = _sum(lane_l, self.lane_t @ filled).pseudo_inverse()
        wanted = _sum(register_l, self.register_t @ filled)
        again = (
            self.register_t.columns[t] ^ wanted(reader(self.lane_t.columns[t])) for t in range(self.registers)
        )
        change = BitMatrix(tuple(again), wanted.rows)
        for lanes in left:
            found = change.solve(wanted(lanes))
            if found is not None:
                columns[lanes.bit_length() - 1] = found

    def rounds(self, warp: int) -> Iterator[Round]:
        """All rounds."""
        for t in range(1 << self.registers):
            for repeat in range(1 << len(self.repeats.columns)):
                yield self._round(t, self.repeats(repeat), warp)

    def _round(self, t: int, repeat: int, warp: int) -> Round:
        lanes = range(1 << self.lanes)
        offset = self.lane_t(t) ^ self.lane_w(warp)
        start = self.register_t(t) ^ self.register_w(warp) ^ repeat
        return Round(
            tuple(start ^ self.register_l(self.reader(lane ^ offset)) for lane in lanes),
            tuple(offset ^ self.lane_l(lane) for lane in lanes),
            tuple(t ^ self.fill_l(lane) if self._excess(lane) == repeat else None for lane in lanes),
        )

    def _excess(self, lane: int) -> int:
        """How the register that a lane wants differs from that of the lane for which the source chooses."""
        return self.register_l(lane ^ self.reader(self.lane_l(lane)))


def _sum(first: BitMatrix, second: BitMatrix) -> BitMatrix:
    columns = (a ^ b for a, b in zip(first.columns, second.columns, strict=True))
    return BitMatrix(tuple(columns), first.rows)
