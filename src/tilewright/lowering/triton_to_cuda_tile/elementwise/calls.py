"""Patterns for elementwise functions: functions with control flow of their own, and library functions known
by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.ops import control, tile as tiles
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.dialects.tt.ops import external, reduction as tt
from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.elementwise.libdevice import FUNCTIONS
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor


class MapElementwisePattern(TritonPattern[tt.MapElementwiseOp]):
    """Converts `map_elementwise` to a loop that takes ``pack`` elements of each operand in each iteration,
    with the function as its body. A function of more than one block does not match;
    `structure_function_of_elements` has made it one block. The loop carries the results as tiles, into which
    the end of its body inserts elements (`MapEndPattern`).
    """

    def lower(
        self, op: tt.MapElementwiseOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        region: Region = op.scalarOp
        if len(region.blocks) != 1:
            return emit.rewriter.no_match("its function returns in more than one place")
        count = tile_of(at.operands[0]).element_count
        rows = [emit.reshaped(value, (count,)) for value in at.operands]
        results = [type for type in types if isinstance(type, TileType)]
        start = [emit.unspecified(TileType((count,), type.element_type)) for type in results]
        low, high, step = emit.scalar(0), emit.scalar(count), emit.scalar(op.pack)
        carried = [value.type for value in start]
        made = emit.insert(control.ForOp, low, high, step, start, body=Region(), result_types=carried)
        with emit.rewriter.at(emit.rewriter.point):
            block = emit.rewriter.create_block(made.body, [TileType((), i32), *carried])
            values = [
                value for row in rows for value in self._elements(emit, row, block.arguments[0], op.pack)
            ]
            emit.rewriter.merge_blocks(region.block, block, values)
        return [emit.reshaped(row, type.shape) for row, type in zip(made.results, results, strict=True)]

    def _elements(self, emit: CudaTileEmitter, row: Value, counter: Value, pack: int) -> Iterator[Value]:
        one = TileType((1,), tile_of(row).element_type)
        for lane in range(pack):
            place = emit.add(counter, emit.scalar(lane)) if lane else counter
            yield emit.reshaped(emit(tiles.ExtractOp, row, (place,), type=one), ())


class MapEndPattern(TritonPattern[tt.MapElementwiseReturnOp]):
    """Converts the end of the function of a `map_elementwise`: inserts the returned elements into the result
    tiles that the loop carries. It does not match before the loop is made.
    """

    def lower(
        self, op: tt.MapElementwiseReturnOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        block: Any = op.parent
        if not isinstance(op.parent_op, control.ForOp):
            return emit.rewriter.no_match("the operation around it was not converted")
        counter, *rows = block.arguments
        pack = len(at.operands) // len(rows)
        ending = [
            self._filled(emit, row, counter, at.operands[which * pack : (which + 1) * pack])
            for which, row in enumerate(rows)
        ]
        emit.insert(control.ContinueOp, ending)
        return ()

    def _filled(self, emit: CudaTileEmitter, row: Value, counter: Value, values: Sequence[Value]) -> Value:
        for lane, value in enumerate(values):
            place = emit.add(counter, emit.scalar(lane)) if lane else counter
            row = emit(tiles.InsertOp, emit.reshaped(value, (1,)), row, (place,))
        return row


class ExternPattern(TritonPattern[external.ExternElementwiseOp]):
    """Converts a call of a function of libdevice to the formula of its name in `FUNCTIONS`. Calls of unknown
    functions were refused before the conversion.
    """

    def lower(
        self, op: external.ExternElementwiseOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return FUNCTIONS[op.symbol](emit, types[0], *at.operands)  # other functions were refused


def call_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for `map_elementwise` and for library functions."""
    return [MapElementwisePattern(lowering), MapEndPattern(lowering), ExternPattern(lowering)]
