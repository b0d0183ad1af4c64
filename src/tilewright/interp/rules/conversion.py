"""Rules of conversions between element types."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.ops import conversion as ops
from tilewright.interp.numerics import convert
from tilewright.interp.numerics.element import NumpyArray
from tilewright.interp.rules.integer import is_signed
from tilewright.interp.rules.rule import RuleTable, calls
from tilewright.interp.values import text, tile_format

RULES = RuleTable()


def _same_bits(source: NumpyArray) -> NumpyArray:
    return source


def _source_and_result(op: ops.BitcastOp) -> tuple[Any, ...]:
    return tile_format(op.source.type), tile_format(op.result.type)


def _extension(op: ops.ExtIOp | ops.FToIOp) -> tuple[Any, ...]:
    return tile_format(op.from_.type), tile_format(op.to.type), is_signed(op)


def _truncation(op: ops.TruncIOp) -> tuple[Any, ...]:
    return (tile_format(op.to.type),)


def _integer_to_float(op: ops.IToFOp) -> tuple[Any, ...]:
    return tile_format(op.to.type), is_signed(op), text(op.rounding_mode)


def _float_to_float(op: ops.FToFOp) -> tuple[Any, ...]:
    return tile_format(op.from_.type), tile_format(op.to.type), text(op.rounding_mode)


def _packed_source(op: ops.PackOp) -> tuple[Any, ...]:
    return (tile_format(op.source.type),)


def _unpacked_result(op: ops.UnpackOp) -> tuple[Any, ...]:
    return (tile_format(op.result.type),)


RULES.rules.update(
    {
        ops.BitcastOp: calls(convert.bitcast, _source_and_result),
        ops.ExtIOp: calls(convert.exti, _extension),
        ops.TruncIOp: calls(convert.trunci, _truncation),
        ops.IToFOp: calls(convert.itof, _integer_to_float),
        ops.FToIOp: calls(convert.ftoi, _extension),
        ops.FToFOp: calls(convert.ftof, _float_to_float),
        ops.IntToPtrOp: calls(_same_bits),
        ops.PtrToIntOp: calls(_same_bits),
        ops.PtrToPtrOp: calls(_same_bits),
        ops.PackOp: calls(convert.pack, _packed_source),
        ops.UnpackOp: calls(convert.unpack, _unpacked_result),
    }
)
