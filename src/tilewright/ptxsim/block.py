"""A block of threads: its fragments, and their scheduling.

A fragment (`ThreadGroup`) is a set of threads at the same instruction of an activation. The fragment of the
deepest activation runs first, then the one at the lowest instruction, so that threads that diverged converge
as early as possible. A fragment that has jumped back `PATIENCE` times lets others run first, so that a loop
that waits for other threads ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptx.model import LocDirective
from tilewright.ptxsim import block_state, codes
from tilewright.ptxsim.asynchronous.bulk import BulkGroups
from tilewright.ptxsim.asynchronous.copies import ThreadCopies
from tilewright.ptxsim.asynchronous.groups import GroupProducts
from tilewright.ptxsim.asynchronous.mbarriers import Mbarrier
from tilewright.ptxsim.asynchronous.tensormemory import TensorMemory
from tilewright.ptxsim.block_state import RUNS, RegisterFrame, ThreadGroup
from tilewright.ptxsim.code import FunctionCode, SimulatedStep
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.races.clocks import BarrierClock, RaceAccess, SharedWatch, ThreadClocks
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import Array, every, some

PATIENCE = 1000
POLLS = 200
"""The number of ordered loads after which a block lets other blocks run: it may wait for one of them."""
DEEPEST = 2000
"""The maximum depth of nested calls; a GPU ends a kernel whose stack is full."""
ENDLESS = "end the recursion; a GPU stops a kernel whose stack is full"
SLICE = 4
"""In a random schedule, a fragment executes fewer instructions than this number before a fragment is chosen
again.
"""
NO_THREADS: Any = np.zeros(0, np.int64)


class SimulatedBlock:
    """A block of the grid: its fragments, barriers, asynchronous operations, and memory except global."""

    def __init__(
        self,
        launch: block_state.SharedLaunchState,
        index: tuple[int, int, int],
        peers: list[SimulatedBlock],
        rank: int,
        clocks: ThreadClocks | None,
    ) -> None:
        """Initialise a block. `index` is its index in the grid, `peers` are the blocks of its cluster in the
        order of their ranks, and `rank` is its own rank. `clocks` is `None` without race detection.
        """
        self.launch = launch
        self.index = index
        self.number = index[0] + launch.grid[0] * (index[1] + launch.grid[1] * index[2])
        self.peers, self.rank = peers, rank
        self.threads = launch.threads
        self.global_ = launch.memory
        self.param = launch.parameters
        self.shared = Storage("shared", 0, launch.shared_bytes, poison=True)
        self.shared.open(1024, launch.shared_bytes)
        self.clocks = clocks
        if clocks is not None:
            self.shared.watch = SharedWatch(clocks, rank * self.threads, launch.shared_bytes, launch.cell)
        self.local_bytes = launch.local_bytes
        self.local = Storage("local", 0, self.threads * self.local_bytes, poison=True)
        self.local.open(0, self.threads * self.local_bytes)
        self.everyone: Any = np.arange(self.threads)
        frame = RegisterFrame(launch.code, self.threads, None, 0)
        self.fragments = [ThreadGroup(frame, 0, None)]
        if launch.shuffle is not None and self.threads > 32:
            warps = np.split(self.everyone, range(32, self.threads, 32))
            self.fragments = [ThreadGroup(frame, 0, lanes) for lanes in warps]
        self.barriers: dict[int, block_state.Barrier] = {}
        self.handed_over: dict[int, int] = {}
        """For each thread that printed the empty text, the address of the values that it passed with the
        text.
        """
        self.ended = 0
        self.exited = np.zeros((self.threads + 31) // 32, np.uint32)
        """For each warp, the bit mask of its threads that have ended."""
        self.carry: Any = np.zeros(self.threads, np.bool_)
        self.copies = ThreadCopies(self.threads, launch.arrivals)
        self.bulk = BulkGroups(self.threads, launch.arrivals)
        self.products = GroupProducts(self.threads, launch.arrivals)
        self._tensors: TensorMemory | None = None
        self.mbarriers: dict[int, Mbarrier] = {}
        self.cluster_barrier = block_state.ClusterBarrier(self.threads, clock=self.zero_clock())
        self.no_more_clusters = False
        """True once a thread of the block has found no cluster to cancel."""
        self.events = 0
        """The number of events so far that may end the wait of a fragment, such as the end of a phase."""
        self.current: SimulatedStep | None = None
        self.polls = 0
        """The number of ordered loads since `run` was called."""

    @property
    def line(self) -> LocDirective | None:
        """Return the source line of the executed instruction, or `None` if it is unknown."""
        return self.current.line if self.current is not None else None

    def special(self, name: str) -> Any:
        """Return the special register `name` of the threads: an array with an element for each thread, or a
        scalar.
        """
        return self.launch.special(self.index, self.rank, name)

    def watch_global(
        self,
        rows: Array,
        places: Array,
        size: int,
        *,
        writes: bool,
        level: int = 0,
        keeps: Callable[[], Array] | None = None,
    ) -> None:
        """Check an access of the threads `rows` (indices in the cluster) to `size` bytes each of global
        memory at `places` for races, and record it: a write if `writes` holds, else a read. `level` is the
        scope of an ordered access; 0 for an access without an order. `keeps` returns a mask of the threads
        whose store would not change memory. Does nothing without race detection.
        """
        if self.clocks is not None and self.launch.watch is not None:
            self.launch.watch.access(
                self.clocks,
                self.threads,
                rows,
                places,
                size,
                writes=writes,
                level=level,
                by=self.access(keeps),
            )

    def access(self, keeps: Callable[[], Array] | None = None) -> RaceAccess:
        """Return the description of an access by the executed instruction for the race detection. `keeps`
        returns the threads whose store would not change memory.
        """
        return RaceAccess(0 if self.current is None else self.current.number, keeps)

    @property
    def tensors(self) -> TensorMemory:
        """Return the tensor memory of the block, which is created on first use."""
        if self._tensors is None:
            fences = codes.UNFENCED_TENSOR_MEMORY not in self.launch.permits
            self._tensors = TensorMemory(self.clocks, fences=fences)
        return self._tensors

    def zero_clock(self) -> BarrierClock:
        """Return a vector clock of the cluster whose times are 0."""
        return BarrierClock(0 if self.clocks is None else self.clocks.threads)

    def rows(self, fragment: ThreadGroup) -> Array:
        """Return the indices of the fragment's threads in the cluster."""
        return self.lanes(fragment) + self.rank * self.threads

    def flags(self, c: InstructionState) -> Array:
        """Return the carry flags (`CC.CF`) of the executing threads."""
        return self.carry if c.lanes is None else self.carry[c.lanes]

    def set_flags(self, c: InstructionState, flags: Array) -> None:
        """Set the carry flags (`CC.CF`) of the executing threads."""
        self.carry[slice(None) if c.lanes is None else c.lanes] = flags

    def lanes(self, fragment: ThreadGroup) -> Array:
        """Return the indices of the fragment's threads in the block."""
        return self.everyone if fragment.lanes is None else fragment.lanes

    # --- scheduling

    def run(self, quantum: int) -> int:
        """Execute fragments until `quantum` instructions are executed, all fragments wait, or they have polled
        `POLLS` times. Return the number of instructions that are left.
        """
        self.polls = 0
        while quantum > 0 and self.polls < POLLS:
            ready = self.ready()
            if not ready:
                break
            fragment, most = self._chosen(ready, quantum)
            lanes, first = self.lanes(fragment), fragment.frame.code.steps[fragment.pc]
            done = self._advance(fragment, most)
            quantum -= done
            if self.launch.trace is not None:
                assert self.current is not None
                waits = [one.state for one in self.fragments if lanes[0] in self.lanes(one)]
                state = waits[0] if waits and waits[0] != RUNS else ""
                where = (self.number, self.index)
                self.launch.trace.span(where, lanes, (first, self.current), done, state)
        return quantum

    def _chosen(self, ready: list[ThreadGroup], quantum: int) -> tuple[ThreadGroup, int]:
        """Return the fragment of `ready` that runs next, and the maximum number of instructions that it may
        execute: `quantum`, or a random number in a random schedule.
        """
        shuffle = self.launch.shuffle
        if shuffle is None:
            return min(ready, key=lambda one: (one.back // PATIENCE, -one.frame.depth, one.pc)), quantum
        return ready[int(shuffle.integers(len(ready)))], min(quantum, int(shuffle.integers(1, SLICE)))

    def notify(self) -> None:
        """Record an event that may end the wait of a fragment."""
        self.events += 1

    def ready(self) -> list[ThreadGroup]:
        """Return the fragments that can run. A fragment whose `wakes` returns true stops waiting first."""
        for one in self.fragments:
            if one.wakes is not None and one.wakes():
                one.state, one.wakes = RUNS, None
        return [one for one in self.fragments if one.state == RUNS]

    def expire(self) -> bool:
        """End the first wait that has a time limit, without success, so that its fragment can run. Return
        false if no fragment has such a wait.
        """
        for one in self.fragments:
            if one.expires is not None and one.state != RUNS:
                one.expires()
                one.state, one.wakes, one.expires = RUNS, None, None
                one.back += 1
                return True
        return False

    def finish(self) -> None:
        """Check the asynchronous operations when all threads have ended. Raises `Fault` if one still uses the
        block's memory.
        """
        self.bulk.finish()
        if self._tensors is not None:
            self._tensors.finish()
        for one in self.mbarriers.values():
            if one.unfinished():
                raise Fault(codes.IN_FLIGHT, f"the block ends before copies that arrive at {one}")

    def deadlock(self) -> Fault:
        """Return the fault for a block in which no fragment can run. The message names waiting threads and
        their instructions.
        """
        places = [
            f"{len(self.lanes(one))} threads: {one.state}, line {one.frame.code.steps[one.pc].instruction.place.line}"
            for one in self.fragments[:3]
        ]
        places += [one.missing() for one in self.mbarriers.values() if self._waited(one)]
        ended = f"; {self.ended} threads have ended" if self.ended else ""
        return Fault(codes.DEADLOCK, f"no thread can continue: {', '.join(places)}{ended}")

    def _waited(self, barrier: Mbarrier) -> bool:
        waits = any(one.state == block_state.AT_MBARRIER for one in self.fragments)
        return waits and (
            barrier.pending != barrier.expected or barrier.bytes != 0 or len(self.mbarriers) == 1
        )

    def _advance(self, fragment: ThreadGroup, quantum: int) -> int:
        """Execute at most `quantum` instructions of a fragment. Stop after a control instruction, such as a
        jump, and before an instruction at which another fragment is. Returns the number of executed
        instructions.
        """
        steps, state = fragment.frame.code.steps, InstructionState(self, fragment.frame, None)
        stop = min(
            (one.pc for one in self.fragments if one.frame is fragment.frame and one.pc > fragment.pc),
            default=-1,
        )
        self._merge(fragment)
        done = 0
        while done < quantum and self.polls < POLLS:
            self.current = step = steps[fragment.pc]
            done += 1
            run = step.run
            if run is None and fragment.lanes is None and step.guard is None:
                run = step.whole
            if run is None:
                if step.control == "bra" and len(self.fragments) == 1 and self._jumps_whole(fragment, step):
                    continue
                getattr(self, f"_do_{step.control}")(fragment, step)
                break
            lanes = fragment.lanes if step.guard is None else self._guarded(fragment, step)
            if lanes is not NO_THREADS:
                state.lanes = lanes
                run(state)
                step.threads += self.threads if lanes is None else len(lanes)
            fragment.pc += 1
            if fragment.pc == stop:
                break
        return done

    def _merge(self, fragment: ThreadGroup) -> None:
        """Merge all fragments at the same instruction of the same activation into `fragment`, unless they
        wait for an event.
        """
        same = [
            one
            for one in self.fragments
            if one is not fragment
            and one.frame is fragment.frame
            and one.pc == fragment.pc
            and one.state in (RUNS, block_state.AT_SYNC)
        ]
        if not same:
            return
        lanes = np.sort(np.concatenate([self.lanes(one) for one in (fragment, *same)]))
        fragment.lanes = None if len(lanes) == self.threads else lanes
        fragment.back = max(one.back for one in (fragment, *same))
        self.fragments = [one for one in self.fragments if one not in same]

    def _guarded(self, fragment: ThreadGroup, step: SimulatedStep) -> Array | None:
        """Return the threads of `fragment` in which the guard of `step` is true. Returns `None` if these are
        all threads of the block, and `NO_THREADS` if the guard is false in every thread.
        """
        assert step.guard is not None
        state = InstructionState(self, fragment.frame, fragment.lanes)
        state.defined((step.guard,), "the guard of this instruction")
        holds = state.take(step.guard)
        if step.negated:
            holds = ~holds
        if every(holds):
            return fragment.lanes
        if not some(holds):
            return NO_THREADS
        return self.lanes(fragment)[holds]

    def split(self, fragment: ThreadGroup, lanes: Array | None) -> ThreadGroup:
        """Move the threads `lanes` of `fragment` (None: all threads of the block) to a new fragment at the
        same instruction, and return it. If it has all threads of `fragment`, that is removed.
        """
        if lanes is fragment.lanes or (lanes is not None and len(lanes) == len(self.lanes(fragment))):
            self.fragments.remove(fragment)
            part = ThreadGroup(fragment.frame, fragment.pc, fragment.lanes, RUNS, fragment.back)
        else:
            part = ThreadGroup(fragment.frame, fragment.pc, lanes, RUNS, fragment.back)
            fragment.lanes = np.setdiff1d(self.lanes(fragment), self.lanes(part), assume_unique=True)
        self.fragments.append(part)
        return part

    def _executing(self, fragment: ThreadGroup, step: SimulatedStep) -> ThreadGroup | None:
        """Split off the threads whose guard is true, and return them as a fragment (`None` if there are
        none). The other threads advance past the control instruction `step`.
        """
        lanes = fragment.lanes if step.guard is None else self._guarded(fragment, step)
        if lanes is NO_THREADS:
            fragment.pc += 1
            return None
        part = self.split(fragment, lanes)
        if fragment in self.fragments:
            fragment.pc += 1
        step.threads += len(self.lanes(part))
        return part

    # --- control

    def _jump(self, fragment: ThreadGroup, target: int) -> None:
        fragment.back += target <= fragment.pc
        fragment.pc = target

    def _jumps_whole(self, fragment: ThreadGroup, step: SimulatedStep) -> bool:
        """Execute a jump if the guard is equal for all threads of the fragment, and return true; otherwise
        return false.
        """
        lanes = fragment.lanes if step.guard is None else self._guarded(fragment, step)
        if lanes is NO_THREADS:
            fragment.pc += 1
            return True
        if lanes is not fragment.lanes:
            return False
        step.threads += len(self.lanes(fragment))
        self._jump(fragment, step.detail)
        return True

    def _do_bra(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        part = self._executing(fragment, step)
        if part is not None:
            self._jump(part, step.detail)

    def _do_brx(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        part = self._executing(fragment, step)
        if part is None:
            return
        read, slots, targets = step.detail
        state = InstructionState(self, part.frame, part.lanes)
        state.defined(slots, "the index of this jump")
        for index in np.unique(state.spread(read(state))):
            if index >= len(targets):
                raise Fault(codes.OUT_OF_BOUNDS, f"the jump has {len(targets)} targets, the index is {index}")
            state.lanes = part.lanes
            chosen = self.lanes(part)[state.spread(read(state)) == index]
            self._jump(self.split(part, chosen), targets[int(index)])

    def _do_exit(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        part = self._executing(fragment, step)
        if part is not None:
            lanes = self.lanes(part)
            self.ended += len(lanes)
            np.bitwise_or.at(self.exited, lanes >> 5, np.uint32(1) << (lanes & 31).astype(np.uint32))
            self.events += 1
            self.fragments.remove(part)

    def _do_ret(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        if fragment.frame.parent is None:
            self._do_exit(fragment, step)
            return
        part = self._executing(fragment, step)
        if part is not None:
            caller = part.frame.parent
            assert caller is not None
            caller.code.steps[part.frame.return_to].detail.returned(self, part)
            part.frame, part.pc = caller, part.frame.return_to + 1

    def _do_call(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        part = self._executing(fragment, step)
        if part is not None:
            step.detail.called(self, part)

    def enter(self, part: ThreadGroup, code: FunctionCode, identity: int) -> RegisterFrame:
        """Return the activation of the function `code` for a call by the threads `part`; their registers in
        it are undefined. `identity` tells functions apart that the same instruction calls. Raises `Fault` if
        calls are nested too deep, or need too much local memory.
        """
        frame = part.frame.children.get((part.pc, identity))
        if frame is None:
            if part.frame.depth >= DEEPEST:
                name = code.function.name
                raise Fault(
                    codes.OUT_OF_BOUNDS,
                    f"more than {DEEPEST} calls are open, the last one of '{name}'",
                    ENDLESS,
                )
            frame = RegisterFrame(code, self.threads, part.frame, part.pc)
            part.frame.children[(part.pc, identity)] = frame
        lanes = slice(None) if part.lanes is None else part.lanes
        for slot, poison in enumerate(frame.poison):
            changed = np.zeros(self.threads, np.bool_) if poison is None else poison.copy()
            changed[lanes] = True
            frame.poison[slot] = changed
        if frame.base + code.local_bytes > self.local_bytes:
            raise Fault(codes.OUT_OF_BOUNDS, f"calls need more than {self.local_bytes} bytes of local memory")
        return frame

    # --- waiting

    def _do_sync(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        """Execute an instruction with a mask of threads (`.sync`), or make threads wait until all members of
        their mask are here.
        """
        part = self._executing(fragment, step)
        if part is None:
            return
        self._merge(part)
        run, masks, warps = step.detail
        state = InstructionState(self, part.frame, part.lanes)
        present = self._members_present(part, state.spread(masks(state)))
        if warps > 1:
            groups = self.lanes(part) // (32 * warps)
            present &= np.bincount(groups)[groups] == 32 * warps
        if not every(present):
            lanes = self.lanes(part)
            waiting = self.split(part, lanes[~present])
            waiting.state, ended = block_state.AT_SYNC, self.ended
            waiting.wakes = lambda: self.ended != ended
        if part in self.fragments and part.state == RUNS:
            state.lanes = part.lanes
            run(state)
            part.pc += 1

    def _members_present(self, part: ThreadGroup, masks: Array) -> Array:
        """Return, for each thread of a fragment, whether all threads in its mask are in the fragment or have
        ended.
        """
        lanes = self.lanes(part)
        warps, bits = lanes >> 5, self.check_members(lanes, masks)
        present = np.zeros((self.threads + 31) // 32, np.uint32)
        np.bitwise_or.at(present, warps, bits)
        exists = np.full(len(present), 0xFFFFFFFF, np.uint32)
        if self.threads % 32:
            exists[-1] = (1 << self.threads % 32) - 1
        missing = exists & ~present & ~self.exited
        return (masks & missing[warps]) == 0

    def _do_mwait(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        """Execute a wait for a phase of an mbarrier. Threads whose phase has not ended wait; the result is
        true, or false if the wait gives up.
        """
        part = self._executing(fragment, step)
        if part is None:
            return
        state = InstructionState(self, part.frame, part.lanes)
        passed = step.detail.passed(state)
        if not every(passed):
            waiting = self.split(part, self.lanes(part)[~passed])
            waiting.state, events = block_state.AT_MBARRIER, self.events
            waiting.wakes = lambda: self.events != events
            waiting.expires = lambda: self._without_success(waiting, step)
            if part not in self.fragments:
                return
            state.lanes = part.lanes
        step.detail.write(state, np.bool_(True), None)
        part.pc += 1

    def _without_success(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        step.detail.write(InstructionState(self, fragment.frame, fragment.lanes), np.bool_(False), None)
        fragment.pc += 1

    def _do_cluster_arrive(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        part = self._executing(fragment, step)
        if part is None:
            return
        barrier, lanes = self.cluster_barrier, self.lanes(part)
        if (barrier.phases[lanes] == barrier.phase).any():
            raise Fault(
                codes.BAD_BARRIER, "a thread arrives twice at the barrier of the cluster without a wait"
            )
        barrier.phases[lanes] = barrier.phase
        barrier.arrived += len(lanes)
        if self.clocks is not None and step.instruction.modifier("sem") != "relaxed":
            self.clocks.publish(self.rows(part), barrier.clock)
        self.events += 1
        part.pc += 1

    def _do_cluster_wait(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        part = self._executing(fragment, step)
        if part is None:
            return
        barrier, phases = self.cluster_barrier, self.cluster_barrier.phases[self.lanes(part)]
        if (phases < barrier.phase - 1).any():
            raise Fault(
                codes.BAD_BARRIER, "a thread waits at the barrier of the cluster without having arrived"
            )
        if (phases == barrier.phase).any():
            waiting = self.split(part, self.lanes(part)[phases == barrier.phase])
            waiting.state, phase = block_state.AT_CLUSTER, barrier.phase
            waiting.wakes = lambda: barrier.phase != phase
            if part not in self.fragments:
                return
        if self.clocks is not None:
            self.clocks.learn(self.rows(part), barrier.published)
        part.pc += 1

    def check_members(self, lanes: Array, masks: Array) -> Array:
        """Return for each thread the bit of its own lane. Raises `Fault` for a thread whose mask in `masks`
        lacks this bit.
        """
        bits = np.uint32(1) << (lanes & 31).astype(np.uint32)
        if not (masks & bits).all():
            raise Fault(codes.BAD_BARRIER, "a thread is not in the mask of the instruction that it executes")
        return bits

    def _do_barrier(self, fragment: ThreadGroup, step: SimulatedStep) -> None:
        part = self._executing(fragment, step)
        if part is None:
            return
        detail, state = step.detail, InstructionState(self, part.frame, part.lanes)
        number, count = detail.number(state), detail.count(state, self.threads)
        barrier = self.barriers.setdefault(number, block_state.Barrier(count, clock=self.zero_clock()))
        if barrier.expected != count:
            raise Fault(
                codes.BAD_BARRIER, f"barrier {number} waits for {barrier.expected} threads, not for {count}"
            )
        barrier.arrived += len(self.lanes(part))
        if barrier.arrived > count:
            raise Fault(
                codes.BAD_BARRIER,
                f"{barrier.arrived} threads came to barrier {number}, which waits for {count}",
            )
        if self.clocks is not None:
            self.clocks.publish(self.rows(part), barrier.clock)
        if detail.vote is not None:
            barrier.votes.append(np.array(state.spread(detail.vote(state))))
        if detail.waits:
            part.state = block_state.AT_BARRIER
            barrier.waiting.append(part)
        else:
            part.pc += 1
        if barrier.arrived == count:
            self._release(number, barrier)

    def _release(self, number: int, barrier: block_state.Barrier) -> None:
        del self.barriers[number]
        self.events += 1
        votes = np.concatenate(barrier.votes) if barrier.votes else None
        everybody = self.clocks is not None and self.clocks.threads == sum(
            len(self.lanes(one)) for one in barrier.waiting
        )
        if everybody:
            assert self.clocks is not None
            self.clocks.level(barrier.clock)
        for one in barrier.waiting:
            step = one.frame.code.steps[one.pc]
            if votes is not None and step.detail.write is not None:
                step.detail.write(
                    InstructionState(self, one.frame, one.lanes), step.detail.outcome(votes), None
                )
            if self.clocks is not None and not everybody:
                self.clocks.learn(self.rows(one), barrier.clock)
            one.state = RUNS
            one.pc += 1
