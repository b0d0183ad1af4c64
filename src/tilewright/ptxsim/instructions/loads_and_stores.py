"""Loads, stores and atomic operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tilewright.ptx import model, value_types
from tilewright.ptxsim import code as ptxsim_code, codes, faults
from tilewright.ptxsim.addresses import StorageCells
from tilewright.ptxsim.asynchronous.combining import Combine, combination
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.rules import refuse, rule
from tilewright.ptxsim.program import InstructionSite, Read
from tilewright.ptxsim.races.orders import LEVELS, InstructionOrder, SynchronisingThread
from tilewright.ptxsim.races.store_conflicts import check_stores
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import UNSIGNED, Array, dtype, unsigned_bits, where

PAIR = 2
"""The size in bytes of the smallest word that is updated atomically. A byte is updated with its neighbour,
which exists in the memory of a GPU but may be outside an array: such words may exist in part.
"""


def _width(site: InstructionSite) -> tuple[str, int]:
    name = site.modifier("type")
    return name, value_types.TYPES[name].bits // 8


def order_of(site: InstructionSite, *, reads: bool, writes: bool) -> InstructionOrder | None:
    """Return the memory order of an access that `reads` or `writes`, or `None` for a weak access. An access
    that does both is an atomic operation, which is never weak.
    """
    words = {site.modifier(slot.name) for slot in site.form.slots}
    both = reads and writes
    if not both and words.isdisjoint(("volatile", "relaxed", "acquire", "release", "mmio")):
        return None
    scope = "sys" if "volatile" in words else site.modifier("scope")
    return InstructionOrder(
        LEVELS[scope],
        acquires=reads and not words.isdisjoint(("acquire", "acq_rel")),
        releases=writes and not words.isdisjoint(("release", "acq_rel")),
        reads=reads,
        writes=writes,
    )


def synchronised(
    c: InstructionState, found: list[tuple[Storage, Array, Array | None]], size: int, order: InstructionOrder
) -> None:
    """Apply the synchronisation of ordered accesses of `size` bytes (release, acquire), and check those to
    global memory for races. `found` has the storage, the offsets, and the indices of the accessing threads
    among the executing threads (`None` for all). Raises `Fault` for a race.
    """
    clocks, orders = c.block.clocks, c.block.launch.orders
    if clocks is None:
        return
    for storage, places, chosen in found:
        if storage is c.block.local or storage is c.block.param:
            continue
        rows = c.rows() if chosen is None else c.rows()[chosen]
        if not orders.idle(order):
            for row, place in zip(rows.tolist(), places.tolist(), strict=True):
                orders.access(SynchronisingThread(clocks, c.block.rank, row), (id(storage), place), order)
        if storage is c.block.global_:
            c.block.watch_global(rows, places, size, writes=order.writes, level=order.level)


@rule("ld", "ldu")
def load(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that loads a value, or the elements of a vector; a register is undefined if its
    memory is.
    """
    name, size = _width(site)
    elements = site.elements("d") if site.has("vec") else (site.operand("d"),)
    writes = [site.resolver.write(one, name, site.names) for one in elements if one is not None]
    order = order_of(site, reads=True, writes=False)
    whole = size * len(writes)
    in_part = order is not None and whole == PAIR
    places = StorageCells(site, "load", whole, use="read" if order is None else "", in_part=in_part)
    kind = dtype(name)

    def run(c: InstructionState) -> None:
        found = list(places.find(c))
        if order is not None:
            c.block.polls += 1
            synchronised(c, found, places.size, order)
        for at, write in enumerate(writes):
            value, poison = _gathered(c, found, at * size, size)
            write(c, value.view(kind), poison)

    return run


def _gathered(
    c: InstructionState, found: list[tuple[Storage, Array, Array | None]], at: int, size: int
) -> tuple[Array, Array | None]:
    if len(found) == 1 and found[0][2] is None:
        storage, places, _ = found[0]
        return storage.load(places + at, size)
    count = len(c.spread(np.bool_(False)))
    value, poison = np.zeros(count, UNSIGNED[8 * size]), np.zeros(count, np.bool_)
    for storage, places, chosen in found:
        part, undefined = storage.load(places + at, size)
        value[chosen] = part
        if undefined is not None:
            poison[chosen] = undefined
    return value, poison if poison.any() else None


