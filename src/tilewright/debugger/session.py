"""A debugging session: it decides where kernels stop, and follows their launches in the interpreter."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from enum import Enum
from typing import Any, Protocol

from tilewright.debugger import tiles
from tilewright.debugger.breakpoints import Breakpoint
from tilewright.debugger.names import ProgramNames
from tilewright.debugger.plan import StatementPlace, StopPlan
from tilewright.debugger.source import SourceFiles
from tilewright.debugger.stop import FollowedKernel, KernelStop
from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.dialects.cuda_tile.ops.control import EntryOp, PrintTkoOp
from tilewright.interp.arguments import allocation_of
from tilewright.interp.memory.address_space import AccessWatcher
from tilewright.interp.tile_block import TileBlock
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation

TileBlockPosition = tuple[int, int, int]


class Action(Enum):
    """How a tile block goes on after a stop: freely (``CONTINUE``), to the next statement (``STEP``), to the
    next statement that is not in a called function (``NEXT``), until the function has returned (``OUT``), or
    not at all: the program ends (``QUIT``).
    """

    CONTINUE = "continue"
    STEP = "step"
    NEXT = "next"
    OUT = "out"
    QUIT = "quit"


class Front(Protocol):
    """The user's side of a session: a terminal, or an editor."""

    def stopped(self, session: Session, stop: KernelStop) -> Action:
        """Show a stop of a session, and return how to go on when the user has decided."""
        ...


class QuitDebuggerError(SystemExit):
    """The user has ended the session, and the program with it."""


class Watch:
    """An expression; kernels stop when its value changes. ``number`` identifies the watch among the
    breakpoints and watches of its session. Construction raises `SyntaxError` for a text that is no
    expression.
    """

    def __init__(self, number: int, expression: str) -> None:
        self.number = number
        self.expression = expression
        self._values: dict[object, Any] = {}
        tree = ast.walk(ast.parse(expression, mode="eval"))
        self._names = frozenset(node.id for node in tree if isinstance(node, ast.Name))

    def change(self, stop: KernelStop) -> tuple[Any, Any] | None:
        """Return the old and the new value if the value has changed since the last call. Return None if it
        has not, at the first call, and if the expression cannot be evaluated at this stop. The value of an
        expression with an array argument is compared over all tile blocks of the kernel; any other value with
        the last value in the same tile block.
        """
        try:
            value = stop.evaluate(self.expression, stop.frames[0]).value
        except Exception:  # such as a name of another function
            return None
        in_memory = not stop.kernel.arrays.isdisjoint(self._names)
        key: object = stop.kernel.name if in_memory else (stop.kernel.name, stop.block.number)
        kept = copy(value)
        before, self._values[key] = self._values.get(key, _NOTHING), kept
        if before is _NOTHING or _is_equal(before, kept):
            return None
        return before, kept


_NOTHING = object()


def _is_equal(one: Any, other: Any) -> bool:
    if tiles.is_array(one) and tiles.is_array(other):
        return one.shape == other.shape and one.tobytes() == other.tobytes()
    return one is other or bool(one == other)


