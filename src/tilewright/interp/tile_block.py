"""One tile block in execution: registers, and an explicit stack of frames.

A frame is a block being executed.  Control flow pushes and pops frames instead of recursing, so nesting depth is
limited by memory only, and a tile block can stop between two operations and go on later: that is how blocks that
wait for each other make progress although one runs at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tilewright.dialects.cuda_tile.operation_phrases import operation_words
from tilewright.interp.checks.races import RaceTracker
from tilewright.interp.codes import UNDEFINED_VALUE
from tilewright.interp.memory.address_space import LaunchMemory
from tilewright.interp.memory.allocation import Allocation
from tilewright.interp.numerics.element import NumpyArray
from tilewright.ir.diagnostic import DiagnosticCode, DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.ignores import is_ignored

if TYPE_CHECKING:
    from tilewright.interp.program import InterpretedBlock, Program

SPINNING_ITERATIONS = 64
"""The number of iterations of a loop with atomics after which other tile blocks run."""
LONG_LOOP_ITERATIONS = 1 << 16
"""The number of iterations of any loop after which other tile blocks run."""


class BlockFrame:
    """A block being executed: ``code`` has its instructions, ``position`` is the index of the next
    instruction, and ``results`` are the slots that its terminator fills.
    """

    __slots__ = ("code", "position", "results")
    is_loop = False

    def __init__(self, code: InterpretedBlock, results: Sequence[int]) -> None:
        self.code = code
        self.position = 0
        self.results = results


class ScopeFrame(BlockFrame):
    """A frame that owns the memory of allocas, which is released at its end: an iteration of a loop, or the
    entry.
    """

    __slots__ = ("allocations",)

    def __init__(self, code: InterpretedBlock, results: Sequence[int]) -> None:
        super().__init__(code, results)
        self.allocations: list[Allocation] = []


class LoopFrame(ScopeFrame):
    """The current iteration of a `loop`, with the number of iterations that have ended."""

    __slots__ = ("iterations",)
    is_loop = True

    def __init__(self, code: InterpretedBlock, results: Sequence[int]) -> None:
        super().__init__(code, results)
        self.iterations = 0

    def next_iteration(self, block: TileBlock, carried: Sequence[int]) -> None:
        """Begin the next iteration with the values in the slots `carried`, after releasing the allocas of
        this one. The tile block may be suspended at its begin.
        """
        block.end_scope(self)
        block.assign(carried, self.code.arguments)
        self.position = 0
        self.iterations += 1
        block.count_iteration(self.iterations)


class LaunchState(Protocol):
    """The launch that a tile block is part of, as far as tile blocks and rules use it: the extents of the
    ``grid``, its ``memory``, globals, output and findings. ``arguments`` has a rank-0 tile for each
    parameter; ``races`` is None without `racecheck`, ``errors`` without `references`.
    """

    grid: tuple[int, int, int]
    memory: LaunchMemory
    arguments: list[NumpyArray]
    races: RaceTracker | None
    errors: Any

    def count(self, steps: int, code: InterpretedBlock, block: TileBlock) -> None:
        """Count `steps` operations of the block `code`, which the tile block `block` is about to execute.
        Raises `DiagnosticError` if the launch exceeds its limit.
        """
        ...

    def global_address(self, name: str) -> int:
        """Return the address in memory of the global called `name`."""
        ...

    def print(self, text: str) -> None:
        """Write `text`, which a tile block printed, to the sink of the launch."""
        ...

    def report(self, finding: DiagnosticError) -> None:
        """Collect a failure that does not stop the launch, unless a comment in the program ignores it."""
        ...

    def report_once(self, op: Operation, finding: DiagnosticError) -> None:
        """Collect `finding`, a failure that does not stop the launch, unless one has been reported for `op`
        before, or a comment in the program ignores it.
        """
        ...


class TileBlock:
    """A tile block of `launch` in execution, which runs `program`: its registers, its stack of frames, and
    the tracking data of checks. It has ended when there is no frame.

    ``number`` counts the tile blocks of the grid from 0, x fastest; ``position`` are the coordinates x, y, z.
    """

    def __init__(
        self, launch: LaunchState, program: Program, number: int, position: tuple[int, int, int]
    ) -> None:
        self.launch = launch
        self.program = program
        self.memory = launch.memory
        self.number = number
        self.position = position
        self.frames: list[BlockFrame] = []
        self.registers: list[Any] = [None] * program.slot_count
        options = program.options
        self.undefined: list[Any] | None = [None] * program.slot_count if options.initcheck else None
        self.histories: list[Any] | None = [None] * program.slot_count if options.racecheck else None
        self.references: list[Any] | None = [None] * program.slot_count if options.references else None
        tracked = (self.registers, self.undefined, self.histories, self.references)
        self._files = [file for file in tracked if file is not None]
        self.synchronised = False
        self.nesting = 0
        self._suspended = False
        for slot, argument in zip(program.body.arguments, launch.arguments, strict=True):
            self.registers[slot] = argument
        self.push(ScopeFrame(program.body, ()))

    def run(self) -> bool:
        """Run on until the end (return True), or until another tile block should run (return False; call it
        again). Raises `DiagnosticError` for an error that stops the launch.
        """
        frames, registers = self.frames, self.registers
        while frames:
            if self._suspended:
                self._suspended = False
                return False
            frame = frames[-1]
            instructions, position = frame.code.instructions, frame.position
            while position < len(instructions):
                instruction = instructions[position]
                position += 1
                evaluate = instruction.evaluate
                if evaluate is None:
                    assert instruction.steer is not None
                    frame.position = position
                    instruction.steer(self, instruction.operands)
                    break
                result = evaluate(self, *[registers[slot] for slot in instruction.operands])
                results = instruction.results
                if len(results) == 1:
                    registers[results[0]] = result
                elif results:
                    for slot, value in zip(results, result, strict=True):
                        registers[slot] = value
        return True

    def push(self, frame: BlockFrame) -> None:
        """Enter a block: push its frame and count its operations. Raises `DiagnosticError` if the launch
        exceeds its limit.
        """
        self.launch.count(len(frame.code.instructions), frame.code, self)
        self.frames.append(frame)

    def count_iteration(self, iterations: int) -> None:
        """Count the operations of a further loop iteration, number ``iterations``. Suspend the tile block if
        the number is a multiple of `SPINNING_ITERATIONS` and the tile block has made an access that is not
        weak since it was suspended last, or a multiple of `LONG_LOOP_ITERATIONS`.

        Other tile blocks then run, in case this one waits for them.
        """
        top = self.frames[-1]
        self.launch.count(len(top.code.instructions), top.code, self)
        if iterations % (SPINNING_ITERATIONS if self.synchronised else LONG_LOOP_ITERATIONS) == 0:
            self._suspended = True
            self.synchronised = False

    def pop(self) -> BlockFrame:
        """Leave the innermost block, and release its allocas if it is a scope; return its frame."""
        frame = self.frames.pop()
        if isinstance(frame, ScopeFrame):
            self.end_scope(frame)
        return frame

    def unwind_to_loop(self) -> LoopFrame:
        """Leave branches up to the region of the innermost loop; return the loop's frame, which stays. There
        must be a loop.
        """
        frames = self.frames
        while not frames[-1].is_loop:
            self.pop()
        frame = frames[-1]
        assert isinstance(frame, LoopFrame)
        return frame

    def end_scope(self, frame: ScopeFrame) -> None:
        """Release the memory of the allocas that belong to the frame."""
        for allocation in frame.allocations:
            self.memory.release(allocation)
        frame.allocations.clear()

    def scope(self) -> ScopeFrame:
        """Return the innermost scope of allocas: a loop iteration or the whole entry."""
        for frame in reversed(self.frames):
            if isinstance(frame, ScopeFrame):
                return frame
        raise AssertionError("a tile block always has the frame of its entry")

    def assign(self, source: Sequence[int], target: Sequence[int]) -> None:
        """Copy the values of the slots `source` to the slots `target` simultaneously, with their tracking
        data.
        """
        if not source:
            return
        for file in self._files:
            values = [file[slot] for slot in source]
            for slot, value in zip(target, values, strict=True):
                file[slot] = value

    def require_defined(self, op: Operation, slot: int, what: str) -> None:
        """Raise `DiagnosticError` at `op` if an element of the value in `slot` is undefined; `what` names the
        value in the message. Do nothing without `initcheck`, or if a comment in the source line of `op`
        ignores this diagnostic.
        """
        if self.undefined is None:
            return
        mask = self.undefined[slot]
        if mask is not None and np.any(mask):
            self.refuse(
                op,
                UNDEFINED_VALUE,
                f"{what} is an unspecified value",
                hint="it comes from elements that a load left unspecified; give the load a padding value",
            )

    def refuse(
        self, op: Operation, code: DiagnosticCode, message: str, *, hint: str, names_op: bool = True
    ) -> None:
        """Raise a `DiagnosticError` at an operation of this tile block; return if a comment in the source
        line of the operation, or a setting, ignores `code`. ``names_op`` is as for `failure`.
        """
        if not is_ignored(code, op.location):
            raise self.failure(op, code, message, hint=hint, names_op=names_op)

    def failure(
        self, op: Operation, code: DiagnosticCode, message: str, *, hint: str, names_op: bool = True
    ) -> DiagnosticError:
        """Return an error at an operation of this tile block, to be raised.

        ``names_op`` False omits the operation's name, for messages of accesses that name themselves.
        """
        told = f"{operation_words(op)}: {message}" if names_op else message
        return failure(code, f"{self.program.display_name} in {self}: {told}", op.location, hint=hint)

    @property
    def kernel(self) -> str:
        """Return the name of the kernel in diagnostics."""
        return self.program.display_name

    def parameter_of(self, access: Operation) -> int | None:
        """Return the number of the parameter whose memory an operation accesses; None if it may be other
        memory.
        """
        return self.program.parameter_of(access)

    def __str__(self) -> str:
        return f"tile block ({', '.join(map(str, self.position))})"
