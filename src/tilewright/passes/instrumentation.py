"""The one instrumentation protocol; printing, timing, statistics and reproducers are clients of it."""

from __future__ import annotations

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.observer import RewriteObserver


class Instrumentation:
    """Hooks around pipelines, passes and analyses; override what you need."""

    def should_run(self, pass_: Pass, op: Operation) -> bool:
        """Return whether an optional pass may run."""
        return True

    def before_pipeline(self, anchor: str, op: Operation) -> None:
        """Called before the passes of a pipeline run on an operation."""

    def after_pipeline(self, anchor: str, op: Operation) -> None:
        """Called after all passes of a pipeline."""

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        """Called before a pass runs."""

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        """Called after a pass succeeded."""

    def after_pass_failed(self, pass_: Pass, op: Operation, state: PassState) -> None:
        """Called after a pass failed, before the IR is restored."""

    def rewrite_observer(self, pass_: Pass) -> RewriteObserver | None:
        """Return the observer of patterns that a pass applies, or None."""
        return None

    def before_analysis(self, name: str) -> None:
        """Called before an analysis is computed."""

    def after_analysis(self, name: str) -> None:
        """Called after an analysis was computed."""
