"""Grid coordinates, tokens, the order of grids, assumptions, and tiles made from scalars and coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.gpu.ops_index import BlockIdOp, GridDimOp
from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp, PoisonOp
from tilewright.dialects.llvm.ops.symbol import GlobalOp
from tilewright.dialects.nv_tileaa.ops import memory as tileaa_memory, structure as tileaa_structure
from tilewright.dialects.nv_tileaa.ops.pointer import AssumeOp
from tilewright.dialects.nv_tileaa.ops.program import GetNumProgramsOp, GetProgramIdOp
from tilewright.dialects.nv_tileas.ops_tile import GenerateOp
from tilewright.dialects.nvvm.enums.barriers import GridDepActionKind, ProxyKind
from tilewright.dialects.nvvm.ops.barrier import FenceProxyOp, GriddepcontrolOp
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from tilewright.ir.construction.clone import clone_all
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.address_spaces import LlvmAddressSpace
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.distribution import coordinates_of
from tilewright.lowering.upstream_to_llvm.patterns import add_symbol, enclosing_table, free_name
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import element_of, is_tile, shape_of
from tilewright.targets.elements.lanes import constant_value, in_memory, in_program_memory
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type, stored_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern, distribution

GLOBAL = LlvmAddressSpace.GLOBAL.value
ALIGNMENT = 16
"""The alignment in bytes of memory with an initial value."""
TOKEN = 0
"""The value of a token: accesses are in code order, so a token has no contents."""


class ProgramId(ThreadPattern[GetProgramIdOp]):
    """Lowers the index of the tile block along a dimension to the index of the thread block in the grid."""

    def lower(self, op: GetProgramIdOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [[code.number(BlockIdOp, op.axis)]]


class NumberOfPrograms(ThreadPattern[GetNumProgramsOp]):
    """Lower the number of tile blocks along a dimension to the extent of the grid in thread blocks."""

    def lower(self, op: GetNumProgramsOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [[code.number(GridDimOp, op.axis)]]


class TokenLowering(ThreadPattern[Operation]):
    """Lower token operations to a constant: accesses that wait for others follow a barrier (`accesses`)."""

    def lower(self, op: Operation, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [[code.integer(TOKEN, builtin_types.i32)]]


ORDERINGS: Mapping[type[Operation], tuple[type[Operation], GridDepActionKind | ProxyKind]] = {
    tileaa_memory.WaitForGridOp: (GriddepcontrolOp, GridDepActionKind.WAIT),
    tileaa_memory.LaunchDependentsOp: (GriddepcontrolOp, GridDepActionKind.LAUNCH_DEPENDENTS),
    tileaa_memory.FenceAliasOp: (FenceProxyOp, ProxyKind.ALIAS),
}
"""The operations that order grids or mappings of memory, each with its operation of `nvvm`."""


class InstructionLowering(ThreadPattern[Operation]):
    """Lowers the operations in `ORDERINGS`, which order grids or mappings of memory, to one instruction in
    each thread.

    A barrier follows each access that the instruction waits for (`accesses.finish_access`), so each thread
    orders the accesses of all threads. After the instruction, threads continue independently.
    """

    def lower(self, op: Operation, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        instruction, kind = ORDERINGS[op.__class__]
        code.effect(instruction, kind)
        return [[code.integer(TOKEN, builtin_types.i32)]]


class Assume(ThreadPattern[AssumeOp]):
    """Forward the operand: earlier passes have used the assumption."""

    def lower(self, op: AssumeOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [at.source]


class Splat(ThreadPattern[tileaa_structure.SplatOp]):
    """Lowers a splat: its source, or its constant value, is used for every register."""

    def lower(self, op: tileaa_structure.SplatOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        element = element_of(op.result.type)
        if op.source is None:
            assert op.value is not None, "a splat has a source or a value"
            value = constant_value(code, op.value, element)
        else:
            (source,) = at.source
            value = code.in_form(source, held_type(element))
        return [[value] * len(distribution(op.result.type).offsets)]


class RangeLowering(ThreadPattern[tileaa_structure.MakeRangeOp]):
    """Lowers a range: each register is the first number plus the number of its element."""

    def lower(self, op: tileaa_structure.MakeRangeOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        (lower,) = at.lower
        held = distribution(op.result.type)
        first = code.in_form(code.offset(held.threads, code.thread()), held_type(element_of(op.result.type)))
        begin = code.sum(lower, first)
        return [[code.plus(begin, offset) for offset in held.offsets]]


class ConstantTile(ThreadPattern[tileaa_structure.ConstantTensorOp]):
    """Lowers a constant tile. A splat becomes one constant for all registers; other elements become a new
    global constant of the module, from which each thread reads its own elements.
    """

    def lower(
        self, op: tileaa_structure.ConstantTensorOp, at: Adaptor, code: PatternCode
    ) -> Sequence[Registers]:
        return [constant_elements(code, op, op.value)]


class FoldedTile(ThreadPattern[ConstantOp]):
    """Lower a constant tile that folding created: a splat to one constant, other elements to loads from a new
    global constant of the module. Scalar constants do not match.
    """

    def lower(self, op: ConstantOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if not isinstance(op.value, DenseElementsAttr) or not is_tile(op.result.type):
            return NoMatch("the constant is not a tile")
        return [constant_elements(code, op, op.value)]


def constant_elements(code: PatternCode, op: Operation, contents: DenseElementsAttr) -> Registers:
    """Return the elements of a constant tile, the only result of `op`, that this thread holds. A splat is one
    constant; other elements are read from a new global constant of the module.
    """
    (result,) = op.results
    element, held = element_of(result.type), distribution(result.type)
    if contents.is_splat:
        make = FloatAttr if isinstance(element, builtin_types.FloatType) else IntegerAttr
        value = constant_value(code, make(element, contents.patterns()[0]), element)
        return [value] * len(held.offsets)
    table = enclosing_table(op)
    name = free_name(table, "tile_constant")
    add_symbol(code.rewriter, table, lambda: memory_of(name, in_memory(contents), constant=True))
    base = code(AddressOfOp, name, type=llvm_types.LLVMPointerType(GLOBAL))
    first = code.offset(held.threads, code.thread())
    place = code.pointer(base, code.index(first), stored_type(element))
    return [code.read(code.pointer(place, offset, stored_type(element)), element) for offset in held.offsets]


def memory_of(name: str, contents: DenseElementsAttr, alignment: int = 0, *, constant: bool) -> GlobalOp:
    """Return an internal variable in global memory called `name` with the elements `contents`, in their
    memory types; it is read-only if `constant`. `alignment` is its minimum alignment in bytes, if that
    exceeds `ALIGNMENT`.
    """
    return GlobalOp(
        llvm_types.LLVMArrayType(contents.element_type, contents.count),
        name,
        llvm_enums.Linkage.INTERNAL,
        constant=constant,
        value=contents,
        addr_space=GLOBAL,
        alignment=max(ALIGNMENT, alignment),
        initializer=ir_block.Region(),
    )


class GlobalLowering(ThreadPattern[tileaa_structure.GlobalOp]):
    """Lower a global of the module to a global variable in global memory."""

    def lower(self, op: tileaa_structure.GlobalOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        contents = in_program_memory(op.value)
        code.rewriter.insert(memory_of(op.sym_name, contents, op.alignment or 0, constant=op.constant))
        return []


class GetGlobal(ThreadPattern[tileaa_structure.GetGlobalOp]):
    """Lower the address of a global."""

    def lower(self, op: tileaa_structure.GetGlobalOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return [[code(AddressOfOp, op.global_name, type=llvm_types.LLVMPointerType(GLOBAL))]]


class Generate(ThreadPattern[GenerateOp]):
    """Inline the body for each register, with the coordinates of its element. `wanted` has the indices of the
    used registers for some operations; their other registers are undefined. For operations that `wanted`
    lacks all registers are computed.
    """

    def __init__(self, converter: LLVMTypeConverter, wanted: Mapping[Operation, AbstractSet[int]]) -> None:
        super().__init__(converter)
        self.wanted = wanted

    def lower(self, op: GenerateOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        held, wanted = distribution(op.results[0].type), self.wanted.get(op)
        shape = shape_of(op.results[0].type)
        first = places_in(code, shape, code.offset(held.threads, code.thread()))
        types = [held_type(element_of(type)) for type in op.result_types]
        made: list[Sequence[Value]] = []
        for number, offset in enumerate(held.offsets):
            if wanted is not None and number not in wanted:
                made.append([code(PoisonOp, type=type) for type in types])
                continue
            known = coordinates_of(offset, shape)
            places = [code.index(code.plus(value, step)) for value, step in zip(first, known, strict=True)]
            given = [cast_to_type(code, place, builtin_types.index) for place in places]
            given += [
                as_scalar(code, self.converter, values[number], element_of(value.type))
                for value, values in zip(op.inputs, at.inputs, strict=True)
            ]
            found = inlined(code, op.body.blocks[0], given)
            made.append([to_register_type(code, self.converter, value) for value in found])
        return list(zip(*made, strict=True))


def places_in(code: PatternCode, shape: Sequence[int], number: Value) -> list[Value]:
    """Emit and return the coordinates of element `number` of a tile of shape `shape`, in row-major order;
    extents are powers of two.
    """
    found: list[Value] = []
    shift = 0
    for extent in reversed(shape):
        found.append(code.bit_field(number, shift, extent))
        shift += extent.bit_length() - 1
    return found[::-1]


def cast_to_type(code: PatternCode, value: Value, type: Any) -> Value:
    """Return `value` cast back to the type `type` that it had before its conversion, for operations that are
    still to be converted.
    """
    return value if value.type is type else code(UnrealizedConversionCastOp, (value,), type=type)


def as_scalar(code: PatternCode, converter: LLVMTypeConverter, held: Value, type: Type) -> Value:
    """Return an element in its register type as a scalar, for operations that are still to be converted."""
    return cast_to_type(code, code.in_form(held, _form(converter, type)), type)


def to_register_type(code: PatternCode, converter: LLVMTypeConverter, value: Value) -> Value:
    """Return a scalar of an operation that is still to be converted, in the register type of tile elements."""
    return code.in_form(cast_to_type(code, value, _form(converter, value.type)), held_type(value.type))


def _form(converter: LLVMTypeConverter, type: Type) -> Type:
    form = converter.convert_type(type)
    assert form is not None, "scalars have a form"
    return form


def no_marks(op: Operation) -> Mapping[str, Attribute]:
    """Return no further attributes for the copy of an operation."""
    return {}


def inlined(
    code: PatternCode,
    block: ir_block.Block,
    given: Sequence[Value],
    marks: Callable[[Operation], Mapping[str, Attribute]] = no_marks,
) -> Sequence[Value]:
    """Copy the operations of `block`, except its terminator, to the insertion point, with `given` in place of
    the arguments of the block, and return the values that the terminator yields. `marks` returns further
    attributes for the copy of an operation.
    """
    held: dict[Value, Value] = dict(zip(block.arguments, given, strict=True))
    *body, end = block.ops
    for op, copy in zip(body, clone_all(body, held), strict=True):
        further = marks(op)
        if further:  # otherwise attributes stay shared
            copy.attributes.update(further)
        code.rewriter.insert(copy)
    return [held.get(value, value) for value in end.operands]


PATTERNS = (
    GlobalLowering,
    GetGlobal,
    ProgramId,
    NumberOfPrograms,
    Assume,
    Splat,
    RangeLowering,
    ConstantTile,
    FoldedTile,
)
TOKENS: Mapping[type[Operation], str] = {
    tileaa_memory.CreateMemTokenOp: "create",
    tileaa_memory.JoinMemTokenOp: "join",
}


def populate_program(
    patterns: RewritePatternSet,
    converter: LLVMTypeConverter,
    wanted: Mapping[Operation, AbstractSet[int]],
) -> None:
    """Add the patterns of this file. ``wanted`` has, for each `generate` with unused registers, the indices
    of the used ones.
    """
    patterns.add(*(pattern(converter) for pattern in PATTERNS), Generate(converter, wanted))
    patterns.add(
        *(TokenLowering(converter, root=root, debug_name=f"{word} a token") for root, word in TOKENS.items())
    )
    patterns.add(
        *(
            InstructionLowering(converter, root=root, debug_name=f"{root.op_kind.name} as one")
            for root in ORDERINGS
        )
    )
