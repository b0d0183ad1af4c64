"""A stop of a kernel: its frames, its names and their values."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

from tilewright.debugger import tiles
from tilewright.debugger.names import Found, KnownValue, Lost, ProgramNames
from tilewright.debugger.plan import StatementPlace, StopPlan
from tilewright.debugger.source import SourceFile, SourceFiles, declared_at
from tilewright.debugger.writes import WriteLog, WriteRecord, element_addresses
from tilewright.interp.tile_block import LoopFrame, TileBlock
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import pattern
from tilewright.ir.value import Value

_AT = pattern(r"\b(\d+):(\d+)\b(?=\s*(?:[.\[]|$))")
"""A line and a column at the begin of an expression."""


class LostValueError(Exception):
    """A name of the program whose value is not known at a stop. The text is the reason."""


class FollowedKernel:
    """A kernel that is being followed: its stops, its names, the names of its arrays, and the last writes to
    them.
    """

    def __init__(
        self, name: str, plan: StopPlan, names: ProgramNames, files: SourceFiles, arrays: frozenset[str]
    ) -> None:
        self.name = name
        self.plan = plan
        self.names = names
        self.files = files
        self.arrays = arrays
        self.writes = WriteLog()


class CallFrame(Record, frozen=True):
    """A function of the program at a stop: its name, and the statement that it is at."""

    function: str
    place: StatementPlace

    @property
    def at(self) -> str:
        """The file, the line and the function, as Python's debugger writes them: ``kernels.py(17)scale()``."""
        return f"{self.place.file}({self.place.line}){self.function}()"


class NamedValue(Record, frozen=True):
    """A name, or a line and column, and its value. `lost` is the reason if the value is not known; then
    ``value`` is None. ``type`` is the type in the IR, if the value is computed by the kernel.
    """

    name: str
    value: Any = None
    type: Any = None
    lost: str = ""


