"""Checks of the indices of accesses to views, for accesses that the pass `insert-checks` has marked."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith import attributes as arith_attributes, ops_integer as arith
from tilewright.dialects.cuda_tile.assumptions import index_words
from tilewright.dialects.cuda_tile.ops.memory import ViewAccess
from tilewright.dialects.nv_tileaa.discardable import CHECK
from tilewright.dialects.nv_tileaa.ops import pointer as tileaa_pointer, program as tileaa_program
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.builtin_types import RankedTensorType, i64
from tilewright.ir.value import Value
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAAEmitter, TileAALowering
from tilewright.lowering.cuda_tile_to_tileaa.views import index_space, maker, memory_of, wide
from tilewright.rewrite.conversion.pattern import Adaptor


def check_indices(op: ViewAccess, at: Adaptor, lowering: TileAALowering, emit: TileAAEmitter) -> None:
    """Emit checks that the indices of an access are less than the number of indices along each dimension, if
    `insert-checks` has marked the access. Indices known to be in range are not checked. Indices of gathered
    rows are not checked here either: single rows may be outside.
    """
    note = op.attributes.get(CHECK)
    scalars = [] if note is None else [axis for axis, one in enumerate(at.index) if not _is_tile(one)]
    wanted = [axis for axis in scalars if not lowering.facts.tile_fits(op.view, op.index, axis)]
    if not wanted:
        return
    assert isinstance(note, StringAttr), "the verifier knows the note"
    view: Any = op.view.type
    counts = index_space(emit, view, at.view)
    place = _address(emit, memory_of(view, at.view))
    for axis in wanted:
        index, count = emit.resized(at.index[axis], i64, signed=False), wide(emit, counts[axis])
        holds = emit(arith.CmpIOp, arith_attributes.CmpIPredicate.ULT, index, count)
        shown = emit.resized(at.index[axis], i64, signed=True)
        emit.insert(tileaa_program.CheckOp, holds, note.value, index_words(view, axis), [shown, count, place])


def _is_tile(value: Value) -> bool:
    return isinstance(value.type, RankedTensorType)


def _address(emit: TileAAEmitter, source: Value) -> Value:
    """Return the base address of a memory object as an i64; 0 if it is unknown."""
    made = maker(source)
    return emit.integer(0, i64) if made is None else emit(tileaa_pointer.PtrToIntOp, made.base, type=i64)
