"""One conversion to `llvm`: the patterns of some populators under one fresh type converter."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.dialects.builtin.ops import UnrealizedConversionCastOp
from tilewright.ir.operation import Operation
from tilewright.lowering.conversion import convert
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.passes.pass_ import PassState
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet

Populate = Callable[[RewritePatternSet, LLVMTypeConverter], None]


def to_llvm(
    op: Operation,
    state: PassState,
    *populators: Populate,
    index_width: int = 64,
    bare_pointers: bool = False,
) -> None:
    """Convert the operations that the patterns of some populators convert; others stay.

    Raises `DiagnosticError` if an operation that a pattern is for cannot be converted.
    """
    converter = LLVMTypeConverter(state.context, LLVMOptions(index_width, bare_pointers))
    patterns = RewritePatternSet(state.context)
    for populate in populators:
        populate(patterns, converter)
    target = ConversionTarget().add_legal_dialect("llvm").add_legal(UnrealizedConversionCastOp)
    convert(op, state, target, patterns, ConversionConfig(type_converter=converter))
