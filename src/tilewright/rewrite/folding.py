"""Folding: asking operations what their results are already, and making constants of the answers.

Constants of one value, type and dialect are made once for a region that constants may not leave, at its start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.traits import ConstantLike, IsolatedFromAbove
from tilewright.ir.value import OpResult, Value
from tilewright.rewrite.rewriter import Rewriter

ConstantKey = tuple[str, Attribute, Type]
"""The dialect that asked for a constant (it decides which operation that is), the value, the type."""


def constant_value(value: Value) -> Attribute | None:
    """The attribute of a value that a constant operation defines, or None."""
    if type(value) is OpResult:
        op = value.owner
        if ConstantLike in op.kind.trait_classes:
            return op.held_attributes.get("value")
    return None


def fold_results(op: Operation) -> Sequence[Value | Attribute] | None:
    """What the results of an operation are already, one entry each; None if it does not say."""
    fold = op.fold
    if fold is None:
        return None
    folded = fold([constant_value(operand) for operand in op.operands])
    if folded is None:
        return None
    return (folded,) if isinstance(folded, Value | Attribute) else folded


class OperationFolder:
    """Folds operations and keeps the constants that come of it, one of each in a region."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.owners: dict[Operation, list[tuple[Region, ConstantKey]]] = {}
        """The constants that are kept, and where and as what."""
        self._constants: dict[Region, dict[ConstantKey, Value]] = {}
        self._hooks: dict[str, Any] = {}

    def try_fold(self, op: Operation, rewriter: Rewriter) -> bool:
        """Replace an operation by what it folds to; whether that was possible."""
        folded = fold_results(op)
        if folded is None:
            return False
        values: list[Value] = []
        for entry, result in zip(folded, op.results, strict=True):
            value = entry if isinstance(entry, Value) else self.constant(entry, result.type, op, rewriter)
            if value is None:
                return False
            values.append(value)
        rewriter.replace(op, values)
        return True

    def constant(self, value: Attribute, type: Type, user: Operation, rewriter: Rewriter) -> Value | None:
        """A constant that ``user`` can use, an old one or a new one; None if no dialect can make it."""
        block = user.parent
        if block is None or block.parent is None:
            return None
        region = constant_region(block)
        known = self._constants.setdefault(region, {})
        key = user.kind.dialect, value, type
        found = known.get(key)
        if found is not None:
            return found
        made = self._materialise(value, type, user)
        if made is None:
            return None
        own = made.kind.dialect, value, type
        found = known.get(own)
        if found is None:
            found = made.results[0]
            region.blocks[0].prepend(made)
            rewriter.inserted(made)
            self._remember(found, region, own)
        if own[0] != key[0]:
            self._remember(found, region, key)
        return found

    def _materialise(self, value: Attribute, type: Type, user: Operation) -> Operation | None:
        name = user.kind.dialect
        if name not in self._hooks:
            dialect = self.context.dialect(name)
            self._hooks[name] = dialect.materialize_constant if dialect is not None else None
        hook = self._hooks[name]
        return hook(value, type, user.lazy_location) if hook is not None else None

    def _remember(self, value: Value, region: Region, key: ConstantKey) -> None:
        self._constants[region][key] = value
        owned = self.owners.get(value.owner)
        if owned is None:
            self.owners[value.owner] = [(region, key)]
        elif (region, key) not in owned:
            owned.append((region, key))

    def take_known(self, op: Operation, rewriter: Rewriter) -> bool:
        """Enter a constant that was there before, or replace it by an equal one; whether it was replaced."""
        block, value = op.parent, op.held_attributes.get("value")
        if (
            value is None
            or block is None
            or block.parent is None
            or len(op.results) != 1
            or op in self.owners
        ):
            return False
        region = constant_region(block)
        key = op.kind.dialect, value, op.results[0].type
        known = self._constants.setdefault(region, {})
        same = known.get(key)
        if same is None:
            self._hoist(op, region.blocks[0])
            known[key] = op.results[0]
            self.owners[op] = [(region, key)]
        elif same.owner.kind is op.kind:
            rewriter.replace(op, same)
            return True
        return False

    def _hoist(self, op: Operation, entry: Block) -> None:
        """Move a constant to the start of a region unless it stands there among others already."""
        first = entry.first
        at_start = op.parent is entry and (first is op or op.previous in self.owners)
        if not at_start and first is not None:
            op.move_before(first)

    def forget(self, op: Operation) -> None:
        """An operation is about to be erased."""
        for region, key in self.owners.pop(op, ()):
            self._constants[region].pop(key, None)


def constant_region(block: Block) -> Region:
    """The outermost region around a block that is still inside the nearest isolated operation."""
    region = block.parent
    assert region is not None
    while True:
        owner = region.parent
        if owner is None or owner.parent is None or owner.parent.parent is None:
            return region
        if IsolatedFromAbove in owner.kind.trait_classes or not owner.kind.is_registered:
            return region
        region = owner.parent.parent
