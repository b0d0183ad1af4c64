"""Accesses to the copies of several devices through an address.

A `Multicast` argument has a copy for each device and an address range of its own, which refers to these
copies only. Any other memory counts as an object with a single copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from tilewright.ir.codes import DiagnosticCode
from tilewright.ptx import model, value_types
from tilewright.ptxsim import addresses as ptxsim_addresses, codes, faults, program, values as ptxsim_values
from tilewright.ptxsim.asynchronous.combining import Combine, combination
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.loads_and_stores import order_of, synchronised, updated_one_by_one
from tilewright.ptxsim.instructions.rules import refuse, rule
from tilewright.ptxsim.races.orders import InstructionOrder
from tilewright.ptxsim.rounding import FORMATS, decoded, encoded, rounded
from tilewright.ptxsim.storage import Storage

WORD = 4
"""The granularity in bytes in which copies exist; they are mapped in much larger pieces."""


@dataclass(frozen=True)
class MulticastAddresses:
    """The access of an instruction: `count` words of `size` bytes in every copy, which are written if
    `writes` holds, else read. `verb` names the access in messages, and `order` is None for a weak access.
    """

    site: program.InstructionSite
    verb: str
    size: int
    count: int
    order: InstructionOrder | None
    writes: bool

    def find(self, c: InstructionState) -> Iterator[tuple[ptxsim_values.Array, list[ptxsim_values.Array]]]:
        """Yield the indices of the threads that access an object, and their offsets in each of its copies.
        The accesses are checked for races. Raises `Fault` for addresses that are not allocated or misaligned.
        """
        read, slots, _ = self.site.address("a")
        c.defined(slots, ptxsim_addresses.ADDRESS)
        addresses = c.spread(read(c))
        left = np.ones(len(addresses), np.bool_)
        for found in c.block.launch.multicast:
            inside = left & (addresses >= np.uint64(found.start)) & (addresses < np.uint64(found.end))
            if inside.any():
                left &= ~inside
                chosen = np.flatnonzero(inside)
                distances = addresses[chosen] - np.uint64(found.start)
                yield chosen, [self._places(c, chosen, distances + np.uint64(copy)) for copy in found.copies]
        if left.any():
            chosen = np.flatnonzero(left)
            yield chosen, [self._places(c, chosen, addresses[chosen])]

    def _places(
        self, c: InstructionState, chosen: ptxsim_values.Array, addresses: ptxsim_values.Array
    ) -> ptxsim_values.Array:
        storage: Storage = c.block.global_
        whole = self.size * self.count
        first, last = (
            _word_exists(storage, addresses + np.uint64(at)) for at in (0, max(whole, WORD) - WORD)
        )
        self._require(first & last, addresses, codes.OUT_OF_BOUNDS, "which is not allocated")
        fits = (addresses & np.uint64(whole - 1)) == 0
        self._require(fits, addresses, codes.MISALIGNED, f"which is no multiple of {whole}")
        places = addresses.astype(np.int64) - storage.base
        if self.order is not None:
            synchronised(c, [(storage, places, chosen)], whole, self.order)
        else:
            c.block.watch_global(c.rows()[chosen], places, whole, writes=self.writes)
        return places

    def _require(
        self, legal: ptxsim_values.Array, addresses: ptxsim_values.Array, code: DiagnosticCode, reason: str
    ) -> None:
        if legal.all():
            return
        at = int(addresses[int(np.argmin(legal))])
        message = f"{self.verb} of {self.size * self.count} bytes at global address {at:#x}, {reason}"
        raise faults.Fault(code, message, address=at if code is codes.OUT_OF_BOUNDS else None)


def _word_exists(storage: Storage, addresses: ptxsim_values.Array) -> ptxsim_values.Array:
    """Return a mask of the addresses at which any byte of the word of `WORD` bytes exists."""
    places = addresses[:, None] - np.uint64(storage.base) + np.arange(WORD, dtype=np.uint64)
    inside = places < np.uint64(len(storage.valid))
    return np.any(inside & storage.valid[np.where(inside, places, 0).astype(np.int64)], axis=1)


def _words(site: program.InstructionSite, name: str) -> tuple[str, int, Sequence[model.Operand]]:
    """Return the type of the words of the operand `name`, their size in bytes, and the registers. Raises
    `Fault` for a type whose width is not simulated.
    """
    kind = site.modifier("type")
    if value_types.TYPES[kind].bits not in ptxsim_values.UNSIGNED:
        raise refuse(site)
    operand = site.operand(name)
    assert operand is not None, "multimem instructions have no optional operands"
    return kind, value_types.TYPES[kind].bits // 8, site.elements(name) if site.has("vec") else [operand]


@rule("multimem.ld_reduce")
def load(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that loads and combines all copies, word by word; sums of f16 and bf16 are rounded
    once with `.acc::f32`.
    """
    kind, size, targets = _words(site, "d")
    combine = _combination(kind, site.modifier("op"), exactly=site.has("acc"))
    writes = [site.resolver.write(one, kind, site.names) for one in targets]
    order = order_of(site, reads=True, writes=False)
    copies = MulticastAddresses(site, "load", size, len(writes), order, writes=False)

    def run(c: InstructionState) -> None:
        found = np.zeros((len(writes), len(c.spread(np.bool_(False)))), ptxsim_values.UNSIGNED[8 * size])
        for chosen, places in copies.find(c):
            for at in range(len(writes)):
                each = [c.block.global_.load(place + at * size, size)[0] for place in places]
                found[at, chosen] = combine(each)
        for write, value in zip(writes, found, strict=True):
            write(c, value.view(ptxsim_values.dtype(kind)), None)

    return run


