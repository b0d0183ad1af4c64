"""The base of all patterns that replace one operation with others.

The types of the results are converted first. `lower` of the pattern returns the replacements of the results,
and the base replaces the operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from tilewright.ir.attribute import Type
from tilewright.ir.diagnostic import DiagnosticError, Severity
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import RewritingInserter
from tilewright.passes.pass_ import PassState
from tilewright.rewrite.conversion import driver, target as conversion_target
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet

ConversionInserter = RewritingInserter[ConversionRewriter]
_Op = TypeVar("_Op", bound=Operation)
_Emitter = TypeVar("_Emitter", bound=ConversionInserter)

LoweringResult = Operation | Value | Sequence[Any] | NoMatch | None
"""The replacements of an operation's results, one for each; the reason why the pattern declines; or None if the
operation was changed in place.
"""


class EmittingPattern(ConversionPattern[_Op], Generic[_Op, _Emitter]):
    """The base of patterns that replace an operation with the values that `lower` returns, unless it returns
    a `NoMatch`, or None for an operation that it changed in place. Subclasses define `lower`, and `emitter`,
    which makes the builder that `lower` gets. The pattern does not match if a result has not exactly one
    converted type.
    """

    def match_and_rewrite(self, op: _Op, adaptor: Adaptor, rewriter: ConversionRewriter) -> NoMatch | None:
        types = self.converted_types(op)
        if types is None:
            return rewriter.no_match("result types {} cannot be converted one to one", op.result_types)
        result = self.replacements(op, adaptor, types, rewriter)
        if result is None or isinstance(result, NoMatch):
            return result
        rewriter.replace(op, result)
        return None

    def converted_types(self, op: _Op) -> Sequence[Type] | None:
        """Return the converted type of each result; the types of the results without a type converter. None
        if a type is not converted to exactly one type.
        """
        converter = self.type_converter
        if converter is None:
            return op.result_types
        results = op.results
        if len(results) == 1:  # the usual case: one type, which was converted before
            single = converter.single.get(results[0].type)
            if single is not None:
                return (single,)
        parts = [converter.converted(type) for type in op.result_types]
        found = [part[0] for part in parts if part is not None and len(part) == 1]
        return found if len(found) == len(parts) else None

    def replacements(
        self, op: _Op, at: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> LoweringResult:
        """Return the replacement of ``op``: the result of `lower`, called with a new builder."""
        return self.lower(op, at, types, self.emitter(op, rewriter))

    def emitter(self, op: _Op, rewriter: ConversionRewriter) -> _Emitter:
        """Return the builder of new operations, at the location of ``op``."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it builds operations with")

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: _Emitter) -> LoweringResult:
        """Return the replacement of ``op``, a `NoMatch` with the reason why there is none, or None if ``op``
        was changed in place. ``at`` has the converted operands, ``types`` the converted types of the results;
        ``emit`` builds operations before ``op``.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what its operation becomes")


class LoweringPattern(EmittingPattern[_Op, ConversionInserter]):
    """The base of patterns that replace an operation with the values that `lower` returns, and build new
    operations with a `RewritingInserter` before it. Subclasses define `lower`, which may also return a
    `NoMatch`, or None for an operation that it changed in place. The pattern does not match if a result has
    not exactly one converted type.
    """

    def emitter(self, op: _Op, rewriter: ConversionRewriter) -> ConversionInserter:
        return RewritingInserter(rewriter, op.lazy_location)


def convert(
    op: Operation,
    state: PassState,
    target: conversion_target.ConversionTarget,
    patterns: RewritePatternSet,
    config: driver.ConversionConfig,
) -> None:
    """Convert `op` by a partial conversion: operations that ``target`` does not name may stay. Freezing the
    patterns compiles those in PDL. Warnings and remarks are given to ``state``.

    Raises `DiagnosticError` with the illegal operations that were not converted; nothing is changed then.
    """
    frozen = FrozenRewritePatternSet(patterns)
    try:
        with state.context.diagnostics.collect() as found:
            result = driver.apply_partial_conversion(op, target, frozen, config)
    finally:
        frozen.tear_down()
    for diagnostic in found:
        if diagnostic.severity is not Severity.ERROR:
            state.emit(diagnostic)
    if not result:
        raise DiagnosticError([diagnostic for diagnostic in found if diagnostic.severity is Severity.ERROR])
