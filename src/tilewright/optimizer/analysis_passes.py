"""Passes that show and use what is known of values; what they need is imported when one runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class PrintValueFacts(Pass):
    """Prints what is known of every value of the kernels to stdout, one comment a line, in the order of the code.

    `reasons` adds why, back to parameters, constants and promises.  The lines are comments, so that the text stays one
    that can be read again.
    """

    name: ClassVar[str] = "print-value-facts"
    reasons: bool = False

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.analysis.printing import fact_lines
        from tilewright.optimizer.analysis.query import ValueFactsAnalysis

        facts = state.analysis(ValueFactsAnalysis)
        for line in fact_lines(op, facts, reasons=self.reasons):
            print(f"// {line}")
        state.preserve_all()


@dataclass(frozen=True)
class PropagateAssumptions(Pass):
    """Follows promises (`assume`, overflow flags) and bounds through a program, and writes down what follows.

    - An `assume` that says no more than is known is replaced by its operand.
    - Integers that can be one number only, such as comparisons that the bounds decide, become constants.
    - Masks of `load_ptr_tko` and `store_ptr_tko` that are all true go, and with them the padding value.
    - `inbounds` (from version 13.4 on; `mark-inbounds=false` leaves it alone) is set in each dimension in which every
      tile of the view fits.

    Whatever a program does that is defined stays the same.
    """

    name: ClassVar[str] = "propagate-assumptions"
    mark_inbounds: bool = True

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.analysis.query import ValueFactsAnalysis
        from tilewright.optimizer.assumption_propagation import Propagation

        work = Propagation(state.analysis(ValueFactsAnalysis), mark_inbounds=self.mark_inbounds)
        for statistic, amount in work.run(op).items():
            state.count(statistic, amount)
        if not work.changed:
            state.preserve_all()


PASSES: tuple[type[Pass], ...] = (PrintValueFacts, PropagateAssumptions)
"""What start-up publishes."""
