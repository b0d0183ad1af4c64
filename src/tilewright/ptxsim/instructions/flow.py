"""Control flow, calls, barriers of the block, and instructions without an effect here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptx import model, scopes
from tilewright.ptxsim import block as ptxsim_block, block_state, codes, faults, layout as ptxsim_layout
from tilewright.ptxsim.code import FunctionCode, Run, SimulatedStep
from tilewright.ptxsim.host.functions import FUNCTIONS, DriverFunction
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.rules import refuse, rule
from tilewright.ptxsim.program import InstructionSite, Read, Write
from tilewright.ptxsim.races.orders import LEVELS, SynchronisingThread
from tilewright.ptxsim.values import UNSIGNED, Array


def _place(site: InstructionSite, name: str) -> int:
    scope = site.names.scope_of(name)
    return site.resolver.labels[(id(scope), name)]


@rule("bra")
def bra(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` jump to a label."""
    target = site.operand("target")
    assert isinstance(target, model.Name)
    step.control, step.detail = "bra", _place(site, target.text)


@rule("brx.idx")
def brx(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` jump to a label of a table, selected by an index. An index beyond the table is a `Fault`."""
    targets = site.operand("targets")
    assert isinstance(targets, model.Name)
    listed = site.names.find(targets.text)
    assert isinstance(listed, model.JumpTargets)
    read, slots = site.read("index")
    step.control, step.detail = "brx", (read, slots, [_place(site, name) for name in listed.names])


@rule("ret")
def ret(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` return from a function; in a kernel it ends the executing threads."""
    step.control = "ret"


@rule("exit")
def exit_(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` end the executing threads."""
    step.control = "exit"


@rule("trap", "brkpt")
def trap(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return a function that raises `Fault`: a thread executes `trap` or `brkpt`."""

    def run(c: InstructionState) -> None:
        raise faults.Fault(codes.STOPPED, f"the kernel executed '{site.form.name}'")

    return run


@rule("membar", "fence")
def fence(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that orders memory accesses: a releasing fence publishes earlier accesses, and an
    acquiring fence makes releases visible that earlier accesses observed.
    """
    level = LEVELS[site.modifier("level") or site.modifier("scope")]
    sem = site.modifier("sem")
    acquires, releases = sem != "release", sem != "acquire"

    def run(c: InstructionState) -> None:
        clocks = c.block.clocks
        if clocks is not None:
            for row in c.rows().tolist():
                thread = SynchronisingThread(clocks, c.block.rank, row)
                c.block.launch.orders.fence(thread, level, acquires=acquires, releases=releases)

    return run


@rule("nanosleep", "pmevent", "setmaxnreg", "griddepcontrol", "fence.mbarrier_init")
def nothing(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return a function that does nothing: the simulator's memory is consistent, and earlier kernels have
    ended.
    """
    return lambda c: None


# --- barriers


@dataclass(slots=True)
class BarrierUse:
    """The use of a barrier of the block by an instruction: the readers of its number (`id`) and of its number
    of threads (`threads`; None: all threads of the block), each with its registers, and whether the threads
    wait (`waits`) or only arrive.

    For a reduction, `vote` reads the predicate of each thread, `outcome` combines all of them, and `write`
    writes the result.
    """

    id: tuple[Read, tuple[int, ...]]
    threads: tuple[Read, tuple[int, ...]] | None
    waits: bool
    vote: Read | None = None
    write: Write | None = None
    outcome: Callable[[Array], Any] | None = None

    def number(self, c: InstructionState) -> int:
        """Return the index of the barrier. Raises `Fault` unless it is between 0 and 15, defined, and equal
        in the executing threads.
        """
        found = self._uniform(c, self.id, "the number of a barrier")
        if not 0 <= found < 16:
            raise faults.Fault(codes.BAD_BARRIER, f"there is no barrier {found}: numbers go from 0 to 15")
        return found

    def count(self, c: InstructionState, threads: int) -> int:
        """Return the number of threads that the barrier waits for; `threads` if the instruction has no count.
        Raises `Fault` unless it is a multiple of 32 above 0, and equal in the executing threads.
        """
        if self.threads is None:
            return threads
        found = self._uniform(c, self.threads, "the count of a barrier")
        if found % 32 or not found:
            raise faults.Fault(
                codes.BAD_BARRIER, f"a barrier of {found} threads: the count must be a multiple of 32"
            )
        return found

    def _uniform(self, c: InstructionState, read: tuple[Read, tuple[int, ...]], use: str) -> int:
        c.defined(read[1], use)
        values = np.unique(c.spread(read[0](c)))
        if len(values) > 1:
            raise faults.Fault(codes.NOT_SIMULATED, f"{use} differs between threads that execute together")
        return int(values[0])


@rule("bar", "barrier")
def barrier(site: InstructionSite, step: SimulatedStep) -> None:
    """Let `step` wait at a barrier of the block, or with `.arrive` only arrive there. With `.red` the
    predicates of all threads are combined, and each thread receives the result.
    """
    threads = None if site.operand("count") is None else site.read("count")
    use = BarrierUse(site.read("id"), threads, waits=not site.has("arrive"))
    if site.has("red"):
        use.vote, _ = site.read("c", "pred")
        if site.has("popc"):
            use.write, use.outcome = site.write("d"), lambda votes: np.uint32(votes.sum())
        else:
            every = site.modifier("op") == "and"
            use.write, use.outcome = (
                site.write("p"),
                lambda votes: np.bool_(votes.all() if every else votes.any()),
            )
    step.control, step.detail = "barrier", use


# --- calls


@dataclass(slots=True)
class SimulatedCall:
    """A call: copies `arguments`, operands of the call, to the memory of the callee, and its results back to
    the operands `results`. The callee is named `target`, unless `pointer` reads its address.
    """

    site: InstructionSite
    results: tuple[model.Operand, ...]
    arguments: tuple[model.Operand, ...]
    target: str
    pointer: tuple[Read, tuple[int, ...]] | None

    def called(self, block: ptxsim_block.SimulatedBlock, part: block_state.ThreadGroup) -> None:
        """Let the threads `part` enter the called function; with a pointer, threads that call different
        functions are split. Raises `Fault` for an address that is not a function's, and for a wrong number of
        arguments.
        """
        if self.pointer is None:
            self._enter(block, part, self.target)
            return
        c = InstructionState(block, part.frame, part.lanes)
        c.defined(self.pointer[1], "the address of the function that is called")
        addresses = np.array(c.spread(self.pointer[0](c)))
        known = {
            self.site.resolver.layout.function_address(name): name for name in block.launch.layout.functions
        }
        for address in np.unique(addresses):
            if int(address) not in known:
                raise faults.Fault(
                    codes.OUT_OF_BOUNDS, f"a call to {int(address):#x}, which is no address of a function"
                )
            lanes = block.lanes(part)[addresses == address] if (addresses != address).any() else part.lanes
            rest = addresses != address
            chosen = block.split(part, lanes)
            self._enter(block, chosen, known[int(address)])
            addresses = addresses[rest]

    def _enter(self, block: ptxsim_block.SimulatedBlock, part: block_state.ThreadGroup, name: str) -> None:
        code = block.launch.codes[name]
        frame = block.enter(part, code, block.launch.layout.functions.index(name))
        inside, outside = (
            InstructionState(block, frame, part.lanes),
            InstructionState(block, part.frame, part.lanes),
        )
        formals = code.function.parameters
        if len(formals) != len(self.arguments):
            raise faults.Fault(
                codes.BAD_ARGUMENT,
                f"'{name}' takes {len(formals)} arguments, the call has {len(self.arguments)}",
            )
        for formal, actual in zip(formals, self.arguments, strict=True):
            _copy(block, formal, code, inside, *self._argument(actual, formal, outside))
        part.frame, part.pc = frame, 0

    def driver_call(self, declared: model.PtxFunction, function: DriverFunction) -> Run:
        """Return the function that executes a call of a driver's function, such as `vprintf`: it calls
        `function` once for each executing thread, with the arguments of its declaration as integers.
        Undefined arguments are a `Fault`.
        """

        def run(c: InstructionState) -> None:
            given: list[Array] = []
            for formal, actual in zip(declared.parameters, self.arguments, strict=True):
                value, poison = self._argument(actual, formal, c)
                if poison.any():
                    raise faults.Fault(codes.POISON, f"an argument of '{declared.name}' is undefined")
                given.append(value)
            for at, thread in enumerate(c.numbers().tolist()):
                numbers = [int.from_bytes(value[at].tobytes(), "little") for value in given]
                self._answer(c, at, declared, function(c, thread, numbers))

        return run

    def _answer(self, c: InstructionState, at: int, declared: model.PtxFunction, answer: int) -> None:
        """Write `answer`, the result of a driver's function, to the result of the call; `at` is the index of
        the thread among the executing threads. Raises `Fault` if the result of the call is no variable in
        memory.
        """
        for formal, actual in zip(declared.returns, self.results, strict=True):
            meaning = self.site.names.find(actual.text) if isinstance(actual, model.Name) else None
            if not isinstance(meaning, model.PtxVariable):
                raise faults.Fault(codes.NOT_SIMULATED, f"the result of '{declared.name}' must be in memory")
            data = np.frombuffer(answer.to_bytes(ptxsim_layout.size_of(formal), "little"), np.uint8)[None]
            one = InstructionState(c.block, c.frame, c.numbers()[at : at + 1])
            address = self.site.resolver.address(meaning)(one)
            _put_bytes(one, address, data, np.zeros(data.shape, np.bool_))

    def _argument(
        self, actual: model.Operand, formal: model.PtxVariable, c: InstructionState
    ) -> tuple[Array, Array]:
        """Return the bytes of the argument `actual` for each executing thread, as many as the parameter
        `formal` has, and a mask of undefined bytes.
        """
        size = ptxsim_layout.size_of(formal)
        if isinstance(actual, model.Name):
            meaning = self.site.names.find(actual.text)
            if isinstance(meaning, model.PtxVariable):
                return _bytes_at(c, self.site.resolver.address(meaning)(c), size)
        resolver, names = self.site.resolver, self.site.names
        parts = resolver.vector(actual, names)
        reads = [resolver.read(part, f"b{8 * size // len(parts)}", names) for part in parts]
        return _joined([_as_bytes(c.spread(read(c)), c.undefined(slots)) for read, slots in reads])

    def returned(self, block: ptxsim_block.SimulatedBlock, part: block_state.ThreadGroup) -> None:
        """Copy the results of the function that the threads `part` are about to leave to its caller."""
        caller = part.frame.parent
        assert caller is not None
        inside, outside = (
            InstructionState(block, part.frame, part.lanes),
            InstructionState(block, caller, part.lanes),
        )
        for formal, actual in zip(part.frame.code.function.returns, self.results, strict=True):
            value, poison = _formal(part.frame.code, formal, inside)
            if not isinstance(actual, model.Name) or actual.text == "_":
                continue
            meaning = self.site.names.find(actual.text)
            if isinstance(meaning, model.PtxVariable):
                _put_bytes(outside, self.site.resolver.address(meaning)(outside), value, poison)
            else:
                resolver, names = self.site.resolver, self.site.names
                parts = [one for one in resolver.vector(actual, names) if isinstance(one, model.Name)]
                _put_registers(outside, [resolver.slot(one, names)[0] for one in parts], value, poison)


def _as_bytes(value: Array, poison: Array | None) -> tuple[Array, Array]:
    """Return the bytes of a word for each thread, and a mask of undefined bytes: all bytes of the words in
    `poison`; None: no byte.
    """
    found = np.ascontiguousarray(value)
    parts = found.view(np.uint8).reshape(-1, found.itemsize)
    if poison is None:
        return parts, np.zeros(parts.shape, np.bool_)
    return parts, np.repeat(poison[:, None], found.itemsize, 1)


def _joined(parts: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Concatenate the bytes and masks of several words."""
    return np.concatenate([value for value, _ in parts], 1), np.concatenate(
        [poison for _, poison in parts], 1
    )


def _put_registers(c: InstructionState, slots: Sequence[int], value: Array, poison: Array) -> None:
    """Write the bytes of each thread, `value`, to registers; they are divided equally among `slots`. A
    register is undefined where one of its bytes is undefined in `poison`.
    """
    step = value.shape[1] // len(slots)
    for at, slot in enumerate(slots):
        part = slice(at * step, (at + 1) * step)
        word = np.ascontiguousarray(value[:, part]).view(UNSIGNED[8 * step]).reshape(-1)
        unknown: Array = np.asarray(poison[:, part].any(1))
        c.put(slot, word, unknown if unknown.any() else None)


def _formal(code: FunctionCode, formal: model.PtxVariable, c: InstructionState) -> tuple[Array, Array]:
    if formal.space != "reg":
        return _bytes_at(c, c.frame.base + code.locals[id(formal)], ptxsim_layout.size_of(formal))
    slots = code.named[formal.name]
    return _joined([_as_bytes(c.spread(c.take(slot)), c.undefined((slot,))) for slot in slots])


def _copy(
    block: ptxsim_block.SimulatedBlock,
    formal: model.PtxVariable,
    code: FunctionCode,
    c: InstructionState,
    value: Array,
    poison: Array,
) -> None:
    if formal.space != "reg":
        _put_bytes(c, c.frame.base + code.locals[id(formal)], value, poison)
        return
    _put_registers(c, code.named[formal.name], value, poison)


def _local_offsets(c: InstructionState, address: int, size: int) -> Array:
    """Return the offsets in local memory of `size` bytes at the local address `address` of each thread:
    (threads, `size`).
    """
    return (c.numbers() * c.block.local_bytes + address)[:, None] + np.arange(size)


def _bytes_at(c: InstructionState, address: int, size: int) -> tuple[Array, Array]:
    places = _local_offsets(c, address, size)
    return c.block.local.bytes[places], c.block.local.poison[places]


def _put_bytes(c: InstructionState, address: int, value: Array, poison: Array) -> None:
    places = _local_offsets(c, address, value.shape[1])
    c.block.local.bytes[places] = value
    c.block.local.poison[places] = poison


@rule("call")
def call(site: InstructionSite, step: SimulatedStep) -> Run | None:
    """Let `step` call a function by name or address. If the function is a function of the driver, such as
    `vprintf`, return the function that calls it; otherwise return None. Raises `Fault` for another function
    without a body.
    """
    parts = [one for one in site.instruction.operands if one is not None]
    groups = [one.elements if isinstance(one, model.OperandGroup) else None for one in parts]
    results = groups[0]
    at = 0 if results is None else 1
    target = parts[at]
    arguments = groups[at + 1] if len(parts) > at + 1 else None
    assert isinstance(target, model.Name)
    meaning, pointer = site.names.find(target.text), None
    if isinstance(meaning, model.PtxFunction) and meaning.body is None and target.text in FUNCTIONS:
        made = SimulatedCall(site, results or (), arguments or (), target.text, None)
        return made.driver_call(meaning, FUNCTIONS[target.text])
    if isinstance(meaning, scopes.Register):
        pointer = site.resolver.read(target, "u64", site.names)
    elif not isinstance(meaning, model.PtxFunction) or target.text not in site.resolver.layout.functions:
        raise refuse(site, f"'{target.text}' has no body in this module")
    step.control, step.detail = (
        "call",
        SimulatedCall(site, results or (), arguments or (), target.text, pointer),
    )
    return None
