"""Conversions between element types; shapes stay the same except for packing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tilewright.dialects.cuda_tile.base import TileOp, tile_op
from tilewright.dialects.cuda_tile.constraints import (
    FLOAT_TILE,
    INT8_TILE,
    INT64_TILE,
    INTEGER4_TILE,
    INTEGER_TILE,
    NUMBER_TILE,
    PACKABLE_TILE,
    POINTER_TILE,
)
from tilewright.dialects.cuda_tile.enums import (
    IntegerOverflow,
    IntegerOverflowAttr,
    RoundingMode,
    RoundingModeAttr,
    Signedness,
    SignednessAttr,
)
from tilewright.dialects.cuda_tile.interfaces import OverflowMotion, UndefinedMotion
from tilewright.dialects.cuda_tile.rules.rounding import (
    IEEE,
    check_bitcast,
    check_float_conversion,
    check_integer_to_float,
    check_only_mode,
    widths,
)
from tilewright.dialects.cuda_tile.rules.shape import check_packing, packed_type
from tilewright.dialects.cuda_tile.syntax.custom import NEAREST_EVEN
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.dialects.cuda_tile.version import V13_3, V13_4
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration.attribute_kind import EnumKind
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, result_def
from tilewright.ir.declaration.traits import Elementwise, Pure, VerifyError, same_rank, same_shape
from tilewright.ir.value import Value

GROUP = "Conversions"
ROUNDING = EnumKind(RoundingModeAttr)
SIGNEDNESS = EnumKind(SignednessAttr)


@tile_op(0x09, GROUP)
class BitcastOp(TileOp, name="cuda_tile.bitcast"):
    """Reinterprets the bits of each element as another type of the same width; pointers are not allowed."""

    source: Value = operand_def(NUMBER_TILE, "The operand.")
    result: Value = result_def(NUMBER_TILE, "The same bits.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    traits = (Pure(), Elementwise(), same_shape("source", "result"))

    def verify_(self) -> None:
        check_bitcast(self.source, self.result)


@tile_op(0x25, GROUP)
class ExtIOp(TileOp, name="cuda_tile.exti"):
    """Extends integers to a wider type with copies of the sign bit (signed) or zeros (unsigned)."""

    from_: Value = operand_def(INTEGER4_TILE, "The narrow integers.")
    signedness: Signedness = attr_def(SIGNEDNESS, "Whether the sign bit is copied.")
    to: Value = result_def(INTEGER4_TILE, "The wide integers.")
    assembly_format = "$from custom<Word>($signedness) attr-dict `:` type($from) `->` type($to)"
    traits = (Pure(), Elementwise(), same_shape("from", "to"))

    def verify_(self) -> None:
        before, after = widths((self.from_, self.to))
        if after <= before:
            raise VerifyError("extending to smaller or identical integer")


@tile_op(0x6B, GROUP)
class TruncIOp(TileOp, name="cuda_tile.trunci"):
    """Cuts integers to a narrower type.

    `no_signed_wrap` promises that the cut bits equal the new sign bit, `no_unsigned_wrap` that they are zero.
    """

    concepts = (OverflowMotion,)
    from_: Value = operand_def(INTEGER4_TILE, "The wide integers.")
    overflow: IntegerOverflow = attr_def(
        EnumKind(IntegerOverflowAttr),
        "The assumption about the truncated bits.",
        default=IntegerOverflow.NONE,
    )
    to: Value = result_def(INTEGER4_TILE, "The narrow integers.")
    assembly_format = "$from (`overflow` `` $overflow^)? attr-dict `:` type($from) `->` type($to)"
    traits = (Pure(), Elementwise(), same_shape("from", "to"))

    def verify_(self) -> None:
        before, after = widths((self.from_, self.to))
        if after >= before:
            raise VerifyError("truncating to larger or identical integer")


@tile_op(0x3B, GROUP)
class IToFOp(TileOp, name="cuda_tile.itof"):
    """Converts integers to floats, rounding to nearest even; overflow gives infinity, or NaN in formats
    without one.
    """

    from_: Value = operand_def(INTEGER_TILE, "The integers.")
    signedness: Signedness = attr_def(SIGNEDNESS, "Whether the integers are signed.")
    rounding_mode: RoundingMode = attr_def(ROUNDING, "Always `nearest_even`.")
    to: Value = result_def(FLOAT_TILE, "The floats.")
    assembly_format = (
        "$from custom<Word>($signedness) custom<Rounding>($rounding_mode) attr-dict `:` type($from) `->` "
        "type($to)"
    )
    format_defaults: ClassVar[Mapping[str, Attribute]] = NEAREST_EVEN
    rounding_modes: ClassVar[tuple[RoundingMode, ...]] = IEEE
    traits = (Pure(), Elementwise(), same_shape("from", "to"))

    def verify_(self) -> None:
        check_integer_to_float(tile_of(self.to).element_type, self.rounding_mode)


@tile_op(0x2B, GROUP)
class FToIOp(TileOp, name="cuda_tile.ftoi"):
    """Converts floats to integers, rounding toward zero.

    NaN, infinity and numbers out of range are undefined unless `saturating`, which clamps (NaN gives 0).
    """

    concepts = (UndefinedMotion,)
    from_: Value = operand_def(FLOAT_TILE, "The floats.")
    signedness: Signedness = attr_def(SIGNEDNESS, "Whether the integers are signed.")
    rounding_mode: RoundingMode = attr_def(ROUNDING, "Always `nearest_int_to_zero`.")
    saturating: bool = flag_def("Clamp to the range of the integer type.", since=V13_4, default=False)
    to: Value = result_def(INTEGER_TILE, "The integers.")
    assembly_format = (
        "$from custom<Word>($signedness) custom<Rounding>($rounding_mode) (`saturating` $saturating^)? "
        "attr-dict `:` type($from) `->` type($to)"
    )
    format_defaults: ClassVar[Mapping[str, Attribute]] = {
        "rounding_mode": RoundingModeAttr(RoundingMode.NEAREST_INT_TO_ZERO)
    }
    rounding_modes: ClassVar[tuple[RoundingMode, ...]] = (RoundingMode.NEAREST_INT_TO_ZERO,)
    traits = (Pure(), Elementwise(), same_shape("from", "to"))

    def verify_(self) -> None:
        check_only_mode(self.rounding_mode, RoundingMode.NEAREST_INT_TO_ZERO)


@tile_op(0x2A, GROUP)
class FToFOp(TileOp, name="cuda_tile.ftof"):
    """Converts floats to another float type; which rounding modes are legal depends on the pair of types."""

    from_: Value = operand_def(FLOAT_TILE, "The floats.")
    rounding_mode: RoundingMode = attr_def(
        ROUNDING, "How an inexact result is rounded.", default=RoundingMode.NEAREST_EVEN
    )
    to: Value = result_def(FLOAT_TILE, "The converted floats.")
    assembly_format = "$from custom<Rounding>($rounding_mode) attr-dict `:` type($from) `->` type($to)"
    rounding_modes: ClassVar[tuple[RoundingMode, ...]] = (*IEEE, RoundingMode.NEAREST_AWAY)
    traits = (Pure(), Elementwise(), same_shape("from", "to"))

    def verify_(self) -> None:
        check_float_conversion(self.from_, self.to, self.rounding_mode)


@tile_op(0x33, GROUP)
class IntToPtrOp(TileOp, name="cuda_tile.int_to_ptr"):
    """Reads 64-bit integers as addresses."""

    source: Value = operand_def(INT64_TILE, "The integers.")
    result: Value = result_def(POINTER_TILE, "The pointers.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    traits = (Pure(), Elementwise(), same_shape("source", "result"))


@tile_op(0x56, GROUP)
class PtrToIntOp(TileOp, name="cuda_tile.ptr_to_int"):
    """Returns addresses as 64-bit integers."""

    source: Value = operand_def(POINTER_TILE, "The pointers.")
    result: Value = result_def(INT64_TILE, "The integers.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    traits = (Pure(), Elementwise(), same_shape("source", "result"))


@tile_op(0x57, GROUP)
class PtrToPtrOp(TileOp, name="cuda_tile.ptr_to_ptr"):
    """Casts pointers to another pointee type; the addresses do not change."""

    source: Value = operand_def(POINTER_TILE, "The pointers.")
    result: Value = result_def(POINTER_TILE, "The reinterpreted pointers.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    traits = (Pure(), Elementwise(), same_shape("source", "result"))


@tile_op(0x6F, GROUP, V13_3)
class PackOp(TileOp, name="cuda_tile.pack"):
    """Returns the bytes of a rank-1 tile, little endian; 4-bit elements share a byte, the even one in the low
    nibble.
    """

    source: Value = operand_def(PACKABLE_TILE, "The elements.")
    result: Value = result_def(INT8_TILE, "Their bytes.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    traits = (Pure(), same_rank("source", "result"))

    def verify_(self) -> None:
        check_packing(tile_of(self.source), tile_of(self.result))

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return packed_type(operands)


@tile_op(0x70, GROUP, V13_3)
class UnpackOp(TileOp, name="cuda_tile.unpack"):
    """Reads a rank-1 tile of bytes as elements of the result's type: the inverse of `pack`."""

    source: Value = operand_def(INT8_TILE, "The bytes.")
    result: Value = result_def(PACKABLE_TILE, "The elements.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    traits = (Pure(), same_rank("source", "result"))

    def verify_(self) -> None:
        check_packing(tile_of(self.source), tile_of(self.result))


OPERATIONS = (
    BitcastOp,
    ExtIOp,
    TruncIOp,
    IToFOp,
    FToIOp,
    FToFOp,
    IntToPtrOp,
    PtrToIntOp,
    PtrToPtrOp,
    PackOp,
    UnpackOp,
)
