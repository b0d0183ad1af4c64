"""Patterns for prints, assertions and assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.ops import control, conversion as casts
from tilewright.dialects.cuda_tile.types import BASE_FLOATS, PointerType, tile_of
from tilewright.dialects.llvm.intrinsics.memory import AssumeOp
from tilewright.dialects.tt.ops import program as tt
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, f32, i32, i64
from tilewright.ir.support.strings import BREAKPOINT
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor


class TritonAssertPattern(TritonPattern[tt.AssertOp]):
    """Converts an assertion to the `assert` of Tile IR with the same message."""

    def lower(
        self, op: tt.AssertOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        emit.insert(control.AssertOp, at.condition, op.message)
        return ()


class TritonPrintPattern(TritonPattern[tt.PrintOp]):
    """Converts a print to one print for each tile: the prefix, the elements and a line break. Without tiles
    it prints the prefix alone; a prefix that marks a breakpoint is kept as it is.
    """

    def lower(
        self, op: tt.PrintOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        prefix = op.prefix.replace("%", "%%")
        if not at.args:
            is_breakpoint = prefix.strip() == BREAKPOINT.strip()  # Triton writes a blank before it
            emit.made(control.PrintTkoOp, BREAKPOINT if is_breakpoint else prefix + "\n", ())
        for value, signed in zip(at.args, op.isSigned, strict=True):
            printed, conversion = _printable(emit, value, signed=bool(signed), hexadecimal=op.hex)
            emit.made(control.PrintTkoOp, f"{prefix}{conversion}\n", (printed,))
        return ()


def _printable(emit: CudaTileEmitter, value: Value, *, signed: bool, hexadecimal: bool) -> tuple[Value, str]:
    """Return the value converted to a type that `printf` prints, and the conversion specifier for it, such as
    ``%lld``. Integers are read as signed if ``signed``, and printed in hexadecimal if ``hexadecimal``;
    pointers are always printed in hexadecimal.
    """
    element = tile_of(value).element_type
    if isinstance(element, PointerType):
        return emit(casts.PtrToIntOp, value, type=tile_of(value).with_element_type(i64)), "%llx"
    if isinstance(element, FloatType):
        return (value if element in BASE_FLOATS else emit.converted(value, f32)), "%f"
    assert isinstance(element, IntegerType), "tiles hold pointers, floats or integers"
    wide = i64 if element.width > i32.width else i32
    letter = "x" if hexadecimal else "d" if signed else "u"
    return emit.resized(value, wide, signed=signed), f"%{'ll' if wide is i64 else ''}{letter}"


class TritonAssumePattern(TritonPattern[AssumeOp]):
    """Drops an assumption about a condition: assumptions of Tile IR are about values."""

    def lower(
        self, op: AssumeOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return ()


def debugging_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for prints, assertions and assumptions."""
    return [pattern(lowering) for pattern in (TritonAssertPattern, TritonPrintPattern, TritonAssumePattern)]
