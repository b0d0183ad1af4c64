"""The base of passes: a dataclass whose docstring is its manual and whose fields are its options.

@dataclass(frozen=True)
class DropDeadCode(Pass):
    \"\"\"Erases operations whose results are unused.\"\"\"

    name: ClassVar[str] = "drop-dead-code"
    keep_constants: bool = False

    def run(self, op: Operation, state: PassState) -> None: ...
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, Severity
from tilewright.ir.operation import Operation
from tilewright.passes.analysis import AnalysisManager, PreservedAnalyses
from tilewright.rewrite.observer import RewriteObserver

_PLAIN = re.compile(r"[^\s{}\"\\]+")
_SPECIAL = re.compile(r"[\"\\]")
SOFT_FAILURE_BIT = 1 << 2
"""Bit 2 of the status word: the pass reported a failure.  Set by OR only, cleared by the manager before each run."""


class PassFailure(Exception):
    """Raised by `PassState.fail`: the pass gives up; its diagnostic was emitted before."""


class PassState:
    """The interface of a running pass to the manager: context, analyses, diagnostics, preserved analyses and
    statistics.
    """

    def __init__(self, op: Operation, context: Context, analyses: AnalysisManager) -> None:
        self.op = op
        self.context = context
        self.analyses = analyses
        self.preserved = PreservedAnalyses()
        self.status_word = 0
        self.statistics: dict[str, int] = {}
        self.errors: list[Diagnostic] = []

    @property
    def soft_failed(self) -> bool:
        """Whether the soft-failure bit is set."""
        return bool(self.status_word & SOFT_FAILURE_BIT)

    def emit(self, diagnostic: Diagnostic) -> Diagnostic:
        """Pass a diagnostic to the diagnostic engine of the context, and return it. After an error the
        pipeline fails when the pass ends.
        """
        if diagnostic.severity is Severity.ERROR:
            self.errors.append(diagnostic)
        return self.context.diagnostics.emit(diagnostic)

    def remark(self, op: Operation, message: str, code: DiagnosticCode | None = None) -> Diagnostic:
        """Emit a remark at the location of an operation, and return it."""
        return self.emit(Diagnostic(Severity.REMARK, message, op.location, code))

    def soft_failure(self, diagnostic: Diagnostic) -> None:
        """Emit the diagnostic and set the soft-failure bit. The pass continues, and later passes run, also if
        it is an error.
        """
        self.context.diagnostics.emit(diagnostic)
        self.status_word |= SOFT_FAILURE_BIT

    def fail(self, diagnostic: Diagnostic) -> PassFailure:
        """Emit the diagnostic, set the soft-failure bit and return an exception: ``raise
        state.fail(diagnostic)`` ends the pass and the pipeline.
        """
        self.emit(diagnostic)
        self.status_word |= SOFT_FAILURE_BIT
        return PassFailure(diagnostic.message)

    def analysis(self, analysis_class: type[Any]) -> Any:
        """Return the analysis of this class for the pass's operation; it is computed if it is not cached."""
        return self.analyses.get(analysis_class)

    def preserve(self, *analysis_classes: type[Any]) -> None:
        """Declare that these analyses stay valid after this run."""
        self.preserved.preserve(*analysis_classes)

    def preserve_all(self) -> None:
        """Declare that the pass changed nothing."""
        self.preserved.preserve_all()

    def report(self, statistic: str, changes: int) -> None:
        """Add ``changes`` to the statistic called ``statistic``. If ``changes`` is 0, declare that the pass
        changed nothing.
        """
        self.count(statistic, changes)
        if not changes:
            self.preserve_all()

    def count(self, statistic: str, amount: int = 1) -> None:
        """Add ``amount`` to the statistic called ``statistic``, which ``--mlir-pass-statistics`` shows."""
        self.statistics[statistic] = self.statistics.get(statistic, 0) + amount


@dataclass(frozen=True)
class Pass:
    """Base of all passes.

    ``name`` is the command-line name; ``anchor`` the operation it runs on (None: any isolated operation);
    ``required`` passes run even if an instrumentation skips passes; ``atomic`` passes restore the IR
    themselves when they fail, so that the manager need not keep a copy. ``dependent_dialects`` names the
    dialects whose operations the pass may create.
    """

    name: ClassVar[str] = ""
    anchor: ClassVar[str | None] = None
    required: ClassVar[bool] = False
    atomic: ClassVar[bool] = False
    dependent_dialects: ClassVar[tuple[str, ...]] = ()

    def run(self, op: Operation, state: PassState) -> None:
        """Transform ``op`` in place. Raises `DiagnosticError` if that is not possible."""
        raise NotImplementedError

    def is_required(self) -> bool:
        """Return whether no instrumentation may skip the pass."""
        return type(self).required

    @property
    def argument(self) -> str:
        """The name in pipelines, reports and dumps."""
        return type(self).name

    @property
    def title(self) -> str:
        """The class name, which headers of dumps show before the argument, as in `mlir-opt`."""
        return type(self).__name__

    @property
    def display_name(self) -> str:
        """The name with the options that differ from their defaults, as a textual pipeline spells it:
        ``canonicalize{max-iterations=5}``.
        """
        options = [
            f"{option_name(f.name)}={_text(v)}"
            for f in fields(self)
            if (v := getattr(self, f.name)) != f.default
        ]
        return f"{type(self).name}{{{' '.join(options)}}}" if options else type(self).name

    @classmethod
    def manual(cls) -> str:
        """Return the docstring of the class, which is the manual of the pass; its first paragraph is the summary.
        Empty without a docstring.
        """
        return (cls.__doc__ or "").strip()


def option_name(field_name: str) -> str:
    """Return a field name as users write the option: ``max-iterations`` for ``max_iterations``."""
    return field_name.replace("_", "-")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    items = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
    text = ",".join(map(str, items))
    return text if _PLAIN.fullmatch(text) else f'"{_SPECIAL.sub(_escaped, text)}"'


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


@dataclass(frozen=True)
class CallablePass(Pass):
    """A plain function used as a pass. The pass has the name of the function in pipelines and dumps."""

    name: ClassVar[str] = "callable"
    function: Callable[[Operation, PassState], Any] | None = None

    def run(self, op: Operation, state: PassState) -> None:
        assert self.function is not None
        self.function(op, state)

    @property
    def argument(self) -> str:
        return getattr(self.function, "__name__", type(self).name)

    @property
    def title(self) -> str:
        return self.argument

    @property
    def display_name(self) -> str:
        return self.argument


class Instrumentation:
    """Hooks that run before and after pipelines, passes and analyses. Subclasses override some of them."""

    def should_run(self, pass_: Pass, op: Operation) -> bool:
        """Return whether a pass that is not required may run on ``op``; it is skipped if any instrumentation
        returns False.
        """
        return True

    def before_pipeline(self, anchor: str, op: Operation) -> None:
        """Called before the passes of a pipeline run on an operation."""

    def after_pipeline(self, anchor: str, op: Operation) -> None:
        """Called after all passes of a pipeline; not called if a pass failed."""

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        """Called before a pass runs."""

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        """Called after a pass succeeded and the verifier, if it runs, accepted the IR."""

    def after_pass_failed(self, pass_: Pass, op: Operation, state: PassState) -> None:
        """Called after a pass failed, before the IR is restored."""

    def rewrite_observer(self, pass_: Pass) -> RewriteObserver | None:
        """Return the observer of the patterns that ``pass_`` applies; None if they are not observed."""
        return None

    def before_analysis(self, name: str) -> None:
        """Called before an analysis is computed."""

    def after_analysis(self, name: str) -> None:
        """Called after an analysis was computed."""
