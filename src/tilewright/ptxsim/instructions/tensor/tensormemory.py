"""Tensor memory: allocation, loads, stores, copies to it, and waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilewright.ptx.model import Name
from tilewright.ptxsim import addresses as ptxsim_addresses, block as ptxsim_block, codes, program
from tilewright.ptxsim.asynchronous import bulk, mbarriers as asynchronous_mbarriers, tensormemory
from tilewright.ptxsim.asynchronous.arrivals import Arrival
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions import groups as instructions_groups, mbarriers
from tilewright.ptxsim.instructions.bulk import each_thread, number_of
from tilewright.ptxsim.instructions.copies import constant
from tilewright.ptxsim.instructions.rules import aligned, refuse, rule
from tilewright.ptxsim.races.clocks import BarrierClock
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import Array, any_along

NO_CELLS: Any = np.zeros(0, np.int64)
SWIZZLES = {0: 0, 2: 3, 4: 2, 6: 1}
"""The index of the span of each swizzle code of `tcgen05`; code 1 (exchange of 32-byte pieces) is not
simulated.
"""


def group_of(site: program.InstructionSite) -> int:
    """Return the number of blocks of an instruction: 1, or 2 for a pair."""
    return 2 if site.modifier("cg") == "cta_group::2" else 1


def blocks_of(c: InstructionState, group: int) -> list[ptxsim_block.SimulatedBlock]:
    """Return the blocks that an instruction works on: its own if `group` is 1, or the pair whose ranks differ
    in the last bit (ISA, 9.7.16.5, peer CTA). Raises `Fault` for a cluster without the other block, and if an
    earlier instruction had another `group`.
    """
    c.block.tensors.use(group)
    if group == 1:
        return [c.block]
    first = c.block.rank & ~1
    if first + 1 >= len(c.block.peers):
        raise Fault(codes.BAD_TENSOR_MEMORY, f"a pair of blocks in a cluster of {len(c.block.peers)}")
    return c.block.peers[first : first + 2]


def described(bits: int) -> instructions_groups.MatrixDescriptor:
    """Decode a 64-bit matrix descriptor of `tcgen05`. Raises `Fault` if it is invalid or not simulated."""
    if bits >> 46 & 7 != 1 or bits >> 49 & 7 or bits >> 52 & 0x1FF or bits >> 61 not in SWIZZLES:
        raise Fault(
            codes.BAD_DESCRIPTOR,
            f"the matrix descriptor {bits:#018x} of tcgen05 lacks its constant, has a base offset or reserved bits, or "
            "a swizzle that is not simulated",
        )
    return instructions_groups.MatrixDescriptor(
        (bits & 0x3FFF) << 4, (bits >> 16 & 0x3FFF) << 4, (bits >> 32 & 0x3FFF) << 4, SWIZZLES[bits >> 61]
    )


def shared_bytes(storage: Storage, bits: int, extent: int, k: int, width: int, *, transposed: bool) -> Array:
    """Return the offsets of all bytes of a matrix in shared memory: (`extent`, `k` x `width`). `bits` is its
    descriptor, and `width` the size of an element in bytes. If `transposed`, `extent` is the contiguous
    dimension instead of `k`. Raises `Fault` if an offset is outside of the memory.
    """
    starts = described(bits).places(extent, k, width, transposed=transposed)
    found = (starts[..., None] + np.arange(width)).reshape(extent, k * width)
    valid = storage.valid
    legal = (found < len(valid)) & valid[np.minimum(found, len(valid) - 1)]
    if not legal.all():
        raise Fault(
            codes.BAD_DESCRIPTOR,
            f"the matrix descriptor leads to shared address {int(found[~legal][0]):#x}, outside of memory",
        )
    return found


@rule("tcgen05.alloc")
def allocate(site: program.InstructionSite, step: SimulatedStep) -> None:
    """Let `step` allocate columns for the block and write their address to shared memory. In a pair, each
    block allocates its own.
    """
    group = group_of(site)
    places = ptxsim_addresses.StorageCells(
        site,
        "store of an address of tensor memory",
        4,
        "d",
        space="space" if site.has("space") else "",
        use="write",
    )
    columns = site.read("columns", "u32")

    def run(c: InstructionState) -> None:
        for lanes in c.numbers().reshape(-1, 32):
            one = InstructionState(c.block, c.frame, lanes[:1])
            blocks_of(one, group)
            start = c.block.tensors.allocations.add(number_of(one, columns, "the number of columns"))
            storage, found = places.alone(one)
            if storage is not c.block.shared:
                raise Fault(
                    codes.BAD_TENSOR_MEMORY, "the address of tensor memory is written to shared memory"
                )
            storage.store(found, 4, np.array([start], np.uint32), None)
            if storage.watch is not None and codes.UNFENCED_TENSOR_ADDRESS in c.block.launch.permits:
                storage.watch.unfenced.add(step.number)

    aligned(site, step, run)


@rule("tcgen05.dealloc")
def free(site: program.InstructionSite, step: SimulatedStep) -> None:
    """Let `step` free columns of tensor memory of the block, which become undefined. The step raises `Fault`
    unless the columns are an allocation and no operation in flight uses them.
    """
    group = group_of(site)
    address, columns = site.read("a", "u32"), site.read("columns", "u32")

    def run(c: InstructionState) -> None:
        for lanes in c.numbers().reshape(-1, 32):
            one = InstructionState(c.block, c.frame, lanes[:1])
            blocks_of(one, group)
            memory = c.block.tensors
            start = number_of(one, address, "the address of tensor memory")
            count = number_of(one, columns, "the number of columns")
            cells = memory.cells(np.arange(128)[:, None], start + np.arange(count))
            memory.before_write(one.rows()[0], cells.ravel(), fences=False)
            memory.allocations.remove(start, count)
            memory.poison[cells] = True

    aligned(site, step, run)


@rule("tcgen05.relinquish_alloc_permit")
def relinquish(site: program.InstructionSite, step: SimulatedStep) -> None:
    """Let `step` end the block's right to allocate columns."""
    group = group_of(site)

    def run(c: InstructionState) -> None:
        blocks_of(c, group)
        c.block.tensors.allocations.relinquished = True

    aligned(site, step, run)


