"""Rules of element-wise operations for the lanes of one iteration.

A rule gets the operands in registers: all vectors with the same number of lanes, or all scalars.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from tilewright.ir.builtin_types import VectorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory import buffer as memory_buffer, point as memory_point
from tilewright.targets.elements.element_types import element_of, register_type, vector
from tilewright.targets.elements.lanes import Lanes
from tilewright.targets.elements.rules import RULES
from tilewright.targets.llvm.code import LlvmBuilder


def apply(code: LlvmBuilder, op: Operation, operands: Sequence[Value], lanes: int) -> Value:
    """Return the result of the element-wise operation `op` on one element, or one vector of lanes, of each
    operand in registers. Scalar operands are broadcast to `lanes` if others are vectors; the result is a
    scalar if all operands are.
    """
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
    point: memory_point.NestPoint, op: Operation, result: int, coordinates: memory_buffer.Coordinates
) -> Generator[memory_point.Request, Value, Value]:
    operands: list[Value] = []
    for operand in op.operands:
        operands.append((yield operand, coordinates))
    return apply(point.code, op, operands, point.lanes)


EVALUATORS: dict[type[Operation], memory_point.Evaluator] = dict.fromkeys(RULES, _evaluate)
