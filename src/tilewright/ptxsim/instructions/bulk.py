"""Bulk copies: `cp.async.bulk`, its tensors, reductions and groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptx.model import Address
from tilewright.ptxsim import addresses as ptxsim_addresses, block as ptxsim_block, codes, program
from tilewright.ptxsim.asynchronous import boxes, bulk
from tilewright.ptxsim.asynchronous.tensormaps import SIZE, USED, read
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions import copies, mbarriers
from tilewright.ptxsim.instructions.rules import refuse, rule
from tilewright.ptxsim.races import global_memory, orders as races_orders
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import Array

BOX_ALIGNMENT = 128


def each_thread(c: InstructionState) -> Iterator[InstructionState]:
    """Yield a state for each executing thread: each starts its own copy."""
    for number in c.numbers():
        yield InstructionState(c.block, c.frame, np.array([number]))


def number_of(c: InstructionState, site_read: Any, use: str) -> int:
    """Return the value of an operand of the single executing thread. `site_read` is the reader of the operand
    and the registers that it reads, and `use` names the operand in messages. Raises `Fault` if it is
    undefined.
    """
    value, slots = site_read
    c.defined(slots, use)
    return int(c.spread(value(c))[0])


def _inside(storage: Storage, places: Array, verb: str) -> Array:
    """Return `places`, which are offsets in `storage`. Raises `Fault` if one is not allocated; `verb` names
    the access in the message.
    """
    legal = (places >= 0) & (places < len(storage.valid))
    legal &= storage.valid[np.where(legal, places, 0)]
    if not legal.all():
        at = storage.base + int(places[int(np.argmin(legal))])
        raise Fault(codes.OUT_OF_BOUNDS, f"{verb} at {storage.name} address {at:#x}, which is not allocated")
    return places


REDUCES = races_orders.LEVELS["gpu"]
"""The scope of the update of each element by a bulk reduction: the GPU."""


def _read(c: InstructionState, storage: Storage, places: Array) -> None:
    """Record that an asynchronous operation of the executing thread reads `places`. Only global memory is
    recorded, and only with race detection.
    """
    watch, clocks = c.block.launch.watch, c.block.clocks
    if watch is not None and clocks is not None and storage is c.block.global_:
        row = int(c.rows()[0])
        watch.asynchronous(clocks, c.block.threads, row, clocks.start(row), places, writes=False)


def _written(c: InstructionState, storage: Storage, places: Array, level: int) -> Callable[[], None]:
    """Record the write of an asynchronous copy to `places` of global memory, with race detection; `level` is
    the scope of the write (0: no order). Return a function to call when the copy ends, which makes the write
    known to the thread.
    """
    watch, clocks = c.block.launch.watch, c.block.clocks
    if watch is None or clocks is None or storage is not c.block.global_:
        return lambda: None
    row = int(c.rows()[0])
    watch.asynchronous(clocks, c.block.threads, row, global_memory.PENDING, places, writes=True, level=level)

    def landed() -> None:
        time = clocks.start(row)
        watch.landed(clocks, row, time, places)
        clocks.ended(np.array([row]), row, time)

    return landed


def _start(
    c: InstructionState,
    source: tuple[Storage, Array],
    target: tuple[Storage, Array],
    reduces: tuple[str, int, str] | None,
) -> None:
    """Start a copy of a thread out of shared memory; `source` and `target` are a storage and offsets in it.
    `reduces` is `None`, or has the type of the elements, their size in bytes, and the operation.
    """
    memory, into = target
    if reduces is None:
        put: bulk.PlainDestination | bulk.BulkReduction = bulk.PlainDestination(memory, into)
    else:
        kind, width, op = reduces
        put = bulk.BulkReduction(memory, into.reshape(-1, width)[:, 0], kind, op)
    landed = _written(c, memory, into, REDUCES if reduces else 0)
    c.block.bulk.start((int(c.numbers()[0]), int(c.rows()[0])), *source, put, landed)


def _defined(storage: Storage, places: Array, what: str) -> Array:
    """Return the bytes at `places`, which are offsets in `storage`. Raises `Fault` if a byte is undefined;
    `what` names the reader in the message.
    """
    data, undefined = storage.gather(places)
    if undefined is not None:
        raise Fault(codes.POISON, f"{what} reads bytes that were never written")
    return data


@dataclass(slots=True)
class BulkCopyDestination:
    """The target of a copy into shared memory: a block of the cluster, or several blocks by a mask, at equal
    offsets. `places` finds the target address and `barriers` the mbarrier that counts the bytes. `mask` has
    the reader of the mask and the registers that it reads; it is None without a multicast.
    """

    places: ptxsim_addresses.StorageCells
    barriers: mbarriers.Barriers
    mask: Any

    def find(self, c: InstructionState) -> list[tuple[ptxsim_block.SimulatedBlock, int, Any]]:
        """Return the block, the offset and the mbarrier of each target of a thread's copy.

        Raises `Fault` for a target that is not shared memory of the cluster, for an mbarrier of another block
        than the target, and for a mask that names no block or one outside of the cluster.
        """
        storage, starts = self.places.alone(c)
        ((owner, spot),) = self.barriers.spots(c)
        block = next((one for one in c.block.peers if one.shared is storage), None)
        if block is None:
            raise Fault(
                codes.OUT_OF_BOUNDS, f"a bulk copy into {storage.name} memory that is no shared memory"
            )
        if self.mask is None:
            if owner is not block:
                raise Fault(
                    codes.BAD_COPY, "the mbarrier and the target of a bulk copy are in different blocks"
                )
            return [(block, int(starts[0]), mbarriers.existing(owner, spot))]
        mask = number_of(c, self.mask, "the mask of a multicast")
        if not mask or mask >> len(c.block.peers):
            raise Fault(
                codes.BAD_COPY, f"the mask {mask:#x} of a multicast in a cluster of {len(c.block.peers)}"
            )
        peers = [peer for peer in c.block.peers if mask >> peer.rank & 1]
        return [(peer, int(starts[0]), mbarriers.existing(peer, spot)) for peer in peers]


def _targets(site: program.InstructionSite, align: int) -> BulkCopyDestination:
    mask = site.read("mask", "u16") if site.has("multicast") or site.has("multicast::cluster") else None
    places = ptxsim_addresses.StorageCells(site, "bulk copy", 16, "d", space="to", align=align)
    return BulkCopyDestination(places, mbarriers.Barriers(site, "bar", "shared::cluster"), mask)


def _sizes(site: program.InstructionSite) -> Callable[[InstructionState], int]:
    value = site.read("size", "u32")

    def size(c: InstructionState) -> int:
        found = number_of(c, value, "the size of a bulk copy")
        if found % 16 or not found:
            raise Fault(codes.BAD_COPY, f"a bulk copy of {found} bytes: sizes are multiples of 16")
        return found

    return size


@rule("cp.async.bulk")
def copy(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that starts a copy of consecutive bytes for each thread: between global and shared
    memory, or between the shared memories of two blocks. The thread does not wait; an mbarrier or a bulk
    group completes the copy.
    """
    if site.modifier("to") == "global":
        return _out(site, None)
    targets, sizes = _targets(site, 16), _sizes(site)
    source = ptxsim_addresses.StorageCells(site, "bulk copy", 16, "s", space="source", align=16)

    def run(c: InstructionState) -> None:
        for one in each_thread(c):
            size, (storage, starts) = sizes(one), source.alone(one)
            places = _inside(storage, int(starts[0]) + np.arange(size), "a bulk copy reads")
            _read(one, storage, places)
            for block, start, barrier in targets.find(one):
                into = _inside(block.shared, start + np.arange(size), "a bulk copy writes")
                data = _defined(storage, places, "a bulk copy")
                row, arrivals = int(one.rows()[0]), c.block.launch.arrivals
                if storage is one.block.shared:
                    bulk.from_peer(arrivals, barrier, (storage, places), (block.shared, into), row)
                else:
                    bulk.arriving(arrivals, barrier, block.shared, into, data, row)

    return run


