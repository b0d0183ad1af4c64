"""The passes of a compilation one by one: what each changed, and what its patterns did."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from difflib import SequenceMatcher, unified_diff

from tilewright.explorer.schema import PassRun, PatternRun
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Instrumentation, Pass, PassState
from tilewright.rewrite.observer import RewriteObserver, StatisticsObserver

_MOST_LINES = 3_000
"""The maximum number of lines of a text that is compared: at worst the time grows with its square."""
_MOST_CHARACTERS = 60_000
"""The maximum length of a diff on a page."""
_VALUE = re.compile(r"%[\w$.-]+")


class PassRecorder(Instrumentation):
    """Records in `runs` each pass that changed the text of the module: its name and time, the difference of
    the texts, and what its patterns did.
    """

    def __init__(self) -> None:
        self.runs: list[PassRun] = []
        self._before: dict[Operation, tuple[str, float]] = {}
        self._patterns: dict[Pass, StatisticsObserver] = {}

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        self._before[op] = str(op), time.perf_counter()

    def rewrite_observer(self, pass_: Pass) -> RewriteObserver | None:
        return self._patterns.setdefault(pass_, StatisticsObserver())

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        end = time.perf_counter()
        before, begin = self._before.pop(op)
        after = str(op)
        statistics = self._patterns.pop(pass_, None)
        if before != after:
            patterns = [] if statistics is None else _pattern_runs(statistics)
            milliseconds = round((end - begin) * 1000, 3)
            self.runs.append(PassRun(pass_.display_name, milliseconds, difference(before, after), patterns))


def _pattern_runs(statistics: StatisticsObserver) -> list[PatternRun]:
    return [
        PatternRun(name, tries, matches, statistics.patterns[name].refusals.most_common(8))
        for name, tries, matches, _, _ in statistics.rows()
    ]


def difference(before: str, after: str) -> str:
    """Return a unified diff of the texts of two modules, with three lines around each change; the empty text
    if they are equal.

    Lines that differ only in the numbers of their values count as equal. If a text has more than
    `_MOST_LINES` lines, the result is a sentence that says so; a diff of more than `_MOST_CHARACTERS`
    characters is cut.
    """
    old, new = before.split("\n"), after.split("\n")
    if len(old) > _MOST_LINES or len(new) > _MOST_LINES:
        return f"The module has {len(old)} lines before and {len(new)} after; compare the stages instead."
    text = "\n".join(unified_diff(_renamed(old, new), new, "before", "after", lineterm=""))
    if len(text) > _MOST_CHARACTERS:
        return text[:_MOST_CHARACTERS] + "\n... the rest is left out; compare the stages instead."
    return text


def _renamed(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the old lines with the names that their values have in the new lines.

    Lines are paired by their text without names.  A value takes the new name of the first pair that defines it, so an
    operation with another operand stays different.
    """
    pairs = SequenceMatcher(None, _nameless(old), _nameless(new), autojunk=False).get_matching_blocks()
    partner = {pair.a + at: pair.b + at for pair in pairs for at in range(pair.size)}
    names: dict[str, str] = {}
    lines: list[str] = []
    for number, line in enumerate(old):
        if number in partner:
            defined = zip(_defined(line), _defined(new[partner[number]]), strict=True)
            names.update({own: other for own, other in defined if own != other})
        lines.append(_VALUE.sub(lambda found: names.get(found[0], found[0]), line))
    return lines


def _nameless(lines: Sequence[str]) -> list[str]:
    return [_VALUE.sub("%", line) for line in lines]


def _defined(line: str) -> list[str]:
    """Return the values that a line defines: before its `=`, or all values of a line that begins a block or a
    region.
    """
    head, equals, _ = line.partition(" = ")
    if equals and head.lstrip().startswith("%"):
        return _VALUE.findall(head)
    return _VALUE.findall(line) if line.endswith(("{", ":")) else []
