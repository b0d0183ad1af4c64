"""Rules of `reduce` and `scan`."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr, StringAttr
from tilewright.ir.declaration.traits import NoMemoryEffect, Pure, RecursiveMemoryEffects, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

HALVES = {builtin_types.f16, builtin_types.bf16}
"""The 16-bit float types. The identity of a reduction or scan over one of them may have the other type."""


def check_aggregate(op: Operation, dim: int, identities: Sequence[Attribute]) -> None:
    """Raise `VerifyError` unless there is one result and one identity per operand, and ``dim`` is less than
    the rank of the operands. An identity must be a number with the element type of its operand; f16 and bf16
    may stand for each other.
    """
    operands = op.operands
    if len(operands) != len(op.results):
        raise VerifyError("expect same number of operands and results")
    if len(operands) != len(identities):
        raise VerifyError(
            f"expect identities to match the number of operands but got: {len(operands)} operands and "
            f"{len(identities)} identities"
        )
    for position, (operand, identity) in enumerate(zip(operands, identities, strict=True)):
        _check_identity(position, tile_of(operand).element_type, identity)
    rank = len(tile_of(operands[0]).shape)
    if dim >= rank:
        raise VerifyError(f"dimension ({dim}) is out of bound [0, {rank})")


def _check_identity(position: int, element: Type, identity: Attribute) -> None:
    if not isinstance(identity, IntegerAttr | FloatAttr | StringAttr):
        raise VerifyError(f"expect identity at index: {position} to be a number but got: {identity}")
    given = identity.type or builtin_types.none
    if element is not given and not {element, given} <= HALVES:
        raise VerifyError(
            f"expect same type for operand at index: {position} and identity at index: {position} but got: "
            f"'{element}' and '{given}'"
        )


def check_scan_results(op: Operation) -> None:
    """Raise `VerifyError` unless every result has the type of its operand."""
    for position, (operand, result) in enumerate(zip(op.operands, op.results, strict=True)):
        if operand.type is not result.type:
            raise VerifyError(
                f"expect same type for operand at index: {position} and result at index: {position}"
            )


def reduced_types(operands: Sequence[Value], dim: Attribute) -> list[Type]:
    """Return the result types of `reduce`: the operand types without dimension ``dim``."""
    assert isinstance(dim, IntegerAttr)
    types: list[Type] = []
    for operand in operands:
        tile = tile_of(operand)
        shape = tuple(extent for at, extent in enumerate(tile.shape) if at != dim.value)
        types.append(TileType(shape, tile.element_type))
    return types


def check_fold_body(op: Operation, block: ir_block.Block) -> None:
    """Raise `VerifyError` unless ``block`` takes two scalars of each operand's element type, ends in one such
    scalar per operand, and has no operation with memory effects.
    """
    elements = [tile_of(operand).element_type for operand in op.operands]
    _check_arguments(block, elements)
    yielded = block.last.operands if block.last is not None else ()
    if len(yielded) != len(elements):
        raise VerifyError(
            f"expect number of terminators operands ({len(yielded)}) to match number of operands "
            f"({len(elements)})"
        )
    for position, (element, value) in enumerate(zip(elements, yielded, strict=True)):
        _check_element(position, element, "terminator", position, value.type)
    for inner in block:
        if inner is not block.last and not is_memory_effect_free(inner):
            message = f"only memory-effect-free operations are allowed inside '{op.name}'"
            raise VerifyError(message, op=inner)


def _check_arguments(block: ir_block.Block, elements: Sequence[Type]) -> None:
    types = [argument.type for argument in block.arguments]
    if len(types) != 2 * len(elements):
        raise VerifyError(f"expect {2 * len(elements)} block arguments but got: {len(types)}")
    tiles: list[TileType] = []
    for position, type in enumerate(types):
        if not isinstance(type, TileType) or type.shape:
            raise VerifyError(f"expect 0-rank tile type at index: {position} but got: '{type}'")
        tiles.append(type)
    for at in range(0, len(tiles), 2):
        if tiles[at] is not tiles[at + 1]:
            raise VerifyError(
                f"expect same element type for block argument at index: {at} and {at + 1} but got: "
                f"'{tiles[at].element_type}' and '{tiles[at + 1].element_type}'"
            )
    for position, element in enumerate(elements):
        _check_element(position, element, "block", 2 * position, tiles[2 * position])


def _check_element(position: int, element: Type, word: str, at: int, type: Type) -> None:
    if not isinstance(type, TileType):
        raise VerifyError(f"expected TileType for operand and {word} types but got: '{element}' and '{type}'")
    if type.element_type is not element:
        raise VerifyError(
            f"expect same type for operand at index: {position} and {word} argument at index: {at} but got: "
            f"'{element}' and '{type.element_type}'"
        )


def is_memory_effect_free(op: Operation) -> bool:
    """Return whether neither `op` nor an operation in its regions has memory effects, input and output
    included. An operation that declares nothing about its effects counts as one that has them.
    """
    pending = [op]
    while pending:
        inner = pending.pop()
        if inner.has_trait(RecursiveMemoryEffects):
            pending.extend(child for region in inner.regions for block in region.blocks for child in block)
        elif not (inner.has_trait(Pure) or inner.has_trait(NoMemoryEffect)):
            return False
    return True
