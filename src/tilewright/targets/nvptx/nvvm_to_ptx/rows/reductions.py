"""Reductions of the elements of a vector, from the first to the last; tables have the operation of each step."""

from __future__ import annotations

from tilewright.dialects.llvm.intrinsics import integer, vector
from tilewright.dialects.llvm.ops import arithmetic
from tilewright.ir.operation import Operation
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.rows import floats, integers as rows_integers

INTEGER_STEPS: dict[type[Operation], type[Operation]] = {
    vector.VectorReduceAddOp: arithmetic.AddOp,
    vector.VectorReduceMulOp: arithmetic.MulOp,
    vector.VectorReduceAndOp: arithmetic.AndOp,
    vector.VectorReduceOrOp: arithmetic.OrOp,
    vector.VectorReduceXorOp: arithmetic.XOrOp,
    vector.VectorReduceSmaxOp: integer.SMaxOp,
    vector.VectorReduceSminOp: integer.SMinOp,
    vector.VectorReduceUmaxOp: integer.UMaxOp,
    vector.VectorReduceUminOp: integer.UMinOp,
}
"""The operation of each step of an integer reduction."""
FLOAT_STEPS: dict[type[Operation], str] = {
    vector.VectorReduceFaddOp: "add.rn",
    vector.VectorReduceFmulOp: "mul.rn",
    vector.VectorReduceFmaxOp: "max",
    vector.VectorReduceFminOp: "min",
}
"""The instruction of each step of an f32 or f64 reduction; sums and products begin with the first operand."""


def _of_integers(step: type[Operation]) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width, lanes = emit.width(op.operands[0].type), emit.lanes(op.operands[0])
        total = lanes[0]
        for lane in lanes[1:]:
            total = rows_integers.BINARY[step].scalar(emit, width, total, lane)
        emit.bind(op.results[0], [total])

    return rule


def _of_floats(step: str) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        name = floats.float_type(op.results[0].type).spelling
        if name not in ("f32", "f64"):
            raise emit.refused(f"a reduction of {name}", "convert to f32 first")
        first, *rest = [lane for operand in op.operands for lane in emit.lanes(operand)]
        for lane in rest:
            first = emit.compute(f"{step}.{name}", first, lane)
        emit.bind(op.results[0], [first])

    return rule


ROWS: dict[type[Operation], Rule] = {
    **{op: _of_integers(step) for op, step in INTEGER_STEPS.items()},
    **{op: _of_floats(step) for op, step in FLOAT_STEPS.items()},
}
