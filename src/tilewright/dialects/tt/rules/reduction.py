"""Rules of reductions, scans and maps, and the types of their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.tt import traits as tt_traits, types as tt_types
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation


def reduced(source: Type, attributes: Mapping[str, Attribute]) -> Type:
    """Return the type of a tensor without the dimension ``axis``, and without an encoding; the element type
    if it was the only dimension. An axis out of range leaves the type unchanged. Raises `ValueError` for
    another type, or without an axis.
    """
    axis: Any = attributes.get("axis")
    if not isinstance(source, builtin_types.RankedTensorType) or axis is None:
        raise ValueError("expected a ranked tensor and an axis")
    if not 0 <= axis.value < len(source.shape):
        return source
    shape = (*source.shape[: axis.value], *source.shape[axis.value + 1 :])
    return builtin_types.RankedTensorType(shape, source.element_type) if shape else source.element_type


def check_reduction(op: Operation, axis: int) -> None:
    """Raise `VerifyError` unless a reduction or scan has an operand, as many results as operands, with the
    same element types, and operands of one rank with the dimension `axis`.
    """
    if not op.operands:
        raise VerifyError("must have at least 1 operand")
    if len(op.operands) != len(op.results):
        raise VerifyError("must have the same number of inputs as outputs")
    ranks = [len(getattr(type, "shape", ())) for type in op.operand_types]
    for rank in ranks:
        if not 0 <= axis < rank:
            raise VerifyError(f"axis out of bounds for operand rank {rank}")
        if rank != ranks[0]:
            raise VerifyError(f"all operands must have the same rank, but got ranks {ranks[0]} and {rank}")
    for given, found in zip(op.operand_types, op.result_types, strict=True):
        if tt_types.element_type_of(given) is not tt_types.element_type_of(found):
            raise VerifyError("operand types and result types must agree")


def check_combiner(op: Operation, region: ir_block.Region, returns: type[Operation]) -> None:
    """Raise `VerifyError` unless the first block of `region` takes an element of each operand twice, and ends
    with an operation of the class `returns` that returns an element of each operand.
    """
    elements = [tt_types.element_type_of(type) for type in op.operand_types]
    block = region.blocks[0]
    arguments = [argument.type for argument in block.arguments]
    if len(arguments) != 2 * len(elements):
        raise VerifyError(
            f"nested block must take {2 * len(elements)} arguments, but given block with {len(arguments)} arguments"
        )
    _check_types(arguments, elements * 2)
    last = block.last
    if not isinstance(last, returns):
        raise VerifyError(
            f"combine operation must be terminated with a ReduceReturnOp but got {last.name if last else 'nothing'}"
        )
    if len(last.operands) != len(elements):
        raise VerifyError(
            f"expected combine operation to return {len(elements)} values but got {len(last.operands)}"
        )
    _check_types(last.operand_types, elements)


def _check_types(found: Sequence[Type], wanted: Sequence[Type]) -> None:
    for number, (given, type) in enumerate(zip(found, wanted, strict=True)):
        if given is not type:
            raise VerifyError(
                f"type mismatch on combine operation. Expected argument {number} to have type '{type}' "
                f"but got '{given}'"
            )


def check_map(op: Operation, pack: int) -> None:
    """Raise `VerifyError` unless a map has an operand, and `pack`, the number of elements for one run, is a
    power of two.
    """
    if not op.operands:
        raise VerifyError("MapElementwiseOp must have at least 1 operand")
    if pack <= 0 or pack & (pack - 1):
        raise VerifyError("Pack must be a power of 2")


def check_mapped_region(op: Operation, region: ir_block.Region, pack: int, returns: type[Operation]) -> None:
    """Raise `VerifyError` unless the region takes `pack` elements of each operand of the map, every operation
    of the class `returns` returns `pack` elements of each result, and no operation of Triton in the region
    writes memory.
    """
    arguments = region.blocks[0].arguments
    if len(arguments) != len(op.operands) * pack:
        raise VerifyError("region has wrong number of arguments")
    if [argument.type for argument in arguments] != _elements(op.operand_types, pack):
        raise VerifyError("argument types did not match", prefix=False)
    wanted = _elements(op.result_types, pack)
    for inner in op.walk():
        if isinstance(inner, tt_traits.TritonOp) and inner.writes_memory():
            raise VerifyError("Stores are not supported inside map_elementwise", op=inner)
        if isinstance(inner, returns) and list(inner.operand_types) != wanted:
            raise VerifyError("region return does not match map_elementwise result", prefix=False, op=inner)


def _elements(types: Sequence[Type], pack: int) -> list[Type]:
    return [tt_types.element_type_of(type) for type in types for _ in range(pack)]
