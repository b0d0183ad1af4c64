"""Launches: arguments, the grid, and the report."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.support.print_conversions import write_out
from tilewright.ir.support.progress import Progress
from tilewright.ptx.checks import read
from tilewright.ptx.model import File, LocDirective, Module, PtxFunction
from tilewright.ptxsim import codes
from tilewright.ptxsim.asynchronous.arrivals import Arrivals
from tilewright.ptxsim.block import SimulatedBlock
from tilewright.ptxsim.cluster import Cluster, checked, ranked
from tilewright.ptxsim.counts import Counts
from tilewright.ptxsim.faults import Fault, StoppedError, diagnostic, located, source_of
from tilewright.ptxsim.host.arguments import Arguments
from tilewright.ptxsim.host.device import DeviceModule
from tilewright.ptxsim.host.heap import ALLOCATION, HEAP_BYTES, Heap
from tilewright.ptxsim.host.regions import PlacedRegion
from tilewright.ptxsim.instructions.registry import unit_of
from tilewright.ptxsim.layout import WINDOWS, VariableLayout
from tilewright.ptxsim.preparing import PREPARED, PreparedKernel
from tilewright.ptxsim.races.global_memory import GlobalWatch
from tilewright.ptxsim.races.maps import MapWatch
from tilewright.ptxsim.races.orders import SynchronisationState
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.trace import Trace

Extents = Sequence[int]
QUANTUM = 50_000
"""The number of instructions that a block executes before another block may continue."""
TOGETHER, SLICE = 8, 4
"""In a random order, the number of clusters that run concurrently; each executes fewer than `SLICE`
instructions at a time.
"""
MAXIMUM_STEPS = 200_000_000
LOCAL_LIMIT, LOCAL_OF_CALLS = 1 << 19, 1 << 16
"""The maximum local memory of a thread in bytes, and the maximum for calls: `DEPTH` activations of each
function, limited to this size.
"""
DEPTH = 64
SHARED_LIMIT = 1 << 19
"""More bytes of shared memory than any GPU has for a block."""
TIMES = 10
"""The factor between the limit that a hint names and the limit that was reached."""
TEXTS = 8
"""The number of texts whose modules are kept."""
CHECKS = ("all", "none")
FaultFilter = Callable[[Fault, FileLineColLocation | None, FileLineColLocation | None], bool]
"""A function that decides whether a kernel continues after a fault: of the fault, the source line, and the
line of the other access of a race.
"""


@dataclass(frozen=True, slots=True)
class LineCost:
    """The cost of the accesses of a line to shared or global memory: the `requests` of warps, and as `cost`
    the bank conflicts (shared memory) or the sectors (global memory).

    `least` is the minimum number of sectors that hold the accessed bytes; 0 for shared memory.
    """

    place: FileLineColLocation
    space: str
    requests: int
    cost: int
    least: int


@dataclass(frozen=True, slots=True)
class SimulatedLineWork:
    """The work of threads in a source line: instructions times threads, and the number of waits of warps for
    others.

    `waited` is the sum of the waits' durations, in instructions that others executed meanwhile. Without a
    trace, `waits` and `waited` are 0.
    """

    place: FileLineColLocation
    thread_instructions: int
    waits: int
    waited: int


@dataclass(frozen=True, slots=True)
class SimulationReport:
    """The statistics of a launch.

    `steps` counts the instructions that fragments of blocks executed, `thread_instructions` counts them times
    their threads, and `units` counts the latter by kind of instruction. A request is a load or store of a
    warp. A bank conflict is a pass of a request beyond its minimum; a sector is 32 bytes of global memory
    that a request accesses.
    """

    blocks: int
    steps: int
    thread_instructions: int
    shared_requests: int = 0
    bank_conflicts: int = 0
    global_requests: int = 0
    sectors: int = 0
    units: dict[str, int] = field(default_factory=dict[str, int])
    lines: tuple[LineCost, ...] = ()
    """The cost of the accesses of each source line, if the PTX has `.loc`."""
    work: tuple[SimulatedLineWork, ...] = ()
    """The work of threads in each source line."""


def launch(
    ptx: str | Path | Module,
    entry: str,
    grid: Extents,
    block: Extents,
    args: Sequence[Any],
    *,
    shared: int = 0,
    cluster: Extents = (1, 1, 1),
    checks: str = "all",
    seed: int = 0,
    schedule: int = 0,
    limit: int = MAXIMUM_STEPS,
    allows: str = "",
    same_values: bool = False,
    permits: Iterable[str] = (),
    trace: Path | Trace | None = None,
    forgives: FaultFilter | None = None,
    device: DeviceModule | None = None,
) -> SimulationReport:
    """Run the kernel `entry` on a grid of `grid` blocks of `block` threads, in clusters of `cluster` blocks
    (extents along x, y and z); arrays among `args` are updated with the kernel's writes.

    `ptx` is a path, text or module. A pointer parameter takes an array, a `HostPointer` or a `Multicast`.
    `shared` is the dynamic shared memory in bytes. `checks` is ``all`` or ``none`` (undefined values and
    races are not reported). `seed` chooses the results of approximate instructions and the arrival of
    asynchronous data; 0 is the most accurate result and the latest arrival. `schedule` chooses the order of
    warps and blocks; 0 is the order of the program and the grid, other values are random orders. `limit` is
    the maximum number of instructions. With `same_values` threads must not store even equal values to an
    address by an instruction. `permits` names findings that pass, of `codes.PERMITS`. A hint names `allows`,
    the caller's option for a higher limit. `trace` is a file for Perfetto, or a `Trace` that receives the
    events. `forgives` decides which races and failed assertions the kernel continues after. `device` has
    memory and variables that outlive the launch; `ptx` is its module then.

    Raises `DiagnosticError` for a launch that is not possible, and for errors of the kernel, with the PTX
    line and the source line.
    """
    module = ptx if isinstance(ptx, Module) else read(ptx) if isinstance(ptx, Path) else _module_of(ptx)
    hint = f"{allows or f'limit={limit * TIMES} of launch'} allows more"
    try:
        run = SimulatedLaunch(
            module, entry, grid, block, args, shared, cluster, checks, seed, schedule, device
        )
        run.same_values = same_values
        run.permits = permitted(permits)
        run.forgives = forgives
    except Fault as fault:
        at = FileLineColLocation(module.file_name, 0, 0)
        raise DiagnosticError([diagnostic(fault, at)]) from None
    made = Trace() if isinstance(trace, Path) else trace
    run.watch_with(made)
    try:
        return run.run(limit, hint)
    finally:
        PREPARED.give(run.prepared)
        if isinstance(trace, Path) and made is not None:
            made.write(trace)


_module_of = lru_cache(maxsize=TEXTS)(read)
"""Returns the module of a text; repeated launches of a text read it once."""


def permitted(names: Iterable[str]) -> frozenset[str]:
    """Return the set of `names`, findings that do not stop the launch. Raises `Fault` for a name that is not
    in `codes.PERMITS`.
    """
    found = frozenset(names)
    unknown = sorted(found - codes.PERMITS.keys())
    if unknown:
        raise Fault(
            codes.BAD_LAUNCH, f"findings that may pass are {', '.join(codes.PERMITS)}, not '{unknown[0]}'"
        )
    return found


def _beyond(limit: int, active: int) -> str:
    blocks = f"{active} block{'s' * (active != 1)}"
    return f"the launch exceeds its limit of {limit:,} instructions: {blocks} still run, and this instruction is next"


def _three(extents: Extents, what: str) -> tuple[int, int, int]:
    x, y, z = (*extents, 1, 1)[:3] if 0 < len(extents) <= 3 else (0, 0, 0)
    if not all(0 < extent < 1 << 31 for extent in (x, y, z)):
        raise Fault(codes.BAD_LAUNCH, f"the {what} {tuple(extents)} is not one to three positive extents")
    return x, y, z


class SimulatedLaunch:
    """A kernel with its arguments, grid and memory; `run` executes it. The constructor takes a parsed module,
    and otherwise parameters of `launch` with the same names and meanings. It raises `Fault` for a launch that
    is not possible.
    """

    def __init__(
        self,
        module: Module,
        entry: str,
        grid: Extents,
        block: Extents,
        args: Sequence[Any],
        shared: int,
        cluster: Extents,
        checks: str,
        seed: int,
        schedule: int,
        device: DeviceModule | None = None,
    ) -> None:
        self.module = module
        self.device = device
        self.grid, self.block = _three(grid, "grid"), _three(block, "block")
        self.threads = self.block[0] * self.block[1] * self.block[2]
        if self.threads > 1024:
            raise Fault(codes.BAD_LAUNCH, f"{self.threads} threads in a block; a GPU takes 1024")
        self.cluster = _three(cluster, "cluster")
        checked(self.cluster, self.grid)
        if checks not in CHECKS:
            raise Fault(codes.BAD_LAUNCH, f"checks are {' or '.join(CHECKS)}, not '{checks}'")
        self.strict = checks == "all"
        self.same_values = False
        self.permits: frozenset[str] = frozenset()
        self.seed = seed
        self.arrivals = Arrivals(seed)
        self.shuffle = np.random.default_rng(schedule) if schedule else None
        self.files = {one.number: one.name for one in module.statements if isinstance(one, File)}
        self.function = self._entry(module, entry)
        self.memory = (
            Storage("global", WINDOWS["global"], 1 << 12, poison=False) if device is None else device.memory
        )
        self.layout = VariableLayout(module, self.memory) if device is None else device.entry(entry).layout
        self.shared_bytes = self.layout.dynamic + shared
        if self.shared_bytes > SHARED_LIMIT:
            raise Fault(
                codes.BAD_LAUNCH,
                f"a block needs {self.shared_bytes:,} bytes of shared memory; no GPU has more than {SHARED_LIMIT:,}",
            )
        self.arguments = Arguments(self.memory, self.function.parameters, args)
        self.multicast: Sequence[PlacedRegion] = self.arguments.multicast
        self.parameters, places = self.arguments.storage, self.arguments.places
        self.heap = device.heap if device is not None else self._heap()
        self.prepared = self._prepared(entry, places)
        self.codes, self.steps = self.prepared.codes, self.prepared.steps
        self.code = self.codes[entry]
        self.cell, self.global_cell = self.prepared.shared_cell, self.prepared.global_cell
        self.local_bytes = self._local_bytes()
        self.orders = SynchronisationState()
        self.forgives: FaultFilter | None = None
        self.running: Cluster | None = None
        """The cluster that executes."""
        self.bases: Iterator[tuple[int, int, int]] = iter(())
        """The first blocks of the clusters that have not started."""
        self.watch: GlobalWatch | None = None
        self.maps: MapWatch | None = None
        self.trace: Trace | None = None
        self.counts = Counts()
        self.writes = 0
        self._specials: dict[str, Any] = {}

    def _heap(self) -> Heap:
        return Heap(self.memory, HEAP_BYTES if ALLOCATION in self.module.functions() else 0)

    def _prepared(self, entry: str, places: dict[int, int]) -> PreparedKernel:
        """Return the functions in the form that is executed; `places` has the offsets of the entry's parameters."""
        if self.device is None:
            return PREPARED.take(self.module, self.module, entry, self.layout, places)
        used = self.device.entry(entry).functions
        return PREPARED.take(self.device, self.module, entry, self.layout, places, used)

    def _local_bytes(self) -> int:
        """Return the local memory of a thread in bytes, a multiple of 16: all variables, and with functions
        room for nested calls. Raises `Fault` if the variables exceed the limit.
        """
        need = sum(one.local_bytes for one in self.codes.values())
        if need > LOCAL_LIMIT:
            raise Fault(
                codes.BAD_LAUNCH,
                f"variables take {need:,} bytes of local memory; a thread of a GPU has {LOCAL_LIMIT:,}",
            )
        if len(self.codes) > 1:
            need = max(need, min(LOCAL_OF_CALLS, need * DEPTH))
        return max(-(-need // 16) * 16, 16)

    def _entry(self, module: Module, entry: str) -> PtxFunction:
        kernels = {name: one for name, one in module.functions().items() if one.entry}
        if entry not in kernels or kernels[entry].body is None:
            raise Fault(
                codes.BAD_LAUNCH, f"there is no kernel '{entry}'", f"kernels: {', '.join(kernels) or 'none'}"
            )
        clusters = kernels[entry].directive("reqnctapercluster")
        if clusters and (*clusters, 1, 1)[:3] != self.cluster:
            raise Fault(
                codes.BAD_LAUNCH, f"the kernel requires clusters of {clusters}, the launch has {self.cluster}"
            )
        wanted = kernels[entry].directive("reqntid")
        if wanted and (*wanted, 1, 1)[:3] != self.block:
            raise Fault(
                codes.BAD_LAUNCH, f"the kernel requires blocks of {wanted}, the launch has {self.block}"
            )
        return kernels[entry]

    # --- running

    def watch_with(self, trace: Trace | None) -> None:
        """Record in `trace` when each warp executes; None records nothing."""
        self.trace = trace
        if trace is not None:
            trace.files = self.files

    def run(self, limit: int, hint: str) -> SimulationReport:
        """Run the blocks in order, or in random order if `schedule` is not 0; while a block waits for another
        one, the other runs. Return the statistics of the launch.

        Raises `StoppedError`, a `DiagnosticError`, for a fault and at the limit of `limit` instructions.
        `hint` says how to raise the limit. The arguments are copied back in any case.
        """
        nx, ny, nz = self.grid
        cx, cy, cz = self.cluster
        self.bases = ((x, y, z) for z in range(0, nz, cz) for y in range(0, ny, cy) for x in range(0, nx, cx))
        active: deque[Cluster] = deque()
        steps, number = 0, 1
        if self.strict:
            self.watch = GlobalWatch(len(self.memory.bytes), self.global_cell, self.refuse)
            self.maps = MapWatch(self.watch, self.threads)
        try:
            with np.errstate(all="ignore"), Progress("blocks", nx * ny * nz) as progress:
                while True:
                    for base in islice(self.bases, TOGETHER - len(active) if self.shuffle else 1):
                        active.append(Cluster(self, ranked(self.cluster, base), number))
                        number += 1
                    if not active:
                        break
                    if steps >= limit:
                        fault = Fault(codes.STEP_LIMIT, _beyond(limit, len(active)), hint)
                        raise self._located(active[0].current, fault)
                    running = len(active)
                    steps += self._turn(active, limit - steps)
                    if len(active) < running:
                        progress.step(cx * cy * cz)
        finally:
            self.arguments.copy_back()
            if self.device is not None:
                self.device.accesses = [] if self.watch is None else list(self.watch.ranges())
            # The watch refers to this launch; without these references, the blocks are freed at once.
            self.running = self.watch = self.maps = None
        return self._report(nx * ny * nz, steps)

    def _report(self, blocks: int, steps: int) -> SimulationReport:
        units: dict[str, int] = {}
        for code in self.codes.values():
            for step in code.steps:
                if step.threads:
                    unit = unit_of(step.instruction)
                    units[unit] = units.get(unit, 0) + step.threads
        counts = self.counts
        return SimulationReport(
            blocks,
            steps,
            sum(units.values()),
            *counts.of("shared")[:2],
            *counts.of("global")[:2],
            dict(sorted(units.items())),
            tuple(self._line_costs()),
            tuple(self._line_work()),
        )

    def _line_costs(self) -> Iterator[LineCost]:
        """Yield the cost of accesses for each state space and source line. Accesses without a source line are
        left out.
        """
        for (space, line), cost in self.counts.lines.items():
            place = source_of(line, self.files)
            if place is not None:
                yield LineCost(place, space, *cost)

    def _line_work(self) -> Iterator[SimulatedLineWork]:
        """Yield the work of threads for each source line. Instructions without a source line are left out."""
        executed: dict[LocDirective, int] = {}
        for code in self.codes.values():
            for step in code.steps:
                if step.threads and step.line is not None:
                    executed[step.line] = executed.get(step.line, 0) + step.threads
        waits = {} if self.trace is None else self.trace.waits
        for line, threads in executed.items():
            place = source_of(line, self.files)
            if place is not None:
                yield SimulatedLineWork(place, threads, *waits.get(line, (0, 0)))

    def _turn(self, active: deque[Cluster], most: int) -> int:
        quantum = min(QUANTUM, most)
        if self.shuffle is not None:
            active.rotate(int(self.shuffle.integers(len(active))))
            quantum = min(int(self.shuffle.integers(1, SLICE)), most)
        cluster = self.running = active.popleft()
        try:
            left = cluster.run(quantum)
            if cluster.runs:
                active.append(cluster)
            else:
                cluster.finish()
        except Fault as fault:
            raise self._located(cluster.current, fault) from None
        return quantum - left

    def cancel(self) -> tuple[int, int, int] | None:
        """Remove the next cluster that has not started from the launch, and return the index of its first
        block; `None` if all have started.
        """
        return next(self.bases, None)

    def refuse(self, fault: Fault) -> None:
        """Raise a fault of the executed step, unless ``forgives`` returns true for the fault, the source line
        of the step, and the source line of the other access of a race.
        """
        if self.forgives is None or self.running is None:
            raise fault
        step = self.running.current.current
        lines = (None if step is None else step.line, self._line_of(fault.earlier))
        if not self.forgives(fault, *(source_of(line, self.files) for line in lines)):
            raise fault

    def _line_of(self, number: int) -> Any:
        """Return the source line of the step `number`, or `None` for 0."""
        return self.steps[number - 1].line if number else None

    def _located(self, block: SimulatedBlock, fault: Fault) -> StoppedError:
        step = block.current or self.code.steps[0]
        notes = (f"in block {block.index}",)
        other = self.steps[fault.earlier - 1] if fault.earlier else None
        earlier = None if other is None else (other.instruction, other.line)
        name = self.module.file_name
        error = located(fault, name, step.instruction, step.line, notes, self.files, earlier)
        error.block, error.regions = block.index, self.arguments.regions
        return error

    def say(self, text: str) -> None:
        """Write the text that a kernel prints to `sys.stdout`."""
        write_out(text)

    def special(self, index: tuple[int, int, int], rank: int, name: str) -> Any:
        """Return the special register `name` of a block's threads: a scalar, or an element for each thread.
        The block has the index `index` in the grid and the rank `rank` in its cluster. Registers that are not
        modelled are 0, unless the device sets them.
        """
        found = self._specials.get(name)
        if found is None:
            found = self._specials[name] = self._special(name)
        if found is not NotImplemented:
            return found
        head, _, axis = name[1:].partition(".")
        if head == "cluster_ctarank":
            return np.uint32(rank)
        at = "xyz".index(axis)
        places = {
            "ctaid": index[at],
            "clusterid": index[at] // self.cluster[at],
            "cluster_ctaid": index[at] % self.cluster[at],
        }
        return np.uint32(places[head])

    def _special(self, name: str) -> Any:
        numbers = np.arange(self.threads, dtype=np.uint32)
        lane = numbers & np.uint32(31)
        x, y, _ = self.block
        axes = {"x": numbers % x, "y": numbers // x % y, "z": numbers // (x * y)}
        head, _, axis = name[1:].partition(".")
        if head in ("ctaid", "clusterid", "cluster_ctaid", "cluster_ctarank"):
            return NotImplemented
        one = np.uint32(1)
        bit = np.left_shift(one, lane)
        table: dict[str, Any] = {
            "tid": axes.get(axis),
            "ntid": np.uint32(self.block["xyz".index(axis)] if axis else 0),
            "nctaid": np.uint32(self.grid["xyz".index(axis)] if axis else 0),
            "nclusterid": np.uint32(
                self.grid["xyz".index(axis)] // self.cluster["xyz".index(axis)] if axis else 0
            ),
            "cluster_nctaid": np.uint32(self.cluster["xyz".index(axis)] if axis else 0),
            "cluster_nctarank": np.uint32(self.cluster[0] * self.cluster[1] * self.cluster[2]),
            "is_explicit_cluster": np.bool_(self.cluster != (1, 1, 1)),
            "laneid": lane,
            "warpid": numbers >> np.uint32(5),
            "nwarpid": np.uint32((self.threads + 31) // 32),
            "nsmid": one,
            "lanemask_eq": bit,
            "lanemask_lt": bit - one,
            "lanemask_le": bit - one | bit,
            "lanemask_gt": ~(bit - one | bit),
            "lanemask_ge": ~(bit - one),
            "dynamic_smem_size": np.uint32(self.shared_bytes - self.layout.dynamic),
            "total_smem_size": np.uint32(self.shared_bytes - 1024),
        }
        given = {} if self.device is None else self.device.registers
        return table.get(head, np.uint32(given.get(head, 0)))
