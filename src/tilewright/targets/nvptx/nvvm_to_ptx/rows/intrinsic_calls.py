"""Intrinsics called by name: instructions without an operation.

The table leaves out the types at the end of a name; the instruction has the type of the result.
"""

from __future__ import annotations

from tilewright.dialects.llvm.ops.control import CallIntrinsicOp
from tilewright.ir.operation import Operation
from tilewright.ptx.table.instructions import lookup
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.rows.floats import FloatInstruction, float_type

ROUNDED = ("add", "mul", "fma", "div", "sqrt", "rcp")
"""Instructions with a rounding mode in their names."""
APPROXIMATE = ("ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "div")
"""Instructions with an approximate result."""
NAMED: dict[str, str] = {
    f"llvm.nvvm.{spelling}": spelling
    for spelling in (
        *(
            f"{name}.{word}{flush}"
            for name in ROUNDED
            for word in ("rn", "rz", "rm", "rp")
            for flush in ("", ".ftz")
        ),
        *(f"{name}.approx{flush}" for name in APPROXIMATE for flush in ("", ".ftz")),
        *(f"div.full{flush}" for flush in ("", ".ftz")),
        *(f"fma.{word}.sat" for word in ("rn", "rz", "rm", "rp")),
        "tanh.approx",
    )
}
"""The spelling of instructions, without the type, by the names of their intrinsics."""
EXTREMA = {
    "llvm.maximumnum": FloatInstruction("max"),
    "llvm.minimumnum": FloatInstruction("min"),
}
"""Maximum and minimum; a number precedes NaN."""


def _base(name: str) -> str:
    """Return an intrinsic's name without the types at its end, such as ``llvm.nvvm.fma.rn`` for
    ``llvm.nvvm.fma.rn.f``.
    """
    words = name.split(".")
    while words and words[-1] in ("f", "d", "f16", "bf16", "f32", "f64"):
        words.pop()
    if words and words[-1].startswith("v") and words[-1][1:2].isdigit():
        words.pop()
    return ".".join(words)


def _call(emit: PtxFunctionEmitter, op: CallIntrinsicOp) -> None:
    name = _base(op.intrin)
    if name in EXTREMA:
        EXTREMA[name](emit, op)
    elif name in NAMED:
        spelling = f"{NAMED[name]}.{float_type(op.results[0].type).spelling}"
        if not lookup(tuple(spelling.split("."))):
            raise emit.refused(
                f"the intrinsic '{op.intrin}'", "PTX has it for f32, and some without `ftz` for f64"
            )
        emit.each_group(op, lambda lane: emit.compute(spelling, *lane))
    else:
        hint = "use an approximation or rounding of `llvm.nvvm`, or an operation of the dialects"
        raise emit.refused(f"the intrinsic '{op.intrin}'", hint)


ROWS: dict[type[Operation], Rule] = {CallIntrinsicOp: _call}