class KernelStop:
    """A tile block that is about to begin a statement, or whose operation had an error. ``reason`` says why
    it stopped, in words.
    """

    def __init__(
        self, kernel: FollowedKernel, block: TileBlock, op: Operation, place: StatementPlace, reason: str
    ) -> None:
        self.kernel = kernel
        self.block = block
        self.op = op
        self.place = place
        self.reason = reason
        found = [kernel.plan.place(one) for one in place.outer]
        places = [place, *(one for one in reversed(found) if one is not None)]
        self.frames = [CallFrame(self._function(one), one) for one in places]
        """The frames, the innermost function first."""

    def _function(self, place: StatementPlace) -> str:
        function = self.kernel.names.function(place)
        return self.kernel.name if function is None else function.name

    def source(self, frame: CallFrame) -> SourceFile:
        """Return the file of a frame."""
        return self.kernel.files.of(frame.place.file)

    @property
    def loops(self) -> list[LoopFrame]:
        """The loops that the tile block is in, the innermost one last."""
        return [one for one in self.block.frames if isinstance(one, LoopFrame)]

    @property
    def iteration(self) -> int:
        """The number of the iteration of the innermost loop, from 0; 0 outside of loops."""
        loops = self.loops
        return loops[-1].iterations if loops else 0

    def variable(self, name: str, frame: CallFrame) -> NamedValue | None:
        """Return the variable called `name` in a frame; None if there is no such name."""
        found = self.kernel.names.look_up(name, frame.place, self.op)
        return None if found is None else self._variable(name, found)

    def variables(self, frame: CallFrame) -> Iterator[NamedValue]:
        """Yield the names of the function of a frame, with their values. In a file that is not Python these
        are the values of the operations, by line and column.
        """
        for name in self.kernel.names.known(frame.place):
            found = self.variable(name, frame)
            if found is not None:
                yield found
        if self.kernel.names.function(frame.place) is None:
            source = self.source(frame)
            for one in self.computed(frame):
                line, column = map(int, one.name.split(":"))
                yield one.replace(name=declared_at(source, line, column) or one.name)

    def computed(self, frame: CallFrame) -> Iterator[NamedValue]:
        """Yield the values that operations in the file of `frame`, in the same call, have computed and that
        are visible at the stop, in the order of the text. The name of each is its line and column, such as
        ``43:17``; of several results the first is given.
        """
        found = self.kernel.names.computed(frame.place.file, frame.place.context, self.op)
        for (line, column), value in sorted(found.items()):
            yield self._variable(f"{line}:{column}", value)

    def _variable(self, name: str, found: Found) -> NamedValue:
        match found:
            case Lost(reason=reason):
                return NamedValue(name, lost=reason)
            case KnownValue(value=value):
                return NamedValue(name, value)
            case tuple():
                parts = [self._variable(name, one) for one in found]
                lost = next((one.lost for one in parts if one.lost), "")
                return NamedValue(name, None if lost else tuple(one.value for one in parts), lost=lost)
            case _:
                return NamedValue(name, self.register(found), found.type)

    def register(self, value: Value) -> Any:
        """Return the value of an SSA value in this tile block, as `tiles.numbers` does."""
        slot = self.block.program.slot(value)
        undefined = self.block.undefined[slot] if self.block.undefined is not None else None
        return tiles.numbers(self.block.registers[slot], value.type, undefined)

    def evaluate(self, expression: str, frame: CallFrame) -> NamedValue:
        """Return the value of a Python expression in the names of a frame. ``43:17`` at its begin is the value
        that the operation at this line and column of the file computed.

        Raises `LostValueError` for a name whose value is not known, and the exceptions of the expression.
        """
        words = expression.strip()
        simple = self.variable(words, frame) if words.isidentifier() else None
        if simple is not None:
            if simple.lost:
                raise LostValueError(f"{words} is not known here: {simple.lost}")
            return simple
        at = _AT.match(words)
        if at is not None:
            name = at[0]
            if name == words:
                return self._at(int(at[1]), int(at[2]), frame)
            words = f"at({at[1]}, {at[2]}){words[at.end() :]}"
        scope = _FrameScope(self, frame)
        value = eval(compile(words, "<debugger>", "eval"), {"__builtins__": builtins}, scope)
        return NamedValue(expression.strip(), value)

    def _at(self, line: int, column: int, frame: CallFrame) -> NamedValue:
        name = f"{line}:{column}"
        found = next((one for one in self.computed(frame) if one.name == name), None)
        if found is None:
            raise LostValueError(f"no value of {frame.place.file}:{name} is known here")
        return found

    def value_at(self, line: int, column: int, frame: CallFrame) -> Any:
        """Return the value of the operation at a line and column. Raises `LostValueError` if there is none."""
        return self._at(line, column, frame).value

    def memory_of(self, expression: str, frame: CallFrame) -> Any:
        """Return the memory of an array argument, or of the part of it that an index chooses, such as ``x[3,
        4]``, as an array with as many dimensions. Raises `LostValueError` for any other expression, and the
        exceptions of the index.
        """
        name, bracket, _ = expression.strip().partition("[")
        if name not in self.kernel.arrays:
            raise LostValueError(f"'{expression}' is no element of an array argument")
        array = self.evaluate(name, frame).value
        if not bracket:
            return array
        index = self.evaluate(f"np.s_{expression.strip()[len(name) :]}", frame).value
        parts: list[Any] = list(cast("tuple[Any, ...]", index)) if isinstance(index, tuple) else [index]
        cut: list[Any] = [one if isinstance(one, slice) else slice(one, one + 1 or None) for one in parts]
        return array[tuple(cut)]

    def last_writes(self, view: Any) -> list[WriteRecord | None]:
        """Return the last write to each element of the array `view` in memory, in the order of the elements;
        None for an element that was not written.
        """
        return self.kernel.writes.last(element_addresses(view))

    def __str__(self) -> str:
        """Return the tile block, and the iteration if it is in a loop."""
        return f"{self.block}, iteration {self.iteration}" if self.loops else str(self.block)


class _FrameScope(Mapping[str, Any]):
    """The names of a frame for Python's `eval`, and ``tile_block``, ``grid``, ``iteration`` and ``np`` unless
    the program has these names.
    """

    def __init__(self, stop: KernelStop, frame: CallFrame) -> None:
        self._stop = stop
        self._frame = frame
        self._ours: dict[str, Any] = {
            "tile_block": stop.block.position,
            "grid": stop.block.launch.grid,
            "iteration": stop.iteration,
            "np": np,
            "at": self._at,
        }

    def _at(self, line: int, column: int) -> Any:
        return self._stop.value_at(line, column, self._frame)

    def __getitem__(self, name: str) -> Any:
        found = self._stop.variable(name, self._frame)
        if found is None:
            return self._ours[name]
        if found.lost:
            raise LostValueError(f"{name} is not known here: {found.lost}")
        return found.value

    def __iter__(self) -> Iterator[str]:
        return iter(self._ours)

    def __len__(self) -> int:
        return len(self._ours)
