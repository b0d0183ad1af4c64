"""``--mlir-timing`` and ``--mlir-pass-statistics``: the times of passes and their counters."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Instrumentation, Pass, PassState
from tilewright.rewrite.observer import StatisticsObserver


@dataclass(slots=True)
class TimingNode:
    """The seconds spent in an activity, over all its `runs`, and the nodes of the activities inside it, by
    name.
    """

    name: str
    seconds: float = 0.0
    runs: int = 0
    children: dict[str, TimingNode] = field(default_factory=dict[str, "TimingNode"])

    def child(self, name: str) -> TimingNode:
        """Return the node under a name; create it on first use."""
        return self.children.setdefault(name, TimingNode(name))


class Timing(Instrumentation):
    """Measures wall-clock time per pipeline, pass and analysis. `report` returns the times as a tree, or,
    with ``as_list``, as a list sorted by time.
    """

    def __init__(self, *, as_list: bool = False) -> None:
        self.as_list = as_list
        self.root = TimingNode("total")
        self._stack: list[tuple[TimingNode, float]] = []

    def before_pipeline(self, anchor: str, op: Operation) -> None:
        self._enter(f"'{anchor}' Pipeline")

    def after_pipeline(self, anchor: str, op: Operation) -> None:
        self._leave()

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        self._enter(pass_.argument)

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        self._leave()

    def after_pass_failed(self, pass_: Pass, op: Operation, state: PassState) -> None:
        while self._stack:
            self._leave()

    def before_analysis(self, name: str) -> None:
        self._enter(f"(A) {name}")

    def after_analysis(self, name: str) -> None:
        self._leave()

    def _enter(self, name: str) -> None:
        parent = self._stack[-1][0] if self._stack else self.root
        self._stack.append((parent.child(name), time.perf_counter()))

    def _leave(self) -> None:
        node, started = self._stack.pop()
        node.seconds += time.perf_counter() - started
        node.runs += 1

    def report(self) -> str:
        """Return the report in MLIR's form, in seconds and percent of the total: a tree, or (``as_list``) a
        list sorted by time.
        """
        total = sum(node.seconds for node in self.root.children.values()) or 1e-12
        lines = [
            "===" + "-" * 73 + "===",
            "                         ... Execution time report ...",
            "===" + "-" * 73 + "===",
            f"  Total Execution Time: {total:.4f} seconds",
            "",
            "  ----Wall Time----  ----Name----",
        ]
        rows = self._sorted_rows() if self.as_list else self._tree_rows(self.root, 0)
        lines.extend(f"  {s:8.4f} ({100 * s / total:5.1f}%)  {name}" for s, name in rows)
        return "\n".join([*lines, f"  {total:8.4f} (100.0%)  Total"])

    def _tree_rows(self, node: TimingNode, depth: int) -> list[tuple[float, str]]:
        rows: list[tuple[float, str]] = []
        for child in node.children.values():
            rows.append((child.seconds, "  " * depth + child.name))
            rows.extend(self._tree_rows(child, depth + 1))
        return rows

    def _sorted_rows(self) -> list[tuple[float, str]]:
        totals: dict[str, float] = {}
        for seconds, name in self._tree_rows(self.root, 0):
            totals[name.strip()] = totals.get(name.strip(), 0.0) + seconds
        return sorted(((seconds, name) for name, seconds in totals.items()), key=lambda row: -row[0])


class Statistics(Instrumentation):
    """Adds up counters of passes and of their patterns: tries, matches, time, most common reason to decline."""

    def __init__(self) -> None:
        self.counts: dict[str, dict[str, int]] = {}
        self.patterns: dict[str, StatisticsObserver] = {}

    def rewrite_observer(self, pass_: Pass) -> StatisticsObserver:
        return self.patterns.setdefault(pass_.argument, StatisticsObserver())

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        counts = self.counts.setdefault(pass_.argument, {})
        for name, amount in state.statistics.items():
            counts[name] = counts.get(name, 0) + amount

    def report(self) -> str:
        """Return the report, grouped by pass: a line for each statistic, and for each pattern that was tried."""
        lines = ["===" + "-" * 73 + "===", "                         ... Pass statistics report ..."]
        for pass_name, counts in self.counts.items():
            lines.append(pass_name)
            lines.extend(f"  (S) {amount:8} {name}" for name, amount in counts.items())
            lines.extend(_pattern_rows(self.patterns.get(pass_name)))
        return "\n".join(lines)


def _pattern_rows(observer: StatisticsObserver | None) -> list[str]:
    """Return a line for each pattern that was tried; none without an observer."""
    return [
        f"  (P) {tries:8} tries {matches:8} matches {seconds:10.6f} s  {name}"
        + (f"  ({reason})" if reason else "")
        for name, tries, matches, seconds, reason in (observer.rows() if observer is not None else ())
    ]
