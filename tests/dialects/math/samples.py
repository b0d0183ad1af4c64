"""Modules in generic form that use every operation of ``math``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken, function
from tilewright.dialects.math import dialect
from tilewright.ir.operation import Operation

FLOATS = ("f32", "vector<4xf16>", "tensor<?x3xf64>", "vector<[2]xbf16>")
INTEGERS = ("i32", "index", "vector<4xi8>")
FLAGS = ("none", "fast", "contract", "nnan,ninf")
I1_SHAPES = ("i1", "vector<4xi1>", "tensor<?x3xi1>", "vector<[2]xi1>")


def uniform(op: type[Operation], type: str, flags: str, result: str = "") -> str:
    """An operation all of whose operands and results have one type (or another result type)."""
    kind = op.op_kind
    names = [f"%x{number}" for number in range(len(kind.operands))]
    held = f" <{{fastmath = #arith.fastmath<{flags}>}}>" if "fastmath" in kind.attributes_by_ir_name else ""
    count = len(kind.results)
    operand_types, result_types = (
        ", ".join([text] * n) for text, n in ((type, len(names)), (result or type, count))
    )
    left = "%0" if count == 1 else f"%0:{count}"
    return function(
        f'{left} = "{kind.name}"({", ".join(names)}){held} : ({operand_types}) -> ({result_types})',
        **{name.removeprefix("%"): type for name in names},
    )


def _samples(op: type[Operation]) -> list[str]:
    if issubclass(op, dialect.ClassificationOp):
        return [uniform(op, *pair) for pair in zip(FLOATS, FLAGS, I1_SHAPES, strict=True)]
    if op.op_kind.operands[0].constraint.description == "signless-integer-like":
        return [uniform(op, type, "none") for type in INTEGERS]
    return [uniform(op, type, flags) for type, flags in zip(FLOATS, FLAGS, strict=True)]


FPOWI = '%0 = "math.fpowi"(%a, %b) <{fastmath = #arith.fastmath<none>}> : '
SAMPLES = (
    *(text for op in dialect.OPERATIONS if op is not dialect.FPowIOp for text in _samples(op)),
    function(f"{FPOWI}(f32, i8) -> f32", a="f32", b="i8"),
    function(
        f"{FPOWI}(vector<4xf32>, vector<4xindex>) -> vector<4xf32>", a="vector<4xf32>", b="vector<4xindex>"
    ),
)

BROKEN: tuple[Broken, ...] = (
    (
        function('%0 = "math.sqrt"(%a) : (f32) -> f64', a="f32"),
        "'math.sqrt' op requires the same type for all operands and results",
    ),
    (
        function('%0 = "math.sqrt"(%a) : (i32) -> i32', a="i32"),
        "'math.sqrt' op operand #0 must be floating-point-like, but got 'i32'",
    ),
    (
        function(f"{FPOWI}(f32, vector<4xi8>) -> f32", a="f32", b="vector<4xi8>"),
        "'math.fpowi' op requires the same shape for all operands and results",
    ),
    (
        function(f"{FPOWI}(f32, i8) -> f64", a="f32", b="i8"),
        "'math.fpowi' op failed to verify that all of {lhs, result} have same type",
    ),
    (
        function('%0 = "math.isnan"(%a) : (vector<4xf32>) -> i1', a="vector<4xf32>"),
        "'math.isnan' op failed to verify that result type has i1 element type and same shape as operands",
    ),
    (
        function('%0:2 = "math.sincos"(%a) : (f32) -> (f32, f64)', a="f32"),
        "'math.sincos' op failed to verify that all of {operand, sin, cos} have same type",
    ),
    (
        function('%0 = "math.absi"(%a) : (f32) -> f32', a="f32"),
        "'math.absi' op operand #0 must be signless-integer-like, but got 'f32'",
    ),
    (
        function('%0 = "math.fma"(%a, %a) : (f32, f32) -> f32', a="f32"),
        "'math.fma' op expected 3 operands, but found 2",
    ),
)
