"""Observation of rewriting: every attempt, every refusal with its reason, every rewrite, and their times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter
from typing import IO, Any

from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, Pattern
from tilewright.rewrite.rewriter import Listener

AnyPattern = Pattern[Any]


class RewriteObserver(Listener):
    """The base of observers of drivers; it does nothing. Subclasses override methods of `Listener`
    (`inserted`, `modified`, `replaced`, `erased`), `visit` and `leave` for operations, `attempt` and `result`
    for patterns, and `tie`. A driver without an observer has no overhead.
    """

    __slots__ = ()

    def visit(self, op: Operation) -> None:
        """Called when a driver starts to process an operation."""

    def leave(self, op: Operation, outcome: str) -> None:
        """Called when a driver has processed an operation. The outcome is ``dead``, ``folded``, ``rewritten``
        or ``unchanged`` in the greedy driver, ``legalized`` or ``failed`` in conversions.
        """

    def attempt(self, pattern: AnyPattern, op: Operation) -> None:
        """Called before a pattern is tried on an operation."""

    def result(self, pattern: AnyPattern, refused: NoMatch | None, seconds: float) -> None:
        """Called after a pattern was tried on an operation. ``refused`` is None if it matched, else the
        reason why not; ``seconds`` is the time of the attempt.
        """

    def observe(
        self, pattern: AnyPattern, op: Operation, trial: Callable[[], NoMatch | None]
    ) -> NoMatch | None:
        """Call ``trial``, which tries ``pattern`` on ``op``, and return its result. `attempt` is called before,
        and `result` after it, with the time that it took.
        """
        self.attempt(pattern, op)
        start = perf_counter()
        refused = trial()
        self.result(pattern, refused, perf_counter() - start)
        return refused

    def tie(self, patterns: tuple[AnyPattern, ...]) -> None:
        """Called for a group of patterns whose order of trial is decided by the order of registration
        alone.
        """


@dataclass(slots=True)
class PatternStatistics:
    """The record of a pattern: the numbers of attempts and of matches, the seconds of all attempts, and the
    number of refusals by their reason.
    """

    tries: int = 0
    matches: int = 0
    seconds: float = 0.0
    refusals: Counter[str] = field(default_factory=Counter[str])
    """The number of refusals by reason."""


class StatisticsObserver(RewriteObserver):
    """Counts tries, matches, refusals with their reasons, and time, for each pattern by its debug name."""

    __slots__ = ("patterns",)

    def __init__(self) -> None:
        self.patterns: dict[str, PatternStatistics] = {}

    def result(self, pattern: AnyPattern, refused: NoMatch | None, seconds: float) -> None:
        entry = self.patterns.setdefault(pattern.debug_name, PatternStatistics())
        entry.tries += 1
        entry.seconds += seconds
        if refused is None:
            entry.matches += 1
        else:
            entry.refusals[refused.reason] += 1

    def rows(self) -> Iterator[tuple[str, int, int, float, str]]:
        """Yield (name, tries, matches, seconds, commonest refusal) for each pattern, most tried first. The
        refusal is empty if the pattern never declined.
        """
        for name, entry in sorted(self.patterns.items(), key=lambda item: (-item[1].tries, item[0])):
            reason = entry.refusals.most_common(1)[0][0] if entry.refusals else ""
            yield name, entry.tries, entry.matches, entry.seconds, reason


class TreeObserver(RewriteObserver):
    """Prints the tree of attempts, the text of ``--debug-rewrites``."""

    __slots__ = ("_depth", "_stream")

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._depth = 0

    def _line(self, text: str) -> None:
        print(f"{'  ' * self._depth}{text}", file=self._stream)

    def visit(self, op: Operation) -> None:
        self._line(f"'{op.name}'{_place(op)} {{")
        self._depth += 1

    def leave(self, op: Operation, outcome: str) -> None:
        self._depth -= 1
        self._line(f"}} {outcome}")

    def attempt(self, pattern: AnyPattern, op: Operation) -> None:
        self._line(f"{pattern.debug_name} (benefit {pattern.benefit}) {{")
        self._depth += 1

    def result(self, pattern: AnyPattern, refused: NoMatch | None, seconds: float) -> None:
        self._depth -= 1
        self._line("} matched" if refused is None else f"}} declined: {refused.reason}")

    def inserted(self, op: Operation) -> None:
        self._line(f"+ inserted '{op.name}'")

    def erased(self, op: Operation) -> None:
        self._line(f"- erased '{op.name}'")

    def modified(self, op: Operation) -> None:
        self._line(f"~ modified '{op.name}'")

    def tie(self, patterns: tuple[AnyPattern, ...]) -> None:
        names = ", ".join(pattern.debug_name for pattern in patterns)
        self._line(
            f"tie on '{patterns[0].root_name or patterns[0].kind.name.lower()}': {names} (first one wins)"
        )


def _place(op: Operation) -> str:
    source = op.location.source
    return f" at {op.location}" if source is not None else ""


class ObserverGroup(RewriteObserver):
    """A group of observers, called one after the other."""

    __slots__ = ("members",)

    def __init__(self, *members: RewriteObserver) -> None:
        self.members = members

    def visit(self, op: Operation) -> None:
        for member in self.members:
            member.visit(op)

    def leave(self, op: Operation, outcome: str) -> None:
        for member in self.members:
            member.leave(op, outcome)

    def attempt(self, pattern: AnyPattern, op: Operation) -> None:
        for member in self.members:
            member.attempt(pattern, op)

    def result(self, pattern: AnyPattern, refused: NoMatch | None, seconds: float) -> None:
        for member in self.members:
            member.result(pattern, refused, seconds)

    def inserted(self, op: Operation) -> None:
        for member in self.members:
            member.inserted(op)

    def modified(self, op: Operation) -> None:
        for member in self.members:
            member.modified(op)

    def replaced(self, op: Operation, values: Sequence[Value]) -> None:
        for member in self.members:
            member.replaced(op, values)

    def erased(self, op: Operation) -> None:
        for member in self.members:
            member.erased(op)

    def tie(self, patterns: tuple[AnyPattern, ...]) -> None:
        for member in self.members:
            member.tie(patterns)


_CURRENT: ContextVar[RewriteObserver | None] = ContextVar("rewrite_observer", default=None)


def current_observer() -> RewriteObserver | None:
    """Return the observer set by `observe`, for drivers whose caller passed none; None outside of it."""
    return _CURRENT.get()


@contextmanager
def observe(observer: RewriteObserver | None) -> Generator[None]:
    """Let all drivers in the ``with`` block whose caller passed no observer report to ``observer``, instead
    of to the observer of a surrounding block; to no observer if it is None.
    """
    token = _CURRENT.set(observer)
    try:
        yield
    finally:
        _CURRENT.reset(token)
