"""Converts kernels, their arguments and queries of the grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from tilewright.dialects.cuda_tile.attributes import MAXIMUM_DIVISOR, DivByAttr
from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.cuda_tile.types import PointerType, TileType, is_power_of_two
from tilewright.dialects.tt.ops import function as tt, program
from tilewright.ir import builder, builtin_attributes
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.control_patterns import take_body
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import SpreadPattern, TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor

_Op = TypeVar("_Op", bound=Operation)

DIVISIBILITY = "tt.divisibility"


class FuncPattern(SpreadPattern[tt.FuncOp]):
    """Converts a kernel to an `entry`; its parameters have types that can be converted. Divisors of integer
    and pointer arguments that are powers of two, from the attribute `tt.divisibility`, become assumptions at
    its beginning.
    """

    def lower(
        self, op: tt.FuncOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        converter = self.lowering.converter
        signature: Any = converter.convert_type(op.function_type)
        assert signature is not None, "other types were refused"
        divisors = list(self._divisors(op))
        made = emit.insert(control.EntryOp, op.sym_name, signature, body=Region())
        old = list(op.body.block.arguments)
        block = take_body(emit, self.lowering, op.body, made.body)
        with emit.rewriter.at(builder.InsertionPoint.at_start(block)):
            self._assume(block, old, divisors, emit)
        return ()

    def _divisors(self, op: tt.FuncOp) -> Iterator[int]:
        """Yield the divisor of each argument; 1 if it has no attribute."""
        attributes = op.arg_attrs or ()
        for at in range(len(op.function_type.inputs)):
            given = attributes[at].get(DIVISIBILITY) if at < len(attributes) else None
            yield given.value if isinstance(given, builtin_attributes.IntegerAttr) else 1

    def _assume(self, block: Block, old: list[Any], divisors: list[int], emit: CudaTileEmitter) -> None:
        rewriter = emit.rewriter
        for argument, divisor in zip(old, divisors, strict=True):
            value = rewriter.lookup(argument)
            if not isinstance(value, Value) or not _may_be_multiple(value.type, divisor):
                continue
            assumed = emit(control.AssumeOp, DivByAttr(min(divisor, MAXIMUM_DIVISOR)), value)
            before = rewriter.mapping.pop(argument, None)
            if before is not None:
                rewriter.log_undo(rewriter.mapping.__setitem__, argument, before)
            rewriter.map_value(argument, assumed)


def _may_be_multiple(type: Type, divisor: int) -> bool:
    """Return whether Tile IR can state that a value of `type` is a multiple of `divisor`: the elements are
    integers or pointers, and the divisor is a power of two above 1.
    """
    assert isinstance(type, TileType), "arguments are tiles"
    return (
        isinstance(type.element_type, PointerType | IntegerType) and divisor > 1 and is_power_of_two(divisor)
    )


class TritonGridPattern(TritonPattern[_Op]):
    """The base of patterns for the index and the number of programs along an axis. They insert ``target``,
    the operation of Tile IR with a result for each of three axes, and use the result for their axis.
    """

    target: type[Operation]

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter) -> LoweringResult:
        axis: Any = op
        return emit.insert(self.target).results[axis.axis.value]


class ProgramIdPattern(TritonGridPattern[program.GetProgramIdOp]):
    """Converts the index of the program in the grid along an axis to a result of `get_tile_block_id`."""

    target = control.GetTileBlockIdOp


class NumProgramsPattern(TritonGridPattern[program.GetNumProgramsOp]):
    """Converts the number of programs in the grid along an axis to a result of `get_num_tile_blocks`."""

    target = control.GetNumTileBlocksOp


def function_patterns(lowering: TritonLowering) -> list[Any]:
    """Return the patterns for kernels, and for the index and the number of programs."""
    return [FuncPattern(lowering), ProgramIdPattern(lowering), NumProgramsPattern(lowering)]