@rule("st")
def store(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that stores a value, or the elements of a vector. It raises `Fault` for a store to
    a parameter of the kernel, and for an undefined value that is stored to global memory.
    """
    name, size = _width(site)
    elements = site.elements("b") if site.has("vec") else (site.operand("b"),)
    reads = [site.resolver.read(one, name, site.names) for one in elements if one is not None]
    order = order_of(site, reads=False, writes=True)
    places = StorageCells(site, "store", size * len(reads), use="write" if order is None else "")
    plain = order is None
    if plain:
        places.kept = _kept([read for read, _ in reads], size)

    def run(c: InstructionState) -> None:
        for storage, found, chosen in places.find(c):
            if storage is c.block.param:
                raise faults.Fault(
                    codes.OUT_OF_BOUNDS, "store to a parameter of the kernel; parameters are constant"
                )
            for at, (read, slots) in enumerate(reads):
                value, poison = unsigned_bits(c.spread(read(c))), c.undefined(slots)
                if poison is not None and storage is c.block.global_:
                    c.defined(slots, "the value that is stored to global memory")
                if chosen is not None:
                    value, poison = value[chosen], None if poison is None else poison[chosen]
                storage.store(found + at * size, size, value, poison)
                if plain and storage is not c.block.local:
                    threads = c.numbers() if chosen is None else c.numbers()[chosen]
                    check_stores(c, storage, threads, found + at * size, size, value, poison)
            if order is not None:
                synchronised(c, [(storage, found, chosen)], places.size, order)
        c.block.launch.writes += 1

    return run


def _kept(reads: list[Read], size: int) -> Callable[[InstructionState, Storage, Array, Array | None], Array]:
    """Return a function that returns a mask of the threads whose stores would not change memory: all words of
    `size` bytes that `reads` read are there already. Its argument ``chosen`` is a mask of the threads that
    store; None: all.
    """

    def kept(c: InstructionState, storage: Storage, places: Array, chosen: Array | None) -> Array:
        found = np.ones(len(places), np.bool_)
        for at, read in enumerate(reads):
            value = unsigned_bits(c.spread(read(c)))
            found &= storage.holds(places + at * size, size, value if chosen is None else value[chosen])
        return found

    return kept


@rule("prefetch", "prefetchu", "applypriority")
def nothing(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return a function that does nothing: cache hints do not change results."""
    return lambda c: None


# --- atomic operations


def _rounds(places: Array) -> Iterator[Array]:
    """Yield groups of indices with distinct places: atomic operations at an address are executed one after
    the other.
    """
    left = np.arange(len(places))
    while len(left):
        _, first = np.unique(places[left], return_index=True)
        yield left[np.sort(first)]
        left = np.delete(left, first)


class Combinations:
    """The functions of an atomic operation, which depend on the memory: sums in f32 flush subnormal numbers
    in global memory only.
    """

    def __init__(self, site: InstructionSite) -> None:
        op, kind = site.modifier("op"), site.modifier("type")
        self.swaps = op == "cas"
        self.near = combination(kind, op)
        self.far = combination(kind, op, flushes=True)

    def of(self, c: InstructionState, storage: Storage) -> Combine:
        """Return the function that combines words of `storage` with the operands; in global memory, sums in
        f32 flush subnormal numbers.
        """
        return self.far if storage is c.block.global_ else self.near


@rule("atom", "red")
def atomic(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that updates memory atomically, each element of a vector by itself; `red` has no
    result. Raises `Fault` for `.async`, and for elements of 16 bytes.
    """
    if site.has("async"):
        raise refuse(site)
    name, size = _width(site)
    if size not in (1, 2, 4, 8):
        raise refuse(site)
    combinations = Combinations(site)
    operands = [_listed(site, one) for one in (("b", "c") if combinations.swaps else ("b",))]
    reads = [[site.resolver.read(one, name, site.names) for one in some] for some in operands]
    slots = tuple(slot for some in reads for _, used in some for slot in used)
    targets = _listed(site, "d") if site.form.name == "atom" else ()
    writes = [site.resolver.write(one, name, site.names) for one in targets]
    whole = size * len(reads[0])
    places = StorageCells(site, "atomic operation", whole, in_part=whole == PAIR)
    order = order_of(site, reads=True, writes=True)
    assert order is not None

    def run(c: InstructionState) -> None:
        c.defined(slots, "the operand of an atomic operation")
        values = [[unsigned_bits(c.spread(read(c))) for read, _ in some] for some in zip(*reads, strict=True)]
        old = np.zeros((len(values), len(values[0][0])), UNSIGNED[8 * size])
        for storage, found, chosen in places.find(c):
            synchronised(c, [(storage, found, chosen)], places.size, order)
            combine = combinations.of(c, storage)
            for at, some in enumerate(values):
                mine = [value if chosen is None else value[chosen] for value in some]
                part = updated_one_by_one(storage, found + at * size, size, mine, combine)
                old[at, slice(None) if chosen is None else chosen] = part
        c.block.launch.writes += 1
        for write, before in zip(writes, old, strict=False):
            write(c, before.view(dtype(name)), None)

    return run


def _listed(site: InstructionSite, name: str) -> list[model.Operand]:
    """Return the elements of the operand `name`; a scalar is a single element. Return an empty list if the
    operand is left out.
    """
    if not site.has("vec"):
        found = site.operand(name)
        return [] if found is None else [found]
    return list(site.elements(name))


def updated_one_by_one(
    storage: Storage, places: Array, size: int, values: list[Any], combine: Combine
) -> Array:
    """Replace words of `size` bytes in memory by `combine` of the word and the last element of `values`;
    threads with equal places do so one after the other. If `values` has two arrays, a word is replaced only
    if it equals the first one (compare and swap). Return each word before its update. Raises `Fault` for
    undefined memory.
    """
    old = np.zeros(len(places), UNSIGNED[8 * size])
    for group in _rounds(places):
        before, undefined = storage.load(places[group], size)
        if undefined is not None:
            raise faults.Fault(codes.POISON, "an atomic operation reads memory that was never written")
        after = combine(before, values[-1][group])
        if len(values) == 2:
            after = where(before == values[0][group], after, before)
        storage.store(places[group], size, after, None)
        old[group] = before
    return old
