"""Programs: the blocks of an entry as lists of instructions, made once and run by every tile block.

Every SSA value of the entry gets a slot in the register file of a tile block; an instruction is the function that
evaluates an operation together with the slots it reads and writes; `preparation` finds it.  A program keeps a list of pending blocks, so
that nesting depth is limited by memory only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.interp.rules.rule import Evaluate, Steer
from tilewright.interp.values import InterpretOptions
from tilewright.ir.block import Block, Region
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.interp.memory.address_space import AccessWatcher
    from tilewright.interp.tile_block import TileBlock


class PreparedOperation:
    """An operation ready to run: ``operands`` and ``results`` are numbers of registers; ``evaluate`` computes
    results, or ``steer`` moves control. The other one is None.
    """

    __slots__ = ("evaluate", "op", "operands", "results", "steer")

    def __init__(self, op: Operation, operands: Sequence[int], results: Sequence[int]) -> None:
        self.op = op
        self.operands = tuple(operands)
        self.results = tuple(results)
        self.evaluate: Evaluate | None = None
        self.steer: Steer | None = None


class InterpretedBlock:
    """The instructions of one block in order, and the numbers of the registers of its arguments."""

    __slots__ = ("arguments", "block", "instructions")

    def __init__(self, block: Block, arguments: Sequence[int]) -> None:
        self.block = block
        self.arguments = tuple(arguments)
        self.instructions: list[PreparedOperation] = []


Prepare = Callable[["Program", PreparedOperation, bool], None]
"""Sets ``evaluate`` or ``steer`` of an instruction.

The last argument is true in the body of a reduction or scan.
"""


class LaunchObserver(Protocol):
    """The interface of an object that follows a launch, such as a debugger: the interpreter calls `before`
    for each operation of a tile block, `failed` for the error that ends the launch, and `found` for other
    findings. Operations in the bodies of reductions and scans are not followed.
    """

    @property
    def watchers(self) -> Sequence[AccessWatcher]:
        """The watchers that receive every access of the launch."""
        ...

    def before(self, block: TileBlock, op: Operation) -> None:
        """Handle an operation that the tile block `block` is about to execute."""
        ...

    def failed(self, block: TileBlock, op: Operation, error: DiagnosticError) -> None:
        """Handle an error that stops the launch at `op`. The error is raised afterwards."""
        ...

    def found(self, finding: DiagnosticError) -> None:
        """Handle a finding that does not stop the launch, and that the program does not ignore."""
        ...


def observed(instruction: PreparedOperation, observer: LaunchObserver) -> None:
    """Replace the ``evaluate`` or ``steer`` of an instruction, which must be set, by a function that also
    calls `observer` before the operation and at an error.
    """
    op, evaluate, steer = instruction.op, instruction.evaluate, instruction.steer

    def evaluate_observed(block: TileBlock, *operands: Any) -> Any:
        assert evaluate is not None
        observer.before(block, op)
        try:
            return evaluate(block, *operands)
        except DiagnosticError as error:
            observer.failed(block, op, error)
            raise

    def steer_observed(block: TileBlock, slots: Sequence[int]) -> None:
        assert steer is not None
        observer.before(block, op)
        try:
            steer(block, slots)
        except DiagnosticError as error:
            observer.failed(block, op, error)
            raise

    if evaluate is not None:
        instruction.evaluate = evaluate_observed
    else:
        instruction.steer = steer_observed


class Program:
    """An entry prepared under given options; shared by all tile blocks and launches. ``body`` are the
    instructions of the entry. `prepare` is called for each instruction, and sets its ``evaluate`` or
    ``steer``.
    """

    def __init__(self, entry: Operation, options: InterpretOptions, prepare: Prepare) -> None:
        self.entry = entry
        self.options = options
        self._prepare = prepare
        self._slots: dict[Value, int] = {}
        self._codes: dict[Block, InterpretedBlock] = {}
        self._pending: list[tuple[InterpretedBlock, bool]] = []
        self.body = self._new_code(entry.regions[0].block, inside_aggregate=False)
        while self._pending:
            self._fill(*self._pending.pop())

    @property
    def display_name(self) -> str:
        """Return the name of the kernel in diagnostics, such as "kernel 'add'": its name in the debug
        information, else its symbol.
        """
        symbol: Any = self.entry.attributes["sym_name"]
        return f"kernel '{function_name(self.entry.location, symbol.value)}'"

    def parameter_of(self, access: Operation) -> int | None:
        """Return the number of the parameter whose memory an operation accesses; None if it may be another
        parameter's memory, or memory of no parameter.
        """
        # Loaded only where something was found.
        from tilewright.optimizer.analysis.facts import points
        from tilewright.optimizer.analysis.query import ValueFactsAnalysis

        facts = ValueFactsAnalysis(self.entry)
        roots = [facts.pointer_origin(value).roots for value in access.operands if points(value.type)]
        found = {root for each in roots for root in each or (None,)}
        name = found.pop() if len(found) == 1 else None
        return name.name if name is not None and isinstance(name.name, int) else None

    def instructions(self) -> Iterator[PreparedOperation]:
        """Yield the instructions of all blocks."""
        for code in self._codes.values():
            yield from code.instructions

    @property
    def slot_count(self) -> int:
        """Return the number of registers of a tile block."""
        return len(self._slots)

    def slot(self, value: Value) -> int:
        """Return the number of the register that holds a value; a new register at the first call for it."""
        return self._slots.setdefault(value, len(self._slots))

    def slots(self, values: Sequence[Value]) -> tuple[int, ...]:
        """Return the numbers of the registers that hold several values."""
        return tuple([self.slot(value) for value in values])

    def code(self, region: Region, *, inside_aggregate: bool = False) -> InterpretedBlock:
        """Return the instructions of the single block of a region. They are filled in before the program
        runs, so they may be empty while it is prepared.

        ``inside_aggregate``: the region belongs to a reduction or scan and works on whole tiles instead of
        scalars. Undefined elements and histories are then tracked for the aggregate operation only.
        """
        block = region.block
        return self._codes.get(block) or self._new_code(block, inside_aggregate)

    def _new_code(self, block: Block, inside_aggregate: bool) -> InterpretedBlock:
        code = self._codes[block] = InterpretedBlock(block, self.slots(block.arguments))
        self._pending.append((code, inside_aggregate))
        return code

    def _fill(self, code: InterpretedBlock, inside_aggregate: bool) -> None:
        for op in code.block:
            instruction = PreparedOperation(op, self.slots(op.operands), self.slots(op.results))
            self._prepare(self, instruction, inside_aggregate)
            code.instructions.append(instruction)
