"""The state of a block of threads: registers, fragments and barriers, and the state that the launch shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from tilewright.ptxsim.asynchronous.arrivals import Arrivals
from tilewright.ptxsim.code import FunctionCode
from tilewright.ptxsim.counts import Counts
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.host.heap import Heap
from tilewright.ptxsim.host.regions import PlacedRegion
from tilewright.ptxsim.layout import VariableLayout
from tilewright.ptxsim.races.clocks import BarrierClock
from tilewright.ptxsim.races.global_memory import GlobalWatch
from tilewright.ptxsim.races.maps import MapWatch
from tilewright.ptxsim.races.orders import SynchronisationState
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.trace import Trace
from tilewright.ptxsim.values import UNSIGNED, Array

RUNS, AT_BARRIER, AT_SYNC = "runs", "waits at a barrier", "waits for the members of its mask"
AT_MBARRIER, AT_CLUSTER = "waits at an mbarrier", "waits at the barrier of the cluster"


class SharedLaunchState(Protocol):
    """The state that all blocks of a launch share, as `SimulatedLaunch` provides it: the grid and the threads
    of a block, global memory and parameters, the code of the kernel (``code``) and of its functions
    (``codes``), and the records of races, counts and traces. ``shared_bytes`` is the end of a block's shared
    memory, and ``local_bytes`` the size of a thread's local memory. With ``strict``, undefined operands,
    races and conflicting stores of an instruction are faults. ``cell`` is the number of bytes of shared
    memory that a race record covers; ``writes`` counts the executed stores and atomic updates. ``watch``,
    ``maps`` and ``trace`` are None if they are off.
    """

    threads: int
    memory: Storage
    parameters: Storage
    shared_bytes: int
    local_bytes: int
    seed: int
    """The seed of approximate results and of the order of sums; 0 for the most accurate results."""
    shuffle: Any
    """The random generator that chooses the next fragment; `None` for the deterministic order."""
    arrivals: Arrivals
    strict: bool
    permits: frozenset[str]
    """The names of findings that do not stop the launch, of `codes.PERMITS`."""
    same_values: bool
    """True if it is a fault that several threads store to the same address by an instruction, even equal
    values.
    """
    cell: int
    code: FunctionCode
    codes: dict[str, FunctionCode]
    layout: VariableLayout
    orders: SynchronisationState
    trace: Trace | None
    grid: tuple[int, int, int]
    multicast: Sequence[PlacedRegion]
    """The multicast objects of the launch."""
    watch: GlobalWatch | None
    maps: MapWatch | None
    counts: Counts
    writes: int
    heap: Heap

    def special(self, index: tuple[int, int, int], rank: int, name: str) -> Any:
        """Return the special register `name` of the threads of a block: an array with an element for each
        thread, or a scalar. `index` is the index of the block in the grid, `rank` its rank in the cluster.
        """
        ...

    def cancel(self) -> tuple[int, int, int] | None:
        """Cancel a cluster that has not started, so that it never runs, and return the index of its first
        block; `None` if all have started.
        """
        ...

    def say(self, text: str) -> None:
        """Write the text that a kernel prints."""
        ...

    def refuse(self, fault: Fault) -> None:
        """Raise `fault`, unless the filter of the launch lets the kernel continue after it. Then return: the
        filter reports the fault, or ignores it.
        """
        ...


class RegisterFrame:
    """The registers of an activation, each an array over all threads of the block.

    Calls by the same instruction of the same activation share a frame: each thread has its own lane. `parent`
    is the frame of the caller (None for a kernel), and `return_to` the index of the step in it that calls.
    `poison` has the mask of the threads in which a register is undefined, or `None` if it is defined in every
    thread. `pieces` has such masks for equal parts of a register, if it was joined from parts; they are valid
    while `poison` is their union.
    """

    def __init__(
        self, code: FunctionCode, threads: int, parent: RegisterFrame | None, return_to: int
    ) -> None:
        self.code = code
        self.parent = parent
        self.return_to = return_to
        self.depth = 0 if parent is None else parent.depth + 1
        self.base = 0 if parent is None else parent.base + parent.code.local_bytes
        """The offset in bytes of the activation's variables in the local memory of a thread."""
        self.values: list[Any] = [np.zeros(threads, UNSIGNED[bits]) for bits in code.registers]
        self.poison: list[Any] = [np.ones(threads, np.bool_) for _ in code.registers]
        self.pieces: dict[int, JoinedPoison] = {}
        self.children: dict[tuple[int, int], RegisterFrame] = {}


@dataclass(frozen=True, slots=True)
class JoinedPoison:
    """The masks of a register that was joined from equal parts: for each part, the lowest first, the threads
    in which it is undefined (`parts`), and their union (`whole`).
    """

    whole: Array
    parts: tuple[Array, ...]


@dataclass(slots=True, eq=False)
class ThreadGroup:
    """A fragment: threads at the instruction `pc` of an activation (`frame`), the unit that the simulator
    executes. `lanes` has their indices in the block, or is `None` for all threads of the block. ``state``
    says whether the fragment runs, or why it waits; ``wakes`` and ``expires`` belong to a wait. `back` is the
    number of its backward jumps and of its waits that have given up.
    """

    frame: RegisterFrame
    pc: int
    lanes: Any
    state: str = RUNS
    back: int = 0
    wakes: Callable[[], bool] | None = None
    """Returns whether a waiting fragment has to test its condition again."""
    expires: Callable[[], None] | None = None
    """Is called when a wait with a time limit ends without success."""


@dataclass(slots=True)
class Barrier:
    """A named barrier in use: the number of threads that it expects, the number that arrived, and the waiting
    fragments. `votes` has an array with the predicates of each arrival at a reduction, and `clock` joins the
    vector clocks of the threads that arrived.
    """

    expected: int
    arrived: int = 0
    waiting: list[ThreadGroup] = field(default_factory=list[ThreadGroup])
    votes: list[Any] = field(default_factory=list[Any])
    clock: BarrierClock = field(default_factory=lambda: BarrierClock(0))


@dataclass(slots=True)
class ClusterBarrier:
    """The state of the cluster's barrier in one block: the current phase, the number of the block's threads
    that arrived in it, and for each thread the phase in which it arrived last (``phases``). ``clock``
    collects the clocks of threads that arrive, ``published`` has the joined clocks of the last complete
    phase.
    """

    threads: int
    phase: int = 0
    arrived: int = 0
    phases: Any = None
    """For each thread, the phase in which it arrived last."""
    clock: BarrierClock = field(default_factory=lambda: BarrierClock(0))
    published: BarrierClock = field(default_factory=lambda: BarrierClock(0))

    def __post_init__(self) -> None:
        self.phases = np.full(self.threads, -2)
