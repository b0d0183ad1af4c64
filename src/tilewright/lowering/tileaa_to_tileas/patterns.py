"""Patterns of the conversion from `nv_tileaa` to `nv_tileas` for memory objects, pointers and functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tilewright.dialects.arith import ops_conversion as arith_conversion, ops_integer as arith
from tilewright.dialects.func import ops as func
from tilewright.dialects.llvm.ops.conversion import IntToPtrOp as LLVMIntToPtrOp, PtrToIntOp as LLVMPtrToIntOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.dialects.llvm.types import DYNAMIC_POSITION, is_element_type
from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints, types as tileaa_types
from tilewright.dialects.nv_tileaa.ops import pointer, structure
from tilewright.dialects.nv_tileas import ops_arith as tileas_arith, ops_memory as tileas_memory
from tilewright.dialects.nv_tileas.ops_tile import ViewOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import IntegerAttr, TypeAttr
from tilewright.ir.builtin_types import IndexType, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.element_forms import TYPED
from tilewright.lowering.pattern import ConversionInserter, LoweringPattern, LoweringResult
from tilewright.lowering.tileaa_to_tileas import bridge, type_conversion
from tilewright.rewrite.conversion.pattern import Adaptor

_Op = TypeVar("_Op", bound=Operation)


class TileAAPattern(LoweringPattern[_Op]):
    """The base of the patterns of this conversion. By default an operation is replaced by one of the same
    kind with converted operands and types.
    """

    def __init__(self, converter: type_conversion.TileASTypeConverter, **named: Any) -> None:
        super().__init__(converter, **named)
        self.converter = converter

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: ConversionInserter) -> LoweringResult:
        return emit.plain(op.kind, at.operands, types, dict(op.held_attributes))


# --- structure


class BlockTileOpConversion(TileAAPattern[structure.BlockTileOp]):
    """Converts `block_tile` to a `view` of the memory object in global memory; the type of the view has the
    shape of the tiles.
    """

    def lower(
        self, op: structure.BlockTileOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        attributes = dict(op.held_attributes)
        del attributes["tileSizes"]  # the type of the view has them
        return emit.plain(ViewOp.op_kind, at.operands, types, attributes)


class MakeMemrefOpConversion(TileAAPattern[structure.MakeMemrefOp]):
    """Converts the operands and types of a `make_memref`, which stays an operation of `nv_tileaa`."""


class GetDimSizeOpConversion(TileAAPattern[structure.GetDimSizeOp]):
    """Replaces a `get_dim_size` by the extent in the type of the memory object, or the extent operand with
    which it was made. It does not match if neither is known.
    """

    def lower(
        self, op: structure.GetDimSizeOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        size = bridge.known_size(op)
        if size is None:
            return emit.rewriter.no_match("the extent is known to the maker of the memory object only")
        if isinstance(size, int):
            value: dict[str, Attribute] = {"value": IntegerAttr(types[0], size)}
            return emit.plain(arith.ConstantOp.op_kind, (), types, value)
        return emit.rewriter.remapped(size)


# --- bits and pointers


class BitcastOpConversion(TileAAPattern[pointer.BitcastOp]):
    """Converts a bitcast of numbers to the bitcast of `nv_tileas`, and replaces a bitcast of pointers by its
    operand if the converted types are equal: LLVM's pointers have no pointee type. Other bitcasts of pointers
    do not match.
    """

    def lower(
        self, op: pointer.BitcastOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        if not tileaa_constraints.is_pointer(tileaa_constraints.element_of(op.source.type)):
            return emit.plain(tileas_arith.BY_MNEMONIC["bitcast"].op_kind, at.operands, types)
        if at.operands[0].type is types[0]:
            return at.operands[0]
        return emit.rewriter.no_match(
            "{} and {} are pointers to different memories", op.source.type, types[0]
        )


class PtrToIntOpConversion(TileAAPattern[pointer.PtrToIntOp]):
    """Converts an address to an integer: to ``llvm.ptrtoint``. Tiles of pointers do not match."""

    def lower(
        self, op: pointer.PtrToIntOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        if tileaa_constraints.is_tile(op.source.type):
            return emit.rewriter.no_match("tiles of pointers stay as they are")
        return emit.plain(LLVMPtrToIntOp.op_kind, at.operands, types)


class IntToPtrOpConversion(TileAAPattern[pointer.IntToPtrOp]):
    """Converts an integer to an address: to ``llvm.inttoptr``. Tiles of pointers do not match."""

    def lower(
        self, op: pointer.IntToPtrOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        if tileaa_constraints.is_tile(op.result.type):
            return emit.rewriter.no_match("tiles of pointers stay as they are")
        return emit.plain(LLVMIntToPtrOp.op_kind, at.operands, types)


class AddPtrOpConversion(TileAAPattern[pointer.AddPtrOp]):
    """Converts a pointer plus an offset in elements to ``llvm.getelementptr``. Elements of fewer than 8 bits
    count as bytes. Tiles of pointers do not match, nor elements that have no LLVM type in memory.
    """

    def lower(
        self, op: pointer.AddPtrOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        source = op.base.type
        if not isinstance(source, tileaa_types.PtrType):
            return emit.rewriter.no_match("tiles of pointers stay as they are")
        element = stored_form(source.pointee)
        if element is None:
            return emit.rewriter.no_match("{} has no size in memory", source.pointee)
        offset = as_integer(at.operands[1], emit)
        return emit.insert(GEPOp, at.operands[0], (DYNAMIC_POSITION,), element, (offset,), result_types=types)


def stored_form(pointee: Type) -> Type | None:
    """Return the LLVM type of an element `pointee` in memory; offsets count elements of this size. None for a
    type that memory cannot hold.
    """
    held = TYPED.memory(pointee)
    return held if is_element_type(held) else None


def as_integer(value: Value, emit: ConversionInserter) -> Value:
    """Return an offset as an integer that ``llvm.getelementptr`` accepts: a value of type `index` is cast."""
    return emit(arith_conversion.IndexCastOp, value, type=i64) if isinstance(value.type, IndexType) else value


class AssumeOpConversion(TileAAPattern[pointer.AssumeOp]):
    """Converts an assumption to an assumption about the converted value."""


class SplatOpHostConversion(TileAAPattern[structure.SplatOp]):
    """Converts the operand and the type of a splat of a scalar; it stays a `splat` of `nv_tileaa`."""


class ExtractOpHostConversion(TileAAPattern[structure.ExtractOp]):
    """Converts the operands and the type of the extraction of a scalar from a tile; it stays an `extract` of
    `nv_tileaa`.
    """


class MakeTiledTMADescOpHostConversion(TileAAPattern[tileas_memory.MakeTiledTMADescOp]):
    """Converts the view operand of an operation that makes a TMA descriptor."""


# --- functions


class TileAAFuncConversion(TileAAPattern[func.FuncOp]):
    """Converts the type of a function and the arguments of its entry block, in place. It does not match if a
    parameter or result has no converted type.
    """

    def lower(
        self, op: func.FuncOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        signature = self.converter.convert_type(op.function_type)
        if signature is None:
            return emit.rewriter.no_match("signature {} cannot be converted", op.function_type)
        arguments, rewriter = self.converter.convert_signature(op.function_type.inputs), emit.rewriter
        rewriter.set_attribute(op, "function_type", TypeAttr(signature))
        if op.body.blocks and arguments is not None:
            rewriter.convert_block(op.body.blocks[0], arguments)
        return None


class TileAACallConversion(TileAAPattern[func.CallOp]):
    """Converts the operands and results of a call."""


class TileAAReturnConversion(TileAAPattern[func.ReturnOp]):
    """Converts the operands of a return."""


STRUCTURE = (BlockTileOpConversion, MakeMemrefOpConversion, GetDimSizeOpConversion)
POINTERS = (BitcastOpConversion, PtrToIntOpConversion, IntToPtrOpConversion)
FUNCTIONS = (TileAAFuncConversion, TileAACallConversion, TileAAReturnConversion)
