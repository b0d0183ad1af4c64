"""Functions that LLVM calls to convert half precision on processors without instructions for it.

They belong to the compiler's run-time library, which need not be in the process; so modules bring them along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilewright.dialects.llvm.enums import Linkage, Visibility
from tilewright.dialects.llvm.ops_control import ReturnOp
from tilewright.dialects.llvm.ops_symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import VectorType, f16, f32
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.code import Code
from tilewright.targets.cpu.elementwise_expression import Expression
from tilewright.targets.cpu.elementwise_rounding import NEAREST_EVEN, round_by_parts, scaled
from tilewright.targets.cpu.target import CpuTarget

FEATURE = "f16c"
FAMILY = "x86_64"
BEYOND = 65536.0
"""What the exponent of infinity and NaN would mean."""


def _extend(x: Expression) -> Expression:
    value = scaled(x.bits(), f16.format)
    special = value.magnitude().compare("OGE", BEYOND)
    return special.select(value.bits() | f32.format.exponent_mask, value.bits()).as_type(f32)


def _truncate(x: Expression) -> Expression:
    return round_by_parts(x, f16, NEAREST_EVEN, saturate=False)


SYMBOLS: dict[str, tuple[Type, Type, Callable[[Expression], Expression]]] = {
    "__extendhfsf2": (f16, f32, _extend),
    "__truncsfhf2": (f32, f16, _truncate),
}


def are_needed(module: Operation, target: CpuTarget) -> bool:
    """Whether a module converts half precision for a processor that cannot."""
    if not target.triple.startswith(FAMILY) or target.has(FEATURE):
        return False
    return any(_element(type) is f16 for op in module.walk() for type in _types(op))


def _types(op: Operation) -> Iterator[Type]:
    for result in op.results:
        yield result.type


def _element(type: Type) -> Type:
    return type.element_type if isinstance(type, VectorType) else type


def functions() -> Iterator[LLVMFuncOp]:
    """The functions, each of one number."""
    for name, (source, target, formula) in SYMBOLS.items():
        body = Region([Block([source])])
        code = Code(body)
        code.effect(ReturnOp, formula(Expression(code, code.entry.arguments[0])).value)
        yield LLVMFuncOp(
            sym_name=name,
            function_type=LLVMFunctionType(target, (source,)),
            body=body,
            no_unwind=True,
            linkage=Linkage.WEAK_ODR,
            visibility_=Visibility.HIDDEN,
        )
