"""Checks along control flow: branches to blocks, and edges between regions and the operation around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

PARENT = "parent"


def check_branch(op: Operation, operands: Sequence[Sequence[Value]]) -> None:
    """Raise `VerifyError` unless the operands passed to each successor match the arguments of the block in
    number and type.
    """
    for number, (block, values) in enumerate(zip(op.successors, operands, strict=True)):
        if len(values) != len(block.arguments):
            raise VerifyError(
                f"branch has {len(values)} operands for successor #{number}, "
                f"but target block has {len(block.arguments)}",
                prefix=False,
            )
        for position, (value, argument) in enumerate(zip(values, block.arguments, strict=True)):
            if value.type is not argument.type:
                message = f"type mismatch for bb argument #{position} of successor #{number}"
                raise VerifyError(message, prefix=False)


def region_words(number: int) -> str:
    """Return the name of a region in messages: `Region #0`."""
    return f"Region #{number}"


def check_edge(
    source: Operation | None, target: str, operands: Sequence[Type], inputs: Sequence[Type]
) -> None:
    """Raise `VerifyError` unless the operands passed along an edge have the types of the target's inputs. A
    `source` of None is the operation itself; `target` is the name of the target in messages.
    """
    start = PARENT if source is None else f"Operation {source.name}"
    edge = f"along control flow edge from {start} to {target}: "
    notes = () if source is None else (("region branch point", source.location),)
    if len(operands) != len(inputs):
        raise VerifyError(
            f"{edge}region branch point has {len(operands)} operands, "
            f"but region successor needs {len(inputs)} inputs",
            notes=notes,
        )
    for number, (given, needed) in enumerate(zip(operands, inputs, strict=True)):
        if given is not needed:
            raise VerifyError(
                f"{edge}successor operand type #{number} '{given}' "
                f"should match successor input type #{number} '{needed}'",
                notes=notes,
            )


def terminators(region: Region, op_class: type[Operation]) -> Iterator[Operation]:
    """Yield, in order, the last operation of each block of a region that ends in an operation of the class
    ``op_class``.
    """
    for block in region.blocks:
        if isinstance(block.last, op_class):
            yield block.last


def argument_types(region: Region) -> list[Type]:
    """Return the types of the arguments of a region's entry block; nothing for a region without blocks."""
    return [argument.type for argument in region.blocks[0].arguments] if region.blocks else []
