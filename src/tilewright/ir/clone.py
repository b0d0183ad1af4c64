"""Deep copies of operations."""

from __future__ import annotations

from typing import Any, TypeVar

from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

_Op = TypeVar("_Op", bound=Operation)


def clone(op: _Op, mapping: dict[Value, Value]) -> _Op:
    """Copy an operation with everything in it.

    ``mapping`` maps values of the original to those to use instead and receives the values of the copy.  Values
    defined outside and not in the mapping are used as they are.  No recursion: depth is limited by memory only.
    """
    blocks: dict[Block, Block] = {}
    root: Any = _clone_shallow(op, mapping)
    pending: list[tuple[Operation, Operation]] = [(op, root)]
    copies: list[tuple[Operation, Operation]] = []
    while pending:
        source, copy = pending.pop()
        copies.append((source, copy))
        for old_region, new_region in zip(source.regions, copy.regions, strict=True):
            for old_block in old_region.blocks:
                new_block = _clone_block(old_block, mapping)
                blocks[old_block] = new_block
                new_region.append(new_block)
                for inner in old_block:
                    duplicate = _clone_shallow(inner, mapping)
                    new_block.append(duplicate)
                    if inner.regions:
                        pending.append((inner, duplicate))
                    elif inner.successors:
                        copies.append((inner, duplicate))
    _connect(root, copies, mapping, blocks)
    return root


def _clone_block(block: Block, mapping: dict[Value, Value]) -> Block:
    copy = Block([argument.type for argument in block.arguments], block.argument_locations)
    mapping.update(zip(block.arguments, copy.arguments, strict=True))
    return copy


def _clone_shallow(op: Operation, mapping: dict[Value, Value]) -> Operation:
    operands = [mapping.get(value, value) for value in op.operands]
    types = [result.type for result in op.results]
    regions = [Region() for _ in op.regions]
    copy = Operation.create(op.kind, operands, types, dict(op.attributes), regions, (), op.location)
    for old, new in zip(op.results, copy.results, strict=True):
        mapping[old] = new
    return copy


def _connect(
    root: Operation,
    copies: list[tuple[Operation, Operation]],
    mapping: dict[Value, Value],
    blocks: dict[Block, Block],
) -> None:
    """Second pass: successors, and operands that were used before their definition was copied."""
    for source, copy in copies:
        if source.successors:
            copy.set_successors([blocks.get(block, block) for block in source.successors])
    for op in root.walk():
        if any(value in mapping for value in op.operands):
            op.set_operands([mapping.get(value, value) for value in op.operands])
