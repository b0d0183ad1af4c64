"""Deep copies of operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tilewright.ir.block import Block, Region
from tilewright.ir.collection import paused_collection
from tilewright.ir.operation import Operation, initialise
from tilewright.ir.value import Value

_Op = TypeVar("_Op", bound=Operation)


def clone(op: _Op, mapping: dict[Value, Value]) -> _Op:
    """Copy an operation with everything in it.

    ``mapping`` maps values of the original to those to use instead and receives the values of the copy.  Values
    defined outside and not in the mapping are used as they are.  No recursion: depth is limited by memory only.
    """
    if not op.regions:
        return _Cloning(mapping).run(op)
    with paused_collection():
        return _Cloning(mapping).run(op)


class _Cloning:
    """One deep copy."""

    def __init__(self, mapping: dict[Value, Value]) -> None:
        self.mapping = mapping
        self.blocks: dict[Block, Block] = {}
        self.late: list[tuple[Operation, Operation, list[int]]] = []
        """Copies with operands (by position) that had no copy yet; they may be defined further on."""
        self.branches: list[tuple[Operation, Operation]] = []

    def run(self, op: Any) -> Any:
        root = self._shallow(op)
        pending: list[tuple[Operation, Operation]] = [(op, root)] if op.regions else []
        while pending:
            source, copy = pending.pop()
            for old_region, new_region in zip(source.regions, copy.regions, strict=True):
                for old_block in old_region.blocks:
                    self._block(old_block, new_region.append(self._empty(old_block)), pending)
        self._connect()
        return root

    def _empty(self, block: Block) -> Block:
        copy = Block([argument.type for argument in block.arguments], block.argument_locations)
        self.mapping.update(zip(block.arguments, copy.arguments, strict=True))
        self.blocks[block] = copy
        return copy

    def _block(self, source: Block, copy: Block, pending: list[tuple[Operation, Operation]]) -> None:
        append, shallow = copy.append, self._shallow
        op = source.first
        while op is not None:
            duplicate = shallow(op)
            append(duplicate)
            if op.regions:
                pending.append((op, duplicate))
            op = op.next

    def _shallow(self, op: Operation) -> Operation:
        mapping, results, kind = self.mapping, op.results, op.kind
        try:
            operands: Sequence[Value] = tuple(map(mapping.__getitem__, op.operands))
        except KeyError:
            operands, missing = self._incomplete(op)
        else:
            missing = None
        regions = [Region() for _ in op.regions] if op.regions else ()
        types = [result.type for result in results] if len(results) != 1 else (results[0].type,)
        copy = object.__new__(kind.op_class)
        initialise(copy, kind, operands, types, op.attributes.copy(), regions, (), op.lazy_location)
        if len(results) == 1:
            mapping[results[0]] = copy.results[0]
        else:
            mapping.update(zip(results, copy.results, strict=True))
        if missing:
            self.late.append((op, copy, missing))
        if op.successors:
            self.branches.append((op, copy))
        return copy

    def _incomplete(self, op: Operation) -> tuple[list[Value], list[int]]:
        """Operands of a copy some of which have no copy (yet), and the positions of these."""
        found = [self.mapping.get(value) for value in op.operands]
        operands = [new or old for new, old in zip(found, op.operands, strict=True)]
        return operands, [position for position, new in enumerate(found) if new is None]

    def _connect(self) -> None:
        """Second pass: successors, and operands that were used before their definition was copied."""
        mapping, blocks = self.mapping, self.blocks
        for source, copy in self.branches:
            copy.set_successors([blocks.get(block, block) for block in source.successors])
        for source, copy, positions in self.late:
            if any(source.operands[at] in mapping for at in positions):
                operands = list(copy.operands)
                for at in positions:
                    operands[at] = mapping.get(source.operands[at], operands[at])
                copy.set_operands(operands)