# --- loads and stores


def _shape(name: str, count: int) -> tuple[Array, Array]:
    """Return the lane and the column of each thread's register relative to the address, two arrays of shape
    (threads, registers), for the shape `name` with `count` registers.

    The second half of ``16x32bx2`` has an address of its own.
    """
    t: Any = np.arange(32)[:, None]
    r: Any = np.arange(count)[None, :]
    shapes: dict[str, tuple[Any, Any]] = {
        "32x32b": (t + 0 * r, r + 0 * t),
        "16x64b": (t // 4 + t % 2 * 8 + 0 * r, t // 2 % 2 + 2 * r),
        "16x128b": (t // 4 + r % 2 * 8, t % 4 + r // 2 * 4),
        "16x256b": (t // 4 + r // 2 % 2 * 8, t % 4 * 2 + r % 2 + r // 4 * 8),
        "16x32bx2": (t % 16 + 0 * r, r + 0 * t),
    }
    return shapes[name]


_FACTORS = {"16x128b": 2, "16x256b": 4}
"""The factor from the modifier `.num` to the number of registers, by shape; 1 for other shapes."""


class TensorCells:
    """The cells of tensor memory that the registers of a load or store correspond to. With `packs`, each
    register holds the lower halves of two cells. The constructor raises `Fault` if the number of registers
    does not fit the shape.
    """

    def __init__(self, site: program.InstructionSite, packs: bool) -> None:
        count = int(site.modifier("num")[1:]) * _FACTORS.get(site.modifier("shape"), 1)
        operands = site.elements("r")
        if len(operands) != count or not all(isinstance(one, Name) for one in operands):
            raise refuse(site, f"it has {len(operands)} registers; the shape has {count}")
        self.lanes, columns = _shape(site.modifier("shape"), count)
        half = constant(site, "half") if site.modifier("shape") == "16x32bx2" else 0
        further: Any = np.arange(32)[:, None, None] // 16 * half  # in columns, whether packed or not
        self.columns = further + (2 * columns[..., None] + np.arange(2) if packs else columns[..., None])
        self.packs = packs
        self.address, self.slots, _ = site.address("a")
        self.height = 32 if site.modifier("shape") == "32x32b" else 16

    def find(self, c: InstructionState) -> Array:
        """Return the cells of a warp: (threads, registers, 1), or (threads, registers, 2) for halves that
        share a register. Raises `Fault` for an address that differs between the threads, or that the warp may
        not access.
        """
        c.defined(self.slots, "the address of tensor memory")
        addresses = np.unique(c.spread(self.address(c)))
        if len(addresses) != 1:
            raise Fault(codes.NOT_ALIGNED, "the address of tensor memory differs between threads of a warp")
        lane, column = int(addresses[0]) >> 16 & 0xFFFF, int(addresses[0]) & 0xFFFF
        warp = int(c.numbers()[0]) // 32 % 4
        if lane // 32 != warp or lane % self.height:
            raise Fault(
                codes.BAD_TENSOR_MEMORY,
                f"lane {lane} of tensor memory: warp {warp} of a group of four uses lanes {32 * warp} to {32 * warp + 31}",
            )
        return c.block.tensors.cells(lane + self.lanes[..., None], column + self.columns)


def _warps(run: Callable[[InstructionState], None]) -> Run:
    def all_warps(c: InstructionState) -> None:
        for lanes in c.numbers().reshape(-1, 32):
            run(InstructionState(c.block, c.frame, lanes))

    return all_warps


@rule("tcgen05.ld.sync.aligned")
def load(site: program.InstructionSite, step: SimulatedStep) -> None:
    """Let `step` load from tensor memory; the registers are undefined until `tcgen05.wait::ld`."""
    cells = TensorCells(site, site.has("pack"))
    writes = [site.resolver.write(one, "b32", site.names) for one in site.elements("r")]
    slots = [site.resolver.slot(one, site.names)[0] for one in site.elements("r") if isinstance(one, Name)]

    def run(c: InstructionState) -> None:
        memory, found = c.block.tensors, cells.find(c)
        memory.before_read(c.rows()[:, None, None], found)
        words, poison = memory.words[found], any_along(memory.poison[found], -1)
        value = words[..., 0] if not cells.packs else words[..., 0] & 0xFFFF | words[..., 1] << np.uint32(16)
        early = codes.EARLY_TENSOR_LOADS in c.block.launch.permits
        for at, write in enumerate(writes):
            write(c, value[:, at], poison[:, at] if early else np.ones(32, np.bool_))
        later = [] if early else slots
        memory.load(
            tensormemory.TensorMemoryLoad(
                c.frame, later, c.numbers(), c.rows(), value, poison, found.reshape(32, -1)
            )
        )

    aligned(site, step, _warps(run))


@rule("tcgen05.st.sync.aligned")
def store(site: program.InstructionSite, step: SimulatedStep) -> None:
    """Let `step` store to tensor memory; the cells are in flight until `tcgen05.wait::st`."""
    cells = TensorCells(site, site.has("unpack"))
    reads = [site.resolver.read(one, "b32", site.names) for one in site.elements("r")]

    def run(c: InstructionState) -> None:
        memory, found = c.block.tensors, cells.find(c)
        memory.before_write(c.rows()[:, None, None], found)
        words = np.stack([c.spread(read(c)) for read, _ in reads], 1)
        unknown = [c.undefined(used) for _, used in reads]
        poison = np.stack([c.spread(np.bool_(False) if one is None else one) for one in unknown], 1)
        if cells.packs:
            parts = np.stack([words & np.uint32(0xFFFF), words >> np.uint32(16)], -1)
        else:
            parts = words[..., None]
        flags = np.repeat(poison[..., None], parts.shape[-1], -1)
        shape = (32, -1)
        one = tensormemory.TensorMemoryStore(c.numbers(), c.rows(), found.reshape(shape))
        memory.store(one, parts.reshape(shape), flags.reshape(shape))

    aligned(site, step, _warps(run))


@rule("tcgen05.wait::ld")
def wait_loads(site: program.InstructionSite, step: SimulatedStep) -> None:
    """Let `step` wait for the loads of the warp from tensor memory."""
    aligned(site, step, _warps(lambda c: c.block.tensors.wait_loads(c.numbers())))


@rule("tcgen05.wait::st")
def wait_stores(site: program.InstructionSite, step: SimulatedStep) -> None:
    """Let `step` wait for the stores of the warp to tensor memory."""
    aligned(site, step, _warps(lambda c: c.block.tensors.wait_stores(c.numbers())))


@rule("tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync")
def fence(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function of a fence of tensor memory: `::before_thread_sync` orders earlier operations
    before a later synchronisation of threads, `::after_thread_sync` orders later operations after an earlier
    one (ISA, 9.7.16.6.4).
    """
    before = site.form.name.endswith("before_thread_sync")

    def run(c: InstructionState) -> None:
        clocks = c.block.clocks
        if clocks is not None and before:
            clocks.fence_before_sync(c.rows())
        elif clocks is not None:
            clocks.fence_after_sync(c.rows())

    return run


# --- copies and commits


_COPIES: dict[tuple[str, str], tuple[int, int, tuple[tuple[int, int], ...]]] = {
    ("128x256b", ""): (128, 32, ((0, 0),)),
    ("128x128b", ""): (128, 16, ((0, 0),)),
    ("64x128b", "warpx2::02_13"): (64, 16, ((0, 0), (0, 64))),
    ("64x128b", "warpx2::01_23"): (64, 16, ((0, 0), (1, 0))),
    ("32x128b", "warpx4"): (32, 16, ((0, 0), (0, 32), (0, 64), (0, 96))),
}
"""For each shape and multicast modifier of `tcgen05.cp`: the number of rows, the bytes of a row, and a pair
for each copy of the rows. The second number of a pair is the lane of the copy's first row.
"""


def _rows_of(shape: tuple[str, str]) -> list[Array]:
    """Return the lanes of the rows of a shape, one array for each copy of the rows."""
    rows, _, copies = _COPIES[shape]
    every = np.arange(rows)
    if shape[1] == "warpx2::01_23":
        return [every // 32 * 64 + every % 32, every // 32 * 64 + 32 + every % 32]
    return [every + first for _, first in copies]


@rule("tcgen05.cp")
def copy(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that starts a copy from shared to tensor memory; the cells are in flight until a
    thread waits at the mbarrier of a later `tcgen05.commit`. In a pair, each block copies its own. Raises
    `Fault` for shapes and unpacking that are not simulated.
    """
    group, shape = group_of(site), (site.modifier("shape"), site.modifier("multicast"))
    if shape not in _COPIES or site.has("dst") or site.has("src"):
        raise refuse(site, "this shape, or unpacking, is not simulated")
    rows, width, _ = _COPIES[shape]
    lanes = _rows_of(shape)
    target, slots, _ = site.address("t")
    source = site.read("s", "u64")

    def run(c: InstructionState) -> None:
        c.defined(slots, "the address of tensor memory")
        for one in each_thread(c):
            column = int(one.spread(target(one))[0]) & 0xFFFF
            bits = number_of(one, source, "a matrix descriptor")
            for block in blocks_of(one, group):
                places = shared_bytes(block.shared, bits, rows, width, 1, transposed=False)
                data, unknown = block.shared.gather(places)
                words = np.ascontiguousarray(data).view(np.uint32)
                poison = None if unknown is None else any_along(unknown.reshape(rows, -1, 4), -1)
                for copied in lanes:
                    cells = block.tensors.cells(copied[:, None], column + np.arange(width // 4))
                    issue(one, block, cells, [places], words, poison)

    return run


SHIFTED = 8
"""The columns of `tcgen05.shift`: 32 bytes."""


@rule("tcgen05.shift")
def shift(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that moves each row of eight columns to the lane before it; the last lane of each
    warp keeps its row (ISA, 9.7.16.9.3; GPUs shift the lanes of each warp by themselves). It raises `Fault`
    for an address in another lane than 0.
    """
    group = group_of(site)
    target, slots, _ = site.address("a")

    def run(c: InstructionState) -> None:
        c.defined(slots, "the address of tensor memory")
        for one in each_thread(c):
            address = int(one.spread(target(one))[0])
            if address >> 16 & 0xFFFF:
                raise Fault(codes.NOT_SIMULATED, "tcgen05.shift from another lane than 0 is not simulated")
            for block in blocks_of(one, group):
                memory, lanes = block.tensors, np.arange(tensormemory.LANES)
                columns = (address & 0xFFFF) + np.arange(SHIFTED)
                cells = memory.cells(lanes[:, None], columns)
                memory.before_operation(int(one.rows()[0]), cells.ravel(), writes=False)
                sources = memory.cells(np.minimum(lanes + 1, lanes | 31)[:, None], columns)
                words, unknown = memory.words[sources], memory.poison[sources]
                issue(one, block, cells, [], words, unknown, [cells])

    return run


def issue(
    c: InstructionState,
    block: ptxsim_block.SimulatedBlock,
    cells: Array,
    places: list[Array],
    words: Array,
    poison: Array | None,
    sources: Sequence[Array] = (),
) -> None:
    """Start an operation of a thread that writes `words` to `cells` of a block, and reads `places` of its
    shared memory and `sources` of its tensor memory. `poison` is the mask of undefined words, or `None`.
    Raises `Fault` if the thread may not use the cells.
    """
    row, storage = int(c.rows()[0]), block.shared
    block.tensors.before_operation(row, cells.ravel(), writes=True)
    unique = [np.unique(one) for one in places]
    time = 0 if unique or c.block.clocks is None else c.block.clocks.start(row)
    for one in unique:
        time = bulk.started(storage, row, one, writes=False)
    used = np.unique(np.concatenate([one.ravel() for one in sources])) if sources else NO_CELLS
    operation = tensormemory.PendingTensorOperation(row, time, cells.ravel(), storage, unique, used)
    block.tensors.start(operation, words.ravel(), None if poison is None else poison.ravel())


@rule("tcgen05.commit")
def commit(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that starts an arrival at an mbarrier, which completes once the products and copies
    that the thread started before have ended; the thread does not wait. With a multicast mask, there is an
    arrival in each block of the mask.
    """
    group, barriers = group_of(site), mbarriers.Barriers(site, "bar", "shared")
    mask = site.read("mask", "u16") if site.has("multicast") else None

    def run(c: InstructionState) -> None:
        for one in each_thread(c):
            ((owner, place),) = barriers.spots(one)
            found = [mbarriers.existing(owner, place)] if mask is None else []
            if mask is not None:
                chosen = number_of(one, mask, "the mask of a multicast")
                found = [mbarriers.existing(peer, place) for peer in c.block.peers if chosen >> peer.rank & 1]
            row = int(one.rows()[0])
            pending = [(block.tensors, block.tensors.of_thread(row)) for block in blocks_of(one, group)]
            known = c.block.zero_clock()
            if c.block.clocks is not None:
                c.block.clocks.publish(one.rows(), known)
                known.fence_before_sync()
                for memory, _ in pending:
                    known.ended(known.threads + row, memory.issued.get(row, 0))
            for barrier in found:
                arrival = _arrival(pending, barrier, known)
                barrier.operations.append(arrival)
                c.block.launch.arrivals.start(arrival)

    return run


Pending = list[tuple[tensormemory.TensorMemory, list[tensormemory.PendingTensorOperation]]]


def _arrival(pending: Pending, barrier: asynchronous_mbarriers.Mbarrier, known: BarrierClock) -> Arrival:
    """Return the arrival of a commit at `barrier`. It publishes the clocks `known` of the thread, and ends
    the operations `pending` when a thread has waited.
    """

    def put() -> None:
        barrier.arriving.add(known)
        barrier.arrive(1)

    def finish() -> None:
        for memory, operations in pending:
            memory.end(operations)

    return Arrival(put, finish, lambda: all(one.ended for _, operations in pending for one in operations))