class Session:
    """The breakpoints, the watched expressions and the next step of a debugger, over all launches of a
    program.

    `front` shows the stops. ``blocks`` are the tile blocks that may stop; None for all of them. ``pausing``
    asks for a stop at the next statement, ``ending`` for the end of the program there. With `stop_at_entry`
    the first statement stops. With ``only_findings`` it does not: tile blocks run to a breakpoint, the change
    of a watched value, a finding, or `breakpoint()` of a kernel.
    """

    def __init__(
        self,
        front: Front,
        *,
        blocks: Sequence[TileBlockPosition] | None = None,
        stop_at_entry: bool = True,
        only_findings: bool = False,
    ) -> None:
        self.front = front
        self.blocks = blocks
        self.files = SourceFiles()
        self.breakpoints: list[Breakpoint] = []
        self.watches: list[Watch] = []
        self.pausing = False
        self.ending = False
        self.launches = 0
        self._action = Action.STEP if stop_at_entry and not only_findings else Action.CONTINUE
        self._block: TileBlock | None = None
        self._depth = 0
        self._numbers = 0

    def add_breakpoint(self, file: str, line: int, condition: str = "") -> Breakpoint:
        """Add a breakpoint, and return it. Raises `SyntaxError` for a condition that is no expression."""
        if condition:
            compile(condition, "<condition>", "eval")
        self._numbers += 1
        made = Breakpoint(self._numbers, file, line, condition)
        self.breakpoints.append(made)
        return made

    def run_freely(self) -> None:
        """Do not stop at the first statement."""
        self._action = Action.CONTINUE

    def set_breakpoints(self, file: str, wanted: Sequence[tuple[int, str]]) -> list[Breakpoint]:
        """Replace the breakpoints of `file` with breakpoints at the lines `wanted`, each with its condition,
        and return them. Raises `SyntaxError` for a condition that is no expression; then the breakpoints stay
        as they were.
        """
        before, self.breakpoints = self.breakpoints, [one for one in self.breakpoints if one.file != file]
        try:
            return [self.add_breakpoint(file, line, condition) for line, condition in wanted]
        except SyntaxError:
            self.breakpoints = before
            raise

    def add_watch(self, expression: str, stop: KernelStop) -> Watch:
        """Watch an expression from a stop on, and return the watch. Raises `SyntaxError` if the text is no
        expression.
        """
        self._numbers += 1
        made = Watch(self._numbers, expression)
        made.change(stop)
        self.watches.append(made)
        return made

    def remove(self, number: int) -> bool:
        """Remove the breakpoint or watch with a number; return whether there was one."""
        known = len(self.breakpoints) + len(self.watches)
        self.breakpoints = [one for one in self.breakpoints if one.number != number]
        self.watches = [one for one in self.watches if one.number != number]
        return len(self.breakpoints) + len(self.watches) < known

    def follow(self, entry: EntryOp, arguments: Mapping[str, Any]) -> Follower:
        """Return the observer of a launch that is about to begin, with the known arguments of the program's
        launch.
        """
        self.launches += 1
        plan = StopPlan(entry, self.files)
        arrays = {name: array for name, one in arguments.items() if (array := _array(one)) is not None}
        names = ProgramNames(entry, plan, self.files, {**arguments, **arrays}, _ModuleNames())
        name = function_name(entry.location, entry.sym_name)
        kernel = FollowedKernel(name, plan, names, self.files, frozenset(arrays))
        self.locate(kernel)
        return Follower(self, kernel)

    def locate(self, kernel: FollowedKernel) -> None:
        """Choose the line at which each breakpoint stops in a kernel: its own line, or the next line at which
        the kernel can stop in the same function.
        """
        files = {place.file for place in kernel.plan.places}
        for file in files:
            source, lines = self.files.of(file), kernel.plan.lines(file)
            for one in self.breakpoints:
                function = source.function_at(one.line)
                one.locate(file, [line for line in lines if source.function_at(line) is function])

    def reason_to_stop(
        self, kernel: FollowedKernel, block: TileBlock, op: Operation, place: StatementPlace
    ) -> str:
        """Return in words why a tile block stops before a statement; an empty text if it does not. A changed
        watch stops every tile block, other reasons only those that `may_stop` allows. The call ends
        `pausing`, and counts the hit of a breakpoint.
        """
        if self.watches:
            told = self._changed(KernelStop(kernel, block, op, place, ""))
            if told:
                return told
        if not self.may_stop(block):
            return ""
        if self.pausing:
            self.pausing = False
            return "paused"
        if self._is_next(block, place):
            return "step"
        for one in self.breakpoints:
            if one.stops_at(place.file, place.line):
                told = self._condition(one, KernelStop(kernel, block, op, place, ""))
                if told:
                    one.hits += 1
                    return told
        return ""

    def may_stop(self, block: TileBlock) -> bool:
        """Return whether a tile block is one of those that the user has chosen."""
        return self.blocks is None or block.position in self.blocks

    def _is_next(self, block: TileBlock, place: StatementPlace) -> bool:
        """Return whether a statement of a tile block is where the last step ends: after `Action.CONTINUE`
        none is, and other steps end in the tile block in which they began, or after its end in any tile
        block.
        """
        if self._action is Action.CONTINUE:
            return False
        if self._block is None or not self._block.frames:  # the tile block has ended: the next one stops
            return True
        if block is not self._block:
            return False
        if self._action is Action.OUT:
            return len(place.context) < self._depth
        return self._action is Action.STEP or len(place.context) <= self._depth

    def _changed(self, stop: KernelStop) -> str:
        for one in self.watches:
            change = one.change(stop)
            if change is not None:
                return f"watch {one.number}: {one.expression} was {_short(change[0])}, is {_short(change[1])}"
        return ""

    def _condition(self, one: Breakpoint, stop: KernelStop) -> str:
        """Return why a breakpoint stops; an empty text if its condition is false. A condition that fails
        stops, too, and the error is told.
        """
        if not one.condition:
            return f"breakpoint {one.number}"
        try:
            holds = bool(stop.evaluate(one.condition, stop.frames[0]).value)
        except Exception as error:
            return f"breakpoint {one.number}, whose condition failed: {error}"
        return f"breakpoint {one.number}: {one.condition}" if holds else ""

    def stop(self, stop: KernelStop) -> None:
        """Show a stop to the user, and remember how to go on. Raises `QuitDebuggerError` if the user ends the
        program.
        """
        self._action = self.front.stopped(self, stop)
        self.locate(stop.kernel)
        self._block, self._depth = stop.block, len(stop.place.context)
        if self._action is Action.QUIT:
            raise QuitDebuggerError(1)


