"""The pass manager: runs pipelines of passes over operations, nested by anchor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.ir.context import Context
from tilewright.ir.declaration.traits import IsolatedFromAbove
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, failure
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.passes import codes
from tilewright.passes.analysis import AnalysisManager
from tilewright.passes.pass_ import CallablePass, Instrumentation, Pass, PassFailure, PassState
from tilewright.rewrite.conversion.type_converter import one_converter
from tilewright.rewrite.observer import ObserverGroup, RewriteObserver, current_observer, observe

ANY_ANCHOR = "any"


class PassManager:
    """An ordered list of passes and nested managers, anchored on one kind of operation (``any``: all).

    After each pass the verifier runs (``verify_each``). When a pass fails, its diagnostics come first, then the
    operation is put back as it was before the pass (unless ``restores`` is off, for callers that discard the
    operation: it costs a copy), then `DiagnosticError` is raised.
    """

    def __init__(self, context: Context, anchor: str = "builtin.module", *, verify_each: bool = True) -> None:
        self.context = context
        self.anchor = anchor
        self.verify_each = verify_each
        self.restores = True
        self.items: list[Pass | PassManager] = []
        self.instrumentations: list[Instrumentation] = []
        self.soft_failures: dict[tuple[Operation, str], int] = {}
        """Status words of passes that reported a soft failure in the last run, by operation and name of the
        pass.
        """

    def add(self, item: Pass | Callable[[Operation, PassState], Any]) -> PassManager:
        """Append a pass, the passes of a pipeline, or a plain function as a pass; return this manager. Raises
        `DiagnosticError` for a pass that is anchored on another operation.
        """
        if isinstance(item, PassPipeline):
            item.build(self)
            return self
        pass_ = item if isinstance(item, Pass) else CallablePass(item)
        anchor = type(pass_).anchor
        if anchor is not None and self.anchor not in (anchor, ANY_ANCHOR):
            message = (
                f"pass '{pass_.name}' anchored on '{anchor}' added to pipeline anchored on '{self.anchor}'"
            )
            raise failure(codes.WRONG_ANCHOR, message, hint=f"write {anchor}({pass_.name})")
        self.items.append(pass_)
        return self

    def nest(self, anchor: str) -> PassManager:
        """Append a manager that runs on the operations called ``anchor`` directly inside of this manager's
        operation, and return it. Raises `DiagnosticError` if ``anchor`` is an operation that is not isolated
        from above.
        """
        kind = self.context.kind(anchor)
        if kind is not None and not kind.has_trait(IsolatedFromAbove):
            message = f"nested pipeline anchor '{anchor}' must be IsolatedFromAbove"
            raise failure(codes.WRONG_ANCHOR, message)
        nested = PassManager(self.context, anchor, verify_each=self.verify_each)
        self.items.append(nested)
        return nested

    def instrument(self, instrumentation: Instrumentation) -> None:
        """Add an instrumentation. Instrumentations are called in order before a pass, and in reverse order
        after it.
        """
        self.instrumentations.append(instrumentation)

    def __str__(self) -> str:
        """Return the pipeline as text: ``anchor(pass,...)``."""
        return f"{self.anchor}({self.listed})"

    @property
    def listed(self) -> str:
        """The passes as a textual pipeline without an anchor: ``pass,...``."""
        return ",".join(str(i) if isinstance(i, PassManager) else i.display_name for i in self.items)

    def passes(self) -> Iterator[Pass]:
        """Yield all passes in order, nested ones included."""
        for item in self.items:
            if isinstance(item, PassManager):
                yield from item.passes()
            else:
                yield item

    def run(self, op: Operation) -> None:
        """Run the pipeline on ``op``, in place. Raises `DiagnosticError` if a pass fails, or if ``op`` is not
        of the anchor's kind.
        """
        if self.anchor not in (ANY_ANCHOR, op.name):
            message = f"can't run '{self.anchor}' pass manager on '{op.name}' op"
            raise failure(codes.WRONG_ANCHOR, message, op.location)
        self.soft_failures.clear()
        analyses = AnalysisManager(op, observer=self._observe_analysis)
        _PipelineRun(self, self.instrumentations).pipeline(self, op, analyses)

    def _observe_analysis(self, moment: str, name: str) -> None:
        for instrumentation in self.instrumentations:
            hook = instrumentation.before_analysis if moment == "before" else instrumentation.after_analysis
            hook(name)


@dataclass(frozen=True)
class PassPipeline(Pass):
    """Several passes under one name. A manager that it is added to gets these passes."""

    def build(self, manager: PassManager) -> None:
        """Add the passes to ``manager``, nested down to the operations that they run on if the anchor of
        ``manager`` is an operation around these. Subclasses override it.
        """
        raise NotImplementedError


class _PipelineRun:
    """One execution of a pipeline."""

    def __init__(self, root: PassManager, instrumentations: Sequence[Instrumentation]) -> None:
        self.root = root
        self.context = root.context
        self.instrumentations = list(instrumentations)

    def pipeline(self, manager: PassManager, op: Operation, analyses: AnalysisManager) -> None:
        for instrumentation in self.instrumentations:
            instrumentation.before_pipeline(manager.anchor, op)
        for item in manager.items:
            if isinstance(item, PassManager):
                self._nested(item, op, analyses)
            else:
                self._pass(item, op, analyses, manager.verify_each)
        for instrumentation in reversed(self.instrumentations):
            instrumentation.after_pipeline(manager.anchor, op)

    def _nested(self, manager: PassManager, op: Operation, analyses: AnalysisManager) -> None:
        targets = [
            inner
            for region in op.regions
            for block in region.blocks
            for inner in block
            if manager.anchor in (ANY_ANCHOR, inner.name)
        ]
        for target in targets:
            if manager.anchor != ANY_ANCHOR or target.kind.has_trait(IsolatedFromAbove):
                self.pipeline(manager, target, analyses.nest(target))

    def _pass(self, pass_: Pass, op: Operation, analyses: AnalysisManager, verify_each: bool) -> None:
        if not pass_.is_required() and not all(i.should_run(pass_, op) for i in self.instrumentations):
            return
        state = PassState(op, self.context, analyses)
        snapshot = op.clone() if self.root.restores and not pass_.atomic else None
        for instrumentation in self.instrumentations:
            instrumentation.before_pass(pass_, op)
        try:
            with observe(self._observer(pass_)), one_converter():
                pass_.run(op, state)
        except PassFailure:
            self._failed(pass_, op, state, snapshot, analyses, _failure_of(pass_, op, state))
        except DiagnosticError as error:
            for diagnostic in error.diagnostics:
                state.emit(diagnostic)
            self._failed(pass_, op, state, snapshot, analyses, error)
        except Exception as error:
            self._failed(pass_, op, state, snapshot, analyses, _crash(pass_, op, error))
        if state.errors:
            self._failed(pass_, op, state, snapshot, analyses, DiagnosticError(state.errors))
        if state.soft_failed:
            self.root.soft_failures[op, pass_.name] = state.status_word
        if verify_each:
            self._verify(pass_, op, state, snapshot, analyses)
        for instrumentation in reversed(self.instrumentations):
            instrumentation.after_pass(pass_, op, state)
        analyses.invalidate(state.preserved)

    def _observer(self, pass_: Pass) -> RewriteObserver | None:
        """Return the observer of the rewrites of a pass, or None. It notifies the observers of all
        instrumentations, and the observer set by `observe`.
        """
        found = [current_observer(), *(i.rewrite_observer(pass_) for i in self.instrumentations)]
        observers = list(dict.fromkeys(observer for observer in found if observer is not None))
        return ObserverGroup(*observers) if len(observers) > 1 else next(iter(observers), None)

    def _verify(
        self,
        pass_: Pass,
        op: Operation,
        state: PassState,
        snapshot: Operation | None,
        analyses: AnalysisManager,
    ) -> None:
        errors = verify(op, dialects=state.context.dialects)
        if not errors:
            return
        message = f"between-pass verifier rejected IR after '{pass_.display_name}'"
        diagnostic = Diagnostic(Severity.ERROR, message, op.location, codes.INVALID_AFTER_PASS)
        for error in errors:
            diagnostic.note(error.message, error.location)
        state.emit(diagnostic)
        self._failed(pass_, op, state, snapshot, analyses, DiagnosticError([diagnostic]))

    def _failed(
        self,
        pass_: Pass,
        op: Operation,
        state: PassState,
        snapshot: Operation | None,
        analyses: AnalysisManager,
        error: DiagnosticError,
    ) -> None:
        """Notify the instrumentations, restore the operation from ``snapshot`` unless it is None, drop the
        analyses, and raise the error.
        """
        for instrumentation in reversed(self.instrumentations):
            instrumentation.after_pass_failed(pass_, op, state)
        if snapshot is not None:
            restore(op, snapshot)
        analyses.clear()
        raise error


def _failure_of(pass_: Pass, op: Operation, state: PassState) -> DiagnosticError:
    if state.errors:
        return DiagnosticError(state.errors)
    return failure(codes.PASS_FAILED, f"pass '{pass_.display_name}' failed", op.location)


def _crash(pass_: Pass, op: Operation, error: Exception) -> DiagnosticError:
    message = f"pass '{pass_.display_name}' crashed: {type(error).__name__}: {error}"
    crash = failure(codes.PASS_CRASHED, message, op.location)
    crash.__cause__ = error
    return crash


def restore(op: Operation, snapshot: Operation) -> None:
    """Replace the attributes and regions of ``op`` with the attributes and regions of ``snapshot``, an
    earlier clone, which loses its regions.
    """
    for region in op.regions:
        for block in region.blocks:
            for inner in block:
                inner.drop_all_references()
    op.attributes.clear()
    op.attributes.update(snapshot.attributes)
    op.regions, snapshot.regions = snapshot.regions, ()
    for region in op.regions:
        region.parent = op
