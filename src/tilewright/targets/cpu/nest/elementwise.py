"""Operations on single elements: what each is on the lanes of one round.

A rule gets the operands as registers hold them: all vectors of the same number of lanes, or all single elements.  One
rule serves all operations of one mnemonic, whichever dialect they belong to; the dialects differ in what they say about
rounding, which `Lanes` reads.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.math.dialect import MATH
from tilewright.dialects.nv_tileas.dialect import NV_TILEAS
from tilewright.ir.builtin_types import VectorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileaa_to_tileas.bridge import STAYING
from tilewright.targets.cpu.memory.buffer import Coordinates
from tilewright.targets.cpu.nest.point import Evaluator, Point, Request
from tilewright.targets.elements.convert import CONVERSION_RULES
from tilewright.targets.elements.floats import FLOAT_RULES
from tilewright.targets.elements.functions import MATH_RULES
from tilewright.targets.elements.integers import INTEGER_RULES
from tilewright.targets.elements.lanes import Lanes, Rule
from tilewright.targets.elements.types import element_of, register_type, vector
from tilewright.targets.llvm.code import Code

BANK: dict[str, Rule] = {**INTEGER_RULES, **FLOAT_RULES, **CONVERSION_RULES, **MATH_RULES}
"""Rules by mnemonic."""


def _classes() -> Iterator[type[Operation]]:
    for operations in (ARITH.operations, MATH.operations, NV_TILEAS.operations, STAYING):
        yield from (op for op in operations if op.op_kind.mnemonic in BANK)


RULES: dict[type[Operation], Rule] = {op: BANK[op.op_kind.mnemonic] for op in _classes()}
"""Rules by the class of the operation."""


def apply(code: Code, op: Operation, operands: Sequence[Value], lanes: int) -> Value:
    """The result of an operation on elements; operands that all lanes share are repeated if others are vectors."""
    if any(isinstance(value.type, VectorType) for value in operands):
        operands = [
            value if isinstance(value.type, VectorType) else code.broadcast(value, lanes)
            for value in operands
        ]
    else:
        lanes = 1
    type = vector(register_type(element_of(op.results[0].type)), lanes)
    return RULES[op.__class__](Lanes(code, op, operands, type, lanes))


def _evaluate(
    point: Point, op: Operation, result: int, coordinates: Coordinates
) -> Generator[Request, Value, Value]:
    operands: list[Value] = []
    for operand in op.operands:
        operands.append((yield operand, coordinates))
    return apply(point.code, op, operands, point.lanes)


EVALUATORS: dict[type[Operation], Evaluator] = dict.fromkeys(RULES, _evaluate)
