"""Structural equality of operations: the same program, whatever objects it is made of.

Two operations are equal when kinds, attributes, types, regions and blocks agree and every use refers to the
corresponding definition.  Values and blocks from outside the compared operations correspond to themselves.
Nesting depth is limited by memory only.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.discardable import properties_of
from tilewright.ir.declaration.traits import symbol_name
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def structurally_equal(a: Operation, b: Operation, *, locations: bool = False) -> bool:
    """Return whether two operations are the same program: kinds, attributes, types, regions and blocks agree,
    and each use refers to the corresponding definition. Source locations are compared only if ``locations``
    is set.
    """
    return difference(a, b, locations=locations) is None


def difference(a: Operation, b: Operation, *, locations: bool = False) -> str | None:
    """Return the first difference as text, with the path of the operation in ``a``; None if the operations
    are equal. Source locations are compared only if ``locations`` is set.
    """
    return _Comparison(locations).run(a, b)


def operation_path(op: Operation, root: Operation | None = None) -> str:
    """Return the path from ``root`` (default: the outermost operation) to an operation, such as
    ``builtin.module > [0] func.func @f > [2] arith.addi``. The numbers in brackets are the positions of
    region and block, if there are several, and of the operation.
    """
    steps: list[str] = []
    current: Operation | None = op
    while current is not None:
        steps.append(_step(current, current is root))
        current = None if current is root else current.parent_op
    return " > ".join(reversed(steps))


def _step(op: Operation, is_root: bool) -> str:
    symbol = symbol_name(op)
    label = op.name if symbol is None else f"{op.name} @{symbol}"
    block, parent = op.parent, op.parent_op
    if is_root or block is None or block.parent is None or parent is None:
        return label
    place = [next(number for number, inner in enumerate(block) if inner is op)]
    if len(block.parent.blocks) > 1:
        place.insert(0, block.parent.blocks.index(block))
    if len(parent.regions) > 1:
        place.insert(0, parent.regions.index(block.parent))
    return f"[{'.'.join(map(str, place))}] {label}"


class _Comparison:
    """Compares two operations: pairs up definitions on a first walk, then compares the uses, as a use may
    stand before its definition. With `locations`, locations are compared, too.
    """

    def __init__(self, locations: bool) -> None:
        self.locations = locations
        self.root: Operation | None = None
        self.values: dict[Value, Value] = {}
        self.blocks: dict[Block, Block] = {}
        self.pairs: list[tuple[Operation, Operation]] = []

    def run(self, a: Operation, b: Operation) -> str | None:
        self.root = a
        pending = [(a, b)]
        while pending:
            first, second = pending.pop()
            self.pairs.append((first, second))
            found = self._headers(first, second) or self._enter(first, second, pending)
            if found:
                return self._located(first, found)
        for first, second in self.pairs:
            if found := self._uses(first, second):
                return self._located(first, found)
        return None

    def _located(self, op: Operation, found: str) -> str:
        return f"at {operation_path(op, self.root)}: {found}"

    def _headers(self, a: Operation, b: Operation) -> str | None:
        if a.kind is not b.kind and (a.kind.is_registered or b.kind.is_registered or a.name != b.name):
            return f"operation '{a.name}' against '{b.name}'"
        ours, theirs = properties_of(a.kind), properties_of(b.kind)
        if ours != theirs:
            return f"properties {sorted(ours)} against {sorted(theirs)}"
        if found := _sequences("result type", a.result_types, b.result_types):
            return found
        if len(a.operands) != len(b.operands):
            return f"{len(a.operands)} operands against {len(b.operands)}"
        if len(a.successors) != len(b.successors):
            return f"{len(a.successors)} successors against {len(b.successors)}"
        if self.locations and a.location is not b.location:
            return f"location {a.location} against {b.location}"
        self.values.update(zip(a.results, b.results, strict=True))
        return _attributes(a, b)

    def _enter(self, a: Operation, b: Operation, pending: list[tuple[Operation, Operation]]) -> str | None:
        if len(a.regions) != len(b.regions):
            return f"{len(a.regions)} regions against {len(b.regions)}"
        nested: list[tuple[Operation, Operation]] = []
        for number, regions in enumerate(zip(a.regions, b.regions, strict=True)):
            if found := self._regions(*regions, nested):
                return f"region #{number}: {found}"
        pending.extend(reversed(nested))
        return None

    def _regions(self, a: Region, b: Region, nested: list[tuple[Operation, Operation]]) -> str | None:
        if len(a.blocks) != len(b.blocks):
            return f"{len(a.blocks)} blocks against {len(b.blocks)}"
        for number, blocks in enumerate(zip(a.blocks, b.blocks, strict=True)):
            if found := self._blocks(*blocks, nested):
                return f"block #{number}: {found}"
        return None

    def _blocks(self, a: Block, b: Block, nested: list[tuple[Operation, Operation]]) -> str | None:
        found = _sequences("argument type", [v.type for v in a.arguments], [v.type for v in b.arguments])
        if found is None and self.locations:
            places = [[block.argument_location(v.index) for v in block.arguments] for block in (a, b)]
            found = _sequences("argument location", *places)
        if found:
            return found
        self.blocks[a] = b
        self.values.update(zip(a.arguments, b.arguments, strict=True))
        first, second = a.ops, b.ops
        if len(first) != len(second):
            return _counts(first, second)
        nested.extend(zip(first, second, strict=True))
        return None

    def _uses(self, a: Operation, b: Operation) -> str | None:
        for number, (value, other) in enumerate(zip(a.operands, b.operands, strict=True)):
            if self.values.get(value, value) is not other:
                return f"operand #{number} is another value"
        for number, (block, other) in enumerate(zip(a.successors, b.successors, strict=True)):
            if self.blocks.get(block, block) is not other:
                return f"successor #{number} is another block"
        return None


def _counts(a: Sequence[Operation], b: Sequence[Operation]) -> str:
    """Return a phrase for blocks of different length, which names the first operation without a counterpart."""
    names = [op.name for op in a], [op.name for op in b]
    matching = zip(*names, strict=False)
    position = next((n for n, (x, y) in enumerate(matching) if x != y), min(map(len, names)))
    first, second = (f"'{list_[position]}'" if position < len(list_) else "nothing" for list_ in names)
    return f"{len(a)} operations against {len(b)}; the first that differs is #{position}: {first} against {second}"


def _sequences(word: str, a: Sequence[object], b: Sequence[object]) -> str | None:
    if len(a) != len(b):
        return f"{len(a)} {word}s against {len(b)}"
    for number, (x, y) in enumerate(zip(a, b, strict=True)):
        if x is not y:
            return f"{word} #{number} is {x} against {y}"
    return None


def _attributes(a: Operation, b: Operation) -> str | None:
    for name in sorted(a.held_attributes.keys() | b.held_attributes.keys()):
        first, second = a.held_attributes.get(name), b.held_attributes.get(name)
        if first is not second:
            words = ["nothing" if value is None else str(value) for value in (first, second)]
            return f"attribute '{name}' is {words[0]} against {words[1]}"
    return None
