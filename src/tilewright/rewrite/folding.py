"""Folding: replaces results of operations by existing values, or by constants made from attributes.

Constants of one value, type and dialect are made once for a region that constants may not leave, at its
start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.context import Context
from tilewright.ir.declaration.traits import ConstantLike, IsolatedFromAbove
from tilewright.ir.diagnostic import failure
from tilewright.ir.dialect import Fold, OperandFold
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import Value
from tilewright.rewrite import codes
from tilewright.rewrite.pattern import Definers
from tilewright.rewrite.rewriter import Rewriter

ConstantKey = tuple[Region, str, Attribute, Type]
"""The key of a constant: the region that holds it, the dialect whose constant operation it is, its value and
its type.
"""

MAXIMUM_PLANS = 1 << 8
"""The maximum number of combinations of operand definers remembered for each kind of operation."""


ConstantHook = Callable[[Attribute, Type, Any], Operation | None]


def constant_hook(context: Context, folded: Operation, dialect: str = "") -> ConstantHook:
    """Return the function that makes constants of the results of an operation's fold: `materialize_constant`
    of its dialect, or of ``dialect``. Raises `DiagnosticError` if the dialect has none: its folds could never
    be applied.
    """
    name = dialect or folded.kind.dialect
    found = context.dialect(name)
    if found is None or found.materialize_constant is None:
        message = f"'{folded.name}' folds to a constant that dialect '{name}' cannot make: it has no 'materialize_constant'"
        hint = f"give Dialect('{name}') the hook: materialize_constant(value, type, location) -> operation or None"
        raise failure(codes.NO_CONSTANTS, message, folded.location, hint=hint)
    return found.materialize_constant


class FoldPlan(NamedTuple):
    """How to call the fold rule ``rule`` for operations of one kind whose operands are defined by operations
    of certain kinds; ``constant_at`` has the indices of the operands that are constants.
    """

    rule: Fold
    constant_at: tuple[int, ...]
    """The indices of the operands that are constants."""
    unknown: tuple[None, ...]
    """The argument ``constants`` of the rule if no operand is a constant: None for each operand."""


def fold_plan(rule: Fold | None, definers: Definers) -> FoldPlan | None:
    """Return how to call a rule for operands defined by `definers`; None if the rule does not apply to them."""
    if rule is None:
        return None
    constant_at = tuple(
        [at for at, kind in enumerate(definers) if kind is not None and ConstantLike in kind.trait_classes]
    )
    if isinstance(rule, OperandFold):
        if not constant_at and not _has_definer(definers, rule.definers):
            return None
        rule = rule.rule
    return FoldPlan(rule, constant_at, (None,) * len(definers))


def _has_definer(definers: Definers, wanted: tuple[type[Operation], ...]) -> bool:
    return any(kind is not None and issubclass(kind.op_class, wanted) for kind in definers)


def definers_of(op: Operation) -> Definers:
    """Return, for each operand of ``op``, the kind of the operation that defines it; None for a block
    argument.
    """
    operands = op.operands
    if len(operands) == 2:  # most often
        a, b = operands
        return (a.owner.kind, b.owner.kind)
    return tuple([value.owner.kind for value in operands])


def fold(op: Operation, plan: FoldPlan) -> FoldResult:
    """Call the fold rule of ``op`` as ``plan`` says, with the attributes of constant operands, and return its
    result, which is None if the operation does not fold.
    """
    rule, constant_at, unknown = plan
    if not constant_at:
        return rule(op, unknown)
    operands = op.operands
    constants: list[Attribute | None] = [*unknown]
    for at in constant_at:
        constants[at] = operands[at].owner.held_attributes.get("value")
    return rule(op, constants)


class FoldPlans(dict[Definers, "FoldPlan | None"]):
    """The plans to fold operations of one kind, by the definers of their operands; each is computed at the
    first use.
    """

    __slots__ = ("rule",)

    def __init__(self, rule: Fold) -> None:
        super().__init__()
        self.rule = rule

    def __missing__(self, definers: Definers) -> FoldPlan | None:
        if len(self) == MAXIMUM_PLANS:
            self.clear()
        plan = self[definers] = fold_plan(self.rule, definers)
        return plan


class OperationFolder:
    """Replaces operations by the results of their folds, and keeps constants, one of each value, type and
    dialect for each `constant_region`.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.owners: dict[Operation, tuple[ConstantKey, ...]] = {}
        """Each constant operation that is kept, with its keys."""
        self._constants: dict[ConstantKey, Value] = {}
        self._hooks: dict[str, ConstantHook] = {}

    def replace(self, op: Operation, folded: Sequence[Value | Attribute], rewriter: Rewriter) -> bool:
        """Replace an operation by `folded`, one value or constant for each result. Return False, with the
        operation in place, if a constant cannot be made.
        """
        values: list[Value] = []
        for entry, result in zip(folded, op.results, strict=True):
            value = entry if isinstance(entry, Value) else self.constant(entry, result.type, op, rewriter)
            if value is None:
                return False
            values.append(value)
        rewriter.replace(op, values)
        return True

    def constant(self, value: Attribute, type: Type, user: Operation, rewriter: Rewriter) -> Value | None:
        """Return a constant that ``user`` can use: a recorded one, or a new one, which is inserted at the
        start of the `constant_region` and recorded. None if the dialect of ``user`` has no constant for
        `value`, or if ``user`` is in no region. Raises `DiagnosticError` if the dialect cannot make constants
        at all.
        """
        block = user.parent
        if block is None or block.parent is None:
            return None
        region = constant_region(block)
        name = user.kind.dialect
        key = region, name, value, type
        found = self._constants.get(key)
        if found is not None:
            return found
        hook = self._hooks.get(name) or self._hook(user)
        made: Operation | None = hook(value, type, user.lazy_location)
        if made is None:
            return None
        if made.kind.dialect == name:
            return self._insert(made, key, rewriter)
        own = region, made.kind.dialect, value, type
        found = self._constants.get(own) or self._insert(made, own, rewriter)
        self._constants[key] = found
        self.owners[found.owner] += (key,)
        return found

    def _hook(self, user: Operation) -> ConstantHook:
        hook = self._hooks[user.kind.dialect] = constant_hook(self.context, user)
        return hook

    def _insert(self, made: Operation, key: ConstantKey, rewriter: Rewriter) -> Value:
        entry = key[0].blocks[0]
        assert entry.first is not None, "blocks before others have a terminator"
        entry.insert_before(entry.first, made)
        found = self._constants[key] = made.results[0]
        self.owners[made] = (key,)
        rewriter.inserted(made)
        return found

    def take_known(self, op: Operation, region: Region | None = None) -> Value | None:
        """Record the constant ``op`` and move it to the start of its region. If an equal constant of the same
        kind is recorded already, return its value, which should replace ``op``; return None otherwise. An
        equal constant of another kind leaves ``op`` where it is, unrecorded.

        ``region`` is `constant_region` of the block, if the caller has computed it.
        """
        if op in self.owners:
            return None
        block, value, results = op.parent, op.held_attributes.get("value"), op.results
        if value is None or block is None or block.parent is None or len(results) != 1:
            return None
        if region is None:
            region = constant_region(block)
        (result,) = results
        key = region, op.kind.dialect, value, result.type
        same = self._constants.get(key)
        if same is None:
            self._hoist(op, region.blocks[0])
            self._constants[key] = result
            self.owners[op] = (key,)
        elif same.owner.kind is op.kind:
            return same
        return None

    def _hoist(self, op: Operation, entry: Block) -> None:
        """Move a constant to the start of ``entry``, unless it is among the constants there already."""
        first = entry.first
        at_start = op.parent is entry and (first is op or op.previous in self.owners)
        if not at_start and first is not None:
            op.move_before(first)

    def forget(self, op: Operation) -> None:
        """Remove a constant that is about to be erased from the recorded constants. Other operations are
        ignored.
        """
        for key in self.owners.pop(op, ()):
            self._constants.pop(key, None)


def constant_region(block: Block) -> Region:
    """Return the outermost region around a block that is still inside the nearest operation which is isolated
    from above, or not registered.
    """
    region = block.parent
    assert region is not None
    while True:
        owner = region.parent
        if owner is None or (outer := owner.parent) is None or outer.parent is None:
            return region
        kind = owner.kind
        if IsolatedFromAbove in kind.trait_classes or not kind.is_registered:
            return region
        region = outer.parent
