"""The base of the passes that convert to `llvm`: the patterns of a pass under one fresh type converter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.builtin.ops import UnrealizedConversionCastOp
from tilewright.ir.operation import Operation
from tilewright.lowering.conversion import convert
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet


@dataclass(frozen=True)
class ToLLVM(Pass):
    """Converts the operations that the patterns of `populate` convert; others stay.

    Raises `DiagnosticError` if an operation that a pattern is for cannot be converted.
    """

    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        """Add the patterns of the pass."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it converts")

    def llvm_options(self) -> LLVMOptions:
        """Return the options of the type converter."""
        return LLVMOptions()

    def run(self, op: Operation, state: PassState) -> None:
        converter = LLVMTypeConverter(state.context, self.llvm_options())
        patterns = RewritePatternSet(state.context)
        self.populate(patterns, converter)
        target = ConversionTarget().add_legal_dialect("llvm").add_legal(UnrealizedConversionCastOp)
        convert(op, state, target, patterns, ConversionConfig(type_converter=converter))


@dataclass(frozen=True)
class ToLLVMWithIndex(ToLLVM):
    """A conversion of operations on ``index`` values, whose width in bits is an option."""

    index_bitwidth: int = 0

    def llvm_options(self) -> LLVMOptions:
        return LLVMOptions(self.index_bitwidth)
