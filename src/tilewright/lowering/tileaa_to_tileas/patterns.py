"""The patterns of the conversion from `nv_tileaa` to `nv_tileas`, beside the bank: structure, pointers, functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tilewright.dialects.arith.ops_conversion import IndexCastOp
from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.func import ops as func
from tilewright.dialects.llvm.ops_conversion import IntToPtrOp as LLVMIntToPtrOp
from tilewright.dialects.llvm.ops_conversion import PtrToIntOp as LLVMPtrToIntOp
from tilewright.dialects.llvm.ops_memory import GEPOp
from tilewright.dialects.llvm.types import LLVMPointerType, is_element_type
from tilewright.dialects.nv_tileaa import ops_pointer as pointer
from tilewright.dialects.nv_tileaa import ops_structure as structure
from tilewright.dialects.nv_tileaa.constraints import bits_of, element_of, is_pointer, is_tile
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.dialects.nv_tileas.ops_arith import BY_MNEMONIC
from tilewright.dialects.nv_tileas.ops_memory import MakeTiledTMADescOp
from tilewright.dialects.nv_tileas.ops_tile import ViewOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import IntegerAttr, TypeAttr
from tilewright.ir.builtin_types import IndexType, IntegerType, i64
from tilewright.ir.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileaa_to_tileas.bridge import known_size
from tilewright.lowering.tileaa_to_tileas.types import TileASTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch

_Op = TypeVar("_Op", bound=Operation)

NEXT_INDEX = -(1 << 31)
"""In the constant positions of an address: the next dynamic one."""


class TileAAPattern(ConversionPattern[_Op]):
    """A pattern with the converter of the conversion; subclasses say what an operation becomes in `converted`."""

    def __init__(self, converter: TileASTypeConverter, **named: Any) -> None:
        super().__init__(converter, **named)
        self.converter = converter

    def match_and_rewrite(self, op: _Op, adaptor: Adaptor, rewriter: ConversionRewriter) -> NoMatch | None:
        types = self.converter.convert_types(op.result_types)
        if types is None:
            return rewriter.no_match("result types {} cannot be converted", op.result_types)
        return self.converted(op, adaptor, types, rewriter)

    def converted(
        self, op: _Op, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        """Replace the operation; by one of its own kind on converted values unless a subclass knows better."""
        make(op, op.kind, adaptor.operands, types, rewriter, dict(op.held_attributes))
        return None


def make(
    op: Operation,
    kind: OperationKind,
    operands: Sequence[Value],
    types: Sequence[Type],
    rewriter: ConversionRewriter,
    attributes: dict[str, Attribute] | None = None,
) -> None:
    """Replace an operation by another."""
    made = Operation.from_parts(kind, operands, types, attributes or {}, location=op.location)
    rewriter.replace(op, rewriter.insert(made))


# --- structure


class BlockTileOpConversion(TileAAPattern[structure.BlockTileOp]):
    """A memory object seen as tiles: a view of it in global memory."""

    def converted(
        self, op: structure.BlockTileOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        attributes = dict(op.held_attributes)
        del attributes["tileSizes"]  # the type of the view has them
        make(op, ViewOp.op_kind, adaptor.operands, types, rewriter, attributes)
        return None


class MakeMemrefOpConversion(TileAAPattern[structure.MakeMemrefOp]):
    """A memory object at a converted pointer."""


class GetDimSizeOpConversion(TileAAPattern[structure.GetDimSizeOp]):
    """An extent that the type of a memory object states, or with which the object was made."""

    def converted(
        self,
        op: structure.GetDimSizeOp,
        adaptor: Adaptor,
        types: Sequence[Type],
        rewriter: ConversionRewriter,
    ) -> NoMatch | None:
        size = known_size(op)
        if size is None:
            return rewriter.no_match("the extent is known to the maker of the memory object only")
        if isinstance(size, int):
            value: dict[str, Attribute] = {"value": IntegerAttr(types[0], size)}
            make(op, ConstantOp.op_kind, (), types, rewriter, value)
        else:
            rewriter.replace(op, rewriter.remapped(size))
        return None


# --- bits and pointers


class BitcastOpConversion(TileAAPattern[pointer.BitcastOp]):
    """Numbers: the cast of `nv_tileas`.  Pointers of LLVM do not say what they point to: the pointer itself."""

    def converted(
        self, op: pointer.BitcastOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        if not is_pointer(element_of(op.source.type)):
            make(op, BY_MNEMONIC["bitcast"].op_kind, adaptor.operands, types, rewriter)
        elif adaptor.operands[0].type is types[0]:
            rewriter.replace(op, adaptor.operands[0])
        else:
            return rewriter.no_match("{} and {} are pointers to different memories", op.source.type, types[0])
        return None


class PtrToIntOpConversion(TileAAPattern[pointer.PtrToIntOp]):
    """The address in a pointer of LLVM."""

    def converted(
        self, op: pointer.PtrToIntOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        if is_tile(op.source.type):
            return rewriter.no_match("tiles of pointers stay as they are")
        make(op, LLVMPtrToIntOp.op_kind, adaptor.operands, types, rewriter)
        return None


class IntToPtrOpConversion(TileAAPattern[pointer.IntToPtrOp]):
    """A pointer of LLVM made of an address."""

    def converted(
        self, op: pointer.IntToPtrOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        if is_tile(op.result.type):
            return rewriter.no_match("tiles of pointers stay as they are")
        make(op, LLVMIntToPtrOp.op_kind, adaptor.operands, types, rewriter)
        return None


class AddPtrOpConversion(TileAAPattern[pointer.AddPtrOp]):
    """A pointer moved by elements: an address computation of LLVM."""

    def converted(
        self, op: pointer.AddPtrOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        source = op.base.type
        if not isinstance(source, PtrType):
            return rewriter.no_match("tiles of pointers stay as they are")
        element = memory_type(source.pointee)
        if element is None:
            return rewriter.no_match("{} has no size in memory", source.pointee)
        offset = as_integer(adaptor.operands[1], op, rewriter)
        address = GEPOp(
            adaptor.operands[0], (NEXT_INDEX,), element, (offset,), result_types=types, location=op.location
        )
        rewriter.replace(op, rewriter.insert(address))
        return None


def memory_type(pointee: Type) -> Type | None:
    """A type of LLVM as large as a pointee: floats that LLVM lacks are integers of whole bytes in memory."""
    if isinstance(pointee, PtrType):
        return LLVMPointerType(pointee.address_space)
    if is_element_type(pointee):
        return pointee
    bits = bits_of(pointee)
    return IntegerType(1 << max(bits - 1, 7).bit_length()) if bits else None


def as_integer(value: Value, op: Operation, rewriter: ConversionRewriter) -> Value:
    """An offset as LLVM wants it."""
    if not isinstance(value.type, IndexType):
        return value
    return rewriter.insert(IndexCastOp(value, result_types=[i64], location=op.location)).out


class AssumeOpConversion(TileAAPattern[pointer.AssumeOp]):
    """A promise about the converted value."""


class SplatOpHostConversion(TileAAPattern[structure.SplatOp]):
    """A tile of a converted scalar."""


class ExtractOpHostConversion(TileAAPattern[structure.ExtractOp]):
    """A converted scalar out of a tile."""


class MakeTiledTMADescOpHostConversion(TileAAPattern[MakeTiledTMADescOp]):
    """A descriptor of a view in TileAS form."""


# --- functions


class FuncOpConversion(TileAAPattern[func.FuncOp]):
    """A function with a converted signature: its type and its entry block change in one step."""

    def converted(
        self, op: func.FuncOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        signature = self.converter.convert_type(op.function_type)
        if signature is None:
            return rewriter.no_match("signature {} cannot be converted", op.function_type)
        arguments = self.converter.convert_signature(op.function_type.inputs)
        rewriter.set_attribute(op, "function_type", TypeAttr(signature))
        if op.body.blocks and arguments is not None:
            rewriter.convert_block(op.body.blocks[0], arguments)
        return None


class CallOpConversion(TileAAPattern[func.CallOp]):
    """A call with converted arguments and results."""


class ReturnOpConversion(TileAAPattern[func.ReturnOp]):
    """The end of a function, with converted results."""


STRUCTURE = (BlockTileOpConversion, MakeMemrefOpConversion, GetDimSizeOpConversion)
POINTERS = (BitcastOpConversion, PtrToIntOpConversion, IntToPtrOpConversion)
FUNCTIONS = (FuncOpConversion, CallOpConversion, ReturnOpConversion)
