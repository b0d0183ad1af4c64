"""Schedules of shuffles: a conversion within warps as steps; in each step every lane sends one register.

Notation: lane l of the result finds the element of its register f in register R(f, l) of lane L(f, l) of
the source; both are linear. In step t lane l fills register t + F l.

Choice of F. If there is an F by which every lane reads from the lane that differs from it in a fixed set of
bits, that F is chosen: then no lane takes part in more shuffles than it has elements of other lanes.
Otherwise F is chosen so that lanes which read from the same lane read the same register of it, as far as
possible; the number of steps then equals the number of registers. If several lanes need different registers
of one lane for every F, steps are repeated, once for each of these registers, and a lane takes part in one of the
repetitions.

The code of a schedule has no branches (`WarpExchange`): elements are packed into words, the words are
selected, shuffled, selected again and unpacked. A word holds neighbouring elements that a thread has on both
sides. The word that a lane sends in a step, and the word of the result that it fills, differ between lanes by
an xor, so words are selected in stages, one for each independent bit of that xor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeVar

from tilewright.ir.diagnostic import failure
from tilewright.layouts.bits import BitMatrix, XorBasis, independent, set_bits
from tilewright.layouts.codes import DIFFERENT_TILES
from tilewright.layouts.conversion import ConversionKind, RegisterMovement, movement
from tilewright.layouts.linear import LinearLayout, log2
from tilewright.layouts.swizzles import held_by_both

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ShuffleStep:
    """One step of a schedule, a shuffle, with an entry for each lane, lane 0 first: the register that it
    ``sends``, the lane that it ``reads`` from, and the register of the result that it ``fills``, None if it
    ignores the value.
    """

    sends: tuple[int, ...]
    """For each lane, the register that it sends."""
    reads: tuple[int, ...]
    """The lane that each lane reads from."""
    fills: tuple[int | None, ...]
    """The register of the result that each lane fills; None if the lane ignores the value it read."""

    @property
    def is_local(self) -> bool:
        """Return whether every lane reads from itself: no shuffle is needed."""
        return self.reads == tuple(range(len(self.reads)))

    @property
    def xor(self) -> int | None:
        """Return the mask of a butterfly shuffle, in which each lane reads from ``lane ^ mask``; 0 if
        `is_local`. Return None if the step is no butterfly.
        """
        masks = {lane ^ other for lane, other in enumerate(self.reads)}
        return masks.pop() if len(masks) == 1 else None


def shuffle_steps(movement: RegisterMovement, warp: int = 0) -> Iterator[ShuffleStep]:
    """Yield the steps of a conversion in the warp with number ``warp``. Raises `DiagnosticError` if elements
    move between warps.
    """
    if movement.kind in (ConversionKind.SHARED, ConversionKind.BLOCKS):
        hint = "go through shared memory"
        raise failure(DIFFERENT_TILES, "elements of the conversion move between warps", hint=hint)
    return Schedule(movement).schedule_steps(warp)


class Schedule:
    """The shuffles of a conversion, computed from its `movement`, whose elements must stay in their warps.
    The attributes are linear maps over bits (`BitMatrix`), whose results are combined by xor: maps called
    ``*_t`` take a step, ``*_l`` a lane of the result, and ``*_w`` a warp. `schedule_steps` yields the steps.
    """

    def __init__(self, movement: RegisterMovement) -> None:
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
        """Maps a lane of the source to one of the lanes that read from it in step 0."""
        conflicts = map(self.register_l, self.lane_l.kernel())
        self.repeats = BitMatrix(tuple(independent(conflicts, XorBasis())), self.register_l.rows)

    # --- the maps for all threads at once; a thread's number has the lane's bits and, above them, the warp's

    @property
    def sends(self) -> BitMatrix:
        """Return the map from a thread to the register that it sends in a step, before the xor with `sent`.
        The bits of the lane are the lowest of a thread's number.
        """
        sent = self.register_l @ self.reader
        return sent.beside(_sum(self.register_w, sent @ self.lane_w))

    def sent(self, t: int, repeat: int) -> int:
        """Return the number that step ``t``, in its repetition ``repeat``, adds by xor to the register that
        every thread sends.
        """
        return self.register_t(t) ^ self.repeats(repeat) ^ self.register_l(self.reader(self.lane_t(t)))

    @property
    def reads(self) -> BitMatrix:
        """Return the map from a thread to the lane that it reads from, before the xor with ``lane_t(t)`` for
        step ``t``.
        """
        return self.lane_l.beside(self.lane_w)

    @property
    def stays(self) -> bool:
        """True if `reads` maps each thread to its own lane: in step ``t`` a lane reads from ``lane ^
        lane_t(t)``.
        """
        return self.lane_l == BitMatrix.identity(self.lanes) and not any(self.lane_w.columns)

    @property
    def fills(self) -> BitMatrix:
        """Return the map from a thread to the step in which it fills register 0 of its result. The bits above
        the step are the repetition.
        """
        repeated = XorBasis(self.repeats.columns)
        columns = (
            filled | repeated.reduce(self._excess(1 << bit))[1] << self.registers
            for bit, filled in enumerate(self.fill_l.columns)
        )
        warps = (0,) * len(self.lane_w.columns)
        return BitMatrix((*columns, *warps), self.registers + len(self.repeats.columns))

    def _split(self, matrix: BitMatrix) -> tuple[BitMatrix, BitMatrix, BitMatrix]:
        """Return the columns of a matrix for the bits of the register, of the lane and of the warp, as three
        maps.
        """
        ends = (0, self.registers, self.registers + self.lanes, len(matrix.columns))
        first, second, third = (
            BitMatrix(matrix.columns[start:end], matrix.rows) for start, end in pairwise(ends)
        )
        return first, second, third

    def _filling(self, register_l: BitMatrix, lane_l: BitMatrix) -> BitMatrix:
        """Return F, the map from a lane to the register that it fills in step 0. ``register_l`` and
        ``lane_l`` map a lane of the result to the register and lane of the source that hold the element of
        its register 0. If there is an F by which every lane reads from the lane that differs from it in a
        fixed set of bits, that F is returned; otherwise `_without_conflicts` chooses it.
        """
        stays = [self.lane_t.solve(column ^ 1 << bit) for bit, column in enumerate(lane_l.columns)]
        found = tuple(column for column in stays if column is not None)
        if len(found) == self.lanes:
            return BitMatrix(found, self.registers)
        return self._without_conflicts(register_l, lane_l)

    def _without_conflicts(self, register_l: BitMatrix, lane_l: BitMatrix) -> BitMatrix:
        """Return an F, the map from a lane to the register that it fills in step 0, with which lanes that
        read from the same source lane read the same register of it, as far as possible. The parameters are as
        in `_filling`.
        """
        columns = [0] * self.lanes
        reached = XorBasis(lane_l.columns)
        left: list[int] = []
        for lanes in lane_l.kernel():  # lanes that are so far apart read from one lane
            bit = lanes.bit_length() - 1
            apart = next((t for t, image in enumerate(self.lane_t.columns) if image not in reached), None)
            if apart is None:
                left.append(lanes)
            else:
                columns[bit] = 1 << apart
                reached.add(self.lane_t.columns[apart])
        self._share_source_registers(columns, left, register_l, lane_l)
        return BitMatrix(tuple(columns), self.registers)

    def _share_source_registers(
        self, columns: list[int], left: list[int], register_l: BitMatrix, lane_l: BitMatrix
    ) -> None:
        """Set the ``columns`` of F for the masks of lanes in ``left``, so that lanes that read from the same
        lane read the same register of it. A column is kept where this is impossible.
        """
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

    def schedule_steps(self, warp: int) -> Iterator[ShuffleStep]:
        """Yield the steps for a warp in order, each step once for each of its repetitions."""
        for t in range(1 << self.registers):
            for repeat in range(1 << len(self.repeats.columns)):
                yield self._round(t, self.repeats(repeat), warp)

    def _round(self, t: int, repeat: int, warp: int) -> ShuffleStep:
        lanes = range(1 << self.lanes)
        offset = self.lane_t(t) ^ self.lane_w(warp)
        start = self.register_t(t) ^ self.register_w(warp) ^ repeat
        return ShuffleStep(
            tuple(start ^ self.register_l(self.reader(lane ^ offset)) for lane in lanes),
            tuple(offset ^ self.lane_l(lane) for lane in lanes),
            tuple(t ^ self.fill_l(lane) if self._excess(lane) == repeat else None for lane in lanes),
        )

    def _excess(self, lane: int) -> int:
        """Return the xor of the register that a lane reads in step 0, and the register that its source lane
        sends.
        """
        return self.register_l(lane ^ self.reader(self.lane_l(lane)))


def _sum(first: BitMatrix, second: BitMatrix) -> BitMatrix:
    columns = (a ^ b for a, b in zip(first.columns, second.columns, strict=True))
    return BitMatrix(tuple(columns), first.rows)


# --- as code


@dataclass(frozen=True)
class WordConversion:
    """A conversion whose units are 32-bit words of several elements: ``movement`` moves words. ``packed``
    has, for each word of the source, the registers of its elements; ``unpacked``, for each register of the
    result, its word and its position in the word.
    """

    movement: RegisterMovement
    packed: tuple[tuple[int, ...], ...]
    """For each word of the source, the registers that hold its elements."""
    unpacked: tuple[tuple[int, int], ...]
    """For each register of the result, its word and its position in the word."""

    @classmethod
    def of(cls, source: LinearLayout, destination: LinearLayout, most: int) -> WordConversion:
        """Divide the registers of a conversion into words of as many elements as possible, at most ``most``;
        both are powers of two. The elements of a word are in registers of one thread on both sides. Registers
        of the result with the same element share a word. Raises `DiagnosticError` unless both layouts
        distribute one tile over the same lanes, warps and blocks, and the source holds all of it.
        """
        of_threads = [*source.lane, *source.warp, *destination.lane, *destination.warp]
        together = held_by_both(source.register, destination.register)
        inside = independent(together, XorBasis(of_threads))[: log2(most)]
        units = [1 << bit for bit in range(log2(source.size))]
        basis = [*inside, *independent([*of_threads, *units], XorBasis(inside))]
        numbers = BitMatrix(tuple(basis), len(units)).inverse()
        size, mask = source.size >> len(inside), (1 << len(inside)) - 1

        def word_of(column: int) -> int:
            return numbers(column) >> len(inside)

        def of_words(layout: LinearLayout) -> LinearLayout:
            registers = independent(map(word_of, layout.register), XorBasis())
            lane, warp = (tuple(map(word_of, level)) for level in (layout.lane, layout.warp))
            return LinearLayout((size,), tuple(registers), lane, warp)

        def places(layout: LinearLayout, registers: Sequence[int]) -> list[tuple[int, int]]:
            """Return, for each register, its word and its position in the word."""
            span, held = XorBasis(registers), BitMatrix(layout.register, len(units))
            elements = (held(register) for register in range(1 << len(layout.register)))
            return [(span.reduce(word_of(one))[1], numbers(one) & mask) for one in elements]

        sides = of_words(source), of_words(destination)
        held = {place: at for at, place in reversed(list(enumerate(places(source, sides[0].register))))}
        packed = (
            tuple(held[word, part] for part in range(mask + 1)) for word in range(1 << len(sides[0].register))
        )
        unpacked = places(destination, sides[1].register)
        return cls(movement(*sides), tuple(packed), tuple(unpacked))


@dataclass(frozen=True)
class WarpExchange:
    """Generates the code of a conversion within warps, without branches: words are packed, selected,
    shuffled, selected and unpacked.
    """

    words: WordConversion

    @classmethod
    @lru_cache(maxsize=1024)
    def of(cls, source: LinearLayout, destination: LinearLayout, most: int) -> WarpExchange | None:
        """Return the exchange that converts `source` to `destination` with words of at most ``most``
        elements; None if elements move between warps or blocks. Raises `DiagnosticError` unless both layouts
        distribute one tile over the same lanes, warps and blocks, and the source holds all of it.
        """
        found = WordConversion.of(source, destination, most)
        return (
            cls(found) if found.movement.kind not in (ConversionKind.SHARED, ConversionKind.BLOCKS) else None
        )

    @cached_property
    def schedule(self) -> Schedule:
        """Return the schedule of the words that lanes send and read."""
        return Schedule(self.words.movement)

    def run(
        self,
        words: Sequence[_T],
        chosen: Callable[[int, _T, _T], _T],
        shuffled: Callable[[_T, int], _T],
    ) -> list[_T]:
        """Emit the exchange of the ``words`` of the source through two callbacks; return the words of the
        result.

        ``chosen(mask, a, b)`` returns ``a`` in threads whose number has an odd number of bits of ``mask``
        set, else ``b``. ``shuffled(word, bits)`` returns the word of the lane ``reads(thread) ^ bits``.
        """
        schedule = self.schedule
        sent = _exchanged_index(words.__getitem__, schedule.sends, chosen)

        def round(number: int) -> _T:
            t, repeat = number & (1 << schedule.registers) - 1, number >> schedule.registers
            word, lanes = sent(schedule.sent(t, repeat)), schedule.lane_t(t)
            return word if schedule.stays and not lanes else shuffled(word, lanes)

        filled = _exchanged_index(_once(round), schedule.fills, chosen)
        return [filled(number) for number in range(1 << schedule.registers)]

    @cached_property
    def counts(self) -> tuple[int, int]:
        """Return the number of shuffles, and the number of selections between two words, that `run` emits."""
        shuffles, choices = 0, 0

        def chosen(mask: int, first: None, second: None) -> None:
            nonlocal choices
            choices += 1

        def shuffled(word: None, lanes: int) -> None:
            nonlocal shuffles
            shuffles += 1

        self.run([None] * len(self.words.packed), chosen, shuffled)
        return shuffles, choices


def _once(get: Callable[[int], _T]) -> Callable[[int], _T]:
    """Return a function that caches the values of `get`."""
    known: dict[int, _T] = {}

    def found(number: int) -> _T:
        if number not in known:
            known[number] = get(number)
        return known[number]

    return found


def _exchanged_index(
    get: Callable[[int], _T], matrix: BitMatrix, chosen: Callable[[int, _T, _T], _T]
) -> Callable[[int], _T]:
    """Return a function like `get` in which every thread uses its own index: ``n`` stands for ``n ^
    matrix(thread)``. ``chosen`` selects between two values by thread.
    """
    for vector, mask in _stages(matrix):
        get = _stage(get, vector, mask, chosen)
    return get


def _stage(
    get: Callable[[int], _T], vector: int, mask: int, chosen: Callable[[int, _T, _T], _T]
) -> Callable[[int], _T]:
    return _once(lambda number: chosen(mask, get(number ^ vector), get(number)))


def _stages(matrix: BitMatrix) -> list[tuple[int, int]]:
    """Return the independent columns of a matrix. Each is paired with the mask of the argument bits whose
    columns contain it as a summand.
    """
    basis = independent(matrix.columns, XorBasis())
    span = XorBasis(basis)
    masks = [0] * len(basis)
    for bit, column in enumerate(matrix.columns):
        for at in set_bits(span.reduce(column)[1]):
            masks[at] |= 1 << bit
    return list(zip(basis, masks, strict=True))
