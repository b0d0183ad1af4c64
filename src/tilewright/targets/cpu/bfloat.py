"""A function that LLVM calls where it stores a single bfloat16.

Processors without instructions for bfloat16 hold single ones as f32, and LLVM leaves the way back to a function of the
compiler's run-time library, even for a mere copy.  That library need not be in the process, so kernels bring the
function along.  Its result stands where one of type half would: in the low bits of a vector register.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.dialects.llvm import ops_arithmetic as llvm
from tilewright.dialects.llvm.enums import FloatPredicate, Linkage, Visibility
from tilewright.dialects.llvm.ops_control import ReturnOp
from tilewright.dialects.llvm.ops_conversion import BitcastOp, TruncOp
from tilewright.dialects.llvm.ops_symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import bf16, f16, f32, i16, i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.code import Code
from tilewright.targets.cpu.elements import element_of

NAME = "__truncsfbf2"
QUIET = 0x40
"""The bit that makes a NaN of one whose payload was lost."""


def uses_bfloat(module: Operation) -> bool:
    """Whether there are values of bfloat16."""
    return any(element_of(value.type) is bf16 for op in module.walk() for value in _values(op))


def _values(op: Operation) -> Iterator[Value]:
    """What an operation and the blocks in it define."""
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.arguments


def truncation() -> LLVMFuncOp:
    """f32 to bfloat16, to the nearest, ties to even; a NaN stays one."""
    body = Region([Block([f32])])
    code = Code(body)
    (value,) = code.entry.arguments
    bits = code(BitcastOp, value, type=i32)
    half = code.integer(16, i32)
    upper = code(llvm.LShrOp, bits, half)
    odd = code(llvm.AndOp, upper, code.integer(1, i32))
    rounded = code.sum(code.sum(bits, code.integer(0x7FFF, i32)), odd)
    lost = code.compare_integers("eq", code(llvm.AndOp, upper, code.integer(0x7F, i32)), code.integer(0, i32))
    quiet = code(llvm.SelectOp, lost, code.integer(QUIET, i32), code.integer(0, i32), type=i32)
    is_nan = code(llvm.FCmpOp, FloatPredicate.UNO, value, value)
    kept = code(llvm.OrOp, upper, quiet)
    result = code(llvm.SelectOp, is_nan, kept, code(llvm.LShrOp, rounded, half), type=i32)
    code.effect(ReturnOp, code(BitcastOp, code(TruncOp, result, type=i16), type=f16))
    return LLVMFuncOp(
        sym_name=NAME,
        function_type=LLVMFunctionType(f16, (f32,)),
        body=body,
        no_unwind=True,
        linkage=Linkage.WEAK_ODR,
        visibility_=Visibility.HIDDEN,
    )