class Follower:
    """Follows a launch for a session: the `LaunchObserver` of the interpreter."""

    def __init__(self, session: Session, kernel: FollowedKernel) -> None:
        self._session = session
        self._kernel = kernel
        self._at: tuple[TileBlock, Operation] | None = None
        self._place: StatementPlace | None = None

    @property
    def watchers(self) -> Sequence[AccessWatcher]:
        """The watchers of the accesses of the launch."""
        return (self._kernel.writes,)

    def before(self, block: TileBlock, op: Operation) -> None:
        """Stop before `op` for each statement that begins there if the session has a reason to, and at a
        `breakpoint()`. Raises `QuitDebuggerError` if the session is ending.
        """
        self._at = block, op
        if self._session.ending:
            raise QuitDebuggerError(1)
        plan = self._kernel.plan
        is_breakpoint = isinstance(op, PrintTkoOp) and op.is_breakpoint
        places = plan.at.get(op) or (plan.chain(op)[-1:] if is_breakpoint else list[StatementPlace]())
        for place in places:
            self._place = place
            reason = self._session.reason_to_stop(self._kernel, block, op, place)
            if is_breakpoint and place is places[-1]:
                reason = "breakpoint()" if self._session.may_stop(block) else ""
            if reason:
                self._session.stop(KernelStop(self._kernel, block, op, place, reason))

    def failed(self, block: TileBlock, op: Operation, error: DiagnosticError) -> None:
        """Stop at an operation with an error; `error` is the reason. The stop is at the statement of the
        operation, or at the last statement if that is unknown; nothing is done if both are unknown.
        """
        place = next(reversed(self._kernel.plan.chain(op)), self._place)
        if place is not None:
            self._session.stop(KernelStop(self._kernel, block, op, place, str(error)))

    def found(self, finding: DiagnosticError) -> None:
        """Stop for a finding that does not stop the launch, at the operation that `before` got last; do
        nothing before the first operation.
        """
        if self._at is not None:
            self.failed(*self._at, finding)


class _ModuleNames(Mapping[str, Mapping[str, Any]]):
    """The names of the modules of this process, by the file of the module. Only look-ups work: iteration
    yields nothing.
    """

    def __getitem__(self, file: str) -> Mapping[str, Any]:
        for module in list(sys.modules.values()):
            with suppress(Exception):  # modules may be any objects
                if module.__file__ == file:
                    return vars(module)
        raise KeyError(file)

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0


def _array(value: object) -> Any:
    """Return the host memory of an argument as an array; None for an argument without memory."""
    try:
        return allocation_of(value, "").array
    except TypeError:
        return None


def _short(value: Any) -> str:
    shown = " ".join(str(value).split())
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
