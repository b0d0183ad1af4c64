"""Facts as text: one line for every value of the kernels in an operation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.types import TokenType
from tilewright.ir.operation import Operation
from tilewright.ir.text.names import OperationNames
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.passes.pass_ import Pass, PassState


def fact_lines(root: Operation, facts: ValueFactsAnalysis, *, reasons: bool = False) -> Iterator[str]:
    """Yield a heading for every kernel in ``root``, and a line for every value except tokens, with its name
    and its facts; `reasons` adds indented lines with the reasons.

    Names are taken from the printed text of ``root``. Values in code that never runs are marked.
    """
    names = OperationNames(root, hints=True, unique=False).values
    for entry in root.walk():
        if isinstance(entry, EntryOp):
            yield f"facts of @{entry.sym_name}"
            for value in _values(entry):
                yield from _lines(names[value], value, facts, reasons=reasons)


def _values(entry: EntryOp) -> Iterator[Value]:
    for op in entry.walk():
        found = [
            *op.results,
            *[argument for region in op.regions for block in region.blocks for argument in block.arguments],
        ]
        yield from [value for value in found if not isinstance(value.type, TokenType)]


def _lines(name: str, value: Value, facts: ValueFactsAnalysis, *, reasons: bool) -> Iterator[str]:
    if not facts.exists(value):
        yield f"  {name}: never computed"
        return
    if not reasons:
        yield f"  {name}: {facts.facts(value)}"
        return
    first, *rest = str(facts.why(value)).splitlines()
    yield f"  {name}: {first}"
    yield from [f"    {line}" for line in rest]


@dataclass(frozen=True)
class PrintValueFacts(Pass):
    """Prints the facts about every value of the kernels, except tokens, to stdout, one comment a line, in the
    order of the code.

    `reasons` adds the reasons, back to parameters, constants and assumptions. Comments do not change the IR
    that is printed to stdout with them.
    """

    name: ClassVar[str] = "print-value-facts"
    reasons: bool = False

    def run(self, op: Operation, state: PassState) -> None:
        facts = state.analysis(ValueFactsAnalysis)
        for line in fact_lines(op, facts, reasons=self.reasons):
            print(f"// {line}")
        state.preserve_all()
