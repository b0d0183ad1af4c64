"""Rules of constants, slices, shapes and matrix multiplication."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.enums import Signedness
from tilewright.dialects.cuda_tile.ops import tile as ops
from tilewright.interp.codes import UNSUPPORTED
from tilewright.interp.numerics import convert, integers as numerics_integers, matmul
from tilewright.interp.numerics.element import ElementFormat, NumpyArray
from tilewright.interp.rules.rule import Evaluate, RuleTable, calls, constantly
from tilewright.interp.values import pointee_format, tile_format, unsigned_value
from tilewright.ir.builtin_attributes import DenseElementsAttr

RULES = RuleTable()


def dense_elements(value: DenseElementsAttr, format: ElementFormat) -> NumpyArray:
    """Return the elements of a dense attribute as a flat array in `format`; a splat is repeated to the number
    of elements. (In the attribute i1 takes a byte for each element, not a bit.)
    """
    if format.bits != 1:
        return convert.decode_constant(value.data, format, value.count)
    bits = (np.frombuffer(value.data, dtype=np.uint8) & np.uint8(1)) != 0
    return bits if bits.size == value.count else np.repeat(bits, value.count)


@RULES.evaluates(ops.ConstantOp)
def constant(op: ops.ConstantOp) -> Evaluate:
    """Return the evaluation of a constant; its tile is made once and never written to."""
    result_type: Any = op.result.type
    tile = dense_elements(op.value, tile_format(result_type)).reshape(result_type.shape)
    return constantly(tile)


@RULES.evaluates(ops.IotaOp)
def iota(op: ops.IotaOp) -> Evaluate:
    """Return the evaluation of `iota`: 0, 1, 2, ... Numbers beyond the signed range of the type are bit
    patterns.
    """
    result_type: Any = op.result.type
    numbers: NumpyArray = np.arange(result_type.shape[0], dtype=np.int64)
    return constantly(numbers.astype(tile_format(result_type).array_dtype))


def _result_shape(op: ops.BroadcastOp | ops.ReshapeOp) -> tuple[Any, ...]:
    return (checked_type(op.result).shape,)


def _permutation(op: ops.PermuteOp) -> tuple[Any, ...]:
    return (op.permutation,)


def _concatenate(lhs: NumpyArray, rhs: NumpyArray, dimension: int) -> NumpyArray:
    return np.concatenate((lhs, rhs), axis=dimension)


def _dimension(op: ops.CatOp) -> tuple[int]:
    return (op.dim,)


def slice_of(
    whole: tuple[int, ...], part: tuple[int, ...], indices: tuple[NumpyArray, ...]
) -> tuple[slice, ...]:
    """Return the slices of a tile of shape `whole` that select the part with the numbers `indices`, one for
    each dimension, for parts of shape `part`. The numbers count parts and are unsigned.

    Numbers out of range, undefined in Tile IR, wrap around.
    """
    box: list[slice] = []
    for extent, size, index in zip(whole, part, indices, strict=True):
        start = unsigned_value(index) % (extent // size) * size
        box.append(slice(start, start + size))
    return tuple(box)


@RULES.evaluates(ops.ExtractOp)
def extract(op: ops.ExtractOp) -> Evaluate:
    """Return the evaluation of `extract`: the slice of the tile with the numbers `indices`."""
    result_type: Any = op.result.type

    def evaluate(block: Any, source: NumpyArray, *indices: NumpyArray) -> NumpyArray:
        return source[slice_of(source.shape, result_type.shape, indices)]

    return evaluate


@RULES.evaluates(ops.InsertOp)
def insert(op: ops.InsertOp) -> Evaluate:
    """Return the evaluation of `insert`: a copy of the destination in which one slice is replaced by the
    source.
    """

    def evaluate(block: Any, source: NumpyArray, destination: NumpyArray, *indices: NumpyArray) -> NumpyArray:
        changed = destination.copy()
        changed[slice_of(destination.shape, source.shape, indices)] = source
        return changed

    return evaluate


@RULES.evaluates(ops.OffsetOp)
def offset(op: ops.OffsetOp) -> Evaluate:
    """Return the evaluation that advances addresses by signed numbers of elements; they wrap at 64 bits,
    which Tile IR leaves undefined. It raises `DiagnosticError` for an odd number of packed elements.
    """
    format = pointee_format(op.ptr.type)

    def evaluate(block: Any, pointers: NumpyArray, offsets: NumpyArray) -> NumpyArray:
        return np.asarray(pointers + numerics_integers.signed_view(offsets) * np.int64(format.storage_bytes))

    def evaluate_packed(block: Any, pointers: NumpyArray, offsets: NumpyArray) -> NumpyArray:
        steps = numerics_integers.signed_view(offsets)
        if (steps & 1).any():
            message = f"a pointer cannot name the odd {format.name} element of a byte"
            raise block.failure(
                op, UNSUPPORTED, message, hint="advance by an even number, or use a tensor view"
            )
        return np.asarray(pointers + (steps >> 1))

    return evaluate_packed if format.packed else evaluate


def _mma_formats(op: ops.MmaFOp) -> tuple[Any, ...]:
    return tile_format(op.lhs.type), tile_format(op.acc.type)


def _mma_signs(op: ops.MmaIOp) -> tuple[Any, ...]:
    return op.signedness_lhs is Signedness.SIGNED, op.signedness_rhs is Signedness.SIGNED


def _scaled_formats(op: ops.MmaFScaledOp) -> tuple[Any, ...]:
    return tile_format(op.lhs.type), tile_format(op.lhs_scale.type)


RULES.rules.update(
    {
        ops.BroadcastOp: calls(np.broadcast_to, _result_shape),
        ops.ReshapeOp: calls(np.reshape, _result_shape),
        ops.PermuteOp: calls(np.transpose, _permutation),
        ops.CatOp: calls(_concatenate, _dimension),
        ops.SelectOp: calls(np.where),
        ops.MmaFOp: calls(matmul.mmaf, _mma_formats),
        ops.MmaIOp: calls(matmul.mmai, _mma_signs),
        ops.MmaFScaledOp: calls(matmul.mmaf_scaled, _scaled_formats),
    }
)
