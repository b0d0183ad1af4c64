"""The interpreter's code: blocks as lists of closures over a frame, and the state of a run.

A frame is a list: the run first, then one entry for each SSA value. Operations, values, attributes and types are
stored as they are, ranges are tuples, and null is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tilewright.ir.operation import Operation
from tilewright.rewrite.rewriter import Rewriter

Frame = list[Any]
Step = Callable[[Frame], None]
RUN = 0
"""The index of the `FunctionRun` in a frame."""


class PdlBlock:
    """A block: ``steps`` in order, then ``end``, which returns the next block (None: the end of the function)."""

    __slots__ = ("end", "steps")

    def __init__(self) -> None:
        self.steps: tuple[Step, ...] = ()
        self.end: End = _nowhere


End = Callable[[Frame], PdlBlock | None]


def _nowhere(frame: Frame) -> PdlBlock | None:
    return None


class PdlFunction(NamedTuple):
    """A decoded function: its name, its first block (`entry`), the indices of its arguments in the frame, and
    the size of the frame.
    """

    name: str
    entry: PdlBlock
    arguments: tuple[int, ...]
    size: int

    def run(self, run: FunctionRun, values: tuple[Any, ...]) -> None:
        """Run the function with the arguments ``values``, block by block, without recursion. Its effects are
        on the IR and on ``run``, such as recorded matches.
        """
        frame: Frame = [None] * self.size
        frame[RUN] = run
        for slot, value in zip(self.arguments, values, strict=True):
            frame[slot] = value
        code: PdlBlock | None = self.entry
        while code is not None:
            for step in code.steps:
                step(frame)
            code = code.end(frame)


class Match(NamedTuple):
    """A recorded match: its benefit, the name of the rewriter, the arguments of the rewriter (`inputs`), and
    the matched operations.
    """

    benefit: int
    rewriter: str
    inputs: tuple[Any, ...]
    operations: tuple[Operation, ...]


class RunningLoop(NamedTuple):
    """A `foreach` that is running: an iterator of the elements that follow (`rest`), the index of its
    variable in the frame (`slot`), its body, and the block after it.
    """

    rest: Iterator[Any]
    slot: int
    body: PdlBlock
    after: PdlBlock


class FunctionRun:
    """The state of one call of the function ``name``: the root operation, the rewriter, the recorded matches,
    and the running loops.
    """

    __slots__ = ("loops", "matches", "name", "rewriter", "root")

    def __init__(self, rewriter: Rewriter, root: Operation, name: str) -> None:
        self.rewriter = rewriter
        self.root = root
        self.name = name
        """The name of the run's function, for diagnostics."""
        self.loops: list[RunningLoop] = []
        self.matches: list[Match] = []


def next_iteration(frame: Frame) -> PdlBlock:
    """Set the variable of the innermost loop to the next element and return the loop's body. After the last
    element, leave the loop and return the block after it.
    """
    loops: list[RunningLoop] = frame[RUN].loops
    loop = loops[-1]
    for element in loop.rest:
        frame[loop.slot] = element
        return loop.body
    loops.pop()
    return loop.after
