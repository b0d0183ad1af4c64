"""Shows the actions of patterns: the client behind ``--debug-rewrites``."""

from __future__ import annotations

from typing import IO

from tilewright.ir.operation import Operation
from tilewright.passes.instrumentation import Instrumentation
from tilewright.passes.pass_ import Pass
from tilewright.rewrite.observer import RewriteObserver, TreeObserver


class RewriteTracing(Instrumentation):
    """Prints, for every pass that applies patterns, the tree of attempts with the reason of each refusal."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        print(f"//===--- rewrites of '{pass_.display_name}' ---===//", file=self.stream)

    def rewrite_observer(self, pass_: Pass) -> RewriteObserver:
        return TreeObserver(self.stream)