@rule("cp.reduce.async.bulk")
def reduce(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that starts to combine consecutive elements of shared memory with elements of
    global memory; a bulk group completes this. Raises `Fault` for reductions in shared memory.
    """
    if site.modifier("to") != "global":
        raise refuse(site, "reductions in shared memory are not")
    return _out(site, site.modifier("op"))


def _out(site: program.InstructionSite, op: str | None) -> Run:
    sizes, kind = _sizes(site), _element(site.modifier("type")) if op else ""
    source = ptxsim_addresses.StorageCells(site, "bulk copy", 16, "s", space="source", align=16)
    target = ptxsim_addresses.StorageCells(site, "bulk copy", 16, "d", space="to", align=16)
    mask = site.read("mask", "u16") if site.has("cp_mask") else None

    def run(c: InstructionState) -> None:
        for one in each_thread(c):
            size, (storage, starts), (memory, ends) = sizes(one), source.alone(one), target.alone(one)
            copied = _copied(one, size, mask)
            places = _inside(storage, int(starts[0]) + copied, "a bulk copy reads")
            into = _inside(memory, int(ends[0]) + copied, "a bulk copy writes")
            _defined(storage, places, "a bulk copy")
            reduces = None if op is None else (kind, _WIDTHS[kind], op)
            _start(one, (storage, places), (memory, into), reduces)

    return run


def _copied(c: InstructionState, size: int, mask: Any) -> Array:
    """Return the indices of the copied bytes among `size` bytes: all if `mask` is None, otherwise the bytes
    that the 16 bits of the mask choose in each piece of sixteen bytes. `mask` has the reader of the operand
    and its registers.
    """
    every = np.arange(size)
    if mask is None:
        return every
    chosen = number_of(c, mask, "the mask of a bulk copy")
    return every[chosen >> every % 16 & 1 == 1]


_WIDTHS = {
    **{"f16": 2, "bf16": 2, "u16": 2, "u8": 1, "b32": 4, "u32": 4, "s32": 4, "f32": 4},
    **{"b64": 8, "u64": 8, "s64": 8, "f64": 8, "tf32": 4},
}


def _element(name: str) -> str:
    return {"tf32": "f32"}.get(name, name)


@rule("cp.async.bulk.commit_group")
def commit(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that makes a group of the thread's bulk copies."""
    return lambda c: c.block.bulk.commit(c.numbers())


@rule("cp.async.bulk.wait_group")
def wait(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that waits for all bulk groups of the thread except for the newest `n` (an
    operand), or with `.read` until their sources are read.
    """
    newest, only_read = copies.constant(site, "n"), site.has("read")
    return lambda c: c.block.bulk.wait(c.numbers(), newest, read=only_read)


@rule("cp.async.bulk.prefetch", "cp.async.bulk.prefetch.tensor")
def prefetch(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return a function that does nothing: prefetches do not change results."""
    return lambda c: None


# --- tensors


ROWS = ("tile::gather4", "tile::scatter4")
"""The modes that name four rows."""
_LIMITS = {boxes.IM2COL: {3: (1 << 16,), 4: (1 << 8,) * 2, 5: (1 << 5,) * 3}}
_WIDE_LIMITS = {boxes.WIDE: (512, 32), boxes.WIDE_128: (32, 32)}
"""Exclusive upper bounds of the offsets of a filter, and of halo and offset of `im2col::w`."""


class TensorBox:
    """The box of a tensor that an instruction copies: the readers of its tensor map, of the coordinates of
    its corner, and of the offsets of `im2col`. Raises `Fault` if the number of coordinates or offsets does
    not fit the mode.
    """

    def __init__(self, site: program.InstructionSite) -> None:
        mode = (site.modifier("mode") or boxes.TILED).removesuffix("_no_offs")
        self.rows = mode in ROWS
        self.form = boxes.TILED if self.rows else mode
        assert self.form in boxes.FORMS
        operand = site.operand("map")
        assert isinstance(operand, Address)
        assert operand.coordinates is not None
        self.rank = int(site.modifier("dim")[0])
        wanted = 5 if self.rows else self.rank
        if len(operand.coordinates) != wanted:
            raise refuse(site, f"it has {len(operand.coordinates)} coordinates instead of {wanted}")
        self.stores = site.modifier("to") == "global"
        self.map = ptxsim_addresses.StorageCells(site, "use of a tensor map", 64, "map", space="")
        self.corner = [site.resolver.read(one, "s32", site.names) for one in operand.coordinates]
        self.limits = _WIDE_LIMITS.get(self.form) or _LIMITS.get(self.form, {}).get(self.rank, ())
        self.info = [] if self.stores else self._offsets(site)

    def _offsets(self, site: program.InstructionSite) -> list[Any]:
        """Return the readers of the filter offsets, or of halo and offset. Raises `Fault` if their number
        does not fit the mode.
        """
        given = site.elements("offsets") if site.operand("offsets") is not None else ()
        if len(given) != len(self.limits):
            raise refuse(site, f"{self.form} takes {len(self.limits)} offsets, not {len(given)}")
        return [site.resolver.read(one, "u16", site.names) for one in given]

    def find(self, c: InstructionState) -> tuple[boxes.TensorMapTile, Array, Array]:
        """Return the tensor map, the addresses of the box's units, and a mask of the units inside the tensor.

        Raises `Fault` for coordinates or forms that the copy does not support.
        """
        storage, starts = self.map.alone(c)
        self._fenced(c, storage, int(starts[0]))
        tile = read(_defined(storage, int(starts[0]) + np.arange(USED), "a tensor copy").tobytes())
        rank = len(tile.extents)
        boxes.check(rank == self.rank, f"a copy of {self.rank} dimensions with a map of {rank} dimensions")
        boxes.check(tile.form == self.form, f"a copy in mode {self.form} with a map of mode {tile.form}")
        corner = [number_of(c, one, "a coordinate of a tensor copy") for one in self.corner]
        if self.stores:
            self._check_store(tile, corner)
        if self.rows:
            return (tile, *tile.gathered(corner))
        if self.form == boxes.TILED:
            return (tile, *tile.elements(corner))
        info = [number_of(c, one, "an offset of a tensor copy") for one in self.info] or [0] * (rank - 2)
        for one, limit in zip(info, self.limits, strict=True):
            boxes.check(
                one < limit, f"the offsets {tuple(info)} of a tensor copy: they are below {self.limits}"
            )
        if self.form == boxes.WIDE_128 and info[0]:
            raise Fault(codes.NOT_SIMULATED, "halo pixels of im2col::w::128 are not simulated")
        return (tile, *tile.column(corner, info))

    def _fenced(self, c: InstructionState, storage: Storage, start: int) -> None:
        """Raise `Fault` if the kernel wrote the map at the offset `start` and the fences for its use are
        missing. Record the use, so that later writes of the map are races. Does nothing without race
        detection.
        """
        maps, clocks = c.block.launch.maps, c.block.clocks
        if maps is not None and clocks is not None and storage is c.block.global_:
            maps.use(clocks, int(c.rows()[0]), start, SIZE)

    def _check_store(self, tile: boxes.TensorMapTile, corner: list[int]) -> None:
        """Raise `Fault` for a copy to global memory with a swizzle or an `im2col` column that it does not
        support.
        """
        boxes.check(not tile.swizzle.flips, "a swizzle with exchanged halves in a copy to global memory")
        if self.form == boxes.IM2COL:
            within = min(*corner, *tile.lower) >= 0 and max(tile.upper) <= 0
            boxes.check(
                within, f"a column from {tuple(corner)} on in a copy to global memory leaves the tensor"
            )


def _addressed(memory: Storage, addresses: Array, width: int, verb: str) -> Array:
    """Return the offsets in `memory` of the `width` bytes from each address on: (addresses, `width`). Raises
    `Fault` if one is not allocated; `verb` names the access in the message.
    """
    return _inside(memory, (addresses - memory.base)[:, None] + np.arange(width), verb)


@rule("cp.async.bulk.tensor")
def copy_tensor(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that starts a copy of a box of a tensor for each thread, between global and shared
    memory; an mbarrier or a bulk group completes the copy. Raises `Fault` for a pair of blocks.
    """
    if site.modifier("cg") == "cta_group::2":
        raise refuse(site, "pairs of blocks are not")
    return _store_box(site, None) if site.modifier("to") == "global" else _load_box(site)


def _load_box(site: program.InstructionSite) -> Run:
    box, targets = TensorBox(site), _targets(site, BOX_ALIGNMENT)

    def run(c: InstructionState) -> None:
        for one in each_thread(c):
            tile, addresses, inside = box.find(one)
            data = tile.filled(len(addresses))
            memory = one.block.global_
            places = _addressed(memory, addresses[inside], tile.unit, "a tensor copy reads")
            _read(one, memory, places)
            data[inside] = _defined(memory, places, "a tensor copy")
            for block, start, barrier in targets.find(one):
                into = _inside(block.shared, tile.places(start, len(addresses)), "a tensor copy writes")
                row = int(one.rows()[0])
                bulk.arriving(c.block.launch.arrivals, barrier, block.shared, into, data, row)

    return run


@rule("cp.reduce.async.bulk.tensor")
def reduce_tensor(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that starts to combine a box in shared memory with a tensor of global memory; a
    bulk group completes this.
    """
    return _store_box(site, site.modifier("op"))


def _store_box(site: program.InstructionSite, op: str | None) -> Run:
    box = TensorBox(site)
    source = ptxsim_addresses.StorageCells(site, "tensor copy", 16, "s", space="source", align=BOX_ALIGNMENT)

    def run(c: InstructionState) -> None:
        for one in each_thread(c):
            tile, addresses, inside = box.find(one)
            storage, starts = source.alone(one)
            lying = tile.places(int(starts[0]), len(addresses))[inside]
            places = _inside(storage, lying, "a tensor copy reads")
            memory = one.block.global_
            into = _addressed(memory, addresses[inside], tile.unit, "a tensor copy writes")
            _defined(storage, places, "a tensor copy")
            reduces = None if op is None else (_element(tile.element), tile.width, op)
            _start(one, (storage, places), (memory, into), reduces)

    return run