@rule("multimem.st")
def store(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that stores values to all copies of a multicast object."""
    kind, size, sources = _words(site, "b")
    order = order_of(site, reads=False, writes=True)
    copies = MulticastAddresses(site, "store", size, len(sources), order, writes=True)
    return _changes(site, kind, sources, copies, None)


@rule("multimem.red")
def update(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that updates all copies atomically, word by word."""
    kind, size, sources = _words(site, "b")
    order = order_of(site, reads=True, writes=True)
    copies = MulticastAddresses(site, "atomic operation", size, len(sources), order, writes=True)
    return _changes(site, kind, sources, copies, combination(kind, site.modifier("op"), flushes=True))


def _changes(
    site: program.InstructionSite,
    kind: str,
    sources: Sequence[model.Operand],
    copies: MulticastAddresses,
    combine: Combine | None,
) -> Run:
    """Return a function that stores the values of `sources`, words of the type `kind`, to all of `copies`, or
    with `combine` replaces each word in memory by its combination with the value.
    """
    reads = [site.resolver.read(one, kind, site.names) for one in sources]
    slots = tuple(slot for _, used in reads for slot in used)

    def run(c: InstructionState) -> None:
        c.defined(slots, "the value for the copies of several devices")
        values = [ptxsim_values.unsigned_bits(c.spread(read(c))) for read, _ in reads]
        storage: Storage = c.block.global_
        for chosen, places in copies.find(c):
            for place in places:
                for at, value in enumerate(values):
                    here = place + at * copies.size
                    if combine is None:
                        storage.store(here, copies.size, value[chosen], None)
                    else:
                        updated_one_by_one(storage, here, copies.size, [value[chosen]], combine)
        c.block.launch.writes += 1

    return run


def _combination(
    kind: str, op: str, *, exactly: bool
) -> Callable[[Sequence[ptxsim_values.Array]], ptxsim_values.Array]:
    """Return a function that combines the words of all copies by `op`. With `exactly`, it adds pairs of f16
    or bf16 in f32 and rounds each sum once, whatever `op` is. `kind` is the type of a word.
    """
    if exactly:
        return lambda each: ptxsim_values.joined(
            [_sum(kind, halves) for halves in zip(*map(_halves, each), strict=True)]
        )
    combine = combination(kind, op)
    return lambda each: reduce(combine, each)


def _halves(value: ptxsim_values.Array) -> list[ptxsim_values.Array]:
    return ptxsim_values.split(value, value.dtype.itemsize // 2)


def _sum(kind: str, each: Sequence[ptxsim_values.Array]) -> ptxsim_values.Array:
    """Return the sum of halves in f32, rounded to halves; a single copy is returned unchanged."""
    if len(each) == 1:
        return each[0]
    row = FORMATS[kind.removesuffix("x2")]
    total = reduce(np.add, (decoded(one, row).astype(np.float32) for one in each))
    return encoded(rounded(total.astype(np.float64), row, "rn"), row)
