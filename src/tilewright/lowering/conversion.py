"""The function with which all passes of `lowering` convert: one partial conversion, which changes nothing if
it fails.
"""

from __future__ import annotations

from tilewright.ir.diagnostic import DiagnosticError, Severity
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import PassState
from tilewright.rewrite.conversion.driver import ConversionConfig, apply_partial_conversion
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet


def convert(
    op: Operation,
    state: PassState,
    target: ConversionTarget,
    patterns: RewritePatternSet,
    config: ConversionConfig,
) -> None:
    """Convert `op`: freeze the patterns, which compiles PDL, then apply them.

    Raises `DiagnosticError` with the operations that were not converted; nothing is changed then.
    """
    frozen = FrozenRewritePatternSet(patterns)
    try:
        with state.context.diagnostics.collect() as found:
            result = apply_partial_conversion(op, target, frozen, config)
    finally:
        frozen.tear_down()
    for diagnostic in found:
        if diagnostic.severity is not Severity.ERROR:
            state.emit(diagnostic)
    if not result:
        raise DiagnosticError([diagnostic for diagnostic in found if diagnostic.severity is Severity.ERROR])
